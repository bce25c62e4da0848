// SPDX-License-Identifier: GPL-3.0-or-later
// Choices at random that are the same for the same seed.
#pragma once

#include <random>
#include <vector>

namespace fx {

class Chance {
public:
    explicit Chance(unsigned seed) : m_random(seed) {}
    size_t below(size_t count) { return m_random() % count; }
    template <class T>
    const T& of(const std::vector<T>& items) {
        return items[below(items.size())];
    }

private:
    std::mt19937 m_random;
};

} // namespace fx
