// SPDX-License-Identifier: GPL-3.0-or-later
// Seeding of numpy's generators.
#include "core/torch/values/random_bits.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>

namespace fx {

namespace {

__extension__ using Wide = unsigned __int128;

std::array<int64_t, kTwisterWords> twisterWords(uint32_t seed) {
    std::array<int64_t, kTwisterWords> words{};
    for (int at = 0; at < kTwisterWords; ++at) {
        words[at] = seed;
        seed = 1812433253U * (seed ^ seed >> 30) + static_cast<uint32_t>(at) + 1;
    }
    return words;
}

/// numpy's SeedSequence: mixes the seed into a pool of four words, and expands the pool.
std::array<uint32_t, 8> seedSequence(const std::vector<uint32_t>& entropy) {
    constexpr size_t kPool = 4;
    uint32_t constant = 0x43b0d7e5U;
    const auto stirred = [](uint32_t value, uint32_t& constant, uint32_t multiplier) {
        value ^= constant;
        constant *= multiplier;
        value *= constant;
        return value ^ value >> 16;
    };
    const auto hashed = [&](uint32_t value) { return stirred(value, constant, 0x931e8875U); };
    const auto mixed = [](uint32_t x, uint32_t y) {
        const uint32_t value = 0xca01f9ddU * x - 0x4973f715U * y;
        return value ^ value >> 16;
    };
    std::array<uint32_t, kPool> pool{};
    for (size_t at = 0; at < kPool; ++at)
        pool[at] = hashed(at < entropy.size() ? entropy[at] : 0);
    for (size_t from = 0; from < kPool; ++from)
        for (size_t to = 0; to < kPool; ++to)
            if (from != to)
                pool[to] = mixed(pool[to], hashed(pool[from]));
    for (size_t from = kPool; from < entropy.size(); ++from)
        for (uint32_t& word : pool)
            word = mixed(word, hashed(entropy[from]));
    std::array<uint32_t, 8> out{};
    constant = 0x8b51f9ddU;
    for (size_t at = 0; at < out.size(); ++at)
        out[at] = stirred(pool[at % kPool], constant, 0x58f38dedU);
    return out;
}

} // namespace

at::Tensor seedTwister(const std::vector<uint32_t>& words, bool isKey) {
    at::Tensor state = at::zeros({kTwisterSize}, at::kLong);
    int64_t* const data = state.mutable_data_ptr<int64_t>();
    data[kTwisterWords] = kTwisterWords;
    std::ranges::copy(twisterWords(isKey ? 19650218U : words.at(0)), data);
    if (!isKey)
        return state;
    int at = 1;
    const auto stir = [&](uint32_t multiplier, int64_t added) {
        const auto last = static_cast<uint32_t>(data[at - 1]);
        data[at] = static_cast<uint32_t>((data[at] ^ (last ^ last >> 30) * multiplier) + added);
        if (++at == kTwisterWords) {
            data[0] = data[kTwisterWords - 1];
            at = 1;
        }
    };
    for (size_t round = 0; round < std::max<size_t>(kTwisterWords, words.size()); ++round) {
        const size_t used = round % words.size();
        stir(1664525U, static_cast<int64_t>(words[used]) + static_cast<int64_t>(used));
    }
    for (int round = 1; round < kTwisterWords; ++round)
        stir(1566083941U, -at);
    data[0] = 0x80000000;
    return state;
}

at::Tensor seedPermuted(const std::vector<uint32_t>& words) {
    const std::array<uint32_t, 8> seed = seedSequence(words);
    const auto word = [&](size_t at) { return static_cast<uint64_t>(seed[2 * at + 1]) << 32 | seed[2 * at]; };
    const auto wide = [&](size_t at) { return static_cast<Wide>(word(at)) << 64 | word(at + 1); };
    at::Tensor state = at::zeros({kPermutedSize}, at::kLong);
    int64_t* const data = state.mutable_data_ptr<int64_t>();
    const auto put = [&](int at, Wide value) {
        data[at] = static_cast<int64_t>(static_cast<uint64_t>(value >> 64));
        data[at + 1] = static_cast<int64_t>(static_cast<uint64_t>(value));
    };
    const Wide increment = wide(2) << 1 | 1;
    put(0, increment + wide(0)); // the first step, of 0, gives the increment
    put(2, increment);
    drawDoubles(state, 1);
    return state;
}

} // namespace fx
