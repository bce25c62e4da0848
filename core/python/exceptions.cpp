// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/exceptions.h"

#include "core/python/evaluator.h"
#include "core/python/frame.h"
#include "core/python/tracebacks.h"

namespace fx {

RaisedError::RaisedError(Value instance, std::string kind, std::string message)
    : Error(Error("", std::move(message)).kind(kind)), m_exception(std::move(instance)) {}

ModuleNotFound::ModuleNotFound(std::string module)
    : Error(Error("", "No module named '" + module + '\'').kind("ModuleNotFoundError")),
      m_module(std::move(module)) {}

DictObject& exceptionFields(const Value& exception) {
    return *exception.as<InstanceObject>()->dict.as<DictObject>();
}

Value exceptionField(const Value& exception, const char* name) {
    const Value* found = exception.as<InstanceObject>() ? exceptionFields(exception).find(name) : nullptr;
    return found ? *found : Value();
}

Value makeException(Evaluator& evaluator, std::string_view type, Values args) {
    const Value made = makeInstance(evaluator.type(type));
    made.as<InstanceObject>()->dict.as<DictObject>()->set("args", makeTuple(std::move(args)));
    return made;
}

void raiseException(Evaluator& evaluator, const Value& instance) {
    std::string message;
    try {
        message = evaluator.str(instance);
    } catch (const Error& error) {
        if (!isCatchable(error))
            throw;
        evaluator.frames().takeTrace();
        message = "<exception str() failed>";
    }
    throw RaisedError(instance, typeName(instance), message);
}

bool isCatchable(const Error& error) {
    return error.kind() != kLimitKind && error.kind() != kUnsupportedKind && error.kind() != kNotAllowedKind;
}

/// The attribute `name`: what the message has in quotes after these words.
static void setName(const Value& exception, const std::string& message, std::string_view before) {
    const size_t found = message.rfind(before);
    const size_t begin = found + before.size(), end = message.find('\'', begin);
    if (found != std::string::npos && end != std::string::npos)
        exceptionFields(exception).set("name", makeText(message.substr(begin, end - begin)));
}

Value exceptionOf(Evaluator& evaluator, const Error& error) {
    if (const auto* raised = dynamic_cast<const RaisedError*>(&error))
        return raised->exception();
    const std::string kind = isExceptionName(error.kind()) ? std::string(error.kind()) : "RuntimeError";
    const Value made = makeException(evaluator, kind, {makeText(error.message())});
    if (const auto* missing = dynamic_cast<const ModuleNotFound*>(&error))
        exceptionFields(made).set("name", makeText(missing->module()));
    else if (kind == "AttributeError")
        setName(made, error.message(), "has no attribute '");
    else if (kind == "NameError" || kind == "UnboundLocalError")
        setName(made, error.message(), "name '");
    return made;
}

Value handledIn(const Frame* frame) {
    for (; frame; frame = frame->back)
        if (!frame->handled.isNone())
            return frame->handled;
    return {};
}

namespace {

/// As CPython does where an exception is raised: the one that is handled there stays reachable, without a
/// circle.
void setContext(const Value& exception, const Value& handled) {
    if (handled.isNone() || handled.isSame(exception) || !exception.as<InstanceObject>() ||
        !handled.as<InstanceObject>() || !exceptionField(exception, "__context__").isNone())
        return;
    constexpr int kLongest = 100;
    Value next = handled;
    for (int i = 0; i < kLongest && next.as<InstanceObject>(); ++i) {
        const Value further = exceptionField(next, "__context__");
        if (further.isSame(exception)) {
            exceptionFields(next).set("__context__", Value());
            break;
        }
        next = further;
    }
    exceptionFields(exception).set("__context__", handled);
}

} // namespace

Value caughtException(Evaluator& evaluator, const Error& error, const Frame& frame) {
    constexpr uint64_t kSteps = 20; // what a C++ exception costs beside other steps
    evaluator.budget().charge(kSteps);
    const Value exception = exceptionOf(evaluator, error);
    if (!exception.as<InstanceObject>())
        return exception;
    setContext(exception, handledIn(&frame));
    noteTraceback(evaluator, exception);
    return exception;
}

std::exception_ptr raisedWith(const Error& error, const Value& exception) {
    if (dynamic_cast<const RaisedError*>(&error))
        return std::current_exception();
    RaisedError raised(exception, error.kind(), error.message());
    static_cast<Error&&>(raised).hint(error.advice()).code(error.code());
    return std::make_exception_ptr(raised);
}

std::exception_ptr leavingHandler(Evaluator& evaluator, const Error& error, const Value& handled) {
    const Value exception = exceptionOf(evaluator, error);
    setContext(exception, handled);
    return raisedWith(error, exception);
}

} // namespace fx
