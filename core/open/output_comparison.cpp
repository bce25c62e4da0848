// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/open/output_comparison.h"

#include "core/base/text.h"
#include "core/interpret/interpreter.h"
#include "core/interpret/structure.h"
#include "core/torch/bind/call.h"
#include "core/torch/values/value_text.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

constexpr double kRounding = 1e-5; ///< relative to the largest value of an output

at::Tensor plain(const at::Tensor& tensor) {
    at::Tensor out = tensor.detach();
    if (out.is_quantized())
        out = out.int_repr();
    if (out.layout() != c10::kStrided)
        out = out.to_dense();
    return out.resolve_conj().resolve_neg();
}

/// The largest difference relative to the largest value; 0: the same bits, where one NaN is as good as
/// another. None where they cannot be compared at all.
std::optional<double> difference(const at::Tensor& a, const at::Tensor& b) {
    if (a.scalar_type() != b.scalar_type() || a.sizes() != b.sizes() || a.layout() != b.layout())
        return std::nullopt;
    if (a.is_meta() || a.numel() == 0)
        return 0;
    const at::Tensor left = plain(a), right = plain(b);
    const bool isFloating = left.is_floating_point() || left.is_complex();
    if (at::equal(left, right))
        return 0;
    if (!isFloating)
        return std::nullopt;
    const at::Tensor bothNan = left.isnan().logical_and(right.isnan());
    const at::Tensor far = (left - right).abs().masked_fill(bothNan.logical_or(left == right), 0);
    const at::Tensor scale = left.abs().nan_to_num(0, 0, 0).max();
    return far.max().item<double>() / std::max(scale.item<double>(), 1e-30);
}

} // namespace

Values outputsOf(const Model& model, const GraphInputs& inputs, RunSettings settings) {
    Values out;
    guarded([&] {
        out = flattenedFields(
            structured(model.graph().signature(), Interpreter(model, settings).run(withOwnTensors(inputs))));
    });
    return out;
}

OutputComparison compareOutputs(const Values& wanted, const Values& given) {
    if (wanted.size() != given.size())
        return {"it gives " + plural(given.size(), "output") + ", and the model " +
                std::to_string(wanted.size())};
    OutputComparison out;
    for (size_t i = 0; i < wanted.size(); ++i) {
        const std::string name = "output " + std::to_string(i);
        if (wanted[i].isTensor() && given[i].isTensor()) {
            const at::Tensor& want = wanted[i].data().toTensor();
            const std::optional<double> far = difference(want, given[i].data().toTensor());
            if (!far || !(*far <= kRounding))
                return {name + " differs" +
                        (far ? " by " + pythonFloat(*far) + " of its largest value" : "")};
            out.rounding = std::max(out.rounding, *far);
        } else if (valueText(wanted[i]) != valueText(given[i])) {
            return {name + " is " + valueText(given[i]) + ", not " + valueText(wanted[i])};
        }
    }
    return out;
}

} // namespace fx
