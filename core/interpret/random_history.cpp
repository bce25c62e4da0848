// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/random_history.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <utility>

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

bool RandomHistory::look() {
    std::vector<at::Tensor> now;
    for (at::Generator generator : m_generators) {
        const std::lock_guard lock(generator.mutex());
        now.push_back(generator.get_state());
    }
    if (!m_states.empty() && std::equal(now.begin(), now.end(), m_states.back().begin(), isSame))
        return false;
    m_states.push_back(std::move(now));
    return m_states.size() > 1;
}

bool RandomHistory::settle() {
    return !std::exchange(m_isKnown, true) && look();
}

bool RandomHistory::note(NodeRef node, bool mayDraw) {
    const bool hasDrawn = settle();
    m_isKnown = !mayDraw;
    std::vector<size_t>& before = m_before[node.module];
    const auto index = static_cast<size_t>(node.node.value);
    if (index >= before.size())
        before.resize(index + 1);
    before[index] = m_states.size();
    return hasDrawn;
}

void RandomHistory::restoreLast() {
    if (!m_states.empty())
        restore(m_states.size() - 1);
}

void RandomHistory::restore(NodeRef node) {
    const std::vector<size_t>& before = m_before[node.module];
    const auto index = static_cast<size_t>(node.node.value);
    if (index >= before.size() || before[index] == 0)
        return;
    restore(before[index] - 1);
}

void RandomHistory::restore(size_t state) {
    for (size_t i = 0; i < m_generators.size(); ++i) {
        const std::lock_guard lock(m_generators[i].mutex());
        m_generators[i].set_state(m_states[state][i]);
    }
    disturb();
}

} // namespace fx
