// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/pt2/pt2_lift.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/codegen/written_names.h"
#include "core/io/pt2/pt2_dialect.h"
#include "core/io/pt2/pt2_flat_inputs.h"
#include "core/io/pt2/pt2_unlift.h"
#include "core/io/tree_spec_json.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace fx {

namespace {

const Target kCopy = "torch.ops.aten.copy_.default";

/// The leaves of nested results, and the shape that they had.
TreeSpec flattened(const Argument& value, Arguments& leaves) {
    TreeSpec spec;
    const auto add = [&](const Argument& item) { spec.children.push_back(flattened(item, leaves)); };
    if (const auto* dict = value.as<DictValue>()) {
        spec.kind = TreeSpec::Kind::Dict;
        spec.type = "builtins.dict";
        for (const auto& [key, item] : dict->items) {
            spec.keys.push_back(key);
            add(item);
        }
    } else if (value.as<ListValue>() || value.as<TupleValue>()) {
        const bool isList = value.as<ListValue>();
        spec.kind = isList ? TreeSpec::Kind::List : TreeSpec::Kind::Tuple;
        spec.type = isList ? "builtins.list" : "builtins.tuple";
        for (const Argument& item : *value.items())
            add(item);
    } else if (value.as<NamedTupleValue>()) {
        throw Error("output", "holds the named tuple " +
                                  pythonRepr(value.as<NamedTupleValue>()->type.name()) +
                                  ", whose class torch.export.load would have to know")
            .hint("return a tuple or a dict");
    } else {
        leaves.push_back(value);
    }
    return spec;
}

TreeSpec tupleOf(std::vector<TreeSpec> children) {
    TreeSpec out;
    out.kind = TreeSpec::Kind::Tuple;
    out.type = "builtins.tuple";
    out.children = std::move(children);
    return out;
}

TreeSpec noKeywords() {
    TreeSpec out;
    out.kind = TreeSpec::Kind::Dict;
    out.type = "builtins.dict";
    return out;
}

/// The model with each item of a value read once.
Model withSingleItems(Model model) {
    Edit edit(model, Edit::WithoutHistory());
    mergeEqualGetItems(edit);
    edit.finish();
    return model;
}

class Lifting {
public:
    Lifting(Model model, const Pt2Record& record)
        : m_source(withSingleItems(std::move(model))), m_graph(m_source.graph()),
          m_record(record), m_out{m_source.withEmptyRootGraph(), {}, {}, {}},
          m_edit(m_out.model, Edit::WithoutHistory()) {}

    LiftedProgram run() {
        findMutations();
        for (const Node& node : m_graph)
            if (!isState(node) && node.opcode != Opcode::Placeholder)
                m_names.insert(node.name);
        std::vector<std::string> inputs;
        for (const Node& node : m_graph)
            if (node.opcode == Opcode::Placeholder)
                inputs.push_back(inputName(node, inputs.size()));
        for (const Node& node : m_graph)
            if (isState(node))
                addState(node);
        for (const Node& node : m_graph)
            if (node.opcode == Opcode::Placeholder)
                addInput(node, inputs[m_inputs.size()]);
        for (const Node& node : m_graph)
            if (node.opcode != Opcode::Placeholder && node.opcode != Opcode::Output && !isState(node) &&
                !m_mutations.contains(node.id))
                copy(node);
        addOutputs();
        m_edit.finish();
        return std::move(m_out);
    }

private:
    /// Whether the node reads a tensor of the model.
    bool isState(const Node& node) const {
        return node.opcode == Opcode::GetAttr && m_source.resolve(m_source.root(), node.target.name()).tensor;
    }

    // --- The copies that unlift() puts at the end; those of the program itself say where they come from.

    void findMutations() {
        const NodeId output = m_graph.outputNode();
        if (!output)
            throw Error("the graph", "has no output, which torch.export's programs have");
        std::vector<NodeId> last;
        for (const Node& node : m_graph)
            if (node.opcode != Opcode::Output)
                last.push_back(node.id);
        while (!last.empty() && isMutation(m_graph.node(last.back()))) {
            m_mutations.insert(last.back());
            last.pop_back();
        }
    }

