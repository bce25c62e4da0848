// SPDX-License-Identifier: GPL-3.0-or-later
// What a program does with tracers and proxies itself: it traces, and makes proxies of nodes.
#include "core/python/set_attributes.h"
#include "core/trace/source_tracer.h"
#include "core/trace/tracing_host.h"

namespace fx {

Tracer* recordingTracer(const Value& instance) {
    const auto* object = instance.as<InstanceObject>();
    const Value* field = object ? object->dict.as<DictObject>()->find(SourceTracer::kField) : nullptr;
    const auto* handle = field ? field->as<HandleObject>() : nullptr;
    return handle ? static_cast<Tracer*>(handle->content.get()) : nullptr;
}

Tracer& requireTracerOf(Evaluator& evaluator, const Value& instance) {
    Tracer* known = recordingTracer(instance);
    if (known && !known->isAppending())
        return *known;
    std::optional<Value> given = evaluator.findAttribute(instance, "graph");
    if (known && !given)
        return *known;
    // One that only names things of its root needs none.
    const Value graph = given ? *given : evaluator.call(classOfFx(evaluator, "torch.fx.graph", "Graph"), {});
    const std::shared_ptr<ProgramGraph>* program = graphHandle(graph);
    Value root = evaluator.findAttribute(instance, "root").value_or(Value());
    if (!isModuleInstance(root))
        root = Value();
    if (known && program && program->get() == &known->program() && root.isSame(known->root()))
        return *known;
    if (!program)
        raise("TypeError", "the graph of a tracer is a " + typeName(graph) + ", not a Graph");
    const auto made = std::make_shared<SourceTracer>(&evaluator, instance);
    made->appendTo(*program, root);
    made->remainWithInstance();
    TracingHost::of(evaluator)->meetOwnTracers();
    return *made;
}

Value Tracer::traceProgram(const Value& root, const Value& concrete, const Value& owner) {
    m_isHeldByProxies = true;
    TracingHost::of(*m_evaluator)->meetOwnTracers();
    {
        struct Forgetting { // also where it fails
            Tracer& tracer;
            ~Forgetting() { tracer.forgetProxies(); }
        } forgetting{*this};
        run(root, concrete);
    }
    m_isAppending = m_isActive = true; // what is done with its proxies from now on
    for (const auto& [name, value] : m_constants)
        setAttribute(*m_evaluator, owner, name, value);
    return m_program->graphObject(*m_evaluator);
}

void Tracer::forgetProxies() {
    m_parameterProxies.clear();
    m_undecided = Value();
}

void Tracer::appendTo(std::shared_ptr<ProgramGraph> program, const Value& root) {
    m_program = std::move(program);
    m_isAppending = m_isActive = m_isHeldByProxies = true;
    setRoot(root);
}

void TracingHost::addWrappedMethods(Evaluator& evaluator, WrappedFunctions& wrapped) {
    const std::optional<Value> module = evaluator.modules().known("torch.fx._symbolic_trace");
    if (!module)
        return;
    for (const Value& pair : evaluator.items(evaluator.attribute(*module, "_wrapped_methods_to_patch"))) {
        const Values parts = evaluator.items(pair);
        if (parts.size() != 2 || !parts[0].as<ClassObject>() || !parts[1].isString())
            raise("TypeError",
                  "_wrapped_methods_to_patch holds pairs of a class and a name, not " + evaluator.repr(pair));
        wrapped.addMethod(parts[0], parts[1].text());
    }
}

void TracingHost::addTracingFunctions(Evaluator& evaluator) {
    const auto add = [&](const char* name, NativeObject::Call call) {
        evaluator.builtins().set(name, makeNative(name, std::move(call)));
    };
    // (tracer, root, concrete_args): the Graph
    add("_fx_trace", [](Evaluator& e, Values& args, NamedValues&) -> Value {
        requireArguments("_fx_trace", args, 3, 3);
        const Value instance = args[0];
        const auto tracer = std::make_shared<SourceTracer>(&e, instance);
        tracer->setOptions({});
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
