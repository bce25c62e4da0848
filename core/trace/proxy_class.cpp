// SPDX-License-Identifier: GPL-3.0-or-later
// Proxy as a class of programs, which may derive from it: its methods are here to be called by name, by
// super() and by classes of theirs. What a proxy means is in tracing_host.cpp.
#include "core/python/arguments.h"
#include "core/python/attributes.h"
#include "core/python/classes.h"
#include "core/python/evaluator.h"
#include "core/trace/source_tracer.h"
#include "core/trace/tracing_host.h"

namespace fx {

namespace {

/// The operators that torch.fx gives Proxy: all but those of `in` and `is`.
bool hasProxyOperator(const OperatorRow& row) {
    return !row.method.empty() && row.op != Operator::In && row.op != Operator::NotIn;
}

/// A method is called by its class's name with any value as self.
void requireProxy(const char* method, const Values& args) {
    if (args.empty() || !asProxy(args[0]))
        raise("TypeError", std::string(method) + "() takes a Proxy first");
}

} // namespace

void TracingHost::initProxy(Evaluator& evaluator, const Value& self, const Value& node, Value tracer) {
    const NodeHandle& handle = requireNode(node);
    if (tracer.isNone())
        tracer = evaluator.call(classOfFx(evaluator, "torch.fx.proxy", "GraphAppendingTracer"),
                                {handle.graph->graphObject(evaluator)});
    Tracer& recorder = requireTracerOf(evaluator, tracer);
    if (&recorder.program() != handle.graph.get())
        raise("RuntimeError", "Node '" + handle.node().name + "' is not of the tracer's graph");
    ProxyObject* content = asProxy(self);
    if (!content)
        raise("TypeError", "Proxy.__init__() takes a Proxy, not a " + fx::typeName(self));
    *content = *recorder.proxyOf(handle.id).as<ProxyObject>();
    if (const auto* instance = self.as<InstanceObject>()) {
        instance->dict.as<DictObject>()->set("tracer", tracer);
        instance->dict.as<DictObject>()->set("node", node);
    }
}

Value TracingHost::recordOverridden(Evaluator& evaluator, const Value& function, Values args,
                                    NamedValues kwargs) {
    Values all = args;
    for (const auto& [name, value] : kwargs)
        all.push_back(value);
    const Use use(*this, {}, all);
    Tracer& tracer = requireTracer();
    if (function.as<FunctionObject>())
        return recordFunction(evaluator, function, std::move(args), std::move(kwargs));
    constexpr std::string_view kMethods = "torch.Tensor.";
    const auto* native = function.as<NativeObject>();
    if (native && native->name.starts_with(kMethods))
        return tracer.createProxy(Opcode::CallMethod, native->name.substr(kMethods.size()), args, kwargs);
    return tracer.createProxy(Opcode::CallFunction, tracer.program().target(evaluator, function), args,
                              kwargs);
}

void TracingHost::addProxyClass(Evaluator& evaluator) {
    for (const char* name : {"Proxy", "Attribute", "ParameterProxy"}) {
        ClassData& type = evaluator.types().add(name, std::string(name) == "Proxy" ? "object" : "Proxy");
        type.module = "torch.fx.proxy";
        evaluator.builtins().erase(name);
    }
    evaluator.builtins().set("_fx_proxy", evaluator.type("Proxy"));
    evaluator.builtins().set("_fx_attribute", evaluator.type("Attribute"));
    evaluator.builtins().set("_fx_parameter_proxy", evaluator.type("ParameterProxy"));

    ClassData& proxy = evaluator.classOf(evaluator.type("Proxy"));
    proxy.isFilledByInit = true;
    // Proxy(node, tracer=None)
    const auto init = [this](Evaluator& e, const Value& self, Values given, NamedValues& kwargs) {
        if (std::optional<Value> node = takeKeyword(kwargs, "node"))
            given.insert(given.begin(), std::move(*node));
        if (std::optional<Value> tracer = takeKeyword(kwargs, "tracer"))
            given.push_back(std::move(*tracer));
        refuseKeywords("Proxy", kwargs);
        requireArguments("Proxy", given, 1, 2);
        initProxy(e, self, given[0], given.size() > 1 ? given[1] : Value());
    };
    proxy.construct = [this, init](Evaluator& e, const Value& type, Values& args,
                                   NamedValues& kwargs) -> Value {
        const bool isDerived = !type.as<ClassObject>()->data->isBuiltin;
        const Value content = Object{ProxyObject{}};
        const Value made = isDerived ? makeInstance(type, content) : content;
        const Value* own = e.classOf(type).find("__init__");
        if (!own->as<DefinedObject>())
            init(e, made, args, kwargs);
        return made;
    };
    proxy.add("__init__", [init](Evaluator& e, Values& args, NamedValues& kwargs) -> Value {
        requireProxy("__init__", args);
        init(e, args[0], Values(args.begin() + 1, args.end()), kwargs);
        return {};
    });
    for (const OperatorRow& row : operatorRows()) {
        if (!hasProxyOperator(row))
            continue;
        const auto addOperator = [&](std::string_view name, bool isReflected) {
            proxy.add(std::string(name), [this, name, op = row.op, isReflected,
                                          count = row.isUnary() ? 1u : 2u](Evaluator& e, Values& args,
                                                                           NamedValues& kwargs) {
                refuseKeywords(std::string(name).c_str(), kwargs);
                requireArguments(std::string(name).c_str(), args, count, count);
                requireProxy(std::string(name).c_str(), args);
                if (!isReflected)
                    return operate(e, op, args, false);
                // The method itself is recorded, no matter what the other operand would do first.
                const Values operands{args[1], args[0]};
                const Use use(*this, {}, operands);
                return requireTracer().createProxy(Opcode::CallFunction,
                                                   "operator." + std::string(operatorName(op)), operands, {});
            });
        };
        addOperator(row.method, false);
        if (!row.reflected.empty() && !row.isComparison())
            addOperator(row.reflected, true);
    }
    const auto add = [&](const char* name, size_t count, NativeObject::Call call) {
        proxy.add(name,
                  [name, count, call = std::move(call)](Evaluator& e, Values& args, NamedValues& kwargs) {
                      refuseKeywords(name, kwargs);
                      requireArguments(name, args, count, count);
                      requireProxy(name, args);
                      return call(e, args, kwargs);
                  });
    };
    add("__getitem__", 2,
        [this](Evaluator& e, Values& args, NamedValues&) { return subscript(e, args[0], args[1]); });
    add("__getattr__", 2, [this](Evaluator& e, Values& args, NamedValues&) {
        const std::string& name = args[1].text();
        std::optional<Value> found = attribute(e, args[0], name);
        if (!found)
            raise("AttributeError",
                  '\'' + fx::typeName(args[0]) + "' object has no attribute '" + name + '\'');
        return std::move(*found);
    });
    add("__abs__", 1, [this](Evaluator&, Values& args, NamedValues&) {
        const Use use(*this, {&args[0]});
        return requireTracer().createProxy(Opcode::CallFunction, "operator.abs", args, {});
    });
    add("__iter__", 1, [this](Evaluator& e, Values& args, NamedValues&) { return iterator(e, args[0]); });
    add("__bool__", 1, [this](Evaluator& e, Values& args, NamedValues&) -> Value {
        return c10::IValue(isTrue(e, args[0]));
    });
    add("__len__", 1,
        [this](Evaluator& e, Values& args, NamedValues&) { return makeInt(length(e, args[0])); });
    add("__repr__", 1,
        [this](Evaluator&, Values& args, NamedValues&) { return makeText(proxyText(args[0])); });
    proxy.add("__call__", [this](Evaluator& e, Values& args, NamedValues& kwargs) {
        requireProxy("__call__", args);
        return call(e, args[0], Values(args.begin() + 1, args.end()), kwargs);
    });
    // (cls, function, types, args=None, kwargs=None)
    proxy.addClassMethod("__torch_function__", [this](Evaluator& e, Values& args, NamedValues& kwargs) {
        for (const char* name : {"args", "kwargs"})
            if (std::optional<Value> given = takeKeyword(kwargs, name)) {
                args.resize(std::max<size_t>(args.size(), name[0] == 'a' ? 4 : 5));
                args[name[0] == 'a' ? 3 : 4] = std::move(*given);
            }
        refuseKeywords("__torch_function__", kwargs);
        requireArguments("__torch_function__", args, 3, 5);
        NamedValues named;
        if (const auto* dict = args.size() > 4 ? plainOf(args[4]).as<DictObject>() : nullptr)
            for (const DictObject::Entry& entry : dict->entries())
                named.emplace_back(entry.key.text(), entry.value);
        const bool hasArgs = args.size() > 3 && !args[3].isNone();
        return recordOverridden(e, args[1], hasArgs ? e.items(args[3]) : Values(), std::move(named));
    });
}

} // namespace fx
