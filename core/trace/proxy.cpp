// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/proxy.h"

#include "core/base/error.h"

namespace fx {

namespace {

Tracer& tracerOf(const ProxyArguments& args, const ProxyKeywords& kwargs) {
    for (const ProxyArgument& argument : args)
        if (argument.tracer())
            return *argument.tracer();
    for (const auto& [name, argument] : kwargs)
        if (argument.tracer())
            return *argument.tracer();
    throw Error("", "a recorded call needs a Proxy among its arguments");
}

Proxy record(Tracer& tracer, Opcode opcode, Target target, const ProxyArguments& args,
             const ProxyKeywords& kwargs) {
    Arguments positional;
    for (const ProxyArgument& argument : args)
        positional.push_back(argument.argument());
    Keywords keywords;
    for (const auto& [name, argument] : kwargs)
        keywords.emplace_back(name, argument.argument());
    return {tracer, tracer.createNode(opcode, target, std::move(positional), std::move(keywords))};
}

template <class Container>
Argument gathered(const std::vector<ProxyArgument>& items) {
    Container out;
    for (const ProxyArgument& item : items)
        out.items.push_back(item.argument());
    return out;
}

} // namespace

ProxyArgument::ProxyArgument(const Proxy& proxy) : m_argument(proxy.node()), m_tracer(&proxy.tracer()) {}

ProxyArgument ProxyArgument::list(const std::vector<ProxyArgument>& items) {
    ProxyArgument out(gathered<ListValue>(items));
    for (const ProxyArgument& item : items)
        out.m_tracer = out.m_tracer ? out.m_tracer : item.m_tracer;
    return out;
}

ProxyArgument ProxyArgument::tuple(const std::vector<ProxyArgument>& items) {
    ProxyArgument out(gathered<TupleValue>(items));
    for (const ProxyArgument& item : items)
        out.m_tracer = out.m_tracer ? out.m_tracer : item.m_tracer;
    return out;
}

Proxy Proxy::method(std::string_view name, ProxyArguments args, ProxyKeywords kwargs) const {
    args.insert(args.begin(), *this);
    return record(*m_tracer, Opcode::CallMethod, name, args, kwargs);
}

Proxy Proxy::attribute(std::string_view name) const {
    return record(*m_tracer, Opcode::CallFunction, "getattr", {*this, Argument(std::string(name))}, {});
}

Proxy Proxy::operator[](const ProxyArgument& index) const {
    return record(*m_tracer, Opcode::CallFunction, "operator.getitem", {*this, index}, {});
}

Proxy Proxy::operator-() const {
    return record(*m_tracer, Opcode::CallFunction, "operator.neg", {*this}, {});
}

Proxy callFunction(Target function, ProxyArguments args, ProxyKeywords kwargs) {
    return record(tracerOf(args, kwargs), Opcode::CallFunction, function, args, kwargs);
}

Proxy operator+(const ProxyArgument& a, const ProxyArgument& b) {
    return callFunction("operator.add", {a, b});
}
Proxy operator-(const ProxyArgument& a, const ProxyArgument& b) {
    return callFunction("operator.sub", {a, b});
}
Proxy operator*(const ProxyArgument& a, const ProxyArgument& b) {
    return callFunction("operator.mul", {a, b});
}
Proxy operator/(const ProxyArgument& a, const ProxyArgument& b) {
    return callFunction("operator.truediv", {a, b});
}
Proxy matmul(const ProxyArgument& a, const ProxyArgument& b) {
    return callFunction("operator.matmul", {a, b});
}

Traced traceCallable(const std::vector<std::string>& parameters,
                     const std::function<ProxyArgument(const std::vector<Proxy>&)>& callable) {
    Tracer tracer(nullptr);
    std::vector<Proxy> inputs;
    for (const std::string& parameter : parameters)
        inputs.emplace_back(tracer, tracer.createNode(Opcode::Placeholder, parameter, {}, {}));
    tracer.createNode(Opcode::Output, "output", {callable(inputs).argument()}, {});
    return tracer.take();
}

} // namespace fx
