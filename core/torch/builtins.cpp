// SPDX-License-Identifier: GPL-3.0-or-later
// Python's builtins, its module math, and torch's functions on symbolic numbers, which are plain ones here.
#include "core/base/error.h"
#include "core/torch/attributes.h"
#include "core/torch/call.h"
#include "core/torch/python_functions.h"
#include "core/torch/python_numbers.h"

#include <ATen/ATen.h>

#include <cmath>

namespace fx {

namespace {

using c10::IValue;

Value extreme(const Values& args, bool wantsLargest) {
    Values items = args;
    if (args.size() == 1) {
        const std::optional<Values> inner = itemsOf(args[0]);
        if (!inner || inner->empty())
            throw Error("", "max() or min() of nothing");
        items = *inner;
    }
    Value best = items.at(0);
    for (const Value& item : items)
        if (isTrue(operate(wantsLargest ? "gt" : "lt", {item, best})))
            best = item;
    return best;
}

Value rounded(const Value& value, double (*function)(double)) {
    if (isInteger(value))
        return value;
    if (!isReal(value))
        throw Error("", "must be real number, not " + typeName(value));
    const double whole = function(asDouble(value));
    if (!std::isfinite(whole))
        throw Error("", "cannot convert float infinity or NaN to integer");
    return IValue(static_cast<int64_t>(whole));
}

template <double (*function)(double)>
Value real(const Values& args, const NamedValues&) {
    requireCount(args, 1, 1, "math function");
    if (args[0].isTensor())
        return IValue(function(args[0].data().toTensor().item().toDouble()));
    if (!isReal(args[0]))
        throw Error("", "must be real number, not " + typeName(args[0]));
    const double result = function(asDouble(args[0]));
    if (std::isnan(result) && !std::isnan(asDouble(args[0])))
        throw Error("", "math domain error");
    return IValue(result);
}

} // namespace

void addBuiltins(FunctionTable& t) {
    t["getattr"] = [](const Values& a, const NamedValues&) -> Value {
        requireCount(a, 2, 3, "getattr");
        if (!isString(a[1]))
            throw Error("", "attribute name must be string, not '" + typeName(a[1]) + '\'');
        try {
            return attributeOf(a[0], a[1].data().toStringRef());
        } catch (const Error&) {
            if (a.size() == 3)
                return a[2];
            throw;
        }
    };
    t["len"] = [](const Values& a, const NamedValues&) -> Value {
        requireCount(a, 1, 1, "len");
        if (a[0].isTensor()) {
            if (a[0].data().toTensor().dim() == 0)
                throw Error("", "len() of a 0-d tensor");
            return IValue(a[0].data().toTensor().size(0));
        }
        if (isString(a[0]))
            return IValue(static_cast<int64_t>(a[0].data().toStringRef().size()));
        if (const auto* dict = a[0].as<DictObject>())
            return IValue(static_cast<int64_t>(dict->size()));
        const std::optional<Values> items = itemsOf(a[0]);
        if (!items)
            throw Error("", "object of type '" + typeName(a[0]) + "' has no len()");
        return IValue(static_cast<int64_t>(items->size()));
    };
    t["int"] = t["torch.sym_int"] = [](const Values& a, const NamedValues&) {
        requireCount(a, 1, 1, "int");
        return toNumber(a[0], true);
    };
    t["float"] = t["torch.sym_float"] = [](const Values& a, const NamedValues&) {
        requireCount(a, 1, 1, "float");
        return toNumber(a[0], false);
    };
    t["round"] = [](const Values& a, const NamedValues&) -> Value {
        requireCount(a, 1, 2, "round");
        if (a[0].isTensor())
            return callFunction("torch.round", {a[0]}, {});
        if (a.size() == 1)
            return rounded(a[0], std::nearbyint);
        const double scale = std::pow(10.0, static_cast<double>(asInt(a[1])));
        return isInteger(a[0]) ? a[0] : Value(IValue(std::nearbyint(asDouble(a[0]) * scale) / scale));
    };
    t["max"] = t["torch.sym_max"] = [](const Values& a, const NamedValues&) { return extreme(a, true); };
    t["min"] = t["torch.sym_min"] = [](const Values& a, const NamedValues&) { return extreme(a, false); };
    t["torch.sym_ite"] = [](const Values& a, const NamedValues&) {
        requireCount(a, 3, 3, "sym_ite");
        return isTrue(a[0]) ? a[1] : a[2];
    };
    t["torch.sym_sum"] = t["sum"] = [](const Values& a, const NamedValues&) -> Value {
        requireCount(a, 1, 1, "sum");
        const std::optional<Values> items = itemsOf(a[0]);
        if (!items)
            throw Error("", "'" + typeName(a[0]) + "' object is not iterable");
        Value total = IValue(int64_t(0));
        for (const Value& item : *items)
            total = operate("add", {total, item});
        return total;
    };
    t["tuple"] = t["list"] = [](const Values& a, const NamedValues&) -> Value {
        requireCount(a, 1, 1, "tuple");
        const std::optional<Values> items = itemsOf(a[0]);
        if (!items)
            throw Error("", "'" + typeName(a[0]) + "' object is not iterable");
        return makeSequence(*items, false);
    };
    t["list"] = [](const Values& a, const NamedValues& k) -> Value {
        return makeSequence(*itemsOf(findPythonFunction("tuple")(a, k)), true);
    };
    t["torch.fx._symbolic_trace._assert_is_none"] = [](const Values& a, const NamedValues&) -> Value {
        requireCount(a, 2, 2, "_assert_is_none");
        if (!a[0].isNone())
            throw Error("", isString(a[1]) ? a[1].text() : "a value that should be None is not");
        return {};
    };
    t["slice"] = [](const Values& a, const NamedValues&) -> Value {
        requireCount(a, 1, 3, "slice");
        if (a.size() == 1)
            return Object{SliceObject{Value(), a[0], Value()}};
        return Object{SliceObject{a[0], a[1], a.size() > 2 ? a[2] : Value()}};
    };
}

void addMath(FunctionTable& t) {
    t["math.ceil"] = [](const Values& a, const NamedValues&) {
        requireCount(a, 1, 1, "ceil");
        return rounded(a[0], std::ceil);
    };
    t["math.floor"] = [](const Values& a, const NamedValues&) {
        requireCount(a, 1, 1, "floor");
        return rounded(a[0], std::floor);
    };
    t["math.trunc"] = [](const Values& a, const NamedValues&) {
        requireCount(a, 1, 1, "trunc");
        return rounded(a[0], std::trunc);
    };
    t["math.pow"] = [](const Values& a, const NamedValues&) -> Value {
        requireCount(a, 2, 2, "pow");
        return IValue(std::pow(asDouble(toNumber(a[0], false)), asDouble(toNumber(a[1], false))));
    };
    t["math.sqrt"] = t["torch.sym_sqrt"] = t["torch._sym_sqrt"] = real<std::sqrt>;
    t["math.exp"] = t["torch._sym_exp"] = real<std::exp>;
    t["math.log"] = t["torch._sym_log"] = real<std::log>;
    t["math.log2"] = t["torch._sym_log2"] = real<std::log2>;
    t["math.log10"] = real<std::log10>;
    t["math.sin"] = t["torch._sym_sin"] = real<std::sin>;
    t["math.cos"] = t["torch._sym_cos"] = real<std::cos>;
    t["math.tan"] = t["torch._sym_tan"] = real<std::tan>;
    t["math.asin"] = t["torch._sym_asin"] = real<std::asin>;
    t["math.acos"] = t["torch._sym_acos"] = real<std::acos>;
    t["math.atan"] = t["torch._sym_atan"] = real<std::atan>;
    t["math.sinh"] = t["torch._sym_sinh"] = real<std::sinh>;
    t["math.cosh"] = t["torch._sym_cosh"] = real<std::cosh>;
    t["math.tanh"] = t["torch._sym_tanh"] = real<std::tanh>;
    t["math.fabs"] = real<std::fabs>;
    t["math.prod"] = [](const Values& a, const NamedValues& k) -> Value {
        const std::optional<Values> items = a.empty() ? std::nullopt : itemsOf(a[0]);
        if (!items)
            throw Error("", "math.prod() takes numbers to multiply");
        Value out = !k.empty() && k[0].first == "start" ? k[0].second : Value(IValue(int64_t(1)));
        for (const Value& item : *items)
            out = operate("mul", {out, item});
        return out;
    };
    t["math.isnan"] = [](const Values& a, const NamedValues&) -> Value {
        requireCount(a, 1, 1, "isnan");
        return IValue(static_cast<bool>(std::isnan(asDouble(toNumber(a[0], false)))));
    };
    t["math.isinf"] = [](const Values& a, const NamedValues&) -> Value {
        requireCount(a, 1, 1, "isinf");
        return IValue(static_cast<bool>(std::isinf(asDouble(toNumber(a[0], false)))));
    };
}

} // namespace fx
