// SPDX-License-Identifier: GPL-3.0-or-later
// The modules that are written in C++: math, operator, and what the library's own text asks of the evaluator.
#pragma once

#include "core/python/types/support.h"

namespace fx {

/// A module whose functions are named "module.function".
class NativeModule {
public:
    explicit NativeModule(std::string name);
    void set(const std::string& name, Value value);
    /// A function without keywords, with that many arguments.
    void add(const std::string& name, size_t least, size_t most, PlainCall call);
    void addFree(const std::string& name, NativeObject::Call call);
    Value value() const { return m_module; }

private:
    std::string m_name;
    Value m_module;
};

Value makeMathModule(Evaluator& evaluator);
/// `_zlib`, which the library's zlib is over.
Value makeZlibModule();
void addMathIntegers(NativeModule& math); // gcd, lcm, factorial, comb, perm, isqrt
void addMathSums(NativeModule& math);     // fsum, prod, dist, hypot
Value makeOperatorModule(Evaluator& evaluator);

/// (text, number of its first line) of a function, a class or a module of the program; None where there is
/// none.
Value sourceLines(const Evaluator& evaluator, const Value& value);

/// float(value) as the functions of math take it: "must be real number, not str".
double mathArgument(Evaluator& evaluator, const Value& value);

} // namespace fx
