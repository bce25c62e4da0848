// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/picture_scopes.h"

#include "core/base/text.h"
#include "core/ir/argument_text.h"
#include "core/torch/bind/call_family.h"
#include "core/torch/bind/operator_effects.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_set>

namespace fx {

namespace {

/// A group has at least so many members.
constexpr size_t kLeastConstants = 3, kLeastRepeats = 3;

using Scopes = std::vector<Scope>;

void collectNodes(const Scopes& scopes, int scope, std::vector<NodeId>& into) {
    const Scope& it = scopes[static_cast<size_t>(scope)];
    into.insert(into.end(), it.nodes.begin(), it.nodes.end());
    for (const int child : it.children)
        collectNodes(scopes, child, into);
}

/// Lists the calls of a scope in order, each input by how far back it was made, outer values by rank.
std::string contentOf(const Graph& graph, const Scopes& scopes, int index, const ModuleCalls& modules) {
    const Scope& scope = scopes[static_cast<size_t>(index)];
    std::vector<NodeId> nodes;
    collectNodes(scopes, index, nodes);
    std::ranges::sort(nodes, [&](NodeId a, NodeId b) { return graph.precedes(a, b); });
    std::unordered_map<NodeId, size_t> number;
    size_t outside = 0;
    const std::string path = scope.path.substr(0, scope.path.find('@'));
    std::string content = scope.type + '\n';
    for (const NodeId id : nodes) {
        const Node& node = graph.node(id);
        number.emplace(id, number.size());
        content += opcodeName(node.opcode);
        const std::string& target = node.target.name();
        const auto module = modules.find(target);
        // Weights and modules of equal blocks have other names.
        if (node.opcode == Opcode::CallModule && module != modules.end()) {
            content += target.starts_with(path + '.') ? target.substr(path.size()) : target;
            content += module->second;
        } else if (node.opcode != Opcode::GetAttr) {
            content += target;
        }
        const auto name = [&](NodeId input) {
            const auto [entry, isNew] = number.try_emplace(input, 1'000'000 + outside);
            outside += isNew;
            return std::to_string(entry->second);
        };
        content += formatText(node.args, name) + formatText(node.kwargs, name);
        if (const ValueMeta* value = knownValue(node.meta))
            content += valueMetaText(*value);
        content += '\n';
    }
    return content;
}

/// Whether a call gives the same whenever it is made, for all that is known, and does nothing else.
bool isConstantCall(const Node& node) {
    if (node.opcode != Opcode::CallFunction && node.opcode != Opcode::CallMethod)
        return false;
    const std::string_view name = node.target.functionName();
    const CallFamily family = familyOf(node);
    const std::string_view bare = name.substr(0, name.find('.'));
    const bool isInPlace = bare.ends_with('_') && !bare.ends_with("__"); // "add_", and not "__and__"
    if (family == CallFamily::Random || family == CallFamily::Collective || isInPlace)
        return false;
    if (family != CallFamily::Other || name.starts_with("_assert"))
        return true;
    if (!node.target.isOperatorOverload())
        return !name.starts_with('_'); // such as _set_grad_enabled
    constexpr std::string_view kOps = "torch.ops.";
    const std::string_view path = std::string_view(node.target.name()).substr(kOps.size());
    const std::string space(path.substr(0, path.find('.')));
    // The effect is that of all overloads, and most have one with out=.
    const OperatorEffect effect = effectOf(space + "::" + std::string(bare));
    return effect == OperatorEffect::Pure || (effect == OperatorEffect::Writes && !name.ends_with("out"));
}

class Grouping {
public:
    Grouping(const Graph& graph, const ModuleCalls& modules)
        : m_graph(graph), m_modules(modules), m_scopes(ScopeTree(graph).scopes()) {}

    ScopeTree run() {
        groupConstants();
        const std::vector<NodeId> first = firstCalls();
        for (size_t scope = 0, count = m_scopes.size(); scope < count; ++scope)
            groupRepeats(static_cast<int>(scope), first);
        return ScopeTree(inOrder());
    }

private:
    Scope& at(int scope) { return m_scopes[static_cast<size_t>(scope)]; }

    bool isCall(NodeId node) const { return m_graph.node(node).opcode != Opcode::GetAttr; }
    bool hasCalls(const Scope& scope) const {
        return std::ranges::any_of(scope.nodes, [this](NodeId node) { return isCall(node); });
    }

    /// Finds the first call of each scope, of those in it, too; none in a scope of weights alone.
    std::vector<NodeId> firstCalls() {
        std::vector<NodeId> first(m_scopes.size());
        const auto find = [&](auto& self, int scope) -> NodeId {
            NodeId& earliest = first[static_cast<size_t>(scope)];
            const auto take = [&](NodeId node) {
                if (node && (!earliest || m_graph.precedes(node, earliest)))
                    earliest = node;
            };
            for (const NodeId node : at(scope).nodes)
                take(isCall(node) ? node : NodeId());
            for (const int child : at(scope).children)
                take(self(self, child));
            return earliest;
        };
        find(find, 0);
        return first;
    }

