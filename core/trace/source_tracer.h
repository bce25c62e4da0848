// SPDX-License-Identifier: GPL-3.0-or-later
// The tracer that a source defines: a subclass of torch.fx.Tracer, whose methods decide what is a leaf, how
// modules are called and what arguments become.
#pragma once

#include "core/trace/tracer.h"

namespace fx {

class SourceTracer : public Tracer {
public:
    /// Where an instance has the tracer that records for it.
    static constexpr const char* kField = "_fx_tracer";

    /// `instance` is one of torch.fx.Tracer's, or None: then all is as in Tracer.
    SourceTracer(Evaluator* evaluator, const Value& instance);
    ~SourceTracer() override;

    bool isLeafModule(const Value& module, const std::string& path) override;
    std::string pathOfModule(const Value& module) override;
    Value callModule(const Value& module, const std::function<Value(Values, NamedValues)>& forward,
                     Values args, NamedValues kwargs) override;
    Argument createArg(const Value& value) override;
    Value createProxy(Opcode opcode, Target target, const Values& args, const NamedValues& kwargs,
                      std::optional<std::string_view> name = std::nullopt,
                      std::optional<std::string> type = std::nullopt) override;
    bool toBool(const Value& proxy) override;
    Value iter(const Value& proxy) override;
    std::optional<Value> proxyAttribute(const Value& proxy, const std::string& name) override;
    Value moduleAttribute(const Value& module, const std::string& name, const Value& found) override;
    NodeId createNode(Opcode opcode, Target target, Arguments args, Keywords kwargs,
                      std::optional<std::string_view> name = std::nullopt,
                      std::optional<std::string> type = std::nullopt) override;
    NodeId createOutput(const Argument& returned, std::optional<std::string> type) override;
    Value callTraced(TraceArguments& arguments, const Value& function, bool isModule,
                     const Value& concrete) override;
    std::string freshName(const std::string& prefix) override;
    void began() override;
    void forgetProxies() override;
    std::optional<Value> traceByProgram(const Value& root, const Value& concrete) override;
    /// Records for the instance as long as that lives; else a tracer does while it traces.
    void remainWithInstance();
    Value instance() const override { return m_instance; }

    /// The options given, and what the attributes of the instance say.
    void setOptions(TracerOptions options);

private:
    void setField(std::shared_ptr<Tracer> tracer);
    bool overrides(const char* method) const;
    /// A method of torch.fx.Tracer as the instance's own attribute, which the library's text calls.
    void setNative(const char* name, NativeObject::Call call);
    /// What the library's methods, which an overriding one may call, do in the end.
    void setNatives();

    static Opcode opcodeOf(Evaluator& evaluator, const Value& kind);
    Target targetOf(Evaluator& evaluator, const Value& target);
    /// The type of a node as a method of the program's is given it.
    Value typeValue(const std::optional<std::string>& type) const;

    /// What the instance's own proxy() makes of the node of a proxy, if it has one.
    Value asOwnProxy(Value proxy);

    Value m_instance;
    std::vector<std::pair<const char*, Value>> m_natives; ///< those of the instance that are this tracer's
    TraceArguments* m_arguments = nullptr;                ///< while the traced function's are made
    Value m_attributeCache; ///< what getattr() of the program's is given to remember proxies in
    bool m_ownsLeaves = false, m_ownsPaths = false, m_ownsCalls = false, m_ownsArguments = false,
         m_ownsProxies = false, m_ownsTruth = false, m_ownsIteration = false, m_ownsKeys = false,
         m_ownsNodes = false, m_ownsProxyClass = false, m_ownsAttributes = false, m_ownsRoot = false,
         m_ownsNames = false;
};

/// The tracer that the instance has; null: none.
Tracer* recordingTracer(const Value& instance);
/// The tracer that records what is done with proxies of `instance`: the one that is at work for it, else one
/// at the end of its graph.
Tracer& requireTracerOf(Evaluator& evaluator, const Value& instance);

} // namespace fx
