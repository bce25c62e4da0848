// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/source_tracer.h"

#include "core/python/evaluator.h"

namespace fx {

namespace {

/// The module of the library that defines torch.fx.Tracer.
const char* const kHome = "torch.fx._tracer";

NamedValues namedValues(const Value& dict) {
    NamedValues out;
    for (const DictObject::Entry& entry : plainOf(dict).as<DictObject>()->entries())
        out.emplace_back(entry.key.text(), entry.value);
    return out;
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
    refuseOthers();
    m_ownsLeaves = overrides("is_leaf_module");
    m_ownsPaths = overrides("path_of_module");
    m_ownsCalls = overrides("call_module");
    m_ownsArguments = overrides("create_arg");
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
    const Value functions = evaluator->attribute(m_instance, "_autowrap_functions");
    for (const Value& function : evaluator->items(functions))
        wrapped().addEverywhere(function);
    const Value modules = evaluator->attribute(m_instance, "_autowrap_modules");
    for (const Value& module : evaluator->items(modules))
        if (const auto* source = module.as<SourceModuleObject>())
            wrapped().addModule(source->dict);
}

SourceTracer::~SourceTracer() {
    if (const auto* instance = m_instance.as<InstanceObject>())
        for (const char* name : {"_fx_path_of_module", "_fx_call_module"})
            instance->dict.as<DictObject>()->erase(std::string_view(name));
}

void SourceTracer::setNative(const char* name, NativeObject::Call call) {
    m_instance.as<InstanceObject>()->dict.as<DictObject>()->set(name, makeNative(name, std::move(call)));
}

bool SourceTracer::overrides(const char* method) const {
    const Value* found = evaluator()->classOf(evaluator()->typeOf(m_instance)).find(method);
    const auto* defined = found ? found->as<DefinedObject>() : nullptr;
    return found && !(defined && defined->function->module == kHome);
}

void SourceTracer::refuseOthers() const {
    for (const char* method : {"trace", "create_node", "create_proxy", "create_args_for_root", "proxy",
                               "getattr", "_module_getattr", "iter", "to_bool", "keys", "get_fresh_qualname"})
        if (overrides(method))
            throw Error("", "not supported: " + typeName(m_instance) + '.' + method)
                .hint("a tracer may override is_leaf_module, path_of_module, call_module and create_arg");
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

Argument SourceTracer::createArg(const Value& value) {
    if (!m_ownsArguments)
        return Tracer::createArg(value);
    return Tracer::createArg(evaluator()->callMethod(m_instance, "create_arg", {value}));
}

} // namespace fx
