// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fxpython/python_names.h"

#include "core/base/text.h"
#include "core/python/types/support.h"
#include "core/torch/host/function_table.h"

namespace fx {

std::string targetOfFunction(Evaluator& evaluator, const Value& function, const std::string& name) {
    if (const auto* native = function.as<NativeObject>())
        return native->name;
    if (const auto* known = function.as<FunctionObject>()) {
        const FunctionRow* row = findFunction(known->target.name());
        return row && row->target ? row->target.name() : known->target.name();
    }
    if (const auto* type = function.as<ClassObject>())
        return type->data->module == "builtins" ? type->data->name
                                                : type->data->module + '.' + type->data->name;
    if (const auto* defined = function.as<DefinedObject>())
        return defined->function->module + '.' + defined->function->name;
    const std::optional<Value> module = evaluator.findAttribute(function, "__module__");
    return (module && module->isString() ? module->text() + '.' : std::string()) + name;
}

Value functionOf(Evaluator& evaluator, Target target) {
    const std::string& name = target.name();
    const size_t dot = name.rfind('.');
    if (dot == std::string::npos)
        if (const Value* builtin = evaluator.builtins().find(name))
            return *builtin;
    return evaluator.attribute(evaluator.modules().importModule(name.substr(0, dot)), name.substr(dot + 1));
}

std::optional<std::string> textOrNone(const Value& value) {
    return value.isString() ? std::optional(value.text()) : std::nullopt;
}

std::optional<Argument> plainArgument(const Value& value) {
    if (value.isNone())
        return Argument(NoneValue());
    if (value.isBool())
        return Argument(value.data().toBool());
    if (value.isInt())
        return Argument(value.data().toInt());
    if (value.isDouble())
        return Argument(value.data().toDouble());
    if (value.isString())
        return Argument(value.text());
    if (value.isData() && value.data().isComplexDouble())
        return Argument(std::complex<double>(value.data().toComplexDouble()));
    if (value.isData() && value.data().isDevice())
        return Argument(value.data().toDevice());
    if (const auto* leaf = value.as<Argument>())
        return leaf->as<OpaqueValue>() ? std::nullopt : std::optional(*leaf);
    if (const auto* function = value.as<FunctionObject>();
        function && function->target.name().starts_with("torch.ops."))
        return Argument(FunctionValue{function->target});
    if (const auto* range = value.as<RangeObject>())
        return Argument(RangeValue{range->start, range->stop, range->step});
    const RecursionGuard guard; // a container may hold itself
    if (const auto* slice = value.as<SliceObject>()) {
        SliceValue out;
        for (const Value* part : {&slice->start, &slice->stop, &slice->step}) {
            std::optional<Argument> argument = plainArgument(*part);
            if (!argument)
                return std::nullopt;
            out.parts.push_back(std::move(*argument));
        }
        return Argument(std::move(out));
    }
    if (const auto* dict = plainOf(value).as<DictObject>()) {
        DictValue out;
        for (const DictObject::Entry& entry : dict->entries()) {
            std::optional<Argument> key = plainArgument(entry.key), item = plainArgument(entry.value);
            if (!key || !item)
                return std::nullopt;
            out.items.emplace_back(std::move(*key), std::move(*item));
        }
        return Argument(std::move(out));
    }
    const auto* sequence = plainOf(value).as<SequenceObject>();
    const std::optional<Values> others = sequence ? std::nullopt : itemsOf(value);
    if (!sequence && !others)
        return std::nullopt;
    const Values& items = sequence ? sequence->items : *others;
    Arguments list;
    list.reserve(items.size());
    for (const Value& item : items) {
        std::optional<Argument> argument = plainArgument(item);
        if (!argument)
            return std::nullopt;
        list.push_back(std::move(*argument));
    }
    if (sequence && sequence->isList)
        return Argument(ListValue{std::move(list)});
    return Argument(TupleValue{std::move(list)});
}

std::optional<std::string> annotationText(Evaluator& evaluator, const Value& annotation) {
    if (annotation.isNone())
        return std::nullopt;
    const auto* leaf = annotation.as<Argument>();
    if (leaf && leaf->as<EllipsisValue>())
        return "...";
    if (const auto* type = annotation.as<ClassObject>())
        return type->data->module == "builtins" ? type->data->qualifiedName
                                                : type->data->module + '.' + type->data->qualifiedName;
    if (const auto* function = annotation.as<DefinedObject>())
        return function->function->name;
    const auto* instance = annotation.as<InstanceObject>();
    const ClassData* type = instance ? instance->type.as<ClassObject>()->data.get() : nullptr;
    if (!type || type->module != "torch.fx.tensor_type")
        return evaluator.repr(annotation);
    // A TensorType and its Dyn: generated code says them so that they can be read back.
    std::string text = type->module + '.' + type->qualifiedName;
    if (const std::optional<Value> sizes = evaluator.findAttribute(annotation, "__args__")) {
        std::vector<std::string> parts;
        for (const Value& size : evaluator.items(*sizes))
            parts.push_back(annotationText(evaluator, size).value_or("None"));
        text += '[' + join(parts, ", ") + ']';
    }
    return text;
}

} // namespace fx
