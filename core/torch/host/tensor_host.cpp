// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/host/tensor_host.h"

#include "core/python/types/sequences.h"
#include "core/python/types/support.h"
#include "core/torch/bind/call.h"
#include "core/torch/bind/operator_results.h"
#include "core/torch/bind/python_functions.h"
#include "core/torch/host/function_modes.h"
#include "core/torch/host/function_overrides.h"
#include "core/torch/host/nn_modules.h"
#include "core/torch/host/torch_names.h"
#include "core/torch/values/arrays.h"
#include "core/torch/values/attributes.h"
#include "core/torch/values/storages.h"
#include "core/torch/values/symbolic_tensors.h"
#include "core/torch/values/value_text.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

using c10::IValue;

/// "__add__", "__radd__", "__iadd__": methods behind Python's operators of two operands.
bool isOperatorMethod(std::string_view name) {
    const auto found = operatorByMethod(name);
    // Tensor has kept Python 2's division.
    return found ? !operatorRow(found->op).isUnary()
                 : name == "__div__" || name == "__rdiv__" || name == "__idiv__";
}

template <class Work>
auto run(Work work) {
    decltype(work()) result{};
    guarded([&] { result = work(); });
    return result;
}

} // namespace

std::string TensorHost::typeName(const Value& value) const {
    return value.as<ModuleObject>() ? "module" : fx::typeName(value);
}

const Value* TensorHost::keptAttribute(const Value& tensor, std::string_view name) const {
    if (!tensor.isTensor())
        return nullptr;
    const auto kept = m_attributes.find(tensor.data().toTensor().unsafeGetTensorImpl());
    return kept == m_attributes.end() ? nullptr
                                      : kept->second.second.as<DictObject>()->find(std::string(name));
}

std::optional<Value> TensorHost::attribute(Evaluator& evaluator, const Value& object,
                                           const std::string& name) {
    if (name == "__class__")
        return evaluator.typeOf(object);
    if (const Value* kept = keptAttribute(object, name))
        return *kept;
    if (symbolicNumber(object))
        if (std::optional<Value> found = attributeOfNumber(evaluator, object, name))
            return found;
    std::optional<Value> found = run([&] { return findAttributeOf(object, name); });
    if (found && found->isData())
        return m_results.toPython(evaluator, std::move(*found));
    if (!found && object.isData()) {
        const Value type = evaluator.typeOf(object);
        if (const Value* method = evaluator.classOf(type).find(name))
            return bindAttribute(evaluator, *method, object, type);
    }
    return found;
}

void TensorHost::setAttribute(Evaluator& evaluator, const Value& object, const std::string& name,
                              const Value& value) {
    const Value& tensor = plainOf(object);
    if (!tensor.isTensor())
        return ValueHost::setAttribute(evaluator, object, name, value);
    at::Tensor held = tensor.data().toTensor();
    if (name == "requires_grad") {
        guarded([&] { held.set_requires_grad(evaluator.isTrue(value)); });
    } else if (name == "data") {
        guarded([&] { held.set_data(plainOf(value).data().toTensor()); });
    } else if (name == "grad") {
        guarded(
            [&] { held.mutable_grad() = value.isNone() ? at::Tensor() : plainOf(value).data().toTensor(); });
    } else {
        auto& [kept, dict] = m_attributes[held.unsafeGetTensorImpl()];
        if (dict.isNone()) {
            kept = tensor;
            dict = Object{DictObject()};
        }
        dict.as<DictObject>()->set(name, value);
    }
}

Value TensorHost::call(Evaluator& evaluator, const Value& function, Values args, NamedValues kwargs) {
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
    return ValueHost::call(evaluator, function, std::move(args), std::move(kwargs));
}

Value TensorHost::callOf(Evaluator& evaluator, const MethodObject& method, Values args, NamedValues kwargs) {
    if (plainOf(method.self).isTensor())
        if (const std::optional<Value> body = tensorLibraryMethod(evaluator, method.name)) {
            args.insert(args.begin(), method.self);
            return evaluator.call(*body, std::move(args), std::move(kwargs));
        }
    if (method.name == "as_subclass" && args.size() == 1)
        return evaluator.call(*evaluator.builtins().find("_as_subclass"), {method.self, args[0]});
    if (method.name == "numpy" && plainOf(method.self).isTensor())
        return arrayOfTensor(evaluator, plainOf(method.self), args, kwargs);
    unwrap(args, kwargs);
    const Value& self = plainOf(method.self);
    Value result =
        m_results.toPython(evaluator, run([&] { return callMethod(self, method.name, args, kwargs); }));
    const bool isSelf = self.isTensor() && result.isTensor() && result.data().is(self.data());
    return isSelf ? method.self : result; // parameter.zero_() is the parameter still
}

Value TensorHost::subscript(Evaluator& evaluator, const Value& object, const Value& index) {
    if (isStorage(object))
        return storageItem(object, evaluator.index(index));
    if (!plainOf(object).isTensor()) // a list of which a tensor is the index
        return getItemPlain(evaluator, plainOf(object), index);
    if (m_modes.areOn())
        return m_modes.callMethod(evaluator, "__getitem__", {object, index});
    if (std::optional<Value> answer = m_overrides.callMethod(evaluator, "__getitem__", {object, index}))
        return std::move(*answer);
    return m_results.toPython(evaluator,
                              run([&] { return getItem(plainOf(object), withoutArrays(plainOf(index))); }));
}

