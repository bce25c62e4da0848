// SPDX-License-Identifier: GPL-3.0-or-later
// The host of mini-Python for live values: tensors compute, torch's names mean what they mean in PyTorch, and
// torch.nn is the library's own text. core/trace derives the host that records a graph.
#pragma once

#include "core/python/evaluator.h"
#include "core/torch/function_table.h"

#include <unordered_map>

namespace fx {

class LiveHost : public Host {
public:
    /// The value of a variable, or none if there is none of that name. May throw to say why it has no value.
    using Variables = std::function<std::optional<Value>(const std::string& name)>;

    explicit LiveHost(Variables variables = nullptr) : m_variables(std::move(variables)) {}

    /// Adds torch's classes to a new evaluator that this is the host of.
    void prepare(Evaluator& evaluator);

    std::optional<Value> name(Evaluator&, const std::string& name) override;
    std::optional<Value> importModule(Evaluator&, const std::string& name) override;
    const LibraryModule* libraryModule(const std::string& name) override;
    void moduleLoaded(Evaluator&, const std::string& name, const Value& module) override;
    bool owns(const Value& value) const override;
    std::optional<Value> attribute(Evaluator&, const Value& object, const std::string& name) override;
    std::optional<std::vector<std::string>> names(Evaluator&, const Value& object) override;
    void setAttribute(Evaluator&, const Value& object, const std::string& name, const Value& value) override;
    Value call(Evaluator&, const Value& function, Values args, NamedValues kwargs) override;
    Value subscript(Evaluator&, const Value& object, const Value& index) override;
    void setSubscript(Evaluator&, const Value& object, const Value& index, const Value& value) override;
    Value operate(Evaluator&, Operator op, Values operands, bool isInPlace) override;
    bool isTrue(Evaluator&, const Value& value) override;
    Value iterator(Evaluator&, const Value& value) override;
    int64_t length(Evaluator&, const Value& value) override;
    int64_t index(Evaluator&, const Value& value) override;
    Values unpack(Evaluator&, const Value& value, size_t count) override;
    std::string text(Evaluator&, const Value& value, bool isRepr) override;
    std::string format(Evaluator&, const Value& value, const std::string& spec) override;
    std::string typeName(const Value& value) const override;

    std::optional<Value> moduleMember(Evaluator&, const Value& module, const TextKey& name) override;
    /// Module.__call__ of an instance of torch.nn.Module: its hooks and its forward.
    virtual Value callModule(Evaluator&, const Value& module, Values args, NamedValues kwargs);
    /// What Module.__getattr__ has found among the parameters, buffers or children.
    enum class Member { Parameter, Buffer, Module };
    virtual Value moduleAttribute(Evaluator&, const Value& module, const std::string& name,
                                  const Value& found, Member member);
    /// Whether Tensor's own methods take it as self.
    virtual bool isTensorLike(const Value& value) const { return plainOf(value).isTensor(); }
    /// A function of torch's that is Python in PyTorch, run by the library's text; none where there is no
    /// text.
    std::optional<Value> libraryFunction(Evaluator& evaluator, Target target);

    /// A method of Tensor that is Python in PyTorch, as a function of the library's text that takes the
    /// tensor first.
    std::optional<Value> tensorLibraryMethod(Evaluator& evaluator, const std::string& name);

protected:
    /// The row of a function by its public name; null for operators of torch.ops.
    const FunctionRow* rowOf(Target target);

private:
    Value callOf(Evaluator& evaluator, const MethodObject& method, Values args, NamedValues kwargs);
    /// Results of operators as Python has them: tuples and lists that can be changed, and fields by their
    /// names.
    Value normalized(Evaluator& evaluator, Value value);
    Value contentsOf(Evaluator& evaluator, const Value& module);
    std::optional<Value> namespaceAttribute(Evaluator&, const std::string& path, const std::string& name);

    Variables m_variables;
    std::unordered_map<std::string, std::unordered_map<std::string, Value>>
        m_namespaceCache;                                 ///< by path, then name
    std::unordered_map<std::string, Value> m_resultTypes; ///< "torch.return_types.max"
    std::unordered_map<Target, const FunctionRow*> m_rows;
    std::unordered_map<Target, std::optional<Value>> m_bodies;
    std::unordered_map<const void*, std::pair<Value, Value>>
        m_tensorAttributes; ///< tensor and dict, by its identity
};

/// Whether it is an instance of torch.nn.Module.
bool isModuleInstance(const Value& value);
/// A torch.nn.Parameter.
bool isParameter(const Value& value);
/// Whether a function of torch's, or "torch.Tensor.method", is Python in PyTorch, so that the library's text
/// runs it.
bool isPythonInTorch(Target target);
inline const TextKey kParameterTable("_parameters"), kBufferTable("_buffers"), kModuleTable("_modules");
/// One of a module's three tables; null if there is none.
DictObject* moduleTable(const Value& module, const TextKey& table);

/// Evaluates expressions over live values: names are variables, and torch, math and the builtins are there.
/// What it has loaded of torch stays for the next expression; what an expression binds, spends and prints
/// does not.
class LiveEvaluator {
public:
    explicit LiveEvaluator(LiveHost::Variables variables = nullptr, EvaluationLimits limits = {});
    /// Errors point at the part of `source` that failed; `place` names it.
    Value evaluate(std::string_view source, const std::string& place);

private:
    LiveHost m_host;
    Evaluator m_evaluator;
};

} // namespace fx
