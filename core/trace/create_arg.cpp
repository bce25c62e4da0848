// SPDX-License-Identifier: GPL-3.0-or-later
// Values as arguments of nodes (torch.fx's create_arg): containers keep their shape, tensors become get_attr
// nodes, instances of named tuples and dataclasses become calls of their classes.
#include "core/torch/host/nn_modules.h"
#include "core/torch/values/script_objects.h"
#include "core/trace/trace_arguments.h"
#include "core/trace/tracer.h"
#include "core/trace/tracing_host.h"

#include <ATen/ATen.h>

namespace fx {

namespace {

bool hasBase(const ClassData& data, std::string_view module, std::string_view name) {
    const auto is = [&](const ClassData& candidate) {
        return candidate.name == name && candidate.module == module;
    };
    return is(data) || std::any_of(data.mro.begin(), data.mro.end(),
                                   [&](const Value& type) { return is(*type.as<ClassObject>()->data); });
}

} // namespace

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

Argument Tracer::tensorArg(const Value& value) {
    const bool isTrained = isParameter(value);
    const std::string* path = registeredPath(value, isTrained ? kParameterTable : kBufferTable);
    if (isTrained && !path)
        raise("NameError", "parameter is not a member of this module");
    const NodeId node = createNode(Opcode::GetAttr, path ? *path : constantPath(value), {}, {});
    recorded(node, value);
    return node;
}

Argument Tracer::instanceArg(const Value& value) {
    const auto* instance = value.as<InstanceObject>();
    const Value type = instance->type;
    const ClassData& data = *type.as<ClassObject>()->data;
    if (isModuleInstance(value)) {
        const auto found = m_modulePaths.find(value.object().get());
        if (found != m_modulePaths.end())
            return createNode(Opcode::GetAttr, found->second, {}, {});
    }
    if (const Value* hook = data.find("__fx_create_arg__")) {
        (void)hook;
        return createArg(m_evaluator->callMethod(value, "__fx_create_arg__", {Value()}));
    }
    const Value& plain = plainOf(value);
    const std::string target = data.module + '.' + data.name;
    if (const std::optional<Values> items = itemsOf(plain); items && data.find("_fields")) {
        Arguments args;
        for (const Value& item : *items)
            args.push_back(createArg(item));
        return createNode(Opcode::CallFunction, target, std::move(args), {});
    }
    if (hasBase(data, "enum", "Enum")) {
        const Value name = m_evaluator->attribute(value, "name");
        const std::string member = name.isString() ? name.text() : m_evaluator->str(name);
        const std::string text = m_evaluator->str(value);
        return EnumValue{target, member, text == data.name + '.' + member ? std::string() : text};
    }
    if (plain.as<DictObject>() || plain.as<SequenceObject>()) // dataclasses among them
        return createArg(plain);
    if (const Value* fields = data.find("__dataclass_fields__")) {
        Keywords kwargs;
        for (const Value& name : m_evaluator->items(Value(*fields)))
            kwargs.emplace_back(name.text(), createArg(m_evaluator->attribute(value, name.text())));
        return createNode(Opcode::CallFunction, target, {}, std::move(kwargs));
    }
    if (plain.object() != value.object() || plain.isData())
        if (!plain.isNone() && !plain.as<InstanceObject>())
            return createArg(plain);
    raise("NotImplementedError", "argument of type: " + m_evaluator->repr(type));
}

Argument Tracer::createArg(const Value& value) {
    if (value.as<ProxyObject>())
        return nodeOf(value);
    if (plainOf(value).isTensor())
        return tensorArg(value);
    if (isScriptObject(value))
        return createNode(Opcode::GetAttr, constantPath(value), {}, {});
    if (value.as<InstanceObject>())
        return instanceArg(value);
    if (const auto* sequence = value.as<SequenceObject>()) {
        Arguments items;
        items.reserve(sequence->items.size());
        for (const Value& item : sequence->items)
            items.push_back(createArg(item));
        if (sequence->isList)
            return ListValue{std::move(items)};
        return TupleValue{std::move(items)};
    }
    if (const auto* dict = value.as<DictObject>()) {
        DictValue out;
        for (const DictObject::Entry& entry : dict->entries()) {
            Argument key = entry.key.isString() ? Argument(entry.key.text()) : createArg(entry.key);
            NodeId first;
            forEachNode(key, [&](NodeId node) { first = first ? first : node; });
            if (first)
                raise("RuntimeError",
                      "Keys for dictionaries used as an argument cannot contain a Node. Got key: " +
                          graph().node(first).name);
            out.items.emplace_back(std::move(key), createArg(entry.value));
        }
        return out;
    }
    if (const auto* slice = value.as<SliceObject>()) {
        SliceValue out;
        out.parts.push_back(createArg(slice->start));
        out.parts.push_back(createArg(slice->stop));
        out.parts.push_back(createArg(slice->step));
        return out;
    }
    if (std::optional<Argument> plain = plainArgument(value))
        return std::move(*plain);
    if (value.as<BigIntObject>())
        return OpaqueValue{m_evaluator->repr(value)};
    if (m_evaluator)
        raise("NotImplementedError", "argument of type: " + m_evaluator->repr(m_evaluator->typeOf(value)));
    raise("NotImplementedError", "argument of type: " + typeName(value));
}

} // namespace fx
