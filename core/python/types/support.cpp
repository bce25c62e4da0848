// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/types/support.h"

#include "core/base/text.h"
#include "core/python/big_int.h"
#include "core/python/exceptions.h"

#include <algorithm>

namespace fx {

Value makeBytes(std::string bytes, bool isArray) {
    return Object{BytesObject{std::move(bytes), isArray}};
}

Value makeSet(SetTable table, bool isFrozen) {
    return Object{SetObject{std::move(table), isFrozen}};
}

Value makeIterator(std::string typeName, std::function<std::optional<Value>()> next) {
    return Object{IteratorObject{std::move(next), std::move(typeName)}};
}

Value makeEllipsis() {
    return Object{Argument(EllipsisValue())};
}

Value notImplemented() {
    return Object{Argument(OpaqueValue{"NotImplemented"})};
}

double realNumber(const Value& value) {
    if (value.isDouble())
        return value.data().toDouble();
    if (const auto* big = value.as<BigIntObject>())
        return toDouble(*big->value);
    return static_cast<double>(smallInt(value));
}

bool isListValue(const Value& value) {
    return listItems(value) || (value.isData() && value.data().isList());
}

bool isTupleValue(const Value& value) {
    const auto* sequence = value.as<SequenceObject>();
    return (sequence && !sequence->isList) || value.as<SizeObject>() ||
           (value.isData() && value.data().isTuple());
}

bool isEllipsis(const Value& value) {
    const auto* leaf = value.as<Argument>();
    return leaf && leaf->as<EllipsisValue>();
}

bool isBuiltinType(const Value& type) {
    const auto* object = type.as<ClassObject>();
    return object && object->data->isBuiltin;
}

Value asInstanceOf(const Value& type, Value payload) {
    return isBuiltinType(type) ? payload : makeInstance(type, std::move(payload));
}

void raiseKeyError(Evaluator& evaluator, const Value& key) {
    raiseException(evaluator, makeException(evaluator, "KeyError", {key}));
}

void raiseOverflow(Evaluator* evaluator) {
    if (evaluator)
        raiseException(*evaluator, makeException(*evaluator, "OverflowError",
                                                 {makeInt(34), makeText("Numerical result out of range")}));
    raise("OverflowError", "(34, 'Numerical result out of range')");
}

namespace {

thread_local int recursions = 0;

} // namespace

RecursionGuard::RecursionGuard(const char* what) {
    constexpr int kDeepest = 200; // the stack of a generator is small
    if (recursions >= kDeepest)
        raise("RecursionError",
              "maximum recursion depth exceeded" + (what ? std::string(" ") + what : std::string()));
    ++recursions;
}

RecursionGuard::~RecursionGuard() {
    --recursions;
}

namespace {

/// The int that __index__ gives; throws TypeError where there is none.
Value wholeOf(Evaluator& evaluator, const Value& given) {
    const Value& value = plainOf(given);
    return isWhole(value) ? value : makeInt(evaluator.index(given));
}

} // namespace

int64_t indexArgument(Evaluator& evaluator, const Value& value) {
    const Value whole = wholeOf(evaluator, value);
    if (whole.as<BigIntObject>())
        raise("OverflowError", "Python int too large to convert to C ssize_t");
    return smallInt(whole);
}

int64_t clampedIndex(Evaluator& evaluator, const Value& value) {
    const Value whole = wholeOf(evaluator, value);
    if (const auto* big = whole.as<BigIntObject>())
        return big->value->sign() < 0 ? INT64_MIN : INT64_MAX;
    return smallInt(whole);
}

const std::string& textArgument(const char* function, const Value& value) {
    if (!plainOf(value).isString())
        raise("TypeError", std::string(function) + " must be str, not " + typeName(value));
    return plainOf(value).text();
}

NativeObject::Call checkedCall(std::string name, size_t least, size_t most, size_t skipped, PlainCall call) {
    return [=, call = std::move(call)](Evaluator& evaluator, Values& args, NamedValues& kwargs) -> Value {
        if (!kwargs.empty())
            raise("TypeError", name + "() takes no keyword arguments");
        if (args.size() < skipped)
            raise("TypeError", "unbound method " + name + "() needs an argument");
        const size_t count = args.size() - skipped;
        if (count >= least && count <= most)
            return call(evaluator, args);
        const std::string got = std::to_string(count);
        if (most == 0)
            raise("TypeError", name + "() takes no arguments (" + got + " given)");
        if (least == 1 && most == 1)
            raise("TypeError", name + "() takes exactly one argument (" + got + " given)");
        const size_t wanted = count < least ? least : most;
        raise("TypeError", name.substr(name.rfind('.') + 1) + " expected " +
                               (least == most   ? ""
                                : count < least ? "at least "
                                                : "at most ") +
                               plural(wanted, "argument") + ", got " + got);
    };
}

WrongSelf::WrongSelf(std::string_view wanted, const Value& self)
    : Error("", "descriptor requires a '" + std::string(wanted) + "' object but received a '" +
                    typeName(self) + '\'') {
    std::move(*this).kind("TypeError");
}

void addMethod(ClassData& type, const std::string& name, size_t least, size_t most, PlainCall call) {
    const std::string owner = type.name;
    const auto guarded = [call = std::move(call), name, owner](Evaluator& evaluator, Values& args) {
        try {
            return call(evaluator, args);
        } catch (const WrongSelf&) {
            raise("TypeError", "descriptor '" + name + "' for '" + owner + "' objects doesn't apply to a '" +
                                   typeName(args[0]) + "' object");
        }
    };
    type.add(name, checkedCall(owner + '.' + name, least, most, 1, guarded));
}

void addFunction(Evaluator& evaluator, const std::string& name, size_t least, size_t most, PlainCall call) {
    evaluator.types().addBuiltin(name, checkedCall(name, least, most, 0, std::move(call)));
}

BoundArguments::BoundArguments(const char* function, Values& args, NamedValues& kwargs,
                               std::initializer_list<std::string_view> names, size_t least, size_t skipped)
    : m_values(names.size()) {
    const std::string title = std::string(function) + "()";
    const size_t count = args.size() > skipped ? args.size() - skipped : 0;
    if (count + kwargs.size() > names.size())
        raise("TypeError", title + " takes at most " + plural(names.size(), "argument") + " (" +
                               std::to_string(count + kwargs.size()) + " given)");
    for (size_t i = 0; i < count; ++i)
        m_values[i] = args[skipped + i];
    for (const auto& [name, value] : kwargs) {
        const auto found = std::find(names.begin(), names.end(), name);
        if (found == names.end())
            raise("TypeError", '\'' + name + "' is an invalid keyword argument for " + title);
        const auto at = static_cast<size_t>(found - names.begin());
        if (m_values[at])
            raise("TypeError", "argument for " + title + " given by name ('" + name + "') and position (" +
                                   std::to_string(at + 1) + ')');
        m_values[at] = value;
    }
    for (size_t i = 0; i < least; ++i)
        if (!m_values[i])
            raise("TypeError", title + " missing required argument '" + std::string(names.begin()[i]) +
                                   "' (pos " + std::to_string(i + 1) + ')');
}

void setConstructor(ClassData& type, MakeCall make) {
    type.construct = [make](Evaluator& evaluator, const Value& wanted, Values& args, NamedValues& kwargs) {
        return asInstanceOf(wanted, make(evaluator, args, kwargs));
    };
    const std::string name = type.name;
    Value maker =
        makeNative(name + ".__new__", [make, name](Evaluator& evaluator, Values& args, NamedValues& kwargs) {
            if (args.empty() || !args[0].as<ClassObject>())
                raise("TypeError", name + ".__new__(X): X is not a type object");
            const Value wanted = args[0];
            args.erase(args.begin());
            return asInstanceOf(wanted, make(evaluator, args, kwargs));
        });
    maker.as<NativeObject>()->bindsSelf = false;
    type.dict.as<DictObject>()->set("__new__", std::move(maker));
}

void addOperatorMethods(ClassData& type, std::initializer_list<Operator> operators, Accepts accepts) {
    for (const Operator op : operators) {
        const auto answer = [op, accepts](Evaluator& evaluator, const Value& a, const Value& b) {
            if (accepts && (!accepts(plainOf(a)) || !accepts(plainOf(b))))
                return notImplemented();
            // Where the other side is at fault, it is asked too before the operator fails.
            std::optional<Value> result;
            if (!evaluator.hostOf(a) && !evaluator.hostOf(b))
                result = operatePlain(&evaluator, op, plainOf(a), plainOf(b));
            return result ? *result : notImplemented();
        };
        addMethod(
            type, std::string(operatorRow(op).method), 1, 1,
            [answer](Evaluator& evaluator, Values& args) { return answer(evaluator, args[0], args[1]); });
        addMethod(
            type, std::string(operatorRow(op).reflected), 1, 1,
            [answer](Evaluator& evaluator, Values& args) { return answer(evaluator, args[1], args[0]); });
    }
}

void addComparisonMethods(ClassData& type, bool isOrdered, Accepts accepts) {
    for (const OperatorRow& row : operatorRows()) {
        const Operator op = row.op;
        if (!row.isComparison() || (!isOrdered && op != Operator::Eq && op != Operator::Ne))
            continue;
        addMethod(type, std::string(row.method), 1, 1, [op, accepts](Evaluator& evaluator, Values& args) {
            const Value &a = plainOf(args[0]), &b = plainOf(args[1]);
            if (evaluator.hostOf(b) || (accepts && !accepts(b)))
                return notImplemented();
            const std::optional<Value> result = operatePlain(&evaluator, op, a, b);
            return result ? *result : notImplemented();
        });
    }
}

void addContainerMethods(ClassData& type) {
    addMethod(type, "__iter__", 0, 0,
              [](Evaluator& evaluator, Values& args) { return evaluator.iterator(plainOf(args[0])); });
    addMethod(type, "__len__", 0, 0, [](Evaluator& evaluator, Values& args) {
        return makeInt(lengthOf(evaluator, plainOf(args[0])));
    });
    addMethod(type, "__contains__", 1, 1, [](Evaluator& evaluator, Values& args) {
        return makeBool(contains(evaluator, plainOf(args[0]), args[1]));
    });
    addMethod(type, "__getitem__", 1, 1, [](Evaluator& evaluator, Values& args) {
        return evaluator.subscript(plainOf(args[0]), args[1]);
    });
}

void addTextMethods(ClassData& type) {
    addMethod(type, "__repr__", 0, 0,
              [](Evaluator& evaluator, Values& args) { return makeText(evaluator.repr(plainOf(args[0]))); });
    addMethod(type, "__hash__", 0, 0, [](Evaluator& evaluator, Values& args) {
        return makeInt(static_cast<int64_t>(hashValue(evaluator, plainOf(args[0]))));
    });
}

} // namespace fx
