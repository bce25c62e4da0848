// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/yield_from.h"

#include "core/python/evaluator.h"
#include "core/python/exceptions.h"
#include "core/python/generator.h"

namespace fx {

Value yieldFrom(Evaluator& evaluator, Generator& outer, const Value& iterable) {
    const Value iterator = evaluator.iterator(iterable);
    auto* held = iterator.as<GeneratorObject>();
    const std::shared_ptr<Generator> inner = held ? held->generator : nullptr;
    Value result; // the inner one's
    // Runs the inner one on to its next item; none at its end.
    const auto advance = [&](const std::function<Value()>& method) -> std::optional<Value> {
        try {
            return method();
        } catch (const Error& error) {
            const Value exception = exceptionOf(evaluator, error);
            if (!isCatchable(error) || !evaluator.isInstance(exception, evaluator.type("StopIteration")))
                throw;
            result = evaluator.attribute(exception, "value");
        }
        evaluator.frames().takeTrace();
        return std::nullopt;
    };
    const bool isPlain = iterator.as<IteratorObject>() || evaluator.hostOf(iterator);
    const auto next = [&](const Value& sent) -> std::optional<Value> {
        evaluator.step();
        if (inner)
            return inner->resume(sent);
        if (isPlain && sent.isNone())
            return evaluator.next(iterator);
        return advance([&] {
            return sent.isNone() ? evaluator.callMethod(iterator, "__next__")
                                 : evaluator.callMethod(iterator, "send", {sent});
        });
    };
    std::optional<Value> item = next(Value());
    while (item) {
        std::exception_ptr thrown;
        Value sent, exception;
        bool isExit = false;
        try {
            sent = outer.yield(std::move(*item));
        } catch (const Error& error) {
            if (!isCatchable(error))
                throw;
            thrown = std::current_exception();
            exception = exceptionOf(evaluator, error);
            isExit = evaluator.isInstance(exception, evaluator.type("GeneratorExit"));
        }
        if (!thrown) {
            item = next(sent);
            continue;
        }
        // Not inside of the catch: the inner one runs on another stack.
        if (isExit) {
            if (inner)
                inner->close();
            else if (const std::optional<Value> close = evaluator.findAttribute(iterator, "close"))
                evaluator.call(*close);
            std::rethrow_exception(thrown);
        }
        if (inner) {
            item = inner->throwIn(thrown);
        } else if (const std::optional<Value> method = evaluator.findAttribute(iterator, "throw")) {
            item = advance([&] { return evaluator.call(*method, {exception}); });
        } else {
            std::rethrow_exception(thrown);
        }
    }
    return inner ? inner->result() : result;
}

} // namespace fx
