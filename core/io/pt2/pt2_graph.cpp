// SPDX-License-Identifier: GPL-3.0-or-later
// Follows the order in which torch's own reader makes nodes, since names depend on it.
#include "core/io/pt2/pt2_graph.h"

#include "core/base/text.h"
#include "core/io/pt2/pt2_dialect.h"
#include "core/io/pt2/pt2_meta.h"
#include "core/ir/dtype.h"
#include "core/torch/bind/operators.h"

#include <ATen/core/function_schema.h>

#include <set>
#include <unordered_map>

namespace fx {

namespace {

Target targetOf(const std::string& text) {
    return text.starts_with("_operator.") ? Target(text.substr(1)) : Target(text);
}

bool isPythonKeyword(const std::string& name) {
    static const std::set<std::string_view> kNames = {"from", "in",  "is",  "lambda", "if",
                                                      "for",  "not", "and", "or"};
    return kNames.contains(name);
}

class GraphReader {
public:
    GraphReader(const JsonDocument& json, const Pt2Signature& signature, Edit& edit,
                std::vector<std::string>& notes, Progress& progress)
        : m_json(json), m_signature(signature), m_edit(edit), m_notes(notes), m_progress(progress) {}

    void read(const Json& graph) {
        const Pt2Values values(m_json, graph, m_symbols);
        std::unordered_map<std::string, NodeId> nodes;
        // A nested graph has its own names; the outer ones come back when it is read.
        const Pt2Values* outerValues = std::exchange(m_values, &values);
        std::swap(nodes, m_nodes);
        readInputs(m_json.array(m_json.member(graph, "inputs")));
        const Json& list = m_json.array(m_json.member(graph, "nodes"));
        size_t count = 0;
        for (const Json& node : list) {
            if (++count % 256 == 0)
                m_progress.step(0.3 + 0.5 * static_cast<double>(count) / static_cast<double>(list.size()),
                                "nodes");
            readNode(node);
        }
        readOutputs(graph);
        std::swap(nodes, m_nodes);
        m_values = outerValues;
    }

private:
    // --- Names and values

    NodeId lookUp(const Json& name) {
        const auto found = m_nodes.find(m_json.string(name));
        if (found == m_nodes.end())
            m_json.fail(name, "names the value " + pythonRepr(m_json.string(name)) +
                                  ", which nothing before it makes");
        return found->second;
    }

    void setValue(NodeId node, ValueMeta value) { m_edit.setMeta(node, meta::kValue, std::move(value)); }

    /// The node is the value `name`: it is called so, even where that name is reserved or taken.
    void identify(const Json& at, const std::string& name, NodeId node) {
        if (!m_nodes.emplace(name, node).second)
            m_json.fail(at, "makes the value " + pythonRepr(name) + " a second time");
        m_edit.setName(node, name);
        setValue(node, m_values->meta(name));
    }

    // --- Inputs and outputs of a graph

    void readInputs(const Json& inputs) {
        size_t index = 0;
        for (const Json& input : inputs) {
            const auto [kind, value] = m_json.variant(input);
            if (kind == "as_tensor" || kind == "as_custom_obj" || kind == "as_sym_int" ||
                kind == "as_sym_float" || kind == "as_sym_bool") {
                const Json* name = m_json.find(*value, kind.starts_with("as_sym") ? "as_name" : "name");
                if (!name)
                    m_json.fail(input, "is an input without a name");
                identify(input, m_json.string(*name), m_edit.placeholder(m_json.string(*name)));
            } else {
                std::string name = index < m_signature.inputs.size() ? m_signature.inputs[index].name : "";
                if (name.empty())
                    name = "arg" + std::to_string(index);
                setValue(m_edit.placeholder(name), {argument(input)});
            }
            ++index;
        }
    }

    void readOutputs(const Json& graph) {
        Arguments outputs;
        std::vector<ValueMeta> values;
        for (const Json& output : m_json.array(m_json.member(graph, "outputs"))) {
            outputs.push_back(argument(output));
            const NodeId node = outputs.back().node();
            const auto* value = node ? m_edit.node(node).meta.find<ValueMeta>(meta::kValue) : nullptr;
            values.push_back(value ? *value : ValueMeta{outputs.back()});
        }
        const Json* single = m_json.find(graph, "is_single_tensor_return");
        if (single && m_json.boolean(*single)) {
            if (outputs.size() != 1)
                m_json.fail(graph, "should have one output");
            setValue(m_edit.output(outputs[0]), values[0]);
            return;
        }
        setValue(m_edit.output(TupleValue{std::move(outputs)}), {std::move(values)});
    }

    // --- Arguments

