// SPDX-License-Identifier: GPL-3.0-or-later
// Follows the tensors of the model from where they are read: a node that may give a view of its inputs, or
// one of them itself, leads to what they lead to.
#include "core/interpret/written_tensors.h"

#include "core/base/text.h"
#include "core/ir/python_operators.h"
#include "core/torch/bind/call_facts.h"
#include "core/torch/bind/operators.h"
#include "core/torch/bind/parameters.h"
#include "core/torch/bind/tensor_overloads.h"
#include "core/trace/recorded_hooks.h"

#include <ATen/core/function_schema.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

namespace fx {

namespace {

using Tensors = std::set<TensorId>;

bool add(Tensors& to, const Tensors& from) {
    const size_t before = to.size();
    to.insert(from.begin(), from.end());
    return to.size() != before;
}

/// "add_" of "torch.ops.aten.add_.Tensor", "torch.Tensor.add_" and "add_".
std::string_view lastName(const Node& node) {
    std::string_view name = node.target.name();
    if (node.target.isOperatorOverload())
        name = name.substr(0, name.rfind('.'));
    return name.substr(name.rfind('.') + 1);
}

bool isTrueKeyword(const Node& node, std::string_view name) {
    const Argument* given = node.keyword(name);
    return given && !(given->as<bool>() && !*given->as<bool>()) && !given->isNone();
}

/// Whether a normalisation reads its statistics and leaves them: its mode is written in the call.
bool readsStatistics(std::string_view name, const Node& node, CallKind kind) {
    if (contains(name, "no_training"))
        return true;
    const Argument* mode = givenArgument(node, kind == CallKind::BatchNorm ? "training" : "use_input_stats");
    return mode && mode->as<bool>() && !*mode->as<bool>();
}

/// Running statistics are written with no mark in the schema, a table with max_norm by its lookup.
bool writesUnmarked(std::string_view name, const Node& node) {
    const FunctionFacts& facts = factsOfFunction(name);
    if (facts.kind == CallKind::BatchNorm || facts.kind == CallKind::InstanceNorm)
        return !readsStatistics(name, node, facts.kind);
    const Argument* longest = facts.kind == CallKind::Embedding && name.starts_with("embedding")
                                  ? givenArgument(node, "max_norm")
                                  : nullptr;
    return facts.writesInputs || (longest && !longest->isNone());
}

bool isInPlaceName(const Node& node, std::string_view name) {
    if (name.starts_with("__") && name.ends_with("__") &&
        name.size() > 4) // x.__iadd__(y), torch.Tensor.__iadd__
        name = name.substr(2, name.size() - 4);
    if (node.target.name().starts_with("operator.") || name != lastName(node))
        return operatorByInPlaceFunction(name) || name == "iconcat" || name == "setitem";
    return name.ends_with('_');
}

} // namespace

std::vector<NodeId> writtenInputs(const Node& node) {
    std::vector<NodeId> out;
    const auto take = [&](const Argument* argument) {
        if (argument)
            forEachNode(*argument, [&](NodeId id) { out.push_back(id); });
    };
    if (node.opcode != Opcode::CallFunction && node.opcode != Opcode::CallMethod)
        return out;
    const std::string_view name = lastName(node);
    if (const TorchOperator* op = findOperator(node.target); op && op->schema->is_mutable()) {
        const auto& parameters = op->schema->arguments();
        for (size_t i = 0; i < parameters.size(); ++i)
            if (parameters[i].alias_info() && parameters[i].alias_info()->isWrite())
                take(i < node.args.size() && !parameters[i].kwarg_only()
                         ? &node.args[i]
                         : node.keyword(parameters[i].name()));
        return out;
    }
    if (writesUnmarked(name, node)) {
        for (const InputUse& use : node.inputs)
            out.push_back(use.node);
        return out;
    }
    if (isInPlaceName(node, name) || isTrueKeyword(node, "inplace"))
        take(!node.args.empty()      ? &node.args[0]
             : node.keyword("input") ? node.keyword("input")
                                     : node.keyword("self"));
    take(node.keyword("out"));
    return out;
}

std::vector<NamedTensor> writtenByItself(const Module& module) {
    std::vector<NamedTensor> out;
    const bool isTorchs = module.type.starts_with("torch.");
    const Argument* longest = module.value("max_norm");
    const bool writesAll = !isTorchs || hasUserHook(module.values) || (longest && !longest->isNone());
    if (!writesAll && !hasRecordedHook(module.values) && !factsOf(module).keepsState)
        return out;
    for (const NamedTensor& entry : module.tensors)
        if (entry.tensor && (writesAll || entry.role != TensorRole::Parameter))
            out.push_back(entry);
    return out;
}

bool mayShareMemory(const Node& node) {
    if (node.opcode != Opcode::CallFunction && node.opcode != Opcode::CallMethod)
        return true;
    const std::string_view name = lastName(node);
    if (factsOfFunction(name).sharesMemory)
        return true;
    std::vector<const TorchOperator*> overloads;
    if (const TorchOperator* op = findOperator(node.target))
        overloads.push_back(op);
    else if (!node.target.isHigherOrder())
        overloads = findTensorOverloads("aten::" + std::string(name));
    if (overloads.empty())
        return true;
    return std::any_of(overloads.begin(), overloads.end(), [](const TorchOperator* op) {
        const auto& returns = op->schema->returns();
        const bool hasOut = std::any_of(op->schema->arguments().begin(), op->schema->arguments().end(),
                                        [](const c10::Argument& a) { return a.is_out(); });
        return !hasOut && std::any_of(returns.begin(), returns.end(),
                                      [](const c10::Argument& r) { return r.alias_info() != nullptr; });
    });
}

namespace {

class Analysis {
public:
    explicit Analysis(const Model& model) : m_model(model) {
        model.forEachModule(model.root(), [&](ModuleId id, const std::string&) {
            if (model.module(id).graph)
                m_graphs.push_back(id);
        });
    }

