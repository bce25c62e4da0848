// SPDX-License-Identifier: GPL-3.0-or-later
// MT19937: Matsumoto and Nishimura, 1998. PCG64 (XSL-RR): O'Neill, 2014. Ziggurats: Marsaglia and Tsang,
// 2000, with 256 layers. Numbers below a bound: Lemire, 2019, in Generator; masks of bits in RandomState.
#include "core/torch/values/random_bits.h"

#include "core/base/error.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>

namespace fx {

namespace {

__extension__ using Wide = unsigned __int128;
__extension__ using Quad = __float128;

constexpr int kMiddle = 397;
constexpr int kAt = kTwisterWords, kHasNormal = kAt + 1, kNormal = kAt + 2;
constexpr int kHasHalf = 4, kHalf = 5;

/// A generator whose state lies in a tensor. Generator and RandomState draw in different ways.
class RandomBits {
public:
    explicit RandomBits(const at::Tensor& state) : m_isTwister(state.numel() == kTwisterSize) {
        if (state.scalar_type() != at::kLong || !state.is_contiguous() || !state.is_cpu() ||
            (!m_isTwister && state.numel() != kPermutedSize))
            throw Error("", "the state of a random generator is int64 [627] or [6]").kind("ValueError");
        m_state = state.mutable_data_ptr<int64_t>();
        if (m_isTwister && (m_state[kAt] < 0 || m_state[kAt] > kTwisterWords))
            throw Error("", "the position of a random generator is 0 to 624").kind("ValueError");
    }

    bool isTwister() const { return m_isTwister; }

    uint32_t next32() {
        if (m_isTwister)
            return twisted();
        if (m_state[kHasHalf]) {
            m_state[kHasHalf] = 0;
            return static_cast<uint32_t>(m_state[kHalf]);
        }
        const uint64_t word = permuted();
        m_state[kHasHalf] = 1;
        m_state[kHalf] = static_cast<int64_t>(word >> 32);
        return static_cast<uint32_t>(word);
    }

    uint64_t next64() {
        if (!m_isTwister)
            return permuted();
        const uint64_t high = twisted();
        return high << 32 | twisted();
    }

    double nextDouble() {
        if (!m_isTwister)
            return static_cast<double>(permuted() >> 11) * 0x1p-53;
        const uint32_t high = twisted() >> 5;
        return (high * 67108864.0 + (twisted() >> 6)) / 9007199254740992.0;
    }

    /// Draws by the polar form of Box-Muller; the second number of each pair is kept.
    double nextNormalOfPair() {
        if (m_state[kHasNormal]) {
            m_state[kHasNormal] = 0;
            return std::bit_cast<double>(m_state[kNormal]);
        }
        for (;;) {
            const double x = 2.0 * nextDouble() - 1.0, y = 2.0 * nextDouble() - 1.0;
            const double square = x * x + y * y;
            if (square >= 1.0 || square == 0.0)
                continue;
            const double factor = std::sqrt(-2.0 * std::log(square) / square);
            m_state[kHasNormal] = 1;
            m_state[kNormal] = std::bit_cast<int64_t>(factor * x);
            return factor * y;
        }
    }

private:
    uint32_t twisted() {
        if (m_state[kAt] == kTwisterWords)
            refill();
        auto word = static_cast<uint32_t>(m_state[m_state[kAt]++]);
        word ^= word >> 11;
        word ^= word << 7 & 0x9d2c5680U;
        word ^= word << 15 & 0xefc60000U;
        return word ^ word >> 18;
    }

    void refill() {
        for (int at = 0; at < kTwisterWords; ++at) {
            const auto mixed = static_cast<uint32_t>((m_state[at] & 0x80000000) |
                                                     (m_state[(at + 1) % kTwisterWords] & 0x7fffffff));
            m_state[at] =
                m_state[(at + kMiddle) % kTwisterWords] ^ (mixed >> 1) ^ (mixed & 1 ? 0x9908b0dfU : 0);
        }
        m_state[kAt] = 0;
    }

    uint64_t permuted() {
        constexpr Wide kMultiplier = static_cast<Wide>(0x2360ed051fc65da4) << 64 | 0x4385df649fccf645;
        const auto wide = [&](int at) {
            return static_cast<Wide>(static_cast<uint64_t>(m_state[at])) << 64 |
                   static_cast<uint64_t>(m_state[at + 1]);
        };
        const Wide next = wide(0) * kMultiplier + wide(2);
        const auto high = static_cast<uint64_t>(next >> 64), low = static_cast<uint64_t>(next);
        m_state[0] = static_cast<int64_t>(high);
        m_state[1] = static_cast<int64_t>(low);
        return std::rotr(high ^ low, static_cast<int>(high >> 58));
    }

