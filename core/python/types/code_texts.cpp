// SPDX-License-Identifier: GPL-3.0-or-later
// exec, eval and compile: text that a program makes runs on the evaluator that runs the program, within its
// limits. Names of its own (`locals`) are added to a copy of the globals, which functions that it defines see
// as well.
#include "core/base/text.h"
#include "core/python/source_encoding.h"
#include "core/python/types/builtin_functions.h"

namespace fx {

namespace {

const char* const kCodeType = "code.Text";

/// What compile() gives holds its tree.
struct CodeText {
    std::shared_ptr<const SourceFile> file;
    bool isExpression = false;
};

CodeText parsed(Evaluator& evaluator, const std::string& text, const std::string& path, bool isExpression) {
    evaluator.reserve(text.size() * 64); // the tree
    return {isExpression ? parseExpressionSource(text, path) : parseSource(text, path), isExpression};
}

const HandleObject* handleOf(const Value& value) {
    const auto* instance = value.as<InstanceObject>();
    const auto* handle = instance ? instance->payload.as<HandleObject>() : nullptr;
    return handle && handle->typeName == kCodeType ? handle : nullptr;
}

CodeText codeText(Evaluator& evaluator, const char* function, const Value& source, bool isExpression) {
    if (const HandleObject* handle = handleOf(source))
        return *static_cast<const CodeText*>(handle->content.get());
    const Value& plain = plainOf(source);
    const auto* bytes = plain.as<BytesObject>();
    if (!bytes && !plain.isString())
        raise("TypeError", std::string(function) + "() arg 1 must be a string, bytes or code object");
    return parsed(evaluator, bytes ? decodedSource(bytes->bytes, "<string>") : plain.text(), "<string>",
                  isExpression);
}

Value namesOf(const Value& value, const std::string& fault) {
    const Value& plain = plainOf(value);
    if (!plain.as<DictObject>())
        raise("TypeError", fault + ", not " + typeName(value));
    return plain;
}

bool isDeclaredGlobal(const SourceFile& file, const Value& name) {
    for (const Statement& statement : file.module->body)
        if (statement.text == "global")
            for (const Expression& declared : statement.expressions)
                if (name.isString() && declared.text == name.text())
                    return true;
    return false;
}

/// What of `names` is new or another value than in `before`, and what is gone.
void putBack(const SourceFile& file, DictObject& names, DictObject& before, DictObject& globals,
             DictObject& locals) {
    for (const DictObject::Entry& entry : names.entries()) {
        const Value* was = before.find(entry.key);
        if (!was || !was->isSame(entry.value))
            (isDeclaredGlobal(file, entry.key) ? globals : locals).set(entry.key, entry.value);
    }
    const std::vector<DictObject::Entry> kept = locals.entries();
    for (const DictObject::Entry& entry : kept)
        if (before.find(entry.key) && !names.find(entry.key))
            locals.erase(entry.key);
}

/// (source, globals, locals)
Value runText(Evaluator& evaluator, const char* function, Values& args, NamedValues& kwargs, bool isEval) {
    if (!kwargs.empty())
        raise("TypeError", std::string(function) + "() takes no keyword arguments");
    requireArguments(function, args, 1, 3);
    const bool hasGlobals = args.size() > 1 && !args[1].isNone(),
               hasLocals = args.size() > 2 && !args[2].isNone();
    const Value globals = hasGlobals ? namesOf(args[1], std::string(function) + "() globals must be a dict")
                                     : evaluator.frames().globalNames();
    const Value locals = hasLocals    ? namesOf(args[2], "locals must be a mapping or None")
                         : hasGlobals ? globals
                                      : evaluator.frames().localNames();
    if (hasGlobals && !globals.as<DictObject>()->find("__builtins__"))
        globals.as<DictObject>()->set(
            "__builtins__", evaluator.attribute(evaluator.modules().importModule("builtins"), "__dict__"));
    const CodeText code = codeText(evaluator, function, args[0], isEval);
    if (locals.isSame(globals)) {
        Value result = evaluator.evaluate(code.file, globals);
        return isEval && code.isExpression ? result : Value();
    }
    DictObject before = *globals.as<DictObject>();
    for (const DictObject::Entry& entry : locals.as<DictObject>()->entries())
        before.set(entry.key, entry.value);
    const Value names = Object{DictObject(before)};
    Value result = evaluator.evaluate(code.file, names);
    putBack(*code.file, *names.as<DictObject>(), before, *globals.as<DictObject>(), *locals.as<DictObject>());
    return isEval && code.isExpression ? result : Value();
}

/// (source, file name, mode)
Value compile(Evaluator& evaluator, Values& args, NamedValues& kwargs) {
    for (const char* name : {"source", "filename", "mode"})
        if (std::optional<Value> given = takeKeyword(kwargs, name))
            args.push_back(std::move(*given));
    for (const char* name : {"flags", "dont_inherit", "optimize", "_feature_version"})
        takeKeyword(kwargs, name);
    requireArguments("compile", args, 3, 6);
    if (!plainOf(args[1]).isString() || !plainOf(args[2]).isString())
        raise("TypeError", "compile() arguments 2 and 3 must be str");
    const std::string& mode = plainOf(args[2]).text();
    if (mode != "exec" && mode != "eval")
        raise(mode == "single" ? "NotImplementedError" : "ValueError",
              mode == "single" ? "not supported: compile() for an interactive prompt"
                               : "compile() mode must be 'exec', 'eval' or 'single'");
    const auto* bytes = plainOf(args[0]).as<BytesObject>();
    if (!bytes && !plainOf(args[0]).isString())
        raise("NotImplementedError",
              "not supported: compile() of a " + typeName(args[0]) + "; a str is read");
    // In brackets, as text that lies in no file.
    std::string path = plainOf(args[1]).text();
    if (!path.starts_with('<'))
        path = '<' + path + '>';
    auto text = std::make_shared<CodeText>(
        parsed(evaluator, bytes ? decodedSource(bytes->bytes, path) : plainOf(args[0]).text(), path,
               mode == "eval"));
    const Value made =
        makeInstance(evaluator.type("code"), Object{HandleObject{nullptr, kCodeType, std::move(text)}});
    DictObject& fields = *made.as<InstanceObject>()->dict.as<DictObject>();
    fields.set("co_name", makeText("<module>"));
    fields.set("co_filename", args[1]);
    fields.set("co_firstlineno", makeInt(1));
    return made;
}

} // namespace

void addTextFunctions(Evaluator& evaluator) {
    evaluator.types().addBuiltin("exec", [](Evaluator& e, Values& args, NamedValues& kwargs) {
        return runText(e, "exec", args, kwargs, false);
    });
    evaluator.types().addBuiltin("eval", [](Evaluator& e, Values& args, NamedValues& kwargs) {
        return runText(e, "eval", args, kwargs, true);
    });
    evaluator.types().addBuiltin("compile", compile);
}

} // namespace fx
