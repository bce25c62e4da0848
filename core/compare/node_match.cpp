// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/node_match.h"

#include "core/base/error.h"
#include "core/io/json.h"
#include "core/ir/argument_text.h"
#include "core/passes/split/part_writer.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <unordered_map>

namespace fx {

namespace {

bool isSameCall(const Node& a, const Node& b) {
    return a.opcode == b.opcode && a.target == b.target;
}

/// Of two calls that are at the same place.
MatchKind kindOf(const Node& a, const Node& b) {
    return a.name == b.name ? MatchKind::Name : MatchKind::Structure;
}

/// The name of the node that this one was first of all made from: its own if nothing is known.
std::string originOf(const Node& node) {
    const auto* text = node.meta.find<std::string>(meta::kFromNode);
    if (!text)
        return node.name;
    try {
        const JsonDocument json(*text, node.name);
        std::string name = node.name;
        for (const Json* sources = &json.root(); !json.array(*sources).empty();) {
            const Json& source = json.array(*sources).back();
            name = json.string(json.member(source, "name"));
            const Json* further = json.find(source, "from_node");
            if (!further)
                break;
            sources = further;
        }
        return name;
    } catch (const Error&) { // text of a file, which means nothing to us then
        return node.name;
    }
}

class Matcher {
public:
    Matcher(const Graph& a, const Graph& b) : m_a(a), m_b(b) {}
    NodeMatch match(const PairingOptions& options);

private:
    bool isFreeA(NodeId id) const { return !m_ofA.contains(id) && !m_aloneA.contains(id); }
    bool isFreeB(NodeId id) const { return !m_ofB.contains(id) && !m_aloneB.contains(id); }
    void pair(NodeId a, NodeId b, MatchKind kind);
    void byHand(const std::vector<std::pair<std::string, std::string>>& pairs);
    void byId();
    void byParts();
    void byProvenance();
    void inputsAndOutput();
    void weights();
    void movedWeights();
    void bySameComputation();
    void byName(bool needsSameCall);
    void byPlace(bool needsSameCall);
    void pairInputs(const NodePair& users, bool needsSameCall);
    using Computations = std::map<std::string, std::vector<NodeId>>;
    Computations computations(const Graph& graph) const;
    NodeId takenPlace(const NodePair& pair) const;
    NodeMatch finished();

