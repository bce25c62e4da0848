// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/source_tracer.h"

#include "core/python/evaluator.h"
#include "core/python/types/support.h"
#include "core/trace/trace_arguments.h"

#include <algorithm>

namespace fx {

namespace {

/// Where what a Tracer does by itself is written.
const char* const kHomes[] = {"torch.fx._symbolic_trace", "torch.fx.proxy"};

NamedValues namedValues(const Value& dict) {
    NamedValues out;
    for (const DictObject::Entry& entry : plainOf(dict).as<DictObject>()->entries())
        out.emplace_back(entry.key.text(), entry.value);
    return out;
}

Value nameValue(std::optional<std::string_view> name) {
    return name ? makeText(std::string(*name)) : Value();
}

Value dictOf(const NamedValues& named) {
    DictObject out;
    for (const auto& [name, value] : named)
        out.set(name, value);
    return Object{std::move(out)};
}

} // namespace

SourceTracer::SourceTracer(Evaluator* evaluator, const Value& instance)
    : Tracer(evaluator), m_instance(instance) {
    if (m_instance.isNone())
        return;
    m_ownsLeaves = overrides("is_leaf_module");
    m_ownsPaths = overrides("path_of_module");
    m_ownsCalls = overrides("call_module");
    m_ownsArguments = overrides("create_arg");
    m_ownsProxies = overrides("create_proxy");
    m_ownsTruth = overrides("to_bool");
    m_ownsIteration = overrides("iter");
    m_ownsKeys = overrides("keys");
    m_ownsNodes = overrides("create_node");
    m_ownsProxyClass = overrides("proxy");
    m_ownsAttributes = overrides("getattr");
    m_ownsRoot = overrides("create_args_for_root");
    m_ownsNames = overrides("get_fresh_qualname");
    m_instance.as<InstanceObject>()->dict.as<DictObject>()->erase(std::string_view(kField));
    setNatives();
    if (!evaluator->findAttribute(m_instance, "_autowrap_functions"))
        return; // one that appends to a graph
    const Value functions = evaluator->attribute(m_instance, "_autowrap_functions");
    for (const Value& function : evaluator->items(functions))
        wrapped().addEverywhere(function);
    const Value modules = evaluator->attribute(m_instance, "_autowrap_modules");
    for (const Value& module : evaluator->items(modules))
        if (const auto* source = module.as<SourceModuleObject>())
            wrapped().addModule(source->dict);
}

void SourceTracer::setNatives() {
    setNative("_fx_path_of_module", [this](Evaluator&, Values& args, NamedValues&) {
        return makeText(Tracer::pathOfModule(args.at(0)));
    });
    // (module, forward, args, kwargs)
    setNative("_fx_call_module", [this](Evaluator& e, Values& args, NamedValues&) {
        const Value forward = args.at(1);
        return Tracer::callModule(
            args.at(0),
            [&](Values values, NamedValues named) {
                return e.call(forward, std::move(values), std::move(named));
            },
            e.items(args.at(2)), namedValues(args.at(3)));
    });
    // (kind, target, args, kwargs, name, type)
    setNative("_fx_create_proxy", [this](Evaluator& e, Values& args, NamedValues&) {
        return asOwnProxy(Tracer::createProxy(opcodeOf(e, args.at(0)), targetOf(e, args.at(1)),
                                              e.items(args.at(2)), namedValues(args.at(3)),
                                              textOrNone(args.at(4)), program().typeText(e, args.at(5))));
    });
    // The same, with nodes among the arguments.
    setNative("_fx_create_node", [this](Evaluator& e, Values& args, NamedValues&) {
        const std::optional<std::string> name = textOrNone(args.at(4));
        const NodeId node = Tracer::createNode(
            opcodeOf(e, args.at(0)), targetOf(e, args.at(1)), program().arguments(e, args.at(2)),
            program().keywords(e, args.at(3)), name, program().typeText(e, args.at(5)));
        return program().node(e, node);
    });
    setNative("_fx_create_arg", [this](Evaluator& e, Values& args, NamedValues&) {
        return program().value(e, Tracer::createArg(args.at(0)));
    });
    // (name, value)
    setNative("_fx_getattr", [this](Evaluator&, Values& args, NamedValues&) {
        return Tracer::moduleAttribute(Value(), args.at(0).text(), args.at(1));
    });
    setNative("_fx_to_bool", [this](Evaluator&, Values& args, NamedValues&) -> Value {
        return c10::IValue(Tracer::toBool(args.at(0)));
    });
    setNative("_fx_iter",
              [this](Evaluator&, Values& args, NamedValues&) { return Tracer::iter(args.at(0)); });
    setNative("_fx_fresh_name", [this](Evaluator&, Values& args, NamedValues&) {
        return makeText(Tracer::freshName(args.at(0).text()));
    });
    // (root_fn, is_module, concrete_args): what is to be called, and with what
    setNative("_fx_create_args_for_root", [this](Evaluator& e, Values& args, NamedValues&) {
        if (!m_arguments)
            raise("RuntimeError", "create_args_for_root() is for trace() to call");
        const Value function = args.at(0);
        Values given = m_arguments->create(
            function, e.isTrue(args.at(1)) ? std::optional(root()) : std::nullopt, args.at(2));
        const Value called =
            makeNative("root_fn", [this, function](Evaluator&, Values& values, NamedValues&) {
                return callRoot(*m_arguments, function, values);
            });
        return makeTuple({called, makeList(std::move(given))});
    });
}

SourceTracer::~SourceTracer() {
    if (const auto* instance = m_instance.as<InstanceObject>()) {
        // The instance may have traced again since.
        DictObject& fields = *instance->dict.as<DictObject>();
        for (const auto& [name, own] : m_natives)
            if (const Value* known = fields.find(std::string_view(name)); known && known->isSame(own))
                fields.erase(std::string_view(name));
        if (recordingTracer(m_instance) == this)
            fields.erase(std::string_view(kField));
    }
}

void SourceTracer::setField(std::shared_ptr<Tracer> tracer) {
    m_instance.as<InstanceObject>()->dict.as<DictObject>()->set(
        kField, Object{HandleObject{nullptr, kTracerHandle, std::move(tracer)}});
}

void SourceTracer::remainWithInstance() {
    setField(shared_from_this());
}

void SourceTracer::setNative(const char* name, NativeObject::Call call) {
    Value native = makeNative(name, std::move(call));
    m_instance.as<InstanceObject>()->dict.as<DictObject>()->set(name, native);
    m_natives.emplace_back(name, std::move(native));
}

bool SourceTracer::overrides(const char* method) const {
    const Value* found = evaluator()->classOf(evaluator()->typeOf(m_instance)).find(method);
    const auto* defined = found ? found->as<DefinedObject>() : nullptr;
    return found && !(defined && std::ranges::count(kHomes, defined->function->module) > 0);
}

Value SourceTracer::callTraced(TraceArguments& arguments, const Value& function, bool isModule,
                               const Value& concrete) {
    if (!m_ownsRoot)
        return Tracer::callTraced(arguments, function, isModule, concrete);
    m_arguments = &arguments;
    const Values made = evaluator()->items(evaluator()->callMethod(m_instance, "create_args_for_root",
                                                                   {function, makeBool(isModule), concrete}));
    if (made.size() != 2)
        raise("ValueError", "create_args_for_root() gives a function and its arguments");
    wrapped().patch(function.as<DefinedObject>()->function->globals);
    return evaluator()->call(made[0], evaluator()->items(made[1]));
}

std::string SourceTracer::freshName(const std::string& prefix) {
    return m_ownsNames ? evaluator()->str(
                             evaluator()->callMethod(m_instance, "get_fresh_qualname", {makeText(prefix)}))
                       : Tracer::freshName(prefix);
}

void SourceTracer::setOptions(TracerOptions options) {
    if (!m_instance.isNone()) {
        const auto isSet = [&](const char* name) {
            return evaluator()->isTrue(evaluator()->attribute(m_instance, name));
        };
        options.paramShapesConstant |= isSet("param_shapes_constant");
        options.proxyBufferAttributes |= isSet("proxy_buffer_attributes");
        options.checkMutableOperations |= isSet("check_mutable_operations");
    }
    if (!m_instance.isNone())
        options.tracedFuncName = evaluator()->str(evaluator()->attribute(m_instance, "traced_func_name"));
    Tracer::setOptions(options);
}

bool SourceTracer::isLeafModule(const Value& module, const std::string& path) {
    if (!m_ownsLeaves)
        return Tracer::isLeafModule(module, path);
    return evaluator()->isTrue(
        evaluator()->callMethod(m_instance, "is_leaf_module", {module, makeText(path)}));
}

std::string SourceTracer::pathOfModule(const Value& module) {
    if (!m_ownsPaths)
        return Tracer::pathOfModule(module);
    const Value path = evaluator()->callMethod(m_instance, "path_of_module", {module});
    if (!path.isString())
        raise("TypeError", "path_of_module() gave a " + typeName(path) + ", not a str");
    return path.text();
}

Value SourceTracer::callModule(const Value& module, const std::function<Value(Values, NamedValues)>& forward,
                               Values args, NamedValues kwargs) {
    if (!m_ownsCalls)
        return Tracer::callModule(module, forward, std::move(args), std::move(kwargs));
    const Value native = makeNative("forward", [forward](Evaluator&, Values& values, NamedValues& named) {
        return forward(std::move(values), std::move(named));
    });
    return evaluator()->callMethod(m_instance, "call_module",
                                   {module, native, makeTuple(std::move(args)), dictOf(kwargs)});
}

Opcode SourceTracer::opcodeOf(Evaluator& e, const Value& kind) {
    const std::optional<Opcode> opcode = kind.isString() ? opcodeFromName(kind.text()) : std::nullopt;
    if (!opcode)
        raise("AssertionError", e.repr(kind) + " is no kind of node");
    return *opcode;
}

Value SourceTracer::typeValue(const std::optional<std::string>& type) const {
    const std::optional<Value> known = type ? program().type(*evaluator(), *type) : std::nullopt;
    return known ? *known : type ? makeText(*type) : Value();
}

Target SourceTracer::targetOf(Evaluator& e, const Value& target) {
    return target.isString() ? Target(target.text()) : program().target(e, target);
}

NodeId SourceTracer::createNode(Opcode opcode, Target target, Arguments args, Keywords kwargs,
                                std::optional<std::string_view> name, std::optional<std::string> type) {
    if (!m_ownsNodes)
        return Tracer::createNode(opcode, target, std::move(args), std::move(kwargs), name, std::move(type));
    Evaluator& e = *evaluator();
    const Value called =
        opcode == Opcode::CallFunction ? program().function(e, target) : makeText(target.name());
    const Value node =
        e.callMethod(m_instance, "create_node",
                     {makeText(std::string(opcodeName(opcode))), called, program().tuple(e, args),
                      program().dict(e, kwargs), nameValue(name), typeValue(type)});
    return requireNode(node).id;
}

NodeId SourceTracer::createOutput(const Argument& returned, std::optional<std::string> type) {
    return m_ownsNodes ? createNode(Opcode::Output, "output", {returned}, {}, std::nullopt, std::move(type))
                       : Tracer::createOutput(returned, std::move(type));
}

std::optional<Value> SourceTracer::traceByProgram(const Value& root, const Value& concrete) {
    if (m_instance.isNone() || !overrides("trace"))
        return std::nullopt;
    return evaluator()->callMethod(m_instance, "trace",
                                   concrete.isNone() ? Values{root} : Values{root, concrete});
}

void SourceTracer::began() {
    if (m_instance.isNone())
        return;
    setField(std::shared_ptr<Tracer>(std::shared_ptr<Tracer>(), this)); // not held, as it ends with its trace
    m_instance.as<InstanceObject>()->dict.as<DictObject>()->set("graph", program().graphObject(*evaluator()));
    const bool areRecorded = evaluator()->isTrue(evaluator()->attribute(m_instance, "record_stack_traces"));
    program().setHidesStackTraces(!areRecorded);
}

void SourceTracer::forgetProxies() {
    Tracer::forgetProxies();
    m_attributeCache = Value();
}

Value SourceTracer::moduleAttribute(const Value& module, const std::string& name, const Value& found) {
    if (!m_ownsAttributes || !isActive())
        return Tracer::moduleAttribute(module, name, found);
    if (m_attributeCache.isNone())
        m_attributeCache = Object{DictObject()};
    return evaluator()->callMethod(m_instance, "getattr", {makeText(name), found, m_attributeCache});
}

Value SourceTracer::asOwnProxy(Value proxy) {
    return m_ownsProxyClass
               ? evaluator()->callMethod(m_instance, "proxy", {program().node(*evaluator(), nodeOf(proxy))})
               : proxy;
}

Value SourceTracer::createProxy(Opcode opcode, Target target, const Values& args, const NamedValues& kwargs,
                                std::optional<std::string_view> name, std::optional<std::string> type) {
    if (!m_ownsProxies)
        return asOwnProxy(Tracer::createProxy(opcode, target, args, kwargs, name, std::move(type)));
    const Value called =
        opcode == Opcode::CallFunction ? program().function(*evaluator(), target) : makeText(target.name());
    return evaluator()->callMethod(m_instance, "create_proxy",
                                   {makeText(std::string(opcodeName(opcode))), called, makeTuple(args),
                                    dictOf(kwargs), nameValue(name), typeValue(type)});
}

bool SourceTracer::toBool(const Value& proxy) {
    return m_ownsTruth ? evaluator()->isTrue(evaluator()->callMethod(m_instance, "to_bool", {proxy}))
                       : Tracer::toBool(proxy);
}

Value SourceTracer::iter(const Value& proxy) {
    return m_ownsIteration ? evaluator()->iterator(evaluator()->callMethod(m_instance, "iter", {proxy}))
                           : Tracer::iter(proxy);
}

std::optional<Value> SourceTracer::proxyAttribute(const Value& proxy, const std::string& name) {
    if (!m_ownsKeys || name != "keys")
        return Tracer::proxyAttribute(proxy, name);
    return makeNative("keys", [this, proxy](Evaluator& e, Values&, NamedValues&) {
        return e.callMethod(m_instance, "keys", {proxy});
    });
}

Argument SourceTracer::createArg(const Value& value) {
    if (!m_ownsArguments)
        return Tracer::createArg(value);
    const Value made = evaluator()->callMethod(m_instance, "create_arg", {value});
    return holdsProxy(made) || plainOf(made).isTensor() ? Tracer::createArg(made)
                                                        : program().argument(*evaluator(), made);
}

} // namespace fx
