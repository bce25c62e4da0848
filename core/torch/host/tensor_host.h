// SPDX-License-Identifier: GPL-3.0-or-later
// The host of live values: tensors and what else LibTorch has values for, dtypes and the like, and their
// methods. Functions and modules of torch are in torch_names.h.
#pragma once

#include "core/python/evaluator.h"

#include <unordered_map>

namespace fx {

class FunctionModes;
class FunctionOverrides;
class OperatorResults;

class TensorHost : public ValueHost {
public:
    TensorHost(OperatorResults& results, FunctionModes& modes, FunctionOverrides& overrides)
        : m_results(results), m_modes(modes), m_overrides(overrides) {}

    std::optional<Value> attribute(Evaluator&, const Value& object, const std::string& name) override;
    void setAttribute(Evaluator&, const Value& object, const std::string& name, const Value& value) override;
    Value call(Evaluator&, const Value& function, Values args, NamedValues kwargs) override;
    Value subscript(Evaluator&, const Value& object, const Value& index) override;
    void setSubscript(Evaluator&, const Value& object, const Value& index, const Value& value) override;
    Value operate(Evaluator&, Operator op, Values operands, bool isInPlace) override;
    bool isTrue(Evaluator&, const Value& value) override;
    Value iterator(Evaluator&, const Value& value) override;
    int64_t length(Evaluator&, const Value& value) override;
    int64_t index(Evaluator&, const Value& value) override;
    std::string text(Evaluator&, const Value& value, bool isRepr) override;
    std::string format(Evaluator&, const Value& value, const std::string& spec) override;
    std::string typeName(const Value& value) const override;

private:
    /// What a program has set on the tensor; null: nothing of that name.
    const Value* keptAttribute(const Value& tensor, std::string_view name) const;
    Value callOf(Evaluator& evaluator, const MethodObject& method, Values args, NamedValues kwargs);

    OperatorResults& m_results;
    FunctionModes& m_modes;
    FunctionOverrides& m_overrides;
    std::unordered_map<const void*, std::pair<Value, Value>>
        m_attributes; ///< tensor and dict, by its identity
};

} // namespace fx
