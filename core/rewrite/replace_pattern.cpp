// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rewrite/replace_pattern.h"

#include "core/base/error.h"
#include "core/module/scopes.h"
#include "core/rewrite/literals.h"
#include "core/rewrite/replacement_attributes.h"

#include <map>

namespace fx {

namespace {

/// Replaces one match after another in the graph of an edit, and remembers what became of the nodes that
/// later matches speak of.
class Replacer {
public:
    Replacer(Edit& edit, const Graph& pattern) : m_edit(edit), m_pattern(pattern) {}

    ReplacedPattern replace(SubgraphMatch match, const Graph& replacement);

private:
    /// The arguments that the replacement's nodes stand for, by id.
    using Values = std::vector<Argument>;

    Values bindPlaceholders(SubgraphMatch& match, const Graph& replacement);
    Argument nowStandingFor(const Argument& value) const;
    NodeId insertionPoint(const SubgraphMatch& match) const;
    std::optional<Argument> copy(const Graph& replacement, Values& values, std::vector<NodeId>& fresh);
    void redirect(NodeId old, const Argument& fresh);
    void eraseMatched(const SubgraphMatch& match);

    Edit& m_edit;
    const Graph& m_pattern;
    ska::flat_hash_map<NodeId, Argument> m_replacedBy;
};

/// What stands for a node now: of one that was replaced, what replaced it, and so on while that is gone too.
Argument Replacer::nowStandingFor(const Argument& value) const {
    if (!value.node())
        return mapNodes(value, [this](NodeId id) {
            return m_edit.node(id).isErased ? nowStandingFor(id) : Argument(id);
        });
    auto found = m_replacedBy.find(value.node());
    if (found == m_replacedBy.end())
        return value;
    for (size_t steps = 0; steps < m_replacedBy.size(); ++steps) {
        const NodeId id = found->second.node();
        const auto next = id && m_edit.node(id).isErased ? m_replacedBy.find(id) : m_replacedBy.end();
        if (next == m_replacedBy.end())
            break;
        found = next;
    }
    return found->second;
}

Replacer::Values Replacer::bindPlaceholders(SubgraphMatch& match, const Graph& replacement) {
    Values values(static_cast<size_t>(replacement.nextId().value));
    std::vector<NodeId> placeholders;
    for (const Node& node : replacement)
        if (node.opcode == Opcode::Placeholder)
            placeholders.push_back(node.id);
    if (match.placeholders.size() != placeholders.size())
        throw Error("", "Placeholder count mismatch: " + std::to_string(match.placeholders.size()) + " vs " +
                            std::to_string(placeholders.size()))
            .kind("AssertionError");
    for (size_t i = 0; i < placeholders.size(); ++i) {
        Argument& value = match.placeholders[i];
        Argument now = nowStandingFor(value);
        if (value.node() && now != value) {
            match.nodes.replaceFirst(value, now);
            value = now;
        }
        values[static_cast<size_t>(placeholders[i].value)] = std::move(now);
    }
    return values;
}

/// Before the first reader of what the pattern returns; where nobody reads it, behind the last of it.
NodeId Replacer::insertionPoint(const SubgraphMatch& match) const {
    const Graph& graph = m_edit.graph();
    NodeId firstReader, lastReturned;
    for (const Argument& returned : match.returned) {
        const NodeId id = returned.node();
        if (!id)
            throw Error("", '\'' + pythonTypeName(returned) + "' object has no attribute 'users'")
                .kind("AttributeError");
        for (NodeId user : graph.node(id).users)
            if (!firstReader || graph.precedes(user, firstReader))
                firstReader = user;
        if (graph.contains(id) && (!lastReturned || graph.precedes(lastReturned, id)))
            lastReturned = id;
    }
    if (firstReader)
        return firstReader;
    const NodeId next = lastReturned ? graph.node(lastReturned).next : NodeId();
    if (!next)
        throw Error("", "The insert point can't be None").kind("AssertionError");
    return next;
}

std::optional<Argument> Replacer::copy(const Graph& replacement, Values& values, std::vector<NodeId>& fresh) {
    std::vector<bool> isMade(values.size());
    const std::function<Argument(NodeId)> valueOf = [&](NodeId id) -> Argument {
        const auto at = static_cast<size_t>(id.value);
        if (!isMade[at])
            throw Error("", replacement.node(id).name)
                .kind("KeyError")
                .hint("a node of the replacement reads it before it is made");
        return values[at];
    };
    for (const Node& node : replacement)
        if (node.opcode == Opcode::Placeholder)
            isMade[static_cast<size_t>(node.id.value)] = true;
    for (const Node& node : replacement) {
        if (node.opcode == Opcode::Placeholder)
            continue;
        if (node.opcode == Opcode::Output)
            return mapNodes(node.args[0], valueOf);
        const NodeId made = m_edit.nodeCopy(node, valueOf);
        values[static_cast<size_t>(node.id.value)] = made;
        isMade[static_cast<size_t>(node.id.value)] = true;
        fresh.push_back(made);
    }
    return std::nullopt;
}

/// Makes all readers of `old` read `fresh`, which may be a constant.
void Replacer::redirect(NodeId old, const Argument& fresh) {
    const std::vector<NodeId> users = m_edit.node(old).users.toVector();
    if (users.empty())
        return;
    if (fresh.node()) {
        m_edit.replaceAllUsesWith(old, fresh.node());
        return;
    }
    const auto map = [&](NodeId id) { return id == old ? fresh : Argument(id); };
    for (NodeId user : users) {
        m_edit.setArgs(user, mapNodes(m_edit.node(user).args, map));
        m_edit.setKwargs(user, mapNodes(m_edit.node(user).kwargs, map));
    }
}

void Replacer::eraseMatched(const SubgraphMatch& match) {
    for (NodeId id = m_pattern.last(); id; id = m_pattern.node(id).previous) {
        const Node& node = m_pattern.node(id);
        if (node.opcode == Opcode::Placeholder || node.opcode == Opcode::Output)
            continue;
        const Argument* matched = match.nodes.find(id);
        if (!matched)
            throw Error("", node.name)
                .kind("KeyError")
                .hint("the result of the pattern does not depend on '" + node.name + '\'');
        m_edit.eraseNode(matched->node());
    }
}

ReplacedPattern Replacer::replace(SubgraphMatch match, const Graph& replacement) {
    Values values = bindPlaceholders(match, replacement);
    ReplacedPattern done;
    std::optional<Argument> copied;
    {
        const auto point = m_edit.insertingBefore(insertionPoint(match));
        copied = copy(replacement, values, done.replacements);
    }
    const Argument result = copied.value_or(Argument());
    const std::optional<Arguments> results = result.node() ? Arguments{result} : pythonItems(result);
    if (!results)
        throw Error("", "object of type '" + pythonTypeName(result) + "' has no len()").kind("TypeError");
    if (match.returned.size() != results->size())
        throw Error("", "Returning nodes count mismatch: " + std::to_string(match.returned.size()) + " vs " +
                            std::to_string(results->size()))
            .kind("AssertionError");
    for (size_t i = 0; i < results->size(); ++i) {
        const NodeId old = match.returned[i].node();
        redirect(old, (*results)[i]);
        m_replacedBy[old] = (*results)[i];
    }
    eraseMatched(match);
    done.anchor = match.anchor;
    done.nodes = std::move(match.nodes);
    return done;
}

/// What is known of where a match is, by the key.
using Place = std::map<std::string_view, SharedMeta>;

/// The modules that all of it is called in, and the source line of its last node.
Place placeOf(const Graph& graph, const Graph& pattern, const SubgraphMatch& match) {
    Place out;
    std::vector<ModuleStack> stacks;
    for (const PatternMap::Entry& entry : match.nodes.entries()) {
        const Opcode opcode = pattern.node(entry.pattern).opcode;
        if (opcode == Opcode::Placeholder || opcode == Opcode::Output || !entry.value.node())
            continue;
        const Node& node = graph.node(entry.value.node());
        if (const auto* stack = node.meta.find<ModuleStack>(meta::kModuleStack))
            stacks.push_back(*stack);
        if (entry.pattern == match.anchor)
            if (const SharedMeta trace = node.meta.shared(meta::kStackTrace))
                out[meta::kStackTrace] = trace;
    }
    if (!stacks.empty())
        out[meta::kModuleStack] = SharedMeta(commonStack(stacks));
    return out;
}

std::vector<ReplacedPattern> replaceWith(Edit& edit, const Model& pattern, const Model* replacement,
                                         const ReplaceOptions& options) {
    MatchOptions matching;
    matching.ignoreLiterals = options.ignoreLiterals;
    const SubgraphMatcher matcher({&pattern, pattern.root()}, matching);
    std::vector<SubgraphMatch> matches =
        matcher.match({&edit.model(), edit.module()}, options.nodeNameContains);
    std::erase_if(matches, [&](const SubgraphMatch& match) {
        for (const MatchFilter& filter : options.filters)
            if (!filter(match, edit.graph(), pattern.graph()))
                return true;
        return false;
    });
    if (!replacement && !options.callback)
        throw Error("", "Must provide either a replacement GraphModule or a replacement callback")
            .kind("AssertionError");
    Replacer replacer(edit, pattern.graph());
    std::vector<ReplacedPattern> replaced;
    for (SubgraphMatch& match : matches) {
        const Place place = options.keepsScope ? placeOf(edit.graph(), pattern.graph(), match) : Place();
        if (options.callback) {
            const Model own = options.callback(match, edit.graph(), pattern.graph());
            replaced.push_back(replacer.replace(std::move(match), own.graph()));
            takeOverConstants(edit, own, replaced.back().replacements);
        } else {
            replaced.push_back(replacer.replace(std::move(match), replacement->graph()));
        }
        for (const NodeId fresh : replaced.back().replacements)
            for (const auto& [key, value] : place)
                edit.setMeta(fresh, key, value);
    }
    if (replacement && options.isModule)
        takeOverAttributes(edit, *replacement);
    else if (replacement)
        for (const ReplacedPattern& done : replaced)
            takeOverConstants(edit, *replacement, done.replacements);
    return replaced;
}

} // namespace

bool holdsState(const Model& replacement) {
    const Module& root = replacement.module(replacement.root());
    for (const NamedTensor& entry : root.tensors)
        if (entry.role != TensorRole::Constant)
            return true;
    return !root.children.empty();
}

std::vector<std::string> shadowedConstants(const Model& model, const Model& replacement) {
    std::vector<std::string> paths;
    for (NodeId id : replacement.graph().findNodes(Opcode::GetAttr)) {
        const std::string& path = replacement.graph().node(id).target.name();
        if (model.resolve(model.root(), path))
            paths.push_back(path);
    }
    return paths;
}

std::vector<ReplacedPattern> replacePattern(Edit& edit, const Model& pattern, const Model& replacement,
                                            const ReplaceOptions& options) {
    return replaceWith(edit, pattern, &replacement, options);
}

std::vector<ReplacedPattern> replacePattern(Edit& edit, const Model& pattern, const ReplaceOptions& options) {
    return replaceWith(edit, pattern, nullptr, options);
}

} // namespace fx
