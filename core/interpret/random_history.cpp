// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/random_history.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cstring>
#include <mutex>

namespace fx {

namespace {

bool isSame(const at::Tensor& a, const at::Tensor& b) {
    return a.nbytes() == b.nbytes() && std::memcmp(a.const_data_ptr(), b.const_data_ptr(), a.nbytes()) == 0;
}

} // namespace

RandomHistory::RandomHistory(std::optional<c10::Device> device)
    : m_generators{at::detail::getDefaultCPUGenerator()} {
    if (device && device->is_cuda())
        m_generators.push_back(at::globalContext().defaultGenerator(*device));
}

void RandomHistory::note(NodeRef node) {
    std::vector<at::Tensor> now;
    for (at::Generator generator : m_generators) {
        const std::lock_guard lock(generator.mutex());
        now.push_back(generator.get_state());
    }
    if (m_states.empty() || !std::equal(now.begin(), now.end(), m_states.back().begin(), isSame))
        m_states.push_back(std::move(now));
    m_before[node] = m_states.size() - 1;
}

void RandomHistory::restore(NodeRef node) {
    const auto found = m_before.find(node);
    if (found == m_before.end())
        return;
    for (size_t i = 0; i < m_generators.size(); ++i) {
        const std::lock_guard lock(m_generators[i].mutex());
        m_generators[i].set_state(m_states[found->second][i]);
    }
}

} // namespace fx
