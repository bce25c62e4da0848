// SPDX-License-Identifier: GPL-3.0-or-later
// Damage for zip archives: to their bytes, and to the JSON inside, put together again with right checksums.
#pragma once

#include "core/io/json.h"

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace fx {

struct Sample {
    std::string bytes;
    std::vector<std::pair<std::string, std::string>> records;
};

/// A zip of uncompressed records, with right checksums.
std::string zipOf(const std::vector<std::pair<std::string, std::string>>& records);
/// A sound archive, taken apart.
Sample readSample(const std::string& path);

class Mutator {
public:
    explicit Mutator(uint64_t seed) : m_random(seed) {}
    size_t below(size_t count) { return m_random() % count; }
    /// The sample with one kind of damage, more often inside records than to the zip itself.
    std::string damaged(const Sample& sample);
    /// A few bytes changed, left out, put in or cut off.
    std::string damagedBytes(std::string bytes);

private:
    std::string damagedRecord(const std::string& record);
    std::string damagedJson(const std::string& text);
    void change(Json& value);
    void collect(Json& value, std::vector<Json*>& places);
    Json oddValue();

    std::mt19937_64 m_random;
};

} // namespace fx