    bool isMutation(const Node& node) const {
        if (node.target != kCopy || node.args.size() != 2 || !node.kwargs.empty() || !node.args[0].node() ||
            !node.args[1].node() || node.meta.find(meta::kStackTrace) || node.meta.find(meta::kModuleStack) ||
            node.meta.find(meta::kTorchFunction))
            return false;
        const Node& written = m_graph.node(node.args[0].node());
        const bool isKnown =
            written.opcode == Opcode::Placeholder ||
            (isState(written) &&
             m_source.resolve(m_source.root(), written.target.name()).role != TensorRole::Constant);
        return isKnown && std::all_of(node.users.begin(), node.users.end(), [&](NodeId user) {
                   return m_graph.node(user).opcode == Opcode::Output;
               });
    }

    // --- Inputs

    std::string freshName(const std::string& wanted) {
        std::string out = wanted;
        for (int number = 1; !m_names.insert(out).second; ++number)
            out = wanted + '_' + std::to_string(number);
        return out;
    }

    std::string stateName(const std::string& path, TensorRole role) {
        const auto known = m_record.state.find(path);
        if (known != m_record.state.end())
            return freshName(known->second);
        std::string out = role == TensorRole::Parameter ? "p_" : role == TensorRole::Constant ? "c_" : "b_";
        for (const char c : path)
            out += std::isalnum(static_cast<unsigned char>(c))
                       ? static_cast<char>(std::tolower(static_cast<unsigned char>(c)))
                       : '_';
        return freshName(out);
    }

    NodeId newPlaceholder(const std::string& name) {
        const NodeId out = m_edit.createNode(Opcode::Placeholder, name, {}, {}, name);
        m_edit.setName(out, name);
        return out;
    }

    void setStateValue(NodeId made, const TensorMeta& now) {
        const auto* recorded = m_edit.node(made).meta.find<ValueMeta>(meta::kValue);
        const auto* before = recorded ? std::get_if<TensorMeta>(&recorded->value) : nullptr;
        if (!before || before->dtype != now.dtype || before->shape != now.shape)
            m_edit.setMeta(made, kIsAnother, true);
        m_edit.setMeta(made, meta::kValue, ValueMeta{now});
    }

    void addState(const Node& node) {
        const std::string& path = node.target.name();
        const auto known = m_state.find(path);
        if (known != m_state.end()) {
            m_nodes[node.id] = known->second;
            return;
        }
        const Attribute found = m_source.resolve(m_source.root(), path);
        const NodeId made = newPlaceholder(stateName(path, found.role));
        for (const auto& [key, value] : node.meta.entries())
            m_edit.setMeta(made, key, value);
        setStateValue(made, m_source.tensor(found.tensor).meta());
        m_nodes[node.id] = made;
        m_state[path] = made;
        using Kind = Pt2Input::Kind;
        const Kind kind = found.role == TensorRole::Parameter  ? Kind::Parameter
                          : found.role == TensorRole::Constant ? Kind::Constant
                                                               : Kind::Buffer;
        m_out.signature.inputs.push_back(
            {kind, m_edit.node(made).name, path, found.role != TensorRole::TransientBuffer});
    }

    /// As it was in the file, where a name that Python has for itself was one: "input".
    std::string inputName(const Node& node, size_t index) {
        const std::string& wanted = node.target.name();
        const bool wasNamed = index < m_record.inputs.size() && m_record.inputs[index] == wanted;
        if (wasNamed && isWrittenBare(wanted) && m_names.insert(wanted).second)
            return wanted;
        return freshName(node.name);
    }

    void addInput(const Node& node, const std::string& name) {
        if (!node.args.empty())
            m_out.notes.push_back("the default value of the input '" + node.name + "' is not in a .pt2");
        const NodeId made = newPlaceholder(name);
        for (const auto& [key, value] : node.meta.entries())
            m_edit.setMeta(made, key, value);
        m_nodes[node.id] = made;
        m_inputs.push_back(name);
        m_out.signature.inputs.push_back({Pt2Input::Kind::User, name, {}, true});
    }