    int add(int parent, const std::string& name, const std::string& type) {
        const std::string base = (parent ? at(parent).path + '.' : std::string()) + '(' + name;
        const int number = ++m_named[base];
        std::string path = number == 1 ? base + ')' : base + ' ' + std::to_string(number) + ')';
        const int index = static_cast<int>(m_scopes.size());
        Scope& scope = m_scopes.emplace_back();
        scope.parent = parent;
        scope.path = std::move(path);
        scope.type = type;
        scope.isGroup = true;
        at(parent).children.push_back(index);
        return index;
    }

    /// Calls that read no value which comes from an input of the graph, in graph order; none where all are
    /// such.
    std::vector<NodeId> constantCalls() const {
        std::unordered_map<NodeId, bool> isConstant;
        std::vector<NodeId> out;
        for (const Node& node : m_graph) {
            // A graph with faults may have a node that reads a later one.
            const auto known = [&](const InputUse& use) {
                const auto found = isConstant.find(use.node);
                return found != isConstant.end() && found->second;
            };
            // The size of a value that is computed would make a circle of the group and what computes it.
            const auto isInput = [&](const InputUse& use) {
                return known(use) || m_graph.node(use.node).opcode == Opcode::Placeholder;
            };
            const bool is = node.opcode == Opcode::GetAttr ||
                            (isConstantCall(node) &&
                             (std::ranges::all_of(node.inputs, known) ||
                              (readsSizesAlone(node) && std::ranges::all_of(node.inputs, isInput))));
            isConstant.emplace(node.id, is);
            if (is && node.opcode != Opcode::GetAttr)
                out.push_back(node.id);
            if (node.opcode == Opcode::Output && std::ranges::all_of(node.inputs, known))
                return {};
        }
        return out;
    }

    /// Names a group by the values that are read elsewhere.
    std::string constantsName(const std::vector<NodeId>& group) const {
        const std::unordered_set<NodeId> inside(group.begin(), group.end());
        bool isRead = false;
        for (const NodeId id : group) {
            const Node& node = m_graph.node(id);
            const auto isOutside = [&](NodeId user) { return !inside.contains(user); };
            if (std::none_of(node.users.begin(), node.users.end(), isOutside))
                continue;
            isRead = true;
            const ValueMeta* value = knownValue(node.meta);
            const auto* tensor = value ? std::get_if<TensorMeta>(&value->value) : nullptr;
            if (tensor && tensor->dtype == at::kBool)
                return "mask";
        }
        return isRead ? "constants" : "unused";
    }

    void groupConstants() {
        const std::vector<NodeId> calls = constantCalls();
        std::unordered_map<NodeId, size_t> place;
        std::unordered_map<NodeId, int> home;
        for (size_t i = 0; i < calls.size(); ++i)
            place.emplace(calls[i], i);
        for (size_t scope = 0; scope < m_scopes.size(); ++scope)
            for (const NodeId node : m_scopes[scope].nodes)
                if (place.contains(node))
                    home.emplace(node, static_cast<int>(scope));
        // Those of one scope that hang together, each by the first of them.
        std::vector<size_t> first(calls.size());
        std::iota(first.begin(), first.end(), size_t(0));
        const auto firstOf = [&](size_t i) {
            while (first[i] != i)
                i = first[i] = first[first[i]];
            return i;
        };
        for (size_t i = 0; i < calls.size(); ++i)
            for (const InputUse& use : m_graph.node(calls[i]).inputs)
                if (const auto input = place.find(use.node);
                    input != place.end() && home[use.node] == home[calls[i]]) {
                    const size_t a = firstOf(i), b = firstOf(input->second);
                    first[std::max(a, b)] = std::min(a, b);
                }
        // Those that nobody reads are one, such as checks that have nothing to check.
        std::vector<bool> isRead(calls.size(), false);
        for (size_t i = 0; i < calls.size(); ++i)
            for (const NodeId user : m_graph.node(calls[i]).users)
                if (const auto reader = place.find(user);
                    reader == place.end() || home[user] != home[calls[i]])
                    isRead[firstOf(i)] = true;
        std::unordered_map<int, size_t> unread;
        for (size_t i = 0; i < calls.size(); ++i)
            if (firstOf(i) == i && !isRead[i])
                first[i] = unread.try_emplace(home[calls[i]], i).first->second;
        std::vector<std::vector<NodeId>> groups(calls.size());
        for (size_t i = 0; i < calls.size(); ++i)
            groups[firstOf(i)].push_back(calls[i]);
        std::unordered_set<NodeId> moved;
        for (std::vector<NodeId>& group : groups) {
            if (group.size() < kLeastConstants)
                continue;
            const int scope = home[group.front()];
            const auto isElse = [&](NodeId node) { return isCall(node) && !place.contains(node); };
            if (at(scope).children.empty() && std::ranges::none_of(at(scope).nodes, isElse)) {
                at(scope).isConstant = scope > 0; // the scope is such a group itself
                continue;
            }
            const int inner = add(scope, constantsName(group), "computed from constants");
            at(inner).isConstant = true;
            moved.insert(group.begin(), group.end());
            at(inner).nodes = std::move(group);
        }
        for (Scope& scope : m_scopes)
            if (!scope.isGroup)
                std::erase_if(scope.nodes, [&](NodeId node) { return moved.contains(node); });
    }

