// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/box_text.h"

#include "core/base/text.h"
#include "core/ir/argument_text.h"
#include "core/python/value.h"
#include "core/torch/bind/convert.h"
#include "core/torch/bind/operators.h"

#include <ATen/core/function_schema.h>

#include <algorithm>
#include <set>

namespace fx {

namespace {

bool readsNodes(const Argument& argument) {
    bool found = false;
    forEachNode(argument, [&](NodeId) { found = true; });
    return found;
}

bool isDefault(const Argument& argument, const c10::Argument& parameter) {
    if (!parameter.default_value())
        return false;
    const auto converted = convert(makeValue(argument, nullptr), parameter);
    return converted && converted->value.tagKind() == parameter.default_value()->tagKind() &&
           converted->value == *parameter.default_value();
}

std::string shortCallee(const Node& node) {
    const std::string& name = node.target.name();
    if (node.opcode != Opcode::CallFunction)
        return node.opcode == Opcode::CallMethod ? '.' + name : name;
    if (node.target.isHigherOrder())
        return std::string(node.target.functionName());
    if (!node.target.isOperatorOverload())
        return name;
    // "aten.add" of torch.ops.aten.add.Tensor.
    return name.substr(10, name.rfind('.') - 10);
}

} // namespace

std::string callText(const Graph& graph, const Node& node) {
    const NodeNames names = [&](NodeId id) { return graph.node(id).name; };
    switch (node.opcode) {
    case Opcode::Placeholder:
        return node.args.empty() ? "input" : "input, default " + reprText(node.args[0], names);
    case Opcode::GetAttr:
        return node.target.name();
    case Opcode::Output:
        return "output";
    default:
        break;
    }
    const TorchOperator* op = node.opcode == Opcode::CallFunction ? findOperator(node.target) : nullptr;
    std::vector<std::string> parts;
    for (size_t i = 0; i < node.args.size(); ++i) {
        if (readsNodes(node.args[i]))
            continue;
        const c10::Argument* parameter =
            op && i < op->schema->arguments().size() ? &op->schema->arguments()[i] : nullptr;
        if (parameter && isDefault(node.args[i], *parameter))
            continue;
        const bool isNamed = parameter && parameter->default_value();
        parts.push_back((isNamed ? parameter->name() + '=' : std::string()) + reprText(node.args[i], names));
    }
    for (const auto& [key, value] : node.kwargs) {
        const auto index = op ? op->schema->argumentIndexWithName(key) : std::nullopt;
        const bool isUsual = index && !readsNodes(value) &&
                             isDefault(value, op->schema->arguments()[static_cast<size_t>(*index)]);
        if (!isUsual && !readsNodes(value))
            parts.push_back(key + '=' + reprText(value, names));
    }
    const std::string callee = shortCallee(node);
    return parts.empty() ? callee : callee + '(' + join(parts, ", ") + ')';
}

namespace {

/// Numbers and switches that a module has unless it says otherwise.
bool isUsual(const std::string& name, const std::string& text) {
    static const std::set<std::string> kUsual = {"None",      "False",   "1",     "(1,)", "(1, 1)",
                                                 "(1, 1, 1)", "'zeros'", "1e-05", "2.0",  "()"};
    static const std::set<std::string> kNone = {"0", "(0,)", "(0, 0)", "(0, 0, 0)", "'zeros'"};
    return name.find("padding") != std::string::npos ? kNone.contains(text) : kUsual.contains(text);
}

/// What comes first in the call of the class, and needs no name there.
bool isSize(std::string_view name) {
    static constexpr std::string_view kSizes[] = {
        "in_features",      "out_features",   "in_channels",   "out_channels",
        "num_features",     "num_embeddings", "input_size",    "hidden_size",
        "normalized_shape", "num_groups",     "num_channels",  "embed_dim",
        "num_heads",        "output_size",    "embedding_dim", "p"};
    return std::find(std::begin(kSizes), std::end(kSizes), name) != std::end(kSizes);
}

/// Its class with the attributes that tell it from others of the class; batch norm's "momentum=0.1" would
/// not.
std::string moduleText(const Module& module) {
    const NodeNames none = [](NodeId) { return std::string(); };
    const std::string type = shortTypeName(module.type);
    const bool isNorm = type.find("Norm") != std::string::npos;
    std::vector<std::string> sizes, others;
    for (const NamedValue& value : module.values) {
        if (value.name.starts_with('_') || (isNorm && !isSize(value.name)))
            continue;
        const std::string text = reprText(value.value, none);
        if (isSize(value.name))
            sizes.push_back(text);
        else if (!isUsual(value.name, text) && text.size() < 40)
            others.push_back(value.name + '=' + text);
    }
    sizes.insert(sizes.end(), others.begin(), others.end());
    return sizes.empty() ? type : type + '(' + join(sizes, ", ") + ')';
}

} // namespace

ModuleCalls moduleCalls(const Model& model, ModuleId owner) {
    ModuleCalls out;
    for (const Node& node : model.graph(owner))
        if (node.opcode == Opcode::CallModule)
            if (const ModuleId called = model.resolve(owner, node.target.name()).module)
                out.try_emplace(node.target.name(), moduleText(model.module(called)));
    return out;
}

BoxTexts::BoxTexts(const Graph& graph, const ScopeTree& scopes, ModuleCalls modules)
    : m_graph(graph), m_scopes(scopes), m_equal(equalScopes(graph, scopes)), m_modules(std::move(modules)) {}

BoxText BoxTexts::text(const DiagramBox& box) const {
    if (box.kind == DiagramBox::Kind::Node || box.kind == DiagramBox::Kind::Stub) {
        const Node& node = m_graph.node(box.node);
        const auto module =
            node.opcode == Opcode::CallModule ? m_modules.find(node.target.name()) : m_modules.end();
        BoxText out{node.name, module == m_modules.end() ? callText(m_graph, node) : module->second, {}, {}};
        if (const ValueMeta* value = knownValue(node.meta); value && node.opcode != Opcode::Output)
            out.value = valueMetaText(*value);
        return out;
    }
    const Scope& scope = m_scopes.scope(box.scope);
    const std::string& parent = m_scopes.scope(scope.parent).path;
    const bool isBelow = !parent.empty() && scope.path.starts_with(parent + '.');
    BoxText out{
        isBelow ? scope.path.substr(parent.size() + 1) : scope.path, shortTypeName(scope.type), {}, {}};
    out.value = plural(scope.nodeCount, "node");
    const std::string& equal = m_equal[static_cast<size_t>(box.scope)];
    if (!equal.empty())
        out.badge = "same as " + equal;
    return out;
}

} // namespace fx
