// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/defined_function.h"

#include "core/python/evaluator.h"

#include <algorithm>

namespace fx {

namespace {

/// What CPython's code objects say of a function's parameters and names.
DictObject codeFields(const DefinedFunction& function) {
    using Kind = FunctionTree::Parameter::Kind;
    enum Flag { Optimized = 1, NewLocals = 2, TakesArgs = 4, TakesKwargs = 8, Nested = 16, IsGenerator = 32 };
    const FunctionTree& tree = *function.tree;
    int64_t counts[5] = {};
    Values names;
    const auto has = [&](const std::string& name) {
        return std::any_of(names.begin(), names.end(), [&](const Value& n) { return n.text() == name; });
    };
    for (const Kind kind :
         {Kind::PositionalOnly, Kind::Positional, Kind::KeywordOnly, Kind::Args, Kind::Kwargs})
        for (const FunctionTree::Parameter& parameter : tree.parameters)
            if (parameter.kind == kind) {
                names.push_back(makeText(parameter.name));
                ++counts[static_cast<size_t>(kind)];
            }
    for (const std::string& local : tree.locals)
        if (!has(local))
            names.push_back(makeText(local));
    const auto texts = [](const std::vector<std::string>& list) {
        Values out;
        for (const std::string& text : list)
            out.push_back(makeText(text));
        return makeTuple(std::move(out));
    };
    const auto count = [&](Kind kind) { return counts[static_cast<size_t>(kind)]; };
    const bool isNested = tree.qualifiedName.find("<locals>") != std::string::npos;
    DictObject out;
    out.set("co_name", makeText(tree.name));
    out.set("co_qualname", makeText(tree.qualifiedName));
    out.set("co_filename", makeText(function.file->path));
    out.set("co_firstlineno", makeInt(function.file->position(tree.begin).line));
    out.set("co_argcount", makeInt(count(Kind::PositionalOnly) + count(Kind::Positional)));
    out.set("co_posonlyargcount", makeInt(count(Kind::PositionalOnly)));
    out.set("co_kwonlyargcount", makeInt(count(Kind::KeywordOnly)));
    out.set("co_nlocals", makeInt(static_cast<int64_t>(names.size())));
    out.set("co_varnames", makeTuple(std::move(names)));
    out.set("co_cellvars", texts(tree.cells));
    out.set("co_freevars", texts(tree.freeNames));
    out.set("co_flags", makeInt(Optimized | NewLocals | (count(Kind::Args) > 0 ? TakesArgs : 0) |
                                (count(Kind::Kwargs) > 0 ? TakesKwargs : 0) | (isNested ? Nested : 0) |
                                (tree.isGenerator ? IsGenerator : 0)));
    return out;
}

} // namespace

Value codeOf(Evaluator& evaluator, const DefinedFunction& function) {
    const Value made = makeInstance(evaluator.type("code"));
    *made.as<InstanceObject>()->dict.as<DictObject>() = codeFields(function);
    return made;
}

void setDefaults(Evaluator& evaluator, DefinedFunction& function, bool areKeywords, const Value& value) {
    const auto& parameters = function.tree->parameters;
    const Values given = value.isNone() || areKeywords ? Values() : evaluator.items(value);
    size_t left = given.size();
    for (size_t i = parameters.size(); i > 0; --i) {
        const bool isKeyword = parameters[i - 1].kind == FunctionTree::Parameter::Kind::KeywordOnly;
        if (isKeyword != areKeywords)
            continue;
        std::optional<Value>& slot = function.defaults[i - 1];
        if (areKeywords) {
            auto* dict = value.as<DictObject>();
            const Value* found = dict ? dict->find(parameters[i - 1].name) : nullptr;
            slot = found ? std::optional(*found) : std::nullopt;
        } else {
            slot = left > 0 ? std::optional(given[--left]) : std::nullopt;
        }
    }
}

} // namespace fx