    bool m_isTwister;
    int64_t* m_state = nullptr;
};

/// Layers of equal area under a decreasing density; layer 0 has the tail. Computed in the precision of
/// numpy's tables.
struct Ziggurat {
    /// `end`: start of the tail; `area`: area of a layer; `scale`: upper bound of the random integers;
    /// `roundedUp`: a layer whose height is one ulp larger in numpy's tables than libm gives.
    template <class Real>
    Ziggurat(Real end, Real area, Real scale, Real (*density)(Real), Real (*inverse)(Real),
             size_t roundedUp = 0) {
        Real x = end, height = density(end);
        factors[255] = static_cast<double>(x / scale);
        heights[255] = static_cast<double>(height);
        limits[0] = static_cast<uint64_t>(x * height / area * scale);
        factors[0] = static_cast<double>(area / height / scale);
        heights[0] = 1.0;
        limits[1] = 0;
        for (size_t layer = 254; layer > 0; --layer) {
            const Real above = inverse(area / x + height);
            limits[layer + 1] = static_cast<uint64_t>(above / x * scale);
            factors[layer] = static_cast<double>(above / scale);
            x = above;
            height = density(x);
            heights[layer] = static_cast<double>(height);
            if (layer == roundedUp)
                height = heights[layer] = std::nextafter(heights[layer], 1.0);
        }
    }

    std::array<double, 256> factors{}, heights{};
    std::array<uint64_t, 256> limits{}; ///< integers below are accepted without a test
};

constexpr double kNormalEnd = 3.6541528853610088;
constexpr long double kExponentialEnd = 7.6971174701310497140446280481L;

/// exp(x) to 30 digits: a Taylor series of x / 1024, squared ten times.
Quad preciseExp(Quad x) {
    Quad term = 1, sum = 1;
    for (int n = 1; n < 14; ++n) {
        term *= x / 1024 / n;
        sum += term;
    }
    for (int doubled = 0; doubled < 10; ++doubled)
        sum *= sum;
    return sum;
}

/// log(y) to 30 digits: one Newton step from the long double result.
Quad preciseLog(Quad y) {
    const Quad near = std::log(static_cast<long double>(y));
    return near + y * preciseExp(-near) - 1;
}

double nextNormal(RandomBits& bits) {
    if (bits.isTwister())
        return bits.nextNormalOfPair();
    static const Ziggurat kLayers(
        kNormalEnd, 0.004928673233974652, 0x1p52, +[](double x) { return std::exp(-0.5 * x * x); },
        +[](double y) { return std::sqrt(-2.0 * std::log(y)); }, 38);
    for (;;) {
        const uint64_t word = bits.next64();
        const size_t layer = word & 0xff;
        const bool isNegative = word >> 8 & 1;
        const uint64_t number = word >> 9 & 0x000fffffffffffff;
        const double size = static_cast<double>(number) * kLayers.factors[layer];
        const double x = isNegative ? -size : size;
        if (number < kLayers.limits[layer])
            return x;
        if (layer == 0) {
            for (;;) {
                const double beyond = -(1.0 / kNormalEnd) * std::log1p(-bits.nextDouble());
                const double height = -std::log1p(-bits.nextDouble());
                if (height + height > beyond * beyond)
                    return number >> 8 & 1 ? -(kNormalEnd + beyond) : kNormalEnd + beyond;
            }
        }
        const double lower = kLayers.heights[layer];
        if ((kLayers.heights[layer - 1] - lower) * bits.nextDouble() + lower < std::exp(-0.5 * x * x))
            return x;
    }
}

double nextExponential(RandomBits& bits) {
    if (bits.isTwister())
        return -std::log(1.0 - bits.nextDouble());
    static const Ziggurat kLayers(
        Quad(kExponentialEnd), (Quad(kExponentialEnd) + 1) * preciseExp(-Quad(kExponentialEnd)), Quad(0x1p53),
        +[](Quad x) { return preciseExp(-x); }, +[](Quad y) { return -preciseLog(y); });
    for (;;) {
        const uint64_t word = bits.next64() >> 3;
        const size_t layer = word & 0xff;
        const uint64_t number = word >> 8;
        const double x = static_cast<double>(number) * kLayers.factors[layer];
        if (number < kLayers.limits[layer])
            return x;
        if (layer == 0)
            return static_cast<double>(kExponentialEnd) - std::log1p(-bits.nextDouble());
        const double lower = kLayers.heights[layer];
        if ((kLayers.heights[layer - 1] - lower) * bits.nextDouble() + lower < std::exp(-x))
            return x;
    }
}

/// Draws integers up to a bound. Integers of 1, 8 and 16 bits are cut from words of 32 bits, kept within one
/// draw.
class BoundedNumbers {
public:
    BoundedNumbers(RandomBits& bits, uint64_t most, int width, bool isMasked)
        : m_bits(bits), m_most(most), m_width(width), m_isMasked(isMasked) {}

