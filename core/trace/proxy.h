// SPDX-License-Identifier: GPL-3.0-or-later
// Tracing C++ code: a callable on Proxies is recorded as a graph, with operators, methods and functions by
// name.
//   Traced t = traceCallable({"x", "y"}, [](const std::vector<Proxy>& in) {
//       return callFunction("torch.relu", {in[0] + in[1]}).method("sum", {}, {{"dim", -1}});
//   });
#pragma once

#include "core/trace/tracer.h"

#include <functional>
#include <string>
#include <vector>

namespace fx {

class Proxy;

/// What a recorded call may be given: a Proxy, a number, a text, None, a list or tuple of them, any Argument.
class ProxyArgument {
public:
    ProxyArgument(const Proxy& proxy); // NOLINT: all of these are arguments
    ProxyArgument(Argument constant) : m_argument(std::move(constant)) {}
    ProxyArgument(bool value) : m_argument(value) {}
    ProxyArgument(int value) : m_argument(value) {}
    ProxyArgument(int64_t value) : m_argument(value) {}
    ProxyArgument(double value) : m_argument(value) {}
    ProxyArgument(const char* value) : m_argument(value) {}
    static ProxyArgument list(const std::vector<ProxyArgument>& items);
    static ProxyArgument tuple(const std::vector<ProxyArgument>& items);

    const Argument& argument() const { return m_argument; }
    Tracer* tracer() const { return m_tracer; }

private:
    Argument m_argument;
    Tracer* m_tracer = nullptr;
};

using ProxyArguments = std::vector<ProxyArgument>;
using ProxyKeywords = std::vector<std::pair<std::string, ProxyArgument>>;

/// A value that is computed when the graph runs.
class Proxy {
public:
    Proxy(Tracer& tracer, NodeId node) : m_tracer(&tracer), m_node(node) {}
    NodeId node() const { return m_node; }
    Tracer& tracer() const { return *m_tracer; }

    /// self.name(args..., kwargs...)
    Proxy method(std::string_view name, ProxyArguments args = {}, ProxyKeywords kwargs = {}) const;
    /// getattr(self, name)
    Proxy attribute(std::string_view name) const;
    Proxy operator[](const ProxyArgument& index) const;
    Proxy operator-() const;

private:
    Tracer* m_tracer;
    NodeId m_node;
};

/// A call of "torch.relu", "operator.add"; at least one of the arguments is a Proxy or holds one.
Proxy callFunction(Target function, ProxyArguments args, ProxyKeywords kwargs = {});

Proxy operator+(const ProxyArgument& a, const ProxyArgument& b);
Proxy operator-(const ProxyArgument& a, const ProxyArgument& b);
Proxy operator*(const ProxyArgument& a, const ProxyArgument& b);
Proxy operator/(const ProxyArgument& a, const ProxyArgument& b);
/// torch.matmul's operator, `a @ b`.
Proxy matmul(const ProxyArgument& a, const ProxyArgument& b);

/// Records what the callable does with one Proxy for each parameter ("x", "*args").
Traced traceCallable(const std::vector<std::string>& parameters,
                     const std::function<ProxyArgument(const std::vector<Proxy>&)>& callable);

} // namespace fx
