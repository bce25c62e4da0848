// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the tensors of .fxg: safetensors does not know all of their dtypes and none of their strides, so
// these are in the model's table.
#include "core/io/argument_json.h"
#include "core/io/fxg/fxg_members.h"
#include "core/io/fxg/fxg_quantizers.h"
#include "core/io/tensor_files.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <map>
#include <mutex>

namespace fx {

namespace {

using namespace fxg;

/// The same values at other distances. Where a dimension repeats the same elements, as in an expanded tensor,
/// they are written once.
at::Tensor withStrides(const at::Tensor& tensor, const std::vector<int64_t>& strides) {
    at::Tensor out = at::empty_strided(tensor.sizes(), strides, tensor.options());
    at::Tensor to = out, from = tensor;
    for (size_t i = 0; i < strides.size(); ++i)
        if (strides[i] == 0) {
            to = to.narrow(static_cast<int64_t>(i), 0, 1);
            from = from.narrow(static_cast<int64_t>(i), 0, 1);
        }
    to.copy_(from);
    return out;
}

int64_t fixed(const JsonDocument& json, const Json& at, const Dimension& dimension) {
    const auto* size = std::get_if<int64_t>(&dimension);
    if (!size)
        json.fail(at, "has a size that is no number");
    return *size;
}

/// Strides are given back to the data when it is read; they may not ask for much more memory than it has.
void requireModestReach(const JsonDocument& json, const Json& at, const std::vector<int64_t>& sizes,
                        const std::vector<int64_t>& strides, uint64_t bytes) {
    uint64_t reach = 0;
    for (size_t i = 0; i < std::min(sizes.size(), strides.size()); ++i) {
        uint64_t step = 0;
        if (strides[i] < 0 || __builtin_mul_overflow(uint64_t(sizes[i]), uint64_t(strides[i]), &step) ||
            __builtin_add_overflow(reach, step, &reach))
            json.fail(at, "has impossible strides");
    }
    constexpr uint64_t kGaps = 64;
    if (reach > kGaps * (bytes + (1 << 20)))
        json.fail(at, "has strides that reach far beyond its data");
}

} // namespace

std::vector<TensorId> fxg::readTensors(const ZipArchive& zip, const JsonDocument& json, const Json& table,
                                       const Json* quantizers, Edit& edit) {
    std::vector<TensorId> tensors;
    const ZipArchive::Piece piece = zip.map(kTensors);
    const auto verified = std::make_shared<std::once_flag>();
    std::map<std::string, TensorSlot> stored;
    for (auto& [name, slot] :
         readSafetensors(piece.file, piece.offset, piece.size, zip.path() + ": " + kTensors))
        stored.emplace(name, slot);
    for (size_t i = 0; i < table.size(); ++i) {
        const ValueMeta value = valueMetaFromJson(json, table[i]);
        const auto* meta = std::get_if<TensorMeta>(&value.value);
        const auto slot = stored.find(std::to_string(i));
        if (!meta || slot == stored.end())
            json.fail(table[i], "has no tensor in " + std::string(kTensors));
        std::vector<int64_t> sizes, strides;
        for (const Dimension& size : meta->shape)
            sizes.push_back(fixed(json, table[i], size));
        for (const Dimension& stride : meta->stride)
            strides.push_back(fixed(json, table[i], stride));
        uint64_t count = 1;
        for (int64_t size : sizes)
            if (size < 0 || __builtin_mul_overflow(count, uint64_t(size), &count))
                json.fail(table[i], "has an impossible shape");
        requireModestReach(json, table[i], sizes, strides, slot->second.byteCount());
        if (sizes.size() != strides.size() ||
            count * c10::elementSize(meta->dtype) != slot->second.byteCount())
            json.fail(table[i], "does not fit its data in " + std::string(kTensors));
        std::optional<Quantizer> quantizer;
        if (c10::isQIntType(meta->dtype)) {
            const Json* own = quantizers ? json.find(*quantizers, std::to_string(i)) : nullptr;
            if (!own)
                json.fail(table[i], "is quantized, and has no scales");
            quantizer = readQuantizer(json, *own, sizes);
        }
        tensors.push_back(edit.createTensor(TensorSlot(
            *meta, [meta = *meta, slot = slot->second, sizes, strides, piece, verified, quantizer] {
                std::call_once(*verified, [&] { piece.verify(); });
                at::Tensor tensor = slot.value();
                const c10::ScalarType dtype = quantizer ? c10::toUnderlying(meta.dtype) : meta.dtype;
                if (tensor.scalar_type() != dtype)
                    tensor = tensor.view(dtype);
                tensor = tensor.reshape(sizes);
                if (tensor.strides() != c10::IntArrayRef(strides) && tensor.numel() > 0)
                    tensor = withStrides(tensor, strides);
                piece.file->requireUnchanged(); // also of what was copied only now
                if (meta.requiresGrad)
                    tensor.set_requires_grad(true);
                return quantizer ? quantizedFrom(tensor, *quantizer) : tensor;
            })));
    }
    return tensors;
}

} // namespace fx
