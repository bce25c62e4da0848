// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/live_host.h"

#include "core/base/error.h"
#include "core/ir/dtype.h"
#include "core/torch/attributes.h"
#include "core/torch/call.h"
#include "core/torch/python_functions.h"
#include "core/torch/value_text.h"

namespace fx {

Value LiveHost::name(const std::string& name) {
    if (m_variables)
        if (const std::optional<Value> value = m_variables(name))
            return *value;
    if (name == "torch" || name == "math" || name == "operator")
        return Object{NamespaceObject{name}};
    if (name == "F")
        return Object{NamespaceObject{"torch.nn.functional"}};
    // Builtins come before torch's functions of the same name: max, min, sum, abs.
    if (isKnownFunction(name) || name == "repr" || name == "str")
        return Object{FunctionObject{name}};
    if (const auto dtype = dtypeFromName(name))
        return Object{Argument(*dtype)};
    if (isKnownFunction("torch." + name))
        return Object{FunctionObject{"torch." + name}};
    throw Error("", "name '" + name + "' is not defined");
}

Value LiveHost::attribute(const Value& object, const std::string& name) {
    return attributeOf(object, name);
}

Value LiveHost::call(const Value& function, Values args, NamedValues kwargs) {
    if (const auto* callee = function.as<FunctionObject>()) {
        if (callee->target == Target("repr") && args.size() == 1)
            return c10::IValue(valueText(args[0]));
        if (callee->target == Target("str") && args.size() == 1) {
            const bool isString = args[0].isData() && args[0].data().isString();
            return isString ? args[0] : Value(c10::IValue(valueText(args[0])));
        }
        return callFunction(callee->target, args, kwargs);
    }
    if (const auto* method = function.as<MethodObject>())
        return callMethod(method->self, method->name, args, kwargs);
    if (const auto* leaf = function.as<Argument>(); leaf && leaf->as<c10::ScalarType>())
        throw Error("", "a dtype cannot be called");
    throw Error("", '\'' + typeName(function) + "' object is not callable");
}

Value LiveHost::subscript(const Value& object, const Value& index) {
    return getItem(object, index);
}

Value LiveHost::operate(std::string_view name, Values operands) {
    Value result;
    guarded([&] { result = fx::operate(name, operands); });
    return result;
}

} // namespace fx
