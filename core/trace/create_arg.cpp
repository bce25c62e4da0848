// SPDX-License-Identifier: GPL-3.0-or-later
// Values as arguments of nodes (torch.fx's create_arg): containers keep their shape, tensors become get_attr
// nodes, instances of named tuples and dataclasses become calls of their classes, and proxies are nodes.
#include "core/ir/torch_constants.h"
#include "core/python/types/support.h"
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

Value Tracer::proxyOf(NodeId node) const {
    if (!m_isHeldByProxies)
        return Object{ProxyObject{node, Value(), {}}};
    const auto self = std::const_pointer_cast<Tracer>(shared_from_this());
    return Object{ProxyObject{node, Object{HandleObject{nullptr, kTracerHandle, self}}, {}}};
}

NodeId Tracer::nodeOf(const Value& value) {
    ProxyObject* proxy = asProxy(value);
    if (!proxy->node && proxy->attribute.empty()) { // its class says which node it is
        const Value node = m_evaluator->attribute(value, "node");
        if (!nodeHandle(node))
            raise("TypeError", typeName(value) + " has no node: its __init__ does not call Proxy.__init__");
        proxy->node = requireNode(node).id;
    } else if (!proxy->node) {
        proxy->node =
            createNode(Opcode::CallFunction, "getattr", {nodeOf(proxy->owner), proxy->attribute}, {});
    }
    return proxy->node;
}

/// What torch.fx has no kind of argument for, though a graph can hold it: a scheme of quantization, and an
/// operator of torch.ops without its overload.
static void refuseForeign(const Value& value) {
    const auto* constant = value.as<Argument>();
    const auto* function = value.as<FunctionObject>();
    const bool isOperator = function && function->target.name().starts_with("torch.ops.") &&
                            std::ranges::count(function->target.name(), '.') == 3; // torch.ops.aten.add
    if (isOperator || (constant && isQScheme(*constant)))
        raise("NotImplementedError", std::string("argument of type: <class 'torch.") +
                                         (isOperator ? "_ops.OpOverloadPacket" : "qscheme") + "'>");
}

Argument Tracer::tensorArg(const Value& value) {
    const bool isTrained = isParameter(value);
    const std::string* path = registeredPath(value, isTrained ? kParameterTable : kBufferTable);
    if (isTrained && !path)
        raise("NameError", "parameter is not a member of this module");
    const std::string read = path ? *path : constantPath(value);
    const NodeId node = createNode(Opcode::GetAttr, read, {}, {});
    m_readTensors.emplace_back(read, value);
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
    if (data.find("__fx_create_arg__"))
        return createArg(m_evaluator->callMethod(value, "__fx_create_arg__", {this->instance()}));
    const Value& plain = plainOf(value);
    if (hasBase(data, "enum", "Enum"))
        return m_program->argument(*m_evaluator, value);
    const std::string target = data.module + '.' + data.name;
    const auto callOfClass = [&](Arguments args, Keywords kwargs) {
        m_program->learn(Target(target), type); // which may be of a function, where no name leads to
        return createNode(Opcode::CallFunction, target, std::move(args), std::move(kwargs));
    };
    if (const std::optional<Values> items = itemsOf(plain); items && data.find("_fields")) {
        Arguments args;
        for (const Value& item : *items)
            args.push_back(createArg(item));
        return callOfClass(std::move(args), {});
    }
    if (plain.as<DictObject>() || plain.as<SequenceObject>()) // dataclasses among them
        return createArg(plain);
    if (data.find("__dataclass_fields__")) { // of which fields() leaves out ClassVar and InitVar
        Keywords kwargs;
        const Value library = m_evaluator->modules().importModule("dataclasses");
        for (const Value& field : m_evaluator->items(m_evaluator->callMethod(library, "fields", {value}))) {
            const std::string name = m_evaluator->attribute(field, "name").text();
            kwargs.emplace_back(name, createArg(m_evaluator->attribute(value, name)));
        }
        return callOfClass({}, std::move(kwargs));
    }
    if (plain.object() != value.object() || plain.isData())
        if (!plain.isNone() && !plain.as<InstanceObject>())
            return createArg(plain);
    // One whose making was not seen stays as it is, which a graph that a program has can hold.
    const auto* metaclass = data.metaclass.as<ClassObject>();
    if (metaclass && hasBase(*metaclass->data, "torch.fx._symbolic_trace", "ProxyableClassMeta")) {
        if (m_isHeldByProxies)
            return createNode(Opcode::GetAttr, addConstant('_' + data.name + "_constant_", value), {}, {});
        raise("NotImplementedError",
              "not supported: a " + data.name +
                  " that no traced value went into, as an argument: a model holds tensors, modules and plain "
                  "values; take it as an input, or make it of an input");
    }
    raise("NotImplementedError", "argument of type: " + m_evaluator->repr(type));
}

Argument Tracer::createArg(const Value& value) {
    const RecursionGuard guard; // a list may hold itself
    if (asProxy(value)) {
        // Of proxies with tracers of their own, one may be of another graph.
        if (Tracer* own = ownTracer(value); own && own->m_program != m_program)
            return m_program->argument(*m_evaluator, own->program().node(*m_evaluator, own->nodeOf(value)));
        return nodeOf(value);
    }
    if (nodeHandle(value))
        return m_program->argument(*m_evaluator, value);
    if (plainOf(value).isTensor()) // which nothing but the node itself can hold where there is no root
        return m_isAppending && !m_root.as<InstanceObject>() ? m_program->argument(*m_evaluator, value)
                                                             : tensorArg(value);
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
    if (!m_readsGeneratedCode)
        refuseForeign(value);
    if (std::optional<Argument> plain = plainArgument(value))
        return std::move(*plain);
    if (value.as<BigIntObject>())
        return OpaqueValue{m_evaluator->repr(value)};
    if (m_evaluator)
        raise("NotImplementedError", "argument of type: " + m_evaluator->repr(m_evaluator->typeOf(value)));
    raise("NotImplementedError", "argument of type: " + typeName(value));
}

} // namespace fx
