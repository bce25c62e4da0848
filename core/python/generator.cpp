// SPDX-License-Identifier: GPL-3.0-or-later
// Generators. Each runs on a stack of its own, which is kept for the next one when it is done.
#include "core/python/exceptions.h"
#include "core/python/stack.h"
#include "core/python/walker.h"

namespace fx {

namespace {

/// Thrown through a suspended body at the evaluator's end. No clause of the program catches it.
struct Abandoned {};

} // namespace

struct Generator::Context {
    std::unique_ptr<Stack> stack;
    StackSwitch caller, own;
};

Generator::Generator(Evaluator& evaluator, std::unique_ptr<Frame> frame, std::string name)
    : m_evaluator(evaluator), m_stacks(evaluator.frames().generatorStacks()), m_frame(std::move(frame)),
      m_name(std::move(name)) {
    m_frame->generator = this;
}

Generator::~Generator() {
    // A suspended body must be unwound: its stack holds values.
    if (m_isStarted && !m_isDone && !m_stacks->isOver) {
        const Frames::Trace trace = m_evaluator.frames().takeTrace();
        try {
            close();
        } catch (...) { // nobody is there to be told
        }
        m_evaluator.frames().restoreTrace(trace);
    }
    if (m_isStarted && !m_isDone) // it has yielded in its last moments
        abandon();
}

void Generator::abandon() {
    try {
        m_thrownIn = std::make_exception_ptr(Abandoned());
        switchIn();
    } catch (...) { // what has come through the body
    }
    if (!m_isDone) { // cannot be taken down: what it holds is lost
        m_stacks->suspended.erase(this);
        m_context.release();
        m_isDone = true;
    }
}

void Generator::enter(void* self) {
    static_cast<Generator*>(self)->body();
}

void Generator::body() {
    try {
        if (!m_thrownIn) {
            Walker walker(m_evaluator, *m_frame);
            m_evaluator.frames().guard(*m_frame, [&] {
                if (source)
                    walker.comprehend(*m_frame->tree, 0, *source,
                                      [&] { yield(walker.value(m_frame->tree->element[0])); });
                else
                    walker.run(m_frame->tree->body);
            });
            m_result = walker.result();
        } else {
            std::rethrow_exception(m_thrownIn);
        }
    } catch (...) {
        m_failure = std::current_exception();
    }
    m_isDone = true;
    m_context->own.leaveFor(m_context->caller);
}

std::optional<Value> Generator::switchIn() {
    if (!m_context) {
        if (m_stacks->isOver)
            raise("RuntimeError", "the evaluator of this generator is gone");
        auto context = std::make_unique<Context>();
        context->stack = m_stacks->take(m_evaluator.budget());
        m_context = std::move(context);
        m_stacks->suspended.insert(this);
        m_context->own.prepare(*m_context->stack, &Generator::enter, this);
    }
    m_isStarted = true;
    m_isRunning = true;
    Frames& frames = m_evaluator.frames();
    m_frame->back = frames.innermost();
    const Frames::Position outer = frames.moveTo({m_frame.get(), m_context->stack->end()});
    m_context->caller.switchTo(m_context->own);
    frames.moveTo(outer);
    m_isRunning = false;
    m_thrownIn = nullptr;
    if (!m_isDone)
        return std::move(m_yielded);
    m_stacks->suspended.erase(this);
    m_stacks->put(std::move(m_context->stack));
    source.reset();
    if (m_failure) {
        const std::exception_ptr failure = std::exchange(m_failure, nullptr);
        std::optional<Value> stop;
        try {
            std::rethrow_exception(failure);
        } catch (const Error& error) {
            if (error.kind() != "StopIteration")
                throw;
            stop = exceptionOf(m_evaluator, error);
        }
        const Value wrong =
            makeException(m_evaluator, "RuntimeError", {makeText("generator raised StopIteration")});
        DictObject& names = *wrong.as<InstanceObject>()->dict.as<DictObject>();
        names.set("__cause__", *stop);
        names.set("__context__", *stop);
        names.set("__suppress_context__", c10::IValue(true));
        raiseException(m_evaluator, wrong);
    }
    return std::nullopt;
}

std::optional<Value> Generator::resume(Value sent) {
    if (m_isRunning)
        raise("ValueError", "generator already executing");
    if (m_isDone)
        return std::nullopt;
    if (!m_isStarted && !sent.isNone())
        raise("TypeError", "can't send non-None value to a just-started generator");
    m_sent = std::move(sent);
    return switchIn();
}

std::optional<Value> Generator::throwIn(std::exception_ptr error) {
    if (m_isRunning)
        raise("ValueError", "generator already executing");
    if (m_isDone || !m_isStarted) {
        m_isDone = true;
        std::rethrow_exception(error);
    }
    m_thrownIn = std::move(error);
    return switchIn();
}

void Generator::close() {
    if (m_isDone || !m_isStarted) {
        m_isDone = true;
        return;
    }
    bool isIgnored = false;
    try {
        const Value exit = makeException(m_evaluator, "GeneratorExit", {});
        isIgnored = throwIn(std::make_exception_ptr(RaisedError(exit, "GeneratorExit", ""))).has_value();
    } catch (const Error& error) {
        if (error.kind() != "GeneratorExit" && error.kind() != "StopIteration")
            throw;
    }
    m_evaluator.frames().takeTrace();
    if (isIgnored)
        raise("RuntimeError", "generator ignored GeneratorExit");
}

Value Generator::yield(Value value) {
    m_yielded = std::move(value);
    const Value handled = m_frame->handled;
    m_context->own.switchTo(m_context->caller);
    m_frame->handled = handled;
    if (m_thrownIn)
        std::rethrow_exception(std::exchange(m_thrownIn, nullptr));
    return std::exchange(m_sent, Value());
}

void addGeneratorType(Evaluator& evaluator) {
    ClassData& type = evaluator.types().add("generator");
    evaluator.builtins().erase("generator");
    const auto generatorOf = [](const Values& args) { return args.at(0).as<GeneratorObject>()->generator; };
    const auto finish = [](Evaluator& e, const std::shared_ptr<Generator>& generator,
                           std::optional<Value> item) {
        if (item)
            return std::move(*item);
        const Value result = generator->result();
        raiseException(e, makeException(e, "StopIteration", result.isNone() ? Values() : Values{result}));
    };
    type.add("__iter__", [](Evaluator&, Values& args, NamedValues&) { return args.at(0); });
    type.add("__next__", [=](Evaluator& e, Values& args, NamedValues&) -> Value {
        const auto generator = generatorOf(args);
        return finish(e, generator, generator->resume(Value()));
    });
    type.add("send", [=](Evaluator& e, Values& args, NamedValues&) -> Value {
        if (args.size() != 2)
            raise("TypeError", "generator.send() takes exactly one argument (" +
                                   std::to_string(args.size() - 1) + " given)");
        const auto generator = generatorOf(args);
        return finish(e, generator, generator->resume(args[1]));
    });
    type.add("throw", [=](Evaluator& e, Values& args, NamedValues&) -> Value {
        const size_t given = args.size() - 1;
        if (given < 1 || given > 3)
            raise("TypeError", std::string("throw expected at ") +
                                   (given < 1 ? "least 1 argument" : "most 3 arguments") + ", got " +
                                   std::to_string(given));
        Value exception = args[1];
        if (exception.as<ClassObject>()) // the value; a traceback after it means nothing here
            exception = e.call(exception, given > 1 && !args[2].isNone() ? Values{args[2]} : Values());
        if (!e.isInstance(exception, e.type("BaseException")))
            raise("TypeError", "exceptions must be classes or instances deriving from BaseException, not " +
                                   typeName(exception));
        std::exception_ptr error;
        try {
            raiseException(e, exception);
        } catch (...) {
            error = std::current_exception();
        }
        const auto generator = generatorOf(args);
        return finish(e, generator, generator->throwIn(error));
    });
    type.add("close", [=](Evaluator&, Values& args, NamedValues&) -> Value {
        generatorOf(args)->close();
        return {};
    });
}

} // namespace fx
