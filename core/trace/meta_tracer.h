// SPDX-License-Identifier: GPL-3.0-or-later
// torch.fx's MetaTracer: each node is run on the meta device as soon as it is recorded, so that sizes, dtypes
// and flags are at hand while tracing, and control flow that depends on them alone is followed.
// Beyond torch.fx's: weights need not be on the meta device, branches and loops over what is known are
// followed, x[i] = y is recorded, and each node keeps the shape that was found. As in the tracer of
// transformers, arguments with a default and without an example keep the default, and are no inputs.
#pragma once

#include "core/trace/tracer.h"

#include <unordered_map>

namespace fx {

/// What asks for it where a tracer is named.
inline constexpr std::string_view kMetaTracer = "meta";

class MetaTracer : public Tracer {
public:
    /// `given`: a dict of examples by the names of arguments; of tensors only what the meta device knows
    /// counts.
    MetaTracer(Evaluator* evaluator, const Value& given);

    std::string pathOfModule(const Value& module) override;
    Value callModule(const Value& module, const std::function<Value(Values, NamedValues)>& forward,
                     Values args, NamedValues kwargs) override;
    Value createProxy(Opcode opcode, Target target, const Values& args, const NamedValues& kwargs,
                      std::optional<std::string_view> name = std::nullopt,
                      std::optional<std::string> type = std::nullopt) override;
    Value moduleAttribute(const Value& module, const std::string& name, const Value& found) override;
    bool toBool(const Value& proxy) override;
    Value iter(const Value& proxy) override;
    int64_t length(const Value& proxy) override;
    std::optional<Value> proxyAttribute(const Value& proxy, const std::string& name) override;
    bool setItem(const Value& proxy, const Value& index, const Value& value) override;
    void recorded(NodeId node, const Value& value) override;
    std::optional<Value> argumentInstead(const std::string& name,
                                         const std::optional<Value>& defaultValue) override;
    Value callRoot(const TraceArguments& arguments, const Value& function, const Values& args) override;

private:
    void learn(NodeId node, const Value& value);
    /// What the proxy will be, with tensors on the meta device; none where it is not known.
    std::optional<Value> known(const Value& proxy);
    /// The same for what holds proxies.
    std::optional<Value> knownOf(const Value& value);
    std::optional<Values> knownOfAll(Values values);
    /// The node's value, from those of its arguments; none where one of them is not known.
    std::optional<Value> run(Opcode opcode, Target target, const Values& args, const NamedValues& kwargs);

    Value m_given;
    std::unordered_map<int64_t, Value> m_known;                           ///< by the node's id
    const std::function<Value(Values, NamedValues)>* m_forward = nullptr; ///< of the module that is called
    bool m_isRunning = false; ///< a node is being run: modules are called, not recorded
};

} // namespace fx