void TensorHost::setSubscript(Evaluator& evaluator, const Value& object, const Value& index,
                              const Value& value) {
    if (!plainOf(object).isTensor())
        return setItemPlain(evaluator, plainOf(object), index, value);
    if (m_modes.areOn()) {
        m_modes.callMethod(evaluator, "__setitem__", {object, index, value});
        return;
    }
    if (m_overrides.callMethod(evaluator, "__setitem__", {object, index, value}))
        return;
    guarded([&] { setItem(plainOf(object), withoutArrays(plainOf(index)), plainOf(value)); });
}

Value TensorHost::operate(Evaluator& evaluator, Operator op, Values given, bool isInPlace) {
    Values operands = given;
    for (Value& operand : operands)
        operand = plainOf(operand);
    const auto isTensor = [](const Value& value) { return value.isTensor(); };
    if (op == Operator::Mod && operands[0].isString()) // "%d" % tensor
        return *operatePlain(&evaluator, op, operands[0], operands[1]);
    const auto isNumber = [](const Value& value) { return symbolicNumber(value) != nullptr; };
    const bool hasTensor = std::ranges::any_of(operands, isTensor);
    if (!hasTensor && std::ranges::any_of(operands, isNumber))
        if (std::optional<Value> result = run([&] { return operateOnNumbers(op, operands); }))
            return std::move(*result);
    if (!hasTensor)
        return ValueHost::operate(evaluator, op, std::move(operands), isInPlace);
    if (m_modes.areOn())
        return m_modes.operate(evaluator, op, std::move(given), isInPlace);
    if (std::optional<Value> answer = m_overrides.operateOn(evaluator, op, given, isInPlace))
        return std::move(*answer);
    const Value result = run([&] { return operateOnTensors(op, operands, isInPlace); });
    // parameter += 1 is the parameter still
    return isInPlace && operands[0].isSame(result) ? given[0] : result;
}

bool TensorHost::isTrue(Evaluator&, const Value& value) {
    if (SymbolicNumber* number = symbolicNumber(value))
        return run([&] { return number->isTrue(); });
    return run([&] { return fx::isTrue(plainOf(value)); });
}

Value TensorHost::iterator(Evaluator& evaluator, const Value& value) {
    const Value& plain = plainOf(value);
    if (!plain.isTensor())
        return ValueHost::iterator(evaluator, value);
    if (plain.data().toTensor().dim() == 0)
        raise("TypeError", "iteration over a 0-d tensor");
    Values parts;
    guarded([&] {
        for (const at::Tensor& part : plain.data().toTensor().unbind(0))
            parts.emplace_back(IValue(part));
    });
    return evaluator.iterator(makeList(std::move(parts)));
}

int64_t TensorHost::length(Evaluator& evaluator, const Value& value) {
    const Value& plain = plainOf(value);
    if (isStorage(plain))
        return storageLength(plain);
    if (!plain.isTensor())
        return ValueHost::length(evaluator, value);
    const at::Tensor& tensor = plain.data().toTensor();
    if (tensor.dim() == 0)
        raise("TypeError", "len() of a 0-d tensor");
    return run([&] { return tensor.sym_size(0).guard_int(__FILE__, __LINE__); });
}

int64_t TensorHost::index(Evaluator& evaluator, const Value& value) {
    const Value& plain = plainOf(value);
    if (SymbolicNumber* number = symbolicNumber(plain))
        return run([&] { return number->guard_int(__FILE__, __LINE__); });
    if (plain.isTensor()) {
        const at::Tensor& tensor = plain.data().toTensor();
        if (tensor.numel() == 1 && c10::isIntegralType(tensor.scalar_type(), true))
            return run([&] { return tensor.item().toLong(); });
        raise("TypeError", "only integer tensors of a single element can be converted to an index");
    }
    return ValueHost::index(evaluator, value);
}

std::string TensorHost::text(Evaluator& evaluator, const Value& value, bool isRepr) {
    if (value.isData() && value.data().isGenerator())
        return defaultRepr(evaluator, value);
    if (isStorage(value))
        return storageText(value);
    if (const Value* text = keptAttribute(value, "_fx_text")) // of a FakeTensor
        return evaluator.call(Value(*text), {value}).text();
    if (SymbolicNumber* number = symbolicNumber(value))
        return number->str();
    if (plainOf(value).isTensor() && isFake(plainOf(value).data().toTensor()))
        return fakeText(plainOf(value).data().toTensor());
    const bool isParameterText = isParameter(value);
    const std::string text = run([&] { return valueText(plainOf(value)); });
    if (isParameterText)
        return "Parameter containing:\n" + text;
    if (!isRepr && value.isData() && value.data().isDevice())
        return value.data().toDevice().str();
    return text;
}

std::string TensorHost::format(Evaluator& evaluator, const Value& value, const std::string& spec) {
    const Value& plain = plainOf(value);
    if (plain.isTensor() && plain.data().toTensor().dim() == 0 && !plain.data().toTensor().is_meta())
        return formatOf(evaluator, run([&] { return callMethod(plain, "item", {}, {}); }), spec);
    return ValueHost::format(evaluator, value, spec);
}

} // namespace fx
