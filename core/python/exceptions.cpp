// SPDX-License-Identifier: GPL-3.0-or-later
// Exceptions as instances, and the builtin classes of them.
#include "core/python/exceptions.h"

#include "core/python/frame.h"

#include <algorithm>

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
    {"_LinAlgError", "RuntimeError"},
    {"OutOfMemoryError", "RuntimeError"},
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

/// The name of the errno that OSError(number, ...) becomes a class of its own for.
const char* osErrorType(int64_t number) {
    switch (number) {
    case 2:
        return "FileNotFoundError";
    case 17:
        return "FileExistsError";
    case 1:
    case 13:
        return "PermissionError";
    case 110:
        return "TimeoutError";
    default:
        return nullptr;
    }
}

DictObject& namesOf(const Value& exception) {
    return *exception.as<InstanceObject>()->dict.as<DictObject>();
}

Value fieldOf(const Value& exception, const char* name) {
    const Value* found = exception.as<InstanceObject>() ? namesOf(exception).find(name) : nullptr;
    return found ? *found : Value();
}

void addOsError(Evaluator& evaluator) {
    ClassData& type = evaluator.classOf(evaluator.type("OSError"));
    for (const char* name : {"errno", "strerror", "filename"})
        type.dict.as<DictObject>()->set(name, Value());
    type.add("__init__", [](Evaluator& e, Values& args, NamedValues&) -> Value {
        const Values given(args.begin() + 1, args.end());
        auto* instance = args.at(0).as<InstanceObject>();
        if (!instance)
            return {};
        DictObject& names = namesOf(args[0]);
        if (given.size() >= 2 && given.size() <= 5) {
            names.set("errno", given[0]);
            names.set("strerror", given[1]);
            if (given.size() > 2)
                names.set("filename", given[2]);
            const char* narrower = given[0].isInt() ? osErrorType(given[0].data().toInt()) : nullptr;
            if (narrower && instance->type.isSame(e.type("OSError")))
                instance->type = e.type(narrower);
            names.set("args", makeTuple({given[0], given[1]}));
        } else {
            names.set("args", makeTuple(given));
        }
        return {};
    });
    type.add("__str__", [](Evaluator& e, Values& args, NamedValues&) -> Value {
        const Value number = fieldOf(args.at(0), "errno"), file = fieldOf(args[0], "filename");
        if (number.isNone()) {
            const Value plain = *e.classOf(e.type("BaseException")).find("__str__");
            return e.call(plain, {args[0]});
        }
        return makeText("[Errno " + e.str(number) + "] " + e.str(fieldOf(args[0], "strerror")) +
                        (file.isNone() ? "" : ": " + e.repr(file)));
    });
}

/// Exceptions that take a few keywords, which become attributes.
void addKeywordFields(Evaluator& evaluator, const char* type, std::initializer_list<const char*> fields) {
    ClassData& data = evaluator.classOf(evaluator.type(type));
    for (const char* field : fields)
        data.dict.as<DictObject>()->set(field, Value());
    data.add("__init__",
             [type, known = std::vector<std::string>(fields.begin(), fields.end())](
                 Evaluator&, Values& args, NamedValues& kwargs) -> Value {
                 if (!args.at(0).as<InstanceObject>())
                     return {};
                 DictObject& names = namesOf(args[0]);
                 names.set("args", makeTuple(Values(args.begin() + 1, args.end())));
                 for (auto& [name, value] : kwargs) {
                     if (std::find(known.begin(), known.end(), name) == known.end())
                         raise("TypeError",
                               std::string(type) + "() got an unexpected keyword argument '" + name + '\'');
                     names.set(name, std::move(value));
                 }
                 return {};
             });
}

} // namespace

