// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/host/live_evaluator.h"

#include "core/ir/dtype.h"
#include "core/torch/values/thread_modes.h"

namespace fx {

std::optional<Value> VariableNames::name(Evaluator& evaluator, const std::string& name) {
    if (const std::optional<Value> value = m_variables(name))
        return value;
    if (name == "torch")
        return Value(Object{NamespaceObject{"torch"}});
    if (name == "F")
        return Value(Object{NamespaceObject{"torch.nn.functional"}});
    if (name == "math" || name == "operator")
        return evaluator.modules().importModule(name);
    if (const auto dtype = dtypeFromName(name))
        return Value(Object{Argument(*dtype)});
    return evaluator.names().member(evaluator, {"torch"}, name);
}

LiveEvaluator::LiveEvaluator(VariableNames::Variables variables, EvaluationLimits limits)
    : m_names(std::move(variables)), m_evaluator(limits) {
    m_torch.addTo(m_evaluator);
    m_evaluator.names().add(m_names);
}

Value LiveEvaluator::evaluate(std::string_view source, const std::string& place) {
    const KeptModes kept;
    m_evaluator.startRequest();
    return m_evaluator.evaluate(parseExpressionSource(source, place), makeGlobals("__main__"));
}

} // namespace fx
