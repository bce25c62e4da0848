// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/graph_intents.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/reordering.h"
#include "core/ir/dependents.h"
#include "core/module/muted.h"
#include "core/rewrite/source_functions.h"
#include "core/torch/bind/call.h"
#include "widgets/document/argument_text_edit.h"
#include "widgets/support/qt_text.h"

#include <algorithm>

namespace fx::ui {

namespace {

QString nameOf(const GraphDocument& document, ModuleId module, NodeId node) {
    return qt(document.model().graph(module).node(node).name);
}

void rewireIn(Edit& edit, NodeId reader, NodeId old, NodeId producer) {
    if (producer == old)
        return;
    letPrecede(edit, producer, reader);
    edit.replaceInputWith(reader, old, producer);
}

} // namespace

namespace {

QString titleFor(const QString& verb, const GraphDocument& document, ModuleId module,
                 const std::vector<NodeId>& nodes) {
    return verb + ' ' +
           (nodes.size() == 1 ? nameOf(document, module, nodes[0]) : QString("%1 nodes").arg(nodes.size()));
}

std::vector<NodeId> inOrder(const Graph& graph, std::vector<NodeId> nodes) {
    std::ranges::sort(nodes, [&](NodeId a, NodeId b) { return graph.precedes(a, b); });
    return nodes;
}

void requireDeletable(const Edit& edit, NodeId node) {
    if (edit.node(node).opcode == Opcode::Output)
        throw Error("", "a graph needs its output");
    if (edit.node(node).opcode == Opcode::Placeholder && edit.graph().signature())
        throw Error("", "the inputs of this model are fixed by how it is called");
}

/// Readers go before what they read.
void eraseAll(Edit& edit, const std::vector<NodeId>& nodes) {
    const std::vector<NodeId> order = inOrder(edit.graph(), nodes);
    for (auto node = order.rbegin(); node != order.rend(); ++node) {
        requireDeletable(edit, *node);
        edit.eraseNode(*node);
    }
}

} // namespace

std::vector<NodeId> readersOf(const Graph& graph, const std::vector<NodeId>& nodes) {
    std::vector<NodeId> out;
    for (const NodeId node : nodes)
        for (const NodeId user : graph.node(node).users)
            if (std::ranges::count(nodes, user) == 0 && std::ranges::count(out, user) == 0)
                out.push_back(user);
    return out;
}

QString deleteNodes(GraphDocument& document, ModuleId module, const std::vector<NodeId>& nodes) {
    return document.perform(titleFor("Delete", document, module, nodes), module, [&](Edit& edit) {
        for (NodeId node : nodes)
            for (NodeId user : edit.node(node).users)
                if (std::ranges::count(nodes, user) == 0)
                    throw Error("", edit.node(node).name + " is read by " + edit.node(user).name)
                        .hint("rewire that first");
        eraseAll(edit, nodes);
    });
}

QString bypassNodes(GraphDocument& document, ModuleId module, const std::vector<NodeId>& nodes) {
    return document.perform(titleFor("Bypass", document, module, nodes), module, [&](Edit& edit) {
        for (const NodeId id : inOrder(edit.graph(), nodes)) {
            const Node& node = edit.node(id);
            requireDeletable(edit, id);
            if (node.inputs.empty())
                throw Error("", node.name + " reads nothing that its readers could read instead");
            edit.replaceAllUsesWith(id, node.inputs[0].node);
        }
        eraseAll(edit, nodes);
    });
}

QString reconnectNodes(GraphDocument& document, ModuleId module, const std::vector<NodeId>& nodes,
                       NodeId producer) {
    return document.perform(titleFor("Delete", document, module, nodes), module, [&](Edit& edit) {
        for (const NodeId reader : readersOf(edit.graph(), nodes))
            letPrecede(edit, producer, reader);
        for (const NodeId node : nodes)
            edit.replaceAllUsesWith(node, producer);
        eraseAll(edit, nodes);
    });
}

QString deleteWithReaders(GraphDocument& document, ModuleId module, const std::vector<NodeId>& nodes) {
    const std::vector<NodeId> all = dependentsOf(document.model().graph(module), nodes);
    return document.perform(titleFor("Delete", document, module, all), module, [&](Edit& edit) {
        for (const NodeId node : all)
            if (edit.node(node).opcode == Opcode::Output)
                throw Error("", "the output depends on " + edit.node(nodes.front()).name);
        eraseAll(edit, all);
    });
}

QString duplicateNodes(GraphDocument& document, ModuleId module, const std::vector<NodeId>& nodes) {
    return document.perform(titleFor("Duplicate", document, module, nodes), module, [&](Edit& edit) {
        const std::vector<NodeId> order = inOrder(edit.graph(), nodes);
        NodeMap copies;
        NodeId last = order.back();
        for (const NodeId node : order) {
            const Opcode opcode = edit.node(node).opcode;
            if (opcode == Opcode::Output || opcode == Opcode::Placeholder)
                throw Error("", "inputs and the output of a graph are there once");
            const auto point = edit.insertingAfter(last);
            last = edit.nodeCopy(edit.node(node), [&](NodeId input) {
                const auto copy = copies.find(input);
                return Argument(copy == copies.end() ? input : copy->second);
            });
            copies[node] = last;
        }
    });
}

QString swapInputs(GraphDocument& document, NodeRef node) {
    const QString title = "Swap inputs of " + nameOf(document, node.module, node.node);
    return document.perform(title, node.module, [&](Edit& edit) {
        Arguments args = edit.node(node.node).args;
        std::vector<size_t> places;
        for (size_t i = 0; i < args.size() && places.size() < 2; ++i)
            if (args[i].as<NodeId>())
                places.push_back(i);
        if (places.size() < 2)
            throw Error("", edit.node(node.node).name + " does not read two nodes by position");
        std::swap(args[places[0]], args[places[1]]);
        edit.setArgs(node.node, std::move(args));
    });
}

QString muteNodes(GraphDocument& document, ModuleId module, const std::vector<NodeId>& nodes) {
    const auto isMuted = [](const Node& node) { return mutedCall(node).has_value(); };
    const bool areMuted = std::ranges::all_of(
        nodes, [&](NodeId node) { return isMuted(document.model().graph(module).node(node)); });
    const QString title = titleFor(areMuted ? "Unmute" : "Mute", document, module, nodes);
    return document.perform(title, module, [&](Edit& edit) {
        for (const NodeId node : inOrder(edit.graph(), nodes))
            if (areMuted)
                unmute(edit, node);
            else if (!isMuted(edit.node(node)))
                mute(edit, node);
    });
}

QString markNodes(GraphDocument& document, const QString& title, ModuleId module,
                  const std::vector<NodeId>& nodes, const std::function<void(NodeMark&)>& change) {
    return document.perform(title, module, [&](Edit& edit) {
        for (const NodeId node : nodes) {
            NodeMark mark = markOf(edit.node(node));
            change(mark);
            setMark(edit, node, mark);
        }
    });
}

QString renameNode(GraphDocument& document, NodeRef node, const QString& name) {
    const QString old = nameOf(document, node.module, node.node);
    return document.perform("Rename " + old, node.module, [&](Edit& edit) {
        const std::string wanted = utf8(name.trimmed());
        if (!isLegalName(wanted))
            throw Error("", pythonRepr(wanted) + " is no Python identifier");
        if (isReservedName(wanted))
            throw Error("", pythonRepr(wanted) + " is a name that Python keeps for itself");
        if (wanted == edit.node(node.node).name)
            return;
        if (const NodeId other = edit.graph().find(wanted))
            throw Error("", "another node is called " + edit.node(other).name);
        // A name that an erased node had is free for a user, though torch.fx would go on counting.
        if (edit.graph().names().isTaken(wanted))
            edit.setName(node.node, wanted);
        else
            edit.rename(node.node, wanted);
    });
}

QString rewire(GraphDocument& document, NodeRef reader, NodeId old, NodeId producer) {
    const QString title = "Rewire " + nameOf(document, reader.module, reader.node);
    return document.perform(title, reader.module,
                            [&](Edit& edit) { rewireIn(edit, reader.node, old, producer); });
}

QString connectNode(GraphDocument& document, NodeRef reader, const ArgumentPlace& place, NodeId producer) {
    const QString title = "Connect " + nameOf(document, reader.module, producer) + " to " +
                          nameOf(document, reader.module, reader.node);
    return document.perform(title, reader.module, [&](Edit& edit) {
        letPrecede(edit, producer, reader.node);
        readAt(edit, reader.node, place, producer);
    });
}

QString reasonAgainstReading(const GraphDocument& document, NodeRef reader, NodeId producer) {
    return qt(reorderingFor(document.model(), reader.module, reader.node, producer).fault);
}

QString setArgument(GraphDocument& document, NodeRef node, int index, const QString& key,
                    const QString& text) {
    const QString title = "Change argument of " + nameOf(document, node.module, node.node);
    return document.perform(title, node.module, [&](Edit& edit) {
        Argument value = parseArgument(utf8(text), edit.graph());
        forEachNode(value, [&](NodeId input) { letPrecede(edit, input, node.node); });
        if (key.isEmpty()) {
            const std::vector<Argument>& args = edit.node(node.node).args;
            const size_t at = static_cast<size_t>(index);
            if (at == args.size())
                edit.insertArg(node.node, at, std::move(value));
            else if (at > args.size() || !(args[at] == value))
                edit.updateArg(node.node, at, std::move(value));
        } else {
            const Argument* before = edit.node(node.node).keyword(utf8(key));
            if (!before || !(*before == value))
                edit.updateKwarg(node.node, utf8(key), std::move(value));
        }
    });
}

QString removeArgument(GraphDocument& document, NodeRef node, int index, const QString& key) {
    const QString title = "Remove argument of " + nameOf(document, node.module, node.node);
    return document.perform(title, node.module, [&](Edit& edit) {
        if (!key.isEmpty()) {
            Keywords kwargs = edit.node(node.node).kwargs;
            if (std::erase_if(kwargs, [&](const auto& each) { return each.first == utf8(key); }) > 0)
                edit.setKwargs(node.node, std::move(kwargs));
            return;
        }
        Arguments args = edit.node(node.node).args;
        if (index + 1 != static_cast<int>(args.size()))
            throw Error("", "those behind it would move to its place").hint("remove the last ones first");
        args.pop_back();
        edit.setArgs(node.node, std::move(args));
    });
}

QString setTarget(GraphDocument& document, NodeRef node, const QString& target) {
    const QString title = "Change target of " + nameOf(document, node.module, node.node);
    return document.perform(title, node.module, [&](Edit& edit) {
        const Target wanted(utf8(target.trimmed()));
        if (wanted == edit.node(node.node).target)
            return;
        const auto isWanted = [&](const SourceFunction& each) { return each.name == wanted.name(); };
        if (edit.node(node.node).opcode == Opcode::CallFunction && !isKnownFunction(wanted) &&
            !wanted.isHigherOrder() && std::ranges::none_of(sourceFunctions(edit.model()), isWanted))
            throw Error("", "no function named '" + wanted.name() + "' is known");
        callInstead(edit, node.node, wanted);
    });
}

} // namespace fx::ui
