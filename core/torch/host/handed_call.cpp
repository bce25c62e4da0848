// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/host/handed_call.h"

#include "core/base/text.h"

#include <algorithm>

namespace fx {

namespace {

[[noreturn]] void refuseLacking(const std::string& function, const FunctionRow& row,
                                const std::vector<std::optional<Value>>& bound) {
    std::vector<std::string> lacking;
    for (size_t i = 0; i < bound.size(); ++i)
        if (!bound[i])
            lacking.push_back('\'' + std::string(row.parameters[i].name) + '\'');
    std::string names = join(lacking, ", ");
    if (lacking.size() == 2)
        names = lacking[0] + " and " + lacking[1];
    raise("TypeError", function + "() missing " + std::to_string(lacking.size()) +
                           " required positional argument" + (lacking.size() == 1 ? "" : "s") + ": " + names);
}

/// Parameters by position and by name.
std::vector<Value> boundValues(const FunctionRow& row, const Values& args, const NamedValues& kwargs) {
    std::vector<std::optional<Value>> bound(row.parameters.size());
    size_t next = 0;
    size_t named = 0;
    const std::string function(row.target.functionName());
    for (size_t i = 0; i < row.parameters.size(); ++i) {
        const Parameter& parameter = row.parameters[i];
        if (parameter.kind == ParameterKind::VarPositional) {
            bound[i] = makeTuple(
                Values(args.begin() + static_cast<ptrdiff_t>(std::min(next, args.size())), args.end()));
            next = args.size();
            continue;
        }
        if (parameter.kind == ParameterKind::VarKeyword) {
            bound[i] = makeDict({});
            continue;
        }
        if (parameter.kind != ParameterKind::KeywordOnly && next < args.size())
            bound[i] = args[next++];
        for (const auto& [key, value] : kwargs)
            if (key == parameter.name) {
                if (bound[i])
                    raise("TypeError", function + "() got multiple values for argument '" + key + '\'');
                bound[i] = value;
                ++named;
            }
        if (!bound[i] && parameter.defaultValue)
            bound[i] = makeValue(*parameter.defaultValue, nullptr);
    }
    if (named < kwargs.size())
        for (const auto& [key, value] : kwargs)
            if (std::none_of(row.parameters.begin(), row.parameters.end(),
                             [&](const Parameter& p) { return p.name == key; }))
                raise("TypeError", function + "() got an unexpected keyword argument '" + key + '\'');
    if (next < args.size())
        raise("TypeError", function + "() takes " + std::to_string(next) + " positional arguments but " +
                               std::to_string(args.size()) + " were given");
    Values out;
    for (std::optional<Value>& value : bound) {
        if (!value)
            refuseLacking(function, row, bound);
        out.push_back(*value);
    }
    return out;
}

} // namespace

HandedCall handedCall(const FunctionRow& row, const Values& args, const NamedValues& kwargs) {
    const Values bound = boundValues(row, args, kwargs);
    HandedCall out{row.target, {}, {}, {}};
    for (const CheckedParameter& check : row.checks) {
        const Value& value = bound[check.parameter];
        if (!check.items)
            out.checked.push_back(value);
        else
            for (const Value& item : itemsOf(value).value_or(Values{}))
                out.checked.push_back(item);
    }
    for (const RecordedArgument& argument : row.records) {
        Value value = argument.parameter ? bound[*argument.parameter] : makeValue(argument.constant, nullptr);
        if (argument.spread) {
            for (const Value& item : itemsOf(value).value_or(Values{}))
                out.args.push_back(item);
        } else if (argument.key.empty()) {
            out.args.push_back(std::move(value));
        } else {
            out.kwargs.emplace_back(argument.key, std::move(value));
        }
    }
    return out;
}

} // namespace fx
