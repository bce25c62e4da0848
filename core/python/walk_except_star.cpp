// SPDX-License-Identifier: GPL-3.0-or-later
// `except*`: each handler gets what of a group of exceptions is of its types; what the handlers raise and
// what is left over leaves as one group (CPython's CHECK_EG_MATCH and PREP_RERAISE_STAR).
#include "core/python/exceptions.h"
#include "core/python/types/exception_groups.h"
#include "core/python/walker.h"

namespace fx {

namespace {

void requireStarTypes(Evaluator& evaluator, const Value& types) {
    const Value base = evaluator.type("BaseException"), group = evaluator.type("BaseExceptionGroup");
    const std::optional<Values> many = types.as<ClassObject>() ? std::nullopt : itemsOf(types);
    for (const Value& type : many ? *many : Values{types}) {
        if (!type.as<ClassObject>() || !isSubclass(evaluator, type, base))
            raise("TypeError", "catching classes that do not inherit from BaseException is not allowed");
        if (isSubclass(evaluator, type, group))
            raise("TypeError", "catching ExceptionGroup with except* is not allowed. Use except instead.");
    }
}

/// What of the exception is of these types, as a group, and the rest. Each may be None.
std::pair<Value, Value> matched(Evaluator& evaluator, const Value& exception, const Value& types) {
    const bool isGroup = evaluator.isInstance(exception, evaluator.type("BaseExceptionGroup"));
    if (evaluator.isInstance(exception, types))
        return {isGroup ? exception : makeExceptionGroup(evaluator, {exception}), Value()};
    if (!isGroup)
        return {Value(), exception};
    const Values parts = evaluator.items(evaluator.callMethod(exception, "split", {types}));
    return {parts.at(0), parts.at(1)};
}

} // namespace

Value Walker::starHandlers(const Statement& s, const Value& caught) {
    Value rest = caught;
    Values raised, raisedAgain;
    for (const Statement::Handler& handler : s.handlers) {
        const Value types = value(handler.type[0]);
        at(handler.type[0].begin);
        requireStarTypes(m_evaluator, types);
        auto [match, left] = rest.isNone() ? std::pair<Value, Value>() : matched(m_evaluator, rest, types);
        if (match.isNone())
            continue;
        rest = left;
        const Value outer = std::exchange(m_frame.handled, match);
        m_isRaisedAgain = false;
        try {
            if (!handler.target.empty())
                store(handler.target[0], match);
            run(handler.body);
            if (!handler.target.empty())
                forget(handler.target[0]);
        } catch (const Error& error) {
            if (!isCatchable(error))
                throw;
            const Value own = caughtException(m_evaluator, error, m_frame);
            (m_isRaisedAgain && own.isSame(match) ? raisedAgain : raised).push_back(own);
            m_evaluator.frames().takeTrace();
        }
        m_frame.handled = outer;
    }
    if (!m_evaluator.isInstance(caught, m_evaluator.type("BaseExceptionGroup"))) {
        if (!raisedAgain.empty())
            return raisedAgain[0];
        return raised.empty() ? rest : raised[0];
    }
    if (!rest.isNone())
        raisedAgain.push_back(rest);
    if (!raisedAgain.empty())
        raised.push_back(partOfGroup(m_evaluator, caught, raisedAgain));
    if (raised.size() < 2)
        return raised.empty() ? Value() : raised[0];
    return makeExceptionGroup(m_evaluator, std::move(raised));
}

} // namespace fx
