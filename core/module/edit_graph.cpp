// SPDX-License-Identifier: GPL-3.0-or-later
// The verbs on nodes, with the checks and the words of torch.fx.
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/ir/argument_text.h"
#include "core/module/edit.h"

#include <algorithm>
#include <unordered_set>

namespace fx {

NodeId Edit::createNode(Opcode opcode, Target target, Arguments args, Keywords kwargs,
                        std::optional<std::string_view> name, std::optional<std::string> type, Meta meta) {
    const NodeId id = graph().nextId();
    NameGrant grant = name ? graph().names().propose(*name)
                           : graph().names().propose(nameFromTarget(target, opcode == Opcode::CallFunction));
    CallArguments arguments = readingArguments(grant.name, std::move(args), std::move(kwargs));
    perform(NodeCreated{id, insertionPoint(), std::move(grant), opcode, target, std::move(arguments),
                        std::move(meta)});
    if (type)
        setType(id, std::move(type));
    return id;
}

NodeId Edit::placeholder(std::string_view name, std::optional<Argument> defaultValue) {
    Arguments args;
    if (defaultValue)
        args.push_back(std::move(*defaultValue));
    return createNode(Opcode::Placeholder, name, std::move(args));
}

NodeId Edit::getAttr(std::string_view path) {
    const Attribute found = m_model.resolve(m_module, path);
    const bool isRegistered = found.module || (found.tensor && found.role != TensorRole::Constant);
    if (!isRegistered) {
        const size_t dot = path.rfind('.');
        const std::string_view parent =
            dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
        if (!m_model.resolve(m_module, parent).module)
            m_warnings.push_back("Failed to fetch module " + std::string(parent) + '!');
        m_warnings.push_back("Attempted to insert a get_attr Node with no underlying reference in the owning "
                             "GraphModule! Call GraphModule.add_submodule to add the necessary submodule, "
                             "GraphModule.add_parameter to add the necessary Parameter, or "
                             "nn.Module.register_buffer to add the necessary buffer");
    }
    return createNode(Opcode::GetAttr, path);
}

NodeId Edit::callFunction(Target function, Arguments args, Keywords kwargs) {
    return createNode(Opcode::CallFunction, function, std::move(args), std::move(kwargs));
}

NodeId Edit::callMethod(std::string_view method, Arguments args, Keywords kwargs) {
    return createNode(Opcode::CallMethod, method, std::move(args), std::move(kwargs));
}

NodeId Edit::callModule(std::string_view path, Arguments args, Keywords kwargs) {
    if (!m_model.resolve(m_module, path).module) {
        const std::string known = m_model.existingPrefix(m_module, path);
        const std::string missing(split(path.substr(known.empty() ? 0 : known.size() + 1), '.')[0]);
        const std::string owner(
            Target(m_model.module(m_model.resolve(m_module, known).module).type).functionName());
        throw Error("", owner + " has no attribute `" + missing + '`');
    }
    return createNode(Opcode::CallModule, path, std::move(args), std::move(kwargs));
}

NodeId Edit::output(Argument result) {
    return createNode(Opcode::Output, "output", {std::move(result)});
}

NodeId Edit::nodeCopy(const Node& source, const std::function<Argument(NodeId)>& map) {
    return createNode(source.opcode, source.target, mapNodes(source.args, map), mapNodes(source.kwargs, map),
                      source.name, source.type.toOptional(), source.meta);
}

std::optional<Argument> Edit::graphCopy(const Graph& source, NodeMap& map) {
    const std::function<Argument(NodeId)> mapped = [&](NodeId id) -> Argument {
        const auto copy = map.find(id);
        if (copy == map.end())
            throw Error("node '" + source.node(id).name + "'", "is read before it is made");
        return copy->second;
    };
    map.reserve(map.size() + source.size());
    for (const Node& node : source) {
        if (map.find(node.id) != map.end())
            continue;
        if (node.opcode == Opcode::Output)
            return mapNodes(node.args[0], mapped);
        map[node.id] = nodeCopy(node, mapped);
    }
    return std::nullopt;
}

void Edit::requireMember(NodeId id, std::string_view verb) const {
    if (!graph().contains(id))
        throw Error("", "cannot " + std::string(verb) + " a node that is not in the graph");
}

void Edit::eraseNode(NodeId id) {
    const Graph& graph = this->graph();
    if (!graph.knows(id))
        requireMember(id, "erase");
    const Node& node = graph.node(id);
    if (node.isErased) {
        m_warnings.push_back("erase_node(" + node.name + ") on an already erased node");
        return;
    }
    if (!node.users.empty()) {
        std::vector<std::string> users;
        for (NodeId user : node.users)
            users.push_back(graph.node(user).name + ": None");
        throw Error("", "Tried to erase Node " + node.name + " but it still had " +
                            std::to_string(node.users.size()) + " users in the graph: {" + join(users, ", ") +
                            "}!");
    }
    if (m_anchor == id) {
        // The insertion point stays where it is when the node that marks it goes.
        m_anchor = m_isAfterAnchor ? node.previous : node.next;
        if (!m_anchor)
            m_isAfterAnchor = !m_isAfterAnchor;
    }
    perform(NodeErased{id, node.next, {node.args, node.kwargs, node.inputs}});
}

void Edit::moveBefore(NodeId id, NodeId self) {
    requireMember(id, "move");
    requireMember(self, "move before");
    if (id == self || node(id).next == self)
        return;
    perform(NodeMoved{id, node(id).next, self});
}

void Edit::moveAfter(NodeId id, NodeId self) {
    requireMember(id, "move");
    requireMember(self, "move after");
    if (id == self || node(self).next == id)
        return;
    perform(NodeMoved{id, node(id).next, node(self).next});
}

namespace {

/// Gathers the nodes that arguments read, each once.
class UseCollector {
public:
    UseCollector(const Graph& graph, InputUses& uses) : m_graph(graph), m_uses(uses) {}

