// SPDX-License-Identifier: GPL-3.0-or-later
// Each change is checked against the model as it then stands, both sides of it, and done.
#include "core/module/follow.h"

#include "core/base/error.h"
#include "core/base/overloaded.h"
#include "core/ir/graph_content.h"

#include <algorithm>
#include <map>

namespace fx {

namespace {

/// Ids that failed edits may have used up between two changes.
constexpr int32_t kMostHoles = 1'000'000;
constexpr int kDeepestModule = 500;

void require(bool condition, const char* what) {
    if (!condition)
        throw Error("", std::string("a change does not fit the model: ") + what);
}

bool isSame(const InputUses& a, const InputUses& b) {
    return std::ranges::equal(a, b, [](const InputUse& left, const InputUse& right) {
        return left.node == right.node && left.sequence == right.sequence;
    });
}

bool isSame(const NamedModule& a, const NamedModule& b) {
    return a.name == b.name && a.module == b.module;
}
bool isSame(const NamedTensor& a, const NamedTensor& b) {
    return a.name == b.name && a.tensor == b.tensor && a.role == b.role;
}
bool isSame(const NamedValue& a, const NamedValue& b) {
    return a.name == b.name;
}

/// Whether a step of a graph may be done, or undone.
class GraphStepCheck {
public:
    GraphStepCheck(const Graph& graph, bool isBackwards) : m_graph(graph), m_isBackwards(isBackwards) {}

    void operator()(const NodeCreated& step) const {
        requireReads(m_graph, step.arguments);
        for (const auto& [key, value] : step.meta.entries())
            requireKnown(m_graph, value);
        if (m_isBackwards) {
            requireAt(step.node, step.before);
            requireNow(step.node, step.arguments);
            require(m_graph.node(step.node).users.empty(), "a node that goes has users");
            require(m_graph.node(step.node).name == step.grant.name &&
                        m_graph.names().canGiveBack(step.grant),
                    "a name was not given so");
            return;
        }
        const int32_t next = m_graph.nextId().value;
        require(step.node && step.node.value - next < kMostHoles, "it makes a node of that id");
        require(step.node.value >= next || m_graph.node(step.node).isErased, "the node is there already");
        requirePlace(step.before);
        requireFree(step.node, step.arguments);
        require(m_graph.names().canTake(step.grant), "a name cannot be given so");
    }
    void operator()(const NodeErased& step) const {
        requireReads(m_graph, step.arguments);
        if (m_isBackwards) {
            require(m_graph.knows(step.node) && m_graph.node(step.node).isErased,
                    "the node is there already");
            requirePlace(step.before);
            return requireFree(step.node, step.arguments);
        }
        requireAt(step.node, step.before);
        requireNow(step.node, step.arguments);
        require(m_graph.node(step.node).users.empty(), "a node that goes has users");
    }
    void operator()(const NodeMoved& step) const {
        requireAt(step.node, m_isBackwards ? step.to : step.from);
        requirePlace(m_isBackwards ? step.from : step.to);
        require(step.node != step.from && step.node != step.to, "a node stands before itself");
    }
    void operator()(const ArgumentsChanged& step) const {
        requireMember(step.node);
        requireReads(m_graph, step.before);
        requireReads(m_graph, step.after);
        requireNow(step.node, m_isBackwards ? step.after : step.before);
        requireFree(step.node, m_isBackwards ? step.before : step.after);
    }
    void operator()(const NodeRenamed& step) const {
        requireMember(step.node);
        require(m_graph.node(step.node).name == (m_isBackwards ? step.after : step.before),
                "a name is another");
        if (!step.grant)
            return;
        const NameTable& names = m_graph.names();
        require(step.grant->name == step.after &&
                    (m_isBackwards ? names.canGiveBack(*step.grant) : names.canTake(*step.grant)),
                "a name was not given so");
    }
    void operator()(const CalleeChanged& step) const { requireMember(step.node); }
    void operator()(const TypeChanged& step) const { requireMember(step.node); }
    void operator()(const MetaChanged& step) const {
        requireMember(step.node);
        for (const SharedMeta& value : {step.before, step.after})
            if (value)
                requireKnown(m_graph, value);
    }
    void operator()(const SignatureChanged&) const {}

private:
    void requireMember(NodeId node) const { require(m_graph.contains(node), "a node is not there"); }
    void requirePlace(NodeId before) const {
        require(!before || m_graph.contains(before), "the node to stand before is not there");
    }
    void requireAt(NodeId node, NodeId before) const {
        requireMember(node);
        require(m_graph.node(node).next == before, "a node stands elsewhere");
    }
    void requireNow(NodeId node, const CallArguments& arguments) const {
        require(isSame(m_graph.node(node).inputs, arguments.inputs), "a node reads others");
    }
    /// The places among the users of its inputs are free, or the node's own.
    void requireFree(NodeId node, const CallArguments& arguments) const {
        for (const InputUse& use : arguments.inputs) {
            const NodeId user = m_graph.node(use.node).users.at(use.sequence);
            require(!user || user == node, "a place among the users of a node is taken");
            require(use.sequence < (uint32_t(1) << 31), "a place among the users of a node is too high");
        }
    }