void Evaluator::addExceptionTypes() {
    for (const auto& [name, base] : kExceptionTypes)
        m_types.add(name, base);
    builtins().erase("TraceError"); // torch.fx's, not a builtin's name
    for (const auto& [name, module] :
         {std::pair("_LinAlgError", "torch._C"), std::pair("OutOfMemoryError", "torch")}) {
        classOf(type(name)).module = module;
        builtins().erase(name);
    }
    builtins().set("EnvironmentError", type("OSError"));
    builtins().set("IOError", type("OSError"));
    ClassData& base = classOf(type("BaseException"));
    base.add("__init__", [](Evaluator&, Values& args, NamedValues& kwargs) -> Value {
        if (!kwargs.empty())
            raise("TypeError", typeName(args.at(0)) + "() takes no keyword arguments");
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
        const std::string list =
            given.size() == 1 ? '(' + evaluator.repr(given[0]) + ')' : evaluator.repr(makeTuple(given));
        return makeText(typeName(args[0]) + list);
    });
    base.add("with_traceback", [](Evaluator&, Values& args, NamedValues&) -> Value { return args.at(0); });
    base.add("add_note", [](Evaluator&, Values& args, NamedValues&) -> Value {
        if (args.size() != 2 || !plainOf(args[1]).isString())
            raise("TypeError", "note must be a str, not '" + typeName(args.back()) + '\'');
        DictObject& names = namesOf(args.at(0));
        if (!names.find("__notes__"))
            names.set("__notes__", makeList({}));
        if (auto* notes = names.find("__notes__")->as<SequenceObject>())
            notes->items.push_back(args[1]);
        return {};
    });
    for (const char* name : {"__cause__", "__context__", "__traceback__"})
        base.dict.as<DictObject>()->set(name, Value());
    base.dict.as<DictObject>()->set("__suppress_context__", c10::IValue(false));
    classOf(type("StopIteration")).addProperty("value", [](Evaluator&, Values& args, NamedValues&) -> Value {
        const Values given = *itemsOf(argsOf(args.at(0)));
        return given.empty() ? Value() : given[0];
    });
    classOf(type("SystemExit")).addProperty("code", [](Evaluator&, Values& args, NamedValues&) -> Value {
        const Values given = *itemsOf(argsOf(args.at(0)));
        return given.empty() ? Value() : given.size() == 1 ? given[0] : makeTuple(given);
    });
    addOsError(*this);
    addKeywordFields(*this, "ImportError", {"name", "path"});
    addKeywordFields(*this, "AttributeError", {"name", "obj"});
    addKeywordFields(*this, "NameError", {"name"});
    m_types.add("code"); // beside tracebacks: what programs ask of a run, and never make
    ClassData& traceback = m_types.add("traceback");
    builtins().erase("code");
    builtins().erase("traceback");
    for (const char* name : {"tb_next", "tb_frame"})
        traceback.dict.as<DictObject>()->set(name, Value());
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
        m_frames.takeTrace();
        message = "<exception str() failed>";
    }
    throw RaisedError(instance, typeName(instance), message);
}

bool isCatchable(const Error& error) {
    return error.kind() != kLimitKind && error.kind() != kUnsupportedKind && error.kind() != kNotAllowedKind;
}

Value exceptionOf(Evaluator& evaluator, const Error& error) {
    if (const auto* raised = dynamic_cast<const RaisedError*>(&error))
        return raised->exception();
    std::string kind = "RuntimeError";
    for (const auto& [name, base] : kExceptionTypes)
        if (error.kind() == name)
            kind = name;
    const Value made = evaluator.makeException(kind, {makeText(error.message())});
    constexpr std::string_view kNoModule = "No module named '";
    if (kind == "ModuleNotFoundError" && error.message().starts_with(kNoModule))
        namesOf(made).set("name", makeText(error.message().substr(
                                      kNoModule.size(), error.message().size() - kNoModule.size() - 1)));
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
        !handled.as<InstanceObject>() || !fieldOf(exception, "__context__").isNone())
        return;
    constexpr int kLongest = 100;
    Value next = handled;
    for (int i = 0; i < kLongest && next.as<InstanceObject>(); ++i) {
        const Value further = fieldOf(next, "__context__");
        if (further.isSame(exception)) {
            namesOf(next).set("__context__", Value());
            break;
        }
        next = further;
    }
    namesOf(exception).set("__context__", handled);
}

} // namespace

Value caughtException(Evaluator& evaluator, const Error& error, const Frame& frame) {
    constexpr uint64_t kSteps = 20; // what a C++ exception costs beside other steps
    evaluator.budget().charge(kSteps);
    const Value exception = exceptionOf(evaluator, error);
    if (!exception.as<InstanceObject>())
        return exception;
    setContext(exception, handledIn(&frame));
    DictObject& names = namesOf(exception);
    if (!names.find("__traceback__")) {
        const Value traceback = makeInstance(evaluator.type("traceback"));
        const Frames::Trace& trace = evaluator.frames().trace();
        const CallSite site = trace.empty() ? evaluator.frames().callSite() : trace.back();
        namesOf(traceback).set("tb_lineno", makeInt(site.line));
        names.set("__traceback__", traceback);
    }
    return exception;
}

std::exception_ptr raisedWith(const Error& error, const Value& exception) {
    if (dynamic_cast<const RaisedError*>(&error))
        return std::current_exception();
    RaisedError raised(exception, error.kind(), error.message());
    static_cast<Error&&>(raised).hint(error.advice());
    return std::make_exception_ptr(raised);
}

std::exception_ptr leavingHandler(Evaluator& evaluator, const Error& error, const Value& handled) {
    const Value exception = exceptionOf(evaluator, error);
    setContext(exception, handled);
    return raisedWith(error, exception);
}

} // namespace fx
