// SPDX-License-Identifier: GPL-3.0-or-later
// The host of mini-Python while a graph is traced: what proxies answer. Everything else is live.
#pragma once

#include "core/trace/tracer.h"

namespace fx {

bool isProxy(const Value& value);

class TracingHost : public LiveHost {
public:
    /// The tracer that is at work; proxies are its.
    void setTracer(Tracer* tracer) { m_tracer = tracer; }
    Tracer* tracer() const { return m_tracer; }
    /// Generated code may have recorded such calls with what is a Proxy now.
    bool isTensorLike(const Value& value) const override;
    /// torch.fx.wrap() calls of the sources: the module's names, and the function's name.
    const std::vector<std::pair<Value, std::string>>& wrapped() const { return m_wrapped; }
    /// Adds torch.fx's names to a new evaluator, after LiveHost::prepare().
    void prepareTracing(Evaluator& evaluator);

    bool owns(const Value& value) const override;
    std::optional<Value> attribute(Evaluator&, const Value& object, const std::string& name) override;
    void setAttribute(Evaluator&, const Value& object, const std::string& name, const Value& value) override;
    Value call(Evaluator&, const Value& function, Values args, NamedValues kwargs) override;
    Value subscript(Evaluator&, const Value& object, const Value& index) override;
    void setSubscript(Evaluator&, const Value& object, const Value& index, const Value& value) override;
    Value operate(Evaluator&, Operator op, Values operands, bool isInPlace) override;
    bool isTrue(Evaluator&, const Value& value) override;
    Value iterator(Evaluator&, const Value& value) override;
    int64_t length(Evaluator&, const Value& value) override;
    int64_t index(Evaluator&, const Value& value) override;
    Values unpack(Evaluator&, const Value& value, size_t count) override;
    std::string text(Evaluator&, const Value& value, bool isRepr) override;
    std::string format(Evaluator&, const Value& value, const std::string& spec) override;
    std::string typeName(const Value& value) const override;
    std::optional<Value> interceptNative(Evaluator&, const NativeObject&, Values&, NamedValues&) override;
    Value callModule(Evaluator&, const Value& module, Values args, NamedValues kwargs) override;
    Value moduleAttribute(Evaluator&, const Value& module, const std::string& name, const Value& found,
                          Member member) override;

private:
    /// Proxies, and lists with proxies among their items, as data for torch.tensor() and its like.
    void refuseDataOfProxies(Evaluator& evaluator, std::string_view maker, const Values& args,
                             const NamedValues& kwargs);
    /// A Proxy as the first of many sizes.
    void refuseSizesOfProxies(const FunctionRow& row, const Values& args);
    Value recordFunction(Evaluator&, const Value& function, Values args, NamedValues kwargs);
    Value recordMethod(Evaluator&, const MethodObject& method, Values args, NamedValues kwargs);
    Value record(Target target, const Values& args, const NamedValues& kwargs);
    std::optional<Value> recordPython(const FunctionRow& row, const Values& args, const NamedValues& kwargs);
    /// Where shapes of parameters are no nodes: the parameter that the proxy stands for; null for other
    /// proxies.
    const Value* constantShapeOf(const ProxyObject& proxy) const;
    static void classOfTraceError(Evaluator& evaluator);

    Tracer* m_tracer = nullptr;
    std::vector<std::pair<Value, std::string>> m_wrapped;
};

} // namespace fx
