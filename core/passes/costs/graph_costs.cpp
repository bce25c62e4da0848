// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/costs/graph_costs.h"

#include "core/capture/dispatch_mode.h"
#include "core/interpret/interpreter.h"
#include "core/module/scopes.h"
#include "core/passes/costs/live_memory.h"
#include "core/torch/bind/data_stand_ins.h"

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>
#include <set>

namespace fx {

namespace {

/// Counts what is called while a node runs.
class CostObserver : public Observer {
public:
    CostObserver(const Model& model, Progress& progress) : m_progress(progress) {
        m_costs.nodes.reserve(model.graph().size());
        for (const Node& node : model.graph()) {
            m_indexOf[node.id] = m_costs.nodes.size();
            m_costs.nodes.push_back({.node = node.id});
        }
    }

    void beforeNode(Interpreter& interpreter, const Node& node) override {
        if (interpreter.parent())
            return;
        m_current = &m_costs.nodes[m_indexOf.at(node.id)];
        m_progress.step(static_cast<double>(m_indexOf.at(node.id)) /
                            static_cast<double>(m_costs.nodes.size()),
                        node.name);
    }

    void afterNode(const Interpreter& interpreter, const Node& node, const Value& value) override {
        const bool isRoot = !interpreter.parent();
        if (isRoot && node.opcode == Opcode::Placeholder) {
            const uint64_t before = m_memory.keptBytes();
            m_memory.keep(value);
            m_costs.inputBytes += m_memory.keptBytes() - before;
        } else if (node.opcode == Opcode::GetAttr) {
            m_memory.keep(value);
        }
        const uint64_t fresh = m_memory.add(interpreter.module(), node.id, value);
        if (m_memory.bytes() > m_costs.peakBytes) {
            m_costs.peakBytes = m_memory.bytes();
            m_costs.peakNode = m_current->node;
        }
        if (isRoot) {
            m_current->liveBytes = m_memory.bytes();
            m_current->ownBytes = fresh;
            m_current->valueBytes = tensorBytes(value);
            m_current->hasRun = true;
        }
        for (const NodeId released : releasesOf(interpreter, node.id))
            m_memory.release(interpreter.module(), released);
    }

    void called(const c10::OperatorHandle& op, at::ArrayRef<c10::IValue> args,
                at::ArrayRef<c10::IValue> results) {
        if (!m_current)
            return;
        OperatorCost cost = costOf(op, args, results);
        if (cost.flops == 0 && cost.traffic().total() == 0)
            return;
        m_current->flops += cost.flops;
        m_current->traffic += cost.traffic();
        m_current->operators.push_back(std::move(cost));
    }

    GraphCosts take() { return std::move(m_costs); }

private:
    std::span<const NodeId> releasesOf(const Interpreter& interpreter, NodeId node) {
        const Program& program = interpreter.context().programs.program(interpreter.module());
        auto& places = m_places[interpreter.module()];
        if (places.empty())
            for (size_t i = 0; i < program.instructions().size(); ++i)
                places.emplace(program.instructions()[i].node, i);
        return program.instructions()[places.at(node)].releases;
    }

    Progress& m_progress;
    GraphCosts m_costs;
    std::unordered_map<NodeId, size_t> m_indexOf;
    std::map<ModuleId, std::unordered_map<NodeId, size_t>> m_places;
    LiveMemory m_memory;
    NodeCost* m_current = nullptr;
};

/// The kernels for attention of processors and of CUDA leave the heads of a place side by side, so that what
/// puts them together is a view; on meta it is worked out by products.
void layOutByHeads(c10::IValue& result, double dropout) {
    const at::Tensor& tensor = result.toTensor();
    if (tensor.dim() == 4 && dropout == 0)
        result = at::empty({tensor.size(0), tensor.size(2), tensor.size(1), tensor.size(3)}, tensor.options())
                     .transpose(1, 2);
}

/// As PyTorch's counter does it: what is only a composite of others is left to them.
DispatchMode::Dispatch watching(CostObserver& observer) {
    return [&observer](const c10::OperatorHandle& op, torch::jit::Stack& stack) {
        if (!isCountedWhole(op) && op.hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd)) {
            const DispatchMode again(watching(observer));
            op.callBoxedForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd, stack);
            return;
        }
        const size_t count = op.schema().arguments().size(), results = op.schema().returns().size();
        const std::vector<c10::IValue> args = torch::jit::last(stack, count).vec();
        op.callBoxed(stack);
        if (op.schema().name() == "aten::scaled_dot_product_attention")
            layOutByHeads(stack.back(), args[4].toDouble());
        observer.called(op, args, torch::jit::last(stack, results));
    };
}

