// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/model_diff.h"

#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/base/unicode.h"
#include "core/codegen/statement_lines.h"
#include "core/compare/compare_text.h"
#include "core/ir/argument_text.h"
#include "core/module/scopes.h"

#include <ATen/ATen.h>

#include <map>
#include <unordered_map>

namespace fx {

namespace {

std::string nameIn(const Graph& graph, NodeId id) {
    return graph.node(id).name;
}

/// "relu = torch.relu(x)": a call as it reads, whatever its opcode.
std::string statement(const Graph& graph, const Node& node) {
    const auto name = [&](NodeId id) { return nameIn(graph, id); };
    std::vector<std::string> parts;
    for (const Argument& argument : node.args)
        parts.push_back(reprText(argument, name));
    for (const auto& [key, argument] : node.kwargs)
        parts.push_back(key + '=' + reprText(argument, name));
    if (node.opcode == Opcode::Output)
        return "return " + join(parts, ", ");
    const char* before = node.opcode == Opcode::CallModule || node.opcode == Opcode::GetAttr ? "self."
                         : node.opcode == Opcode::CallMethod                                 ? "."
                                                                                             : "";
    return node.name + " = " + before + node.target.name() +
           (node.opcode == Opcode::GetAttr || node.opcode == Opcode::Placeholder
                ? ""
                : '(' + join(parts, ", ") + ')');
}

class NodeDiffer {
public:
    NodeDiffer(const Graph& a, const Graph& b, const NodeMatch& match) : m_a(a), m_b(b) {
        for (const NodePair& pair : match.pairs)
            m_ofA.emplace(pair.a, pair.b);
    }

    std::optional<ChangedNode> differ(const NodePair& pair) const {
        const Node &a = m_a.node(pair.a), &b = m_b.node(pair.b);
        ChangedNode out;
        out.nodes = pair;
        out.isRenamed = a.name != b.name && a.opcode != Opcode::Output;
        out.isOtherCall = a.opcode != b.opcode || a.target != b.target;
        std::vector<NodeId> readA, readB;
        const std::string textA = arguments(a, readA, true), textB = arguments(b, readB, false);
        out.isRewired = readA != readB;
        out.hasOtherArguments = textA != textB;
        if (!out.isRenamed && !out.isOtherCall && !out.isRewired && !out.hasOtherArguments)
            return std::nullopt;
        out.before = statement(m_a, a);
        out.after = statement(m_b, b);
        return out;
    }

private:
    /// The arguments without the nodes, and these as nodes of the second graph; what has no partner there is
    /// none.
    std::string arguments(const Node& node, std::vector<NodeId>& read, bool isA) const {
        const auto note = [&](NodeId id) {
            const auto partner = m_ofA.find(id);
            read.push_back(!isA ? id : partner == m_ofA.end() ? NodeId() : partner->second);
            return std::string("%");
        };
        const std::string positional = formatText(node.args, note);
        return positional + ';' + formatText(node.kwargs, note);
    }

