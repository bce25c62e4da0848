// SPDX-License-Identifier: GPL-3.0-or-later
// What is torch's own in torch_names.cpp: names, classes and modules. Here: the protocols on live values.
#include "core/torch/live_host.h"

#include "core/ir/dtype.h"
#include "core/ir/qscheme.h"
#include "core/python/types/sequences.h"
#include "core/python/types/support.h"
#include "core/torch/attributes.h"
#include "core/torch/call.h"
#include "core/torch/python_functions.h"
#include "core/torch/storages.h"
#include "core/torch/thread_modes.h"
#include "core/torch/value_text.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <unordered_set>

namespace fx {

namespace {

using c10::IValue;

void unwrap(Values& args, NamedValues& kwargs) {
    for (Value& value : args)
        value = plainOf(value);
    for (auto& [name, value] : kwargs)
        value = plainOf(value);
}

/// "torch.return_types.max(", and a line for each field.
Value resultText(Evaluator& evaluator, Values& args, NamedValues&) {
    requireArguments("__repr__", args, 1, 1);
    const auto* result = args[0].as<InstanceObject>();
    if (!result)
        raise("TypeError", "__repr__() of a result is not for a '" + fx::typeName(args[0]) + "' object");
    const ClassData& type = evaluator.classOf(result->type);
    std::string text = type.module + '.' + type.name + '(';
    std::string_view separator = "\n";
    for (const auto& [name, value, hash] : result->dict.as<DictObject>()->entries()) {
        text += std::string(separator) + name.text() + '=' + evaluator.repr(value);
        separator = ",\n";
    }
    return makeText(text + ')');
}

constexpr std::string_view kOperators = "torch.ops.";

/// "torch.ops.NAMESPACE.NAME", which no library has registered.
[[noreturn]] void refuseOperator(const std::string& path) {
    const size_t name = path.find('.', kOperators.size());
    const std::string space = path.substr(kOperators.size(), name - kOperators.size());
    if (name == std::string::npos)
        raise("TypeError", "'_OpNamespace' object is not callable");
    throw Error("", "'_OpNamespace' '" + space + "' object has no attribute '" +
                        path.substr(name + 1, path.find('.', name + 1) - name - 1) + '\'')
        .kind("AttributeError")
        .hint("load the library that registers it");
}

/// "__add__", "__radd__", "__iadd__": methods behind Python's operators of two operands.
bool isOperatorMethod(std::string_view name) {
    if (name.size() < 6 || !name.starts_with("__") || !name.ends_with("__"))
        return false;
    static const std::unordered_set<std::string_view> kWords = {
        "add", "sub",    "mul",    "div", "truediv", "floordiv", "mod", "pow", "matmul", "and",
        "or",  "lshift", "rshift", "xor", "eq",      "ne",       "lt",  "le",  "gt",     "ge"};
    name = name.substr(2, name.size() - 4);
    return kWords.contains(name) || ((name[0] == 'r' || name[0] == 'i') && kWords.contains(name.substr(1)));
}

/// Of dtypes, devices and functions.
bool areSameConstants(const Value& a, const Value& b) {
    return a.isSame(b) || (a.isData() && b.isData() && a.data() == b.data());
}

template <class Work>
auto run(Work work) {
    decltype(work()) result{};
    guarded([&] { result = work(); });
    return result;
}

} // namespace

Value LiveHost::normalized(Evaluator& evaluator, Value value) {
    if (value.isTensor() && !value.data().toTensor().defined())
        return {}; // what an operator leaves out is None in Python
    if (!value.isData() || !(value.data().isTuple() || value.data().isList()))
        return value;
    Values items = *itemsOf(value);
    for (Value& item : items)
        item = normalized(evaluator, std::move(item));
    if (value.data().isList())
        return makeList(std::move(items));
    const auto shape = value.data().toTupleRef().type<c10::TupleType>();
    const auto names = shape->names();
    if (!names || !shape->name())
        return makeTuple(std::move(items));
    const std::string typeName = shape->name()->qualifiedName();
    const auto [type, isNew] = m_resultTypes.try_emplace(typeName);
    if (isNew) {
        ClassData& data = evaluator.addType(typeName, "tuple");
        data.name = data.qualifiedName = shape->name()->name();
        data.module = shape->name()->prefix();
        data.add("__repr__", resultText);
        type->second = evaluator.type(typeName);
        evaluator.builtins().erase(typeName);
    }
    Value out = evaluator.makeInstance(type->second, makeTuple(items));
    for (size_t i = 0; i < names->size() && i < items.size(); ++i)
        out.as<InstanceObject>()->dict.as<DictObject>()->set(std::string((*names)[i]), items[i]);
    return out;
}

bool LiveHost::owns(const Value& given) const {
    if (!given.object())
        return given.data().isTensor() || given.data().isDevice() ||
               !(given.data().isNone() || given.data().isInt() || given.data().isBool() ||
                 given.data().isDouble() || given.data().isString() || given.data().isComplexDouble() ||
                 given.data().isTuple() || given.data().isList());
    if (const auto* leaf = given.as<Argument>())
        return leaf->as<c10::ScalarType>() || leaf->as<c10::Layout>() || leaf->as<c10::MemoryFormat>() ||
               isQScheme(*leaf);
    if (const auto* instance = given.as<InstanceObject>())
        return instance->payload.isTensor();
    return given.as<FunctionObject>() || given.as<MethodObject>() || given.as<NamespaceObject>() ||
           given.as<ModuleObject>();
}

std::string LiveHost::typeName(const Value& value) const {
    if (value.as<NamespaceObject>() || value.as<ModuleObject>())
        return "module";
    return fx::typeName(value);
}

std::optional<Value> LiveHost::attribute(Evaluator& evaluator, const Value& object, const std::string& name) {
    if (const auto* space = object.as<NamespaceObject>()) {
        if (name == "__name__")
            return makeText(space->path);
        if (name == "__dict__")
            return contentsOf(evaluator, object);
        return namespaceAttribute(evaluator, space->path, name);
    }
    if (object.as<FunctionObject>()) {
        const Target target = object.as<FunctionObject>()->target;
        if (name == "__qualname__") {
            // The functions in C that torch itself has are methods of one class.
            const FunctionRow* row = rowOf(target);
            const bool isC = row && (row->kind == FunctionKind::Builtin || row->kind == FunctionKind::Native);
            const bool isTorchs = std::count(target.name().begin(), target.name().end(), '.') == 1;
            return makeText((isC && isTorchs ? "_VariableFunctionsClass." : "") +
                            std::string(target.functionName()));
        }
        if (name == "__name__")
            return makeText(std::string(target.functionName()));
        if (name == "__module__")
            return makeText(target.name().substr(0, target.name().rfind('.')));
        if (name == "__doc__")
            return Value();
    }
    if (name == "__class__")
        return evaluator.typeOf(object);
    if (object.isTensor()) {
        const auto kept = m_tensorAttributes.find(object.data().toTensor().unsafeGetTensorImpl());
        if (kept != m_tensorAttributes.end())
            if (const Value* found = kept->second.second.as<DictObject>()->find(name))
                return *found;
    }
    std::optional<Value> found = run([&] { return findAttributeOf(object, name); });
    if (found && found->isData())
        return normalized(evaluator, std::move(*found));
    if (!found && object.isData()) {
        const Value type = evaluator.typeOf(object);
        if (const Value* method = evaluator.classOf(type).find(name))
            return evaluator.bindAttribute(*method, object, type);
    }
    return found;
}

std::optional<std::vector<std::string>> LiveHost::names(Evaluator&, const Value& object) {
    const auto* space = object.as<NamespaceObject>();
    const std::vector<std::string_view>* names = space ? namesOfModule(space->path) : nullptr;
    return names ? std::optional(std::vector<std::string>(names->begin(), names->end())) : std::nullopt;
}

/// vars() of one of torch's modules.
Value LiveHost::contentsOf(Evaluator& evaluator, const Value& module) {
    DictObject out;
    for (const std::string& name : names(evaluator, module).value_or(std::vector<std::string>()))
        if (name != "__dict__")
            if (std::optional<Value> found = evaluator.findAttribute(module, name))
                out.set(name, std::move(*found));
    return Object{std::move(out)};
}

void LiveHost::setAttribute(Evaluator& evaluator, const Value& object, const std::string& name,
                            const Value& value) {
    const Value& tensor = plainOf(object);
    if (!tensor.isTensor())
        raise("AttributeError", '\'' + fx::typeName(object) + "' object has no attribute '" + name + '\'');
    at::Tensor held = tensor.data().toTensor();
    if (name == "requires_grad") {
        guarded([&] { held.set_requires_grad(evaluator.isTrue(value)); });
    } else if (name == "data") {
        guarded([&] { held.set_data(plainOf(value).data().toTensor()); });
    } else if (name != "grad") {
        auto& [kept, dict] = m_tensorAttributes[held.unsafeGetTensorImpl()];
        if (dict.isNone()) {
            kept = tensor;
            dict = Object{DictObject()};
        }
        dict.as<DictObject>()->set(name, value);
    }
}

Value LiveHost::call(Evaluator& evaluator, const Value& function, Values args, NamedValues kwargs) {
    if (const auto* callee = function.as<FunctionObject>()) {
        if (const std::optional<Value> body = libraryFunction(evaluator, callee->target))
            return evaluator.call(*body, std::move(args), std::move(kwargs));
        unwrap(args, kwargs);
        const FunctionRow* row = rowOf(callee->target);
        Target target = callee->target;
        if (row && row->target && (row->kind != FunctionKind::Builtin || !isKnownFunction(target)) &&
            isKnownFunction(row->target))
            target = row->target;
        return normalized(evaluator, run([&] { return callFunction(target, args, kwargs); }));
    }
    if (const auto* method = function.as<MethodObject>()) {
        if (!plainOf(method->self).isTensor() || !isOperatorMethod(method->name))
            return callOf(evaluator, *method, std::move(args), std::move(kwargs));
        try {
            return callOf(evaluator, *method, std::move(args), std::move(kwargs));
        } catch (const Error& error) {
            if (error.kind() != "TypeError")
                throw;
            return *evaluator.builtins().find("NotImplemented"); // so that the other operand is asked
        }
    }
    if (const auto* space = function.as<NamespaceObject>(); space && space->path.starts_with(kOperators))
        refuseOperator(space->path);
    raise("TypeError", '\'' + typeName(function) + "' object is not callable");
}

Value LiveHost::callOf(Evaluator& evaluator, const MethodObject& method, Values args, NamedValues kwargs) {
    if (plainOf(method.self).isTensor())
        if (const std::optional<Value> body = tensorLibraryMethod(evaluator, method.name)) {
            args.insert(args.begin(), method.self);
            return evaluator.call(*body, std::move(args), std::move(kwargs));
        }
    unwrap(args, kwargs);
    const Value& self = plainOf(method.self);
    Value result = normalized(evaluator, run([&] { return callMethod(self, method.name, args, kwargs); }));
    const bool isSelf = self.isTensor() && result.isTensor() && result.data().is(self.data());
    return isSelf ? method.self : result; // parameter.zero_() is the parameter still
}

std::optional<Value> LiveHost::tensorLibraryMethod(Evaluator& evaluator, const std::string& name) {
    if (!isPythonInTorch("torch.Tensor." + name))
        return std::nullopt;
    const Value text = evaluator.runLibrary("torch._tensor");
    const Value* found = text.as<SourceModuleObject>()->dict.as<DictObject>()->find(name);
    return found ? std::optional(*found) : std::nullopt;
}

Value LiveHost::subscript(Evaluator& evaluator, const Value& object, const Value& index) {
    if (isStorage(object))
        return storageItem(object, evaluator.index(index));
    if (!plainOf(object).isTensor()) // a list of which a tensor is the index
        return getItemPlain(evaluator, plainOf(object), index);
    return normalized(evaluator, run([&] { return getItem(plainOf(object), plainOf(index)); }));
}

void LiveHost::setSubscript(Evaluator& evaluator, const Value& object, const Value& index,
                            const Value& value) {
    if (!plainOf(object).isTensor())
        return setItemPlain(evaluator, plainOf(object), index, value);
    guarded([&] { setItem(plainOf(object), plainOf(index), plainOf(value)); });
}

Value LiveHost::operate(Evaluator& evaluator, Operator op, Values given, bool isInPlace) {
    Values operands = given;
    for (Value& operand : operands)
        operand = plainOf(operand);
    const auto isTensor = [](const Value& value) { return value.isTensor(); };
    if (std::none_of(operands.begin(), operands.end(), isTensor)) {
        // dtypes, devices and functions can be compared, and no more.
        if (op == Operator::Eq || op == Operator::Ne)
            return IValue(areSameConstants(operands[0], operands[1]) == (op == Operator::Eq));
        raise("TypeError", "unsupported operand type(s) for " + std::string(operatorSign(op)) + ": '" +
                               typeName(operands[0]) + "'" +
                               (operands.size() > 1 ? " and '" + typeName(operands[1]) + '\'' : ""));
    }
    if (op == Operator::Mod && operands[0].isString()) // "%d" % tensor
        return *operatePlain(&evaluator, op, operands[0], operands[1]);
    const Value result = run([&] { return operateOnTensors(op, operands, isInPlace); });
    // parameter += 1 is the parameter still
    return isInPlace && operands[0].isSame(result) ? given[0] : result;
}

bool LiveHost::isTrue(Evaluator&, const Value& value) {
    return run([&] { return fx::isTrue(plainOf(value)); });
}

Value LiveHost::iterator(Evaluator& evaluator, const Value& value) {
    const Value& plain = plainOf(value);
    if (!plain.isTensor())
        raise("TypeError", '\'' + typeName(value) + "' object is not iterable");
    if (plain.data().toTensor().dim() == 0)
        raise("TypeError", "iteration over a 0-d tensor");
    Values parts;
    guarded([&] {
        for (const at::Tensor& part : plain.data().toTensor().unbind(0))
            parts.emplace_back(IValue(part));
    });
    return evaluator.iterator(makeList(std::move(parts)));
}

Values LiveHost::unpack(Evaluator& evaluator, const Value& value, size_t) {
    Values out;
    const Value iterator = this->iterator(evaluator, value);
    while (std::optional<Value> item = evaluator.next(iterator))
        out.push_back(std::move(*item));
    return out;
}

int64_t LiveHost::length(Evaluator&, const Value& value) {
    const Value& plain = plainOf(value);
    if (isStorage(plain))
        return storageLength(plain);
    if (!plain.isTensor())
        raise("TypeError", "object of type '" + typeName(value) + "' has no len()");
    if (plain.data().toTensor().dim() == 0)
        raise("TypeError", "len() of a 0-d tensor");
    return plain.data().toTensor().size(0);
}

int64_t LiveHost::index(Evaluator&, const Value& value) {
    const Value& plain = plainOf(value);
    if (plain.isTensor()) {
        const at::Tensor& tensor = plain.data().toTensor();
        if (tensor.numel() == 1 && c10::isIntegralType(tensor.scalar_type(), true))
            return run([&] { return tensor.item().toLong(); });
        raise("TypeError", "only integer tensors of a single element can be converted to an index");
    }
    raise("TypeError", '\'' + typeName(value) + "' object cannot be interpreted as an integer");
}

std::string LiveHost::text(Evaluator& evaluator, const Value& value, bool isRepr) {
    if (value.isData() && value.data().isGenerator())
        return defaultRepr(evaluator, value);
    if (isStorage(value))
        return storageText(value);
    const bool isParameterText = isParameter(value);
    const std::string text = run([&] { return valueText(plainOf(value)); });
    if (isParameterText)
        return "Parameter containing:\n" + text;
    if (!isRepr && value.isData() && value.data().isDevice())
        return value.data().toDevice().str();
    return text;
}

std::string LiveHost::format(Evaluator& evaluator, const Value& value, const std::string& spec) {
    const Value& plain = plainOf(value);
    if (plain.isTensor() && plain.data().toTensor().dim() == 0)
        return evaluator.format(run([&] { return callMethod(plain, "item", {}, {}); }), spec);
    if (spec.empty())
        return text(evaluator, value, false);
    raise("TypeError", "unsupported format string passed to " + typeName(value) + ".__format__");
}

LiveEvaluator::LiveEvaluator(LiveHost::Variables variables, EvaluationLimits limits)
    : m_host(std::move(variables)), m_evaluator(m_host, limits) {
    m_host.prepare(m_evaluator);
}

Value LiveEvaluator::evaluate(std::string_view source, const std::string& place) {
    const KeptModes kept;
    m_evaluator.startRequest();
    return m_evaluator.evaluate(parseExpressionSource(source, place), m_evaluator.makeGlobals("__main__"));
}

} // namespace fx
