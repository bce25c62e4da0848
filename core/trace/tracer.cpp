// SPDX-License-Identifier: GPL-3.0-or-later
// Recording nodes, and what modules and parameters become. Arguments: create_arg.cpp; placeholders:
// trace_arguments.cpp; what the modules and tensors of the root are called: root_names.cpp.
#include "core/trace/tracer.h"

#include "core/base/text.h"
#include "core/python/set_attributes.h"
#include "core/trace/mutating_calls.h"
#include "core/trace/row_functions.h"
#include "core/trace/trace_arguments.h"
#include "core/trace/tracing_host.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

std::string qualifiedClass(const Value& instance) {
    const ClassData& data = *instance.as<InstanceObject>()->type.as<ClassObject>()->data;
    return data.module + '.' + data.qualifiedName;
}

/// The code of a module's class; null where it is none of Python's.
const DefinedObject* forwardOf(const Value& module) {
    static const TextKey kForward("forward");
    const Value* forward = module.as<InstanceObject>()->type.as<ClassObject>()->data->find(kForward);
    return forward ? forward->as<DefinedObject>() : nullptr;
}

} // namespace

Tracer::Tracer(Evaluator* evaluator, std::string rootType)
    : m_evaluator(evaluator), m_program(std::make_shared<ProgramGraph>(std::move(rootType))),
      m_wrapped(*this) {}

bool Tracer::isLeafModule(const Value& module, const std::string&) {
    const ClassData& data = *module.as<InstanceObject>()->type.as<ClassObject>()->data;
    const bool isTorch = data.module.starts_with("torch.nn") || data.module.starts_with("torch.ao.nn");
    return isTorch && data.name != "Sequential";
}

std::string Tracer::pathOfModule(const Value& module) {
    auto found = m_modulePaths.find(module.object().get());
    if (found == m_modulePaths.end() && m_isAppending) { // the program may have put it there since
        setRoot(m_root);
        found = m_modulePaths.find(module.object().get());
    }
    if (found == m_modulePaths.end())
        raise("NameError", "module is not installed as a submodule");
    return found->second;
}

Value Tracer::callModule(const Value& module, const std::function<Value(Values, NamedValues)>& forward,
                         Values args, NamedValues kwargs) {
    const std::string path = pathOfModule(module);
    int& calls = m_callCounts[path];
    m_moduleStack.push_back(
        {calls > 0 ? path + '@' + std::to_string(calls) : path, path, qualifiedClass(module)});
    m_program->learn(Target(m_moduleStack.back().type), module.as<InstanceObject>()->type);
    const std::string& type = m_moduleStack.back().type;
    ++calls;
    struct Pop {
        Tracer& tracer;
        SharedMeta outer = std::exchange(tracer.m_sharedStack, {});
        ~Pop() {
            tracer.m_moduleStack.pop_back();
            tracer.m_sharedStack = std::move(outer);
        }
    } pop{*this};
    if (const auto* code = forwardOf(module))
        m_wrapped.patchIn(code->function->globals);
    const bool isNamed = std::any_of(m_leaves.begin(), m_leaves.end(), [&](const std::string& leaf) {
        return leaf == type || type.ends_with('.' + leaf) || leaf == path;
    });
    if (m_areAllLeaves || isNamed || isLeafModule(module, path))
        return createProxy(Opcode::CallModule, path, args, kwargs);
    try {
        return forward(std::move(args), std::move(kwargs));
    } catch (const Error&) {
        noteFault();
        throw;
    }
}

