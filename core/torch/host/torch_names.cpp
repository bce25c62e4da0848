// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/host/torch_names.h"

#include "core/base/text.h"
#include "core/python/stand_ins.h"
#include "core/torch/bind/call.h"
#include "core/torch/bind/operator_results.h"
#include "core/torch/bind/python_functions.h"
#include "core/torch/host/library_texts.h"
#include "core/torch/host/operator_attributes.h"
#include "core/torch/values/arrays.h"
#include "core/torch/values/attributes.h"
#include "core/torch/values/generators.h"
#include "core/torch/values/storages.h"
#include "core/torch/values/value_text.h"

#include <torch/version.h>

#include <algorithm>
#include <cstdio>

namespace fx {

namespace {

bool isNamespace(const std::string& path) {
    const FunctionRow* row = path == "torch" ? nullptr : findFunction(path);
    return path == "torch" || path.starts_with("torch.ops") || (row && row->kind == FunctionKind::Module);
}

constexpr std::string_view kOperators = "torch.ops.";

/// "torch.ops.NAMESPACE.NAME", which no library has registered.
[[noreturn]] void refuseOperator(const std::string& space, const std::string& name) {
    if (space == "torch.ops.higher_order")
        raise("AttributeError",
              "'_HigherOrderNamespace' '" + space + "' object has no attribute '" + name + '\'');
    throw Error("", "'_OpNamespace' '" + space.substr(kOperators.size()) + "' object has no attribute '" +
                        name + '\'')
        .kind("AttributeError")
        .hint("load the library that registers it")
        .code(ErrorCode::NeedsLibrary);
}

/// What torch.ops has, and what a namespace of operators has.
std::optional<Value> findOperatorMember(const std::string& path, const std::string& name) {
    const std::string full = path + '.' + name;
    if (name.starts_with("__") && (path == "torch.ops" || !isKnownFunction(full))) // aten has __ilshift__
        return std::nullopt;
    if (path == "torch.ops")
        return Value(Object{NamespaceObject{full}});
    if (path == "torch.ops.higher_order" ? !isHigherOrderName(name) : !isKnownFunction(full))
        refuseOperator(path, name);
    return Value(Object{FunctionObject{full}});
}

bool isInC(const FunctionRow* row) {
    return row && (row->kind == FunctionKind::Builtin || row->kind == FunctionKind::Native);
}

/// What the function calls itself: torch.fft.fft is torch._C._fft.fft_fft.
Target ownName(const FunctionRow* row, Target target) {
    return isInC(row) && row->target.name().starts_with("torch.") ? row->target : target;
}

bool isOfTorch(Target name) {
    return std::ranges::count(name.name(), '.') == 1;
}

} // namespace

void TorchNames::setAttribute(Evaluator& evaluator, const Value& object, const std::string& name,
                              const Value& value) {
    const auto* space = object.as<NamespaceObject>();
    if (!space)
        return ValueHost::setAttribute(evaluator, object, name, value);
    m_members[space->path].insert_or_assign(name, value);
    if (name.starts_with("has_torch_function")) {
        const auto* function = value.as<DefinedObject>();
        const bool isTorchs = !function || function->function->module == "torch.overrides";
        isTorchs ? static_cast<void>(m_deaf.erase(space->path))
                 : static_cast<void>(m_deaf.insert(space->path));
    }
}

namespace {

std::string hexText(uint64_t number) {
    char text[32];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(number));
    return text;
}

} // namespace

