// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/clean/call_signatures.h"

#include "core/base/text.h"
#include "core/fxpython/python_names.h"
#include "core/torch/bind/call.h"
#include "core/torch/bind/operators.h"

#include <torch/csrc/jit/runtime/operator.h>

#include <algorithm>

namespace fx {

namespace {

/// A default of a schema, where numbers stand for dtypes, layouts and memory formats, as in PyTorch.
Argument defaultOfSchema(const c10::IValue& value) {
    if (!value.isList())
        return plainArgument(Value(value)).value_or(Argument(NoneValue()));
    ListValue list;
    for (const c10::IValue& item : value.toListRef())
        list.items.push_back(defaultOfSchema(item));
    return list;
}

std::vector<SignatureEntry> entriesOf(const c10::FunctionSchema& schema, bool isOverload) {
    std::vector<SignatureEntry> out;
    for (const c10::Argument& argument : schema.arguments()) {
        // Functions call it input; torch.ops go by the schema's name.
        SignatureEntry entry{argument.name() == "self" && !isOverload ? "input" : argument.name(),
                             argument.kwarg_only() ? ParameterKind::KeywordOnly : ParameterKind::Positional,
                             {}};
        if (argument.default_value())
            entry.defaultValue = defaultOfSchema(*argument.default_value());
        if (entry.name == "from") // no name for Python: it and those before it go by position alone
            for (SignatureEntry& each : out)
                each.kind = ParameterKind::PositionalOnly;
        out.push_back(std::move(entry));
    }
    return out;
}

std::vector<SignatureEntry> entriesOf(const FunctionRow& row) {
    std::vector<SignatureEntry> out;
    for (const Parameter& parameter : row.parameters)
        out.push_back({std::string(parameter.name), parameter.kind, parameter.defaultValue});
    return out;
}

/// The operators that a function in C is, for TorchScript.
std::string operatorsOf(const std::string& name) {
    for (const std::string_view head :
         {"torch._C._nn.", "torch._C._fft.", "torch._C._linalg.", "torch._C._special.", "torch."})
        if (name.starts_with(head))
            return contains(std::string_view(name).substr(head.size()), ".")
                       ? ""
                       : "aten::" + name.substr(head.size());
    return "";
}

ParameterKind kindOf(FunctionTree::Parameter::Kind kind) {
    using From = FunctionTree::Parameter::Kind;
    switch (kind) {
    case From::PositionalOnly:
        return ParameterKind::PositionalOnly;
    case From::Positional:
        return ParameterKind::Positional;
    case From::KeywordOnly:
        return ParameterKind::KeywordOnly;
    case From::Args:
        return ParameterKind::VarPositional;
    case From::Kwargs:
        return ParameterKind::VarKeyword;
    }
    return ParameterKind::VarKeyword;
}

/// A class that torch.nn has under its own name.
bool isClassOfTorch(const std::string& type) {
    const size_t dot = type.rfind('.');
    const FunctionRow* row = type.starts_with("torch.nn.") && dot != std::string::npos
                                 ? findFunction("torch.nn" + type.substr(dot))
                                 : nullptr;
    return row && row->kind == FunctionKind::Class && row->target.name() == type;
}

} // namespace

const std::vector<std::vector<SignatureEntry>>& CallSignatures::candidates(Target function) {
    const auto [at, isNew] = m_functions.try_emplace(function);
    if (!isNew)
        return at->second;
    std::vector<Entries>& out = at->second;
    const std::string& name = function.name();
    if (const TorchOperator* op = findOperator(function)) {
        out.push_back(entriesOf(*op->schema, true));
    } else if (const std::string packet = packetOf(name); !packet.empty()) {
        for (const TorchOperator* overload : findOverloads(packet))
            out.push_back(entriesOf(*overload->schema, true));
    } else if (name == "torch.nonzero") {
        // Two functions for TorchScript, whatever the operator takes.
        const SignatureEntry input{"input", ParameterKind::Positional, {}};
        out = {{input}, {input, {"as_tuple", ParameterKind::KeywordOnly, {}}}};
    } else if (const FunctionRow* row = findFunction(name)) {
        if (row->kind == FunctionKind::Switch && row->choice)
            row = findFunction(row->choice->ifTrue);
        if (row && (row->kind == FunctionKind::Python || row->kind == FunctionKind::Body)) {
            if (!row->parameters.empty())
                out.push_back(entriesOf(*row));
        } else if (const std::string operators = operatorsOf(name); !operators.empty()) {
            for (const auto& op : torch::jit::getAllOperatorsFor(c10::Symbol::fromQualString(operators)))
                out.push_back(entriesOf(op->schema(), false));
        }
    } else if (const std::string operators = operatorsOf(name);
               signaturesOfFunction(name) && !operators.empty()) {
        for (const auto& op : torch::jit::getAllOperatorsFor(c10::Symbol::fromQualString(operators)))
            out.push_back(entriesOf(op->schema(), false));
    }
    return out;
}

const std::vector<SignatureEntry>* CallSignatures::ofFunction(const Node& call) {
    const std::vector<SignatureEntry>* found = nullptr;
    for (const std::vector<SignatureEntry>& each : candidates(call.target)) {
        if (!fits(each, call.args, call.kwargs))
            continue;
        if (found)
            return nullptr;
        found = &each;
    }
    return found;
}

Evaluator& CallSignatures::evaluator() {
    if (!m_evaluator) {
        m_torch = std::make_unique<TorchHosts>();
        m_evaluator = std::make_unique<Evaluator>();
        m_torch->addTo(*m_evaluator);
    }
    return *m_evaluator;
}

const Value* CallSignatures::forwardOf(const std::string& type) {
    const auto [at, isNew] = m_classes.try_emplace(type);
    if (isNew && isClassOfTorch(type))
        guarded([&] {
            if (const std::optional<Value> found = evaluator().modules().libraryClass(type))
                at->second = evaluator().findAttribute(*found, "forward");
        });
    return at->second ? &*at->second : nullptr;
}

const std::vector<SignatureEntry>* CallSignatures::ofForward(const std::string& type) {
    const auto [at, isNew] = m_forwards.try_emplace(type);
    const Value* forward = isNew ? forwardOf(type) : nullptr;
    const auto* function = forward ? forward->as<DefinedObject>() : nullptr;
    if (function) {
        Entries entries;
        const auto& parameters = function->function->tree->parameters;
        bool isKnown = !parameters.empty();
        for (size_t i = 1; i < parameters.size(); ++i) { // the first is self
            SignatureEntry entry{parameters[i].name, kindOf(parameters[i].kind), {}};
            if (!parameters[i].defaultValue.empty()) {
                const Expression& value = parameters[i].defaultValue[0];
                isKnown = isKnown && value.kind == Expression::Kind::Constant;
                if (isKnown)
                    entry.defaultValue = plainArgument(value.constant);
            }
            entries.push_back(std::move(entry));
        }
        if (isKnown)
            at->second = std::move(entries);
    }
    return at->second ? &*at->second : nullptr;
}

std::optional<std::string> CallSignatures::returnsOf(const Value& function) {
    std::optional<std::string> out;
    guarded([&] {
        const std::optional<Value> all = evaluator().findAttribute(function, "__annotations__");
        const auto* dict = all ? all->as<DictObject>() : nullptr;
        if (const Value* found = dict ? dict->find("return") : nullptr)
            out = annotationText(evaluator(), *found);
    });
    return out;
}

std::optional<std::string> CallSignatures::returnsOfFunction(Target function) {
    const auto [at, isNew] = m_returns.try_emplace(function);
    if (isNew)
        guarded([&] { at->second = returnsOf(fx::functionOf(evaluator(), function)); });
    return at->second;
}

std::optional<std::string> CallSignatures::returnsOfForward(const std::string& type) {
    const auto [at, isNew] = m_returns.try_emplace(Target(type));
    if (isNew)
        if (const Value* forward = forwardOf(type))
            at->second = returnsOf(*forward);
    return at->second;
}

bool fits(const std::vector<SignatureEntry>& signature, const Arguments& args, const Keywords& kwargs) {
    size_t place = 0, named = 0;
    for (const SignatureEntry& entry : signature) {
        if (entry.kind != ParameterKind::Positional && entry.kind != ParameterKind::KeywordOnly)
            return false;
        const bool isNamed =
            std::ranges::find(kwargs, entry.name, &Keywords::value_type::first) != kwargs.end();
        const bool isPlaced = entry.kind == ParameterKind::Positional && place < args.size();
        if (isPlaced)
            ++place;
        named += isNamed;
        if ((isNamed && isPlaced) || (!isNamed && !isPlaced && !entry.defaultValue))
            return false;
    }
    return place == args.size() && named == kwargs.size();
}

Arguments boundTo(const std::vector<SignatureEntry>& signature, const Arguments& args,
                  const Keywords& kwargs) {
    Arguments out;
    for (const SignatureEntry& entry : signature) {
        const auto named = std::ranges::find(kwargs, entry.name, &Keywords::value_type::first);
        out.push_back(named != kwargs.end() ? named->second
                      : entry.kind == ParameterKind::Positional && out.size() < args.size()
                          ? args[out.size()]
                          : *entry.defaultValue);
    }
    return out;
}

} // namespace fx