    uint64_t next() {
        if (m_most == 0)
            return 0;
        if (m_width < 32)
            return m_width == 1 ? part() : m_isMasked ? masked() : below(uint64_t(1) << m_width);
        if (m_most == UINT32_MAX)
            return m_bits.next32();
        if (m_most == UINT64_MAX)
            return m_bits.next64();
        if (m_isMasked)
            return masked();
        return m_most < UINT32_MAX ? below(uint64_t(1) << 32) : belowWide();
    }

private:
    uint64_t part() {
        if (m_width >= 32)
            return m_most <= UINT32_MAX ? m_bits.next32() : m_bits.next64();
        if (m_left == 0) {
            m_word = m_bits.next32();
            m_left = 32 / m_width;
        } else {
            m_word >>= m_width;
        }
        --m_left;
        return m_word & ((uint64_t(1) << m_width) - 1);
    }

    uint64_t masked() {
        const uint64_t mask = UINT64_MAX >> std::countl_zero(m_most);
        for (;;)
            if (const uint64_t number = part() & mask; number <= m_most)
                return number;
    }

    /// Lemire's method: the upper half of a product, rejecting lower halves that would bias the result.
    uint64_t below(uint64_t words) {
        const uint64_t count = m_most + 1;
        if (count == words)
            return part();
        uint64_t product = part() * count;
        if ((product & (words - 1)) < count) {
            const uint64_t least = (words - count) % count;
            while ((product & (words - 1)) < least)
                product = part() * count;
        }
        return product / words;
    }

    uint64_t belowWide() {
        const uint64_t count = m_most + 1;
        Wide product = static_cast<Wide>(m_bits.next64()) * count;
        if (static_cast<uint64_t>(product) < count) {
            const uint64_t least = (UINT64_MAX - m_most) % count;
            while (static_cast<uint64_t>(product) < least)
                product = static_cast<Wide>(m_bits.next64()) * count;
        }
        return static_cast<uint64_t>(product >> 64);
    }

    RandomBits& m_bits;
    const uint64_t m_most;
    const int m_width;
    const bool m_isMasked;
    uint32_t m_word = 0;
    int m_left = 0;
};

template <class Draw>
at::Tensor drawn(int64_t count, Draw draw) {
    at::Tensor out = at::empty({count}, at::kDouble);
    std::generate_n(out.mutable_data_ptr<double>(), count, draw);
    return out;
}

} // namespace

at::Tensor drawDoubles(const at::Tensor& state, int64_t count) {
    RandomBits bits(state);
    return drawn(count, [&] { return bits.nextDouble(); });
}

at::Tensor drawNormals(const at::Tensor& state, int64_t count) {
    RandomBits bits(state);
    return drawn(count, [&] { return nextNormal(bits); });
}

at::Tensor drawExponentials(const at::Tensor& state, int64_t count) {
    RandomBits bits(state);
    return drawn(count, [&] { return nextExponential(bits); });
}

at::Tensor drawBounded(const at::Tensor& state, uint64_t most, int bits, int64_t count) {
    if ((bits != 1 && bits != 8 && bits != 16 && bits != 32 && bits != 64) || (bits < 64 && most >> bits))
        throw Error("", "there are no such integers of " + std::to_string(bits) + " bits").kind("ValueError");
    RandomBits generator(state);
    BoundedNumbers numbers(generator, most, bits, generator.isTwister());
    at::Tensor out = at::empty({count}, at::kLong);
    std::generate_n(out.mutable_data_ptr<int64_t>(), count,
                    [&] { return static_cast<int64_t>(numbers.next()); });
    return out;
}

at::Tensor drawPermutation(const at::Tensor& state, int64_t count, int64_t first, bool isMasked) {
    RandomBits bits(state);
    at::Tensor out = at::arange(count, at::kLong);
    int64_t* const data = out.mutable_data_ptr<int64_t>();
    for (int64_t at = count - 1; at >= std::max<int64_t>(first, 1); --at)
        std::swap(data[at], data[BoundedNumbers(bits, static_cast<uint64_t>(at), 64, isMasked).next()]);
    return out;
}

} // namespace fx
