// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/open/support_file.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/json.h"
#include "core/io/mapped_file.h"
#include "core/ir/dtype.h"
#include "core/userpasses/user_support.h"

namespace fx {

namespace {

/// Of a null none, which is any.
SupportRule::Dtypes dtypesFrom(const JsonDocument& document, const Json& value) {
    SupportRule::Dtypes out;
    if (value.is_null())
        return out;
    for (const Json& each : document.array(value)) {
        const std::string name = document.string(each);
        const std::optional<c10::ScalarType> dtype = dtypeFromName(name);
        if (!dtype)
            document.fail(each, pythonRepr(name) + " is no dtype");
        out.push_back(*dtype);
    }
    if (out.empty())
        document.fail(value, "lists no dtype; null is any");
    return out;
}

SupportRule ruleFrom(const JsonDocument& document, const Json& value) {
    SupportRule out;
    if (!value.is_object()) {
        out.all = dtypesFrom(document, value);
        return out;
    }
    for (const auto& [key, entry] : value.items())
        if (key != "args" && key != "kwargs")
            document.fail(value, pythonRepr(key) + " is neither args nor kwargs");
    if (const Json* args = document.find(value, "args"))
        for (const Json& dtypes : document.array(*args))
            out.args.push_back(dtypesFrom(document, dtypes));
    if (const Json* kwargs = document.find(value, "kwargs"))
        for (const auto& [name, dtypes] : document.object(*kwargs).items())
            out.kwargs[name] = dtypesFrom(document, dtypes);
    return out;
}

SupportRule ruleFromLine(std::string_view dtypes, const std::string& place) {
    SupportRule out;
    if (dtypes.empty() || dtypes == "null" || dtypes == "~")
        return out;
    if (!dtypes.starts_with('[') || !dtypes.ends_with(']'))
        throw Error(place, pythonRepr(dtypes) + " is no list of dtypes").hint("write [float32, bfloat16]");
    for (const std::string_view name : split(dtypes.substr(1, dtypes.size() - 2), ',')) {
        const std::optional<c10::ScalarType> dtype = dtypeFromName(trim(name));
        if (!dtype)
            throw Error(place, pythonRepr(trim(name)) + " is no dtype");
        out.all.push_back(*dtype);
    }
    return out;
}

} // namespace

SupportTable supportTableFrom(std::string_view json, const std::string& place) {
    const JsonDocument document(json, place);
    SupportTable out;
    for (const auto& [target, rule] : document.object(document.root()).items())
        out.add(target, ruleFrom(document, rule));
    return out;
}

SupportTable supportTableFromYaml(std::string_view text, const std::string& place) {
    SupportTable out;
    size_t number = 0;
    for (const std::string_view whole : split(text, '\n')) {
        const std::string at = place + ':' + std::to_string(++number);
        const std::string_view line = trim(whole.substr(0, whole.find('#')));
        if (line.empty() || line == "---")
            continue;
        const size_t colon = line.find(':');
        if (colon == std::string_view::npos || whole.starts_with(' ') || whole.starts_with('-'))
            throw Error(at, "is no line 'TARGET: [DTYPE, DTYPE]'")
                .hint("what needs more can be given as JSON");
        out.add(std::string(trim(line.substr(0, colon))), ruleFromLine(trim(line.substr(colon + 1)), at));
    }
    return out;
}

Refusals refusalsByFile(const std::string& path, const Model& model, ModuleId module) {
    if (path.ends_with(".json"))
        return supportTableFrom(readFile(path), path).refusals(model, module);
    if (path.ends_with(".yaml") || path.ends_with(".yml"))
        return supportTableFromYaml(readFile(path), path).refusals(model, module);
    const std::optional<UserPassName> name = userPassName(path);
    if (!name)
        throw Error(path, "is no table of what is supported").hint("give a .json, a .yaml, or FILE.py:NAME");
    return userRefusals(*name, model, module);
}

} // namespace fx
