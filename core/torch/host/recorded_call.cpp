// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/host/recorded_call.h"

#include "core/torch/host/function_table.h"

#include <algorithm>

namespace fx {

namespace {

const Argument* keywordOf(const Keywords& kwargs, std::string_view name) {
    const auto at = std::ranges::find(kwargs, name, &Keywords::value_type::first);
    return at == kwargs.end() ? nullptr : &at->second;
}

/// One value for each parameter; none where the arguments do not fit.
std::optional<Arguments> boundValues(const FunctionRow& row, const Arguments& args, const Keywords& kwargs) {
    Arguments out;
    size_t taken = 0;
    for (const Parameter& parameter : row.parameters) {
        const bool isPlain =
            parameter.kind == ParameterKind::Positional || parameter.kind == ParameterKind::KeywordOnly;
        if (!isPlain)
            return std::nullopt;
        const Argument* named = keywordOf(kwargs, parameter.name);
        if (named)
            ++taken;
        if (parameter.kind == ParameterKind::Positional && out.size() < args.size() && !named)
            out.push_back(args[out.size()]);
        else if (named)
            out.push_back(*named);
        else if (parameter.defaultValue && !parameter.defaultValue->as<OpaqueValue>())
            out.push_back(*parameter.defaultValue);
        else
            return std::nullopt;
    }
    return taken == kwargs.size() && args.size() <= row.parameters.size() ? std::optional(std::move(out))
                                                                          : std::nullopt;
}

std::optional<RecordedCall> recordedPython(const FunctionRow& row, const Arguments& args,
                                           const Keywords& kwargs) {
    const std::optional<Arguments> values = boundValues(row, args, kwargs);
    if (!values || row.records.empty())
        return std::nullopt;
    RecordedCall call{row.target, {}, {}};
    for (const RecordedArgument& argument : row.records) {
        Argument value = argument.parameter ? (*values)[*argument.parameter] : argument.constant;
        if (argument.spread)
            return std::nullopt;
        if (argument.key.empty())
            call.args.push_back(std::move(value));
        else
            call.kwargs.emplace_back(argument.key, std::move(value));
    }
    return call;
}

} // namespace

std::optional<RecordedCall> recordedCall(std::string_view publicName, Arguments args, Keywords kwargs) {
    const FunctionRow* row = findFunction(publicName);
    if (!row)
        return std::nullopt;
    switch (row->kind) {
    case FunctionKind::Builtin:
        return RecordedCall{row->target, std::move(args), std::move(kwargs)};
    case FunctionKind::Python:
        return recordedPython(*row, args, kwargs);
    case FunctionKind::Switch: {
        const Argument* flag = keywordOf(kwargs, row->choice->flag);
        if (!flag && row->choice->position < args.size())
            flag = &args[row->choice->position];
        const bool* value = flag ? flag->as<bool>() : &row->choice->byDefault;
        if (!value)
            return std::nullopt;
        return recordedCall(*value ? row->choice->ifTrue : row->choice->ifFalse, std::move(args),
                            std::move(kwargs));
    }
    default:
        return std::nullopt;
    }
}

} // namespace fx