    template <class Read>
    Argument list(const Json& value, const Read& read) {
        ListValue out;
        for (const Json& item : m_json.array(value))
            out.items.push_back(read(item));
        return out;
    }

    /// {"as_name": "s"} or {"as_int": 3} and its like.
    Argument symbolicArgument(const Json& value) {
        const auto [kind, content] = m_json.variant(value);
        if (kind == "as_name")
            return lookUp(*content);
        if (kind == "as_bool")
            return m_json.boolean(*content);
        return kind == "as_int" ? Argument(m_json.integer(*content)) : Argument(m_json.number(*content));
    }

    Argument optionalTensor(const Json& value) {
        const auto [kind, content] = m_json.variant(value);
        return kind == "as_tensor" ? Argument(lookUp(m_json.member(*content, "name"))) : Argument();
    }

    Argument tensor(const Json& value) { return lookUp(m_json.member(value, "name")); }

    /// A nested graph becomes a submodule, and a get_attr that reads it stands before its use.
    Argument nestedGraph(const Json& value) {
        const std::string name = m_json.string(m_json.member(value, "name"));
        const ModuleId outer = m_edit.module();
        const ModuleId inner = m_edit.createModule("torch.fx.graph_module.GraphModule", true);
        m_edit.enter(inner);
        read(m_json.member(value, "graph"));
        m_edit.enter(outer);
        m_edit.addSubmodule(name, inner);
        const NodeId node = m_edit.createNode(Opcode::GetAttr, name, {}, {}, name);
        m_graphReads.push_back(node);
        return node;
    }

    Argument customObject(const Json& value) {
        const Json& name = m_json.member(value, "name");
        if (const auto found = m_nodes.find(m_json.string(name)); found != m_nodes.end())
            return found->second;
        return OpaqueValue{"<object of " + m_json.string(m_json.member(value, "class_fqn")) + '>'};
    }

    Argument argument(const Json& value) {
        const auto [kind, content] = m_json.variant(value);
        const auto integer = [&](const Json& item) -> Argument { return m_json.integer(item); };
        const auto number = [&](const Json& item) -> Argument { return m_json.number(item); };
        const auto boolean = [&](const Json& item) -> Argument { return m_json.boolean(item); };
        const auto string = [&](const Json& item) -> Argument { return m_json.string(item); };
        const auto tensor = [&](const Json& item) { return this->tensor(item); };
        const auto symbolic = [&](const Json& item) { return symbolicArgument(item); };
        if (kind == "as_none")
            return {};
        if (kind == "as_tensor")
            return tensor(*content);
        if (kind == "as_tensors")
            return list(*content, tensor);
        if (kind == "as_int")
            return integer(*content);
        if (kind == "as_ints")
            return list(*content, integer);
        if (kind == "as_float")
            return number(*content);
        if (kind == "as_floats")
            return list(*content, number);
        if (kind == "as_bool")
            return boolean(*content);
        if (kind == "as_bools")
            return list(*content, boolean);
        if (kind == "as_string")
            return string(*content);
        if (kind == "as_strings")
            return list(*content, string);
        if (kind == "as_sym_int" || kind == "as_sym_float" || kind == "as_sym_bool")
            return symbolic(*content);
        if (kind == "as_sym_ints" || kind == "as_sym_floats" || kind == "as_sym_bools")
            return list(*content, symbolic);
        if (kind == "as_scalar_type")
            return pt2Dtype(m_json, *content);
        if (kind == "as_memory_format")
            return pt2MemoryFormat(m_json, *content);
        if (kind == "as_layout")
            return pt2Layout(m_json, *content);
        if (kind == "as_device")
            return pt2Device(m_json, *content);
        if (kind == "as_complex")
            return std::complex<double>(m_json.number(m_json.member(*content, "real")),
                                        m_json.number(m_json.member(*content, "imag")));
        if (kind == "as_graph")
            return nestedGraph(*content);
        if (kind == "as_optional_tensor")
            return optionalTensor(*content);
        if (kind == "as_optional_tensors")
            return list(*content, [&](const Json& item) { return optionalTensor(item); });
        if (kind == "as_nested_tensors")
            return list(*content, [&](const Json& item) { return list(item, tensor); });
        if (kind == "as_float_lists")
            return list(*content, [&](const Json& item) { return list(item, number); });
        if (kind == "as_int_lists")
            return list(*content, [&](const Json& item) -> Argument {
                return TupleValue{*list(item, integer).items()};
            });
        if (kind == "as_custom_obj")
            return customObject(*content);
        if (kind == "as_operator")
            return FunctionValue{targetOf(m_json.string(*content))};
        if (kind == "as_string_to_argument") {
            DictValue dict;
            for (const auto& [key, item] : m_json.object(*content).items())
                dict.items.emplace_back(key, argument(item));
            return dict;
        }
        m_json.fail(value, "is an argument of the unknown kind '" + kind + "'");
    }

