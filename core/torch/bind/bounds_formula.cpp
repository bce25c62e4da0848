// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bind/bounds_formula.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/torch/bind/bounds_values.h"

#include <charconv>

namespace fx {

namespace {

/// None where the argument is missing or has no such axis.
std::optional<int64_t> valueInFormula(std::string_view function, const c10::IValue& value, int64_t axis) {
    if (function == "arg")
        return value.isInt() ? std::optional(value.toInt()) : std::nullopt;
    const at::Tensor* tensor = tensorIn(value);
    if (!tensor)
        return std::nullopt;
    if (function == "numel")
        return tensor->numel();
    const int64_t dims = tensor->dim();
    if (function == "size")
        return axis < dims && axis >= -dims ? std::optional(tensor->size(axis)) : std::nullopt;
    if (axis > dims)
        return std::nullopt;
    int64_t product = 1; // of the last `axis` sizes
    for (int64_t i = dims - axis; i < dims; ++i)
        product *= tensor->size(i);
    return product;
}

std::optional<BoundsFormula> formulaFactor(std::string_view word, const c10::FunctionSchema& schema) {
    const size_t open = word.find('(');
    if (open == word.npos)
        return [number = boundsNumber(word)](const BoundedCall&) { return std::optional(number); };
    const std::vector<std::string_view> inside = split(word.substr(open + 1, word.size() - open - 2), ',');
    const std::optional<size_t> at = argumentNamed(schema, inside[0]);
    if (!at)
        return std::nullopt;
    return [function = std::string(word.substr(0, open)), at = *at,
            axis = inside.size() > 1 ? boundsNumber(inside[1]) : 0](const BoundedCall& call) {
        return valueInFormula(function, call.args[at], axis);
    };
}

template <class Join>
std::optional<BoundsFormula> joinedFormulas(std::vector<BoundsFormula> parts, int64_t start,
                                            const Join& join) {
    return [parts = std::move(parts), start, join](const BoundedCall& call) -> std::optional<int64_t> {
        int64_t result = start;
        for (const BoundsFormula& part : parts) {
            const std::optional<int64_t> value = part(call);
            if (!value || join(result, *value, &result))
                return std::nullopt;
        }
        return result;
    };
}

} // namespace

int64_t boundsNumber(std::string_view word) {
    int64_t number = 0;
    const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (fault != std::errc() || end != word.data() + word.size())
        throw Error("", "'" + std::string(word) + "' is no number of a rule for bounds");
    return number;
}

std::optional<BoundsFormula> boundsFormula(std::string_view text, const c10::FunctionSchema& schema) {
    std::vector<BoundsFormula> terms;
    for (const std::string_view term : split(text, '+')) {
        std::vector<BoundsFormula> factors;
        for (const std::string_view word : split(term, '*')) {
            std::optional<BoundsFormula> part = formulaFactor(word, schema);
            if (!part)
                return std::nullopt;
            factors.push_back(std::move(*part));
        }
        terms.push_back(*joinedFormulas(std::move(factors), 1, [](int64_t a, int64_t b, int64_t* out) {
            return __builtin_mul_overflow(a, b, out);
        }));
    }
    return joinedFormulas(std::move(terms), 0, [](int64_t a, int64_t b, int64_t* out) {
        return __builtin_add_overflow(a, b, out);
    });
}

} // namespace fx
