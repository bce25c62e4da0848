// SPDX-License-Identifier: GPL-3.0-or-later
// What torch's names mean: modules, functions by the table, and those that are the library's own text.
// core/torch/host/torch_classes.cpp has the classes, core/torch/host/tensor_host.h what values do.
#pragma once

#include "core/python/evaluator.h"
#include "core/torch/host/function_table.h"

#include <set>
#include <unordered_map>

namespace fx {

class OperatorResults;

/// The host of functions and namespaces, and the source of torch's names.
class TorchNames : public ValueHost, public NameSource {
public:
    explicit TorchNames(OperatorResults& results) : m_results(results) {}

    std::optional<Value> attribute(Evaluator&, const Value& object, const std::string& name) override;
    /// A name of a module of torch's, from then on as long as the evaluator lives: libraries patch torch.
    void setAttribute(Evaluator&, const Value& object, const std::string& name, const Value& value) override;
    std::optional<std::vector<std::string>> names(Evaluator&, const Value& object) override;
    Value call(Evaluator&, const Value& function, Values args, NamedValues kwargs) override;
    std::string text(Evaluator&, const Value& value, bool isRepr) override;
    std::string typeName(const Value& value) const override;

    std::optional<Value> importModule(Evaluator&, const std::string& name) override;
    std::optional<Value> member(Evaluator&, const NamespaceObject& space, const std::string& name) override;
    const LibraryModule* libraryModule(const std::string& name) override;

    /// The row of a function by its public name; null for operators of torch.ops.
    const FunctionRow* rowOf(Target target);
    /// A function of torch's that is Python in PyTorch, run by the library's text; none where there is no
    /// text.
    std::optional<Value> libraryFunction(Evaluator& evaluator, Target target);

    /// Whether the program has put another function in the place of one by which the functions of a module
    /// ask if an argument overrides them, so that they do their work on whatever they are given.
    bool asksForOverrides(const std::string& module) const { return !m_deaf.contains(module); }

private:
    Value contentsOf(Evaluator& evaluator, const Value& module);
    std::optional<Value> findMember(Evaluator& evaluator, const std::string& path, const std::string& name);

    OperatorResults& m_results;
    std::unordered_map<std::string, std::unordered_map<std::string, Value>> m_members; ///< by path, then name
    std::set<std::string> m_deaf; ///< modules that do not ask for overrides
    std::unordered_map<Target, const FunctionRow*> m_rows;
    std::unordered_map<Target, std::optional<Value>> m_bodies;
};

/// A method of Tensor that is Python in PyTorch, as a function of the library's text that takes the tensor
/// first; none where it is not.
std::optional<Value> tensorLibraryMethod(Evaluator& evaluator, const std::string& name);
/// Whether a function of torch's, or "torch.Tensor.method", is Python in PyTorch, so that the library's text
/// runs it.
bool isPythonInTorch(Target target);

} // namespace fx
