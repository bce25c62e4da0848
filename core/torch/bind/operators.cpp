// SPDX-License-Identifier: GPL-3.0-or-later
// The dispatcher first; TorchScript's registry has the few operators that Python can name beside it
// (prim::device).
#include "core/torch/bind/operators.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/torch/bind/operator_bounds.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/jit/frontend/function_schema_parser.h>
#include <torch/csrc/jit/runtime/operator.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <unordered_map>

namespace fx {

namespace {

using torch::jit::Stack;

/// What stays within the program always is called as it is, at no cost.
StackCall withinReach(const TorchOperator& op, StackCall call) {
    if (op.effect != OperatorEffect::Outside && op.effect != OperatorEffect::Unknown)
        return call;
    return [call = std::move(call), name = op.schema->operator_name(), effect = op.effect](Stack& stack) {
        requireReach(name, effect);
        call(stack);
    };
}

/// oneDNN's operators over its own layouts and over integers give no gradients, and would not say so.
StackCall withoutGradients(const TorchOperator& op, StackCall call) {
    const std::string& name = op.schema->name();
    if (!name.starts_with("mkldnn::_") && !name.starts_with("onednn::"))
        return call;
    return [call = std::move(call), name](Stack& stack) {
        const auto wantsGradient = [](const c10::IValue& value) {
            return value.isTensor() && value.toTensor().defined() && value.toTensor().requires_grad();
        };
        if (at::GradMode::is_enabled() && std::ranges::any_of(stack, wantsGradient))
            throw Error("", name + " has no gradient")
                .kind("RuntimeError")
                .hint("run without gradients, or undo the lowering to oneDNN");
        call(stack);
    };
}

class Registry {
public:
    const TorchOperator* find(Target target) {
        std::lock_guard lock(m_mutex);
        const TorchOperator*& known = m_byTarget[target];
        if (known)
            return known; // a miss is looked up again: a library may have been loaded since
        // "torch.ops.NAMESPACE.NAME.OVERLOAD", where a name may not hold a dot.
        const std::vector<std::string_view> parts = split(std::string_view(target.name()).substr(10), '.');
        if (parts.size() == 3) {
            const std::string overload(parts[2] == "default" ? std::string_view() : parts[2]);
            known = findLocked({std::string(parts[0]) + "::" + std::string(parts[1]), overload});
        }
        return known;
    }

    std::vector<const TorchOperator*> overloads(const std::string& qualifiedName) {
        if (qualifiedName.empty())
            return {};
        const auto all = torch::jit::getAllSortedOperatorsFor(c10::Symbol::fromQualString(qualifiedName));
        std::lock_guard lock(m_mutex);
        std::vector<const TorchOperator*> found;
        for (const auto& each : all)
            if (const TorchOperator* op = findLocked(each->schema().operator_name()))
                found.push_back(op);
        if (found.empty())
            for (const auto& [name, schema] : m_declared)
                if (schema.name() == qualifiedName)
                    found.push_back(findLocked(schema.operator_name()));
        return found;
    }

    void declare(c10::FunctionSchema schema) {
        std::lock_guard lock(m_mutex);
        const std::string name = c10::toString(schema.operator_name());
        m_declared.try_emplace(name, std::move(schema)); // others may be reading the one that is there
    }

private:
    const TorchOperator* findLocked(const c10::OperatorName& name) {
        std::unique_ptr<TorchOperator>& known = m_operators[c10::toString(name)];
        if (!known)
            known = make(name);
        return known.get();
    }

    std::unique_ptr<TorchOperator> make(const c10::OperatorName& name) {
        auto op = std::make_unique<TorchOperator>();
        op->effect = effectOf(name.name);
        if (const auto handle = c10::Dispatcher::singleton().findSchema(name)) {
            op->schema = &handle->schema();
            op->call = withoutGradients(
                *op, withinReach(*op, callWithinBounds(*op->schema, [handle = *handle](Stack& stack) {
                    handle.callBoxed(stack);
                })));
            return op;
        }
        if (const auto scripted = torch::jit::findOperatorFor(name)) {
            op->schema = &scripted->schema();
            op->call = withinReach(
                *op, callWithinBounds(*op->schema, [operation = scripted->getOperation(),
                                                    scripted](Stack& stack) mutable { operation(stack); }));
            return op;
        }
        if (const auto declared = m_declared.find(c10::toString(name)); declared != m_declared.end()) {
            op->schema = &declared->second;
            op->call = [name](Stack&) {
                throw Error("", c10::toString(name) + " comes from a library that is not loaded here");
            };
            return op;
        }
        return nullptr;
    }

    std::mutex m_mutex;
    std::unordered_map<std::string, std::unique_ptr<TorchOperator>> m_operators;
    std::unordered_map<Target, const TorchOperator*> m_byTarget;
    std::map<std::string, c10::FunctionSchema> m_declared;
};

Registry& registry() {
    static Registry instance;
    return instance;
}

} // namespace

const TorchOperator* findOperator(Target target) {
    return target.isOperatorOverload() ? registry().find(target) : nullptr;
}

Target operatorTarget(const c10::OperatorName& name) {
    const size_t colons = name.name.find("::");
    return Target("torch.ops." + name.name.substr(0, colons) + '.' + name.name.substr(colons + 2) + '.' +
                  (name.overload_name.empty() ? "default" : name.overload_name));
}

std::string packetOf(const std::string& name) {
    constexpr std::string_view kHead = "torch.ops.";
    if (!name.starts_with(kHead))
        return {};
    const size_t dot = name.find('.', kHead.size());
    if (dot == std::string::npos || name.find('.', dot + 1) != std::string::npos)
        return {};
    return name.substr(kHead.size(), dot - kHead.size()) + "::" + name.substr(dot + 1);
}

std::vector<const TorchOperator*> findOverloads(const std::string& qualifiedName) {
    return registry().overloads(qualifiedName);
}

void declareOperator(const std::string& schema) {
    registry().declare(torch::jit::parseSchema(schema));
}

} // namespace fx
