// SPDX-License-Identifier: GPL-3.0-or-later
// Python's module math: the functions on floats. Those on ints and on many numbers are in math_integers.cpp.
#include "core/python/big_int.h"
#include "core/python/types/native_modules.h"
#include "core/python/types/operations.h"

#include <cmath>

namespace fx {

double mathArgument(Evaluator& evaluator, const Value& value) {
    const Value& plain = plainOf(value);
    if (isRealNumber(plain) && !value.as<InstanceObject>())
        return realNumber(plain);
    if (value.as<InstanceObject>() || evaluator.hostOf(value))
        for (const char* method : {"__float__", "__index__"})
            if (const std::optional<Value> own = evaluator.findAttribute(value, method))
                if (const Value number = plainOf(evaluator.call(*own)); isRealNumber(number))
                    return realNumber(number);
    raise("TypeError", "must be real number, not " + typeName(value));
}

namespace {

[[noreturn]] void domainError() {
    raise("ValueError", "math domain error");
}
[[noreturn]] void rangeError() {
    raise("OverflowError", "math range error");
}

/// Python's rules: NaN out of a number is a fault, and so is an infinity out of a finite number.
Value checked(double result, bool hadNan, bool wasFinite, bool canOverflow) {
    if (std::isnan(result) && !hadNan)
        domainError();
    if (std::isinf(result) && wasFinite)
        canOverflow ? rangeError() : domainError();
    return makeFloat(result);
}

using Function = double (*)(double);
struct FunctionRow {
    const char* name;
    Function function;
    bool canOverflow;
};
constexpr FunctionRow kFunctions[] = {
    {"acos", std::acos, false},   {"acosh", std::acosh, false}, {"asin", std::asin, false},
    {"asinh", std::asinh, false}, {"atan", std::atan, false},   {"atanh", std::atanh, false},
    {"cbrt", std::cbrt, false},   {"cos", std::cos, false},     {"cosh", std::cosh, true},
    {"erf", std::erf, false},     {"erfc", std::erfc, false},   {"exp", std::exp, true},
    {"exp2", std::exp2, true},    {"expm1", std::expm1, true},  {"fabs", std::fabs, false},
    {"log1p", std::log1p, false}, {"sin", std::sin, false},     {"sinh", std::sinh, true},
    {"sqrt", std::sqrt, false},   {"tan", std::tan, false},     {"tanh", std::tanh, false},
};

double gamma(double x) {
    if (x == std::floor(x) && (x < 0 || x == -INFINITY))
        domainError();
    if (x == 0)
        domainError();
    return std::tgamma(x);
}

double logGamma(double x) {
    if (std::isfinite(x) && x <= 0 && x == std::floor(x))
        domainError();
    int sign = 0; // the plain lgamma() writes to a global
    return ::lgamma_r(x, &sign);
}

void addFunctions(NativeModule& math) {
    for (const FunctionRow& row : kFunctions)
        math.add(row.name, 1, 1, [row](Evaluator& e, Values& args) {
            const double x = mathArgument(e, args[0]);
            return checked(row.function(x), std::isnan(x), std::isfinite(x), row.canOverflow);
        });
    for (const bool isLog : {false, true})
        math.add(isLog ? "lgamma" : "gamma", 1, 1, [isLog](Evaluator& e, Values& args) {
            const double x = mathArgument(e, args[0]);
            return checked(isLog ? logGamma(x) : gamma(x), std::isnan(x), std::isfinite(x), true);
        });
    using Pair = double (*)(double, double);
    static constexpr std::pair<const char*, Pair> kPairs[] = {
        {"atan2", std::atan2}, {"copysign", std::copysign}, {"nextafter", std::nextafter}};
    for (const auto& [name, function] : kPairs)
        math.add(name, 2, 2, [function = function](Evaluator& e, Values& args) {
            return makeFloat(function(mathArgument(e, args[0]), mathArgument(e, args[1])));
        });
    math.add("fmod", 2, 2, [](Evaluator& e, Values& args) {
        const double x = mathArgument(e, args[0]), y = mathArgument(e, args[1]);
        return checked(std::fmod(x, y), std::isnan(x) || std::isnan(y), true, false);
    });
    math.add("remainder", 2, 2, [](Evaluator& e, Values& args) {
        const double x = mathArgument(e, args[0]), y = mathArgument(e, args[1]);
        return checked(std::remainder(x, y), std::isnan(x) || std::isnan(y), true, false);
    });
    math.add("pow", 2, 2, [](Evaluator& e, Values& args) {
        const double x = mathArgument(e, args[0]), y = mathArgument(e, args[1]);
        if (x == 0 && y < 0 && std::isfinite(y))
            domainError();
        return checked(std::pow(x, y), std::isnan(x) || std::isnan(y), std::isfinite(x) && std::isfinite(y),
                       true);
    });
    math.add("ulp", 1, 1, [](Evaluator& e, Values& args) {
        const double x = std::abs(mathArgument(e, args[0]));
        if (!std::isfinite(x))
            return makeFloat(x);
        const double above = std::nextafter(x, INFINITY);
        return makeFloat(std::isinf(above) ? x - std::nextafter(x, 0) : above - x);
    });
}

/// The logarithm of a positive number of any size: `function` of what fits a float.
double logarithm(Evaluator& evaluator, const Value& value, Function function) {
    const auto* big = plainOf(value).as<BigIntObject>();
    if (!big || big->value->bitLength() < 1000) {
        const double x = mathArgument(evaluator, value);
        if (x <= 0)
            domainError();
        return function(x);
    }
    if (big->value->sign() < 0)
        domainError();
    long exponent = 0;
    const double digits = mpz_get_d_2exp(&exponent, big->value->get());
    return function(digits) + static_cast<double>(exponent) * function(2.0);
}

void addLogarithms(NativeModule& math) {
    math.add("log", 1, 2, [](Evaluator& e, Values& args) {
        const double top = logarithm(e, args[0], std::log);
        if (args.size() == 1)
            return makeFloat(top);
        const double bottom = logarithm(e, args[1], std::log);
        if (bottom == 0)
            raise("ZeroDivisionError", "float division by zero");
        return makeFloat(top / bottom);
    });
    math.add("log2", 1, 1,
             [](Evaluator& e, Values& args) { return makeFloat(logarithm(e, args[0], std::log2)); });
    math.add("log10", 1, 1,
             [](Evaluator& e, Values& args) { return makeFloat(logarithm(e, args[0], std::log10)); });
}

/// floor, ceil and trunc: the value's own method, or that of its float.
void addRounding(NativeModule& math, const char* name, Function function) {
    const std::string dunder = std::string("__") + name + "__";
    math.add(name, 1, 1, [=](Evaluator& e, Values& args) {
        const Value& plain = plainOf(args[0]);
        if (args[0].as<InstanceObject>() || e.hostOf(args[0]))
            if (const std::optional<Value> own = e.findAttribute(args[0], dunder))
                return e.call(*own);
        if (isWhole(plain))
            return plain.isBool() ? makeInt(smallInt(plain)) : plain;
        if (dunder == "__trunc__" && !plain.isDouble())
            raise("TypeError", "type " + typeName(args[0]) + " doesn't define __trunc__ method");
        return truncated(function(mathArgument(e, args[0])));
    });
}

Value isClose(Evaluator& evaluator, Values& args, NamedValues& kwargs) {
    const BoundArguments given("isclose", args, kwargs, {"a", "b", "rel_tol", "abs_tol"}, 2, 0);
    const double a = mathArgument(evaluator, *given[0]), b = mathArgument(evaluator, *given[1]);
    const double relative = given[2] ? mathArgument(evaluator, *given[2]) : 1e-9;
    const double absolute = given[3] ? mathArgument(evaluator, *given[3]) : 0;
    if (relative < 0 || absolute < 0)
        raise("ValueError", "tolerances must be non-negative");
    if (a == b || std::isinf(a) || std::isinf(b))
        return makeBool(a == b);
    const double gap = std::abs(a - b);
    return makeBool(gap <= std::abs(relative * b) || gap <= std::abs(relative * a) || gap <= absolute);
}

void addParts(NativeModule& math) {
    math.add("isfinite", 1, 1,
             [](Evaluator& e, Values& args) { return makeBool(std::isfinite(mathArgument(e, args[0]))); });
    math.add("isinf", 1, 1,
             [](Evaluator& e, Values& args) { return makeBool(std::isinf(mathArgument(e, args[0]))); });
    math.add("isnan", 1, 1,
             [](Evaluator& e, Values& args) { return makeBool(std::isnan(mathArgument(e, args[0]))); });
    math.add("degrees", 1, 1,
             [](Evaluator& e, Values& args) { return makeFloat(mathArgument(e, args[0]) * (180 / M_PI)); });
    math.add("radians", 1, 1,
             [](Evaluator& e, Values& args) { return makeFloat(mathArgument(e, args[0]) * (M_PI / 180)); });
    math.add("frexp", 1, 1, [](Evaluator& e, Values& args) {
        int exponent = 0;
        const double digits = std::frexp(mathArgument(e, args[0]), &exponent);
        return makeTuple({makeFloat(digits), makeInt(std::isfinite(digits) ? exponent : 0)});
    });
    math.add("modf", 1, 1, [](Evaluator& e, Values& args) {
        double whole = 0;
        const double part = std::modf(mathArgument(e, args[0]), &whole);
        return makeTuple({makeFloat(part), makeFloat(whole)});
    });
    math.add("ldexp", 2, 2, [](Evaluator& e, Values& args) {
        const double x = mathArgument(e, args[0]);
        if (!isWhole(plainOf(args[1])))
            raise("TypeError", "Expected an int as second argument to ldexp.");
        const int64_t exponent = std::clamp<int64_t>(clampedIndex(e, args[1]), -100000, 100000);
        const double result = std::ldexp(x, static_cast<int>(exponent));
        if (std::isinf(result) && std::isfinite(x))
            rangeError();
        return makeFloat(result);
    });
    math.addFree("isclose", isClose);
}

} // namespace

Value makeMathModule(Evaluator&) {
    NativeModule math("math");
    math.set("pi", makeFloat(M_PI));
    math.set("e", makeFloat(M_E));
    math.set("tau", makeFloat(2 * M_PI));
    math.set("inf", makeFloat(INFINITY));
    math.set("nan", makeFloat(NAN));
    addFunctions(math);
    addLogarithms(math);
    addRounding(math, "floor", std::floor);
    addRounding(math, "ceil", std::ceil);
    addRounding(math, "trunc", std::trunc);
    addParts(math);
    addMathIntegers(math);
    addMathSums(math);
    return math.value();
}

} // namespace fx
