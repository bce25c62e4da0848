// SPDX-License-Identifier: GPL-3.0-or-later
// Python's exceptions and the errors that carry them.
#pragma once

#include "core/base/error.h"
#include "core/python/value.h"

#include <exception>
#include <string>
#include <string_view>

namespace fx {

struct Frame;

/// Thrown for a Python exception, with the instance. Its kind() is the class's name, its message
/// str(exception).
class RaisedError : public Error {
public:
    RaisedError(Value instance, std::string kind, std::string message);
    const Value& exception() const { return m_exception; }

private:
    Value m_exception;
};

class ModuleNotFound : public Error {
public:
    explicit ModuleNotFound(std::string module);
    const std::string& module() const { return m_module; }

private:
    std::string m_module;
};

/// An exception instance of that class: makeException(evaluator, "ValueError", {makeText("...")}).
Value makeException(Evaluator& evaluator, std::string_view type, Values args);
[[noreturn]] void raiseException(Evaluator& evaluator, const Value& instance);
/// Whether a builtin class of exceptions is called so.
bool isExceptionName(std::string_view name);
/// The attributes of an exception instance.
DictObject& exceptionFields(const Value& exception);
/// One of them; None where it has none of that name.
Value exceptionField(const Value& exception, const char* name);

/// The exception instance of an error that passes by; an error that is no Python exception gets one made.
Value exceptionOf(Evaluator& evaluator, const Error& error);
/// The same for an except clause, with __traceback__, and __context__ as what was handled where it was
/// raised.
Value caughtException(Evaluator& evaluator, const Error& error, const Frame& frame);
/// The error that is at work now, to be raised again outside of the handler of `handled`, which becomes its
/// context.
std::exception_ptr leavingHandler(Evaluator& evaluator, const Error& error, const Value& handled);
/// The error that is at work now with its instance, so that whoever catches it next gets the same one.
std::exception_ptr raisedWith(const Error& error, const Value& exception);
/// What sys.exc_info() would give for that frame.
Value handledIn(const Frame* frame);
/// Whether except clauses may see it: not where a limit is reached, or something is not
/// supported or not allowed.
bool isCatchable(const Error& error);
inline constexpr std::string_view kUnsupportedKind = "NotSupported";
inline constexpr std::string_view kNotAllowedKind = "NotAllowed";

} // namespace fx
