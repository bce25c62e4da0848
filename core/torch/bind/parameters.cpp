// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bind/parameters.h"

#include "core/torch/bind/call.h"
#include "core/torch/bind/operators.h"
#include "core/torch/bind/signatures.h"
#include "core/torch/host/function_table.h"

#include <ATen/core/function_schema.h>

#include <algorithm>
#include <unordered_map>

namespace fx {

namespace {

std::vector<std::string_view> parametersByPosition(Target function) {
    std::vector<std::string_view> out;
    if (const TorchOperator* op = findOperator(function)) {
        for (const c10::Argument& parameter : op->schema->arguments())
            if (!parameter.kwarg_only())
                out.push_back(parameter.name());
        return out;
    }
    if (const FunctionRow* row = findFunction(function.name()); row && !row->parameters.empty()) {
        for (const Parameter& parameter : row->parameters)
            if (parameter.kind == ParameterKind::Positional ||
                parameter.kind == ParameterKind::PositionalOnly)
                out.push_back(parameter.name);
        return out;
    }
    const SignatureGroup* group = signaturesOfFunction(function.name());
    if (!group)
        return out;
    const auto current = std::ranges::find_if(group->signatures, [](const CallSignature& signature) {
        return !signature.isDeprecated && !signature.isHidden;
    });
    if (current != group->signatures.end())
        for (const SignatureParameter& parameter : current->parameters)
            if (!parameter.isKeywordOnly)
                out.push_back(parameter.name);
    return out;
}

} // namespace

const std::vector<std::string_view>& positionalParameters(Target function) {
    thread_local std::unordered_map<Target, std::vector<std::string_view>> known;
    const auto [at, isNew] = known.try_emplace(function);
    if (isNew)
        at->second = parametersByPosition(function);
    return at->second;
}

const Argument* givenArgument(const Node& call, std::string_view parameter) {
    if (const Argument* named = call.keyword(parameter))
        return named;
    const std::vector<std::string_view>& parameters = positionalParameters(call.target);
    const auto at = std::find(parameters.begin(), parameters.end(), parameter) - parameters.begin();
    return static_cast<size_t>(at) < std::min(parameters.size(), call.args.size()) ? &call.args[at] : nullptr;
}

} // namespace fx
