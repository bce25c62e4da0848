// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bind/bounds_shapes.h"

#include <ATen/ExpandUtils.h>
#include <ATen/core/Tensor.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace fx {

void checkFourier(const NamedArguments& given) {
    const at::Tensor* self = given.tensor("self");
    std::vector<int64_t> axes = intsIn(given.value("dim"));
    if (!self || axes.empty())
        return;
    for (int64_t& axis : axes) {
        if (axis < -self->dim() || axis >= self->dim())
            given.refuse("dim", "holds axis " + std::to_string(axis) + ", and the tensor has " +
                                    std::to_string(self->dim()));
        axis += axis < 0 ? self->dim() : 0;
    }
    const int64_t last = axes.back();
    std::ranges::sort(axes);
    if (std::ranges::adjacent_find(axes) != axes.end())
        given.refuse("dim", "holds an axis twice");
    if (!argumentNamed(given.call().schema, "last_dim_size"))
        return;
    const int64_t size = given.number("last_dim_size");
    if (size < 1 || self->size(last) != size / 2 + 1)
        given.refuse("last_dim_size", "is " + std::to_string(size) + ", and the axis has " +
                                          std::to_string(self->size(last)) + " frequencies");
}

/// Queries [B, H, L, E], keys and values [B, H / n, S, E].
void checkAttention(const NamedArguments& given) {
    const at::Tensor *query = given.tensor("query"), *key = given.tensor("key"),
                     *value = given.tensor("value");
    if (!query || !key || !value)
        return;
    for (const auto& [name, tensor] : {std::pair("query", query), {"key", key}, {"value", value}}) {
        if (tensor->dim() != 4 || tensor->numel() == 0)
            given.refuse(name, "has sizes " + listedSizes(tensor->sizes()) + " and not 4 axes with elements");
        if (tensor->size(0) != query->size(0) || query->size(1) % tensor->size(1) ||
            tensor->size(3) != query->size(3) || (tensor != query && tensor->sizes() != key->sizes()))
            given.refuse(name, "has sizes " + listedSizes(tensor->sizes()) +
                                   ", which do not fit queries of " + listedSizes(query->sizes()));
        if (tensor->scalar_type() != query->scalar_type())
            given.refuse(name, "has another dtype than 'query'");
    }
    const int64_t full[] = {query->size(0), query->size(1), query->size(2), key->size(2)};
    if (const at::Tensor* mask = given.tensor("attn_mask")) {
        for (int64_t i = 1; i <= mask->dim(); ++i)
            if (i > 4 || (mask->size(-i) != 1 && mask->size(-i) != full[4 - i]))
                given.refuse("attn_mask", "has sizes " + listedSizes(mask->sizes()) +
                                              ", which cannot be expanded to " + listedSizes(full));
    }
    for (const std::string_view name : {"out", "grad_out"})
        if (const at::Tensor* tensor = given.tensor(name); tensor && tensor->sizes() != query->sizes())
            given.refuse(name, "has sizes " + listedSizes(tensor->sizes()) + " and not " +
                                   listedSizes(query->sizes()));
    // A graph of core ATen gives the weights of attention in its place, [B, H, L, S].
    if (const at::Tensor* sums = given.tensor("logsumexp");
        sums && (sums->dim() < 3 || sums->sizes().slice(0, 3) != query->sizes().slice(0, 3)))
        given.refuse("logsumexp", "has sizes " + listedSizes(sums->sizes()) + " and not " +
                                      listedSizes(query->sizes().slice(0, 3)));
}

