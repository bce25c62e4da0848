// SPDX-License-Identifier: GPL-3.0-or-later
// Expressions over live values, as the console and input specs have them.
#pragma once

#include "core/torch/host/torch_hosts.h"

#include <functional>

namespace fx {

/// Variables, then torch's names without their module.
class VariableNames : public NameSource {
public:
    /// The value of a variable, or none if there is none of that name. May throw to say why it has no value.
    using Variables = std::function<std::optional<Value>(const std::string& name)>;

    explicit VariableNames(Variables variables) : m_variables(std::move(variables)) {}
    std::optional<Value> name(Evaluator&, const std::string& name) override;

private:
    Variables m_variables;
};

/// Evaluates expressions over live values: names are variables, and torch, math and the builtins are there.
/// What it has loaded of torch stays for the next expression; what an expression binds, spends and prints
/// does not.
class LiveEvaluator {
public:
    explicit LiveEvaluator(VariableNames::Variables variables, EvaluationLimits limits = {});
    /// Errors point at the part of `source` that failed; `place` names it.
    Value evaluate(std::string_view source, const std::string& place);

private:
    TorchHosts m_torch;
    VariableNames m_names;
    Evaluator m_evaluator;
};

} // namespace fx
