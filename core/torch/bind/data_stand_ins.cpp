// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bind/data_stand_ins.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

namespace fx {

namespace {
thread_local DataStandIns* currentStandIns = nullptr;
}

DataStandIns::DataStandIns(uint64_t seed) : m_seed(seed), m_before(currentStandIns) {
    currentStandIns = this;
}

DataStandIns::~DataStandIns() {
    currentStandIns = m_before;
}

DataStandIns* DataStandIns::current() {
    return currentStandIns;
}

at::Tensor DataStandIns::dataFor(const at::Tensor& meta) {
    const void* key = meta.storage().unsafeGetStorageImpl();
    const auto [entry, isNew] = m_seeds.try_emplace(key, meta, m_seed * 1000003 + m_seeds.size());
    const at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(entry->second.second);
    // A number for itself is a small count; of many, a share that is this memory's own is not zero.
    if (meta.numel() == 1 && meta.scalar_type() != c10::ScalarType::Bool)
        return at::randint(2, 10, meta.sizes(), generator).to(meta.scalar_type());
    const double share = 0.2 + 0.6 * at::rand({}, generator).item<double>();
    const at::Tensor chosen = at::rand(meta.sizes(), generator).lt(share);
    if (meta.scalar_type() == c10::ScalarType::Bool)
        return chosen;
    const auto most = at::randint(4, 64, {}, generator).item<int64_t>();
    return (at::randint(1, most, meta.sizes(), generator) * chosen).to(meta.scalar_type());
}

} // namespace fx