/// The gradient of windows: [..., (size of the axis - size) / step + 1, ..., size].
void checkWindows(const NamedArguments& given) {
    const at::Tensor* grad = given.tensor("grad_in");
    std::vector<int64_t> sizes = intsIn(given.value("input_sizes"));
    int64_t axis = given.number("dim");
    const auto count = static_cast<int64_t>(sizes.size());
    const int64_t size = given.number("size"), step = given.number("step");
    if (!grad)
        return;
    if (count == 0 && size >= 0 && size <= 1 && grad->numel() == size)
        return; // a window over a number
    if (axis < -count || axis >= count)
        given.refuse("dim", "is no axis of the input");
    axis += axis < 0 ? count : 0;
    int64_t& along = sizes[static_cast<size_t>(axis)];
    if (size < 0 || size > along || step < 1)
        given.refuse("size", "and 'step' do not fit " + std::to_string(along) + " elements");
    along = (along - size) / step + 1;
    sizes.push_back(size);
    if (grad->sizes() != at::IntArrayRef(sizes))
        given.refuse("grad_in", "has sizes " + listedSizes(grad->sizes()) + " and not " + listedSizes(sizes));
}

/// Statistics for each channel: of the batch in training, else those that were kept. Others may be empty.
void checkStatistics(const NamedArguments& given) {
    const at::Tensor* input = given.tensor("input");
    if (!input)
        return;
    if (input->dim() < 2)
        given.refuse("input", "has sizes " + listedSizes(input->sizes()) + " and no axis of channels");
    const bool isTraining =
        given.value(argumentNamed(given.call().schema, "train") ? "train" : "update").toBool();
    const auto require = [&](std::string_view name, bool isUsed) {
        const at::Tensor* tensor = given.tensor(name);
        if (isUsed && argumentNamed(given.call().schema, name) &&
            (!tensor || tensor->numel() != input->size(1)))
            given.refuse(name, "has " + std::to_string(tensor ? tensor->numel() : 0) + " elements and not " +
                                   std::to_string(input->size(1)));
    };
    for (const std::string_view name : {"save_mean", "save_invstd", "save_var"})
        require(name, isTraining);
    for (const std::string_view name : {"running_mean", "running_var"})
        require(name, !isTraining);
}

/// A norm for each index of the first or the last axis.
void checkNorms(const NamedArguments& given) {
    const bool isBackward = argumentNamed(given.call().schema, "saved_v").has_value();
    const at::Tensor* v = given.tensor(isBackward ? "saved_v" : "v");
    const int64_t axis = given.number("dim");
    if (!v)
        return;
    if (v->dim() < 1 || (axis != 0 && axis != v->dim() - 1))
        given.refuse("dim", "is neither the first nor the last axis");
    for (const std::string_view name : {"g", "saved_g", "saved_norms"})
        if (const at::Tensor* tensor = given.tensor(name); tensor && tensor->numel() != v->size(axis))
            given.refuse(name, "has " + std::to_string(tensor->numel()) + " elements and not " +
                                   std::to_string(v->size(axis)));
    if (const at::Tensor* grad = given.tensor("grad_w"); grad && grad->sizes() != v->sizes())
        given.refuse("grad_w",
                     "has sizes " + listedSizes(grad->sizes()) + " and not " + listedSizes(v->sizes()));
}

/// One distance for each pair of rows.
void checkPairs(const NamedArguments& given) {
    const at::Tensor* self = given.tensor("self");
    if (!self)
        return;
    if (self->dim() != 2)
        given.refuse("self", "has sizes " + listedSizes(self->sizes()) + " and not 2 axes");
    const int64_t rows = self->size(0), pairs = rows * (rows - 1) / 2;
    for (const std::string_view name : {"grad", "pdist"})
        if (const at::Tensor* tensor = given.tensor(name);
            tensor && (tensor->numel() != pairs || tensor->dim() != 1))
            given.refuse(name, "has " + std::to_string(tensor->numel()) + " elements and not " +
                                   std::to_string(pairs));
}

/// Scales and zero points of a tensor that is quantized along an axis.
void checkChannels(const NamedArguments& given) {
    const at::Tensor* self = given.tensor("self");
    const int64_t axis = given.number("axis");
    if (!self)
        return;
    if (axis < 0 || axis >= self->dim())
        given.refuse("axis", "is no axis of the tensor");
    for (const std::string_view name : {"scale", "zero_point", "scales", "zero_points"})
        if (const at::Tensor* tensor = given.tensor(name); tensor && tensor->numel() != self->size(axis))
            given.refuse(name, "has " + std::to_string(tensor->numel()) + " elements and not " +
                                   std::to_string(self->size(axis)));
}

