// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/tracing_host.h"

#include "core/python/exceptions.h"
#include "core/python/set_attributes.h"
#include "core/trace/trace_arguments.h"
#include "core/trace/within.h"

#include <algorithm>

namespace fx {

bool isProxy(const Value& value) {
    return asProxy(value) != nullptr;
}

namespace {

/// PyTorch reads the bounds of slices itself, wherever in an index of a tensor they stand.
void refuseSliceOfProxies(const Value& index) {
    forEachWithin(index, [](const Value& item) {
        if (item.as<SliceObject>() && holdsProxy(item))
            raise("TypeError", "slice indices must be integers or None or have an __index__ method");
        return true;
    });
}

/// What a tensor's operator with a proxy on its right records: the method that PyTorch's own binding names.
std::string_view tensorMethod(Operator op, bool isInPlace) {
    const OperatorRow& row = operatorRow(op);
    if (isInPlace && !row.tensorInPlace.empty())
        return row.tensorInPlace;
    return op == Operator::FloorDiv ? row.method : row.tensor;
}

} // namespace

Tracer* ownTracer(const Value& value) {
    const ProxyObject* proxy = asProxy(value);
    while (proxy && asProxy(proxy->owner))
        proxy = asProxy(proxy->owner);
    const auto* handle = proxy ? proxy->owner.as<HandleObject>() : nullptr;
    return handle && handle->typeName == kTracerHandle ? static_cast<Tracer*>(handle->content.get())
                                                       : nullptr;
}

namespace {

using AcceptsProxy = bool (*)(const Value& proxy);

/// The first proxy that the value is, or holds in lists, tuples, dicts and slices, and that is accepted; null
/// if there is none.
const Value* findProxy(const Value& value, AcceptsProxy accepts) {
    const Value& plain = plainOf(value);
    if (!plain.as<SequenceObject>() && !plain.as<DictObject>() && !plain.as<SliceObject>())
        return isProxy(value) && accepts(value) ? &value : nullptr;
    const Value* found = nullptr;
    forEachWithin(value, [&](const Value& item) {
        found = isProxy(item) && accepts(item) ? &item : nullptr;
        return !found;
    });
    return found;
}

} // namespace

bool holdsProxy(const Value& value) {
    return findProxy(value, [](const Value&) { return true; });
}

TracingHost::Use::Use(TracingHost& host, std::initializer_list<const Value*> values, const Values& args,
                      const NamedValues& kwargs)
    : m_host(host), m_before(host.m_tracer) {
    if (!host.m_hasOwnTracers)
        return;
    const Value* found = nullptr;
    const auto look = [&found](const Value& value) {
        found =
            found ? found : findProxy(value, [](const Value& proxy) { return ownTracer(proxy) != nullptr; });
    };
    for (const Value* value : values)
        look(*value);
    for (const Value& value : args)
        look(value);
    for (const auto& [name, value] : kwargs)
        look(value);
    if (found)
        host.m_tracer = ownTracer(*found);
}

void TracingHost::addTo(Evaluator& evaluator) {
    m_graphs.addTo(evaluator);
    addProxyClass(evaluator);
    addTracingFunctions(evaluator);
    evaluator.classOf(evaluator.type("TraceError")).module = "torch.fx.proxy";
    evaluator.builtins().set(
        "_fx_holds_proxy", makeNative("_fx_holds_proxy", [](Evaluator&, Values& args, NamedValues&) -> Value {
            return c10::IValue(std::any_of(args.begin(), args.end(), holdsProxy));
        }));
    // (function or class, args, kwargs): what torch.fx's own helpers record by themselves.
    evaluator.builtins().set(
        "_fx_record", makeNative("_fx_record", [this](Evaluator& e, Values& args, NamedValues&) -> Value {
            requireArguments("_fx_record", args, 3, 3);
            NamedValues kwargs;
            for (const DictObject::Entry& entry : plainOf(args[2]).as<DictObject>()->entries())
                kwargs.emplace_back(entry.key.text(), entry.value);
            return m_tracer->createProxy(Opcode::CallFunction, m_tracer->program().target(e, args[0]),
                                         e.items(args[1]), kwargs);
        }));
    evaluator.builtins().set("_fx_trace_error", evaluator.type("TraceError"));
    evaluator.builtins().set(
        "_fx_wrap", makeNative("_fx_wrap", [this](Evaluator& e, Values& args, NamedValues&) -> Value {
            requireArguments("wrap", args, 1, 1);
            std::string name;
            if (args[0].isString())
                name = args[0].text();
            else if (const std::optional<Value> found = e.findAttribute(args[0], "__name__"))
                name = found->text();
            else
                raise("RuntimeError",
                      "Unsupported type for global function! Must be either a callable or string name");
            // The library's `wrap` is the innermost frame, its caller the one that counts.
            const std::optional<Value> globals = e.frames().callerModuleGlobals(1);
            if (!globals)
                raise("NotImplementedError", "wrap must be called at the top level of a module");
            m_wrapped.emplace_back(*globals, name);
            // The code of a GraphModule runs when it is first called, which may be while another model is
            // traced.
            if (isTracing() && globals->as<DictObject>()->find(name)) {
                m_tracer->wrapped().add(*globals, name);
                m_tracer->wrapped().patch(*globals);
            }
            return args[0];
        }));
    evaluator.hosts().add(*this, {HostedKind::Proxy});
    evaluator.hosts().addInterceptor(*this);
    m_modules.setPatch(this);
}

TracingHost* TracingHost::of(Evaluator& evaluator) {
    return static_cast<TracingHost*>(evaluator.hosts().of(HostedKind::Proxy)); // proxies have no other host
}

const Value* TracingHost::constantShapeOf(const ProxyObject& proxy) const {
    const bool isConstant =
        m_tracer && m_tracer->options().paramShapesConstant && proxy.concrete && isParameter(*proxy.concrete);
    return isConstant ? &*proxy.concrete : nullptr;
}

std::string TracingHost::typeName(const Value& value) const {
    const ProxyObject* proxy = asProxy(value);
    return proxy && constantShapeOf(*proxy) ? "ParameterProxy" : fx::typeName(value);
}

std::optional<Value> TracingHost::attribute(Evaluator& evaluator, const Value& object,
                                            const std::string& name) {
    const Use use(*this, {&object});
    const ProxyObject* proxy = asProxy(object);
    if (name == "__class__")
        return evaluator.typeOf(object);
    if (const Value* parameter = constantShapeOf(*proxy)) {
        static constexpr std::string_view kMethods[] = {"size", "dim", "numel", "nelement"};
        if (name == "shape" || name == "ndim")
            return evaluator.attribute(*parameter, name);
        if (std::find(std::begin(kMethods), std::end(kMethods), name) != std::end(kMethods))
            return makeNative(name, [parameter = *parameter, name](Evaluator& e, Values& args, NamedValues&) {
                if (!args.empty())
                    raise("TypeError", "ParameterProxy." + name + "() takes 1 positional argument but " +
                                           std::to_string(args.size() + 1) + " were given");
                return e.callMethod(parameter, name);
            });
    }
    if (m_tracer)
        if (std::optional<Value> known = m_tracer->proxyAttribute(object, name))
            return known;
    if ((name == "root" || name == "attr") && !proxy->attribute.empty()) // fields of torch.fx's Attribute
        return name == "root" ? proxy->owner : makeText(proxy->attribute);
    const bool isNodeKnown = proxy->node || !proxy->attribute.empty();
    if (name == "node" && m_tracer && isNodeKnown)
        return m_tracer->program().node(evaluator, m_tracer->nodeOf(object));
    if (name == "tracer" && m_tracer)
        return m_tracer->instance();
    if (name.starts_with("__") && name.ends_with("__") && name != "__call__") {
        const Value type = evaluator.typeOf(object);
        if (const Value* found = evaluator.classOf(type).find(name))
            return bindAttribute(evaluator, *found, object, type);
        // x.__iadd__(y) is the text of a call_method.
        if (!(m_tracer && m_tracer->readsGeneratedCode() && name.starts_with("__i")))
            return std::nullopt;
    }
    return Value(Object{ProxyObject{NodeId(), object, name}});
}

void TracingHost::setAttribute(Evaluator& evaluator, const Value& object, const std::string& name,
                               const Value& value) {
    if (object.as<InstanceObject>())
        return setPlainly(evaluator, object, name, value);
    // A Proxy is a Python object like any other: what is set on it is lost to the graph.
    if (m_tracer)
        m_tracer->note("setting the attribute '" + name + "' of a traced value is not recorded");
}

Value TracingHost::call(Evaluator&, const Value& function, Values args, NamedValues kwargs) {
    const Use use(*this, {&function}, args, kwargs);
    // An attribute that is called is a method of its owner; anything else is called itself.
    const ProxyObject* proxy = asProxy(function);
    const bool isMethod = !proxy->attribute.empty();
    const std::string name = isMethod ? proxy->attribute : "__call__";
    args.insert(args.begin(), isMethod ? proxy->owner : function);
    return requireTracer().createProxy(Opcode::CallMethod, name, args, kwargs);
}

std::optional<Value> TracingHost::interceptCall(Evaluator& evaluator, const Value& function, Values& args,
                                                NamedValues& kwargs) {
    const Use use(*this, {}, args, kwargs);
    if (const auto* native = function.as<NativeObject>())
        return recordNative(evaluator, *native, args, kwargs);
    if (const auto* type = function.as<ClassObject>())
        return recordConversion(*type->data, args);
    // Gradients are off while tracing for our own sake; to the source they are on.
    static const Target kIsGradEnabled("torch.ops.aten.is_grad_enabled.default");
    static const Target kSetGradEnabled("torch.ops.aten.set_grad_enabled.default");
    const auto* callee = function.as<FunctionObject>();
    if (m_tracer && callee && callee->target == kIsGradEnabled)
        return c10::IValue(true);
    if (m_tracer && callee && callee->target == kSetGradEnabled)
        return Value();
    const auto hasProxy = [&] {
        return std::any_of(args.begin(), args.end(), holdsProxy) ||
               std::any_of(kwargs.begin(), kwargs.end(), [](const auto& k) { return holdsProxy(k.second); });
    };
    const bool isWritten = isTracing() && callee && m_tracer->options().isEveryCallRecorded;
    if (!isWritten && !(isTracing() && hasProxy()))
        return std::nullopt;
    const bool mayBeOverridden = callee || function.as<MethodObject>();
    if (std::optional<Value> answer =
            mayBeOverridden ? m_overrides.answer(evaluator, function, args, kwargs) : std::nullopt)
        return answer;
    if (callee && m_tracer->options().entersPython && isPythonInTorch(callee->target))
        return std::nullopt;
    if (callee)
        return recordFunction(evaluator, function, std::move(args), std::move(kwargs));
    if (const auto* method = function.as<MethodObject>())
        return recordMethod(evaluator, *method, std::move(args), std::move(kwargs));
    return std::nullopt;
}

Value TracingHost::subscript(Evaluator& evaluator, const Value& object, const Value& index) {
    const Use use(*this, {&object, &index});
    if (isProxy(object))
        return requireTracer().createProxy(Opcode::CallFunction, "operator.getitem", {object, index}, {});
    if (plainOf(object).isTensor() && holdsProxy(index)) {
        refuseSliceOfProxies(index);
        return requireTracer().createProxy(Opcode::CallMethod, "__getitem__", {object, index}, {});
    }
    if (isProxy(index)) {
        // A container asks for an int, or hashes the proxy by its identity.
        if (auto* dict = plainOf(object).as<DictObject>()) {
            if (const Value* found = dict->find(index))
                return *found;
            raiseException(evaluator, makeException(evaluator, "KeyError", {index}));
        }
        const std::string type = fx::typeName(object);
        raise("TypeError", (type == "torch.Size" ? std::string("tuple")
                            : type == "str"      ? "string"
                                                 : type) +
                               " indices must be integers" +
                               (type == "range" ? " or slices, not "
                                : type == "str" ? ", not '"
                                                : " or slices, not ") +
                               fx::typeName(index) + (type == "str" ? "'" : ""));
    }
    return ValueHost::subscript(evaluator, object, index);
}

void TracingHost::setSubscript(Evaluator& evaluator, const Value& object, const Value& index,
                               const Value& value) {
    const Use use(*this, {&object, &index, &value});
    Tracer& tracer = requireTracer();
    if (isProxy(object)) {
        if (tracer.readsGeneratedCode()) {
            tracer.createProxy(Opcode::CallFunction, "operator.setitem", {object, index, value}, {});
            return;
        }
        if (tracer.setItem(object, index, value))
            return;
        raise("TypeError", '\'' + typeName(object) + "' object does not support item assignment");
    }
    if (plainOf(object).isTensor() && (holdsProxy(index) || holdsProxy(value))) {
        refuseSliceOfProxies(index);
        tracer.createProxy(Opcode::CallMethod, "__setitem__", {object, index, value}, {});
        return;
    }
    evaluator.hostOf(object)->setSubscript(evaluator, object, index, value);
}

Value TracingHost::operate(Evaluator& evaluator, Operator op, Values operands, bool isInPlace) {
    const Use use(*this, {}, operands);
    Tracer& tracer = requireTracer();
    if (op == Operator::Mod && operands[0].isString())
        return *operatePlain(&evaluator, op, operands[0], operands[1]); // a format, not a product of tensors
    // A parameter was read off its module as a proxy, unless it came from parameters() and the like.
    if (operands.size() == 2 && plainOf(operands[0]).isTensor()) {
        const std::string method(tensorMethod(op, isInPlace));
        if (std::optional<Value> answer =
                m_overrides.answer(evaluator, Object{MethodObject{operands[0], method}}, {operands[1]}, {}))
            return std::move(*answer);
        return tracer.createProxy(Opcode::CallMethod, method, operands, {});
    }
    std::string target = "operator." + std::string(operatorName(op));
    if (isInPlace && tracer.readsGeneratedCode() && isProxy(operands[0])) {
        target = "operator." + std::string(operatorRow(op).inPlaceFunction());
        ++m_inPlaceCount;
    }
    // A comparison with the proxy on the right is turned round, as Python does it.
    if (operands.size() == 2 && !isProxy(operands[0]) && operatorRow(op).isComparison())
        return tracer.createProxy(Opcode::CallFunction,
                                  "operator." + std::string(operatorName(*swappedOperator(op))),
                                  {operands[1], operands[0]}, {});
    return tracer.createProxy(Opcode::CallFunction, target, operands, {});
}

Tracer& TracingHost::requireTracer() const {
    if (!m_tracer)
        raise("TraceError", "a Proxy is used after its tracing has ended");
    return *m_tracer;
}

bool TracingHost::isTrue(Evaluator&, const Value& value) {
    const Use use(*this, {&value});
    return requireTracer().toBool(value);
}

Value TracingHost::iterator(Evaluator&, const Value& value) {
    const Use use(*this, {&value});
    return requireTracer().iter(value);
}

Values TracingHost::unpack(Evaluator& evaluator, const Value& value, size_t count) {
    Values out;
    for (size_t i = 0; i < count; ++i)
        out.push_back(subscript(evaluator, value, makeInt(static_cast<int64_t>(i))));
    return out;
}

int64_t TracingHost::length(Evaluator&, const Value& value) {
    const Use use(*this, {&value});
    return requireTracer().length(value);
}

std::string TracingHost::text(Evaluator& evaluator, const Value& value, bool isRepr) {
    if (value.as<InstanceObject>())
        for (const char* name : {"__str__", "__repr__"}) {
            const Value* own = evaluator.classOf(value).find(name);
            if (own && own->as<DefinedObject>() && (!isRepr || std::string_view(name) == "__repr__"))
                return evaluator.call(Value(*own), {value}).text();
        }
    return proxyText(value);
}

std::string TracingHost::proxyText(const Value& value) {
    const Use use(*this, {&value});
    const ProxyObject& proxy = *asProxy(value);
    if (constantShapeOf(proxy))
        return "ParameterProxy(" + m_tracer->graph().node(proxy.node).target.name() + ')';
    Tracer& tracer = requireTracer();
    return "Proxy(" + tracer.graph().node(tracer.nodeOf(value)).name + ')';
}

Value TracingHost::callModule(Evaluator& evaluator, const Value& module, Values args, NamedValues kwargs) {
    const auto forward = [&](Values a, NamedValues k) {
        return NnModules::callPlainly(evaluator, module, std::move(a), std::move(k));
    };
    return isTracing() && !m_tracer->isAppending()
               ? m_tracer->callModule(module, std::cref(forward), std::move(args), std::move(kwargs))
               : forward(std::move(args), std::move(kwargs));
}

Value TracingHost::moduleMember(Evaluator&, const Value& module, const std::string& name, const Value& found,
                                Member member) {
    const bool isAsked = m_tracer && !m_tracer->isAppending() && member != Member::Module;
    return isAsked ? m_tracer->moduleAttribute(module, name, found) : found;
}

} // namespace fx
