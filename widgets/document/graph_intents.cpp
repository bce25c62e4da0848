// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/graph_intents.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/torch/bind/call.h"
#include "widgets/document/argument_text_edit.h"
#include "widgets/support/qt_text.h"

#include <algorithm>

namespace fx {

namespace {

QString nameOf(const GraphDocument& document, ModuleId module, NodeId node) {
    return qt(document.model().graph(module).node(node).name);
}

void requireInputBefore(const Edit& edit, NodeId producer, NodeId reader) {
    if (producer == reader || !edit.graph().precedes(producer, reader))
        throw Error("", edit.node(producer).name + " comes after " + edit.node(reader).name +
                            ", so its value is not there yet")
            .hint("move it first");
    if (edit.node(producer).opcode == Opcode::Output)
        throw Error("", "the output has no value to read");
}

void rewireIn(Edit& edit, NodeId reader, NodeId old, NodeId producer) {
    if (producer == old)
        return;
    requireInputBefore(edit, producer, reader);
    edit.replaceInputWith(reader, old, producer);
}

} // namespace

QString deleteNodes(GraphDocument& document, ModuleId module, const std::vector<NodeId>& nodes) {
    const QString title = nodes.size() == 1 ? "Delete " + nameOf(document, module, nodes[0])
                                            : QString("Delete %1 nodes").arg(nodes.size());
    return document.perform(title, module, [&](Edit& edit) {
        for (NodeId node : nodes)
            for (NodeId user : edit.node(node).users)
                if (std::find(nodes.begin(), nodes.end(), user) == nodes.end())
                    throw Error("", edit.node(node).name + " is read by " + edit.node(user).name)
                        .hint("rewire that first");
        // Readers go before what they read.
        std::vector<NodeId> order = nodes;
        std::sort(order.begin(), order.end(),
                  [&](NodeId a, NodeId b) { return edit.graph().precedes(b, a); });
        for (NodeId node : order) {
            if (edit.node(node).opcode == Opcode::Output)
                throw Error("", "a graph needs its output");
            if (edit.node(node).opcode == Opcode::Placeholder && edit.graph().signature())
                throw Error("", "the inputs of this model are fixed by how it is called");
            edit.eraseNode(node);
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

QString reasonAgainstRewire(const GraphDocument& document, NodeRef reader, NodeId old, NodeId producer) {
    const Graph& graph = document.model().graph(reader.module);
    (void)old;
    if (producer == reader.node || !graph.precedes(producer, reader.node))
        return nameOf(document, reader.module, producer) + " comes after " +
               nameOf(document, reader.module, reader.node);
    if (graph.node(producer).opcode == Opcode::Output)
        return "the output has no value to read";
    return {};
}

QString setArgument(GraphDocument& document, NodeRef node, int index, const QString& key,
                    const QString& text) {
    const QString title = "Change argument of " + nameOf(document, node.module, node.node);
    return document.perform(title, node.module, [&](Edit& edit) {
        Argument value = parseArgument(utf8(text), edit.graph());
        forEachNode(value, [&](NodeId input) { requireInputBefore(edit, input, node.node); });
        if (key.isEmpty()) {
            const std::vector<Argument>& args = edit.node(node.node).args;
            if (index >= 0 && index < static_cast<int>(args.size()) &&
                args[static_cast<size_t>(index)] == value)
                return;
            edit.updateArg(node.node, static_cast<size_t>(index), std::move(value));
        } else {
            const Argument* before = edit.node(node.node).keyword(utf8(key));
            if (!before || !(*before == value))
                edit.updateKwarg(node.node, utf8(key), std::move(value));
        }
    });
}

QString setTarget(GraphDocument& document, NodeRef node, const QString& target) {
    const QString title = "Change target of " + nameOf(document, node.module, node.node);
    return document.perform(title, node.module, [&](Edit& edit) {
        const Target wanted(utf8(target.trimmed()));
        if (wanted == edit.node(node.node).target)
            return;
        if (edit.node(node.node).opcode == Opcode::CallFunction && !isKnownFunction(wanted) &&
            !wanted.isHigherOrder())
            throw Error("", "no function named '" + wanted.name() + "' is known");
        edit.setTarget(node.node, wanted);
    });
}

} // namespace fx
