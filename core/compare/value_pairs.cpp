// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/value_pairs.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/structure.h"
#include "core/ir/dtype.h"
#include "core/torch/bind/call.h"
#include "core/torch/values/value_text.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <limits>

namespace fx {

namespace {

constexpr size_t kLongestShown = 60;

std::string shortText(const Value& value) {
    const std::string text = valueText(value);
    return text.size() <= kLongestShown ? text : text.substr(0, kLongestShown) + "...";
}

/// A number as a tensor of no dimension; none of anything else.
std::optional<at::Tensor> tensorOf(const Value& value) {
    if (value.isTensor())
        return value.data().toTensor();
    if (!value.isData() || !value.data().isScalar())
        return std::nullopt;
    return at::scalar_tensor(value.data().toScalar(), value.isDouble() ? c10::kDouble
                                                      : value.isBool() ? c10::kBool
                                                      : value.isInt()  ? c10::kLong
                                                                       : c10::kComplexDouble);
}

std::string shapeOf(const at::Tensor& tensor) {
    std::vector<std::string> sizes;
    for (const int64_t size : tensor.sizes())
        sizes.push_back(std::to_string(size));
    return '[' + join(sizes, ", ") + ']';
}

class LeafPairs {
public:
    void add(size_t at, const Value& a, const Value& b);
    ValueDifference out;

private:
    void addTensors(size_t at, const at::Tensor& a, const at::Tensor& b);
    void note(std::string& where, size_t at, const std::string& what) const {
        if (where.empty())
            where = (out.leaves > 1 ? "value " + std::to_string(at) + ": " : "") + what;
    }
};

void LeafPairs::add(size_t at, const Value& a, const Value& b) {
    const std::optional<at::Tensor> tensorA = tensorOf(a), tensorB = tensorOf(b);
    if (tensorA && tensorB && a.isTensor() == b.isTensor()) {
        addTensors(at, *tensorA, *tensorB);
    } else if (const std::string textA = valueText(a), textB = valueText(b); textA != textB) {
        note(out.mismatch, at, "is " + shortText(b) + ", not " + shortText(a));
    }
}

void LeafPairs::addTensors(size_t at, const at::Tensor& a, const at::Tensor& b) {
    if (a.scalar_type() != b.scalar_type())
        note(out.dtypes, at,
             std::string(dtypeAbbreviation(a.scalar_type())) + " against " +
                 std::string(dtypeAbbreviation(b.scalar_type())));
    if (a.sizes() != b.sizes()) {
        note(out.mismatch, at, "shape " + shapeOf(a) + " against " + shapeOf(b));
        return;
    }
    if (a.is_meta() || b.is_meta()) {
        note(out.notCompared, at, "no data on the device meta");
        return;
    }
    out.usual = std::max({out.usual, usualTolerance(a.scalar_type()), usualTolerance(b.scalar_type())});
    try {
        PairFigures figures;
        guarded([&] { figures = figuresOf(a, b); });
        out.unequal += figures.unequal;
        if (!out.figures || isWorse(figures, *out.figures)) {
            out.figures = std::move(figures);
            out.worstLeaf = at;
        }
    } catch (const Error& error) {
        note(out.notCompared, at, error.message());
    }
}

} // namespace

double ValueDifference::neededTolerance() const {
    if (!mismatch.empty())
        return std::numeric_limits<double>::infinity();
    return figures ? figures->neededTolerance : 0;
}

ValueDifference differenceOf(const Value& reference, const Value& other) {
    const Values a = flattened(reference), b = flattened(other);
    LeafPairs pairs;
    pairs.out.leaves = std::min(a.size(), b.size());
    if (a.size() != b.size())
        pairs.out.mismatch = plural(a.size(), "value") + " against " + std::to_string(b.size());
    for (size_t i = 0; i < pairs.out.leaves; ++i)
        pairs.add(i, a[i], b[i]);
    return pairs.out;
}

bool isWorse(const ValueDifference& a, const ValueDifference& b) {
    if (a.neededTolerance() != b.neededTolerance())
        return a.neededTolerance() > b.neededTolerance();
    if (a.figures && b.figures)
        return isWorse(*a.figures, *b.figures);
    return a.mismatch > b.mismatch;
}

} // namespace fx
