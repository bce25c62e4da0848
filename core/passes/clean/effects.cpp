// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/clean/effects.h"

#include "core/base/text.h"
#include "core/interpret/random_draws.h"
#include "core/interpret/written_tensors.h"
#include "core/passes/clean/call_names.h"
#include "core/torch/bind/call.h"
#include "core/torch/bind/call_facts.h"
#include "core/torch/bind/parameters.h"
#include "core/torch/bind/purity.h"
#include "core/torch/bind/signatures.h"
#include "core/torch/bind/tensor_overloads.h"
#include "core/torch/host/function_table.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace fx {

namespace {

bool isTrue(const Argument* value) {
    return value && value->as<bool>() && *value->as<bool>();
}

bool isOperator(Target target) {
    return target.name().starts_with("operator.") || target.name().starts_with("math.");
}

/// Builtins that only look at what they are given.
bool isPlainBuiltin(Target target) {
    static const std::set<std::string_view> kNames = {
        "abs", "bool", "divmod", "float", "getattr", "hasattr", "int", "isinstance", "len",
        "max", "min",  "pow",    "range", "round",   "slice",   "sum", "tuple"};
    return target.isBuiltin() && kNames.contains(target.name());
}

/// Of functions that are Python in PyTorch.
bool mayDrawInPython(const Node& node, std::string_view name) {
    using Draws = FunctionFacts::Draws;
    switch (factsOfFunction(name).draws) {
    case Draws::Never:
        return false;
    case Draws::InTraining: {
        const Argument* mode = givenArgument(node, "training");
        return !mode || !mode->as<bool>() || *mode->as<bool>();
    }
    case Draws::ByRate: {
        const Argument* rate = givenArgument(node, "dropout_p");
        return rate && !(*rate == Argument(0.0));
    }
    case Draws::Always:
        return true;
    }
    return true;
}

/// The table of effects tells of all overloads of a name together, those with out= among them.
bool isPureOperator(const TorchOperator& op) {
    return !op.schema->is_mutable() && !mayDrawRandomNumbers(op) &&
           (op.effect == OperatorEffect::Pure || op.effect == OperatorEffect::Writes);
}

/// Whether all overloads that write nothing are pure; of none, false.
bool arePure(const std::vector<const TorchOperator*>& overloads) {
    size_t count = 0;
    for (const TorchOperator* op : overloads)
        if (!op->schema->is_mutable()) {
            if (!isPureOperator(*op))
                return false;
            ++count;
        }
    return count > 0;
}

bool isPureMethod(const std::string& name) {
    static const std::set<std::string_view> kPython = {
        "float", "half",      "double",     "bfloat16", "long",
        "int",   "short",     "char",       "byte",     "bool",
        "cpu",   "cuda",      "size",       "dim",      "ndimension",
        "numel", "stride",    "get_device", "type_as",  "norm",
        "split", "new_zeros", "new_ones",   "new_full", "is_floating_point"};
    return kPython.contains(name) || arePure(findTensorOverloads("aten::" + name));
}

bool isPureTarget(Target function) {
    const std::string& name = function.name();
    const Callee callee = findCallee(function);
    if (callee.op)
        return isPureOperator(*callee.op);
    if (callee.signatures) {
        const std::vector<const TorchOperator*> operators = callee.operators();
        return std::ranges::all_of(operators, [](const TorchOperator* op) { return op; }) &&
               arePure(operators);
    }
    if (const std::string packet = packetOf(name); !packet.empty())
        return arePure(findTensorOverloads(packet));
    return isFunctionOfTorch(function) && name.starts_with("torch.nn.functional.");
}

/// The inputs whose memory the result may have. What writes into one of them gives that one back.
std::vector<NodeId> sharedBy(const Node& node) {
    std::vector<NodeId> written = writtenInputs(node);
    if (node.target.isOperatorOverload() && written.size() == 1)
        return written;
    std::vector<NodeId> all;
    for (const InputUse& input : node.inputs)
        all.push_back(input.node);
    return all;
}

} // namespace