    const Graph& m_graph;
    bool m_isBackwards;
};

const std::vector<NamedModule>& entriesOf(const Module& module, const ChildChanged&) {
    return module.children;
}
const std::vector<NamedTensor>& entriesOf(const Module& module, const TensorChanged&) {
    return module.tensors;
}
const std::vector<NamedValue>& entriesOf(const Module& module, const ValueChanged&) {
    return module.values;
}

} // namespace

/// Whoever may build a model from parts that others tell of.
class Follower {
public:
    explicit Follower(Model& model) : m_model(model) {}

    void follow(const ModelUpdate& update) {
        const ModelExtent before(m_model);
        add(update.modules, update.tensors);
        std::vector<const Change*> done;
        try {
            requireModules(before.modules);
            for (size_t i = 0; i < update.changes.size(); ++i) {
                const size_t index = update.isBackwards ? update.changes.size() - 1 - i : i;
                step(update.changes[index], update.isBackwards);
                done.push_back(&update.changes[index]);
            }
        } catch (const Error&) {
            for (auto change = done.rbegin(); change != done.rend(); ++change)
                update.isBackwards ? m_model.apply(**change) : m_model.revert(**change);
            while (m_model.moduleCount() > before.modules)
                m_model.m_modules.pop_back();
            while (m_model.tensorCount() > before.tensors)
                m_model.m_tensors.pop_back();
            throw;
        }
    }

    void fill(const std::vector<Module>& modules, const std::vector<TensorSlot>& tensors) {
        m_model.m_modules.clear();
        add(modules, tensors);
        require(!modules.empty() && modules[0].graph, "the root has no graph");
        requireModules(0);
    }

private:
    void add(const std::vector<Module>& modules, const std::vector<TensorSlot>& tensors) {
        for (const Module& module : modules) {
            Module& fresh = m_model.m_modules.emplace_back(module);
            fresh.id = ModuleId{static_cast<int32_t>(m_model.moduleCount()) - 1};
        }
        m_model.m_tensors.insert(m_model.m_tensors.end(), tensors.begin(), tensors.end());
    }

    void requireModules(size_t first) {
        std::map<ModuleId, int> state;
        for (size_t i = first; i < m_model.moduleCount(); ++i) {
            const Module& module = m_model.m_modules[i];
            for (const NamedModule& child : module.children)
                requireEntry(child);
            for (const NamedTensor& tensor : module.tensors)
                requireEntry(tensor);
            for (const NamedValue& value : module.values)
                requireEntry(value);
        }
        for (size_t i = first; i < m_model.moduleCount(); ++i)
            requireTree(m_model.m_modules[i].id, state, 0);
    }

