// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/script/script_parameters.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/graph_inputs.h"
#include "core/python/value.h"

#include <ATen/ATen.h>
#include <torch/csrc/jit/frontend/script_type_parser.h>

#include <algorithm>

namespace fx {

namespace {

c10::TypePtr tensorType() {
    return c10::TensorType::get();
}

/// None where nothing is known.
c10::TypePtr typeOfMeta(const ValueMeta* meta) {
    if (!meta || std::holds_alternative<std::vector<ValueMeta>>(meta->value))
        return nullptr;
    if (std::holds_alternative<TensorMeta>(meta->value))
        return tensorType();
    if (const auto* scalar = std::get_if<SymbolicScalar>(&meta->value))
        return scalar->kind == SymbolicScalar::Kind::Int    ? c10::TypePtr(c10::IntType::get())
               : scalar->kind == SymbolicScalar::Kind::Bool ? c10::TypePtr(c10::BoolType::get())
                                                            : c10::TypePtr(c10::FloatType::get());
    const auto* constant = std::get_if<Argument>(&meta->value);
    const Value value = constant ? makeValue(*constant, nullptr) : Value();
    return value.isData() ? value.data().type() : nullptr;
}

/// "typing.Optional[torch.Tensor]", "list[int]"; none for what TorchScript has no type for.
c10::TypePtr typeOfAnnotation(const std::string& annotation) {
    std::string text = replaceAll(replaceAll(annotation, "torch.", ""), "typing.", "");
    for (const auto& [from, to] : {std::pair("list[", "List["), {"tuple[", "Tuple["}, {"dict[", "Dict["}})
        text = replaceAll(std::move(text), from, to);
    try {
        return torch::jit::ScriptTypeParser().parseType(text);
    } catch (const std::exception&) {
        return nullptr;
    }
}

/// Of an input that is nested; the leaves are taken from `leaves`, in order.
c10::TypePtr typeOfTree(const TreeSpec& spec, const std::vector<c10::TypePtr>& leaves, size_t& next) {
    if (spec.kind == TreeSpec::Kind::Leaf) {
        if (next == leaves.size())
            throw Error("", "is one more than the graph has");
        return leaves[next++];
    }
    std::vector<c10::TypePtr> parts;
    for (const TreeSpec& child : spec.children)
        parts.push_back(typeOfTree(child, leaves, next));
    if (spec.kind == TreeSpec::Kind::Tuple || spec.kind == TreeSpec::Kind::NamedTuple)
        return c10::TupleType::create(parts);
    const c10::TypePtr item = parts.empty() ? tensorType() : parts[0];
    if (std::ranges::any_of(parts, [&](const c10::TypePtr& part) { return *part != *item; }))
        throw Error("", "is a list or dict of values of several types; TorchScript wants one type");
    if (spec.kind == TreeSpec::Kind::List)
        return c10::ListType::create(item);
    if (std::ranges::any_of(spec.keys, [](const Argument& key) { return !key.as<std::string>(); }))
        throw Error("", "is a dict with keys that are no strings");
    return c10::DictType::create(c10::StringType::get(), item);
}

c10::TypePtr typeOf(const Node& node) {
    c10::TypePtr out = typeOfMeta(knownValue(node.meta));
    if (!out && node.type)
        out = typeOfAnnotation(*node.type);
    return out ? out : tensorType();
}

/// The types of the inputs as a caller gives them, nested; empty where they are flat.
std::vector<c10::TypePtr> nestedTypes(const Graph& graph) {
    std::vector<c10::TypePtr> out;
    if (!graph.signature())
        return out;
    const Signature& signature = *graph.signature();
    std::vector<c10::TypePtr> leaves;
    for (const Node& node : graph)
        if (node.opcode == Opcode::Placeholder)
            leaves.push_back(typeOf(node));
    size_t next = 0;
    std::vector<const TreeSpec*> inputs;
    const TreeSpec& positional = signature.hasKeywords() ? signature.inputs.children[0] : signature.inputs;
    for (const TreeSpec& child : positional.children)
        inputs.push_back(&child);
    if (signature.hasKeywords())
        for (const TreeSpec& child : signature.inputs.children[1].children)
            inputs.push_back(&child);
    for (const TreeSpec* input : inputs)
        try {
            out.push_back(typeOfTree(*input, leaves, next));
        } catch (const Error& error) {
            throw Error("input " + std::to_string(out.size()), error.message());
        }
    return out;
}

Lowered standInOf(torch::jit::Graph& graph, const ValueMeta* meta) {
    if (const auto* items = meta ? std::get_if<std::vector<ValueMeta>>(&meta->value) : nullptr) {
        std::vector<Lowered> parts;
        for (const ValueMeta& item : *items)
            parts.push_back(standInOf(graph, &item));
        return loweredTuple(std::move(parts));
    }
    const c10::TypePtr type = typeOfMeta(meta);
    return loweredValue(graph.insertNode(graph.createUninitialized(type ? type : tensorType()))->output());
}

} // namespace

Lowered standIn(torch::jit::Graph& graph, const Node& node) {
    const ValueMeta* meta = knownValue(node.meta);
    if (meta)
        return standInOf(graph, meta);
    return loweredValue(graph.insertNode(graph.createUninitialized(typeOf(node)))->output());
}

Lowered ScriptParameter::valueIn(torch::jit::Graph& graph) const {
    JitValue* input = graph.addInput(name);
    input->setType(type);
    return loweredValue(input);
}

std::vector<ScriptParameter> scriptParameters(const Model& given, const Model& plain) {
    const auto nested = nestedTypes(given.graph());
    std::vector<ScriptParameter> out;
    for (const Node& node : plain.graph()) {
        if (node.opcode != Opcode::Placeholder)
            continue;
        const std::string place = "input '" + node.target.name() + "'";
        if (starsOf(node.target.name()) > 0)
            throw Error(place, "is a variable number of arguments, which TorchScript does not take");
        ScriptParameter parameter{node.target.name(), typeOf(node), std::nullopt};
        if (out.size() < nested.size())
            parameter.type = nested[out.size()];
        if (!node.args.empty()) {
            if (hasNodes(node.args[0]))
                throw Error(place, "has the value of a node as its default");
            const Value otherwise = makeValue(node.args[0], nullptr);
            if (!otherwise.isData())
                throw Error(place, "has a default that TorchScript has no value for");
            parameter.otherwise = otherwise.data();
            if (otherwise.isNone() && parameter.type->kind() == c10::TypeKind::NoneType)
                parameter.type = tensorType(); // None is what it was given, and not all that it takes
            if (otherwise.isNone() && parameter.type->kind() != c10::TypeKind::OptionalType)
                parameter.type = c10::OptionalType::create(parameter.type);
            else if (!otherwise.isNone() && parameter.type->kind() == c10::TypeKind::TensorType)
                parameter.type = otherwise.data().type();
        }
        out.push_back(std::move(parameter));
    }
    return out;
}

} // namespace fx
