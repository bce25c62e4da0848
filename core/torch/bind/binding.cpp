// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bind/binding.h"

#include "core/base/error.h"
#include "core/torch/bind/argument_faults.h"
#include "core/torch/bind/convert.h"
#include "core/torch/bind/signatures.h"
#include "core/torch/values/value_text.h"

#include <c10/util/StringUtil.h>

namespace fx {

namespace {

/// That a call does not fit one overload; a packet goes on to the next.
struct Mismatch {
    std::string message;
};

template <class... Parts>
[[noreturn]] void mismatch(const Parts&... parts) {
    throw Mismatch{c10::str(parts...)};
}

/// type(value).__name__
std::string typeInFault(const Value& value) {
    const std::string name = pythonTypeName(value);
    return name.substr(name.rfind('.') + 1);
}

/// repr(type(value))
std::string classText(const Value& value) {
    return "<class '" + (plainOf(value).isTensor() ? "torch." : std::string()) + pythonTypeName(value) + "'>";
}

/// What PyTorch adds about the value itself.
std::string castText(const Value& value, const c10::TypePtr& type) {
    const c10::TypeKind kind = type->kind();
    if (const auto* optional = type->castRaw<c10::OptionalType>())
        return castText(value, optional->getElementType());
    const auto* list = type->castRaw<c10::ListType>();
    if (list && list->getElementType()->kind() == c10::TypeKind::SymIntType && !itemsOf(value))
        return "\n Python error details: TypeError: '" + typeInFault(value) + "' object is not iterable";
    const std::string shown = value.isString() ? value.text() : valueText(plainOf(value));
    if (kind == c10::TypeKind::TensorType)
        return "\nCast error details: Unable to cast " + shown + " to Tensor";
    if (kind == c10::TypeKind::NumberType)
        return "\nCast error details: Cannot cast " + shown + " to number";
    if (list && list->getElementType()->kind() == c10::TypeKind::VarType)
        return "\nCast error details: toIValue() cannot handle converting to type: " +
               list->getElementType()->repr_str();
    return "\nCast error details: Unable to cast Python instance of type " + classText(value) +
           " to C++ type '?' (#define PYBIND11_DETAILED_ERROR_MESSAGES or compile in debug mode for details)";
}

c10::IValue argumentAt(const c10::FunctionSchema& schema, size_t at, const Value& value) {
    if (std::optional<c10::IValue> converted = argumentOf(schema, at, value))
        return std::move(*converted);
    const c10::Argument& argument = schema.arguments()[at];
    std::string text =
        schema.formatTypeMismatchMsg(argument, typeInFault(value), at, valueText(plainOf(value)));
    if (text.ends_with('\n'))
        text.pop_back();
    throw Mismatch{text + castText(value, argument.real_type())};
}

const Value* findKeyword(const NamedValues& kwargs, const std::string& name) {
    for (const auto& [key, value] : kwargs)
        if (key == name)
            return &value;
    return nullptr;
}

torch::jit::Stack bind(const c10::FunctionSchema& schema, const Values& args, const NamedValues& kwargs) {
    const std::vector<c10::Argument>& parameters = schema.arguments();
    if (args.size() + kwargs.size() > parameters.size())
        mismatch(schema.name(), "() expected at most ", parameters.size(), " argument(s) but received ",
                 args.size() + kwargs.size(), " argument(s). Declaration: ", schema);
    torch::jit::Stack stack;
    stack.reserve(parameters.size());
    for (const Value& value : args) {
        if (parameters[stack.size()].kwarg_only())
            mismatch(schema.name(), "() takes ", stack.size(), " positional argument(s) but ", args.size(),
                     " was/were given.  Declaration: ", schema);
        stack.push_back(argumentAt(schema, stack.size(), value));
    }
    size_t used = 0;
    while (stack.size() < parameters.size()) {
        const c10::Argument& parameter = parameters[stack.size()];
        if (const Value* given = findKeyword(kwargs, parameter.name())) {
            stack.push_back(argumentAt(schema, stack.size(), *given));
            ++used;
        } else if (parameter.default_value()) {
            stack.push_back(*parameter.default_value());
        } else {
            mismatch(schema.name(), "() is missing value for argument '", parameter.name(),
                     "'. Declaration: ", schema);
        }
    }
    if (used == kwargs.size())
        return stack;
    std::vector<std::string> names;
    for (const auto& [key, value] : kwargs)
        names.push_back(key);
    throw Mismatch{schema.findErrorInKwargs(names)};
}

Value run(const TorchOperator& op, torch::jit::Stack stack) {
    op.call(stack);
    if (stack.empty())
        return {};
    for (c10::IValue& item : stack)
        if (item.isTensor() && !item.toTensor().defined())
            item = c10::IValue(); // what an operator leaves out is None in Python
    if (stack.size() == 1)
        return std::move(stack.front());
    return c10::IValue(c10::ivalue::Tuple::create(std::move(stack)));
}

} // namespace

std::optional<c10::IValue> argumentOf(const c10::FunctionSchema& schema, size_t at, const Value& value) {
    const std::string_view name = std::string_view(schema.name()).substr(schema.name().rfind(':') + 1);
    std::optional<Converted> converted = convert(value, schema.arguments()[at], takesNumbersAsTensors(name));
    return converted ? std::optional(std::move(converted->value)) : std::nullopt;
}

Value callOverload(const TorchOperator& op, const Values& args, const NamedValues& kwargs) {
    torch::jit::Stack stack;
    try {
        stack = bind(*op.schema, args, kwargs);
    } catch (const Mismatch& fault) {
        raise("RuntimeError", fault.message);
    }
    return run(op, std::move(stack));
}

Value callPacket(const std::vector<const TorchOperator*>& overloads, const Values& args,
                 const NamedValues& kwargs) {
    if (overloads.size() == 1)
        return callOverload(*overloads[0], args, kwargs);
    std::string faults;
    for (const TorchOperator* op : overloads) {
        torch::jit::Stack stack;
        try {
            stack = bind(*op->schema, args, kwargs);
        } catch (const Mismatch& fault) {
            faults += fault.message + "\n\n";
            continue;
        }
        return run(*op, std::move(stack));
    }
    raise("RuntimeError",
          "Overloaded torch operator invoked from Python failed to match any schema:\n" + faults);
}

} // namespace fx