    /// "layers" and "3" of "model.layers.3"; nothing where the last part is no number.
    static std::optional<std::pair<std::string, std::string>> numbered(const std::string& path) {
        const size_t dot = path.rfind('.');
        const std::string last = path.substr(dot + 1);
        if (last.empty() || !std::ranges::all_of(last, [](char c) { return c >= '0' && c <= '9'; }))
            return std::nullopt;
        return std::pair(dot == std::string::npos ? std::string() : path.substr(0, dot), last);
    }

    /// `firstCalls`: what firstCalls() gives before the first group of blocks.
    void groupRepeats(int parent, const std::vector<NodeId>& firstCalls) {
        const std::vector<int> children = at(parent).children;
        // What the parent computes between two blocks would stand between the group and itself.
        std::vector<NodeId> own;
        for (const NodeId node : at(parent).nodes)
            if (isCall(node))
                own.push_back(node);
        const auto isBetween = [&](int block, int next) {
            const NodeId first = firstCalls[static_cast<size_t>(block)],
                         second = firstCalls[static_cast<size_t>(next)];
            const auto isLater = [&](NodeId node) { return m_graph.precedes(first, node); };
            const auto found = first ? std::ranges::find_if(own, isLater) : own.end();
            return found != own.end() && second && m_graph.precedes(*found, second);
        };
        std::vector<std::optional<std::string>> contents(children.size());
        const auto contentAt = [&](size_t i) -> const std::string& {
            if (!contents[i])
                contents[i] = contentOf(m_graph, m_scopes, children[i], m_modules);
            return *contents[i];
        };
        for (size_t begin = 0; begin < children.size();) {
            const auto head = numbered(at(children[begin]).path);
            size_t end = begin + 1;
            while (head && end < children.size()) {
                const auto next = numbered(at(children[end]).path);
                if (!next || next->first != head->first ||
                    at(children[end]).type != at(children[begin]).type ||
                    isBetween(children[end - 1], children[end]) || contentAt(begin) != contentAt(end))
                    break;
                ++end;
            }
            const bool isAll = parent > 0 && end - begin == children.size() && !hasCalls(at(parent));
            if (end - begin >= kLeastRepeats && isAll) {
                at(parent).repeats = end - begin;
            } else if (end - begin >= kLeastRepeats) {
                const std::string list = head->first.substr(head->first.rfind('.') + 1);
                const std::string name = list + (list.empty() ? "" : " ") + head->second + " to " +
                                         numbered(at(children[end - 1]).path)->second;
                const std::string type = blockName(at(children[begin]));
                const int group = add(parent, name, type + " x " + std::to_string(end - begin));
                at(group).repeats = end - begin;
                for (size_t i = begin; i < end; ++i) {
                    at(children[i]).parent = group;
                    at(group).children.push_back(children[i]);
                }
                std::erase_if(at(parent).children, [&](int child) { return at(child).parent == group; });
            }
            begin = end;
        }
    }

    /// Each after the one around it, and siblings as they are first run.
    Scopes inOrder() {
        const std::vector<NodeId> first = firstCalls();
        Scopes out;
        const auto move = [&](auto& self, int scope, int parent) -> int {
            const int index = static_cast<int>(out.size());
            std::vector<int> children = std::exchange(at(scope).children, {});
            std::ranges::stable_sort(children, [&](int a, int b) {
                const NodeId left = first[static_cast<size_t>(a)], right = first[static_cast<size_t>(b)];
                return left && right && m_graph.precedes(left, right);
            });
            out.push_back(std::move(at(scope)));
            out.back().parent = parent;
            for (const int child : children) {
                const int moved = self(self, child, index);
                out[static_cast<size_t>(index)].children.push_back(moved);
            }
            return index;
        };
        move(move, 0, -1);
        return out;
    }

    const Graph& m_graph;
    const ModuleCalls& m_modules;
    Scopes m_scopes;
    std::unordered_map<std::string, int>
        m_named; ///< how many groups have that path, without what numbers them
};

} // namespace

std::string blockName(const Scope& scope) {
    return scope.type.empty() ? "block" : shortTypeName(scope.type);
}

ScopeTree pictureScopes(const Graph& graph, const ModuleCalls& modules) {
    return Grouping(graph, modules).run();
}

std::vector<std::string> equalScopes(const Graph& graph, const ScopeTree& scopes,
                                     const ModuleCalls& modules) {
    std::map<std::string, int> first;
    std::vector<std::string> equal(scopes.scopes().size());
    for (size_t i = 1; i < scopes.scopes().size(); ++i) {
        const int index = static_cast<int>(i);
        if (scopes.scope(index).isGroup)
            continue;
        const auto [entry, isNew] =
            first.try_emplace(contentOf(graph, scopes.scopes(), index, modules), index);
        if (!isNew)
            equal[i] = scopes.scope(entry->second).path;
    }
    return equal;
}

} // namespace fx
