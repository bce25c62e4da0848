// SPDX-License-Identifier: GPL-3.0-or-later
// torch.fx's printers. The table follows the "simple" style of Python's tabulate.
#include "core/ir/graph_text.h"

#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/base/unicode.h"
#include "core/ir/argument_text.h"
#include "core/ir/dtype.h"

#include <array>

namespace fx {

namespace {

NodeNames namesIn(const Graph& graph) {
    return [&graph](NodeId id) { return oneLine(graph.node(id).name); };
}

/// Cells and rules are measured in characters, not bytes.
size_t displayWidth(std::string_view utf8) {
    size_t width = 0;
    for (unsigned char c : utf8)
        width += (c & 0xC0) != 0x80;
    return width;
}

/// str() of a function object.
std::string functionObjectText(Target target) {
    const std::string& name = target.name();
    const std::string bare(target.functionName());
    if (target.isHigherOrder())
        return bare;
    if (name.starts_with("torch.ops."))
        return name.substr(10);
    for (std::string_view owner : {"operator.", "math.", "torch._C."})
        if (name.starts_with(owner))
            return "<built-in function " + bare + '>';
    if (!contains(name, "."))
        return "<built-in function " + bare + '>';
    if (name.starts_with("torch.Tensor."))
        return "<method '" + bare + "' of 'torch._C.TensorBase' objects>";
    // What hangs from torch itself is written in C++, with these exceptions.
    const bool isPython = bare.starts_with("sym_") || bare.starts_with("_sym_") || bare == "_assert" ||
                          bare.starts_with("_check");
    if (name == "torch." + bare && !isPython)
        return "<built-in method " + bare + " of type object>";
    return "<function " + bare + '>';
}

} // namespace

namespace {

/// As torch.fx lists it, which is how it prints itself: a TensorType is written in code by the sizes alone.
std::string listedType(std::string type) {
    const std::string_view kTensor = "torch.fx.tensor_type.TensorType[",
                           kUnknown = "torch.fx.tensor_type._DynType";
    for (size_t at; (at = type.find(kUnknown)) != std::string::npos;)
        type.replace(at, kUnknown.size(), "Dyn");
    if (!type.starts_with(kTensor) || !type.ends_with(']'))
        return type;
    const std::string sizes = type.substr(kTensor.size(), type.size() - kTensor.size() - 1);
    return "TensorType[(" + sizes + (sizes.find(',') == std::string::npos ? ",)]" : ")]");
}

void appendNode(std::string& out, const Node& node, const AppendName& name, bool withTensors) {
    if (node.opcode == Opcode::Output) {
        out += "return ";
        if (!node.args.empty())
            appendStr(out, node.args[0], name);
        return;
    }
    const bool isCall = node.opcode != Opcode::Placeholder && node.opcode != Opcode::GetAttr;
    const auto* value = isCall && withTensors ? node.meta.find<ValueMeta>(meta::kValue) : nullptr;
    const auto* tensor = value ? std::get_if<TensorMeta>(&value->value) : nullptr;
    const bool isDense =
        tensor && tensor->layout != c10::Layout::SparseCsc && tensor->layout != c10::Layout::SparseCsr;

    out += '%';
    out += oneLine(node.name);
    out += " : ";
    if (isDense)
        out += "Tensor \"" + std::string(dtypeAbbreviation(tensor->dtype)) + shapeText(tensor->shape) +
               shapeText(tensor->stride) + deviceText(tensor->device) + '"';
    else if (node.type)
        out += oneLine(listedType(*node.type)) + ' ';
    out += "[num_users=";
    out += std::to_string(node.users.size());
    out += "] = ";
    out += opcodeName(node.opcode);
    out += "[target=";
    if (node.opcode == Opcode::CallFunction && node.target.isBuiltin())
        out += "builtins.";
    out += oneLine(node.target.name());
    out += ']';
    if (isCall) {
        out += "(args = ";
        appendFormat(out, node.args, name);
        out += ", kwargs = ";
        appendFormat(out, node.kwargs, name);
        out += ')';
    } else if (node.opcode == Opcode::Placeholder && !node.args.empty()) {
        out += "(default=";
        appendStr(out, node.args[0], name);
        out += ')';
    }
}

AppendName namesOf(const Graph& graph) {
    return [&graph](std::string& out, NodeId id) { out += oneLine(graph.node(id).name); };
}

} // namespace

std::string formatNode(const Graph& graph, NodeId id, bool withTensors) {
    std::string out;
    appendNode(out, graph.node(id), namesOf(graph), withTensors);
    return out;
}

std::string graphText(const Graph& graph) {
    std::string out = "graph():";
    out.reserve(graph.size() * 96);
    const AppendName name = namesOf(graph);
    for (const Node& node : graph) {
        out += "\n    ";
        appendNode(out, node, name, false);
    }
    return out;
}

std::string tabularText(const Graph& graph, const std::function<std::string(Target)>& functionText) {
    constexpr size_t kColumns = 5;
    using Row = std::array<std::string, kColumns>;
    const NodeNames names = namesIn(graph);
    std::vector<Row> rows{{"opcode", "name", "target", "args", "kwargs"}};
    for (const Node& node : graph) {
        DictValue kwargs;
        for (const auto& [key, value] : node.kwargs)
            kwargs.items.emplace_back(key, value);
        const bool isFunction = node.opcode == Opcode::CallFunction;
        rows.push_back({std::string(opcodeName(node.opcode)), oneLine(node.name),
                        oneLine(!isFunction    ? node.target.name()
                                : functionText ? functionText(node.target)
                                               : functionObjectText(node.target)),
                        reprText(TupleValue{node.args}, names), reprText(kwargs, names)});
    }
    for (Row& row : rows)
        for (std::string& cell : row)
            cell = shownPart(cell); // as each row is as long as the longest
    // tabulate makes a column two characters wider than its header at least.
    std::array<size_t, kColumns> widths{};
    for (size_t column = 0; column < kColumns; ++column) {
        widths[column] = rows[0][column].size() + 2;
        for (const Row& row : rows)
            widths[column] = std::max(widths[column], displayWidth(row[column]));
    }

    std::string out;
    const auto writeLine = [&](const auto& cell) {
        std::string line;
        for (size_t column = 0; column < kColumns; ++column) {
            const std::string text = cell(column);
            line += (column ? "  " : "") + text + std::string(widths[column] - displayWidth(text), ' ');
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + '\n';
    };
    writeLine([&](size_t column) { return rows[0][column]; });
    writeLine([&](size_t column) { return std::string(widths[column], '-'); });
    for (size_t i = 1; i < rows.size(); ++i)
        writeLine([&](size_t column) { return rows[i][column]; });
    return out;
}

} // namespace fx
