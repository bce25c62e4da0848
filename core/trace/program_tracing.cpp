// SPDX-License-Identifier: GPL-3.0-or-later
// What a program does with tracers and proxies itself: it traces, and makes proxies of nodes.
#include "core/python/set_attributes.h"
#include "core/trace/source_tracer.h"
#include "core/trace/tracing_host.h"

namespace fx {

namespace {

/// Where an instance of torch.fx's TracerBase has the tracer that records for it.
const char* const kTracerField = "_fx_tracer";

Value handleOf(std::shared_ptr<Tracer> tracer) {
    return Object{HandleObject{nullptr, kTracerHandle, std::move(tracer)}};
}

Tracer* tracerOf(const Value& instance) {
    const auto* object = instance.as<InstanceObject>();
    const Value* field = object ? object->dict.as<DictObject>()->find(kTracerField) : nullptr;
    const auto* handle = field ? field->as<HandleObject>() : nullptr;
    return handle ? static_cast<Tracer*>(handle->content.get()) : nullptr;
}

/// The tracer that records what is done with proxies of `instance`: the one that is at work for it, else one
/// at the end of its graph.
Tracer& requireTracerOf(Evaluator& evaluator, const Value& instance) {
    if (Tracer* known = tracerOf(instance))
        return *known;
    const Value graph = evaluator.attribute(instance, "graph");
    const std::shared_ptr<ProgramGraph>* program = graphHandle(graph);
    if (!program)
        raise("TypeError", "the graph of a tracer is a " + typeName(graph) + ", not a Graph");
    const std::optional<Value> root = evaluator.findAttribute(instance, "root");
    const auto made = std::make_shared<SourceTracer>(&evaluator, instance);
    made->appendTo(*program, root && isModuleInstance(*root) ? *root : Value());
    instance.as<InstanceObject>()->dict.as<DictObject>()->set(kTracerField, handleOf(made));
    return *made;
}

} // namespace

Value Tracer::traceProgram(const Value& root, const Value& concrete, const Value& owner) {
    run(root, concrete);
    for (const auto& [name, value] : m_constants)
        setAttribute(*m_evaluator, owner, name, value);
    return m_program->graphObject(*m_evaluator);
}

void Tracer::appendTo(std::shared_ptr<ProgramGraph> program, const Value& root) {
    m_program = std::move(program);
    m_isAppending = m_isActive = true;
    setRoot(root);
}

void TracingHost::addProxyClass(Evaluator& evaluator) {
    for (const char* name : {"Proxy", "Attribute", "ParameterProxy"}) {
        ClassData& type = evaluator.types().add(name, std::string(name) == "Proxy" ? "object" : "Proxy");
        type.module = "torch.fx.proxy";
        evaluator.builtins().erase(name);
    }
    const auto add = [&](const char* name, NativeObject::Call call) {
        evaluator.builtins().set(name, makeNative(name, std::move(call)));
    };
    evaluator.builtins().set("_fx_proxy", evaluator.type("Proxy"));
    evaluator.builtins().set("_fx_attribute", evaluator.type("Attribute"));
    evaluator.builtins().set("_fx_parameter_proxy", evaluator.type("ParameterProxy"));
    // Proxy(node, tracer=None)
    evaluator.classOf(evaluator.type("Proxy")).construct =
        [this](Evaluator& e, const Value& type, Values& args, NamedValues& kwargs) -> Value {
        if (!type.as<ClassObject>()->data->isBuiltin)
            raise("NotImplementedError", "not supported: a class of its own for proxies");
        if (std::optional<Value> node = takeKeyword(kwargs, "node"))
            args.insert(args.begin(), std::move(*node));
        if (std::optional<Value> tracer = takeKeyword(kwargs, "tracer"))
            args.push_back(std::move(*tracer));
        refuseKeywords("Proxy", kwargs);
        requireArguments("Proxy", args, 1, 2);
        const NodeHandle& node = requireNode(args[0]);
        Value tracer = args.size() > 1 ? args[1] : Value();
        if (tracer.isNone())
            tracer =
                e.call(classOfFx(e, "torch.fx.proxy", "GraphAppendingTracer"), {node.graph->graphObject(e)});
        Tracer& recorder = requireTracerOf(e, tracer);
        m_hasOwnTracers = m_hasOwnTracers || recorder.isAppending();
        if (&recorder.program() != node.graph.get())
            raise("RuntimeError", "Node '" + node.node().name + "' is not of the tracer's graph");
        return recorder.proxyOf(node.id);
    };
    // (tracer, root, concrete_args): the Graph
    add("_fx_trace", [](Evaluator& e, Values& args, NamedValues&) -> Value {
        requireArguments("_fx_trace", args, 3, 3);
        const Value instance = args[0];
        const auto tracer = std::make_shared<SourceTracer>(&e, instance);
        tracer->setOptions({});
        DictObject& fields = *instance.as<InstanceObject>()->dict.as<DictObject>();
        // Not held: it ends with this call.
        fields.set(kTracerField, handleOf(std::shared_ptr<Tracer>(std::shared_ptr<Tracer>(), tracer.get())));
        struct Forget {
            DictObject& fields;
            ~Forget() { fields.erase(std::string_view(kTracerField)); }
        } forget{fields};
        return tracer->traceProgram(args[1], args[2], e.attribute(instance, "root"));
    });
    // A tracer's own doing, by the names of its natives: for one whose graph the program has.
    add("_fx_natives_of", [](Evaluator& e, Values& args, NamedValues&) -> Value {
        requireArguments("_fx_natives_of", args, 1, 1);
        requireTracerOf(e, args[0]);
        return args[0].as<InstanceObject>()->dict;
    });
    add("_fx_is_tracing", [this](Evaluator&, Values&, NamedValues&) -> Value {
        return c10::IValue(m_tracer && !m_tracer->isAppending());
    });
}

} // namespace fx
