// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/verify_export.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/interpreter.h"
#include "core/interpret/structure.h"
#include "core/open/open.h"
#include "core/torch/bind/call.h"
#include "core/torch/values/value_text.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

constexpr uint64_t kSeed = 0;
constexpr double kRounding = 1e-5; ///< relative to the largest value of an output

Values outputsOf(const Model& model, GraphInputs own, RunSettings settings) {
    settings.seed = settings.seed.value_or(kSeed);
    for (Value& input : own.values)
        input = withOwnTensors(input);
    for (auto& [name, input] : own.keywords)
        input = withOwnTensors(input);
    Values out;
    guarded([&] {
        out = flattenedFields(
            structured(model.graph().signature(), Interpreter(model, settings).run(std::move(own))));
    });
    return out;
}

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

ExportVerdict compare(const Values& wanted, const Values& given) {
    if (wanted.size() != given.size())
        return {ExportState::Different, "but it gives " + plural(given.size(), "output") +
                                            ", and the model " + std::to_string(wanted.size())};
    double most = 0;
    for (size_t i = 0; i < wanted.size(); ++i) {
        const std::string name = "output " + std::to_string(i);
        if (wanted[i].isTensor() && given[i].isTensor()) {
            const at::Tensor& want = wanted[i].data().toTensor();
            const std::optional<double> far = difference(want, given[i].data().toTensor());
            if (!far || !(*far <= kRounding))
                return {ExportState::Different,
                        "but " + name + " differs" +
                            (far ? " by " + pythonFloat(*far) + " of its largest value" : "")};
            most = std::max(most, *far);
        } else if (valueText(wanted[i]) != valueText(given[i])) {
            return {ExportState::Different,
                    "but " + name + " is " + valueText(given[i]) + ", not " + valueText(wanted[i])};
        }
    }
    if (most > 0)
        return {ExportState::Close,
                "outputs equal but for rounding (" + pythonFloat(most) + " of the largest value)"};
    return {ExportState::Equal, "outputs equal bit for bit"};
}

std::string onOneLine(const Error& error) {
    const std::string text = error.what();
    return text.substr(0, text.find('\n'));
}

} // namespace

ExportVerdict verifyExport(const OpenedModel& model, const std::string& folder, const GraphInputs& inputs,
                           const RunSettings& settings) {
    Values wanted;
    try {
        wanted = outputsOf(model.model, inputs, settings);
    } catch (const Error& error) {
        return {ExportState::NotCompared, "not compared: the model does not run here: " + onOneLine(error)};
    }
    try {
        Progress progress;
        const OpenedModel again = openModel(folder, {}, progress);
        // Reading its code turns what flattens nested inputs into nodes.
        const std::optional<Signature>& nested = model.model.graph().signature();
        const bool isFlat = nested && !again.model.graph().signature();
        return compare(wanted, outputsOf(again.model, isFlat ? callArguments(*nested, inputs.values) : inputs,
                                         settings));
    } catch (const Error& error) {
        return {ExportState::Different, "but the folder does not run: " + onOneLine(error)};
    }
}

ExportVerdict verifyExport(const OpenedModel& model, const std::string& folder, const InputSpecs& specs,
                           const RunSettings& settings) {
    GraphInputs inputs;
    try {
        at::manual_seed(settings.seed.value_or(kSeed));
        guarded([&] { inputs = makeInputs(model, specs); });
    } catch (const Error& error) {
        return {ExportState::NotCompared, "not compared: " + onOneLine(error)};
    }
    return verifyExport(model, folder, inputs, settings);
}

std::string exportLine(const ExportedFolder& folder, const ExportVerdict& verdict) {
    return "written, " + plural(folder.files.size(), "file") + ", " + verdict.text;
}

} // namespace fx
