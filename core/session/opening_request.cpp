// SPDX-License-Identifier: GPL-3.0-or-later
// What is to be opened and how, as text for another process.
#include "core/base/error.h"
#include "core/io/json.h"
#include "core/session/opening.h"

namespace fx {

namespace {

std::vector<std::string> strings(const JsonDocument& json, const Json& list) {
    std::vector<std::string> out;
    for (const Json& item : json.array(list))
        out.push_back(json.string(item));
    return out;
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

Json pairsJson(const Pairs& pairs) {
    Json out = Json::array();
    for (const auto& [name, value] : pairs)
        out.push_back(Json::array({name, value}));
    return out;
}

Pairs pairs(const JsonDocument& json, const Json& list) {
    Pairs out;
    for (const Json& entry : json.array(list))
        if (const std::vector<std::string> parts = strings(json, entry); parts.size() == 2)
            out.emplace_back(parts[0], parts[1]);
    return out;
}

} // namespace

std::string OpeningRequest::text() const {
    const TraceOptions& trace = options.trace;
    const Json tracer = {{"parameter_shapes_constant", trace.tracer.paramShapesConstant},
                         {"buffers_proxied", trace.tracer.proxyBufferAttributes},
                         {"every_call_recorded", trace.tracer.isEveryCallRecorded},
                         {"mutating_calls_refused", trace.tracer.checkMutableOperations},
                         {"function", trace.tracer.tracedFuncName},
                         {"class", trace.tracerExpression}};
    return jsonText({{"path", path},
                     {"libraries", libraries},
                     {"wanted", static_cast<int>(wanted)},
                     {"pattern", pattern},
                     {"lifted", options.isLifted},
                     {"expression", trace.expression},
                     {"concrete", pairsJson(trace.concrete)},
                     {"meta_arguments", pairsJson(trace.metaArguments)},
                     {"keeps_partial", trace.keepsPartial},
                     {"leaves", trace.leafTypes},
                     {"no_leaves", trace.areNoneLeaves},
                     {"wrapped", trace.wrapped},
                     {"package_folders", trace.packageFolders},
                     {"tracer", tracer},
                     {"state", trace.stateFile},
                     {"source", trace.sourceFile},
                     {"training", trace.isTraining ? Json(*trace.isTraining) : Json()},
                     {"seed", trace.seed},
                     {"bytes", trace.limits.bytes},
                     {"seconds", trace.limits.time.count()}});
}

OpeningRequest OpeningRequest::fromText(const std::string& text) {
    const JsonDocument json(text, "request");
    const Json& root = json.root();
    const auto member = [&](const char* key) -> const Json& { return json.member(root, key); };
    OpeningRequest out;
    out.path = json.string(member("path"));
    out.libraries = strings(json, member("libraries"));
    const int64_t wanted = json.integer(member("wanted"));
    if (wanted < 0 || wanted > static_cast<int64_t>(Wanted::Devices))
        throw Error("request", "asks for what is not known");
    out.wanted = static_cast<Wanted>(wanted);
    out.pattern = json.string(member("pattern"));
    out.options.isLifted = json.boolean(member("lifted"));
    TraceOptions& trace = out.options.trace;
    trace.expression = json.string(member("expression"));
    trace.concrete = pairs(json, member("concrete"));
    trace.metaArguments = pairs(json, member("meta_arguments"));
    trace.keepsPartial = json.boolean(member("keeps_partial"));
    trace.leafTypes = strings(json, member("leaves"));
    trace.areNoneLeaves = json.boolean(member("no_leaves"));
    trace.wrapped = strings(json, member("wrapped"));
    trace.packageFolders = strings(json, member("package_folders"));
    const Json& tracer = member("tracer");
    trace.tracer.paramShapesConstant = json.boolean(json.member(tracer, "parameter_shapes_constant"));
    trace.tracer.proxyBufferAttributes = json.boolean(json.member(tracer, "buffers_proxied"));
    trace.tracer.isEveryCallRecorded = json.boolean(json.member(tracer, "every_call_recorded"));
    trace.tracer.checkMutableOperations = json.boolean(json.member(tracer, "mutating_calls_refused"));
    trace.tracer.tracedFuncName = json.string(json.member(tracer, "function"));
    trace.tracerExpression = json.string(json.member(tracer, "class"));
    trace.stateFile = json.string(member("state"));
    trace.sourceFile = json.string(member("source"));
    if (const Json* training = json.find(root, "training"))
        trace.isTraining = json.boolean(*training);
    trace.seed = static_cast<uint64_t>(json.integer(member("seed")));
    trace.limits.bytes = static_cast<uint64_t>(json.integer(member("bytes")));
    trace.limits.time = std::chrono::seconds(json.integer(member("seconds")));
    return out;
}

} // namespace fx