Effects::Effects(const Model& model, ModuleId module)
    : m_model(model), m_module(module), m_classes(static_cast<size_t>(model.graph(module).nextId().value)),
      m_written(m_classes.size()), m_writes(m_classes.size()) {
    std::iota(m_classes.begin(), m_classes.end(), 0);
    const StateReads reads(model);
    std::unordered_map<TensorId, NodeId> readers;
    std::vector<NodeId> written;
    for (const Node& node : model.graph(module)) {
        if (node.opcode == Opcode::GetAttr) {
            const auto entry = tensorEntry(model, module, node.target.name());
            if (!entry)
                continue;
            // The same tensor under another name.
            if (const auto [at, isNew] = readers.try_emplace(entry->tensor, node.id); !isNew)
                unite(node.id, at->second);
            // A called module may keep statistics in what it has.
            if (entry->role != TensorRole::Parameter && reads.isInCalled(entry->owner))
                written.push_back(node.id);
        }
        if (!givesNewMemory(node))
            for (const NodeId input : sharedBy(node))
                unite(node.id, input);
        for (const NodeId input : writtenBy(node))
            written.push_back(input);
    }
    for (const NodeId node : written)
        m_written[static_cast<size_t>(classOf(node))] = true;
}

int32_t Effects::classOf(NodeId node) const {
    int32_t at = node.value;
    while (m_classes[static_cast<size_t>(at)] != at)
        at = m_classes[static_cast<size_t>(at)] =
            m_classes[static_cast<size_t>(m_classes[static_cast<size_t>(at)])];
    return at;
}

void Effects::unite(NodeId a, NodeId b) {
    m_classes[static_cast<size_t>(classOf(a))] = classOf(b);
}

void Effects::walkOver(const Node& node) {
    for (const NodeId input : writtenBy(node))
        ++m_writes[static_cast<size_t>(classOf(input))];
}

std::vector<NodeId> Effects::writtenBy(const Node& node) const {
    std::vector<NodeId> all;
    const auto takeAll = [&] {
        for (const InputUse& input : node.inputs)
            all.push_back(input.node);
        return all;
    };
    if (node.opcode == Opcode::CallModule) {
        const Module* module = calledModule(m_model, m_module, node);
        // Others may do anything.
        const bool isTorchs = module && module->type.starts_with("torch.nn.modules.") && !module->graph &&
                              !hasHooks(*module) && !module->type.starts_with("torch.nn.modules.container.");
        return !isTorchs || isTrue(module->value("inplace")) ? takeAll() : all;
    }
    if (node.opcode == Opcode::CallFunction && !isOperator(node.target) && !isPlainBuiltin(node.target) &&
        !isKnownFunction(node.target) && !isFunctionOfTorch(node.target))
        return takeAll();
    return writtenInputs(node);
}

bool Effects::givesNewMemory(const Node& node) const {
    if (node.opcode == Opcode::CallModule) {
        const Module* module = calledModule(m_model, m_module, node);
        return module && !factsOf(*module).sharesMemory && !module->graph && !hasHooks(*module) &&
               !isTrue(module->value("inplace"));
    }
    if (node.opcode != Opcode::CallFunction && node.opcode != Opcode::CallMethod)
        return node.opcode != Opcode::Output;
    // Sizes and numbers have no memory that anyone writes into.
    const std::string& name = node.target.name();
    if (node.opcode == Opcode::CallMethod && (name == "size" || name == "dim" || name == "numel"))
        return true;
    const auto [at, isNew] = m_newMemory[node.opcode == Opcode::CallMethod].try_emplace(node.target);
    if (isNew)
        at->second = !mayShareMemory(node);
    return at->second;
}

bool Effects::isPure(const Node& node) const {
    switch (node.opcode) {
    case Opcode::Placeholder:
    case Opcode::Output:
        return false;
    case Opcode::GetAttr:
        return true;
    case Opcode::CallModule: {
        const Module* module = calledModule(m_model, m_module, node);
        return module && isPureModule(*module) && !isImpure(m_model, m_module, node);
    }
    case Opcode::CallMethod: {
        const auto [at, isNew] = m_pure[1].try_emplace(node.target);
        if (isNew)
            at->second = m_model.sources().empty() && isPureMethod(node.target.name());
        return at->second && writtenInputs(node).empty();
    }
    case Opcode::CallFunction:
        return isPureFunction(node) && writtenInputs(node).empty() && !isImpure(m_model, m_module, node);
    }
    return false;
}

bool Effects::isPureFunction(const Node& node) const {
    if (isOperator(node.target))
        return m_model.sources().empty();
    if (isPlainBuiltin(node.target))
        return m_model.sources().empty();
    const std::string_view name = functionOfTorch(node);
    if (node.target.isHigherOrder() || mayDrawInPython(node, name))
        return false;
    const auto [at, isNew] = m_pure[0].try_emplace(node.target);
    if (isNew)
        at->second = isPureTarget(node.target);
    return at->second;
}

bool Effects::isPureModule(const Module& module) const {
    if (module.graph || hasHooks(module) || isTrue(module.value("inplace")) || !module.children.empty())
        return false;
    const ModuleFacts facts = factsOf(module);
    return !facts.drawsRandom && !facts.keepsState;
}

} // namespace fx