    const Graph &m_a, &m_b;
    std::unordered_map<NodeId, NodeId> m_ofA;
};

std::map<std::string, TensorId> tensorsOf(const Model& model) {
    std::map<std::string, TensorId> out;
    model.forEachModule(model.root(), [&](ModuleId id, const std::string& path) {
        for (const NamedTensor& tensor : model.module(id).tensors)
            if (tensor.tensor)
                out.emplace(path + (path.empty() ? "" : ".") + tensor.name, tensor.tensor);
    });
    return out;
}

std::map<std::string, std::string> modulesOf(const Model& model) {
    std::map<std::string, std::string> out;
    model.forEachModule(model.root(), [&](ModuleId id, const std::string& path) {
        const Module& module = model.module(id);
        out.emplace(path, shortTypeName(module.type) + (module.isTraining ? ", training" : ", eval"));
    });
    return out;
}

std::string textOf(const TensorSlot& slot) {
    return valueMetaText(ValueMeta{slot.meta()});
}

void diffWeights(const Model& a, const Model& b, ModelDiff& out) {
    std::map<std::string, TensorId> inA = tensorsOf(a);
    for (const auto& [path, idB] : tensorsOf(b)) {
        const TensorSlot& after = b.tensor(idB);
        const auto found = inA.find(path);
        if (found == inA.end()) {
            out.weights.push_back({path, "", textOf(after), std::nullopt});
            continue;
        }
        const TensorSlot& before = a.tensor(found->second);
        inA.erase(found);
        ValueDifference difference;
        if (!before.isSame(after))
            difference = differenceOf(c10::IValue(before.value()), c10::IValue(after.value()));
        if (difference.isEqual())
            ++out.sameWeights;
        else
            out.weights.push_back({path, textOf(before), textOf(after), std::move(difference)});
    }
    for (const auto& [path, id] : inA)
        out.weights.push_back({path, textOf(a.tensor(id)), "", std::nullopt});
}

void diffModules(const Model& a, const Model& b, ModelDiff& out) {
    std::map<std::string, std::string> inA = modulesOf(a);
    for (const auto& [path, after] : modulesOf(b)) {
        const std::string before = inA.contains(path) ? inA[path] : "";
        inA.erase(path);
        // What the root is called says how it was opened.
        if (before != after && !path.empty())
            out.modules.push_back({path, before, after});
    }
    for (const auto& [path, before] : inA)
        if (!path.empty())
            out.modules.push_back({path, before, ""});
}

} // namespace

bool ModelDiff::isSame() const {
    return changed.empty() && weights.empty() && modules.empty() && match.onlyA.empty() &&
           match.onlyB.empty();
}

ModelDiff diffModels(const Model& a, const Model& b, const PairingOptions& options) {
    ModelDiff out;
    out.match = matchNodes(a.graph(), b.graph(), options);
    const NodeDiffer differ(a.graph(), b.graph(), out.match);
    for (const NodePair& pair : out.match.pairs)
        if (std::optional<ChangedNode> changed = differ.differ(pair))
            out.changed.push_back(std::move(*changed));
    diffWeights(a, b, out);
    diffModules(a, b, out);
    out.code = diffLines(statementLines(a, a.root()), statementLines(b, b.root()));
    return out;
}

std::string diffText(const ModelDiff& diff, const Graph& a, const Graph& b, const DiffText& options) {
    std::string out;
    const auto line = [&](const std::string& text) { out += shownLine(text) + '\n'; };
    for (const NodeId id : diff.match.onlyA)
        line("- " + statement(a, a.node(id)));
    for (const NodeId id : diff.match.onlyB)
        line("+ " + statement(b, b.node(id)));
    for (const ChangedNode& node : diff.changed) {
        std::vector<std::string> what;
        for (const auto& [isSo, text] :
             {std::pair(node.isOtherCall, "another call"), std::pair(node.isRewired, "rewired"),
              std::pair(node.hasOtherArguments, "other arguments"), std::pair(node.isRenamed, "renamed")})
            if (isSo)
                what.emplace_back(text);
        line("~ " + node.before + "  ->  " + node.after + "  (" + join(what, ", ") + ')');
    }
    for (const ModuleDiff& module : diff.modules)
        line("module " + module.path + ": " + (module.before.empty() ? "nothing" : module.before) + " -> " +
             (module.after.empty() ? "nothing" : module.after));
    for (const WeightDiff& weight : diff.weights)
        line("weight " + weight.path + ": " +
             (weight.difference ? differenceText(*weight.difference)
                                : (weight.before.empty() ? "nothing" : weight.before) + " -> " +
                                      (weight.after.empty() ? "nothing" : weight.after)));
    const std::string code =
        options.isSideBySide ? sideBySideText(diff.code, options.width) : unifiedText(diff.code);
    if (!code.empty())
        out += "code\n" + shownLines(code);
    return out;
}

Json diffJson(const ModelDiff& diff, const Graph& a, const Graph& b) {
    Json out = {{"same", diff.isSame()},    {"pairs", diff.match.pairs.size()}, {"removed", Json::array()},
                {"added", Json::array()},   {"changed", Json::array()},         {"modules", Json::array()},
                {"weights", Json::array()}, {"sameWeights", diff.sameWeights}};
    for (const NodeId id : diff.match.onlyA)
        out["removed"].push_back({{"name", nameIn(a, id)}, {"statement", statement(a, a.node(id))}});
    for (const NodeId id : diff.match.onlyB)
        out["added"].push_back({{"name", nameIn(b, id)}, {"statement", statement(b, b.node(id))}});
    for (const ChangedNode& node : diff.changed)
        out["changed"].push_back({{"a", nameIn(a, node.nodes.a)},
                                  {"b", nameIn(b, node.nodes.b)},
                                  {"matched", matchKindText(node.nodes.kind)},
                                  {"renamed", node.isRenamed},
                                  {"otherCall", node.isOtherCall},
                                  {"rewired", node.isRewired},
                                  {"otherArguments", node.hasOtherArguments},
                                  {"before", node.before},
                                  {"after", node.after}});
    for (const ModuleDiff& module : diff.modules)
        out["modules"].push_back({{"path", module.path}, {"before", module.before}, {"after", module.after}});
    for (const WeightDiff& weight : diff.weights)
        out["weights"].push_back(
            {{"path", weight.path},
             {"before", weight.before},
             {"after", weight.after},
             {"difference", weight.difference ? differenceJson(*weight.difference) : Json()}});
    out["code"] = unifiedText(diff.code);
    return out;
}

} // namespace fx