    Tensors run() {
        bool writes = false;
        for (ModuleId id : m_graphs)
            for (const Node& node : m_model.graph(id))
                writes |=
                    node.opcode == Opcode::CallModule ? callLeaf(id, node) : !writtenInputs(node).empty();
        if (!writes)
            return std::move(m_written);
        // Until nothing more is found: what a graph is called with is known only where it is called.
        for (bool isNew = true; isNew;) {
            isNew = false;
            for (ModuleId id : m_graphs)
                for (const Node& node : m_model.graph(id))
                    isNew |= visit(id, node);
        }
        return std::move(m_written);
    }

private:
    bool visit(ModuleId module, const Node& node) {
        Tensors& here = m_reaches[{module, node.id}];
        bool isNew = false;
        Tensors given;
        for (const InputUse& use : node.inputs)
            add(given, m_reaches[{module, use.node}]);
        if (node.opcode == Opcode::Placeholder)
            isNew |= add(here, m_inputs[module]);
        else if (node.opcode == Opcode::GetAttr)
            isNew |= read(module, node, here);
        else if (node.opcode == Opcode::CallModule)
            isNew |= callModule(module, node, given);
        else if (node.target.isHigherOrder())
            for (const InputUse& use : node.inputs)
                if (const ModuleId graph = graphRead(module, use.node)) {
                    isNew |= add(m_inputs[graph], given);
                    isNew |= add(here, m_outputs[graph]);
                }
        if (node.opcode == Opcode::Output)
            isNew |= add(m_outputs[module], given);
        if (mayShareMemory(node))
            isNew |= add(here, given);
        if (node.opcode == Opcode::CallModule)
            if (const ModuleId callee = m_model.resolve(module, node.target.name()).module)
                isNew |= add(here, m_outputs[callee]);
        for (NodeId id : writtenInputs(node))
            isNew |= add(m_written, m_reaches[{module, id}]);
        return isNew;
    }

    bool read(ModuleId module, const Node& node, Tensors& here) {
        const Attribute found = m_model.resolve(module, node.target.name());
        return found.tensor && here.insert(found.tensor).second;
    }

    ModuleId graphRead(ModuleId module, NodeId id) const {
        const Node& node = m_model.graph(module).node(id);
        const ModuleId found =
            node.opcode == Opcode::GetAttr ? m_model.resolve(module, node.target.name()).module : ModuleId();
        return found && m_model.module(found).graph ? found : ModuleId();
    }

    bool callModule(ModuleId module, const Node& node, const Tensors& given) {
        const ModuleId callee = m_model.resolve(module, node.target.name()).module;
        if (!callee)
            return false;
        if (m_model.module(callee).graph)
            return add(m_inputs[callee], given);
        return callLeaf(module, node) && add(m_written, given);
    }

    /// Notes what the module has itself. True if it writes into what it is given.
    bool callLeaf(ModuleId module, const Node& node) {
        const ModuleId callee = m_model.resolve(module, node.target.name()).module;
        if (!callee || m_model.module(callee).graph)
            return false;
        bool hasHooks = false;
        m_model.forEachModule(callee, [&](ModuleId id, const std::string&) {
            hasHooks |= hasUserHook(m_model.module(id).values);
            for (const NamedTensor& entry : writtenByItself(m_model.module(id)))
                m_written.insert(entry.tensor);
        });
        if (hasHooks) // which may reach any module
            m_model.forEachModule(m_model.root(), [&](ModuleId id, const std::string&) {
                for (const NamedTensor& entry : m_model.module(id).tensors)
                    if (entry.tensor)
                        m_written.insert(entry.tensor);
            });
        const Argument* inPlace = m_model.module(callee).value("inplace");
        return hasHooks || (inPlace && inPlace->as<bool>() && *inPlace->as<bool>());
    }

    const Model& m_model;
    std::vector<ModuleId> m_graphs;
    std::map<std::pair<ModuleId, NodeId>, Tensors> m_reaches; ///< which tensors a value may share memory with
    std::map<ModuleId, Tensors> m_inputs, m_outputs;          ///< of graphs
    Tensors m_written;
};

} // namespace

std::set<TensorId> writtenTensors(const Model& model) {
    return Analysis(model).run();
}

} // namespace fx