    struct NamedArgument {
        std::string name;
        const Json* value;
        int64_t kind; ///< 1 positional, 2 keyword, 0 not said by older files
    };

    std::vector<NamedArgument> namedArguments(const Json& node) {
        std::vector<NamedArgument> out;
        for (const Json& input : m_json.array(m_json.member(node, "inputs"))) {
            const Json* name = m_json.find(input, "name");
            const Json* kind = m_json.find(input, "kind");
            out.push_back({name ? m_json.string(*name) : "", &m_json.member(input, "arg"),
                           kind ? m_json.integer(*kind) : 0});
        }
        return out;
    }

    /// Arguments of a function without schema: only what is said to be a keyword is one.
    void plainArguments(const Json& node, Arguments& args, Keywords& kwargs) {
        for (const NamedArgument& input : namedArguments(node)) {
            if (input.kind == 1 || input.name.empty())
                args.push_back(argument(*input.value));
            else
                kwargs.emplace_back(input.name, argument(*input.value));
        }
    }

    /// Arguments of an operator. Files that do not say which are keywords leave it to the schema.
    void operatorArguments(const Json& node, const TorchOperator* op, Arguments& args, Keywords& kwargs) {
        for (const NamedArgument& input : namedArguments(node)) {
            Argument value = argument(*input.value);
            bool isPositional = input.kind == 1 || isPythonKeyword(input.name);
            if (input.kind == 0 && op) {
                const auto index = op->schema->argumentIndexWithName(input.name);
                const c10::Argument* parameter =
                    index ? &op->schema->arguments()[static_cast<size_t>(*index)] : nullptr;
                isPositional |= parameter && !parameter->default_value() && !parameter->kwarg_only();
            } else if (input.kind == 0) {
                isPositional = true;
            }
            if (isPositional)
                args.push_back(std::move(value));
            else
                kwargs.emplace_back(input.name, std::move(value));
        }
    }

    // --- Nodes

    const Json& outputsOf(const Json& node) { return m_json.array(m_json.member(node, "outputs")); }

    /// The name of an output that is one value; empty for lists and None.
    std::string outputName(const Json& output) {
        const auto [kind, content] = m_json.variant(output);
        if (!content->is_object())
            return {};
        const Json* name = m_json.find(*content, kind.starts_with("as_sym") ? "as_name" : "name");
        return name ? m_json.string(*name) : std::string();
    }

    bool isSingleReturn(const Json& node) {
        const Json* flag = m_json.find(node, "is_hop_single_tensor_return");
        return flag && m_json.boolean(*flag);
    }

    /// The name that the node asks for. Older files do not have it, and name a node after its one value.
    std::optional<std::string> wantedName(const Json& node, Target target, const TorchOperator* op) {
        if (const Json* name = m_json.find(node, "name"); name && !m_json.string(*name).empty())
            return m_json.string(*name);
        const Json& outputs = outputsOf(node);
        if (outputs.size() != 1)
            return std::nullopt;
        const bool isOneTensor =
            op ? op->schema->returns().size() == 1 &&
                     op->schema->returns()[0].real_type()->kind() == c10::TypeKind::TensorType
               : !target.isHigherOrder() || isSingleReturn(node);
        const std::string name = outputName(outputs[0]);
        if (name.empty() || !(isOneTensor || isSymbolicFunction(target)))
            return std::nullopt;
        return name;
    }

    void readNode(const Json& node) {
        const std::string targetText = m_json.string(m_json.member(node, "target"));
        const Target target = targetOf(targetText);
        const bool isSymbolic = isSymbolicFunction(target);
        const bool isHigherOrder = target.isHigherOrder();
        const TorchOperator* op = isSymbolic || isHigherOrder ? nullptr : findOperator(target);
        if (!op && !isSymbolic && !isHigherOrder && m_unknown.insert(targetText).second)
            m_notes.push_back("the operator " + targetText +
                              " is not known here: it is shown, and fails when it runs");

        Arguments args;
        Keywords kwargs;
        m_graphReads.clear();
        if (isSymbolic)
            for (const NamedArgument& input : namedArguments(node))
                args.push_back(argument(*input.value));
        else if (isHigherOrder || !target.isOperatorOverload())
            plainArguments(node, args, kwargs);
        else
            operatorArguments(node, op, args, kwargs);
        const std::vector<NodeId> graphReads = std::move(m_graphReads);

        const std::optional<std::string> name = wantedName(node, target, op);
        const NodeId id = m_edit.createNode(Opcode::CallFunction, target, std::move(args), std::move(kwargs),
                                            name ? std::optional<std::string_view>(*name) : std::nullopt);
        readResults(node, id, isHigherOrder);
        setMetadata(node, id);
        // The file has no metadata for reading a nested graph; it belongs where it is used.
        for (NodeId read : graphReads)
            setMetadata(node, read);
    }

