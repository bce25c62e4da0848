// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bind/bounds_families.h"

#include "core/torch/bind/bounds_indices.h"
#include "core/torch/bind/bounds_packed.h"
#include "core/torch/bind/bounds_shapes.h"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <unordered_map>

namespace fx {

namespace {

// --- Views

/// The sizes and strides are of the tensor's own dtype.
void checkView(const NamedArguments& given) {
    const at::Tensor* self = given.tensor("self");
    if (!self || !self->has_storage())
        return;
    int64_t offset = self->storage_offset();
    if (argumentNamed(given.call().schema, "offset_increment"))
        if (__builtin_add_overflow(offset, given.number("offset_increment"), &offset))
            given.refuse("offset_increment", "is too large");
    requireExtent(given.call(), intsIn(given.value("size")), intsIn(given.value("stride")), offset,
                  self->itemsize(), self->storage().nbytes());
}

void checkPool(const NamedArguments& given) {
    const at::Tensor* self = given.tensor("self");
    if (!self || !self->has_storage())
        return;
    const size_t bytes = c10::elementSize(static_cast<c10::ScalarType>(given.number("dtype")));
    if (given.number("offset_bytes") % static_cast<int64_t>(bytes))
        given.refuse("offset_bytes", "is no multiple of the dtype's " + std::to_string(bytes) + " bytes");
    requireExtent(given.call(), intsIn(given.value("size")), intsIn(given.value("stride")),
                  given.number("offset_bytes") / static_cast<int64_t>(bytes), bytes,
                  self->storage().nbytes());
}

struct Family {
    void (*check)(const NamedArguments&);
    std::vector<std::string_view> arguments; ///< those it cannot do without
};

const std::unordered_map<std::string_view, Family>& families() {
    static const std::unordered_map<std::string_view, Family> kFamilies = {
        {"view", {checkView, {"self", "size", "stride"}}},
        {"pool", {checkPool, {"self", "offset_bytes", "dtype", "size", "stride"}}},
        {"bags", {checkBags, {"indices", "offsets"}}},
        {"segments", {checkSegments, {"data", "axis"}}},
        {"compressed", {checkCompressed, {"crow_indices", "col_indices"}}},
        {"rows", {checkRows, {"self", "size"}}},
        {"pivots", {checkPivots, {"LD", "pivots"}}},
        {"fourier", {checkFourier, {"self", "dim"}}},
        {"attention", {checkAttention, {"query", "key", "value"}}},
        {"windows", {checkWindows, {"grad_in", "input_sizes", "dim", "size", "step"}}},
        {"norms", {checkNorms, {"dim"}}},
        {"pairs", {checkPairs, {"self"}}},
        {"channels", {checkChannels, {"self", "axis"}}},
        {"range", {checkObservedRange, {"self", "per_row_fake_quant", "ch_axis"}}},
        {"bag-gradient",
         {checkBagGradient, {"grad", "indices", "offset2bag", "bag_size", "maximum_indices"}}},
        {"reflection", {checkReflection, {"grad_output", "self", "padding"}}},
        {"replication", {checkReplication, {"grad_output", "self", "padding"}}},
        {"scales", {checkScales, {"output_size"}}},
        {"samples", {checkSamples, {"self", "output_size"}}},
        {"pixel", {checkPixel, {"self", "output_size"}}},
        {"grid", {checkGrid, {"grad_output", "input", "grid"}}},
        {"layer", {checkLayers, {"input", "mean", "normalized_shape"}}},
        {"lu", {checkFactors, {"LU_data", "LU_pivots", "unpack_pivots"}}},
        {"reduced", {checkReduced, {"self", "arg_out"}}},
        {"statistics", {checkStatistics, {"input", "save_mean"}}},
        {"distances", {checkDistances, {"grad", "x1", "x2", "cdist"}}},
        {"heads", {checkHeads, {"qkv", "num_heads"}}},
        {"optimizer", {checkOptimizer, {"self", "grads"}}},
        {"packed-rows", {checkPackedRows, {"weight"}}},
        {"packed-bags", {checkPackedBags, {"weight", "indices", "pruned_weights"}}},
        {"quantized-weight", {checkQuantizedWeight, {}}},
        {"recurrent", {checkRecurrentLayer, {"input", "hidden_size", "mode", "has_biases"}}},
        {"steps", {checkSteps, {"data", "batch_sizes"}}},
        {"coordinates", {checkCoordinates, {"indices", "values", "size"}}},
        {"diagonals", {checkDiagonals, {"offsets", "shape"}}},
        {"alignment", {checkAlignment, {"log_probs", "targets", "input_lengths", "target_lengths"}}},
        {"kernel-size", {checkKernelSize, {"weight", "kernel_size"}}},
        {"lists", {checkLists, {"self", "src"}}}};
    return kFamilies;
}

} // namespace

bool isBoundsFamily(std::string_view name) {
    return families().contains(name);
}

std::optional<BoundsCheck> boundsOfFamily(std::string_view name, const c10::FunctionSchema& schema) {
    const auto found = families().find(name);
    if (found == families().end() || std::ranges::any_of(found->second.arguments, [&](std::string_view each) {
            return !argumentNamed(schema, each);
        }))
        return std::nullopt;
    return [check = found->second.check](const BoundedCall& call) { check(NamedArguments(call)); };
}

} // namespace fx