std::optional<Value> TorchNames::attribute(Evaluator& evaluator, const Value& object,
                                           const std::string& name) {
    if (const auto* space = object.as<NamespaceObject>()) {
        if (name == "__name__")
            return makeText(space->path);
        if (name == "__dict__")
            return contentsOf(evaluator, object);
        return evaluator.names().member(evaluator, *space, name);
    }
    if (const auto* function = object.as<FunctionObject>()) {
        const Target target = function->target;
        if (!operatorClass(target).empty())
            return attributeOfOperator(evaluator, m_results, object, target, name);
        const Target own = ownName(rowOf(target), target);
        if (name == "__qualname__") // the functions in C that torch itself has are methods of one class
            return makeText((isInC(rowOf(target)) && isOfTorch(own) ? "_VariableFunctionsClass." : "") +
                            std::string(own.functionName()));
        if (name == "__name__")
            return makeText(std::string(own.functionName()));
        if (name == "__module__")
            return makeText(own.name().substr(0, own.name().rfind('.')));
        if (name == "__doc__")
            return Value();
        if (name == "__code__" || name == "__defaults__" || name == "__kwdefaults__" ||
            name == "__annotations__") // what inspect asks of a function that is Python in PyTorch
            if (const std::optional<Value> body = libraryFunction(evaluator, target))
                return evaluator.findAttribute(*body, name);
    }
    if (name == "__class__")
        return evaluator.typeOf(object);
    std::optional<Value> found;
    guarded([&] { found = findAttributeOf(object, name); });
    return found && found->isData() ? m_results.toPython(evaluator, std::move(*found)) : found;
}

std::optional<std::vector<std::string>> TorchNames::names(Evaluator&, const Value& object) {
    const auto* space = object.as<NamespaceObject>();
    const std::vector<std::string_view>* names = space ? namesOfModule(space->path) : nullptr;
    return names ? std::optional(std::vector<std::string>(names->begin(), names->end())) : std::nullopt;
}

/// vars() of one of torch's modules.
Value TorchNames::contentsOf(Evaluator& evaluator, const Value& module) {
    DictObject out;
    for (const std::string& name : names(evaluator, module).value_or(std::vector<std::string>()))
        if (name != "__dict__")
            if (std::optional<Value> found = evaluator.findAttribute(module, name))
                out.set(name, std::move(*found));
    return Object{std::move(out)};
}

Value TorchNames::call(Evaluator& evaluator, const Value& function, Values args, NamedValues kwargs) {
    if (const auto* callee = function.as<FunctionObject>()) {
        if (const std::optional<Value> body = libraryFunction(evaluator, callee->target))
            return evaluator.call(*body, std::move(args), std::move(kwargs));
        if (callee->target.name() == "torch.from_numpy")
            return tensorFromArray(args);
        if (takesArrays(callee->target.name()) && !args.empty())
            if (std::optional<at::Tensor> tensor = tensorOfArray(args[0]))
                args[0] = c10::IValue(*std::move(tensor));
        unwrap(args, kwargs);
        const FunctionRow* row = rowOf(callee->target);
        Target target = callee->target;
        if (row && row->target && (row->kind != FunctionKind::Builtin || !isKnownFunction(target)) &&
            isKnownFunction(row->target))
            target = row->target;
        Value result;
        guarded([&] { result = callFunction(target, args, kwargs); });
        return m_results.toPython(evaluator, std::move(result));
    }
    if (const auto* space = function.as<NamespaceObject>(); space && space->path.starts_with(kOperators))
        raise("TypeError", "'_OpNamespace' object is not callable");
    return ValueHost::call(evaluator, function, std::move(args), std::move(kwargs));
}

std::string TorchNames::text(Evaluator& evaluator, const Value& value, bool isRepr) {
    const auto* function = value.as<FunctionObject>();
    if (function && !operatorClass(function->target).empty())
        return operatorText(evaluator, value, function->target, isRepr);
    if (const auto* space = value.as<NamespaceObject>(); space && space->path.starts_with("torch.ops"))
        return "<module '" + space->path + "' from '" +
               (space->path == "torch.ops" ? "_ops.py" : "torch.ops") + "'>";
    const FunctionRow* row = function ? rowOf(function->target) : nullptr;
    if (!row)
        return valueText(value);
    // As Python shows it, with an address that stays the same from run to run.
    const Target own = ownName(row, function->target);
    const std::string name(own.functionName());
    const std::string address =
        hexText(0x7f0000000000 + 16 * (std::hash<std::string>()(function->target.name()) % 0xffffff));
    if (!isInC(row))
        return "<function " + name + " at " + address + '>';
    return isOfTorch(own) ? "<built-in method " + name + " of type object at " + address + '>'
                          : "<built-in function " + name + '>';
}