    void setMetadata(const Json& node, NodeId id) {
        forEachPt2Meta(m_json, m_json.member(node, "metadata"), [&](std::string_view key, MetaValue value) {
            m_edit.setMeta(id, key, std::move(value));
        });
    }

    void readResults(const Json& node, NodeId id, bool isHigherOrder) {
        const Json& outputs = outputsOf(node);
        if (outputs.empty())
            return;
        if (outputs.size() == 1) {
            const auto [kind, content] = m_json.variant(outputs[0]);
            const std::string name = outputName(outputs[0]);
            if (kind == "as_none" && content->is_boolean()) {
                // Nothing is returned; the node takes a name that says so.
                m_edit.rename(id, nameFromTarget(m_edit.node(id).target, true) + "_unused");
                setValue(id, {NoneValue()});
                return;
            }
            if (!name.empty() && isHigherOrder && !isSingleReturn(node)) {
                std::vector<ValueMeta> values;
                getItem(node, id, name, 0, values);
                finishItems(id, std::move(values));
                return;
            }
            if (!name.empty()) {
                identify(node, name, id);
                return;
            }
            std::vector<ValueMeta> values;
            getItems(node, id, *content, values);
            finishItems(id, std::move(values));
            return;
        }
        std::vector<ValueMeta> values;
        getItems(node, id, outputs, values);
        finishItems(id, std::move(values));
    }

    void finishItems(NodeId id, std::vector<ValueMeta> values) {
        setValue(id, {std::move(values)});
        m_nodes[m_edit.node(id).name] = id;
    }

    void getItem(const Json& node, NodeId from, const std::string& name, int64_t index,
                 std::vector<ValueMeta>& values) {
        const NodeId item =
            m_edit.createNode(Opcode::CallFunction, "operator.getitem", {from, index}, {}, name);
        identify(node, name, item);
        values.push_back(m_values->meta(name));
        setMetadata(node, item);
    }

    /// A getitem node for each of several results, nested as they are.
    void getItems(const Json& node, NodeId from, const Json& results, std::vector<ValueMeta>& values) {
        int64_t index = -1;
        for (const Json& result : m_json.array(results)) {
            ++index;
            // Inside a list the items are bare: {"name": "x"}, {"as_name": "s"}, 3.
            if (result.is_object() && (result.contains("name") || result.contains("as_name"))) {
                getItem(node, from, m_json.string(*result.begin()), index, values);
                continue;
            }
            if (!result.is_object()) {
                values.push_back({scalar(result)});
                continue;
            }
            const auto [kind, content] = m_json.variant(result);
            if (const std::string name = outputName(result); !name.empty()) {
                getItem(node, from, name, index, values);
            } else if (kind == "as_none") {
                const NodeId item =
                    m_edit.createNode(Opcode::CallFunction, "operator.getitem", {from, index}, {}, "as_none");
                setValue(item, {NoneValue()});
                setMetadata(node, item);
                values.push_back({NoneValue()});
            } else if (content->is_array()) {
                const NodeId items =
                    m_edit.createNode(Opcode::CallFunction, "operator.getitem", {from, index});
                std::vector<ValueMeta> inner;
                getItems(node, items, *content, inner);
                setMetadata(node, items);
                setValue(items, {inner});
                values.push_back({std::move(inner)});
            } else {
                values.push_back({scalar(*content)});
            }
        }
    }

    Argument scalar(const Json& value) {
        if (value.is_boolean())
            return value.get<bool>();
        if (value.is_number_integer())
            return m_json.integer(value);
        if (value.is_number())
            return m_json.number(value);
        if (value.is_string())
            return value.get<std::string>();
        m_json.fail(value, "is a result of an unknown kind");
    }

    const JsonDocument& m_json;
    const Pt2Signature& m_signature;
    Edit& m_edit;
    std::vector<std::string>& m_notes;
    Progress& m_progress;
    SymbolicText m_symbols;
    const Pt2Values* m_values = nullptr;
    std::unordered_map<std::string, NodeId> m_nodes;
    std::vector<NodeId> m_graphReads; ///< the get_attr nodes made for the arguments being read
    std::set<std::string> m_unknown;
};

} // namespace

void readPt2Graph(const JsonDocument& json, const Json& graph, const Pt2Signature& signature, Edit& edit,
                  std::vector<std::string>& notes, Progress& progress) {
    GraphReader(json, signature, edit, notes, progress).read(graph);
}

} // namespace fx