Value Tracer::moduleAttribute(const Value&, const std::string&, const Value& found) {
    if (!m_isActive)
        return found;
    const bool isBuffer = m_options.proxyBufferAttributes && !isParameter(found) && plainOf(found).isTensor();
    if (!isBuffer && !isParameter(found))
        return found;
    const std::string* path = registeredPath(found, isBuffer ? kBufferTable : kParameterTable);
    if (!path)
        return found;
    const auto [cached, isNew] = m_parameterProxies.try_emplace(*path);
    if (isNew) {
        Value proxy = createProxy(Opcode::GetAttr, *path, {}, {});
        if (ProxyObject* content = asProxy(proxy)) // a tracer of the source's may give anything
            content->concrete = found;
        cached->second = std::move(proxy);
    }
    return cached->second;
}

std::optional<Value> Tracer::proxyAttribute(const Value&, const std::string&) {
    return std::nullopt;
}

bool Tracer::setItem(const Value& proxy, const Value&, const Value&) {
    m_undecided = proxy;
    return false;
}

bool Tracer::knowsModule(const Value& module) const {
    return m_modulePaths.contains(module.object().get());
}

void Tracer::addModule(const Value& module, const std::string& path) {
    m_modulePaths.emplace(module.object().get(), path);
}

Value Tracer::createProxy(Opcode opcode, Target target, const Values& args, const NamedValues& kwargs,
                          std::optional<std::string_view> name, std::optional<std::string> type) {
    Arguments positional;
    positional.reserve(args.size());
    for (const Value& value : args)
        positional.push_back(createArg(value));
    Keywords keywords;
    for (const auto& [key, value] : kwargs)
        keywords.emplace_back(key, createArg(value));
    return proxyOf(
        createNode(opcode, target, std::move(positional), std::move(keywords), name, std::move(type)));
}

NodeId Tracer::createNode(Opcode opcode, Target target, Arguments args, Keywords kwargs,
                          std::optional<std::string_view> name, std::optional<std::string> type) {
    if (m_evaluator)
        m_evaluator->step();
    if (m_options.checkMutableOperations && opcode == Opcode::CallFunction)
        refuseMutatingCall(target.name(), args.size(), kwargs);
    if (!m_sharedStack && !m_moduleStack.empty())
        m_sharedStack = m_moduleStack;
    m_undecided = Value();
    m_faultScope = m_faultTrace = {}; // the program has caught the one before
    Meta meta;
    meta.set(meta::kModuleStack, m_sharedStack);
    if (m_evaluator && !m_isAppending)
        meta.set(meta::kStackTrace, m_stackTraces.current(m_evaluator->frames()));
    const NodeId node = m_program->create(opcode, target, std::move(args), std::move(kwargs), name,
                                          std::move(type), std::move(meta));
    announce(node);
    return node;
}

void Tracer::announce(NodeId node) {
    const std::optional<Value> listener =
        m_evaluator ? m_evaluator->modules().known("torch.fx.traceback") : std::nullopt;
    if (listener && m_evaluator->isTrue(m_evaluator->attribute(*listener, "should_preserve_node_meta")))
        m_evaluator->call(m_evaluator->attribute(*listener, "_tell"), {m_program->node(*m_evaluator, node)});
}

void Tracer::note(const std::string& text) {
    std::string full = text;
    if (m_evaluator)
        for (const CallSite& site : m_evaluator->frames().callStack())
            if (!site.file->isLibrary()) {
                full = site.file->path + ':' + std::to_string(site.line) + ": " + text;
                break;
            }
    if (std::find(m_notes.begin(), m_notes.end(), full) == m_notes.end())
        m_notes.push_back(std::move(full));
}