/// What a fake quantization keeps of the values it has seen: a number, or one for each channel.
void checkObservedRange(const NamedArguments& given) {
    const at::Tensor* self = given.tensor("self");
    if (!self)
        return;
    const bool isPerChannel = given.value("per_row_fake_quant").toBool();
    const int64_t axis = given.number("ch_axis");
    if (isPerChannel && (axis < 0 || axis >= self->dim()))
        given.refuse("ch_axis", "is no axis of the tensor");
    const int64_t wanted = isPerChannel ? self->size(axis) : 1;
    const at::Tensor* least = given.tensor("running_min");
    const bool isFresh = isPerChannel && least && least->numel() == 0; // LibTorch makes all of them then
    for (const std::string_view name : {"running_min", "running_max", "scale", "zero_point"})
        if (const at::Tensor* tensor = given.tensor(name); tensor && !isFresh && tensor->numel() != wanted)
            given.refuse(name, "has " + std::to_string(tensor->numel()) + " elements and not " +
                                   std::to_string(wanted));
    for (const std::string_view name : {"observer_on", "fake_quant_on"})
        if (const at::Tensor* tensor = given.tensor(name); tensor && tensor->numel() < 1)
            given.refuse(name, "is empty");
}

/// Lists of which each item of one belongs to an item of the other.
void checkLists(const NamedArguments& given) {
    const auto first = given.value("self").toListRef().size(), second = given.value("src").toListRef().size();
    if (first != second)
        given.refuse("src", "has " + std::to_string(second) + " items and not " + std::to_string(first));
}

/// Sizes along the last axes with what is put around them; pairs of the padding begin at the last axis.
static void checkPadding(const NamedArguments& given, bool isReflected) {
    const at::Tensor *grad = given.tensor("grad_output"), *self = given.tensor("self");
    const std::vector<int64_t> padding = intsIn(given.value("padding"));
    if (!grad || !self)
        return;
    std::vector<int64_t> wanted = self->sizes().vec();
    if (padding.size() / 2 > wanted.size())
        given.refuse("self", "has sizes " + listedSizes(self->sizes()) + ", too few axes for the padding");
    for (size_t i = 0; i + 1 < padding.size(); i += 2) {
        int64_t& size = wanted[wanted.size() - 1 - i / 2];
        if (isReflected && (padding[i] >= size || padding[i + 1] >= size))
            given.refuse("padding", "is not less than the size " + std::to_string(size));
        if (__builtin_add_overflow(size, padding[i], &size) ||
            __builtin_add_overflow(size, padding[i + 1], &size) || size < 1)
            given.refuse("padding", "leaves nothing or too much of the input");
    }
    if (grad->sizes() != at::IntArrayRef(wanted))
        given.refuse("grad_output",
                     "has sizes " + listedSizes(grad->sizes()) + " and not " + listedSizes(wanted));
}
void checkReflection(const NamedArguments& given) {
    checkPadding(given, true);
}
void checkReplication(const NamedArguments& given) {
    checkPadding(given, false);
}

/// grad_output: [N, C, sizes of the grid]; grid: [N, sizes, 2 or 3].
void checkGrid(const NamedArguments& given) {
    const at::Tensor *grad = given.tensor("grad_output"), *input = given.tensor("input"),
                     *grid = given.tensor("grid");
    if (!grad || !input || !grid)
        return;
    const bool areFit = input->dim() == grid->dim() && input->dim() > 3 && input->numel() > 0 &&
                        grid->size(-1) == input->dim() - 2 && grid->size(0) == input->size(0);
    if (!areFit)
        given.refuse("grid", "has sizes " + listedSizes(grid->sizes()) + ", which do not fit " +
                                 listedSizes(input->sizes()));
    std::vector<int64_t> wanted = {input->size(0), input->size(1)};
    const at::IntArrayRef places = grid->sizes().slice(1, static_cast<size_t>(grid->dim() - 2));
    wanted.insert(wanted.end(), places.begin(), places.end());
    if (grad->sizes() != at::IntArrayRef(wanted))
        given.refuse("grad_output",
                     "has sizes " + listedSizes(grad->sizes()) + " and not " + listedSizes(wanted));
}

