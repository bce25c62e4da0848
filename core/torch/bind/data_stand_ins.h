// SPDX-License-Identifier: GPL-3.0-or-later
// Data for operators on meta whose results depend on it: who wants to know which sizes do so runs twice, each
// time with other data.
#pragma once

#include <ATen/core/Tensor.h>

#include <map>

namespace fx {

/// While it lives, operators of this thread whose results depend on data are given some, drawn by the seed,
/// where they would be refused: the same for the same memory.
class DataStandIns {
public:
    explicit DataStandIns(uint64_t seed);
    ~DataStandIns();
    DataStandIns(const DataStandIns&) = delete;
    DataStandIns& operator=(const DataStandIns&) = delete;

    /// None if nobody wants it.
    static DataStandIns* current();
    bool wasAsked() const { return !m_seeds.empty(); }
    at::Tensor dataFor(const at::Tensor& meta);

private:
    uint64_t m_seed;
    std::map<const void*, std::pair<at::Tensor, uint64_t>> m_seeds; ///< by storage, which a tensor keeps
    DataStandIns* m_before;
};

} // namespace fx
