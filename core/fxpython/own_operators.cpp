// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fxpython/own_operators.h"

#include "core/capture/python_call.h"
#include "core/python/types/support.h"
#include "core/torch/bind/operator_effects.h"
#include "core/torch/bind/tensor_overloads.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/jit/frontend/function_schema_parser.h>

#include <algorithm>
#include <map>

namespace fx {

namespace {

const char* const kRegistrationType = "torch.library.Registration";

/// A function of the program does the work of an operator.
class ProgramKernel : public c10::OperatorKernel {
public:
    ProgramKernel(Evaluator& evaluator, Value function)
        : m_evaluator(evaluator), m_function(std::move(function)) {}

    void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet, torch::jit::Stack* stack) {
        callInstead(m_evaluator, m_function, op.schema(), *stack);
    }

private:
    Evaluator& m_evaluator;
    Value m_function;
};

/// What LibTorch says of a definition that it does not take, without the places in its own sources.
template <typename Work>
auto registered(const Work& work) {
    try {
        return work();
    } catch (const c10::Error& error) {
        raise("RuntimeError", error.what_without_backtrace());
    }
}

Value asHandle(std::shared_ptr<void> registration) {
    return Object{HandleObject{nullptr, kRegistrationType, std::move(registration)}};
}

/// A definition: calls that were bound to it point at its schema, so that it stays while the process runs. A
/// program that has let go of it may define it again.
class OwnOperator {
public:
    explicit OwnOperator(c10::FunctionSchema schema)
        : m_schema(std::move(schema)), m_registration(registered([this] {
              return c10::Dispatcher::singleton().registerDef(c10::FunctionSchema(m_schema), "a program");
          })) {
        declareEffect(m_schema.name(), m_schema.is_mutable() ? OperatorEffect::Writes : OperatorEffect::Pure);
    }

    /// What a program holds; throws a RuntimeError where one holds it, or where it was defined otherwise.
    std::shared_ptr<void> hold(const c10::FunctionSchema& schema) {
        if (!m_holder.expired() || schema != m_schema)
            raise("RuntimeError", "Tried to register an operator (" + c10::toString(schema) +
                                      ") with the same name and overload name multiple times");
        const auto holder = std::make_shared<bool>();
        m_holder = holder;
        return holder;
    }

    /// "namespace::name".
    const std::string& name() const { return m_schema.name(); }

private:
    c10::FunctionSchema m_schema;
    c10::RegistrationHandleRAII m_registration;
    std::weak_ptr<bool> m_holder;
};

/// By "namespace::name.overload".
std::map<std::string, OwnOperator>& ownOperators() {
    static auto* operators = new std::map<std::string, OwnOperator>; // LibTorch's dispatcher may go before
    return *operators;
}

std::shared_ptr<void> define(const std::string& space, const std::string& text) {
    c10::FunctionSchema schema =
        registered([&] { return torch::jit::parseSchema(text, /*allow_typevars=*/true); });
    schema.setNamespaceIfNotSet(space.c_str());
    const std::string name = c10::toString(schema.operator_name());
    const auto found = ownOperators().find(name);
    if (found != ownOperators().end())
        return found->second.hold(schema);
    // What is known of an effect is known by the name without the overload.
    const bool isNameOwn = std::ranges::any_of(
        ownOperators(), [&](const auto& own) { return own.second.name() == schema.name(); });
    if (!isNameOwn && !findTensorOverloads(schema.name()).empty())
        raise("NotImplementedError", "not supported: another overload of " + schema.name() +
                                         ", which the program has not defined; use it in Python");
    return ownOperators().try_emplace(name, schema).first->second.hold(schema);
}

/// Kernels of PyTorch's own operators are not replaced: other graphs of this process call them.
void requireOwn(const c10::OperatorName& name) {
    if (!ownOperators().contains(c10::toString(name)) && c10::Dispatcher::singleton().findSchema(name))
        raise("NotImplementedError", "not supported: another kernel for " + c10::toString(name) +
                                         ", which the program has not defined; use it in Python");
}

std::optional<c10::DispatchKey> dispatchKey(const std::string& name) {
    if (name.empty())
        return c10::DispatchKey::CompositeImplicitAutograd;
    try {
        return c10::parseDispatchKey(name);
    } catch (const c10::Error&) {
        raise("RuntimeError", "could not parse dispatch key: " + name);
    }
}

} // namespace

void addOwnOperators(NativeModule& module) {
    // ("namespace", "name(Tensor x) -> Tensor"): the definition, for as long as it is held
    module.add("define_operator", 2, 2, [](Evaluator&, Values& args) {
        return asHandle(define(textArgument("ns", args[0]), textArgument("schema", args[1])));
    });
    // ("namespace::name", "overload", "dispatch key", function): what does the work, for as long as it is
    // held
    module.add("implement_operator", 4, 4, [](Evaluator& evaluator, Values& args) {
        const c10::OperatorName name(textArgument("name", args[0]), textArgument("overload", args[1]));
        requireOwn(name);
        const std::optional<c10::DispatchKey> key = dispatchKey(textArgument("key", args[2]));
        auto kernel = c10::KernelFunction::makeFromBoxedFunctor<ProgramKernel>(
            std::make_unique<ProgramKernel>(evaluator, args[3]));
        return asHandle(std::make_shared<c10::RegistrationHandleRAII>(registered([&] {
            return c10::Dispatcher::singleton().registerImpl(name, key, std::move(kernel), std::nullopt,
                                                             nullptr, "a program");
        })));
    });
    // (function, its arguments): its result; what it calls keeps no track for gradients.
    module.add("call_below_autograd", 2, 2, [](Evaluator& evaluator, Values& args) {
        const at::AutoDispatchBelowAutograd below;
        return evaluator.call(args[0], evaluator.items(args[1]));
    });
}

} // namespace fx