    void add(NodeId input) {
        constexpr size_t kFew = 16;
        if (m_known.empty() && m_uses.size() > kFew)
            for (const InputUse& use : m_uses)
                m_known.insert(use.node);
        const bool isKnown = m_known.empty()
                                 ? std::any_of(m_uses.begin(), m_uses.end(),
                                               [&](const InputUse& use) { return use.node == input; })
                                 : !m_known.insert(input).second;
        if (!isKnown)
            m_uses.push_back({input, m_graph.node(input).users.nextSequence()});
    }

private:
    const Graph& m_graph;
    InputUses& m_uses;
    std::unordered_set<NodeId> m_known; ///< used once there are many
};

} // namespace

CallArguments Edit::readingArguments(const std::string& name, Arguments args, Keywords kwargs) const {
    CallArguments out{std::move(args), std::move(kwargs), {}};
    UseCollector uses{graph(), out.inputs};
    forEachNode(out.args, out.kwargs, [&](NodeId input) {
        if (!graph().knows(input))
            throw Error("node '" + name + "'", "cannot read a node that is not in the graph");
        uses.add(input);
    });
    return out;
}

void Edit::changeArguments(NodeId id, Arguments args, Keywords kwargs) {
    const Node& node = this->node(id);
    perform(ArgumentsChanged{id,
                             {node.args, node.kwargs, node.inputs},
                             readingArguments(node.name, std::move(args), std::move(kwargs))});
}

std::vector<NodeId> Edit::replaceAllUsesWith(NodeId old, NodeId fresh,
                                             const std::function<bool(NodeId user)>& filter) {
    requireMember(old, "replace");
    requireMember(fresh, "use");
    std::vector<NodeId> changed;
    for (NodeId user : node(old).users.toVector()) {
        if (filter && !filter(user))
            continue;
        changed.push_back(user);
        replaceInputWith(user, old, fresh);
    }
    return changed;
}

void Edit::replaceInputWith(NodeId id, NodeId old, NodeId fresh) {
    requireMember(id, "change");
    const auto map = [&](NodeId input) -> Argument { return input == old ? fresh : input; };
    changeArguments(id, mapNodes(node(id).args, map), mapNodes(node(id).kwargs, map));
}

void Edit::setArgs(NodeId id, Arguments args) {
    requireMember(id, "change");
    changeArguments(id, std::move(args), node(id).kwargs);
}

void Edit::setKwargs(NodeId id, Keywords kwargs) {
    requireMember(id, "change");
    changeArguments(id, node(id).args, std::move(kwargs));
}

void Edit::updateArg(NodeId id, size_t index, Argument value) {
    requireMember(id, "change");
    Arguments args = node(id).args;
    if (index >= args.size())
        throw Error("node '" + node(id).name + "'", "list assignment index out of range");
    args[index] = std::move(value);
    setArgs(id, std::move(args));
}

void Edit::insertArg(NodeId id, size_t index, Argument value) {
    requireMember(id, "change");
    const Node& node = this->node(id);
    if (index > node.args.size())
        throw Error("node '" + node.name + "'",
                    "insert_args index must be between 0 and len(self.args), got " + std::to_string(index));
    // Unlike an assignment, an insertion keeps the reader's place among the users of its other inputs.
    ArgumentsChanged change{id, {node.args, node.kwargs, node.inputs}, {node.args, node.kwargs, node.inputs}};
    UseCollector uses{graph(), change.after.inputs};
    forEachNode(value, [&](NodeId input) {
        requireMember(input, "read");
        uses.add(input);
    });
    change.after.args.insert(change.after.args.begin() + static_cast<std::ptrdiff_t>(index),
                             std::move(value));
    perform(std::move(change));
}

void Edit::updateKwarg(NodeId id, std::string_view key, Argument value) {
    requireMember(id, "change");
    Keywords kwargs = node(id).kwargs;
    const auto at =
        std::find_if(kwargs.begin(), kwargs.end(), [key](const auto& entry) { return entry.first == key; });
    if (at != kwargs.end())
        at->second = std::move(value);
    else
        kwargs.emplace_back(key, std::move(value));
    setKwargs(id, std::move(kwargs));
}

void Edit::rename(NodeId id, std::string_view candidate) {
    requireMember(id, "rename");
    if (candidate == node(id).name)
        return;
    NameGrant grant = graph().names().propose(candidate);
    perform(NodeRenamed{id, node(id).name, grant.name, grant});
}

void Edit::setName(NodeId id, std::string_view name) {
    requireMember(id, "rename");
    if (name != node(id).name)
        perform(NodeRenamed{id, node(id).name, std::string(name), std::nullopt});
}

void Edit::setTarget(NodeId id, Target target) {
    setCallee(id, node(id).opcode, target);
}

void Edit::setCallee(NodeId id, Opcode opcode, Target target) {
    requireMember(id, "change");
    perform(CalleeChanged{id, {node(id).opcode, node(id).target}, {opcode, target}});
}

void Edit::setType(NodeId id, std::optional<std::string> type) {
    requireMember(id, "change");
    perform(TypeChanged{id, node(id).type.toOptional(), std::move(type)});
}

void Edit::setMeta(NodeId id, std::string_view key, SharedMeta value) {
    requireMember(id, "change");
    SharedMeta before = node(id).meta.shared(key);
    if (before || value)
        perform(MetaChanged{id, std::string(key), std::move(before), std::move(value)});
}

void Edit::setSignature(std::optional<Signature> signature) {
    perform(SignatureChanged{graph().signature(), std::move(signature)});
}

} // namespace fx
