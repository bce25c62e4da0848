// SPDX-License-Identifier: GPL-3.0-or-later
// print, repr, len and the other short builtin functions, and those that are refused.
#include "core/python/types/builtin_functions.h"
#include "core/python/types/format.h"

namespace fx {

namespace {

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
    const Value file = takeKeyword(kwargs, "file").value_or(Value());
    takeKeyword(kwargs, "flush");
    if (!kwargs.empty())
        raise("TypeError", '\'' + kwargs[0].first + "' is an invalid keyword argument for print()");
    std::string line;
    for (size_t i = 0; i < args.size(); ++i)
        line += (i > 0 ? separator : "") + evaluator.str(args[i]);
    line += end;
    if (!file.isNone()) {
        if (const std::optional<Value> write = evaluator.findAttribute(file, "write"))
            evaluator.call(*write, {makeText(std::move(line))});
        return {};
    }
    std::string& out = evaluator.output();
    if (out.size() + line.size() > out.capacity() && out.size() > 65536)
        evaluator.reserve((out.size() + line.size()) * 2);
    out += line;
    return {};
}

void addRefused(Evaluator& evaluator) {
    for (const char* name : {"open", "input", "exec", "eval", "compile", "__import__", "breakpoint"})
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

} // namespace

void addBuiltinFunctions(Evaluator& evaluator) {
    evaluator.builtins().set("NotImplemented", notImplemented());
    evaluator.builtins().set("Ellipsis", makeEllipsis());
    evaluator.types().addBuiltin("print", print);
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
    addRefused(evaluator);
}

} // namespace fx
