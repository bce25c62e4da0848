// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/call_text.h"

#include "core/base/text.h"
#include "core/ir/argument_text.h"
#include "core/module/muted.h"
#include "core/python/value.h"
#include "core/rewrite/argument_places.h"
#include "core/torch/bind/convert.h"
#include "core/torch/bind/operators.h"

#include <ATen/core/function_schema.h>

#include <optional>

namespace fx {

namespace {

bool isSchemaDefault(const Argument& argument, const c10::Argument& parameter) {
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

/// One argument that is no input: its parameter's name, and whether it is what it would be anyway.
struct Named {
    std::string name;
    bool isDefault = false;
};

Named namedBy(const c10::FunctionSchema& schema, std::optional<size_t> index, const Argument& value) {
    if (!index || *index >= schema.arguments().size())
        return {};
    const c10::Argument& parameter = schema.arguments()[*index];
    return {parameter.name(), isSchemaDefault(value, parameter)};
}

std::optional<size_t> placeOf(const CallForm& form, const std::string& name) {
    for (size_t i = 0; i < form.parameters.size(); ++i)
        if (form.parameters[i].name == name)
            return i;
    return std::nullopt;
}

Named namedBy(const CallForm& form, std::optional<size_t> index, const std::string& text) {
    if (!index || *index >= form.parameters.size())
        return {};
    return {form.parameters[*index].name, form.parameters[*index].defaultText == text};
}

} // namespace

const CallForm* CallTexts::formOf(const Node& node) {
    const bool isMethod = node.opcode == Opcode::CallMethod;
    const std::string name = isMethod ? '.' + node.target.name() : node.target.name();
    const auto [entry, isNew] = m_forms.try_emplace(name);
    if (isNew) {
        static const Model kNoModel;
        const auto kind = isMethod ? Callable::Kind::Method : Callable::Kind::Function;
        entry->second = formsOf({kind, name, {}}, kNoModel, kNoModel.root());
    }
    return formTaking(entry->second, node);
}

std::string CallTexts::text(const Graph& graph, const Node& node) {
    if (std::optional<MutedCall> muted = mutedCall(node)) {
        Node call;
        call.opcode = muted->opcode;
        call.target = muted->target;
        call.args = std::move(muted->args);
        call.kwargs = std::move(muted->kwargs);
        return text(graph, call);
    }
    const NodeNames names = [&](NodeId id) { return graph.node(id).name; };
    switch (node.opcode) {
    case Opcode::Placeholder:
        return node.args.empty() ? "input" : "input, default " + reprText(node.args[0], names);
    case Opcode::GetAttr:
        return node.target.name();
    case Opcode::Output:
        return "output";
    case Opcode::CallModule:
    case Opcode::CallMethod:
    case Opcode::CallFunction:
        break;
    }
    const TorchOperator* op = node.opcode == Opcode::CallFunction ? findOperator(node.target) : nullptr;
    const CallForm* form = op || node.opcode == Opcode::CallModule ? nullptr : formOf(node);
    std::vector<std::string> parts;
    const auto add = [&](std::optional<size_t> index, const std::string& key, const Argument& value) {
        if (hasNodes(value))
            return;
        const std::string text = reprText(value, names);
        Named named = op ? namedBy(*op->schema, index, value) : form ? namedBy(*form, index, text) : Named();
        if (named.isDefault)
            return;
        const std::string& name = key.empty() ? named.name : key;
        parts.push_back(name.empty() ? text : name + '=' + text);
    };
    for (size_t i = 0; i < node.args.size(); ++i)
        add(i, "", node.args[i]);
    for (const auto& [key, value] : node.kwargs) {
        std::optional<size_t> index;
        if (op) {
            if (const auto at = op->schema->argumentIndexWithName(key))
                index = static_cast<size_t>(*at);
        } else if (form) {
            index = placeOf(*form, key);
        }
        add(index, key, value);
    }
    const std::string callee = shortCallee(node);
    return parts.empty() ? callee : callee + '(' + join(parts, ", ") + ')';
}

} // namespace fx
