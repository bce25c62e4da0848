// SPDX-License-Identifier: GPL-3.0-or-later
// Python's module operator: arithmetic and comparison as Python does them; tensors go to their ATen operator.
#include "core/base/error.h"
#include "core/torch/call.h"
#include "core/torch/python_functions.h"
#include "core/torch/python_numbers.h"

#include <ATen/ATen.h>

#include <cmath>
#include <limits>

namespace fx {

namespace {

using c10::IValue;

[[noreturn]] void unsupported(std::string_view sign, const Values& operands) {
    std::string message =
        "unsupported operand type(s) for " + std::string(sign) + ": '" + typeName(operands[0]) + '\'';
    if (operands.size() > 1)
        message += " and '" + typeName(operands[1]) + '\'';
    throw Error("", message);
}

[[noreturn]] void overflow() {
    throw Error("", "not supported: an int of more than 64 bits");
}

int64_t floorDivide(int64_t a, int64_t b) {
    if (b == 0)
        throw Error("", "integer division or modulo by zero");
    if (a == std::numeric_limits<int64_t>::min() && b == -1)
        overflow();
    const int64_t quotient = a / b;
    return quotient * b != a && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

double floatModulo(double a, double b) {
    if (b == 0)
        throw Error("", "float modulo");
    const double rest = std::fmod(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

int64_t checked(bool didOverflow, int64_t result) {
    if (didOverflow)
        overflow();
    return result;
}

int64_t power(int64_t base, int64_t exponent) {
    int64_t result = 1;
    bool bad = false;
    for (; exponent > 0 && !bad; exponent >>= 1) {
        if (exponent & 1)
            bad |= __builtin_mul_overflow(result, base, &result);
        if (exponent > 1)
            bad |= __builtin_mul_overflow(base, base, &base);
    }
    return checked(bad, result);
}

/// One row per operator: the sign for messages, the operator of ATen, what it does to two ints and two
/// floats.
struct Arithmetic {
    std::string_view name, sign, aten;
    Value (*ints)(int64_t, int64_t);
    Value (*floats)(double, double);
};

const Arithmetic kArithmetic[] = {
    {"add", "+", "add",
     [](int64_t a, int64_t b) -> Value {
         int64_t r;
         bool o = __builtin_add_overflow(a, b, &r);
         return IValue(checked(o, r));
     },
     [](double a, double b) -> Value { return IValue(a + b); }},
    {"sub", "-", "sub",
     [](int64_t a, int64_t b) -> Value {
         int64_t r;
         bool o = __builtin_sub_overflow(a, b, &r);
         return IValue(checked(o, r));
     },
     [](double a, double b) -> Value { return IValue(a - b); }},
    {"mul", "*", "mul",
     [](int64_t a, int64_t b) -> Value {
         int64_t r;
         bool o = __builtin_mul_overflow(a, b, &r);
         return IValue(checked(o, r));
     },
     [](double a, double b) -> Value { return IValue(a * b); }},
    {"truediv", "/", "true_divide",
     [](int64_t a, int64_t b) -> Value {
         if (b == 0)
             throw Error("", "division by zero");
         return IValue(static_cast<double>(a) / static_cast<double>(b));
     },
     [](double a, double b) -> Value {
         if (b == 0)
             throw Error("", "float division by zero");
         return IValue(a / b);
     }},
    {"floordiv", "//", "floor_divide",
     [](int64_t a, int64_t b) -> Value { return IValue(floorDivide(a, b)); },
     [](double a, double b) -> Value {
         if (b == 0)
             throw Error("", "float floor division by zero");
         return IValue(std::floor((a - floatModulo(a, b)) / b + 0.5));
     }},
    {"mod", "%", "remainder", [](int64_t a, int64_t b) -> Value { return IValue(a - b * floorDivide(a, b)); },
     [](double a, double b) -> Value { return IValue(floatModulo(a, b)); }},
    {"pow", "**", "pow",
     [](int64_t a, int64_t b) -> Value {
         return b < 0 ? Value(IValue(std::pow(static_cast<double>(a), static_cast<double>(b))))
                      : Value(IValue(power(a, b)));
     },
     [](double a, double b) -> Value { return IValue(std::pow(a, b)); }},
    {"lshift", "<<", "bitwise_left_shift",
     [](int64_t a, int64_t b) -> Value {
         if (b < 0)
             throw Error("", "negative shift count");
         return IValue(b > 62 ? checked(a != 0, 0) : checked((a << b) >> b != a, a << b));
     },
     nullptr},
    {"rshift", ">>", "bitwise_right_shift",
     [](int64_t a, int64_t b) -> Value {
         if (b < 0)
             throw Error("", "negative shift count");
         return IValue(a >> std::min<int64_t>(b, 63));
     },
     nullptr},
    {"and_", "&", "bitwise_and", [](int64_t a, int64_t b) -> Value { return IValue(a & b); }, nullptr},
    {"or_", "|", "bitwise_or", [](int64_t a, int64_t b) -> Value { return IValue(a | b); }, nullptr},
    {"xor", "^", "bitwise_xor", [](int64_t a, int64_t b) -> Value { return IValue(a ^ b); }, nullptr},
    {"matmul", "@", "matmul", nullptr, nullptr},
    {"lt", "<", "lt", [](int64_t a, int64_t b) -> Value { return IValue(a < b); },
     [](double a, double b) -> Value { return IValue(a < b); }},
    {"le", "<=", "le", [](int64_t a, int64_t b) -> Value { return IValue(a <= b); },
     [](double a, double b) -> Value { return IValue(a <= b); }},
    {"gt", ">", "gt", [](int64_t a, int64_t b) -> Value { return IValue(a > b); },
     [](double a, double b) -> Value { return IValue(a > b); }},
    {"ge", ">=", "ge", [](int64_t a, int64_t b) -> Value { return IValue(a >= b); },
     [](double a, double b) -> Value { return IValue(a >= b); }},
    {"eq", "==", "eq", [](int64_t a, int64_t b) -> Value { return IValue(a == b); },
     [](double a, double b) -> Value { return IValue(a == b); }},
    {"ne", "!=", "ne", [](int64_t a, int64_t b) -> Value { return IValue(a != b); },
     [](double a, double b) -> Value { return IValue(a != b); }},
};

const Arithmetic* arithmetic(std::string_view name) {
    for (const Arithmetic& row : kArithmetic)
        if (row.name == name)
            return &row;
    return nullptr;
}

} // namespace

bool isEqual(const Value& a, const Value& b) {
    const std::optional<Values> left = itemsOf(a), right = itemsOf(b);
    if (left && right) {
        if (left->size() != right->size())
            return false;
        for (size_t i = 0; i < left->size(); ++i)
            if (!isEqual((*left)[i], (*right)[i]))
                return false;
        return true;
    }
    if (left || right)
        return false;
    if (isReal(a) && isReal(b))
        return asDouble(a) == asDouble(b);
    if (const auto* x = a.as<Argument>(), *y = b.as<Argument>(); x && y)
        return *x == *y;
    if (a.isTensor() || b.isTensor())
        return isTrue(operate("eq", {a, b}));
    return a.isData() && b.isData() && a.data() == b.data();
}

namespace {

Value binary(const Arithmetic& row, const Values& operands) {
    const Value &a = operands[0], &b = operands[1];
    if (a.isTensor() || b.isTensor()) {
        const bool isComparison = row.name == "eq" || row.name == "ne";
        if (isComparison && (a.isNone() || b.isNone()))
            return IValue(row.name == "ne");
        if (row.name == "truediv" && !a.isTensor()) // as Tensor.__rtruediv__ does
            return callFunction("torch.mul", {callFunction("torch.reciprocal", {b}, {}), a}, {});
        return callFunction("torch." + std::string(row.aten), operands, {});
    }
    const bool bothBool = a.isData() && b.isData() && a.data().isBool() && b.data().isBool();
    if (isInteger(a) && isInteger(b) && row.ints) {
        const Value result = row.ints(asInt(a), asInt(b));
        const bool staysBool = bothBool && (row.name == "and_" || row.name == "or_" || row.name == "xor");
        return staysBool ? Value(IValue(result.data().toInt() != 0)) : result;
    }
    if (isReal(a) && isReal(b) && row.floats)
        return row.floats(asDouble(a), asDouble(b));
    if (row.name == "eq" || row.name == "ne")
        return IValue(isEqual(a, b) == (row.name == "eq"));
    if (row.name == "add") {
        if (isString(a) && isString(b))
            return IValue(a.data().toStringRef() + b.data().toStringRef());
        const std::optional<Values> left = itemsOf(a), right = itemsOf(b);
        if (left && right) {
            Values all = *left;
            all.insert(all.end(), right->begin(), right->end());
            return makeSequence(std::move(all), typeName(a) == "list");
        }
    }
    unsupported(row.sign, operands);
}

Value negate(const Value& value) {
    if (value.isTensor())
        return callFunction("torch.neg", {value}, {});
    if (isInteger(value))
        return IValue(-asInt(value));
    if (isReal(value))
        return IValue(-asDouble(value));
    unsupported("unary -", {value});
}

template <size_t row>
Value arithmeticRow(const Values& args, const NamedValues&) {
    requireCount(args, 2, 2, kArithmetic[row].name.data());
    return binary(kArithmetic[row], args);
}

template <size_t... rows>
void addArithmetic(FunctionTable& table, std::index_sequence<rows...>) {
    ((table["operator." + std::string(kArithmetic[rows].name)] = arithmeticRow<rows>), ...);
}

/// x += y: tensors change in place, everything else is computed anew.
template <size_t row>
Value inPlaceRow(const Values& args, const NamedValues&) {
    requireCount(args, 2, 2, kArithmetic[row].name.data());
    const std::string method =
        std::string(kArithmetic[row].aten == "true_divide" ? "div" : kArithmetic[row].aten) + '_';
    if (args[0].isTensor() && kArithmetic[row].name != "matmul")
        return callMethod(args[0], method, {args[1]}, {});
    return binary(kArithmetic[row], args);
}

template <size_t... rows>
void addInPlace(FunctionTable& table, std::index_sequence<rows...>) {
    const auto add = [&](std::string_view name, PythonFunction function) {
        table["operator.i" + std::string(name.substr(0, name.find('_')))] = function;
    };
    (add(kArithmetic[rows].name, inPlaceRow<rows>), ...);
}

} // namespace

void addOperators(FunctionTable& t) {
    constexpr size_t kCount = std::size(kArithmetic);
    constexpr size_t kInPlaceCount = 13;
    addArithmetic(t, std::make_index_sequence<kCount>());
    addInPlace(t, std::make_index_sequence<kInPlaceCount>());

    t["operator.neg"] = [](const Values& a, const NamedValues&) {
        requireCount(a, 1, 1, "neg");
        return negate(a[0]);
    };
    t["operator.pos"] = [](const Values& a, const NamedValues&) {
        requireCount(a, 1, 1, "pos");
        return a[0];
    };
    t["operator.abs"] = t["abs"] = [](const Values& a, const NamedValues&) -> Value {
        requireCount(a, 1, 1, "abs");
        if (a[0].isTensor())
            return callFunction("torch.abs", a, {});
        if (!isReal(a[0]))
            throw Error("", "bad operand type for abs(): '" + typeName(a[0]) + '\'');
        return asDouble(a[0]) < 0 ? negate(a[0]) : a[0];
    };
    t["operator.invert"] = t["operator.inv"] = [](const Values& a, const NamedValues&) -> Value {
        requireCount(a, 1, 1, "invert");
        if (a[0].isTensor())
            return callFunction("torch.bitwise_not", a, {});
        if (!isInteger(a[0]))
            unsupported("unary ~", a);
        return IValue(~asInt(a[0]));
    };
    t["operator.not_"] = t["torch.sym_not"] = [](const Values& a, const NamedValues&) -> Value {
        requireCount(a, 1, 1, "not_");
        return IValue(!isTrue(a[0]));
    };
    t["operator.truth"] = t["bool"] = [](const Values& a, const NamedValues&) -> Value {
        requireCount(a, 1, 1, "bool");
        return IValue(isTrue(a[0]));
    };
    t["operator.is_"] = [](const Values& a, const NamedValues&) -> Value {
        requireCount(a, 2, 2, "is_");
        if (a[0].isTensor() && a[1].isTensor())
            return IValue(a[0].data().toTensor().is_same(a[1].data().toTensor()));
        return IValue(typeName(a[0]) == typeName(a[1]) && isEqual(a[0], a[1]));
    };
    t["operator.is_not"] = [](const Values& a, const NamedValues& k) -> Value {
        return IValue(!isTrue(findPythonFunction("operator.is_")(a, k)));
    };
    t["operator.contains"] = [](const Values& a, const NamedValues&) -> Value {
        requireCount(a, 2, 2, "contains");
        if (isString(a[0]) && isString(a[1]))
            return IValue(a[0].data().toStringRef().find(a[1].data().toStringRef()) != std::string::npos);
        if (const auto* dict = a[0].as<DictObject>()) {
            for (const auto& [key, value, hash] : dict->entries())
                if (isEqual(key, a[1]))
                    return IValue(true);
            return IValue(false);
        }
        const std::optional<Values> items = itemsOf(a[0]);
        if (!items)
            throw Error("", "argument of type '" + typeName(a[0]) + "' is not iterable");
        for (const Value& item : *items)
            if (isEqual(item, a[1]))
                return IValue(true);
        return IValue(false);
    };
    t["operator.concat"] = [](const Values& a, const NamedValues&) { return operate("add", a); };
    t["operator.index"] = [](const Values& a, const NamedValues&) {
        requireCount(a, 1, 1, "index");
        return toNumber(a[0], true);
    };
    t["operator.getitem"] = [](const Values& a, const NamedValues&) {
        requireCount(a, 2, 2, "getitem");
        return getItem(a[0], a[1]);
    };
    t["operator.setitem"] = [](const Values& a, const NamedValues&) -> Value {
        requireCount(a, 3, 3, "setitem");
        setItem(a[0], a[1], a[2]);
        return {};
    };
}

Value operate(std::string_view name, const Values& operands) {
    if (const Arithmetic* row = arithmetic(name))
        return binary(*row, operands);
    const PythonFunction function = findPythonFunction("operator." + std::string(name));
    if (!function)
        throw Error("", "not supported: operator." + std::string(name));
    return function(operands, {});
}

} // namespace fx
