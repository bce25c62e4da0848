// SPDX-License-Identifier: GPL-3.0-or-later
// A group keeps its message and exceptions in `args`.
#include "core/python/types/exception_groups.h"

#include "core/python/classes.h"
#include "core/python/evaluator.h"
#include "core/python/exceptions.h"
#include "core/python/types/sequences.h"
#include "core/python/types/support.h"

#include <set>

namespace fx {

namespace {

bool isOf(Evaluator& evaluator, const Value& value, const char* type) {
    return evaluator.isInstance(value, evaluator.type(type));
}

Values exceptionsOf(const Value& group) {
    return *itemsOf(exceptionField(group, "exceptions"));
}

Value initGroup(Evaluator& evaluator, Values& args, NamedValues& kwargs) {
    const std::string name = "BaseExceptionGroup.__new__() ";
    if (!kwargs.empty() || args.size() != 3)
        raise("TypeError",
              name + "takes exactly 2 arguments (" + std::to_string(args.size() - 1) + " given)");
    if (!plainOf(args[1]).isString())
        raise("TypeError", name + "argument 1 must be str, not " + typeName(args[1]));
    if (!plainOf(args[2]).as<SequenceObject>())
        raise("TypeError", "second argument (exceptions) must be a sequence");
    const Values items = evaluator.items(args[2]);
    if (items.empty())
        raise("ValueError", "second argument (exceptions) must be a non-empty sequence");
    bool areAllExceptions = true;
    for (size_t i = 0; i < items.size(); ++i) {
        if (!isOf(evaluator, items[i], "BaseException"))
            raise("ValueError",
                  "Item " + std::to_string(i) + " of second argument (exceptions) is not an exception");
        areAllExceptions = areAllExceptions && isOf(evaluator, items[i], "Exception");
    }
    auto* instance = args[0].as<InstanceObject>();
    if (!areAllExceptions && isOf(evaluator, args[0], "ExceptionGroup"))
        raise("TypeError", "Cannot nest BaseExceptions in an ExceptionGroup");
    if (areAllExceptions && instance && instance->type.isSame(evaluator.type("BaseExceptionGroup")))
        instance->type = evaluator.type("ExceptionGroup");
    DictObject& names = exceptionFields(args[0]);
    names.set("message", args[1]);
    names.set("exceptions", makeTuple(items));
    names.set("args", makeTuple({args[1], args[2]}));
    return {};
}

/// A group of some of the exceptions, raised where this one was; None without exceptions.
Value derived(Evaluator& evaluator, const Value& group, Values exceptions) {
    if (exceptions.empty())
        return {};
    const Value made =
        evaluator.call(evaluator.attribute(group, "derive"), {makeList(std::move(exceptions))});
    for (const char* name : {"__traceback__", "__context__", "__cause__", "__notes__"})
        if (const Value* known = exceptionFields(group).find(name))
            exceptionFields(made).set(name, *known);
    return made;
}

bool isWanted(Evaluator& evaluator, const Value& condition, const Value& exception) {
    if (condition.as<ClassObject>() || itemsOf(condition))
        return evaluator.isInstance(exception, condition);
    return evaluator.isTrue(evaluator.call(condition, {exception}));
}

/// What of the group the condition holds for, and the rest; each is none where it would be empty.
std::pair<Value, Value> splitGroup(Evaluator& evaluator, const Value& group, const Value& condition) {
    if (isWanted(evaluator, condition, group))
        return {group, Value()};
    Values wanted, rest;
    const auto add = [](Values& to, const Value& value) {
        if (!value.isNone())
            to.push_back(value);
    };
    for (const Value& each : exceptionsOf(group)) {
        if (isOf(evaluator, each, "BaseExceptionGroup")) {
            const auto [some, others] = splitGroup(evaluator, each, condition);
            add(wanted, some);
            add(rest, others);
        } else {
            (isWanted(evaluator, condition, each) ? wanted : rest).push_back(each);
        }
    }
    return {derived(evaluator, group, std::move(wanted)), derived(evaluator, group, std::move(rest))};
}

/// The exceptions in the groups, at any depth.
void addLeaves(Evaluator& evaluator, const Value& exception, std::set<const Object*>& out) {
    if (!isOf(evaluator, exception, "BaseExceptionGroup")) {
        out.insert(exception.object().get());
        return;
    }
    for (const Value& each : exceptionsOf(exception))
        addLeaves(evaluator, each, out);
}

Value partOfGroup(Evaluator& evaluator, const Value& group, const std::set<const Object*>& leaves) {
    Values kept;
    for (const Value& each : exceptionsOf(group)) {
        const bool isInner = isOf(evaluator, each, "BaseExceptionGroup");
        const Value part = isInner                                ? partOfGroup(evaluator, each, leaves)
                           : leaves.contains(each.object().get()) ? each
                                                                  : Value();
        if (!part.isNone())
            kept.push_back(part);
    }
    return derived(evaluator, group, std::move(kept));
}

} // namespace

Value makeExceptionGroup(Evaluator& evaluator, Values exceptions) {
    return evaluator.call(evaluator.type("BaseExceptionGroup"),
                          {makeText(""), makeList(std::move(exceptions))});
}

Value partOfGroup(Evaluator& evaluator, const Value& group, const Values& parts) {
    std::set<const Object*> leaves;
    for (const Value& part : parts)
        addLeaves(evaluator, part, leaves);
    return partOfGroup(evaluator, group, leaves);
}

void addExceptionGroups(Evaluator& evaluator) {
    ClassData& base = evaluator.types().add("BaseExceptionGroup", "BaseException");
    base.add("__init__", initGroup);
    base.add("__str__", [](Evaluator& e, Values& args, NamedValues&) {
        const size_t count = exceptionsOf(args.at(0)).size();
        return makeText(e.str(exceptionField(args[0], "message")) + " (" + std::to_string(count) +
                        " sub-exception" + (count == 1 ? ")" : "s)"));
    });
    addMethod(base, "derive", 1, 1, [](Evaluator& e, Values& args) {
        return e.call(e.type("BaseExceptionGroup"), {exceptionField(args[0], "message"), args[1]});
    });
    addMethod(base, "subgroup", 1, 1,
              [](Evaluator& e, Values& args) { return splitGroup(e, args[0], args[1]).first; });
    addMethod(base, "split", 1, 1, [](Evaluator& e, Values& args) {
        auto [wanted, rest] = splitGroup(e, args[0], args[1]);
        return makeTuple({std::move(wanted), std::move(rest)});
    });
    ClassData& group = evaluator.types().add("ExceptionGroup", "BaseExceptionGroup");
    group.bases.push_back(evaluator.type("Exception"));
    group.mro = linearize(group.bases);
}

} // namespace fx
