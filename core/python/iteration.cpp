// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/iteration.h"

#include "core/python/containers.h"
#include "core/python/dunders.h"
#include "core/python/evaluator.h"
#include "core/python/exceptions.h"
#include "core/python/generator.h"

namespace fx {

bool isIterable(Evaluator& evaluator, const Value& value) {
    if (evaluator.hostOf(value))
        return true;
    if (value.as<GeneratorObject>() || value.as<IteratorObject>() || value.as<SequenceObject>() ||
        value.as<DictObject>() || value.as<SetObject>() || value.as<RangeObject>() ||
        value.as<BytesObject>() || value.isString())
        return true;
    if (hasDunders(value)) {
        const ClassData& data = evaluator.classOf(evaluator.typeOf(value));
        const Value* found = data.find("__iter__");
        if (found && !found->isNone())
            return true;
        if (data.find("__getitem__") && !value.as<ClassObject>())
            return true;
        return &plainOf(value) != &value && isIterable(evaluator, plainOf(value));
    }
    const Value* found = evaluator.classOf(evaluator.typeOf(value)).find("__iter__");
    return itemsOf(value) || (found && !value.as<ClassObject>());
}

Value iteratorOf(Evaluator& evaluator, const Value& iterable) {
    if (iterable.as<GeneratorObject>() || iterable.as<IteratorObject>())
        return iterable;
    if (hasDunders(iterable)) {
        if (std::optional<Value> answer = callDunder(evaluator, iterable, "__iter__", {})) {
            const bool isIterator = answer->as<IteratorObject>() || answer->as<GeneratorObject>() ||
                                    evaluator.classOf(evaluator.typeOf(*answer)).find("__next__");
            if (!isIterator)
                raise("TypeError", "iter() returned non-iterator of type '" + typeName(*answer) + '\'');
            return std::move(*answer);
        }
        if (iterable.as<InstanceObject>() &&
            evaluator.classOf(evaluator.typeOf(iterable)).find("__getitem__") &&
            &plainOf(iterable) == &iterable) {
            // The old protocol: items 0, 1, ... until IndexError.
            auto at = std::make_shared<int64_t>(0);
            return Object{IteratorObject{[&evaluator, iterable, at]() -> std::optional<Value> {
                                             try {
                                                 return evaluator.subscript(iterable, makeInt((*at)++));
                                             } catch (const Error& error) {
                                                 if (error.kind() != "IndexError")
                                                     throw;
                                             }
                                             evaluator.frames().takeTrace();
                                             return std::nullopt;
                                         },
                                         "iterator"}};
        }
    }
    if (ValueHost* host = evaluator.hostOf(iterable))
        return host->iterator(evaluator, iterable);
    if (std::optional<Value> plain = iteratorPlain(evaluator, plainOf(iterable)))
        return std::move(*plain);
    if (!iterable.as<ClassObject>())
        if (std::optional<Value> answer = callDunder(evaluator, iterable, "__iter__", {}))
            return std::move(*answer);
    raise("TypeError", '\'' + typeName(iterable) + "' object is not iterable");
}

std::optional<Value> nextOf(Evaluator& evaluator, const Value& iterator) {
    evaluator.frames().checkStack(); // iterators over iterators
    if (auto* native = iterator.as<IteratorObject>()) {
        const Value held = iterator;
        evaluator.step();
        return native->next();
    }
    if (auto* generator = iterator.as<GeneratorObject>()) {
        const std::shared_ptr<Generator> held = generator->generator;
        return held->resume(Value());
    }
    const Value type = evaluator.typeOf(iterator);
    const Value* method = evaluator.classOf(type).find("__next__");
    if (!method)
        raise("TypeError", '\'' + typeName(iterator) + "' object is not an iterator");
    const Value bound = bindAttribute(evaluator, *method, iterator, type);
    try {
        return evaluator.call(bound);
    } catch (const Error& error) {
        const auto* raised = dynamic_cast<const RaisedError*>(&error);
        if (error.kind() != "StopIteration" &&
            !(raised && evaluator.isInstance(raised->exception(), evaluator.type("StopIteration"))))
            throw;
    }
    evaluator.frames().takeTrace();
    return std::nullopt;
}

Values allItems(Evaluator& evaluator, const Value& iterable) {
    // A copy, as the program may go on to change the container.
    if (!hasDunders(iterable) && !evaluator.hostOf(iterable))
        if (std::optional<Values> items = itemsOf(iterable))
            return std::move(*items);
    const Value iterator = iteratorOf(evaluator, iterable);
    Values out;
    while (std::optional<Value> item = nextOf(evaluator, iterator)) {
        evaluator.step();
        if (out.size() % 65536 == 65535)
            evaluator.reserve(out.size() * sizeof(Value));
        out.push_back(std::move(*item));
    }
    return out;
}

} // namespace fx
