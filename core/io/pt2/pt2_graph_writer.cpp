// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/pt2/pt2_graph_writer.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/pt2/pt2_dialect.h"
#include "core/io/pt2/pt2_value_writer.h"
#include "core/ir/names.h"
#include "core/torch/bind/operators.h"

#include <ATen/core/function_schema.h>
#include <ATen/core/jit_type.h>

#include <map>

namespace fx {

namespace {

constexpr int kPositional = 1, kKeyword = 2;

const Target kItem = "operator.getitem";

const ValueMeta* valueOf(const Node& node) {
    return node.meta.find<ValueMeta>(meta::kValue);
}

Json namedArgument(const std::string& name, Json value, int kind) {
    return {{"name", name}, {"arg", std::move(value)}, {"kind", kind}};
}

bool isJson(const std::string& text) {
    return Json::accept(text);
}

class GraphWriter {
public:
    GraphWriter(const Model& model, ModuleId module, const Pt2Record& record, Progress& progress)
        : m_model(model), m_module(module), m_graph(model.graph(module)), m_record(record),
          m_progress(progress), m_tables(record),
          m_arguments(m_graph, [this](const Node& node) { return nested(node); }) {}

    Json write() {
        Json inputs = Json::array(), nodes = Json::array();
        findItems();
        size_t count = 0;
        for (const Node& node : m_graph) {
            m_progress.step(0.1 + 0.3 * static_cast<double>(++count) / static_cast<double>(m_graph.size()),
                            "graph");
            if (node.opcode == Opcode::Placeholder)
                inputs.push_back(input(node));
            else if (node.opcode == Opcode::CallFunction && node.target != kItem)
                nodes.push_back(call(node));
        }
        Json out = {{"inputs", std::move(inputs)}};
        addOutputs(out);
        out["nodes"] = std::move(nodes);
        m_tables.addTo(out);
        return out;
    }

private:
    Json nested(const Node& node) const {
        const ModuleId inner = m_model.resolve(m_module, node.target.name()).module;
        return GraphWriter(m_model, inner, m_record, m_progress).write();
    }

    static std::string placeOf(const Node& node) { return "node '" + node.name + "'"; }

    /// The items of calls that give several values, by what they are read from.
    void findItems() {
        for (const Node& node : m_graph) {
            if (node.target != kItem || node.opcode != Opcode::CallFunction)
                continue;
            const NodeId from = node.args.empty() ? NodeId() : node.args[0].node();
            const auto* index = node.args.size() == 2 ? node.args[1].as<int64_t>() : nullptr;
            if (!from || !index || !node.kwargs.empty())
                throw Error(placeOf(node), "takes an item by something else than a number");
            m_items[{from, *index}] = node.id;
        }
    }

    const Node* itemOf(NodeId node, int64_t index) const {
        const auto item = m_items.find({node, index});
        return item == m_items.end() ? nullptr : &m_graph.node(item->second);
    }

    Json input(const Node& node) {
        const ValueMeta* value = valueOf(node);
        if (value && pt2KindOf(value) != Pt2Kind::None && !std::holds_alternative<Argument>(value->value))
            return m_tables.define(node.name, *value, placeOf(node));
        const auto* constant = value ? std::get_if<Argument>(&value->value) : nullptr;
        return m_arguments.write(constant ? *constant : Argument(), nullptr, placeOf(node));
    }

    void addOutputs(Json& graph) {
        const NodeId id = m_graph.outputNode();
        const Argument result = id && !m_graph.node(id).args.empty() ? m_graph.node(id).args[0] : Argument();
        const bool isSingle = bool(result.node());
        Json outputs = Json::array();
        if (isSingle)
            outputs.push_back(m_arguments.write(result, nullptr, "output"));
        else if (const Arguments* items = result.items())
            for (const Argument& item : *items)
                outputs.push_back(m_arguments.write(item, nullptr, "output"));
        else
            throw Error("output", "of a nested graph is no tensor and no tuple of them");
        graph["outputs"] = std::move(outputs);
        graph["is_single_tensor_return"] = isSingle;
    }

    // --- Calls

