// SPDX-License-Identifier: GPL-3.0-or-later
// The checks of lint. Ownership and opcodes cannot be wrong here: ids and the enum rule that out.
#include "core/module/lint.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/ir/graph_text.h"

#include <bit>

namespace fx {

namespace {

/// Why a get_attr or call_module target leads nowhere; empty if it leads somewhere.
std::string targetFault(const Model& model, ModuleId module, const Node& node) {
    const auto where = [&] { return "Node " + node.name + " target " + node.target.name() + ' '; };
    std::string seen;
    for (std::string_view atom : split(node.target.name(), '.')) {
        const std::string path = seen.empty() ? std::string(atom) : seen + '.' + std::string(atom);
        const Attribute found = model.resolve(module, path);
        const NamedTensor* entry = nullptr;
        if (const ModuleId owner = model.resolve(module, seen).module)
            entry = model.module(owner).tensor(atom);
        const bool isNone = entry && !entry->tensor;
        if (!found || isNone)
            return where() + "references nonexistent attribute " + std::string(atom) + " of " + seen;
        if (node.opcode == Opcode::CallModule && !found.module)
            return where() + std::string(atom) + " of " + seen + " does not reference an nn.Module";
        seen = path;
    }
    return {};
}

} // namespace

namespace {

/// The names met so far: a hash table in one piece, for a graph has many.
class NamesMet {
public:
    explicit NamesMet(const Graph& graph) : m_graph(graph), m_slots(std::bit_ceil(2 * graph.size() + 1)) {}

    /// False where another node met has the name.
    bool insert(const Node& node) {
        const size_t hash = std::hash<std::string>()(node.name);
        for (size_t i = hash;; ++i) {
            Slot& slot = m_slots[i & (m_slots.size() - 1)];
            if (!slot.node) {
                slot = {node.id, static_cast<uint32_t>(hash >> 32)};
                return true;
            }
            if (slot.hash == static_cast<uint32_t>(hash >> 32) && m_graph.node(slot.node).name == node.name)
                return false;
        }
    }

private:
    struct Slot {
        NodeId node;
        uint32_t hash = 0;
    };
    const Graph& m_graph;
    std::vector<Slot> m_slots;
};

} // namespace

std::vector<LintFault> lint(const Model& model, ModuleId module) {
    const Graph& graph = model.graph(module);
    std::vector<LintFault> faults;
    std::vector<bool> isDefined(static_cast<size_t>(graph.nextId().value));
    NamesMet names(graph);
    std::vector<NodeId> withPaths;
    for (const Node& node : graph) {
        for (const InputUse& use : node.inputs) {
            if (isDefined[static_cast<size_t>(use.node.value)])
                continue;
            const std::string argument =
                "Argument '" + graph.node(use.node).name + "' of Node '" + node.name + "' ";
            faults.push_back({node.id, argument +
                                           "was used before it has been defined! Please check that Nodes in "
                                           "the graph are topologically ordered\n" +
                                           graphText(graph)});
        }
        isDefined[static_cast<size_t>(node.id.value)] = true;
        if (!names.insert(node))
            faults.push_back({node.id, "Node redefined name " + node.name + '!'});
        if (node.opcode == Opcode::GetAttr || node.opcode == Opcode::CallModule)
            withPaths.push_back(node.id);
    }
    for (NodeId id : withPaths)
        if (std::string fault = targetFault(model, module, graph.node(id)); !fault.empty())
            faults.push_back({id, std::move(fault)});
    return faults;
}

void requireSound(const Model& model, ModuleId module) {
    const std::vector<LintFault> faults = lint(model, module);
    if (!faults.empty())
        throw Error("node '" + model.graph(module).node(faults[0].node).name + "'", faults[0].message);
}

} // namespace fx