namespace {

/// A scale that is given to a kernel that resizes an image, in place of the ratio of the sizes (output /
/// input). Kernels ignore one that is not above 0.
struct GivenScale {
    std::string_view name;
    double scale;
    size_t axis; ///< of the output's sizes
};

std::vector<GivenScale> scalesIn(const NamedArguments& given, size_t axes) {
    std::vector<GivenScale> out;
    size_t axis = 0;
    for (const std::string_view name : {"scales_d", "scales_h", "scales_w", "scales"}) {
        if (!argumentNamed(given.call().schema, name))
            continue;
        const c10::IValue& value = given.value(name);
        if (axis < axes && value.isDouble() && value.toDouble() > 0)
            out.push_back({name, value.toDouble(), axis});
        ++axis;
    }
    return out;
}

} // namespace

/// Kernels clamp positions in the input after they have become integers, which must hold them.
void checkScales(const NamedArguments& given) {
    constexpr double kFarthest = 1LL << 62;
    const std::vector<int64_t> outputs = intsIn(given.value("output_size"));
    for (const auto& [name, scale, axis] : scalesIn(given, outputs.size()))
        if (static_cast<double>(outputs[axis]) / scale >= kFarthest)
            given.refuse(name, "is " + c10::str(scale) + ", too small for any input");
}

/// The kernels with antialiasing begin at the place that the last sample has by the scale, without a clamp.
void checkSamples(const NamedArguments& given) {
    const at::Tensor* self = given.tensor("self");
    const std::vector<int64_t> outputs = intsIn(given.value("output_size"));
    if (!self || self->dim() != static_cast<int64_t>(outputs.size()) + 2)
        return; // LibTorch refuses these
    for (const auto& [name, scale, axis] : scalesIn(given, outputs.size())) {
        const int64_t input = self->size(static_cast<int64_t>(axis) + 2);
        if ((static_cast<double>(outputs[axis]) - 0.5) / scale > static_cast<double>(input))
            given.refuse(name, "is " + c10::str(scale) + ", by which " + std::to_string(outputs[axis]) +
                                   " samples reach beyond the " + std::to_string(input) + " of the input");
    }
}

/// Images of three bytes a pixel are written four bytes at a time; of one row that becomes one pixel the last
/// byte would lie behind the result.
void checkPixel(const NamedArguments& given) {
    const at::Tensor* self = given.tensor("self");
    if (self && self->dim() == 4 && self->scalar_type() == at::kByte && self->size(1) == 3 &&
        self->size(2) == 1 && intsIn(given.value("output_size")) == std::vector<int64_t>{1, 1} &&
        !self->is_contiguous(at::MemoryFormat::ChannelsLast))
        given.refuse("output_size", "is one pixel of three bytes, behind which the kernel writes a fourth");
}

/// A mean for each part of the input that is normalized as one.
void checkLayers(const NamedArguments& given) {
    const at::Tensor *input = given.tensor("input"), *mean = given.tensor("mean");
    const std::vector<int64_t> shape = intsIn(given.value("normalized_shape"));
    if (!input || !mean)
        return;
    const auto dims = static_cast<size_t>(input->dim());
    if (shape.empty() || shape.size() > dims ||
        input->sizes().slice(dims - shape.size()) != at::IntArrayRef(shape))
        given.refuse("normalized_shape",
                     "is " + listedSizes(shape) + ", and the input has sizes " + listedSizes(input->sizes()));
    const int64_t each = std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
    if (each > 0 && mean->numel() != input->numel() / each)
        given.refuse("mean", "has " + std::to_string(mean->numel()) + " elements and not " +
                                 std::to_string(input->numel() / each));
    if (const at::Tensor* weight = given.tensor("weight"); weight && weight->numel() != each)
        given.refuse("weight",
                     "has " + std::to_string(weight->numel()) + " elements and not " + std::to_string(each));
}