    Json call(const Node& node) {
        const TorchOperator* op = findOperator(node.target);
        const bool isNumber = valueOf(node) && std::holds_alternative<SymbolicScalar>(valueOf(node)->value);
        Json single;
        if (node.target.isHigherOrder())
            single = valueOf(node) && pt2KindOf(valueOf(node)) == Pt2Kind::Tensor;
        Json out = {{"target", node.target.qualifiedName()},
                    {"inputs", op                                 ? operatorInputs(node, *op)
                               : node.target.isOperatorOverload() ? unknownInputs(node)
                                                                  : plainInputs(node)}};
        out["outputs"] = isNumber || isSymbolicFunction(node.target) ? Json::array({result(node)})
                         : op                                        ? operatorOutputs(node, *op)
                                                                     : plainOutputs(node);
        out["metadata"] = metadata(node);
        out["is_hop_single_tensor_return"] = single;
        out["name"] = nameToWrite(node, out["outputs"]);
        return out;
    }

    /// torch renames calls that give None when it loads them, and counts on from what they were called.
    static std::string nameToWrite(const Node& node, const Json& outputs) {
        const std::string base = nameFromTarget(node.target, true);
        const bool isNothing = outputs.size() == 1 && outputs[0].contains("as_none");
        return isNothing && node.name.starts_with(base + "_unused") ? base : node.name;
    }

    Json operatorInputs(const Node& node, const TorchOperator& op) {
        Json out = Json::array();
        size_t position = 0, keywords = 0;
        for (const c10::Argument& parameter : op.schema->arguments()) {
            const Argument* keyword = node.keyword(parameter.name());
            const bool isGiven = !parameter.kwarg_only() && position < node.args.size();
            keywords += keyword != nullptr;
            if (!keyword && !isGiven)
                continue;
            const Argument& value = keyword ? *keyword : node.args[position++];
            out.push_back(namedArgument(parameter.name(),
                                        m_arguments.write(value, parameter.real_type().get(), placeOf(node)),
                                        keyword ? kKeyword : kPositional));
        }
        if (position < node.args.size() || keywords < node.kwargs.size())
            throw Error(placeOf(node),
                        "is called with arguments that " + node.target.name() + " does not take");
        return out;
    }

    /// Of an operator that is not known here, as it was called in the file.
    Json unknownInputs(const Node& node) {
        const auto known = m_record.operators.find(node.target.name());
        if (known == m_record.operators.end() || known->second.arguments.size() < node.args.size())
            throw Error(placeOf(node), "calls " + node.target.name() + ", which is not known here")
                .hint("load the library that registers it: --load-library")
                .code(ErrorCode::NeedsLibrary);
        Json out = plainInputs(node);
        for (size_t i = 0; i < node.args.size(); ++i)
            out[i]["name"] = known->second.arguments[i];
        return out;
    }

    /// Of a function without a schema.
    Json plainInputs(const Node& node) {
        Json out = Json::array();
        for (const Argument& value : node.args)
            out.push_back(namedArgument("", m_arguments.write(value, nullptr, placeOf(node)), kPositional));
        for (const auto& [name, value] : node.kwargs)
            out.push_back(namedArgument(name, m_arguments.write(value, nullptr, placeOf(node)), kKeyword));
        return out;
    }

    Json result(const Node& node) {
        const ValueMeta* value = valueOf(node);
        return m_tables.define(node.name, value ? *value : ValueMeta{NoneValue()}, placeOf(node));
    }

    /// The values of a list that `node` gives, each with the name of who reads it.
    Json tensorList(const std::string& name, NodeId node, const std::vector<ValueMeta>& values,
                    const std::string& place) {
        Json out = Json::array();
        for (size_t i = 0; i < values.size(); ++i) {
            const Node* item = node ? itemOf(node, static_cast<int64_t>(i)) : nullptr;
            const Json made =
                m_tables.define(item ? item->name : name + '_' + std::to_string(i), values[i], place);
            if (!made.contains("as_tensor"))
                throw Error(place, "gives a list of something else than tensors");
            out.push_back(made["as_tensor"]);
        }
        return {{"as_tensors", std::move(out)}};
    }

