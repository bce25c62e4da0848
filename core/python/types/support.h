// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of the builtin types share: making values, telling them apart, taking the arguments of a
// method.
#pragma once

#include "core/python/evaluator.h"

#include <complex>
#include <initializer_list>

namespace fx {

inline Value makeBool(bool value) {
    return c10::IValue(value);
}
inline Value makeFloat(double value) {
    return c10::IValue(value);
}
inline Value makeComplex(std::complex<double> value) {
    return c10::IValue(c10::complex<double>(value));
}
Value makeBytes(std::string bytes, bool isArray = false);
Value makeSet(SetTable table, bool isFrozen = false);
Value makeIterator(std::string typeName, std::function<std::optional<Value>()> next);
Value makeEllipsis();
Value notImplemented();
bool isNotImplementedValue(const Value& value);

/// An int or bool that 64 bits hold, and its value.
inline bool isSmallInt(const Value& value) {
    return value.isInt() || value.isBool();
}
inline int64_t smallInt(const Value& value) {
    return value.isInt() ? value.data().toInt() : int64_t(value.data().toBool());
}
/// An int of any size, or a bool.
inline bool isWhole(const Value& value) {
    return isSmallInt(value) || value.as<BigIntObject>();
}
/// An int, a bool or a float.
inline bool isRealNumber(const Value& value) {
    return isWhole(value) || value.isDouble();
}
inline bool isComplexNumber(const Value& value) {
    return value.isData() && value.data().isComplexDouble();
}
/// Of an int, bool or float; throws OverflowError for ints that no float can hold.
double realNumber(const Value& value);

bool isListValue(const Value& value);
/// A tuple or torch.Size.
bool isTupleValue(const Value& value);
/// The items of a list that programs can change; null for anything else.
inline Values* listItems(const Value& value) {
    auto* sequence = value.as<SequenceObject>();
    return sequence && sequence->isList ? &sequence->items : nullptr;
}
bool isEllipsis(const Value& value);

/// What an instance of `type` is with this builtin value: the value itself, or an instance of the subclass.
Value asInstanceOf(const Value& type, Value payload);
bool isBuiltinType(const Value& type);

/// id(): the same number as long as the value lives. Not an address: it does not change from run to run.
uint64_t identityOf(const Value& value);
/// object.__repr__: "<module.Class object at 0x...>".
std::string defaultRepr(Evaluator& evaluator, const Value& value);

/// A KeyError whose argument is the key itself.
[[noreturn]] void raiseKeyError(Evaluator& evaluator, const Value& key);
[[noreturn]] void raiseOverflow(Evaluator* evaluator);
/// An int for counts and positions: by __index__, refusing what 64 bits do not hold.
int64_t indexArgument(Evaluator& evaluator, const Value& value);
/// As above, but cut to 64 bits, as slices do.
int64_t clampedIndex(Evaluator& evaluator, const Value& value);
const std::string& textArgument(const char* function, const Value& value);

/// Lives while containers within containers are compared or written; throws RecursionError where they are too
/// deep.
class RecursionGuard {
public:
    explicit RecursionGuard(const char* what = nullptr);
    ~RecursionGuard();
    RecursionGuard(const RecursionGuard&) = delete;
    RecursionGuard& operator=(const RecursionGuard&) = delete;
};

/// Thrown by methods that are called on a value of another type; addMethod() says which method it was.
class WrongSelf : public Error {
public:
    WrongSelf(std::string_view wanted, const Value& self);
};

/// A method with no keywords; the counts are without self. Python's words for wrong counts.
using PlainCall = std::function<Value(Evaluator&, Values& args)>;
void addMethod(ClassData& type, const std::string& name, size_t least, size_t most, PlainCall call);
void addFunction(Evaluator& evaluator, const std::string& name, size_t least, size_t most, PlainCall call);
NativeObject::Call checkedCall(std::string name, size_t least, size_t most, size_t skipped, PlainCall call);

/// Arguments by position or by name; `skipped` leaves out self.
class BoundArguments {
public:
    BoundArguments(const char* function, Values& args, NamedValues& kwargs,
                   std::initializer_list<std::string_view> names, size_t least = 0, size_t skipped = 1);
    /// Null if it was not given.
    const Value* operator[](size_t i) const { return m_values[i] ? &*m_values[i] : nullptr; }
    /// Null if it was not given or is None.
    const Value* known(size_t i) const {
        return m_values[i] && !m_values[i]->isNone() ? &*m_values[i] : nullptr;
    }

private:
    std::vector<std::optional<Value>> m_values;
};

/// How a builtin type makes its instances, by a call and by __new__. `make` gives the builtin value.
using MakeCall = std::function<Value(Evaluator&, Values& args, NamedValues& kwargs)>;
void setConstructor(ClassData& type, MakeCall make);

/// Which values the other side of an operator may be; the method answers NotImplemented for others.
using Accepts = bool (*)(const Value&);
/// Adds the dunder methods of these operators by operatePlain, the reflected ones too.
void addOperatorMethods(ClassData& type, std::initializer_list<Operator> operators,
                        Accepts accepts = nullptr);
/// __eq__, __ne__ and, if `isOrdered`, __lt__ ... __ge__.
void addComparisonMethods(ClassData& type, bool isOrdered, Accepts accepts = nullptr);
/// __iter__, __len__, __contains__ and __getitem__ by the evaluator's answer for the builtin value.
void addContainerMethods(ClassData& type);
/// __repr__, __str__ and __hash__ of the builtin value.
void addTextMethods(ClassData& type);

} // namespace fx
