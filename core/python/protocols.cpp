// SPDX-License-Identifier: GPL-3.0-or-later
// Operators, items, iteration, truth, equality and hashing: who of the operands, the host or the builtins
// answers.
#include "core/python/exceptions.h"
#include "core/python/generator.h"
#include "core/python/iteration.h"
#include "core/python/types/sequences.h"

#include <unordered_map>

namespace fx {

namespace {

bool isNotImplemented(const Value& value) {
    const auto* leaf = value.as<Argument>();
    const auto* opaque = leaf ? leaf->as<OpaqueValue>() : nullptr;
    return opaque && opaque->text == "NotImplemented";
}

/// Whether its class may define operators in Python.
bool hasDunders(const Value& value) {
    if (value.as<InstanceObject>())
        return true;
    const auto* type = value.as<ClassObject>();
    return type && !type->data->metaclass.isNone();
}

} // namespace

/// The method of the value's class, called; none where there is none, or where it is only a builtin's.
std::optional<Value> Evaluator::callDunder(const Value& self, std::string_view name, Values args) {
    const Value type = typeOf(self);
    const Value* found = classOf(type).find(name);
    if (!found || found->isNone())
        return std::nullopt;
    const auto* native = found->as<NativeObject>();
    if (native && native->name.starts_with("object."))
        return std::nullopt;
    const Value held = *found;
    return call(bindAttribute(*this, held, self, type), std::move(args));
}

std::optional<Value> Evaluator::compareInstances(Operator op, const Value& a, const Value& b) {
    const OperatorRow& names = operatorRow(op);
    const auto ask = [&](const Value& self, std::string_view name,
                         const Value& other) -> std::optional<Value> {
        if (!hasDunders(self))
            return std::nullopt;
        std::optional<Value> answer = callDunder(self, name, {other});
        return answer && !isNotImplemented(*answer) ? answer : std::nullopt;
    };
    // The right operand goes first where its class is a proper subclass of the left one's.
    const bool isRightFirst =
        hasDunders(a) && hasDunders(b) && !typeOf(a).isSame(typeOf(b)) &&
        classOf(typeOf(b)).isSubclassOf(&classOf(typeOf(a))) && classOf(typeOf(b)).find(names.reflected) &&
        !(classOf(typeOf(a)).find(names.reflected) &&
          classOf(typeOf(a)).find(names.reflected)->isSame(*classOf(typeOf(b)).find(names.reflected)));
    if (isRightFirst)
        if (std::optional<Value> answer = ask(b, names.reflected, a))
            return answer;
    if (std::optional<Value> answer = ask(a, names.method, b))
        return answer;
    if (op == Operator::Ne) { // object.__ne__ is not (==)
        const Value* own = hasDunders(a) ? classOf(typeOf(a)).find("__eq__") : nullptr;
        if (own && !(own->as<NativeObject>()))
            if (std::optional<Value> answer = ask(a, "__eq__", b))
                return Value(c10::IValue(!isTrue(*answer)));
    }
    if (!isRightFirst)
        return ask(b, names.reflected, a);
    return std::nullopt;
}

Value Evaluator::operate(Operator op, const Value& a, const Value& b) {
    if (op == Operator::Is || op == Operator::IsNot)
        return c10::IValue(a.isSame(b) == (op == Operator::Is));
    if (op == Operator::In || op == Operator::NotIn)
        return c10::IValue(contains(b, a) == (op == Operator::In));
    if (hasDunders(a) || hasDunders(b)) {
        if (std::optional<Value> answer = compareInstances(op, a, b))
            return std::move(*answer);
    }
    if (ValueHost* host = m_hosts.of(a, b))
        return host->operate(*this, op, {a, b}, false);
    if (op == Operator::Or && (a.as<ClassObject>() || a.as<AliasObject>() || b.as<ClassObject>()))
        return unionOf(a, b);
    if (std::optional<Value> result = operatePlain(this, op, plainOf(a), plainOf(b)))
        return std::move(*result);
    if (op == Operator::Eq || op == Operator::Ne)
        return c10::IValue(a.isSame(b) == (op == Operator::Eq));
    if (operatorRow(op).isComparison())
        raise("TypeError", '\'' + std::string(operatorSign(op)) + "' not supported between instances of '" +
                               typeName(a) + "' and '" + typeName(b) + '\'');
    const std::string sign = op == Operator::Pow ? "** or pow()" : std::string(operatorSign(op));
    raise("TypeError",
          "unsupported operand type(s) for " + sign + ": '" + typeName(a) + "' and '" + typeName(b) + '\'');
}

/// int | str.
Value Evaluator::unionOf(const Value& a, const Value& b) {
    Values parts;
    const auto add = [&](const Value& part) {
        const auto* alias = part.as<AliasObject>();
        if (alias && alias->text.find(" | ") != std::string::npos)
            parts.insert(parts.end(), alias->arguments.begin(), alias->arguments.end());
        else
            parts.push_back(part);
    };
    add(a);
    add(b);
    std::string text;
    for (const Value& part : parts) {
        const auto* type = part.as<ClassObject>();
        const bool isBuiltin = type && type->data->module == "builtins";
        text += (text.empty() ? "" : " | ") + (part.isNone() ? "None"
                                               : isBuiltin   ? type->data->qualifiedName
                                               : type ? type->data->module + '.' + type->data->qualifiedName
                                                      : repr(part));
    }
    return Object{AliasObject{Value(), std::move(parts), text}};
}

Value Evaluator::operateInPlace(Operator op, const Value& a, const Value& b) {
    const OperatorRow& names = operatorRow(op);
    if (hasDunders(a)) {
        if (std::optional<Value> answer = callDunder(a, names.inPlace, {b});
            answer && !isNotImplemented(*answer))
            return std::move(*answer);
    } else if (hostOf(a)) {
        return m_hosts.of(a, b)->operate(*this, op, {a, b}, true);
    }
    // Lists, sets and dicts change themselves.
    const Value& plain = plainOf(a);
    if (plain.as<SequenceObject>() || plain.as<SetObject>() || plain.as<DictObject>() ||
        plain.as<BytesObject>())
        if (std::optional<Value> done = operatePlainInPlace(*this, op, plain, b))
            return done->isNone() ? a : std::move(*done);
    try {
        return operate(op, a, b);
    } catch (const Error& error) {
        const std::string start = "unsupported operand type(s) for " + std::string(operatorSign(op)) + ':';
        if (error.kind() != "TypeError" || !error.message().starts_with(start))
            throw;
    }
    raise("TypeError", "unsupported operand type(s) for " + std::string(operatorSign(op)) + "=: '" +
                           typeName(a) + "' and '" + typeName(b) + '\'');
}

Value Evaluator::operateUnary(Operator op, const Value& a) {
    if (ValueHost* host = hostOf(a))
        return host->operate(*this, op, {a}, false);
    if (hasDunders(a))
        if (std::optional<Value> answer = callDunder(a, operatorRow(op).method, {}))
            return std::move(*answer);
    if (std::optional<Value> result = operatePlainUnary(op, plainOf(a)))
        return std::move(*result);
    raise("TypeError",
          "bad operand type for unary " + std::string(operatorSign(op)) + ": '" + typeName(a) + '\'');
}

bool Evaluator::isTrue(const Value& value) {
    if (!value.object() && !value.data().isTensor())
        return fx::isTrue(value);
    if (ValueHost* host = hostOf(value))
        return host->isTrue(*this, value);
    if (hasDunders(value)) {
        if (const std::optional<Value> answer = callDunder(value, "__bool__", {})) {
            if (!answer->isBool())
                raise("TypeError", "__bool__ should return bool, returned " + typeName(*answer));
            return answer->data().toBool();
        }
        if (const std::optional<Value> answer = callDunder(value, "__len__", {}))
            return fx::isTrue(*answer);
        return &plainOf(value) == &value || fx::isTrue(plainOf(value));
    }
    return fx::isTrue(value);
}

bool Evaluator::areEqual(const Value& a, const Value& b) {
    if (a.isSame(b) && !a.isDouble() && !hostOf(a))
        return true;
    return isTrue(operate(Operator::Eq, a, b));
}

size_t Evaluator::hash(const Value& value) {
    if (value.as<InstanceObject>()) {
        const Value type = typeOf(value);
        const Value* found = classOf(type).find("__hash__");
        if (found && found->isNone())
            raise("TypeError", "unhashable type: '" + typeName(value) + '\'');
        if (std::optional<Value> answer = callDunder(value, "__hash__", {})) {
            if (!answer->isInt() && !answer->isBool() && !answer->as<BigIntObject>())
                raise("TypeError", "__hash__ method should return an integer");
            if (!answer->isInt())
                return hashOf(*answer);
            return static_cast<size_t>(answer->data().toInt() == -1 ? -2 : answer->data().toInt());
        }
        const Value& plain = plainOf(value);
        return &plain == &value ? std::hash<const void*>()(value.object().get()) : hashOf(plain);
    }
    return hashOf(value);
}

bool Evaluator::contains(const Value& container, const Value& item) {
    if (hasDunders(container))
        if (std::optional<Value> answer = callDunder(container, "__contains__", {item}))
            return isTrue(*answer);
    if (container.isTensor()) // any of its numbers, not of its rows
        return isTrue(callMethod(container, "__contains__", {item}));
    if (ValueHost* host = hostOf(container)) {
        const Value iterator = host->iterator(*this, container);
        while (const std::optional<Value> next = this->next(iterator))
            if (areEqual(*next, item))
                return true;
        return false;
    }
    if (std::optional<Value> answer = operatePlain(this, Operator::In, item, plainOf(container)))
        return fx::isTrue(*answer);
    if (!isIterable(container))
        raise("TypeError", "argument of type '" + typeName(container) + "' is not iterable");
    const Value iterator = this->iterator(container);
    while (const std::optional<Value> next = this->next(iterator)) {
        step();
        if (next->isSame(item) || areEqual(*next, item))
            return true;
    }
    return false;
}

int64_t Evaluator::length(const Value& value) {
    if (hasDunders(value))
        if (const std::optional<Value> answer = callDunder(value, "__len__", {})) {
            const int64_t length = index(*answer);
            if (length < 0)
                raise("ValueError", "__len__() should return >= 0");
            return length;
        }
    if (ValueHost* host = hostOf(value))
        return host->length(*this, value);
    if (const std::optional<int64_t> length = lengthPlain(plainOf(value)))
        return *length;
    if (const std::optional<Value> answer = callDunder(value, "__len__", {}))
        return index(*answer);
    raise("TypeError", "object of type '" + typeName(value) + "' has no len()");
}

int64_t Evaluator::index(const Value& value) {
    if (value.isInt())
        return value.data().toInt();
    if (value.isBool())
        return value.data().toBool() ? 1 : 0;
    if (value.as<InstanceObject>()) {
        if (const std::optional<Value> answer = callDunder(value, "__index__", {}))
            return index(*answer);
        if (const Value& plain = plainOf(value); plain.isInt())
            return plain.data().toInt();
    }
    if (value.as<BigIntObject>())
        raise("IndexError", "cannot fit 'int' into an index-sized integer");
    if (ValueHost* host = hostOf(value))
        return host->index(*this, value);
    raise("TypeError", '\'' + typeName(value) + "' object cannot be interpreted as an integer");
}

Value Evaluator::subscript(const Value& object, const Value& index) {
    if (hasDunders(object)) {
        if (std::optional<Value> answer = callDunder(object, "__getitem__", {index}))
            return std::move(*answer);
        if (const auto* dict = plainOf(object).as<DictObject>();
            dict && !const_cast<DictObject*>(dict)->find(index))
            if (std::optional<Value> answer = callDunder(object, "__missing__", {index}))
                return std::move(*answer);
    }
    ValueHost* host = m_hosts.ofAccess(object, {&index});
    if (host || (host = hostOf(index)))
        return host->subscript(*this, object, index);
    if (object.as<ClassObject>() || object.as<AliasObject>()) {
        if (object.as<ClassObject>())
            if (std::optional<Value> hook = findAttribute(object, "__class_getitem__"))
                return call(*hook, {index});
        return aliasOf(object, index);
    }
    return getItemPlain(*this, plainOf(object), index);
}

/// list[int].
Value Evaluator::aliasOf(const Value& origin, const Value& index) {
    static constexpr std::string_view kGeneric[] = {"list", "dict", "tuple", "set", "frozenset", "type"};
    const auto* type = origin.as<ClassObject>();
    if (type && !(type->data->isBuiltin && std::find(std::begin(kGeneric), std::end(kGeneric),
                                                     type->data->name) != std::end(kGeneric)))
        raise("TypeError", "type '" + type->data->name + "' is not subscriptable");
    const auto textOf = [&](const Value& part) {
        const auto* data = part.as<ClassObject>();
        const auto* leaf = part.as<Argument>();
        if (leaf && leaf->as<EllipsisValue>())
            return std::string("...");
        if (!data)
            return repr(part);
        return data->data->module == "builtins" ? data->data->qualifiedName
                                                : data->data->module + '.' + data->data->qualifiedName;
    };
    Values parts = itemsOf(index).value_or(Values{index});
    std::string text;
    for (const Value& part : parts)
        text += (text.empty() ? "" : ", ") + textOf(part);
    return Object{AliasObject{origin, std::move(parts), textOf(origin) + '[' + text + ']'}};
}

void Evaluator::setSubscript(const Value& object, const Value& index, Value value) {
    if (hasDunders(object))
        if (callDunder(object, "__setitem__", {index, value}))
            return;
    const Value& plain = plainOf(object);
    const bool isFixed =
        plain.isString() ||
        (itemsOf(plain) && !(plain.as<SequenceObject>() && plain.as<SequenceObject>()->isList));
    if (ValueHost* host = m_hosts.ofAccess(object, {&index, &value}))
        host->setSubscript(*this, object, index, value);
    else if (&plain != &object && isFixed)
        raise("TypeError", '\'' + typeName(object) + "' object does not support item assignment");
    else
        setItemPlain(*this, plainOf(object), index, std::move(value));
}

void Evaluator::deleteSubscript(const Value& object, const Value& index) {
    if (hasDunders(object))
        if (callDunder(object, "__delitem__", {index}))
            return;
    deleteItemPlain(*this, plainOf(object), index);
}

bool Evaluator::isIterable(const Value& value) {
    if (hostOf(value))
        return true;
    if (value.as<GeneratorObject>() || value.as<IteratorObject>())
        return true;
    if (hasDunders(value)) {
        const ClassData& data = classOf(typeOf(value));
        const Value* found = data.find("__iter__");
        if (found && !found->isNone())
            return true;
        if (data.find("__getitem__") && !value.as<ClassObject>())
            return true;
        return &plainOf(value) != &value && isIterable(plainOf(value));
    }
    const Value* found = classOf(typeOf(value)).find("__iter__");
    return value.isString() || itemsOf(value) || value.as<DictObject>() || value.as<SetObject>() ||
           value.as<RangeObject>() || value.as<BytesObject>() || (found && !value.as<ClassObject>());
}

Value Evaluator::iterator(const Value& iterable) {
    if (iterable.as<GeneratorObject>() || iterable.as<IteratorObject>())
        return iterable;
    if (hasDunders(iterable)) {
        if (std::optional<Value> answer = callDunder(iterable, "__iter__", {})) {
            const bool isIterator = answer->as<IteratorObject>() || answer->as<GeneratorObject>() ||
                                    classOf(typeOf(*answer)).find("__next__");
            if (!isIterator)
                raise("TypeError", "iter() returned non-iterator of type '" + typeName(*answer) + '\'');
            return std::move(*answer);
        }
        if (iterable.as<InstanceObject>() && classOf(typeOf(iterable)).find("__getitem__") &&
            &plainOf(iterable) == &iterable) {
            // The old protocol: items 0, 1, ... until IndexError.
            auto at = std::make_shared<int64_t>(0);
            return Object{IteratorObject{[this, iterable, at]() -> std::optional<Value> {
                                             try {
                                                 return subscript(iterable, makeInt((*at)++));
                                             } catch (const Error& error) {
                                                 if (error.kind() != "IndexError")
                                                     throw;
                                             }
                                             m_frames.takeTrace();
                                             return std::nullopt;
                                         },
                                         "iterator"}};
        }
    }
    if (ValueHost* host = hostOf(iterable))
        return host->iterator(*this, iterable);
    if (std::optional<Value> plain = iteratorPlain(*this, plainOf(iterable)))
        return std::move(*plain);
    if (!iterable.as<ClassObject>())
        if (std::optional<Value> answer = callDunder(iterable, "__iter__", {}))
            return std::move(*answer);
    raise("TypeError", '\'' + typeName(iterable) + "' object is not iterable");
}

std::optional<Value> Evaluator::next(const Value& iterator) {
    m_frames.checkStack(); // iterators over iterators
    if (auto* native = iterator.as<IteratorObject>()) {
        const Value held = iterator;
        step();
        return native->next();
    }
    if (auto* generator = iterator.as<GeneratorObject>()) {
        const std::shared_ptr<Generator> held = generator->generator;
        return held->resume(Value());
    }
    const Value type = typeOf(iterator);
    const Value* method = classOf(type).find("__next__");
    if (!method)
        raise("TypeError", '\'' + typeName(iterator) + "' object is not an iterator");
    const Value bound = bindAttribute(*this, *method, iterator, type);
    try {
        return call(bound);
    } catch (const Error& error) {
        const auto* raised = dynamic_cast<const RaisedError*>(&error);
        if (error.kind() != "StopIteration" &&
            !(raised && isInstance(raised->exception(), this->type("StopIteration"))))
            throw;
    }
    m_frames.takeTrace();
    return std::nullopt;
}

Values Evaluator::items(const Value& iterable) {
    // A copy, as the program may go on to change the container.
    if (!hasDunders(iterable) && !hostOf(iterable))
        if (std::optional<Values> items = itemsOf(iterable))
            return std::move(*items);
    const Value iterator = this->iterator(iterable);
    Values out;
    while (std::optional<Value> item = next(iterator)) {
        step();
        if (out.size() % 65536 == 65535)
            reserve(out.size() * sizeof(Value));
        out.push_back(std::move(*item));
    }
    return out;
}

} // namespace fx