    // --- Calls and outputs

    Argument mapped(NodeId id) const { return m_nodes.at(id); }

    void copy(const Node& node) {
        const NodeId made = m_edit.nodeCopy(node, [&](NodeId id) { return mapped(id); });
        m_edit.setName(made, node.name);
        m_nodes[node.id] = made;
    }

    void addOutputs() {
        using Kind = Pt2Output::Kind;
        Arguments results, outputs;
        const Node& output = m_graph.node(m_graph.outputNode());
        const TreeSpec shape = flattened(output.args.empty() ? Argument() : output.args[0], results);
        for (const Node& node : m_graph) {
            if (!m_mutations.contains(node.id))
                continue;
            const Node& written = m_graph.node(node.args[0].node());
            const NodeId value = m_nodes.at(node.args[1].node());
            m_nodes[node.id] = value;
            const bool isInput = written.opcode == Opcode::Placeholder;
            const Attribute state = m_source.resolve(m_source.root(), written.target.name());
            m_out.signature.outputs.push_back(
                {isInput                               ? Kind::InputMutation
                 : state.role == TensorRole::Parameter ? Kind::ParameterMutation
                                                       : Kind::BufferMutation,
                 m_edit.node(value).name,
                 isInput ? m_edit.node(m_nodes.at(written.id)).name : written.target.name()});
            outputs.emplace_back(value);
        }
        for (const Argument& result : results) {
            outputs.push_back(mapNodes(result, [&](NodeId id) { return mapped(id); }));
            const NodeId node = outputs.back().node();
            m_out.signature.outputs.push_back({Kind::User, node ? m_edit.node(node).name : "", {}});
        }
        const NodeId made = m_edit.output(TupleValue{std::move(outputs)});
        for (const auto& [key, value] : output.meta.entries())
            if (key != meta::kValue)
                m_edit.setMeta(made, key, value);
        m_out.signature.call = callFor(shape, results.size());
    }

    // --- How it is called

    Signature callFor(const TreeSpec& results, size_t resultCount) {
        Signature out;
        if (const auto& given = m_graph.signature())
            out = *given;
        const bool isFit = m_graph.signature() && out.inputs.leafCount() == m_inputs.size();
        if (!isFit) {
            if (m_graph.signature())
                m_out.notes.push_back("inputs came or went, so that the program takes them one by one");
            out.argumentNames = m_inputs;
            out.inputs = tupleOf({tupleOf(std::vector<TreeSpec>(m_inputs.size())), noKeywords()});
            out.inputsText.clear();
        } else if (!out.hasKeywords()) {
            TreeSpec args = out.inputs;
            if (args.kind != TreeSpec::Kind::Tuple)
                args = tupleOf({args});
            out.inputs = tupleOf({std::move(args), noKeywords()});
            out.inputsText.clear();
        }
        if (!out.outputs || out.outputs->leafCount() != resultCount) {
            out.outputs = results;
            out.outputsText.clear();
        }
        if (out.inputsText.empty())
            out.inputsText = treeSpecText(out.inputs, "inputs");
        if (out.outputsText.empty())
            out.outputsText = treeSpecText(*out.outputs, "output");
        return out;
    }

    const Model m_source;
    const Graph& m_graph;
    const Pt2Record& m_record;
    LiftedProgram m_out;
    Edit m_edit;
    std::set<NodeId> m_mutations;
    std::set<std::string> m_names; ///< of all nodes made and to be made
    std::map<std::string, NodeId> m_state;
    NodeMap m_nodes; ///< those made by those of the source
    std::vector<std::string> m_inputs;
};

} // namespace

LiftedProgram lift(const OpenedModel& opened, const Pt2Record& record) {
    requireExported(opened.model);
    FlatInputs inputs = withFlatInputs(opened.model);
    LiftedProgram out = Lifting(inputs.model, record).run();
    if (opened.examples)
        out.examples = [given = opened.examples, inputs = std::move(inputs)] {
            return flatExamples(inputs, given());
        };
    return out;
}

} // namespace fx
