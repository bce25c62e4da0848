// SPDX-License-Identifier: GPL-3.0-or-later
// The functions of math on ints of any size, and those on many numbers.
#include "core/python/big_int.h"
#include "core/python/types/native_modules.h"
#include "core/python/types/operations.h"

#include <algorithm>
#include <cmath>

namespace fx {

namespace {

BigInt integerArgument(Evaluator& evaluator, const Value& value) {
    const Value& plain = plainOf(value);
    return isWhole(plain) ? bigIntOf(plain) : BigInt(evaluator.index(value));
}

/// A count for products of many numbers, whose result is to have about so many bits for each of them.
unsigned long countArgument(Evaluator& evaluator, const BigInt& count, double bitsEach,
                            const char* tooLarge) {
    if (!count.isSmall())
        raise("OverflowError", tooLarge);
    const double bytes = static_cast<double>(count.small()) * bitsEach / 8;
    if (bytes > 65536)
        evaluator.reserve(bytes > 1e17 ? UINT64_MAX / 4 : static_cast<uint64_t>(bytes * 16));
    return static_cast<unsigned long>(count.small());
}

Value binomial(Evaluator& evaluator, Values& args) {
    const BigInt n = integerArgument(evaluator, args[0]), k = integerArgument(evaluator, args[1]);
    if (n.sign() < 0)
        raise("ValueError", "n must be a non-negative integer");
    if (k.sign() < 0)
        raise("ValueError", "k must be a non-negative integer");
    BigInt rest;
    mpz_sub(rest.get(), n.get(), k.get());
    if (rest.sign() < 0)
        return makeInt(0);
    const BigInt& fewer = mpz_cmp(rest.get(), k.get()) < 0 ? rest : k;
    const double bits = static_cast<double>(n.bitLength());
    const unsigned long count =
        countArgument(evaluator, fewer, bits, "min(n - k, k) must not exceed 9223372036854775807");
    BigInt out;
    mpz_bin_ui(out.get(), n.get(), count);
    return makeInteger(std::move(out));
}

Value permutations(Evaluator& evaluator, Values& args) {
    const BigInt n = integerArgument(evaluator, args[0]);
    const BigInt k = args.size() > 1 && !args[1].isNone() ? integerArgument(evaluator, args[1]) : n;
    if (n.sign() < 0)
        raise("ValueError", "n must be a non-negative integer");
    if (k.sign() < 0)
        raise("ValueError", "k must be a non-negative integer");
    if (mpz_cmp(k.get(), n.get()) > 0)
        return makeInt(0);
    unsigned long count = countArgument(evaluator, k, static_cast<double>(n.bitLength()),
                                        "k must not exceed 9223372036854775807");
    BigInt out(1), factor = n;
    for (; count > 0; --count) {
        evaluator.step();
        mpz_mul(out.get(), out.get(), factor.get());
        mpz_sub_ui(factor.get(), factor.get(), 1);
    }
    return makeInteger(std::move(out));
}

Value factorial(Evaluator& evaluator, Values& args) {
    const BigInt n = integerArgument(evaluator, args[0]);
    if (n.sign() < 0)
        raise("ValueError", "factorial() not defined for negative values");
    BigInt out;
    mpz_fac_ui(out.get(), countArgument(evaluator, n, static_cast<double>(n.bitLength()),
                                        "factorial() argument should not exceed 9223372036854775807"));
    return makeInteger(std::move(out));
}

/// The sum of all, rounded once: `parts` are floats that do not overlap and together are the exact sum so
/// far.
double exactSum(const std::vector<double>& numbers) {
    std::vector<double> parts;
    double special = 0;
    bool hasInfinity = false;
    for (double x : numbers) {
        const double given = x;
        size_t kept = 0;
        for (double part : parts) {
            if (std::abs(x) < std::abs(part))
                std::swap(x, part);
            const double high = x + part, low = part - (high - x);
            if (low != 0)
                parts[kept++] = low;
            x = high;
        }
        parts.resize(kept);
        if (!std::isfinite(x)) {
            if (std::isfinite(given))
                raise("OverflowError", "intermediate overflow in fsum");
            hasInfinity = true;
            if (std::isinf(special) && std::isinf(given) && special != given)
                raise("ValueError", "-inf + inf in fsum");
            special += given;
            parts.clear();
        } else if (x != 0) {
            parts.push_back(x);
        }
    }
    if (hasInfinity)
        return special;
    double total = 0, low = 0;
    while (!parts.empty() && low == 0) {
        const double x = total, y = parts.back();
        parts.pop_back();
        total = x + y;
        low = y - (total - x);
    }
    // A rest of exactly one half goes the way of what lies below it.
    if (!parts.empty() && ((low < 0 && parts.back() < 0) || (low > 0 && parts.back() > 0))) {
        const double twice = low * 2, moved = total + twice;
        if (twice == moved - total)
            total = moved;
    }
    return total;
}

double norm(const std::vector<double>& numbers) {
    double largest = 0;
    for (const double x : numbers) {
        if (std::isinf(x))
            return INFINITY;
        largest = std::isnan(x) || std::isnan(largest) ? NAN : std::max(largest, std::abs(x));
    }
    if (largest == 0 || std::isnan(largest))
        return largest;
    if (numbers.size() == 2)
        return std::hypot(numbers[0], numbers[1]);
    long double sum = 0;
    for (const double x : numbers)
        sum += (static_cast<long double>(x) / largest) * (static_cast<long double>(x) / largest);
    return static_cast<double>(largest * sqrtl(sum));
}

std::vector<double> numbersOf(Evaluator& evaluator, const Values& values) {
    std::vector<double> out;
    for (const Value& value : values) {
        evaluator.step();
        out.push_back(mathArgument(evaluator, value));
    }
    return out;
}

} // namespace

void addMathIntegers(NativeModule& math) {
    math.add("gcd", 0, SIZE_MAX, [](Evaluator& e, Values& args) {
        BigInt out;
        for (const Value& arg : args)
            mpz_gcd(out.get(), out.get(), integerArgument(e, arg).get());
        return makeInteger(std::move(out));
    });
    math.add("lcm", 0, SIZE_MAX, [](Evaluator& e, Values& args) {
        BigInt out(1);
        for (const Value& arg : args)
            mpz_lcm(out.get(), out.get(), integerArgument(e, arg).get());
        return makeInteger(std::move(out));
    });
    math.add("isqrt", 1, 1, [](Evaluator& e, Values& args) {
        BigInt value = integerArgument(e, args[0]);
        if (value.sign() < 0)
            raise("ValueError", "isqrt() argument must be nonnegative");
        mpz_sqrt(value.get(), value.get());
        return makeInteger(std::move(value));
    });
    math.add("factorial", 1, 1, factorial);
    math.add("comb", 2, 2, binomial);
    math.add("perm", 1, 2, permutations);
}

void addMathSums(NativeModule& math) {
    math.add("fsum", 1, 1,
             [](Evaluator& e, Values& args) { return makeFloat(exactSum(numbersOf(e, e.items(args[0])))); });
    math.add("hypot", 0, SIZE_MAX,
             [](Evaluator& e, Values& args) { return makeFloat(norm(numbersOf(e, args))); });
    math.add("dist", 2, 2, [](Evaluator& e, Values& args) {
        std::vector<double> p = numbersOf(e, e.items(args[0]));
        const std::vector<double> q = numbersOf(e, e.items(args[1]));
        if (p.size() != q.size())
            raise("ValueError", "both points must have the same number of dimensions");
        for (size_t i = 0; i < p.size(); ++i)
            p[i] -= q[i];
        return makeFloat(norm(p));
    });
    math.addFree("prod", [](Evaluator& e, Values& args, NamedValues& kwargs) {
        Value product = takeKeyword(kwargs, "start").value_or(makeInt(1));
        refuseKeywords("prod", kwargs);
        requireArguments("prod", args, 1, 1);
        for (const Value& item : e.items(args[0])) {
            e.step();
            product = e.operate(Operator::Mul, product, item);
        }
        return product;
    });
}

} // namespace fx
