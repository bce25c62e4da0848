// SPDX-License-Identifier: GPL-3.0-or-later
// Exceptions as instances, the builtin classes of them, and errors with the place that they came from.
#include "core/base/text.h"
#include "core/python/frame.h"

namespace fx {

RaisedError::RaisedError(Value instance, std::string kind, std::string message)
    : Error(Error("", std::move(message)).kind(kind)), m_exception(std::move(instance)) {}

namespace {

/// Class and base, bases first.
constexpr std::pair<const char*, const char*> kExceptionTypes[] = {
    {"BaseException", "object"},
    {"Exception", "BaseException"},
    {"GeneratorExit", "BaseException"},
    {"KeyboardInterrupt", "BaseException"},
    {"SystemExit", "BaseException"},
    {"ArithmeticError", "Exception"},
    {"FloatingPointError", "ArithmeticError"},
    {"OverflowError", "ArithmeticError"},
    {"ZeroDivisionError", "ArithmeticError"},
    {"AssertionError", "Exception"},
    {"AttributeError", "Exception"},
    {"BufferError", "Exception"},
    {"EOFError", "Exception"},
    {"ImportError", "Exception"},
    {"ModuleNotFoundError", "ImportError"},
    {"LookupError", "Exception"},
    {"IndexError", "LookupError"},
    {"KeyError", "LookupError"},
    {"MemoryError", "Exception"},
    {"NameError", "Exception"},
    {"UnboundLocalError", "NameError"},
    {"OSError", "Exception"},
    {"FileNotFoundError", "OSError"},
    {"FileExistsError", "OSError"},
    {"PermissionError", "OSError"},
    {"TimeoutError", "OSError"},
    {"ReferenceError", "Exception"},
    {"RuntimeError", "Exception"},
    {"NotImplementedError", "RuntimeError"},
    {"RecursionError", "RuntimeError"},
    {"StopIteration", "Exception"},
    {"StopAsyncIteration", "Exception"},
    {"SyntaxError", "Exception"},
    {"IndentationError", "SyntaxError"},
    {"SystemError", "Exception"},
    {"TypeError", "Exception"},
    {"ValueError", "Exception"},
    {"UnicodeError", "ValueError"},
    {"UnicodeDecodeError", "UnicodeError"},
    {"UnicodeEncodeError", "UnicodeError"},
    {"TraceError", "ValueError"},
    {"Warning", "Exception"},
    {"UserWarning", "Warning"},
    {"DeprecationWarning", "Warning"},
    {"PendingDeprecationWarning", "Warning"},
    {"FutureWarning", "Warning"},
    {"RuntimeWarning", "Warning"},
    {"SyntaxWarning", "Warning"},
    {"ImportWarning", "Warning"},
    {"BytesWarning", "Warning"},
    {"ResourceWarning", "Warning"},
    {"UnicodeWarning", "Warning"},
};

Value argsOf(const Value& exception) {
    auto* instance = exception.as<InstanceObject>();
    const Value* args = instance ? instance->dict.as<DictObject>()->find("args") : nullptr;
    return args ? *args : makeTuple({});
}

} // namespace

void Evaluator::addExceptionTypes() {
    for (const auto& [name, base] : kExceptionTypes)
        addType(name, base);
    builtins().erase("TraceError"); // torch.fx's, not a builtin's name
    builtins().set("EnvironmentError", type("OSError"));
    builtins().set("IOError", type("OSError"));
    ClassData& base = classOf(type("BaseException"));
    base.add("__init__", [](Evaluator&, Values& args, NamedValues&) -> Value {
        if (auto* instance = args.at(0).as<InstanceObject>())
            instance->dict.as<DictObject>()->set("args", makeTuple(Values(args.begin() + 1, args.end())));
        return {};
    });
    base.add("__str__", [](Evaluator& evaluator, Values& args, NamedValues&) -> Value {
        const Values given = *itemsOf(argsOf(args.at(0)));
        if (given.empty())
            return makeText("");
        if (given.size() > 1)
            return makeText(evaluator.repr(makeTuple(given)));
        const bool isKeyError = evaluator.isInstance(args[0], evaluator.type("KeyError"));
        return makeText(isKeyError ? evaluator.repr(given[0]) : evaluator.str(given[0]));
    });
    base.add("__repr__", [](Evaluator& evaluator, Values& args, NamedValues&) -> Value {
        const Values given = *itemsOf(argsOf(args.at(0)));
        const std::string list = given.size() == 1 ? '(' + evaluator.repr(given[0]) + ')'
                                                   : evaluator.repr(makeTuple(given));
        return makeText(typeName(args[0]) + list);
    });
    base.add("with_traceback", [](Evaluator&, Values& args, NamedValues&) -> Value { return args.at(0); });
    base.add("add_note", [](Evaluator&, Values&, NamedValues&) -> Value { return {}; });
    for (const char* name : {"__cause__", "__context__", "__traceback__"})
        base.dict.as<DictObject>()->set(name, Value());
    base.dict.as<DictObject>()->set("__suppress_context__", c10::IValue(false));
    classOf(type("StopIteration")).addProperty("value", [](Evaluator&, Values& args, NamedValues&) -> Value {
        const Values given = *itemsOf(argsOf(args.at(0)));
        return given.empty() ? Value() : given[0];
    });
}

Value Evaluator::makeException(std::string_view type, Values args) {
    const Value made = makeInstance(this->type(type));
    made.as<InstanceObject>()->dict.as<DictObject>()->set("args", makeTuple(std::move(args)));
    return made;
}

void Evaluator::raiseException(const Value& instance) {
    std::string message;
    try {
        message = str(instance);
    } catch (const Error& error) {
        if (!isCatchable(error))
            throw;
        takeTrace();
        message = "<exception str() failed>";
    }
    throw RaisedError(instance, typeName(instance), message);
}

bool isCatchable(const Error& error) {
    return error.kind() != kLimitKind && error.kind() != kUnsupportedKind;
}

Value exceptionOf(Evaluator& evaluator, const Error& error) {
    if (const auto* raised = dynamic_cast<const RaisedError*>(&error))
        return raised->exception();
    std::string kind = "RuntimeError";
    for (const auto& [name, base] : kExceptionTypes)
        if (error.kind() == name)
            kind = name;
    return evaluator.makeException(kind, {makeText(error.message())});
}

void Evaluator::failLimit(const char* what) {
    throw Error("", std::string("evaluation was stopped: it takes too many ") + what)
        .hint("simplify what runs while the model is constructed or traced")
        .kind(kLimitKind);
}

void Evaluator::reserve(uint64_t bytes) {
    if (bytes > m_limits.bytes)
        throw Error("", "evaluation was stopped: one value would take " + byteText(bytes))
            .hint("give smaller sizes")
            .kind(kLimitKind);
    // What is taken piece by piece is counted too, roughly: nothing is given back.
    m_bytes += bytes;
    if (m_bytes > 16 * m_limits.bytes)
        failLimit("bytes");
}

CallSite Evaluator::callSite() const {
    return m_frame ? siteOf(*m_frame) : CallSite();
}

CallSite Evaluator::siteOf(const Frame& frame) const {
    const SourceFile::Position position = frame.file->position(frame.position);
    return {frame.file, position.line, position.column, frame.tree->qualifiedName};
}

std::vector<CallSite> Evaluator::callStack() const {
    std::vector<CallSite> out;
    for (const Frame* frame = m_frame; frame; frame = frame->back)
        out.push_back(siteOf(*frame));
    return out;
}

void Evaluator::guardFrame(Frame& frame, const std::function<void()>& work) {
    try {
        work();
    } catch (const Error&) {
        constexpr size_t kKept = 64; // of a deep recursion the innermost frames are enough
        if (m_trace.size() < kKept)
            m_trace.push_back(siteOf(frame));
        throw;
    }
}

/// Adds to an error where it came from: the innermost line of the user's own source.
void Evaluator::locate(const Error& error) {
    const Trace trace = takeTrace();
    if (trace.empty() || !error.place().empty())
        throw;
    const CallSite* at = &trace.front();
    for (const CallSite& site : trace)
        if (!site.file->isLibrary()) {
            at = &site;
            break;
        }
    const std::string place =
        at->file->path + ':' + std::to_string(at->line) + ':' + std::to_string(at->column);
    const std::string line(at->file->line(at->line));
    const size_t indent = line.find_first_not_of(" \t");
    const size_t skipped = indent == std::string::npos ? 0 : indent;
    const size_t column = static_cast<size_t>(at->column) - 1;
    std::string message = error.message() + "\n    " + line.substr(std::min(skipped, line.size())) + "\n    " +
                          std::string(column > skipped ? column - skipped : 0, ' ') + '^';
    throw Error(place, message).hint(error.advice()).kind(error.kind());
}

} // namespace fx
