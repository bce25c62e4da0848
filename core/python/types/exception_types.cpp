// SPDX-License-Identifier: GPL-3.0-or-later
// The builtin classes of exceptions.
#include "core/python/evaluator.h"
#include "core/python/exceptions.h"
#include "core/python/types/exception_groups.h"

#include <algorithm>

namespace fx {

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
    {"BlockingIOError", "OSError"},
    {"ChildProcessError", "OSError"},
    {"ConnectionError", "OSError"},
    {"BrokenPipeError", "ConnectionError"},
    {"ConnectionAbortedError", "ConnectionError"},
    {"ConnectionRefusedError", "ConnectionError"},
    {"ConnectionResetError", "ConnectionError"},
    {"FileNotFoundError", "OSError"},
    {"FileExistsError", "OSError"},
    {"InterruptedError", "OSError"},
    {"IsADirectoryError", "OSError"},
    {"NotADirectoryError", "OSError"},
    {"PermissionError", "OSError"},
    {"ProcessLookupError", "OSError"},
    {"TimeoutError", "OSError"},
    {"ReferenceError", "Exception"},
    {"RuntimeError", "Exception"},
    {"NotImplementedError", "RuntimeError"},
    {"RecursionError", "RuntimeError"},
    {"StopIteration", "Exception"},
    {"StopAsyncIteration", "Exception"},
    {"SyntaxError", "Exception"},
    {"IndentationError", "SyntaxError"},
    {"TabError", "IndentationError"},
    {"SystemError", "Exception"},
    {"TypeError", "Exception"},
    {"ValueError", "Exception"},
    {"UnicodeError", "ValueError"},
    {"UnicodeDecodeError", "UnicodeError"},
    {"UnicodeEncodeError", "UnicodeError"},
    {"UnicodeTranslateError", "UnicodeError"},
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
    {"EncodingWarning", "Warning"},
    {"ResourceWarning", "Warning"},
    {"UnicodeWarning", "Warning"},
};

Value argsOf(const Value& exception) {
    auto* instance = exception.as<InstanceObject>();
    const Value* args = instance ? instance->dict.as<DictObject>()->find("args") : nullptr;
    return args ? *args : makeTuple({});
}

/// Of Linux: the numbers for which OSError(number, ...) becomes a class of its own.
constexpr std::pair<int64_t, const char*> kOsErrors[] = {
    {1, "PermissionError"},          {2, "FileNotFoundError"},  {3, "ProcessLookupError"},
    {4, "InterruptedError"},         {10, "ChildProcessError"}, {11, "BlockingIOError"},
    {13, "PermissionError"},         {17, "FileExistsError"},   {20, "NotADirectoryError"},
    {21, "IsADirectoryError"},       {32, "BrokenPipeError"},   {103, "ConnectionAbortedError"},
    {104, "ConnectionResetError"},   {108, "BrokenPipeError"},  {110, "TimeoutError"},
    {111, "ConnectionRefusedError"}, {114, "BlockingIOError"},  {115, "BlockingIOError"}};

