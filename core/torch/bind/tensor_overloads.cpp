// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bind/tensor_overloads.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <memory>
#include <mutex>
#include <unordered_map>

namespace fx {

namespace {

/// Is told of operators as libraries that are loaded register them, from any thread.
class OverloadIndex : public c10::OpRegistrationListener {
public:
    void onOperatorRegistered(const c10::OperatorHandle& op) override {
        const std::lock_guard lock(m_mutex);
        m_overloads[op.operator_name().name].push_back(op.operator_name());
    }
    void onOperatorDeregistered(const c10::OperatorHandle& op) override {
        const std::lock_guard lock(m_mutex);
        std::erase(m_overloads[op.operator_name().name], op.operator_name());
    }
    std::vector<c10::OperatorName> of(const std::string& name) {
        const std::lock_guard lock(m_mutex);
        const auto found = m_overloads.find(name);
        return found == m_overloads.end() ? std::vector<c10::OperatorName>() : found->second;
    }

private:
    std::mutex m_mutex;
    std::unordered_map<std::string, std::vector<c10::OperatorName>> m_overloads;
};

/// The dispatcher keeps it.
OverloadIndex& overloadIndex() {
    static OverloadIndex* index = nullptr;
    static const c10::RegistrationHandleRAII handle = [] {
        auto own = std::make_unique<OverloadIndex>();
        index = own.get();
        return c10::Dispatcher::singleton().addRegistrationListener(std::move(own));
    }();
    return *index;
}

} // namespace

std::vector<const TorchOperator*> findTensorOverloads(const std::string& qualifiedName) {
    std::vector<const TorchOperator*> out;
    for (const c10::OperatorName& name : overloadIndex().of(qualifiedName))
        if (const TorchOperator* op = findOperator(operatorTarget(name)))
            out.push_back(op);
    return out.empty() ? findOverloads(qualifiedName) : out;
}

} // namespace fx
