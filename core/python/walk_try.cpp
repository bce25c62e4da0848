// SPDX-License-Identifier: GPL-3.0-or-later
// raise, try and with: errors on their way through handlers, finally blocks and context managers.
#include "core/python/exceptions.h"
#include "core/python/set_attributes.h"
#include "core/python/stand_ins.h"
#include "core/python/types/exception_groups.h"
#include "core/python/walker.h"

namespace fx {

namespace {

/// While it lives, imports that fail raise ImportError, as the program is prepared for that.
class ImportTry {
public:
    ImportTry(Frame& frame, bool isPrepared) : m_tries(frame.importTries), m_isPrepared(isPrepared) {
        m_tries += m_isPrepared;
    }
    ~ImportTry() { m_tries -= m_isPrepared; }
    ImportTry(const ImportTry&) = delete;
    ImportTry& operator=(const ImportTry&) = delete;

private:
    int& m_tries;
    bool m_isPrepared;
};

std::exception_ptr raisable(Evaluator& evaluator, const Value& exception) {
    try {
        raiseException(evaluator, exception);
    } catch (const Error&) {
        return std::current_exception();
    }
}

} // namespace

void Walker::raiseStatement(const Statement& s) {
    at(s.begin);
    if (s.expressions.empty()) {
        const Value handled = handledIn(&m_frame);
        if (handled.isNone())
            raise("RuntimeError", "No active exception to reraise");
        m_isRaisedAgain = true;
        raiseException(m_evaluator, handled);
    }
    const Value base = m_evaluator.type("BaseException");
    const auto made = [&](Value exception, const char* fault) {
        at(s.begin);
        if (exception.as<ClassObject>() && isSubclass(m_evaluator, exception, base))
            exception = m_evaluator.call(exception);
        if (!m_evaluator.isInstance(exception, base))
            raise("TypeError", fault);
        return exception;
    };
    const Value exception = made(value(s.expressions[0]), "exceptions must derive from BaseException");
    if (s.expressions.size() > 1) {
        Value cause = value(s.expressions[1]);
        if (!cause.isNone())
            cause = made(std::move(cause), "exception causes must derive from BaseException");
        setAttribute(m_evaluator, exception, "__cause__", cause);
        setAttribute(m_evaluator, exception, "__suppress_context__", c10::IValue(true));
    }
    at(s.begin);
    m_isRaisedAgain = false;
    raiseException(m_evaluator, exception);
}

Walker::Flow Walker::tryStatement(const Statement& s) {
    const Block& elseBlock = s.blocks[1];
    const Block& finallyBlock = s.blocks[2];
    Flow flow = Flow::Next;
    std::exception_ptr pending; // raised again after the finally block
    bool isFatal = false;       // a limit was reached: the program does not go on
    std::optional<Value> caught;
    const auto keep = [&](const Error& error, const Value& handled) {
        isFatal = !isCatchable(error);
        pending = isFatal ? std::current_exception() : leavingHandler(m_evaluator, error, handled);
    };
    bool isInBody = true; // an error of the else block is not for the handlers
    try {
        {
            const ImportTry prepared(m_frame, isForMissingImports(s));
            flow = run(s.blocks[0]);
        }
        isInBody = false;
        if (flow == Flow::Next)
            flow = run(elseBlock);
    } catch (const Error& error) {
        pending = std::current_exception();
        isFatal = !isCatchable(error);
        if (!isFatal && (!finallyBlock.empty() || isInBody)) {
            caught = caughtException(m_evaluator, error, m_frame);
            pending = raisedWith(error, *caught);
        }
    }
    // Not inside of the catch: the handlers may yield, and leave this stack with it.
    if (caught && isInBody) {
        const Frames::Trace trace = m_evaluator.frames().takeTrace();
        const auto handlerFor = [&](const Value& exception) {
            return std::ranges::find_if(s.handlers, [&](const Statement::Handler& handler) {
                if (handler.type.empty())
                    return true;
                const Value type = value(handler.type[0]);
                at(handler.type[0].begin);
                return m_evaluator.isInstance(exception, type);
            });
        };
        bool isHandled = false;
        const Value outer = m_frame.handled;
        m_frame.handled = *caught;
        try {
            if (s.text == "except*") {
                const Value left = starHandlers(s, *caught);
                pending = left.isNone() ? nullptr : raisable(m_evaluator, left);
                isHandled = !left.isSame(*caught);
            } else if (const auto chosen = handlerFor(*caught); chosen != s.handlers.end()) {
                isHandled = true;
                if (!chosen->target.empty())
                    store(chosen->target[0], *caught);
                pending = nullptr;
                flow = run(chosen->body);
                if (!chosen->target.empty()) // except ... as name: the name goes away
                    forget(chosen->target[0]);
            }
        } catch (const Error& error) {
            keep(error, *caught);
            isHandled = true;
        }
        m_frame.handled = outer;
        if (!isHandled)
            m_evaluator.frames().restoreTrace(trace);
    }
    if (!finallyBlock.empty() && !isFatal) {
        const Frames::Trace trace = m_evaluator.frames().takeTrace();
        const Value kept = m_result;
        const Value outer = m_frame.handled;
        if (pending && caught)
            m_frame.handled = *caught;
        Flow last = Flow::Next;
        std::exception_ptr own;
        try {
            last = run(finallyBlock);
        } catch (const Error& error) {
            keep(error, pending && caught ? *caught : Value());
            own = pending;
        }
        m_frame.handled = outer;
        if (own)
            std::rethrow_exception(own);
        if (last != Flow::Next)
            return last; // swallows what was pending, as in Python
        m_result = kept;
        m_evaluator.frames().restoreTrace(trace);
    }
    if (pending)
        std::rethrow_exception(pending);
    return flow;
}

Walker::Flow Walker::withStatement(const Statement& s, size_t index) {
    if (index >= s.items.size())
        return run(s.blocks[0]);
    const Statement::WithItem& item = s.items[index];
    const Value manager = value(item.manager);
    at(item.manager.begin);
    for (const char* method : {"__enter__", "__exit__"})
        if (!m_evaluator.findAttribute(manager, method))
            raise("TypeError",
                  '\'' + typeName(manager) + "' object does not support the context manager protocol");
    const Value exit = m_evaluator.attribute(manager, "__exit__");
    Value entered = m_evaluator.callMethod(manager, "__enter__");
    Flow flow = Flow::Next;
    std::exception_ptr pending;
    std::optional<Value> caught;
    try {
        if (!item.target.empty())
            store(item.target[0], std::move(entered));
        const ImportTry prepared(m_frame, typeName(manager) == "suppress");
        flow = withStatement(s, index + 1);
    } catch (const Error& error) {
        pending = std::current_exception();
        if (isCatchable(error)) {
            caught = caughtException(m_evaluator, error, m_frame);
            pending = raisedWith(error, *caught);
        }
    }
    if (pending && !caught)
        std::rethrow_exception(pending);
    const Frames::Trace trace = m_evaluator.frames().takeTrace();
    const Value kept = m_result;
    at(item.manager.begin);
    if (!caught) {
        m_evaluator.call(exit, {Value(), Value(), Value()});
        m_result = kept;
        return flow;
    }
    const Value outer = m_frame.handled;
    m_frame.handled = *caught;
    bool isSwallowed = false;
    std::exception_ptr own;
    try {
        isSwallowed = m_evaluator.isTrue(m_evaluator.call(
            exit, {m_evaluator.typeOf(*caught), *caught, m_evaluator.attribute(*caught, "__traceback__")}));
    } catch (const Error& error) {
        own = isCatchable(error) ? leavingHandler(m_evaluator, error, *caught) : std::current_exception();
    }
    m_frame.handled = outer;
    if (own)
        std::rethrow_exception(own);
    m_result = kept;
    if (isSwallowed)
        return Flow::Next;
    m_evaluator.frames().restoreTrace(trace);
    std::rethrow_exception(pending);
}

} // namespace fx
