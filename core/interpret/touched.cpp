// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/touched.h"

#include "core/interpret/call_effects.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <string>
#include <vector>

namespace fx {

namespace {

struct TouchedReader {
    const Model& model;
    ModuleId module;
    Touched& out;
    EffectsFinder& effects;

    void touch(NodeId node) const {
        if (model.graph(module).contains(node))
            out.nodes.insert({module, node});
    }
    /// What writes is felt by whoever reads the same, wherever it stands. Of a node that is erased the graph
    /// has no arguments any more.
    void feel(NodeId node, const auto& arguments) const {
        Node call = model.graph(module).node(node);
        call.args = arguments.args;
        call.kwargs = arguments.kwargs;
        call.inputs = arguments.inputs;
        out.isAll |= effects.of(module, call).any();
    }
    void feel(NodeId node, const CalleeChanged::State& callee) const {
        Node call = model.graph(module).node(node);
        call.opcode = callee.opcode;
        call.target = callee.target;
        out.isAll |= effects.of(module, call).any();
    }
    void feel(NodeId node) const { out.isAll |= effects.of(module, model.graph(module).node(node)).any(); }

    void operator()(const NodeCreated& step) const {
        feel(step.node, step.arguments);
        touch(step.node);
    }
    void operator()(const NodeErased& step) const { feel(step.node, step.arguments); }
    void operator()(const NodeMoved& step) const { feel(step.node); }
    void operator()(const ArgumentsChanged& step) const {
        feel(step.node, step.before);
        feel(step.node, step.after);
        touch(step.node);
    }
    void operator()(const CalleeChanged& step) const {
        feel(step.node, step.before);
        feel(step.node, step.after);
        touch(step.node);
    }
    void operator()(const NodeRenamed&) const {}
    void operator()(const TypeChanged&) const {}
    void operator()(const MetaChanged&) const {}
    void operator()(const SignatureChanged&) const {}
};

/// Entries of modules that are others now: weights, attributes, submodules.
class ReplacedEntries {
public:
    explicit ReplacedEntries(const Model& model) : m_model(model) {}

    bool isEmpty() const { return m_entries.empty(); }

    /// False where the change is not of one entry.
    bool add(ModuleId module, const ModuleChange& change) {
        return std::visit(
            [&](const auto& step) {
                if constexpr (requires { step.index; }) {
                    if (step.before && step.after) // what comes is called by new nodes, what goes by none
                        for (const auto& entry : {step.before, step.after})
                            m_entries.insert({module, entry->name});
                    return true;
                } else {
                    return false;
                }
            },
            change);
    }

    /// Whether the path leads through one of them, or to a module with one below it.
    bool isRead(ModuleId from, std::string_view path) {
        ModuleId at = from;
        for (const auto part : std::views::split(path, '.')) {
            const std::string name(part.begin(), part.end());
            if (m_entries.contains({at, name}))
                return true;
            at = m_model.module(at).child(name);
            if (!at)
                return false;
        }
        return isWithin(at);
    }

private:
    bool isWithin(ModuleId module) {
        if (const auto known = m_isWithin.find(module); known != m_isWithin.end())
            return known->second;
        const auto first = m_entries.lower_bound({module, ""});
        bool& found = m_isWithin[module] = first != m_entries.end() && first->first == module;
        for (const NamedModule& child : m_model.module(module).children)
            found = found || isWithin(child.module);
        return found;
    }

    const Model& m_model;
    std::set<std::pair<ModuleId, std::string>> m_entries;
    std::map<ModuleId, bool> m_isWithin; ///< by module
};

void touchReaders(ReplacedEntries& replaced, const Model& model, Touched& out) {
    model.forEachModule(model.root(), [&](ModuleId id, const std::string&) {
        if (!model.module(id).graph)
            return;
        for (const Node& node : model.graph(id))
            if ((node.opcode == Opcode::CallModule || node.opcode == Opcode::GetAttr) &&
                replaced.isRead(id, node.target.name()))
                out.nodes.insert({id, node.id});
    });
}

/// The nodes of other graphs that call that one, or hand it on.
std::vector<NodeRef> callersOf(const Model& model, ModuleId called) {
    std::vector<NodeRef> out;
    model.forEachModule(model.root(), [&](ModuleId id, const std::string&) {
        if (!model.module(id).graph)
            return;
        for (const Node& node : model.graph(id))
            if ((node.opcode == Opcode::CallModule || node.opcode == Opcode::GetAttr) &&
                model.resolve(id, node.target.name()).module == called)
                out.push_back({id, node.id});
    });
    return out;
}

} // namespace

bool changesNoValue(const Changes& changes) {
    return std::ranges::all_of(changes, [](const Change& change) {
        const auto* step = std::get_if<GraphChange>(&change.step);
        return step && (std::get_if<NodeRenamed>(step) || std::get_if<TypeChanged>(step) ||
                        std::get_if<MetaChanged>(step));
    });
}

Touched touchedBy(const Changes& changes, const Model& model) {
    Touched out;
    EffectsFinder effects(model);
    ReplacedEntries replaced(model);
    for (const Change& change : changes) {
        if (const auto* step = std::get_if<GraphChange>(&change.step))
            std::visit(TouchedReader{model, change.module, out, effects}, *step);
        else
            out.isAll |= !replaced.add(change.module, std::get<ModuleChange>(change.step));
    }
    if (!replaced.isEmpty())
        touchReaders(replaced, model, out);
    return out;
}

std::set<NodeRef> dependentsOf(const Model& model, const std::set<NodeRef>& nodes) {
    std::set<NodeRef> out;
    std::vector<NodeRef> open(nodes.begin(), nodes.end());
    std::set<ModuleId> called;
    while (!open.empty()) {
        const NodeRef at = open.back();
        open.pop_back();
        const Graph& graph = model.graph(at.module);
        if (!graph.contains(at.node) || !out.insert(at).second)
            continue;
        for (const NodeId user : graph.node(at.node).users)
            open.push_back({at.module, user});
        if (at.module != model.root() && called.insert(at.module).second)
            for (const NodeRef caller : callersOf(model, at.module))
                open.push_back(caller);
    }
    return out;
}

} // namespace fx
