// SPDX-License-Identifier: GPL-3.0-or-later
// Functions of torch.nn.functional and their like, which are Python in PyTorch and so have code in the
// archive: they are recorded by their names, as torch.fx records them, and not entered.
#include "core/base/error.h"
#include "core/trace/script/script_calls.h"
#include "core/trace/script/script_values.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

const FunctionRow* rowOf(const std::string& qualified) {
    if (!qualified.starts_with("torch."))
        return nullptr;
    const FunctionRow* row = findFunction(qualified);
    if (!row && qualified.starts_with("torch.functional."))
        row = findFunction("torch." + qualified.substr(17));
    return row;
}

bool isSizeList(const Value& value) {
    const auto* list = value.as<SequenceObject>();
    return list && list->isList &&
           std::all_of(list->items.begin(), list->items.end(), [](const Value& v) { return v.isInt(); });
}

/// TorchScript turns `2` into [2, 2] where a list of sizes is wanted.
Value asWritten(const Value& value, const std::string& parameter, const WrittenCall::Argument* written) {
    static constexpr std::string_view kSizes[] = {"kernel_size", "stride",         "padding",     "dilation",
                                                  "output_size", "output_padding", "scale_factor"};
    if (!isSizeList(value))
        return value;
    const Values& items = value.as<SequenceObject>()->items;
    if (written && written->isBracketed())
        return written->text.starts_with('(') ? makeTuple(items) : value;
    const bool isSize = std::find(std::begin(kSizes), std::end(kSizes), parameter) != std::end(kSizes);
    const bool areEqual =
        isSize && !items.empty() && std::all_of(items.begin(), items.end(), [&](const Value& v) {
            return v.data().toInt() == items[0].data().toInt();
        });
    return areEqual ? items[0] : makeTuple(items);
}

} // namespace

std::optional<Value> recordFunction(ScriptState& state, const torch::jit::Node& node,
                                    const torch::jit::Function& function, const Values& args) {
    const FunctionRow* row = rowOf(demangled(function.qualname().qualifiedName()));
    if (!row)
        return std::nullopt;
    const auto& parameters = function.getSchema().arguments();
    const std::optional<WrittenCall> call = writtenCall(state.tracer.placeOfNode(node).text);
    ValuesByName byName;
    for (size_t i = 0; i < args.size() && i < parameters.size(); ++i) {
        const WrittenCall::Argument* written = nullptr;
        size_t position = 0;
        if (call && !call->hasStar())
            for (const WrittenCall::Argument& argument : call->arguments)
                if (argument.keyword.empty() ? position++ == i : argument.keyword == parameters[i].name())
                    written = &argument;
        byName[parameters[i].name()] = asWritten(args[i], parameters[i].name(), written);
    }
    while (row && row->kind == FunctionKind::Switch) {
        const auto flag = byName.find(row->choice->flag);
        const bool isSet = flag != byName.end() && flag->second.isBool() ? flag->second.data().toBool()
                                                                         : row->choice->byDefault;
        row = findFunction(isSet ? row->choice->ifTrue : row->choice->ifFalse);
    }
    if (!row || row->kind != FunctionKind::Python)
        return std::nullopt;
    const auto isTraced = [&](const Value& value) {
        return !state.knowledge.isKnown(value) && !value.as<InstanceObject>();
    };
    const bool isRecorded =
        std::any_of(row->checks.begin(), row->checks.end(), [&](const CheckedParameter& check) {
            const auto given = byName.find(row->parameters[check.parameter].name);
            return given != byName.end() && isTraced(given->second);
        });
    if (!isRecorded)
        return std::nullopt;
    for (const Parameter& parameter : row->parameters) {
        const auto given = byName.find(parameter.name);
        const auto* list = given != byName.end() ? given->second.as<SequenceObject>() : nullptr;
        if (list && list->items.empty() && parameter.defaultValue && parameter.defaultValue->isNone())
            given->second = Value();
    }
    return recordRow(state.tracer, *row, byName);
}

} // namespace fx