    const Graph &m_a, &m_b;
    std::unordered_map<NodeId, NodePair> m_ofB;
    std::unordered_map<NodeId, NodeId> m_ofA;
    std::set<NodeId> m_aloneA, m_aloneB;
};

void Matcher::pair(NodeId a, NodeId b, MatchKind kind) {
    if (!isFreeA(a) || !isFreeB(b))
        return;
    m_ofA.emplace(a, b);
    m_ofB.emplace(b, NodePair{a, b, kind});
}

void Matcher::byHand(const std::vector<std::pair<std::string, std::string>>& pairs) {
    const auto named = [](const Graph& graph, const std::string& name) {
        const NodeId id = graph.find(name);
        if (!id && !name.empty())
            throw Error("a pair by hand", "there is no node '" + name + "'");
        return id;
    };
    for (const auto& [nameA, nameB] : pairs) {
        const NodeId a = named(m_a, nameA), b = named(m_b, nameB);
        if (a && b)
            pair(a, b, MatchKind::Hand);
        else if (a)
            m_aloneA.insert(a);
        else if (b)
            m_aloneB.insert(b);
    }
}

void Matcher::byId() {
    for (const Node& node : m_b)
        if (m_a.contains(node.id))
            pair(node.id, node.id, MatchKind::Id);
}

/// What a part of a split graph gives is what a node gave.
void Matcher::byParts() {
    for (const Node& node : m_b)
        if (const auto* name = node.meta.find<std::string>(meta::kGivenFor))
            if (const NodeId a = m_a.find(*name))
                pair(a, node.id, MatchKind::Provenance);
    for (const Node& node : m_a)
        if (const auto* name = node.meta.find<std::string>(meta::kGivenFor))
            if (const NodeId b = m_b.find(*name))
                pair(node.id, b, MatchKind::Provenance);
}

/// One node may have become several: the last of them gives what it gave.
void Matcher::byProvenance() {
    const auto origins = [](const Graph& graph, bool& isKnown) {
        std::unordered_map<std::string, NodeId> out;
        for (const Node& node : graph)
            if (isCallNode(node)) {
                isKnown |= node.meta.find<std::string>(meta::kFromNode) != nullptr;
                out[originOf(node)] = node.id;
            }
        return out;
    };
    bool isKnown = false;
    const auto ofA = origins(m_a, isKnown), ofB = origins(m_b, isKnown);
    if (!isKnown)
        return; // then origins are names
    for (const auto& [name, b] : ofB)
        if (const auto a = ofA.find(name); a != ofA.end())
            pair(a->second, b, MatchKind::Provenance);
}

void Matcher::inputsAndOutput() {
    const auto of = [](const Graph& graph) { return graph.findNodes(Opcode::Placeholder); };
    const std::vector<NodeId> inputsA = of(m_a), inputsB = of(m_b);
    for (const NodeId b : inputsB)
        for (const NodeId a : inputsA)
            if (m_a.node(a).target == m_b.node(b).target)
                pair(a, b, MatchKind::Name);
    for (size_t i = 0; inputsA.size() == inputsB.size() && i < inputsA.size(); ++i)
        pair(inputsA[i], inputsB[i], MatchKind::Structure);
    if (m_a.outputNode() && m_b.outputNode())
        pair(m_a.outputNode(), m_b.outputNode(), MatchKind::Name);
}

/// A weight is known by its path.
void Matcher::weights() {
    std::unordered_map<std::string, std::deque<NodeId>> ofA;
    for (const NodeId a : m_a.findNodes(Opcode::GetAttr))
        ofA[m_a.node(a).target.name()].push_back(a);
    for (const NodeId b : m_b.findNodes(Opcode::GetAttr)) {
        std::deque<NodeId>& found = ofA[m_b.node(b).target.name()];
        while (isFreeB(b) && !found.empty()) {
            pair(found.front(), b, MatchKind::Name);
            found.pop_front();
        }
    }
}

/// Those whose path is another now, as their module was renamed: what two calls of the same read at one
/// place, and what nobody reads by the node's name.
void Matcher::movedWeights() {
    for (const Node& b : m_b) {
        const auto found = m_ofB.find(b.id);
        if (found == m_ofB.end())
            continue;
        const Node& a = m_a.node(found->second.a);
        if (!isSameCall(a, b) || a.inputs.size() != b.inputs.size())
            continue;
        for (size_t i = 0; i < a.inputs.size(); ++i) {
            const NodeId inA = a.inputs[i].node, inB = b.inputs[i].node;
            if (m_a.node(inA).opcode == Opcode::GetAttr && m_b.node(inB).opcode == Opcode::GetAttr)
                pair(inA, inB, MatchKind::Structure); // where both are free
        }
    }
    for (const NodeId b : m_b.findNodes(Opcode::GetAttr))
        if (const NodeId a = m_a.find(m_b.node(b).name); a && m_a.node(a).opcode == Opcode::GetAttr)
            pair(a, b, MatchKind::Name);
}

/// The free calls of a graph by a text that is the same for two nodes of the two graphs if they call the same
/// with the same: values that are pairs already are named by the second graph's node.
Matcher::Computations Matcher::computations(const Graph& graph) const {
    const bool isB = &graph == &m_b;
    const auto partnerOf = [&](NodeId id) {
        const auto found = m_ofA.find(id);
        return isB ? (m_ofB.contains(id) ? id : NodeId()) : found == m_ofA.end() ? NodeId() : found->second;
    };
    std::unordered_map<NodeId, std::string> of;
    const auto nameOf = [&](NodeId id) { return of[id]; };
    Computations out;
    for (const Node& node : graph) {
        if (const NodeId known = partnerOf(node.id)) {
            of[node.id] = '#' + std::to_string(known.value);
            continue;
        }
        if (!isCallNode(node)) { // another's input or weight: like nothing
            of[node.id] = (isB ? "b" : "a") + std::to_string(node.id.value);
            continue;
        }
        // Its hash, as a text of texts would grow with the depth of the graph.
        of[node.id] = std::to_string(std::hash<std::string>()(
            std::to_string(static_cast<int>(node.opcode)) + ' ' + node.target.name() + '(' +
            formatText(node.args, nameOf) + "; " + formatText(node.kwargs, nameOf) + ')'));
        if (isB ? isFreeB(node.id) : isFreeA(node.id))
            out[of[node.id]].push_back(node.id);
    }
    return out;
}

/// Calls of the same with values that are the same, from the inputs on: where there are several, those of the
/// same name first, then in order.
void Matcher::bySameComputation() {
    Computations ofA = computations(m_a);
    for (auto& [text, inB] : computations(m_b)) {
        std::vector<NodeId>& inA = ofA[text];
        for (const NodeId b : inB)
            if (const NodeId a = m_a.find(m_b.node(b).name); a && std::ranges::find(inA, a) != inA.end())
                pair(a, b, MatchKind::Name);
        std::erase_if(inA, [&](NodeId id) { return !isFreeA(id); });
        std::erase_if(inB, [&](NodeId id) { return !isFreeB(id); });
        for (size_t i = 0; i < inA.size() && i < inB.size(); ++i)
            pair(inA[i], inB[i], MatchKind::Structure);
    }
}

void Matcher::byName(bool needsSameCall) {
    for (const Node& b : m_b) {
        const NodeId id = m_a.find(b.name);
        if (!id || !isCallNode(b) || !isCallNode(m_a.node(id)))
            continue;
        if (!needsSameCall || isSameCall(m_a.node(id), b))
            pair(id, b.id, MatchKind::Name);
    }
}

/// What two calls of the same, or both results, read at the same place.
void Matcher::pairInputs(const NodePair& users, bool needsSameCall) {
    const Node &a = m_a.node(users.a), &b = m_b.node(users.b);
    if (!isSameCall(a, b))
        return;
    std::vector<NodeId> inputsA, inputsB;
    forEachNode(a.args, a.kwargs, [&](NodeId id) { inputsA.push_back(id); });
    forEachNode(b.args, b.kwargs, [&](NodeId id) { inputsB.push_back(id); });
    if (inputsA.size() != inputsB.size())
        return;
    for (size_t i = 0; i < inputsA.size(); ++i) {
        const Node &inputA = m_a.node(inputsA[i]), &inputB = m_b.node(inputsB[i]);
        if (isCallNode(inputA) && isCallNode(inputB) && (!needsSameCall || isSameCall(inputA, inputB)))
            pair(inputA.id, inputB.id, inputA.name == inputB.name ? MatchKind::Name : MatchKind::Structure);
    }
}

void Matcher::byPlace(bool needsSameCall) {
    // From the inputs: calls of the same, all of whose nodes are pairs, though numbers beside them differ.
    std::unordered_map<NodeId, std::vector<NodeId>> readersOfA;
    for (const Node& a : m_a)
        if (isCallNode(a) && isFreeA(a.id) && !a.inputs.empty())
            readersOfA[a.inputs[0].node].push_back(a.id);
    for (const Node& b : m_b) {
        if (!isCallNode(b) || !isFreeB(b.id) || b.inputs.empty())
            continue;
        const auto first = m_ofB.find(b.inputs[0].node);
        if (first == m_ofB.end())
            continue;
        const auto isAlike = [&](NodeId id) {
            const Node& a = m_a.node(id);
            return isFreeA(id) && isSameCall(a, b) &&
                   std::ranges::equal(a.inputs, b.inputs,
                                      [&](const InputUse& inputA, const InputUse& inputB) {
                                          const auto found = m_ofA.find(inputA.node);
                                          return found != m_ofA.end() && found->second == inputB.node;
                                      });
        };
        const std::vector<NodeId>& readers = readersOfA[first->second.a];
        if (const auto a = std::ranges::find_if(readers, isAlike); a != readers.end())
            pair(*a, b.id, kindOf(m_a.node(*a), b));
    }
    // From the results: what pairs read.
    for (NodeId id = m_b.last(); id; id = m_b.node(id).previous)
        if (const auto found = m_ofB.find(id); found != m_ofB.end())
            pairInputs(NodePair(found->second), needsSameCall);
}

/// What the readers of a pair's first node read in the other graph; no node where that is a pair's, too.
NodeId Matcher::takenPlace(const NodePair& pair) const {
    const auto inputsOf = [](const Node& node) {
        std::vector<NodeId> out;
        forEachNode(node.args, node.kwargs, [&](NodeId id) { out.push_back(id); });
        return out;
    };
    for (const NodeId user : m_b.node(pair.b).users) {
        const auto partner = m_ofB.find(user);
        if (partner == m_ofB.end())
            continue;
        const std::vector<NodeId> readB = inputsOf(m_b.node(user)),
                                  readA = inputsOf(m_a.node(partner->second.a));
        for (size_t i = 0; readA.size() == readB.size() && i < readB.size(); ++i)
            if (readB[i] == pair.b && !m_ofA.contains(readA[i]) && isCallNode(m_a.node(readA[i])))
                return readA[i];
    }
    return {};
}

NodeMatch Matcher::finished() {
    NodeMatch out;
    for (const Node& b : m_b) {
        const auto found = m_ofB.find(b.id);
        if (found == m_ofB.end()) {
            out.onlyB.push_back(b.id);
            continue;
        }
        out.pairs.push_back(found->second);
        if (const NodeId other = takenPlace(found->second); other && found->second.kind != MatchKind::Hand)
            out.alternatives.push_back({other, b.id, MatchKind::Structure});
    }
    for (const Node& a : m_a)
        if (!m_ofA.contains(a.id))
            out.onlyA.push_back(a.id);
    return out;
}

NodeMatch Matcher::match(const PairingOptions& options) {
    byHand(options.byHand);
    if (options.areIdsShared)
        byId();
    inputsAndOutput();
    weights();
    byParts();
    byProvenance();
    bySameComputation();
    // What is called the same as well, before what only has the name or only has the place.
    byPlace(true);
    byName(true);
    byPlace(false);
    byName(false);
    movedWeights();
    return finished();
}

} // namespace

std::string_view matchKindText(MatchKind kind) {
    switch (kind) {
    case MatchKind::Hand:
        return "by hand";
    case MatchKind::Id:
        return "by id";
    case MatchKind::Provenance:
        return "by provenance";
    case MatchKind::Name:
        return "by name";
    case MatchKind::Structure:
        return "by structure";
    }
    return "";
}

NodeMatch matchNodes(const Graph& a, const Graph& b, const PairingOptions& options) {
    return Matcher(a, b).match(options);
}

} // namespace fx