const char* osErrorType(int64_t number) {
    for (const auto& [each, name] : kOsErrors)
        if (each == number)
            return name;
    return nullptr;
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
        DictObject& names = exceptionFields(args[0]);
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
        const Value number = exceptionField(args.at(0), "errno"), file = exceptionField(args[0], "filename");
        if (number.isNone()) {
            const Value plain = *e.classOf(e.type("BaseException")).find("__str__");
            return e.call(plain, {args[0]});
        }
        return makeText("[Errno " + e.str(number) + "] " + e.str(exceptionField(args[0], "strerror")) +
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
                 DictObject& names = exceptionFields(args[0]);
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

bool isExceptionName(std::string_view name) {
    return std::any_of(std::begin(kExceptionTypes), std::end(kExceptionTypes),
                       [&](const auto& row) { return row.first == name; });
}

void addExceptionTypes(Evaluator& evaluator) {
    for (const auto& [name, base] : kExceptionTypes)
        evaluator.types().add(name, base);
    evaluator.builtins().erase("TraceError"); // torch.fx's, not a builtin's name
    for (const auto& [name, module] :
         {std::pair("_LinAlgError", "torch._C"), std::pair("OutOfMemoryError", "torch")}) {
        evaluator.classOf(evaluator.type(name)).module = module;
        evaluator.builtins().erase(name);
    }
    evaluator.builtins().set("EnvironmentError", evaluator.type("OSError"));
    evaluator.builtins().set("IOError", evaluator.type("OSError"));
    ClassData& base = evaluator.classOf(evaluator.type("BaseException"));
    base.add("__init__", [](Evaluator&, Values& args, NamedValues& kwargs) -> Value {
        if (!kwargs.empty())
            raise("TypeError", typeName(args.at(0)) + "() takes no keyword arguments");
        if (auto* instance = args.at(0).as<InstanceObject>())
            instance->dict.as<DictObject>()->set("args", makeTuple(Values(args.begin() + 1, args.end())));
        return {};
    });
    base.add("__str__", [](Evaluator& e, Values& args, NamedValues&) -> Value {
        const Values given = *itemsOf(argsOf(args.at(0)));
        if (given.empty())
            return makeText("");
        if (given.size() > 1)
            return makeText(e.repr(makeTuple(given)));
        const bool isKeyError = e.isInstance(args[0], e.type("KeyError"));
        return makeText(isKeyError ? e.repr(given[0]) : e.str(given[0]));
    });
    base.add("__repr__", [](Evaluator& e, Values& args, NamedValues&) -> Value {
        const Values given = *itemsOf(argsOf(args.at(0)));
        const std::string list = given.size() == 1 ? '(' + e.repr(given[0]) + ')' : e.repr(makeTuple(given));
        return makeText(typeName(args[0]) + list);
    });
    base.add("with_traceback", [](Evaluator&, Values& args, NamedValues&) -> Value { return args.at(0); });
    base.add("add_note", [](Evaluator&, Values& args, NamedValues&) -> Value {
        if (args.size() != 2 || !plainOf(args[1]).isString())
            raise("TypeError", "note must be a str, not '" + typeName(args.back()) + '\'');
        DictObject& names = exceptionFields(args.at(0));
        if (!names.find("__notes__"))
            names.set("__notes__", makeList({}));
        auto* notes = names.find("__notes__")->as<SequenceObject>();
        if (!notes)
            raise("TypeError", "Cannot add note: __notes__ is not a list");
        notes->items.push_back(args[1]);
        return {};
    });
    for (const char* name : {"__cause__", "__context__", "__traceback__"})
        base.dict.as<DictObject>()->set(name, Value());
    base.dict.as<DictObject>()->set("__suppress_context__", c10::IValue(false));
    evaluator.classOf(evaluator.type("StopIteration"))
        .addProperty("value", [](Evaluator&, Values& args, NamedValues&) -> Value {
            const Values given = *itemsOf(argsOf(args.at(0)));
            return given.empty() ? Value() : given[0];
        });
    evaluator.classOf(evaluator.type("SystemExit"))
        .addProperty("code", [](Evaluator&, Values& args, NamedValues&) -> Value {
            const Values given = *itemsOf(argsOf(args.at(0)));
            return given.empty() ? Value() : given.size() == 1 ? given[0] : makeTuple(given);
        });
    addOsError(evaluator);
    addExceptionGroups(evaluator);
    addKeywordFields(evaluator, "ImportError", {"name", "path"});
    addKeywordFields(evaluator, "AttributeError", {"name", "obj"});
    addKeywordFields(evaluator, "NameError", {"name"});
    evaluator.types().add("code"); // beside tracebacks: what programs ask of a run, and never make
    ClassData& traceback = evaluator.types().add("traceback");
    evaluator.builtins().erase("code");
    evaluator.builtins().erase("traceback");
    for (const char* name : {"tb_next", "tb_frame"})
        traceback.dict.as<DictObject>()->set(name, Value());
}

} // namespace fx
