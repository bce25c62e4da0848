// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rewrite/node_comparison.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/ir/argument_text.h"
#include "core/rewrite/literals.h"
#include "core/torch/bind/operators.h"

#include <ATen/core/ivalue.h>

namespace fx {

namespace {

std::string className(const OwnedGraph& owner, ModuleId module) {
    return std::string(Target(owner.model->module(module).type).functionName());
}

/// Walks to the attribute; throws as Python's getattr does where there is none.
AttributeKind requireAttribute(const OwnedGraph& owner, const Node& node) {
    const AttributeKind kind = attributeKind(owner, node.target.name());
    if (kind != AttributeKind::Missing)
        return kind;
    const std::string& path = node.target.name();
    const std::string known = owner.model->existingPrefix(owner.module, path);
    const size_t start = known.empty() ? 0 : known.size() + 1;
    const std::string missing(split(std::string_view(path).substr(start), '.')[0]);
    if (start + missing.size() < path.size())
        throw Error("", "Attribute '" + missing + "' not found in model").kind("AssertionError");
    const ModuleId module = owner.model->resolve(owner.module, known).module;
    const std::string holder = module ? className(owner, module) : "Tensor";
    throw Error("", '\'' + holder + "' object has no attribute '" + missing + '\'').kind("AttributeError");
}

[[noreturn]] void refuseAttribute(const OwnedGraph& owner, const Node& node, AttributeKind kind) {
    std::string text = "None";
    const Attribute found = owner.model->resolve(owner.module, node.target.name());
    if (kind == AttributeKind::Module)
        text = className(owner, found.module);
    else if (found.value)
        text = strText(*found.value, [&](NodeId id) { return owner.node(id).name; });
    throw Error("node '" + node.name + "'", "Unsupported type " + text + " when matching attributes")
        .kind("RuntimeError");
}

/// The value that Python sees as the default of an operator's parameter.
Argument defaultOf(const c10::IValue& value) {
    if (value.isBool())
        return value.toBool();
    if (value.isInt())
        return value.toInt();
    if (value.isDouble())
        return value.toDouble();
    if (value.isComplexDouble()) {
        const c10::complex<double> held = value.toComplexDouble();
        return std::complex<double>(held.real(), held.imag());
    }
    if (value.isString())
        return value.toStringRef();
    if (value.isDevice())
        return value.toDevice();
    if (value.isList()) {
        ListValue list;
        for (const c10::IValue& item : value.toListRef())
            list.items.push_back(defaultOf(item));
        return list;
    }
    return {};
}

const Argument& argumentFor(const Node& node, size_t index, std::string_view name, bool isKeywordOnly,
                            const Argument& defaultValue) {
    if (const Argument* keyword = node.keyword(name))
        return *keyword;
    return !isKeywordOnly && index < node.args.size() ? node.args[index] : defaultValue;
}

bool haveEqualKeys(const Keywords& a, const Keywords& b) {
    if (a.size() != b.size())
        return false;
    for (size_t i = 0; i < a.size(); ++i)
        if (a[i].first != b[i].first)
            return false;
    return true;
}

} // namespace

AttributeKind attributeKind(const OwnedGraph& owner, std::string_view path) {
    const Attribute found = owner.model->resolve(owner.module, path);
    if (found.module)
        return AttributeKind::Module;
    if (found.tensor)
        return found.role == TensorRole::Parameter ? AttributeKind::Parameter : AttributeKind::Tensor;
    if (found.value)
        return found.value->isNone() ? AttributeKind::None : AttributeKind::Value;
    const size_t dot = path.rfind('.');
    const bool isNested = dot != std::string_view::npos;
    const ModuleId parent =
        owner.model->resolve(owner.module, isNested ? path.substr(0, dot) : std::string_view()).module;
    const bool isRegistered =
        parent && owner.model->module(parent).tensor(isNested ? path.substr(dot + 1) : path);
    return isRegistered ? AttributeKind::None : AttributeKind::Missing;
}

NodeComparison::NodeComparison(OwnedGraph pattern, OwnedGraph target, bool matchesPlaceholders)
    : m_pattern(pattern), m_target(target), m_matchesPlaceholders(matchesPlaceholders) {}

bool NodeComparison::haveEqualAttributes(const Node& pattern, const Node& node) const {
    const AttributeKind wanted = requireAttribute(m_pattern, pattern);
    const AttributeKind found = requireAttribute(m_target, node);
    if (wanted != found)
        return false;
    if (wanted == AttributeKind::Module) {
        const ModuleId a = m_pattern.model->resolve(m_pattern.module, pattern.target.name()).module;
        const ModuleId b = m_target.model->resolve(m_target.module, node.target.name()).module;
        if (m_pattern.model->module(a).type != m_target.model->module(b).type)
            return false;
    }
    if (wanted == AttributeKind::Value) {
        const Argument* a = m_pattern.model->resolve(m_pattern.module, pattern.target.name()).value;
        const Argument* b = m_target.model->resolve(m_target.module, node.target.name()).value;
        if (pythonTypeName(*a) != pythonTypeName(*b))
            return false;
    }
    // Tensors are equal whatever they hold; everything else torch.fx does not compare.
    if (wanted != AttributeKind::Parameter && wanted != AttributeKind::Tensor)
        refuseAttribute(m_pattern, pattern, wanted);
    return true;
}

bool NodeComparison::areEqual(const Node& pattern, const Node& node, std::string_view nameContains) const {
    if (!m_matchesPlaceholders && pattern.opcode == Opcode::Placeholder)
        return true;
    if (!nameContains.empty() && contains(node.name, nameContains))
        return true;
    if (pattern.opcode != node.opcode)
        return false;
    switch (pattern.opcode) {
    case Opcode::Placeholder:
    case Opcode::Output:
        return true;
    case Opcode::GetAttr:
        return haveEqualAttributes(pattern, node);
    default:
        return pattern.target == node.target;
    }
}

const NodeComparison::Parameters* NodeComparison::parametersOf(const Node& pattern) const {
    if (pattern.opcode != Opcode::CallFunction || !pattern.target.isOperatorOverload())
        return nullptr;
    const auto [entry, isNew] = m_parameters.try_emplace(pattern.target);
    if (isNew) {
        if (const TorchOperator* op = findOperator(pattern.target)) {
            entry->second = std::make_unique<Parameters>();
            for (const c10::Argument& argument : op->schema->arguments())
                entry->second->push_back(
                    {argument.name(), argument.kwarg_only(),
                     argument.default_value() ? defaultOf(*argument.default_value()) : Argument()});
        }
    }
    return entry->second.get();
}

bool NodeComparison::face(const Node& pattern, const Node& node, std::vector<FacingArguments>& out) const {
    if (pattern.args.size() == node.args.size() && haveEqualKeys(pattern.kwargs, node.kwargs)) {
        for (size_t i = 0; i < pattern.args.size(); ++i)
            out.push_back({&pattern.args[i], &node.args[i]});
        for (size_t i = 0; i < pattern.kwargs.size(); ++i)
            out.push_back({&pattern.kwargs[i].second, &node.kwargs[i].second});
        return true;
    }
    const Parameters* parameters = parametersOf(pattern);
    if (!parameters)
        return false;
    for (size_t i = 0; i < parameters->size(); ++i) {
        const auto& [name, isKeywordOnly, defaultValue] = (*parameters)[i];
        out.push_back({&argumentFor(pattern, i, name, isKeywordOnly, defaultValue),
                       &argumentFor(node, i, name, isKeywordOnly, defaultValue)});
    }
    return true;
}

} // namespace fx
