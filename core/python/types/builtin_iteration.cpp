// SPDX-License-Identifier: GPL-3.0-or-later
// The builtin functions that go over iterables.
#include "core/python/exceptions.h"
#include "core/python/types/builtin_functions.h"
#include "core/python/types/operations.h"
#include "core/python/types/sequences.h"

#include <algorithm>

namespace fx {

namespace {

/// The next item of an iterator that another one is made of.
std::optional<Value> nextInner(Evaluator& evaluator, const Value& source) {
    const RecursionGuard guard("in iterators of iterators");
    return evaluator.next(source);
}

/// Calls a function for an iterator; a StopIteration out of it ends the iterator, as in Python.
std::optional<Value> callForNext(Evaluator& evaluator, const Value& function, Values args) {
    try {
        return evaluator.call(function, std::move(args));
    } catch (const Error& error) {
        if (error.kind() != "StopIteration")
            throw;
    }
    evaluator.frames().takeTrace();
    return std::nullopt;
}

/// A type whose instances are iterators, such as zip.
ClassData& addIteratorType(Evaluator& evaluator, const std::string& name, MakeCall make) {
    ClassData& type = evaluator.types().add(name, "iterator");
    if (make)
        setConstructor(type, std::move(make));
    else
        evaluator.builtins().erase(name);
    return type;
}

Values iterators(Evaluator& evaluator, const Values& iterables, size_t first = 0) {
    Values out;
    for (size_t i = first; i < iterables.size(); ++i)
        out.push_back(evaluator.iterator(iterables[i]));
    return out;
}

/// "argument 2" or "arguments 1-2": the iterables before the one that differs.
std::string before(size_t index) {
    return index == 1 ? "argument 1" : "arguments 1-" + std::to_string(index);
}

Value makeZip(Evaluator& evaluator, Values& args, NamedValues& kwargs) {
    const std::optional<Value> strict = takeKeyword(kwargs, "strict");
    refuseKeywords("zip", kwargs);
    const bool isStrict = strict && evaluator.isTrue(*strict);
    for (size_t i = 0; i < args.size(); ++i)
        if (!isIterable(evaluator, args[i]))
            raise("TypeError", '\'' + typeName(args[i]) + "' object is not iterable");
    return makeIterator("zip",
                        [&evaluator, isStrict, sources = iterators(evaluator, args),
                         isDone = false]() mutable -> std::optional<Value> {
                            if (isDone || sources.empty())
                                return std::nullopt;
                            Values items;
                            for (size_t i = 0; i < sources.size(); ++i) {
                                std::optional<Value> item = nextInner(evaluator, sources[i]);
                                if (item) {
                                    items.push_back(std::move(*item));
                                    continue;
                                }
                                isDone = true;
                                if (isStrict && i > 0)
                                    raise("ValueError", "zip() argument " + std::to_string(i + 1) +
                                                            " is shorter than " + before(i));
                                for (size_t j = 1; isStrict && j < sources.size(); ++j)
                                    if (nextInner(evaluator, sources[j]))
                                        raise("ValueError", "zip() argument " + std::to_string(j + 1) +
                                                                " is longer than " + before(j));
                                return std::nullopt;
                            }
                            return makeTuple(std::move(items));
                        });
}

Value makeMap(Evaluator& evaluator, Values& args, NamedValues& kwargs) {
    refuseKeywords("map", kwargs);
    if (args.size() < 2)
        raise("TypeError", "map() must have at least two arguments.");
    return makeIterator(
        "map",
        [&evaluator, function = args[0], sources = iterators(evaluator, args, 1)]() -> std::optional<Value> {
            Values items;
            for (const Value& source : sources) {
                std::optional<Value> item = nextInner(evaluator, source);
                if (!item)
                    return std::nullopt;
                items.push_back(std::move(*item));
            }
            return callForNext(evaluator, function, std::move(items));
        });
}

Value makeFilter(Evaluator& evaluator, Values& args, NamedValues& kwargs) {
    refuseKeywords("filter", kwargs);
    requireArguments("filter", args, 2, 2);
    return makeIterator(
        "filter",
        [&evaluator, function = args[0], source = evaluator.iterator(args[1])]() -> std::optional<Value> {
            while (std::optional<Value> item = nextInner(evaluator, source)) {
                evaluator.step();
                const std::optional<Value> answer =
                    function.isNone() ? item : callForNext(evaluator, function, {*item});
                if (!answer)
                    return std::nullopt;
                if (evaluator.isTrue(*answer))
                    return item;
            }
            return std::nullopt;
        });
}

Value makeEnumerate(Evaluator& evaluator, Values& args, NamedValues& kwargs) {
    if (args.empty() && kwargs.empty())
        raise("TypeError", "enumerate() missing required argument 'iterable'");
    const BoundArguments given("enumerate", args, kwargs, {"iterable", "start"}, 1, 0);
    Value start = given[1] ? *given[1] : makeInt(0);
    if (!isWhole(start))
        start = makeInt(evaluator.index(start));
    return makeIterator("enumerate",
                        [&evaluator, source = evaluator.iterator(*given[0]),
                         count = start]() mutable -> std::optional<Value> {
                            std::optional<Value> item = nextInner(evaluator, source);
                            if (!item)
                                return std::nullopt;
                            const Value index = count;
                            count = *operatePlain(&evaluator, Operator::Add, count, makeInt(1));
                            return makeTuple({index, std::move(*item)});
                        });
}

Value makeReversed(Evaluator& evaluator, Values& args, NamedValues& kwargs) {
    refuseKeywords("reversed", kwargs);
    requireArguments("reversed", args, 1, 1);
    const Value source = args[0];
    const bool isHosts = evaluator.hostOf(source);
    if (!isHosts)
        if (const Value* found = evaluator.classOf(evaluator.typeOf(source)).find("__reversed__")) {
            if (found->isNone())
                raise("TypeError", '\'' + typeName(source) + "' object is not reversible");
            const Value held = *found;
            return evaluator.call(held, {source});
        }
    const ClassData& type = evaluator.classOf(evaluator.typeOf(source));
    if (!isHosts && !(type.find("__getitem__") && type.find("__len__")) && !itemsOf(source))
        raise("TypeError", '\'' + typeName(source) + "' object is not reversible");
    return makeIterator(
        "reversed",
        [&evaluator, source, left = lengthOf(evaluator, source)]() mutable -> std::optional<Value> {
            if (left <= 0)
                return std::nullopt;
            return evaluator.subscript(source, makeInt(--left));
        });
}

Value sorted(Evaluator& evaluator, Values& args, NamedValues& kwargs) {
    const std::optional<Value> key = takeKeyword(kwargs, "key"), isReversed = takeKeyword(kwargs, "reverse");
    if (!kwargs.empty())
        raise("TypeError", "'" + kwargs[0].first + "' is an invalid keyword argument for sort()");
    if (args.size() != 1)
        raise("TypeError", "sorted expected 1 argument, got " + std::to_string(args.size()));
    Values items = evaluator.items(args[0]);
    sortValues(evaluator, items, key ? &*key : nullptr, isReversed && evaluator.isTrue(*isReversed));
    return makeList(std::move(items));
}

Value extreme(Evaluator& evaluator, Values& args, NamedValues& kwargs, const std::string& name,
              bool isLargest) {
    const std::optional<Value> key = takeKeyword(kwargs, "key"), missing = takeKeyword(kwargs, "default");
    if (!kwargs.empty())
        raise("TypeError", name + "() got an unexpected keyword argument '" + kwargs[0].first + '\'');
    if (args.empty())
        raise("TypeError", name + " expected at least 1 argument, got 0");
    if (missing && args.size() > 1)
        raise("TypeError", "Cannot specify a default for " + name + "() with multiple positional arguments");
    const Values items = args.size() == 1 ? evaluator.items(args[0]) : args;
    if (items.empty()) {
        if (missing)
            return *missing;
        raise("ValueError", name + "() arg is an empty sequence");
    }
    const auto keyOf = [&](const Value& item) {
        return key && !key->isNone() ? evaluator.call(*key, {item}) : item;
    };
    Value best = items[0], bestKey = keyOf(best);
    for (size_t i = 1; i < items.size(); ++i) {
        const Value candidate = keyOf(items[i]);
        evaluator.step();
        const Operator op = isLargest ? Operator::Gt : Operator::Lt;
        if (evaluator.isTrue(evaluator.operate(op, candidate, bestKey))) {
            best = items[i];
            bestKey = candidate;
        }
    }
    return best;
}

Value sum(Evaluator& evaluator, Values& args, NamedValues& kwargs) {
    if (args.empty())
        raise("TypeError", "sum() takes at least 1 positional argument (0 given)");
    const BoundArguments given("sum", args, kwargs, {"iterable", "start"}, 1, 0);
    Value total = given[1] ? *given[1] : makeInt(0);
    if (plainOf(total).isString())
        raise("TypeError", "sum() can't sum strings [use ''.join(seq) instead]");
    if (plainOf(total).as<BytesObject>())
        raise("TypeError", "sum() can't sum bytes [use b''.join(seq) instead]");
    const Value source = evaluator.iterator(*given[0]);
    while (const std::optional<Value> item = evaluator.next(source)) {
        evaluator.step();
        total = evaluator.operate(Operator::Add, total, *item);
    }
    return total;
}

Value quantified(Evaluator& evaluator, const Value& iterable, bool wanted) {
    const Value source = evaluator.iterator(iterable);
    while (const std::optional<Value> item = evaluator.next(source)) {
        evaluator.step();
        if (evaluator.isTrue(*item) == wanted)
            return makeBool(wanted);
    }
    return makeBool(!wanted);
}

Value nextItem(Evaluator& evaluator, Values& args) {
    if (args.size() > 1) {
        std::optional<Value> item = evaluator.next(args[0]);
        return item ? std::move(*item) : args[1];
    }
    // A generator tells what it returned in its own StopIteration.
    if (!args[0].as<IteratorObject>() && !evaluator.hostOf(args[0])) {
        if (!evaluator.classOf(evaluator.typeOf(args[0])).find("__next__"))
            raise("TypeError", '\'' + typeName(args[0]) + "' object is not an iterator");
        return evaluator.callMethod(args[0], "__next__");
    }
    if (std::optional<Value> item = evaluator.next(args[0]))
        return std::move(*item);
    raiseException(evaluator, makeException(evaluator, "StopIteration", {}));
}

Value makeIter(Evaluator& evaluator, Values& args) {
    if (args.size() == 1)
        return evaluator.iterator(args[0]);
    if (!isCallable(evaluator, args[0]))
        raise("TypeError", "iter(v, w): v must be callable");
    return makeIterator("callable_iterator",
                        [&evaluator, function = args[0], sentinel = args[1],
                         isDone = false]() mutable -> std::optional<Value> {
                            if (isDone)
                                return std::nullopt;
                            std::optional<Value> item = callForNext(evaluator, function, {});
                            isDone = !item || areEqual(evaluator, *item, sentinel);
                            return isDone ? std::nullopt : item;
                        });
}

} // namespace

void addIterationFunctions(Evaluator& evaluator) {
    ClassData& base = evaluator.types().add("iterator");
    evaluator.builtins().erase("iterator");
    addMethod(base, "__iter__", 0, 0, [](Evaluator&, Values& args) { return args[0]; });
    addMethod(base, "__next__", 0, 0, [](Evaluator& e, Values& args) {
        if (std::optional<Value> item = e.next(args[0]))
            return std::move(*item);
        raiseException(e, makeException(e, "StopIteration", {}));
    });
    for (const char* name :
         {"list_iterator", "list_reverseiterator", "tuple_iterator", "range_iterator", "str_ascii_iterator",
          "bytes_iterator", "set_iterator", "dict_keyiterator", "dict_valueiterator", "dict_itemiterator",
          "dict_reversekeyiterator", "callable_iterator"})
        addIteratorType(evaluator, name, nullptr);
    addIteratorType(evaluator, "zip", makeZip);
    addIteratorType(evaluator, "map", makeMap);
    addIteratorType(evaluator, "filter", makeFilter);
    addIteratorType(evaluator, "enumerate", makeEnumerate);
    addIteratorType(evaluator, "reversed", makeReversed);
    evaluator.types().addBuiltin("sorted", sorted);
    for (const bool isLargest : {true, false})
        evaluator.types().addBuiltin(
            isLargest ? "max" : "min", [isLargest](Evaluator& e, Values& args, NamedValues& kwargs) {
                return extreme(e, args, kwargs, isLargest ? "max" : "min", isLargest);
            });
    evaluator.types().addBuiltin("sum", sum);
    addFunction(evaluator, "any", 1, 1,
                [](Evaluator& e, Values& args) { return quantified(e, args[0], true); });
    addFunction(evaluator, "all", 1, 1,
                [](Evaluator& e, Values& args) { return quantified(e, args[0], false); });
    addFunction(evaluator, "iter", 1, 2, makeIter);
    addFunction(evaluator, "next", 1, 2, nextItem);
}

} // namespace fx
