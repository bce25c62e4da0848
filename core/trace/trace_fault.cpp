// SPDX-License-Identifier: GPL-3.0-or-later
// What cannot be traced, how far a trace came that cannot go on, and what could help.
#include "core/base/text.h"
#include "core/python/exceptions.h"
#include "core/trace/tracer.h"

namespace fx {

namespace trace_text {
const char* const kControlFlow = "symbolically traced variables cannot be used as inputs to control flow";
const char* const kIteration =
    "Proxy object cannot be iterated. This can be attempted when the Proxy is used in a loop or as a *args "
    "or **kwargs "
    "function argument. See the torch.fx docs on pytorch.org for a more detailed explanation of what types "
    "of control "
    "flow can be traced, and check out the Proxy docstring for help troubleshooting Proxy iteration errors";
} // namespace trace_text

bool Tracer::toBool(const Value& proxy) {
    m_undecided = proxy;
    raise("TraceError", trace_text::kControlFlow);
}

Value Tracer::iter(const Value& proxy) {
    m_undecided = proxy;
    raise("TraceError", trace_text::kIteration);
}

int64_t Tracer::length(const Value& proxy) {
    m_undecided = proxy;
    raise("RuntimeError",
          "'len' is not supported in symbolic tracing by default. If you want this call to be "
          "recorded, please call torch.fx.wrap('len') at module scope");
}

void Tracer::noteFault() {
    if (!m_faultScope)
        m_faultScope = m_moduleStack;
    if (!m_faultTrace && m_evaluator)
        m_faultTrace = StackTraces::textOf(m_evaluator->frames().trace());
}

Error Tracer::explained(Error fault) const {
    if (!fault.advice().empty() || fault.kind().empty())
        return fault;
    std::vector<std::string> advice;
    const auto* scope = m_faultScope ? std::get_if<ModuleStack>(m_faultScope.get()) : nullptr;
    std::string type;
    if (scope && !scope->empty()) {
        type = scope->back().type;
        advice.push_back("in module " + scope->back().path + " (" + type + ')');
    }
    if (!m_undecided.isNone()) {
        if (!type.empty())
            advice.push_back("--leaf " + type + " records the module whole");
        advice.insert(advice.end(),
                      {"--concrete-args NAME=VALUE fixes an argument of the model",
                       "--wrap NAME records a function whole",
                       "--tracer meta --meta-args NAME=EXAMPLE follows what sizes and dtypes decide"});
    }
    return std::move(fault).hint(join(advice, "\n"));
}

void Tracer::recordFault(const Error& fault) {
    const std::string message = fault.message().substr(0, fault.message().find('\n'));
    Meta meta;
    meta.set(meta::kModuleStack, m_faultScope);
    meta.set(meta::kStackTrace, m_faultTrace);
    meta.set(meta::kFault, fault.place().empty() ? message : fault.place() + ": " + message);
    Arguments args;
    if (const Value undecided = m_undecided; !undecided.isNone()) // the next node forgets it
        args.push_back(nodeOf(undecided));                        // which it is where that is an attribute
    args.push_back(message);
    const std::string target = fault.kind() == "TraceError" ? "torch.fx.proxy.TraceError"
                               : fault.kind().empty()       ? "RuntimeError"
                                                            : fault.kind();
    edit().createNode(Opcode::CallFunction, target, std::move(args), {}, "trace_ends", std::nullopt,
                      std::move(meta));
}

} // namespace fx
