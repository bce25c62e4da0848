// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/host/function_modes.h"

#include "core/python/types/support.h"
#include "core/torch/host/function_overrides.h"
#include "core/torch/host/function_table.h"

#include <ATen/core/Tensor.h>

namespace fx {

namespace {

/// The innermost mode is off while it lives.
class Suspended {
public:
    explicit Suspended(Values& modes) : m_modes(modes), m_mode(std::move(modes.back())) { modes.pop_back(); }
    ~Suspended() { m_modes.push_back(std::move(m_mode)); }
    Suspended(const Suspended&) = delete;
    Suspended& operator=(const Suspended&) = delete;
    const Value& mode() const { return m_mode; }

private:
    Values& m_modes;
    Value m_mode;
};

} // namespace

Value FunctionModes::ask(Evaluator& evaluator, const Value& function, Values args, NamedValues kwargs) {
    Values types = overloadedTypes(evaluator, function, args, kwargs);
    DictObject named;
    for (auto& [name, value] : kwargs)
        named.set(name, std::move(value));
    const Suspended off(m_modes);
    return evaluator.callMethod(
        off.mode(), "__torch_function__",
        {function, makeTuple(std::move(types)), makeTuple(std::move(args)), Object{std::move(named)}});
}

Value FunctionModes::callMethod(Evaluator& evaluator, const std::string& name, Values args) {
    return ask(evaluator, evaluator.attribute(evaluator.type("Tensor"), name), std::move(args), {});
}

Value FunctionModes::operate(Evaluator& evaluator, Operator op, Values operands, bool isInPlace) {
    auto [name, args] = tensorMethodOf(op, std::move(operands), isInPlace);
    return callMethod(evaluator, name, std::move(args));
}

std::optional<Value> FunctionModes::interceptCall(Evaluator& evaluator, const Value& function, Values& args,
                                                  NamedValues& kwargs) {
    if (!areOn())
        return std::nullopt;
    if (const auto* method = function.as<MethodObject>(); method && plainOf(method->self).isTensor()) {
        const std::string name = method->name;
        args.insert(args.begin(), method->self);
        return ask(evaluator, evaluator.attribute(evaluator.type("Tensor"), name), std::move(args),
                   std::move(kwargs));
    }
    const auto* callee = function.as<FunctionObject>();
    if (!callee || callee->target.name().starts_with("torch.ops.") || !isFunctionOfTorch(callee->target))
        return std::nullopt;
    return ask(evaluator, function, std::move(args), std::move(kwargs));
}

void FunctionModes::addTo(Evaluator& evaluator) {
    const auto native = [&](const char* name, NativeObject::Call work) {
        evaluator.builtins().set(name, makeNative(name, std::move(work)));
    };
    native("_function_mode_enter", [this](Evaluator& e, Values& args, NamedValues&) {
        if (!m_isAsked)
            e.hosts().addInterceptor(*this); // most programs have no mode, and calls are many
        m_isAsked = true;
        m_modes.push_back(args.at(0));
        return Value();
    });
    native("_function_mode_leave", [this](Evaluator&, Values&, NamedValues&) {
        const Value mode = m_modes.empty() ? Value() : m_modes.back();
        if (areOn())
            m_modes.pop_back();
        return mode;
    });
    native("_function_modes", [this](Evaluator&, Values&, NamedValues&) { return makeList(m_modes); });
}

} // namespace fx
