// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/torch/plain_call.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/module/edit.h"
#include "core/module/known_faults.h"

namespace fx {

namespace {

constexpr const char* kOtherForms = "export a folder, or a .pt2 where all calls are operators of torch.ops";

class PlainForm {
public:
    explicit PlainForm(Edit& edit) : m_edit(edit), m_signature(*edit.graph().signature()) {}

    void run() {
        for (const Node& node : m_edit.graph())
            if (node.opcode == Opcode::Placeholder)
                m_leaves.push_back(node.id);
        takeApart();
        if (m_signature.outputs)
            putTogether();
        m_edit.setSignature(std::nullopt);
    }

private:
    // --- Inputs

    void takeApart() {
        if (m_signature.inputs.leafCount() != m_leaves.size())
            throw Error("signature", "describes " + plural(m_signature.inputs.leafCount(), "input") +
                                         ", and the graph has " + std::to_string(m_leaves.size()));
        std::vector<std::pair<std::string, const TreeSpec*>> parameters;
        const bool hasKeywords = m_signature.hasKeywords();
        const TreeSpec& given = hasKeywords ? m_signature.inputs.children[0] : m_signature.inputs;
        for (size_t i = 0; i < given.children.size(); ++i)
            parameters.emplace_back(i < m_signature.argumentNames.size() ? m_signature.argumentNames[i]
                                                                         : "arg_" + std::to_string(i),
                                    &given.children[i]);
        if (hasKeywords) {
            const TreeSpec& keywords = m_signature.inputs.children[1];
            for (size_t i = 0; i < keywords.children.size(); ++i) {
                const auto* key = keywords.keys[i].as<std::string>();
                parameters.emplace_back(key ? *key : "", &keywords.children[i]);
            }
        }
        size_t next = 0;
        for (const auto& [name, spec] : parameters) {
            if (spec->kind == TreeSpec::Kind::Leaf) {
                m_after = m_leaves[next++];
                continue;
            }
            NodeId whole;
            {
                const auto at =
                    m_after ? m_edit.insertingAfter(m_after) : m_edit.insertingBefore(m_edit.graph().first());
                whole = m_edit.placeholder(name);
            }
            m_after = whole;
            takeItems(whole, *spec, next, name);
        }
        // Placeholders come first; what takes them apart follows.
        for (const auto& [leaf, whole, path] : m_parts)
            readItem(leaf, whole, path);
    }

    void takeItems(NodeId whole, const TreeSpec& spec, size_t& next, const std::string& name,
                   Arguments path = {}) {
        if (spec.kind == TreeSpec::Kind::Leaf) {
            m_parts.emplace_back(m_leaves[next++], whole, std::move(path));
            return;
        }
        if (spec.kind == TreeSpec::Kind::Other)
            throw Error("input '" + name + "'",
                        "is made of " + pythonRepr(spec.type) + ", which a graph cannot take apart")
                .hint(kOtherForms);
        for (size_t i = 0; i < spec.children.size(); ++i) {
            Arguments inner = path;
            inner.push_back(spec.kind == TreeSpec::Kind::Dict ? spec.keys[i]
                                                              : Argument(static_cast<int64_t>(i)));
            takeItems(whole, spec.children[i], next, name, std::move(inner));
        }
    }

    void readItem(NodeId leaf, NodeId whole, const Arguments& path) {
        const std::string name = m_edit.node(leaf).name;
        const auto meta = m_edit.node(leaf).meta;
        NodeId value = whole;
        for (const Argument& key : path) {
            const auto at = m_edit.insertingAfter(m_after);
            value = m_edit.callFunction("operator.getitem", {value, key});
            m_after = value;
        }
        m_edit.replaceAllUsesWith(leaf, value);
        m_edit.eraseNode(leaf);
        m_edit.setName(value, name);
        for (const auto& [key, known] : meta.entries())
            m_edit.setMeta(value, key, known);
    }

    // --- Outputs

    void putTogether() {
        const NodeId output = m_edit.graph().outputNode();
        if (!output || m_edit.node(output).args.empty())
            throw Error("output", "gives nothing");
        const Argument result = m_edit.node(output).args[0];
        const Arguments* leaves = result.items();
        const Arguments single{result};
        if (!leaves)
            leaves = &single;
        if (m_signature.outputs->leafCount() != leaves->size())
            throw Error("signature", "describes " + plural(m_signature.outputs->leafCount(), "output") +
                                         ", and the graph has " + std::to_string(leaves->size()));
        size_t next = 0;
        m_edit.setArgs(output, {nested(*m_signature.outputs, *leaves, next)});
    }

    static Argument nested(const TreeSpec& spec, const Arguments& leaves, size_t& next) {
        if (spec.kind == TreeSpec::Kind::Leaf)
            return leaves[next++];
        Arguments items;
        for (const TreeSpec& child : spec.children)
            items.push_back(nested(child, leaves, next));
        if (spec.type == "builtins.dict") {
            DictValue dict;
            for (size_t i = 0; i < items.size(); ++i)
                dict.items.emplace_back(spec.keys[i], std::move(items[i]));
            return dict;
        }
        if (spec.type == "builtins.list")
            return ListValue{std::move(items)};
        if (spec.type != "builtins.tuple")
            throw Error("output", "is made of " + pythonRepr(spec.type) + ", which a graph cannot make")
                .hint(kOtherForms);
        return TupleValue{std::move(items)};
    }

    Edit& m_edit;
    const Signature m_signature;
    std::vector<NodeId> m_leaves;
    std::vector<std::tuple<NodeId, NodeId, Arguments>> m_parts; ///< a leaf, and where in which value it is
    NodeId m_after;
};

} // namespace

Model withPlainCalls(const Model& model) {
    Model out = model;
    Edit edit(out, Edit::WithoutHistory());
    for (ModuleId module : graphsOf(out)) {
        edit.enter(module);
        if (edit.graph().signature())
            PlainForm(edit).run();
    }
    edit.finish();
    return out;
}

} // namespace fx
