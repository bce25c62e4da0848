// SPDX-License-Identifier: GPL-3.0-or-later
// The host of proxies: what is done with them becomes nodes of the graph that is traced. It stands beside the
// hosts of torch, whose calls with proxies among the arguments it takes.
#pragma once

#include "core/fxpython/fx_module.h"
#include "core/torch/host/torch_hosts.h"
#include "core/trace/tracer.h"

namespace fx {

bool isProxy(const Value& value);

class TracingHost : public ValueHost, public ModulePatch {
public:
    explicit TracingHost(TorchHosts& torch)
        : m_torch(torch.names()), m_modules(torch.modules()), m_overrides(torch.overrides()) {}

    /// Adds torch.fx's names to an evaluator that has torch already.
    void addTo(Evaluator& evaluator);
    /// The one of an evaluator; null where nothing can be traced.
    static TracingHost* of(Evaluator& evaluator);

    /// The tracer that is at work; proxies are its.
    void setTracer(Tracer* tracer) { m_tracer = tracer; }
    Tracer* tracer() const { return m_tracer; }
    /// From now on there are proxies with a tracer of their own, of a graph that a program has.
    void meetOwnTracers() { m_hasOwnTracers = true; }
    /// The graphs of the program.
    FxModule& graphs() { return m_graphs; }
    /// torch.fx.wrap() calls of the sources: the module's names, and the function's name.
    const std::vector<std::pair<Value, std::string>>& wrapped() const { return m_wrapped; }
    /// torch.fx's list of methods that are wrapped, to which programs add.
    static void addWrappedMethods(Evaluator& evaluator, WrappedFunctions& wrapped);
    /// How many in-place operators of generated code were recorded.
    size_t inPlaceCount() const { return m_inPlaceCount; }

    std::optional<Value> attribute(Evaluator&, const Value& object, const std::string& name) override;
    void setAttribute(Evaluator&, const Value& object, const std::string& name, const Value& value) override;
    Value call(Evaluator&, const Value& function, Values args, NamedValues kwargs) override;
    Value subscript(Evaluator&, const Value& object, const Value& index) override;
    void setSubscript(Evaluator&, const Value& object, const Value& index, const Value& value) override;
    Value operate(Evaluator&, Operator op, Values operands, bool isInPlace) override;
    bool isTrue(Evaluator&, const Value& value) override;
    Value iterator(Evaluator&, const Value& value) override;
    int64_t length(Evaluator&, const Value& value) override;
    Values unpack(Evaluator&, const Value& value, size_t count) override;
    std::string text(Evaluator&, const Value& value, bool isRepr) override;
    std::string typeName(const Value& value) const override;
    std::optional<Value> interceptCall(Evaluator&, const Value& function, Values& args,
                                       NamedValues& kwargs) override;
    Value callModule(Evaluator&, const Value& module, Values args, NamedValues kwargs) override;
    Value moduleMember(Evaluator&, const Value& module, const std::string& name, const Value& found,
                       Member member) override;

private:
    /// While it is alive, the tracer of the proxies among the values is the one at work.
    class Use {
    public:
        Use(TracingHost& host, std::initializer_list<const Value*> values, const Values& args = {},
            const NamedValues& kwargs = {});
        ~Use() { m_host.m_tracer = m_before; }
        Use(const Use&) = delete;

    private:
        TracingHost& m_host;
        Tracer* m_before;
    };
    void addProxyClass(Evaluator& evaluator);
    /// Proxy.__init__: what a proxy of a class that a program derives stands for.
    void initProxy(Evaluator& evaluator, const Value& self, const Value& node, Value tracer);
    void addTracingFunctions(Evaluator& evaluator);
    /// Proxy.__torch_function__: records the call.
    Value recordOverridden(Evaluator& evaluator, const Value& function, Values args, NamedValues kwargs);
    /// "Proxy(x)"
    std::string proxyText(const Value& value);
    bool isTracing() const { return m_tracer && m_tracer->isActive(); }
    /// The one at work; throws TraceError for a proxy that is left over.
    Tracer& requireTracer() const;
    /// Proxies, and lists with proxies among their items, as data for torch.tensor() and its like.
    void refuseDataOfProxies(Evaluator& evaluator, std::string_view maker, const Values& args,
                             const NamedValues& kwargs);
    /// A Proxy as the first of many sizes.
    void refuseSizesOfProxies(const FunctionRow& row, const Values& args);
    Value recordFunction(Evaluator&, const Value& function, Values args, NamedValues kwargs);
    Value recordMethod(Evaluator&, const MethodObject& method, Values args, NamedValues kwargs);
    /// int(x) of generated code was recorded; elsewhere it asks the proxy for a number.
    std::optional<Value> recordConversion(const ClassData& type, const Values& args);
    std::optional<Value> recordNative(Evaluator&, const NativeObject& native, const Values& args,
                                      const NamedValues& kwargs);
    Value record(Target target, const Values& args, const NamedValues& kwargs);
    std::optional<Value> recordPython(const FunctionRow& row, const Values& args, const NamedValues& kwargs);
    /// Where shapes of parameters are no nodes: the parameter that the proxy stands for; null for other
    /// proxies.
    const Value* constantShapeOf(const ProxyObject& proxy) const;

    TorchNames& m_torch;
    NnModules& m_modules;
    FunctionOverrides& m_overrides;
    FxModule m_graphs;
    Tracer* m_tracer = nullptr;
    bool m_hasOwnTracers = false; ///< some proxies were made by the program, with a tracer of theirs
    std::vector<std::pair<Value, std::string>> m_wrapped;
    size_t m_inPlaceCount = 0;
};

} // namespace fx
