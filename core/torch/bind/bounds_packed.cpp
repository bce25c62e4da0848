// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bind/bounds_packed.h"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <numeric>

namespace fx {

namespace {

std::string elementsText(const at::Tensor& tensor, int64_t wanted) {
    return "has " + std::to_string(tensor.numel()) + " elements and not " + std::to_string(wanted);
}

void requireCount(const NamedArguments& given, std::string_view name, int64_t wanted) {
    if (const at::Tensor* tensor = given.tensor(name); tensor && tensor->numel() != wanted)
        given.refuse(name, elementsText(*tensor, wanted));
}

/// A list of ints, or a tensor of them.
std::vector<int64_t> integersOf(const NamedArguments& given, std::string_view name) {
    const at::Tensor* tensor = given.tensor(name);
    return tensor ? elementsIn(*tensor) : intsIn(given.value(name));
}

} // namespace

/// Rows of an embedding as fbgemm packs them: integers, then scale and bias in the last 4 (float16) or 8
/// bytes.
void checkPackedRows(const NamedArguments& given) {
    const at::Tensor* weight = given.tensor("weight");
    const int64_t scaleBytes = given.call().schema.name().find("_byte_") != std::string::npos ? 8 : 4;
    if (weight && (weight->dim() != 2 || weight->size(1) <= scaleBytes || weight->scalar_type() != at::kByte))
        given.refuse("weight", "has sizes " + listedSizes(weight->sizes()) + " and is no packed embedding");
}

/// weight: uint8 [rows, bytes]; compressed_indices_mapping: which row an index is of, -1 for one that was
/// pruned.
void checkPackedBags(const NamedArguments& given) {
    checkPackedRows(given);
    const at::Tensor *weight = given.tensor("weight"), *indices = given.tensor("indices"),
                     *mapping = given.tensor("compressed_indices_mapping");
    if (!indices)
        return;
    const bool isMapped =
        mapping && mapping->numel() > 1 && given.value("pruned_weights").toBool(); // of one 0 it is none
    if (isMapped && weight)
        requireWithin(given.call(), given.at("compressed_indices_mapping"), 0, weight->size(0), -1);
    if (isMapped || weight)
        requireWithin(given.call(), given.at("indices"), 0, isMapped ? mapping->numel() : weight->size(0));
    requireCount(given, "per_sample_weights", indices->numel());
}

/// One scale, or one for each output channel. qx: [..., K] or [N, C, ...]; qw: packed [K, channels] or
/// [channels, C / groups, ...].
void checkQuantizedWeight(const NamedArguments& given) {
    const bool isLinear = given.call().schema.name().find("linear") != std::string::npos;
    const bool isPacking = argumentNamed(given.call().schema, "weight").has_value();
    const at::Tensor *input = given.tensor("qx"), *weight = given.tensor(isPacking ? "weight" : "qw");
    if (!weight)
        return;
    if (weight->dim() < 2)
        given.refuse(isPacking ? "weight" : "qw",
                     "has sizes " + listedSizes(weight->sizes()) + " and not 2 axes");
    // Weights of groups are packed with an axis for them.
    const int64_t channels = isLinear ? weight->size(1) : weight->size(0);
    for (const std::string_view name : {"w_scale", "w_scales", "w_zero_point"})
        if (const at::Tensor* tensor = given.tensor(name);
            tensor && tensor->numel() != 1 && tensor->numel() < channels)
            given.refuse(name, elementsText(*tensor, channels));
    if (const at::Tensor* other = given.tensor("other");
        isLinear && input && other && input->dim() > 0 && input->size(-1) > 0)
        requireCount(given, "other", input->numel() / input->size(-1) * channels);
}

/// input: [T, N, I]; hx_, cx_: [N, H]; weights: [gates * H, I] and [gates * H, H], also as oneDNN packs them.
void checkRecurrentLayer(const NamedArguments& given) {
    const at::Tensor* input = given.tensor("input");
    if (!input)
        return;
    const int64_t hidden = given.number("hidden_size"), mode = given.number("mode");
    const int64_t rows = hidden * (mode == 2 ? 4 : mode == 3 ? 3 : 1);
    if (input->dim() != 3 || input->numel() == 0)
        given.refuse("input", "has sizes " + listedSizes(input->sizes()) + " and not 3 axes with elements");
    if (hidden < 1 || hidden > (1 << 24))
        given.refuse("hidden_size", "is " + std::to_string(hidden) + ", which is no size of a layer");
    requireCount(given, "weight0", rows * input->size(2));
    requireCount(given, "weight1", rows * hidden);
    if (given.value("has_biases").toBool())
        for (const std::string_view name : {"weight2", "weight3"})
            requireCount(given, name, rows);
    requireCount(given, "hx_", input->size(1) * hidden);
    if (mode == 2)
        requireCount(given, "cx_", input->size(1) * hidden);
}

/// How many sequences each step of a packed one has: they only become fewer.
void checkSteps(const NamedArguments& given) {
    const at::Tensor *data = given.tensor("data"), *steps = given.tensor("batch_sizes");
    if (!data || !steps)
        return;
    const std::vector<int64_t> sizes = elementsIn(*steps);
    int64_t before = data->dim() ? data->size(0) : 0, left = before;
    for (const int64_t size : sizes) {
        if (size < 1 || size > before || size > left)
            given.refuse("batch_sizes", "holds " + std::to_string(size) + ", which does not fit " +
                                            std::to_string(data->size(0)) + " elements");
        before = size;
        left -= size;
    }
}

/// indices: [sparse axes, elements], each within the size of its axis.
void checkCoordinates(const NamedArguments& given) {
    const at::Tensor *indices = given.tensor("indices"), *values = given.tensor("values");
    const std::vector<int64_t> size = intsIn(given.value("size"));
    if (!indices || !values || size.size() != given.value("size").toListRef().size())
        return;
    const auto axes = static_cast<size_t>(indices->dim() == 2 ? indices->size(0) : 0);
    if (indices->dim() != 2 || axes > size.size() || values->dim() < 1 ||
        values->size(0) != indices->size(1) || values->sizes().slice(1) != at::IntArrayRef(size).slice(axes))
        given.refuse("indices", "has sizes " + listedSizes(indices->sizes()) + ", and values of " +
                                    listedSizes(values->sizes()) + " do not fit a tensor of " +
                                    listedSizes(size));
    const std::vector<int64_t> all = elementsIn(*indices);
    const auto each = static_cast<size_t>(indices->size(1));
    for (size_t i = 0; i < all.size(); ++i)
        if (all[i] < 0 || all[i] >= size[i / each])
            given.refuse("indices", "holds " + std::to_string(all[i]) + ", and axis " +
                                        std::to_string(i / each) + " has size " +
                                        std::to_string(size[i / each]));
}

void checkDiagonals(const NamedArguments& given) {
    const std::vector<int64_t> shape = intsIn(given.value("shape"));
    const at::Tensor* offsets = given.tensor("offsets");
    if (shape.size() != 2 || shape[0] < 0 || shape[1] < 0)
        given.refuse("shape", "is no number of rows and of columns");
    if (offsets && offsets->numel())
        requireWithin(given.call(), given.at("offsets"), -shape[0] + 1, shape[1]);
}

/// Checks the targets that the kernel reads: the rest of a row is padding. targets: [N, S], or [sum of
/// lengths].
static void checkTargets(const NamedArguments& given, const at::Tensor& targets, int64_t classes) {
    const std::vector<int64_t> all = elementsIn(targets), lengths = integersOf(given, "target_lengths");
    const int64_t columns = targets.dim() == 2 ? targets.size(1) : 0;
    int64_t row = 0, end = 0;
    for (const int64_t length : lengths) {
        const int64_t begin = columns ? row++ * columns : end;
        if (length < 0 || __builtin_add_overflow(begin, columns ? std::min(length, columns) : length, &end))
            return given.refuse("target_lengths", "holds " + std::to_string(length));
        for (int64_t i = begin; i < std::min<int64_t>(end, std::ssize(all)); ++i)
            if (const int64_t value = all[static_cast<size_t>(i)]; value < 0 || value >= classes)
                given.refuse("targets", "holds " + std::to_string(value) + ", which is not from 0 to " +
                                            std::to_string(classes - 1));
    }
}

/// log_probs: [T, N, C]; targets: [N, S] or all of them; log_alpha: [N, T, 2 * S + 1].
void checkAlignment(const NamedArguments& given) {
    const at::Tensor *probabilities = given.tensor("log_probs"), *targets = given.tensor("targets"),
                     *alpha = given.tensor("log_alpha");
    if (!probabilities || !targets || probabilities->dim() != 3)
        return;
    checkTargets(given, *targets, probabilities->size(2));
    if (const int64_t blank = given.number("blank"); blank < 0 || blank >= probabilities->size(2))
        given.refuse("blank", "is " + std::to_string(blank) + ", which is not from 0 to " +
                                  std::to_string(probabilities->size(2) - 1));
    if (!alpha)
        return; // LibTorch checks the lengths
    const int64_t steps = probabilities->size(0), count = probabilities->size(1);
    for (const std::string_view name : {"grad", "neg_log_likelihood"})
        requireCount(given, name, count);
    const std::vector<int64_t> inputs = integersOf(given, "input_lengths"),
                               lengths = integersOf(given, "target_lengths");
    for (const auto& [name, values] : {std::pair("input_lengths", &inputs), {"target_lengths", &lengths}})
        if (static_cast<int64_t>(values->size()) != count)
            given.refuse(name,
                         "has " + std::to_string(values->size()) + " items and not " + std::to_string(count));
    int64_t all = 0, most = 0;
    for (size_t i = 0; i < lengths.size(); ++i) {
        if (inputs[i] < 0 || inputs[i] > steps)
            given.refuse("input_lengths", "holds " + std::to_string(inputs[i]) + ", and there are " +
                                              std::to_string(steps) + " steps");
        if (lengths[i] < 0 || lengths[i] > targets->numel())
            given.refuse("target_lengths", "holds " + std::to_string(lengths[i]));
        all += lengths[i];
        most = std::max(most, lengths[i]);
    }
    if (targets->dim() == 1 ? all > targets->numel()
                            : targets->dim() != 2 || targets->size(0) != count || most > targets->size(1))
        given.refuse("targets", "has sizes " + listedSizes(targets->sizes()) + ", too few for the lengths");
    if (alpha->dim() != 3 || alpha->size(0) != count || alpha->size(1) != steps ||
        alpha->size(2) < 2 * most + 1)
        given.refuse("log_alpha", "has sizes " + listedSizes(alpha->sizes()) + " and not " +
                                      listedSizes({count, steps, 2 * most + 1}));
}

/// The sizes of a convolution's kernel are the last ones of its weight.
void checkKernelSize(const NamedArguments& given) {
    const at::Tensor* weight = given.tensor("weight");
    const std::vector<int64_t> sizes = intsIn(given.value("kernel_size"));
    if (!weight || sizes.size() != given.value("kernel_size").toListRef().size())
        return;
    if (sizes.size() > static_cast<size_t>(weight->dim()) ||
        (weight->dim() > 2 &&
         weight->sizes().slice(static_cast<size_t>(weight->dim()) - sizes.size()) != at::IntArrayRef(sizes)))
        given.refuse("kernel_size", "is " + listedSizes(sizes) + ", and the weight has sizes " +
                                        listedSizes(weight->sizes()));
    for (const std::string_view name : {"padding", "stride", "dilation", "output_padding"})
        if (argumentNamed(given.call().schema, name))
            for (const int64_t value : intsIn(given.value(name)))
                if (value < 0 || value > (1 << 30))
                    given.refuse(name, "holds " + std::to_string(value));
}

} // namespace fx