    /// Modules may share children, but none may hold itself. `state`: 1 while it is walked, 2 when it is
    /// done.
    void requireTree(ModuleId id, std::map<ModuleId, int>& state, int depth) {
        int& own = state[id];
        if (own == 2)
            return;
        require(own == 0 && depth < kDeepestModule, "modules hold each other in a circle, or too deeply");
        own = 1;
        for (const NamedModule& child : m_model.module(id).children)
            requireTree(child.module, state, depth + 1);
        own = 2;
    }

    void requireEntry(const NamedModule& entry) {
        require(entry.module && size_t(entry.module.value) < m_model.moduleCount(), "a module is not there");
    }
    void requireEntry(const NamedTensor& entry) {
        require(!entry.tensor || size_t(entry.tensor.value) < m_model.tensorCount(), "a tensor is not there");
    }
    void requireEntry(const NamedValue& entry) {
        forEachNode(entry.value, [](NodeId) { require(false, "an attribute holds a node"); });
    }

    template <class Entry>
    void requireStep(const Module& module, const EntryChanged<Entry>& step, bool isBackwards) {
        const std::vector<Entry>& entries = entriesOf(module, step);
        const std::optional<Entry>&from = isBackwards ? step.after : step.before,
              &to = isBackwards ? step.before : step.after;
        require(from || to, "it changes nothing");
        require(from ? step.index < entries.size() && isSame(entries[step.index], *from)
                     : step.index <= entries.size(),
                "an attribute is another");
        if (from)
            requireEntry(*from);
        if (to)
            requireEntry(*to);
    }

    void step(const Change& change, bool isBackwards) {
        require(change.module && size_t(change.module.value) < m_model.moduleCount(),
                "a module is not there");
        const Module& module = m_model.module(change.module);
        if (const auto* graphStep = std::get_if<GraphChange>(&change.step)) {
            require(bool(module.graph), "a module has no graph");
            std::visit(GraphStepCheck(*module.graph, isBackwards), *graphStep);
        } else {
            std::visit(
                [&](const auto& step) {
                    if constexpr (std::is_same_v<std::decay_t<decltype(step)>, TrainingChanged>)
                        require(module.isTraining == (isBackwards ? step.after : step.before),
                                "a module is in the other mode");
                    else
                        requireStep(module, step, isBackwards);
                },
                std::get<ModuleChange>(change.step));
        }
        isBackwards ? m_model.revert(change) : m_model.apply(change);
        if (const auto* moduleStep = std::get_if<ModuleChange>(&change.step);
            moduleStep && std::holds_alternative<ChildChanged>(*moduleStep))
            try {
                std::map<ModuleId, int> state;
                requireTree(m_model.root(), state, 0);
                requireTree(change.module, state, 0);
            } catch (const Error&) {
                isBackwards ? m_model.apply(change) : m_model.revert(change);
                throw;
            }
    }

    Model& m_model;
};

Module moduleBefore(const Model& model, ModuleId id, const Changes& changes) {
    Module module = model.module(id);
    for (auto change = changes.rbegin(); change != changes.rend(); ++change)
        if (change->module == id)
            Model::revert(module, *change);
    return module;
}

ModelUpdate updateOf(const Model& after, const Changes& changes, bool isBackwards, const ModelExtent& known) {
    ModelUpdate update;
    for (size_t i = known.modules; i < after.moduleCount(); ++i) {
        const ModuleId id{static_cast<int32_t>(i)};
        // What was made before an undo has no part in what is undone.
        update.modules.push_back(isBackwards ? after.module(id) : moduleBefore(after, id, changes));
    }
    for (size_t i = known.tensors; i < after.tensorCount(); ++i)
        update.tensors.push_back(after.tensor(TensorId{static_cast<int32_t>(i)}));
    update.changes = changes;
    update.isBackwards = isBackwards;
    return update;
}

void follow(Model& model, const ModelUpdate& update) {
    Follower(model).follow(update);
}

Model modelOf(std::vector<Module> modules, std::vector<TensorSlot> tensors) {
    Model model;
    Follower(model).fill(modules, tensors);
    return model;
}

} // namespace fx