std::string TorchNames::typeName(const Value& value) const {
    if (value.as<NamespaceObject>())
        return "module";
    const auto* function = value.as<FunctionObject>();
    if (!function)
        return fx::typeName(value);
    const std::string_view type = operatorClass(function->target);
    const FunctionRow* row = type.empty() ? findFunction(function->target.name()) : nullptr;
    return !type.empty() ? std::string(type) : row && !isInC(row) ? "function" : fx::typeName(value);
}

std::optional<Value> TorchNames::importModule(Evaluator&, const std::string& name) {
    if (name == "torch._functorch.predispatch")
        return Value(Object{NamespaceObject{name}});
    if (isNamespace(name) &&
        (name == "torch" || name == "torch.nn" || name == "torch._C" || !isTextModule(name) ||
         name == "torch.nn.functional" || name == "torch.functional" || name == "torch.nn.init"))
        return Value(Object{NamespaceObject{name}});
    return std::nullopt;
}

const LibraryModule* TorchNames::libraryModule(const std::string& name) {
    return findTextModule(name);
}

const FunctionRow* TorchNames::rowOf(Target target) {
    const auto [entry, isNew] = m_rows.try_emplace(target, nullptr);
    if (isNew && target.name().starts_with("torch.") && !target.isOperatorOverload())
        entry->second = findFunction(target.name());
    return entry->second;
}

namespace {

/// Where the text of a function may be: by its public name, and where PyTorch defines it.
std::vector<std::string> textNames(const FunctionRow* row, const std::string& name) {
    constexpr std::string_view kMethods = "torch.Tensor.";
    constexpr std::string_view kHigherOrder = "torch.ops.higher_order.";
    if (name.starts_with(kMethods))
        return {"torch._tensor." + name.substr(kMethods.size())};
    if (name.starts_with(kHigherOrder))
        return {"torch._higher_order_ops._bodies." + name.substr(kHigherOrder.size())};
    if (row)
        return {std::string(row->publicName), name};
    return {name};
}

std::string moduleOf(const std::string& name) {
    return name.substr(0, name.rfind('.'));
}

} // namespace

bool isPythonInTorch(Target target) {
    const std::string& name = target.name();
    if (!name.starts_with("torch.") || target.isOperatorOverload())
        return false;
    if (name.starts_with("torch.Tensor.")) {
        const FunctionRow* row = findTensorMember(name.substr(name.rfind('.') + 1));
        return row && (row->kind == FunctionKind::Python || row->kind == FunctionKind::Body);
    }
    const FunctionRow* row = findFunction(name);
    if (!row)
        return isTextModule(moduleOf(name)) && !findPythonFunction(name);
    return row->kind == FunctionKind::Python || row->kind == FunctionKind::Switch ||
           row->kind == FunctionKind::Body;
}

std::optional<Value> tensorLibraryMethod(Evaluator& evaluator, const std::string& name) {
    if (!isPythonInTorch("torch.Tensor." + name))
        return std::nullopt;
    const Value text = evaluator.modules().runLibrary("torch._tensor");
    const Value* found = text.as<SourceModuleObject>()->dict.as<DictObject>()->find(name);
    return found ? std::optional(*found) : std::nullopt;
}

std::optional<Value> TorchNames::libraryFunction(Evaluator& evaluator, Target target) {
    const auto known = m_bodies.find(target);
    if (known != m_bodies.end())
        return known->second;
    std::optional<Value> body;
    const FunctionRow* row = rowOf(target);
    if (!isInC(row) && target.name().starts_with("torch."))
        for (const std::string& name : textNames(row, target.name())) {
            if (body || !isTextModule(moduleOf(name)))
                continue;
            const Value text = evaluator.modules().runLibrary(moduleOf(name));
            const DictObject& names = *text.as<SourceModuleObject>()->dict.as<DictObject>();
            if (const Value* found = names.find(name.substr(name.rfind('.') + 1)))
                if (!found->as<FunctionObject>())
                    body = *found;
        }
    m_bodies[target] = body;
    return body;
}

