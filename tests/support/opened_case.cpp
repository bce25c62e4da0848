// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/opened_case.h"

#include "core/base/text.h"

namespace fx {

namespace {

std::string textOf(const Json& row, const char* key) {
    return row.contains(key) && row[key].is_string() ? row[key].get<std::string>() : std::string();
}

std::string_view trimmedOf(std::string_view text, std::string_view characters) {
    while (!text.empty() && characters.find(text.front()) != std::string_view::npos)
        text.remove_prefix(1);
    while (!text.empty() && characters.find(text.back()) != std::string_view::npos)
        text.remove_suffix(1);
    return text;
}

} // namespace

OpenOptions openOptionsOf(const Json& row) {
    OpenOptions options;
    TraceOptions& trace = options.trace;
    trace.expression = textOf(row, "expression");
    trace.stateFile = textOf(row, "state");
    trace.sourceFile = textOf(row, "source");
    trace.tracerExpression = textOf(row, "tracer_class");
    if (const std::string packages = textOf(row, "packages"); !packages.empty())
        trace.packageFolders.push_back(packages);
    trace.areNoneLeaves = row.value("no_leaves", false);
    if (row.contains("train"))
        trace.isTraining = row["train"].get<bool>();
    for (const auto& name : row.value("leaf", Json::array()))
        trace.leafTypes.push_back(name);
    const Json concrete = row.value("concrete", Json());
    if (concrete.is_array())
        for (const auto& value : concrete)
            trace.concrete.emplace_back("", value);
    else if (concrete.is_object())
        for (const auto& [name, value] : concrete.items())
            trace.concrete.emplace_back(name, value);
    const Json tracer = row.value("tracer", Json::object());
    trace.tracer.paramShapesConstant = tracer.value("param_shapes_constant", "False") == "True";
    trace.tracer.proxyBufferAttributes = tracer.value("proxy_buffer_attributes", "False") == "True";
    trace.tracer.checkMutableOperations = tracer.value("check_mutable_operations", "False") == "True";
    for (const char* key : {"autowrap_functions", "autowrap_modules"}) { // "(helper, ops.helper,)"
        const std::string names = tracer.value(key, "");
        for (std::string_view name : split(names, ','))
            if (const std::string_view plain = trimmedOf(name, "() "); !plain.empty() && plain != "math")
                trace.wrapped.emplace_back(plain);
    }
    return options;
}

OpenedModel openCase(const Json& row) {
    Progress progress;
    return openModel(row["file"], openOptionsOf(row), progress);
}

} // namespace fx