void addParameters(const Model& model, ModuleId id, std::vector<TensorId>& out) {
    model.forEachModule(id, [&](ModuleId module, const std::string&) {
        for (const NamedTensor& entry : model.module(module).tensors)
            if (entry.role == TensorRole::Parameter && entry.tensor)
                out.push_back(entry.tensor);
    });
}

std::vector<TensorId> parametersOf(const Model& model, const Node& node) {
    std::vector<TensorId> out;
    if (node.opcode != Opcode::GetAttr && node.opcode != Opcode::CallModule)
        return out;
    const Attribute found = model.resolve(model.root(), node.target.name());
    if (found.tensor && found.role == TensorRole::Parameter)
        out.push_back(found.tensor);
    if (found.module)
        addParameters(model, found.module, out);
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

/// Sums over the nodes in each scope; a parameter that several of them read counts once.
class ScopeSums {
public:
    ScopeSums(const Model& model, GraphCosts& costs) : m_model(model), m_costs(costs), m_tree(model.graph()) {
        for (size_t i = 0; i < costs.nodes.size(); ++i)
            m_indexOf[costs.nodes[i].node] = i;
        sum(0, 0);
    }

private:
    std::set<TensorId> sum(int index, size_t depth) {
        const Scope& scope = m_tree.scope(index);
        const size_t at = m_costs.scopes.size();
        m_costs.scopes.push_back({.path = scope.path, .type = scope.type, .depth = depth});
        ScopeCost out = m_costs.scopes.back();
        std::set<TensorId> parameters;
        for (const NodeId node : scope.nodes) {
            const NodeCost& cost = m_costs.nodes[m_indexOf.at(node)];
            out.members.push_back(node);
            out.flops += cost.flops;
            out.traffic += cost.traffic;
            out.peakBytes = std::max(out.peakBytes, cost.liveBytes);
            parameters.insert(cost.parameters.begin(), cost.parameters.end());
        }
        for (const int child : scope.children) {
            const size_t childAt = m_costs.scopes.size();
            const std::set<TensorId> more = sum(child, depth + 1);
            const ScopeCost& inner = m_costs.scopes[childAt];
            out.flops += inner.flops;
            out.traffic += inner.traffic;
            out.peakBytes = std::max(out.peakBytes, inner.peakBytes);
            out.members.insert(out.members.end(), inner.members.begin(), inner.members.end());
            parameters.insert(more.begin(), more.end());
        }
        out.nodes = out.members.size();
        for (const TensorId id : parameters) {
            out.parameters += m_model.tensor(id).elementCount();
            out.parameterBytes += m_model.tensor(id).byteCount();
        }
        m_costs.scopes[at] = std::move(out);
        return parameters;
    }

    const Model& m_model;
    GraphCosts& m_costs;
    ScopeTree m_tree;
    std::unordered_map<NodeId, size_t> m_indexOf;
};

} // namespace

GraphCosts analyzeCosts(const Model& model, GraphInputs inputs, Progress& progress) {
    RunSettings settings;
    settings.device = c10::Device(c10::kMeta);
    CostObserver observer(model, progress);
    const auto context = std::make_shared<RunContext>(model, settings);
    context->observers.push_back(&observer);
    Interpreter interpreter(context, model.root());
    DataStandIns data(0);
    {
        const DispatchMode mode(watching(observer));
        interpreter.run(std::move(inputs));
    }
    GraphCosts costs = observer.take();
    costs.dependsOnData = data.wasAsked();
    for (NodeCost& cost : costs.nodes)
        cost.parameters = parametersOf(model, model.graph().node(cost.node));
    std::vector<TensorId> all;
    addParameters(model, model.root(), all);
    for (const TensorId id : std::set<TensorId>(all.begin(), all.end())) {
        costs.parameterSizes[id] = model.tensor(id).elementCount();
        costs.parameterCount += model.tensor(id).elementCount();
        costs.parameterBytes += model.tensor(id).byteCount();
    }
    ScopeSums(model, costs);
    return costs;
}

} // namespace fx