std::optional<Error> Tracer::run(const Value& root, const Value& concrete) {
    const bool isModule = isModuleInstance(root);
    std::string name = "Module";
    if (isModule)
        name = root.as<InstanceObject>()->type.as<ClassObject>()->data->name;
    else if (const std::optional<Value> found = m_evaluator->findAttribute(root, "__name__"))
        name = found->isString() ? found->text() : name;
    TracingHost* host = TracingHost::of(*m_evaluator);
    if (!host)
        throw Error("", "tracing needs an evaluator with a TracingHost");
    m_program = host->graphs().makeGraph(name);
    m_program->setHidesStackTraces(true);
    m_stackTraces.clear();
    began();
    setRoot(isModule ? root : Value());

    Value function = root;
    if (isModule) {
        const Value type = m_evaluator->typeOf(root);
        const std::string& traced = m_options.tracedFuncName;
        if (!m_evaluator->classOf(type).find(traced))
            raise("AssertionError", "traced_func_name=" + traced + " doesn't exist in " + name);
        function = m_evaluator->attribute(type, traced);
    }
    if (std::optional<Value> defined = definedByRow(*m_evaluator, function))
        function = std::move(*defined);
    if (!function.as<DefinedObject>())
        raise("AssertionError",
              "Expected FunctionType, got " + m_evaluator->repr(m_evaluator->typeOf(function)));

    struct Activity {
        Tracer& tracer;
        TracingHost& host;
        Tracer* previous;
        Activity(Tracer& t, TracingHost& h) : tracer(t), host(h), previous(h.tracer()) {
            host.setTracer(&tracer);
            tracer.m_isActive = true;
        }
        ~Activity() {
            tracer.m_wrapped.unpatch();
            tracer.m_isActive = false;
            host.setTracer(previous);
        }
    } activity(*this, *host);
    m_wrapped.addBefore(host->wrapped());
    if (m_evaluator)
        host->addWrappedMethods(*m_evaluator, m_wrapped);

    std::optional<Error> fault;
    try {
        record(function, isModule, concrete);
    } catch (const Error& error) {
        fault = explained(error);
        if (!m_keepsPartial || graph().size() == 0)
            throw std::move(*fault);
        recordFault(*fault);
    }
    m_wrapped.unpatch();
    return fault;
}

Traced Tracer::trace(const Value& root, const Value& concrete) {
    std::optional<Error> fault = run(root, concrete);
    m_program->storeMeta(*m_evaluator);
    copyReferenced(*m_evaluator, edit(), m_root, constantsAndReplaced(), m_areAllLeaves);
    Traced out = take();
    out.fault = std::move(fault);
    return out;
}

Value Tracer::callRoot(const TraceArguments& arguments, const Value& function, const Values& args) {
    // What a decorator has put around a plain function is called as any caller would.
    return arguments.isPatched() ? callFlat(*m_evaluator, function, args) : m_evaluator->call(function, args);
}

NodeId Tracer::createOutput(const Argument& returned, std::optional<std::string> type) {
    const NodeId node =
        edit().createNode(Opcode::Output, "output", {returned}, {}, std::nullopt, std::move(type));
    announce(node);
    return node;
}

std::optional<Value> Tracer::argumentInstead(const std::string&, const std::optional<Value>&) {
    return std::nullopt;
}

Value Tracer::callTraced(TraceArguments& arguments, const Value& function, bool isModule,
                         const Value& concrete) {
    const Values args = arguments.create(function, isModule ? std::optional(m_root) : std::nullopt, concrete);
    m_wrapped.patch(function.as<DefinedObject>()->function->globals);
    return callRoot(arguments, function, args);
}

void Tracer::record(const Value& function, bool isModule, const Value& concrete) {
    m_evaluator->runOutside([&]() -> Value {
        TraceArguments arguments(*this, *m_evaluator);
        Value result;
        try {
            result = callTraced(arguments, function, isModule, concrete);
        } catch (const Error&) {
            noteFault();
            throw;
        }
        result = arguments.finish(std::move(result));
        const Argument returned = createArg(result);
        std::optional<std::string> type;
        if (!arguments.hasTree())
            type = arguments.returnType();
        recorded(createOutput(returned, type), result);
        return {};
    });
}

Traced Tracer::take() {
    if (m_evaluator)
        m_notes.insert(m_notes.end(), m_evaluator->warnings().begin(), m_evaluator->warnings().end());
    return {m_program->take(), std::nullopt, std::move(m_notes)};
}

} // namespace fx