/// Pivots [..., min(M, N)] of a factorization [..., M, N].
void checkFactors(const NamedArguments& given) {
    const at::Tensor *factors = given.tensor("LU_data"), *pivots = given.tensor("LU_pivots");
    if (!factors || !pivots)
        return;
    if (factors->dim() < 2)
        given.refuse("LU_data", "has sizes " + listedSizes(factors->sizes()) + " and not 2 axes or more");
    std::vector<int64_t> wanted = factors->sizes().slice(0, static_cast<size_t>(factors->dim() - 2)).vec();
    wanted.push_back(std::min(factors->size(-1), factors->size(-2)));
    if (given.value("unpack_pivots").toBool() && pivots->sizes() != at::IntArrayRef(wanted))
        given.refuse("LU_pivots",
                     "has sizes " + listedSizes(pivots->sizes()) + " and not " + listedSizes(wanted));
}

/// x1: [..., P, M], x2: [..., R, M]; grad and cdist: [..., P, R].
void checkDistances(const NamedArguments& given) {
    const at::Tensor *x1 = given.tensor("x1"), *x2 = given.tensor("x2"), *grad = given.tensor("grad"),
                     *distances = given.tensor("cdist");
    if (!x1 || !x2 || !grad || !distances)
        return;
    if (x1->dim() < 2 || x2->dim() < 2 || x1->size(-1) != x2->size(-1))
        given.refuse("x2", "has sizes " + listedSizes(x2->sizes()) + ", which do not fit " +
                               listedSizes(x1->sizes()));
    const auto batch = [](const at::Tensor& tensor) {
        return tensor.sizes().slice(0, static_cast<size_t>(tensor.dim() - 2));
    };
    std::vector<int64_t> wanted = at::infer_size(batch(*x1), batch(*x2));
    wanted.push_back(x1->size(-2));
    wanted.push_back(x2->size(-2));
    for (const auto& [name, tensor] : {std::pair("grad", grad), {"cdist", distances}})
        if (tensor->sizes() != at::IntArrayRef(wanted))
            given.refuse(name,
                         "has sizes " + listedSizes(tensor->sizes()) + " and not " + listedSizes(wanted));
}

/// qkv: [N, T, 3 * heads * E]
void checkHeads(const NamedArguments& given) {
    const at::Tensor* qkv = given.tensor("qkv");
    const int64_t heads = given.number("num_heads");
    if (qkv && qkv->dim() == 3 && (heads < 1 || qkv->size(2) % 3 || qkv->size(2) / 3 % heads))
        given.refuse("num_heads",
                     "is " + std::to_string(heads) + ", which does not divide " + listedSizes(qkv->sizes()));
}

/// Each tensor of the other lists has the sizes of its parameter; counts of steps are one number.
void checkOptimizer(const NamedArguments& given) {
    const at::ArrayRef<c10::IValue> parameters = given.value("self").toListRef();
    for (const std::string_view name :
         {"grads", "exp_avgs", "exp_avg_sqs", "max_exp_avg_sqs", "momentum_buffer_list", "state_sums"}) {
        if (!argumentNamed(given.call().schema, name) || !given.value(name).isList())
            continue;
        const at::ArrayRef<c10::IValue> tensors = given.value(name).toListRef();
        for (size_t i = 0; i < tensors.size(); ++i) {
            const at::Tensor *tensor = tensorIn(tensors[i]),
                             *parameter = i < parameters.size() ? tensorIn(parameters[i]) : nullptr;
            if (tensor && (!parameter || tensor->sizes() != parameter->sizes() ||
                           (name != "grads" && tensor->scalar_type() != parameter->scalar_type())))
                given.refuse(name, "has item " + std::to_string(i) + ", which does not fit its parameter");
        }
    }
}

} // namespace fx