    Json several(const Node& node, const std::vector<ValueMeta>& values) {
        Json out = Json::array();
        for (size_t i = 0; i < values.size(); ++i) {
            const Node* item = itemOf(node.id, static_cast<int64_t>(i));
            const std::string name = item ? item->name : node.name + "_unused_" + std::to_string(i);
            if (const auto* inner = std::get_if<std::vector<ValueMeta>>(&values[i].value))
                out.push_back(tensorList(node.name + "_unused_" + std::to_string(i),
                                         item ? item->id : NodeId(), *inner, placeOf(node)));
            else
                out.push_back(m_tables.define(name, values[i], placeOf(node)));
        }
        return out;
    }

    Json operatorOutputs(const Node& node, const TorchOperator& op) {
        const auto& returns = op.schema->returns();
        if (returns.empty())
            return Json::array();
        const auto* values =
            valueOf(node) ? std::get_if<std::vector<ValueMeta>>(&valueOf(node)->value) : nullptr;
        const bool isList = returns.size() == 1 && returns[0].real_type()->kind() == c10::TypeKind::ListType;
        if (returns.size() == 1 && !isList)
            return Json::array({result(node)});
        if (!values)
            throw Error(placeOf(node), "gives several values, and it is not known which");
        if (isList)
            return Json::array({tensorList(node.name + "_unused", node.id, *values, placeOf(node))});
        if (values->size() != returns.size())
            throw Error(placeOf(node), "gives " + plural(returns.size(), "value") + ", and " +
                                           plural(values->size(), "value") + " are known of it");
        return several(node, *values);
    }

    Json plainOutputs(const Node& node) {
        const auto* values =
            valueOf(node) ? std::get_if<std::vector<ValueMeta>>(&valueOf(node)->value) : nullptr;
        const auto known = m_record.operators.find(node.target.name());
        if (values && known != m_record.operators.end() && known->second.givesList)
            return Json::array({tensorList(node.name + "_unused", node.id, *values, placeOf(node))});
        return values ? several(node, *values) : Json::array({result(node)});
    }

    // --- Metadata

    static bool isPart(const std::string& text) {
        int depth = 0;
        for (const char c : text) {
            depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
            if (c == ';' || (c == ',' && depth == 0))
                return false;
        }
        return depth == 0;
    }

    static std::string stackText(const ModuleStack& stack) {
        std::string out;
        for (const ModuleFrame& frame : stack) {
            if (!isPart(frame.key) || !isPart(frame.path) || !isPart(frame.type))
                return {};
            out += (out.empty() ? "" : ";") + frame.key + ',' + frame.path + ',' + frame.type;
        }
        return out;
    }

    /// "name,target" of each function, as torch takes it apart again.
    static bool isFunctionStack(const std::string& text) {
        for (std::string_view part : split(text, ';'))
            if (std::count(part.begin(), part.end(), ',') != 1)
                return false;
        return true;
    }

    Json metadata(const Node& node) const {
        Json out = Json::object();
        for (const auto& [key, value] : node.meta.entries()) {
            const MetaValue& held = value;
            if (const auto* stack = std::get_if<ModuleStack>(&held); stack && key == meta::kModuleStack) {
                if (std::string text = stackText(*stack); !text.empty())
                    out[key] = std::move(text);
                continue;
            }
            const auto* text = std::get_if<std::string>(&held);
            const bool isKept = text && (key == meta::kStackTrace || key == meta::kTorchFunction ||
                                         (key == meta::kSourceFunction && isFunctionStack(*text)) ||
                                         ((key == meta::kCustom || key == meta::kFromNode) && isJson(*text)));
            if (isKept)
                out[key] = *text;
        }
        return out;
    }

    const Model& m_model;
    const ModuleId m_module;
    const Graph& m_graph;
    const Pt2Record& m_record;
    Progress& m_progress;
    Pt2ValueTables m_tables;
    Pt2Arguments m_arguments;
    std::map<std::pair<NodeId, int64_t>, NodeId> m_items;
};

} // namespace

Json pt2GraphJson(const Model& model, ModuleId module, const Pt2Record& record, Progress& progress) {
    return GraphWriter(model, module, record, progress).write();
}

Json pt2ArgumentJson(const Model& model, const Argument& argument) {
    return Pt2Arguments(model.graph(), [](const Node&) { return Json(); })
        .write(argument, nullptr, "signature");
}

} // namespace fx