std::optional<Value> TorchNames::member(Evaluator& evaluator, const NamespaceObject& space,
                                        const std::string& name) {
    const auto& known = m_members[space.path];
    if (const auto member = known.find(name); member != known.end())
        return member->second;
    std::optional<Value> found = findMember(evaluator, space.path, name);
    if (found) // a module that is still being run may get more names
        m_members[space.path].insert_or_assign(name, *found);
    return found;
}

std::optional<Value> TorchNames::findMember(Evaluator& evaluator, const std::string& path,
                                            const std::string& name) {
    const std::string full = path + '.' + name;
    if (full == "torch.__version__")
        return makeText(TORCH_VERSION);
    if (full == "torch.ops.load_library")
        return makeNative("load_library", [](Evaluator& e, Values&, NamedValues&) {
            e.warnings().emplace_back("UserWarning: torch.ops.load_library() loads nothing here; give the "
                                      "library by --load-library");
            return Value();
        });
    if (path.starts_with("torch.ops"))
        return findOperatorMember(path, name);
    static const std::unordered_map<std::string, const char*> kClasses = {
        {"torch.Tensor", "Tensor"},
        {"torch.Size", "torch.Size"},
        {"torch.device", "torch.device"},
        {"torch.dtype", "torch.dtype"},
        {"torch.layout", "torch.layout"},
        {"torch.memory_format", "torch.memory_format"},
        {"torch.qscheme", "torch.qscheme"},
        {"torch.Generator", kGeneratorType},
        {"torch.UntypedStorage", kStorageType},
        {"torch.linalg.LinAlgError", "_LinAlgError"},
        {"torch.OutOfMemoryError", "OutOfMemoryError"},
        {"torch.cuda.OutOfMemoryError", "OutOfMemoryError"},
        {kGeneratorType, kGeneratorType},
        {"torch._C._InferenceMode", "torch._C._InferenceMode"},
        {"torch.SymInt", "torch.SymInt"},
        {"torch.SymFloat", "torch.SymFloat"},
        {"torch.SymBool", "torch.SymBool"}};
    if (const auto type = kClasses.find(full); type != kClasses.end())
        return evaluator.type(type->second);
    const FunctionRow* row = findFunction(full);
    const bool isFunction = row && (row->kind == FunctionKind::Builtin || row->kind == FunctionKind::Native ||
                                    row->kind == FunctionKind::Python || row->kind == FunctionKind::Switch ||
                                    row->kind == FunctionKind::Body);
    const bool isText = path == "torch.nn.init" && row && row->kind != FunctionKind::Python;
    if (isFunction && !isText && !path.starts_with("torch.nn.utils"))
        return Value(Object{FunctionObject{Target(row->publicName)}});
    if (row && row->kind == FunctionKind::Value && !row->value.as<OpaqueValue>())
        return makeValue(row->value, nullptr);
    // Functions and constants of the text come before the module's own submodules.
    if (isTextModule(path)) {
        const Value text = evaluator.modules().runLibrary(path);
        if (std::optional<Value> found = evaluator.findAttribute(text, name))
            return found;
    }
    if (isNamespace(full) || isTextModule(full))
        return evaluator.modules().importModule(full);
    if (row && row->kind == FunctionKind::Class)
        if (std::optional<Value> type = evaluator.modules().libraryClass(row->target.name()))
            return type;
    if (std::optional<Value> constant = findAttributeOf(Object{NamespaceObject{path}}, name);
        constant && !constant->as<NamespaceObject>())
        return constant;
    // What PyTorch has and is not here counts as there, until it is used.
    const std::vector<std::string_view>* names = name.starts_with("__") ? nullptr : namesOfModule(path);
    if (names && std::ranges::binary_search(*names, std::string_view(name)))
        return makeStandIn(evaluator, full, "PyTorch has it, and it is not here");
    return std::nullopt;
}

} // namespace fx
