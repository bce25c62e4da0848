// SPDX-License-Identifier: GPL-3.0-or-later
// print, repr, len and the other short builtin functions, and those that are refused.
#include "core/python/types/builtin_functions.h"
#include "core/python/types/format.h"

namespace fx {

namespace {

/// What a program has put in the place of sys.stdout; none where it left it as it was.
std::optional<Value> ownOutput(Evaluator& evaluator) {
    const std::optional<Value> sys = evaluator.modules().known("sys");
    if (!sys)
        return std::nullopt;
    const std::optional<Value> now = evaluator.findAttribute(*sys, "stdout");
    const std::optional<Value> first = evaluator.findAttribute(*sys, "__stdout__");
    return now && first && !now->isSame(*first) ? now : std::nullopt;
}

Value print(Evaluator& evaluator, Values& args, NamedValues& kwargs) {
    const auto option = [&](const char* name, const char* missing) {
        const std::optional<Value> given = takeKeyword(kwargs, name);
        if (!given || given->isNone())
            return std::string(missing);
        if (!plainOf(*given).isString())
            raise("TypeError", std::string(name) + " must be None or a string, not " + typeName(*given));
        return plainOf(*given).text();
    };
    const std::string separator = option("sep", " "), end = option("end", "\n");
    Value file = takeKeyword(kwargs, "file").value_or(Value());
    takeKeyword(kwargs, "flush");
    if (!kwargs.empty())
        raise("TypeError", '\'' + kwargs[0].first + "' is an invalid keyword argument for print()");
    if (file.isNone())
        if (std::optional<Value> own = ownOutput(evaluator)) {
            if (own->isNone())
                return {};
            file = std::move(*own);
        }
    if (!file.isNone()) { // part by part, as Python writes them
        const Value write = evaluator.attribute(file, "write");
        for (size_t i = 0; i < args.size(); ++i) {
            if (i > 0)
                evaluator.call(write, {makeText(separator)});
            evaluator.call(write, {makeText(evaluator.str(args[i]))});
        }
        evaluator.call(write, {makeText(end)});
        return {};
    }
    std::string line;
    for (size_t i = 0; i < args.size(); ++i)
        line += (i > 0 ? separator : "") + evaluator.str(args[i]);
    line += end;
    writeOutput(evaluator, line);
    return {};
}

void addRefused(Evaluator& evaluator) {
    for (const char* name : {"input", "__import__", "breakpoint"})
        evaluator.types().addBuiltin(
            name, [name = std::string(name)](Evaluator&, Values&, NamedValues&) -> Value {
                raise("NotImplementedError",
                      "not supported: '" + name + "': nothing outside of the source is touched");
            });
    // A class to ask for: isinstance(data, (bytes, memoryview)).
    evaluator.types().add("memoryview").construct = [](Evaluator&, const Value&, Values&,
                                                       NamedValues&) -> Value {
        raise("NotImplementedError", "not supported: 'memoryview': bytes are copied here");
    };
}

/// The text of the library knows the files that a program has made in memory, and refuses others.
Value open(Evaluator& evaluator, Values& args, NamedValues& kwargs) {
    const Value files = evaluator.modules().importModule("_files");
    return evaluator.call(evaluator.attribute(files, "open"), args, kwargs);
}

} // namespace

void writeOutput(Evaluator& evaluator, std::string_view text) {
    std::string& out = evaluator.output();
    if (out.size() + text.size() > out.capacity() && out.size() > 65536)
        evaluator.reserve((out.size() + text.size()) * 2);
    out += text;
}

void addBuiltinFunctions(Evaluator& evaluator) {
    evaluator.builtins().set("NotImplemented", notImplemented());
    evaluator.builtins().set("Ellipsis", makeEllipsis());
    evaluator.types().addBuiltin("print", print);
    evaluator.types().addBuiltin("open", open);
    addFunction(evaluator, "len", 1, 1,
                [](Evaluator& e, Values& args) { return makeInt(lengthOf(e, args[0])); });
    addFunction(evaluator, "repr", 1, 1,
                [](Evaluator& e, Values& args) { return makeText(e.repr(args[0])); });
    addFunction(evaluator, "ascii", 1, 1,
                [](Evaluator& e, Values& args) { return makeText(asciiRepr(e, args[0])); });
    addFunction(evaluator, "format", 1, 2, [](Evaluator& e, Values& args) {
        return makeText(
            formatOf(e, args[0], args.size() > 1 ? textArgument("format() argument 2", args[1]) : ""));
    });
    addFunction(evaluator, "hash", 1, 1, [](Evaluator& e, Values& args) {
        return makeInt(static_cast<int64_t>(hashValue(e, args[0])));
    });
    addFunction(evaluator, "id", 1, 1,
                [](Evaluator&, Values& args) { return makeInt(static_cast<int64_t>(identityOf(args[0]))); });
    addIterationFunctions(evaluator);
    addNumberFunctions(evaluator);
    addAttributeFunctions(evaluator);
    addTextFunctions(evaluator);
    addRefused(evaluator);
}

} // namespace fx
