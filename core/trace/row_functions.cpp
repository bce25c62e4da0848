// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/row_functions.h"

#include "core/fxpython/python_names.h"
#include "core/python/evaluator.h"
#include "core/python/tree.h"
#include "core/python/types/support.h"
#include "core/torch/host/function_table.h"

#include <utility>

namespace fx {

namespace {

/// The source of a lambda; what it refers to goes into the names.
std::string callOf(const FunctionRow& row, DictObject& names) {
    std::string parameters, arguments;
    bool areKeywords = false;
    for (size_t i = 0; i < row.parameters.size(); ++i) {
        const Parameter& parameter = row.parameters[i];
        const std::string name(parameter.name);
        const std::string star = parameter.kind == ParameterKind::VarPositional ? "*"
                                 : parameter.kind == ParameterKind::VarKeyword  ? "**"
                                                                                : "";
        if (parameter.kind == ParameterKind::KeywordOnly && !std::exchange(areKeywords, true))
            parameters += "*, ";
        areKeywords = areKeywords || star == "*";
        parameters += star + name;
        if (parameter.defaultValue) {
            const std::string byDefault = "_default" + std::to_string(i);
            parameters += '=' + byDefault;
            names.set(byDefault, makeValue(*parameter.defaultValue, nullptr));
        }
        parameters += ", ";
        const bool isNamed = parameter.kind == ParameterKind::KeywordOnly;
        arguments += (isNamed ? name + '=' : star) + name + ", ";
    }
    return "lambda " + parameters.substr(0, parameters.empty() ? 0 : parameters.size() - 2) + ": _function(" +
           arguments + ')';
}

std::string choiceOf(Evaluator& evaluator, const FunctionSwitch& choice, DictObject& names) {
    names.set("_name", makeText(std::string(choice.flag)));
    names.set("_place", makeInt(static_cast<int64_t>(choice.position)));
    names.set("_default", makeBool(choice.byDefault));
    names.set("_true", functionOf(evaluator, Target(choice.ifTrue)));
    names.set("_false", functionOf(evaluator, Target(choice.ifFalse)));
    return "lambda *args, **kwargs: (_true if (kwargs[_name] if _name in kwargs else args[_place] "
           "if len(args) > _place else _default) else _false)(*args, **kwargs)";
}

} // namespace

std::optional<Value> definedByRow(Evaluator& evaluator, const Value& function) {
    const auto* callee = function.as<FunctionObject>();
    const FunctionRow* row = callee ? findFunction(callee->target.name()) : nullptr;
    if (!row || (row->kind != FunctionKind::Python && row->kind != FunctionKind::Switch))
        return std::nullopt;
    const Value globals = makeGlobals("torch.nn.functional");
    DictObject& names = *globals.as<DictObject>();
    names.set("_function", function);
    const std::string source = row->choice ? choiceOf(evaluator, *row->choice, names) : callOf(*row, names);
    return evaluator.evaluate(parseExpressionSource(source, std::string(row->publicName)), globals);
}

} // namespace fx
