// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/first_difference.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/compare/compare_text.h"
#include "core/compare/reference_file.h"

#include <unordered_map>

namespace fx {

namespace {

class DifferenceFinder {
public:
    DifferenceFinder(const Graph& graph, const ReferenceFile& reference,
                     const std::function<const Value*(NodeId)>& valueOf)
        : m_graph(graph) {
        for (const Node& node : graph)
            if (const Value* then = reference.find(node.id))
                if (const Value* now = valueOf(node.id))
                    m_differences.emplace(node.id, differenceOf(*then, *now));
    }

    const ValueDifference* find(NodeId node) const {
        const auto found = m_differences.find(node);
        return found == m_differences.end() ? nullptr : &found->second;
    }

    /// Nodes that differ, or that are not known of and read such a node. `isExact`: rounding counts, too.
    std::set<NodeId> differing(bool isExact) const {
        std::set<NodeId> out;
        for (const Node& node : m_graph) {
            const ValueDifference* known = find(node.id);
            const bool differs = known ? isExact ? !known->isEqual() : known->neededTolerance() > known->usual
                                       : std::ranges::any_of(node.inputs, [&](const InputUse& use) {
                                             return out.contains(use.node);
                                         });
            if (differs)
                out.insert(node.id);
        }
        return out;
    }

private:
    const Graph& m_graph;
    std::unordered_map<NodeId, ValueDifference> m_differences;
};

} // namespace

Origin firstDifference(const FindOrigin& request, const Model& model,
                       const std::function<const Value*(NodeRef)>& valueOf) {
    const Graph& graph = model.graph();
    const NodeId node = request.node.node;
    if (request.node.module != model.root())
        throw Error("", "a saved run has the values of the model's own graph alone");
    const ReferenceFile reference = readReference(request.reference, model);
    const DifferenceFinder finder(graph, reference, [&](NodeId id) { return valueOf({model.root(), id}); });
    const std::string& name = graph.node(node).name;
    if (!finder.find(node))
        throw Error("", valueOf(request.node) ? request.reference + " has no value of " + name
                                              : name + " has no value in this run");
    bool isExact = false;
    std::set<NodeId> differing = finder.differing(isExact);
    if (!differing.contains(node))
        differing = finder.differing(isExact = true);
    if (!differing.contains(node))
        throw Error("", name + " is the same as in " + request.reference);
    Origin out;
    out.path = wayBack(model, request.node, [&](NodeRef at) { return differing.contains(at.node); });
    const NodeId first = out.path.back().node;
    out.text = graph.node(first).name + " is the first that differs from " + request.reference + ": " +
               differenceText(*finder.find(first)) + (isExact ? "; that is what rounding may do" : "") +
               wayText(model, out.path);
    return out;
}

} // namespace fx
