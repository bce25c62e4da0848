// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fxpython/schema_functions.h"

#include "core/fxpython/python_names.h"
#include "core/python/types/support.h"
#include "core/torch/bind/operators.h"
#include "core/torch/host/function_table.h"

#include <torch/csrc/jit/runtime/operator.h>

#include <sstream>

namespace fx {

namespace {

/// A default of a schema, where int stands for dtypes, layouts and memory formats, as in PyTorch.
Value defaultOf(const c10::IValue& value) {
    if (!value.isList())
        return value;
    Values items;
    for (const c10::IValue& item : value.toListRef())
        items.push_back(defaultOf(item));
    return makeList(std::move(items));
}

/// (annotation, text, kind)
Value schemaType(const c10::Type& type) {
    return makeTuple({makeText(type.annotation_str()), makeText(type.str()),
                      makeText(c10::typeKindToString(type.kind()))});
}

/// The names of a set of aliases: "a", and "*" for any.
Value aliasNames(const std::unordered_set<c10::Symbol>& names) {
    Values out;
    for (const c10::Symbol& name : names)
        out.push_back(makeText(name.toUnqualString()));
    return makeList(std::move(out));
}

/// (name, type, real type, has a default, default, by keyword alone, length of a list, alias), where the last
/// two may be None, and an alias is (is written, names before, names after).
Value schemaValue(const c10::Argument& argument) {
    const c10::AliasInfo* alias = argument.alias_info();
    return makeTuple({makeText(argument.name()), schemaType(*argument.type()),
                      schemaType(*argument.real_type()), makeBool(argument.default_value().has_value()),
                      argument.default_value() ? defaultOf(*argument.default_value()) : Value(),
                      makeBool(argument.kwarg_only()), argument.N() ? makeInt(*argument.N()) : Value(),
                      alias ? makeTuple({makeBool(alias->isWrite()), aliasNames(alias->beforeSets()),
                                         aliasNames(alias->afterSets())})
                            : Value()});
}

Value schemaValue(const std::vector<c10::Argument>& arguments) {
    Values out;
    for (const c10::Argument& argument : arguments)
        out.push_back(schemaValue(argument));
    return makeTuple(std::move(out));
}

/// (name, overload, text, is mutable, arguments, returns)
Value schemaValue(const c10::FunctionSchema& schema) {
    std::ostringstream text;
    text << schema;
    return makeTuple({makeText(schema.name()), makeText(schema.overload_name()), makeText(text.str()),
                      makeBool(schema.is_mutable()), schemaValue(schema.arguments()),
                      schemaValue(schema.returns())});
}

/// The name of an operator or of a packet of them, "torch.ops.aten.add.Tensor"; empty for anything else.
std::string operatorName(const Value& value) {
    const auto* function = value.as<FunctionObject>();
    return function && function->target.name().starts_with("torch.ops.") ? function->target.name() : "";
}

/// Of an operator its schema, of a packet all of its overloads'; None for what is neither.
Value schemasOfOperator(Evaluator&, Values& args) {
    const std::string name = operatorName(args[0]);
    if (name.empty())
        return {};
    Values out;
    if (const TorchOperator* op = findOperator(Target(name)))
        return makeList({schemaValue(*op->schema)});
    for (const TorchOperator* op : findOverloads(packetOf(name)))
        out.push_back(schemaValue(*op->schema));
    return out.empty() ? Value() : makeList(std::move(out));
}

/// "aten::add": in the order in which TorchScript has them.
Value schemasNamed(Evaluator&, Values& args) {
    Values out;
    for (const auto& op :
         torch::jit::getAllOperatorsFor(c10::Symbol::fromQualString(textArgument("schemas_named", args[0]))))
        out.push_back(schemaValue(op->schema()));
    return makeList(std::move(out));
}

const FunctionRow* rowOf(const Value& value) {
    constexpr std::string_view kMethods = "torch.Tensor.";
    const auto* function = value.as<FunctionObject>();
    if (!function || !operatorName(value).empty())
        return nullptr;
    const std::string& name = function->target.name();
    const FunctionRow* row =
        name.starts_with(kMethods) ? findTensorMember(name.substr(kMethods.size())) : findFunction(name);
    if (row && row->kind == FunctionKind::Switch && row->choice)
        row = findFunction(row->choice->ifTrue);
    return row;
}

/// (name, kind as inspect counts them, has a default, default) of each parameter of a function of torch that
/// is Python in PyTorch; None for any other function.
Value pythonParameters(Evaluator&, Values& args) {
    const FunctionRow* row = rowOf(args[0]);
    if (!row || row->parameters.empty() ||
        (row->kind != FunctionKind::Python && row->kind != FunctionKind::Body))
        return {}; // without parameters are the functions in C that are about PyTorch's own state
    Values out;
    for (const Parameter& parameter : row->parameters)
        out.push_back(
            makeTuple({makeText(std::string(parameter.name)), makeInt(int64_t(parameter.kind)),
                       makeBool(parameter.defaultValue.has_value()),
                       parameter.defaultValue ? makeValue(*parameter.defaultValue, nullptr) : Value()}));
    return makeList(std::move(out));
}

} // namespace

void addSchemaFunctions(NativeModule& module) {
    module.add("schemas_of_operator", 1, 1, schemasOfOperator);
    module.add("schemas_named", 1, 1, schemasNamed);
    module.add("python_parameters", 1, 1, pythonParameters);
    module.add("is_overload", 1, 1, [](Evaluator&, Values& args) {
        const auto* function = args[0].as<FunctionObject>();
        return makeBool(function && function->target.isOperatorOverload());
    });
}

} // namespace fx
