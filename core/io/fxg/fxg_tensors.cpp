// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the tensors of .fxg: safetensors does not know all of their dtypes and none of their strides, so
// these are in the model's table.
#include "core/base/error.h"
#include "core/io/argument_json.h"
#include "core/io/fxg/fxg_members.h"
#include "core/io/fxg/fxg_quantizers.h"
#include "core/io/sparse_parts.h"
#include "core/io/tensor_bytes.h"
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

class TensorTable {
public:
    TensorTable(const ZipArchive& zip, const JsonDocument& json)
        : m_json(json), m_place(zip.path() + ": " + kTensors), m_piece(zip.map(kTensors)),
          m_quantizers(json.find(json.root(), "quantizers")), m_views(json.find(json.root(), "views")),
          m_sparse(json.find(json.root(), "sparse")) {
        for (auto& [name, slot] : readSafetensors(m_piece.file, m_piece.offset, m_piece.size, m_place))
            m_stored.emplace(name, slot);
    }

    TensorSlot slot(const Json& row, size_t index) const {
        const std::string name = std::to_string(index);
        const TensorMeta meta = tensorMeta(row);
        if (const Json* sparse = m_sparse ? m_json.find(*m_sparse, name) : nullptr)
            return sparseSlot(row, meta, name, *sparse);
        const std::vector<int64_t> strides = numbers(row, meta.stride);
        const std::vector<int64_t> sizes = sizesOf(row, meta);
        if (sizes.size() != strides.size())
            m_json.fail(row, "has not one stride for each size");
        if (const Json* view = m_views ? m_json.find(*m_views, name) : nullptr)
            return viewSlot(row, meta, {meta.dtype, sizes, strides}, *view);
        std::optional<Quantizer> quantizer;
        if (c10::isQIntType(meta.dtype)) {
            const Json* own = m_quantizers ? m_json.find(*m_quantizers, name) : nullptr;
            if (!own)
                m_json.fail(row, "is quantized, and has no scales");
            quantizer = readQuantizer(m_json, *own, sizes);
        }
        return ownSlot(row, meta, name, quantizer);
    }

private:
    TensorMeta tensorMeta(const Json& row) const {
        ValueMeta value = valueMetaFromJson(m_json, row);
        auto* meta = std::get_if<TensorMeta>(&value.value);
        if (!meta)
            m_json.fail(row, "is no tensor");
        return std::move(*meta);
    }

    std::vector<int64_t> numbers(const Json& row, const std::vector<Dimension>& dimensions) const {
        std::vector<int64_t> out;
        for (const Dimension& dimension : dimensions)
            out.push_back(fixed(m_json, row, dimension));
        return out;
    }

    std::vector<int64_t> sizesOf(const Json& row, const TensorMeta& meta) const {
        std::vector<int64_t> sizes = numbers(row, meta.shape);
        uint64_t count = 1;
        for (const int64_t size : sizes)
            if (size < 0 || __builtin_mul_overflow(count, uint64_t(size), &count))
                m_json.fail(row, "has an impossible shape");
        return sizes;
    }

    const TensorSlot& stored(const Json& row, const std::string& name) const {
        const auto found = m_stored.find(name);
        if (found == m_stored.end())
            m_json.fail(row, "has no tensor in " + std::string(kTensors));
        return found->second;
    }

    TensorSlot ownSlot(const Json& row, const TensorMeta& meta, const std::string& name,
                       const std::optional<Quantizer>& quantizer) const {
        const TensorSlot& slot = stored(row, name);
        const std::vector<int64_t> sizes = sizesOf(row, meta), strides = numbers(row, meta.stride);
        requireModestReach(m_json, row, sizes, strides, slot.byteCount());
        uint64_t count = 1;
        for (const int64_t size : sizes)
            count *= static_cast<uint64_t>(size);
        if (count * c10::elementSize(meta.dtype) != slot.byteCount())
            m_json.fail(row, "does not fit its data in " + std::string(kTensors));
        return TensorSlot(
            meta, [meta, slot, sizes, strides, piece = m_piece, verified = m_verified, quantizer] {
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
            });
    }

    /// A view of memory that others share.
    TensorSlot viewSlot(const Json& row, const TensorMeta& meta, StridedShape shape, const Json& view) const {
        const int64_t number = m_json.integer(m_json.member(view, "shared"));
        const int64_t offset = m_json.integer(m_json.member(view, "offset"));
        const TensorSlot& memory = stored(row, kShared + std::to_string(number));
        const auto itemSize = static_cast<int64_t>(c10::elementSize(meta.dtype));
        if (c10::isQIntType(meta.dtype) || memory.meta().dtype != at::kByte || offset < 0 ||
            offset % itemSize != 0)
            m_json.fail(view, "is no view of memory");
        shape.offset = offset / itemSize;
        requireInside(shape, memory.byteCount(), m_place);
        const bool isConj = m_json.boolean(m_json.member(view, "conj")) && c10::isComplexType(meta.dtype);
        const bool isNeg = m_json.boolean(m_json.member(view, "neg"));
        return TensorSlot(meta, [meta, memory, shape, isConj, isNeg, piece = m_piece, verified = m_verified] {
            std::call_once(*verified, [&] { piece.verify(); });
            const at::Tensor bytes = memory.value();
            at::Tensor tensor = at::empty({0}, at::TensorOptions().dtype(meta.dtype));
            tensor.set_(bytes.storage(), shape.offset, shape.sizes, shape.strides);
            piece.file->requireUnchanged();
            if (isConj)
                tensor._set_conj(true);
            if (isNeg)
                tensor._set_neg(true);
            if (meta.requiresGrad)
                tensor.set_requires_grad(true);
            return tensor;
        });
    }

    TensorSlot sparseSlot(const Json& row, const TensorMeta& meta, const std::string& name,
                          const Json& sparse) const {
        if (!isSparseLayout(meta.layout))
            m_json.fail(row, "is not sparse");
        std::map<std::string, TensorSlot> parts;
        for (const char* part : {"indices", "compressed", "plain", "values"})
            if (const Json* described = m_json.find(sparse, part))
                parts.emplace(part,
                              ownSlot(*described, tensorMeta(*described), name + '.' + part, std::nullopt));
        if (!parts.contains("values") || parts.size() != (meta.layout == at::kSparse ? 2u : 3u))
            m_json.fail(row, "has not the parts of its layout");
        const bool isCoalesced = m_json.boolean(m_json.member(sparse, "coalesced"));
        return TensorSlot(meta, [meta, parts, sizes = sizesOf(row, meta), isCoalesced, place = m_place] {
            at::Tensor tensor =
                sparseFromParts(meta.layout, sizes, isCoalesced, [&](const std::string& part) {
                    const auto found = parts.find(part);
                    if (found == parts.end())
                        throw Error(place, "holds a sparse tensor without its " + part);
                    return found->second.value();
                });
            return meta.requiresGrad ? tensor.set_requires_grad(true) : tensor;
        });
    }

    const JsonDocument& m_json;
    const std::string m_place;
    const ZipArchive::Piece m_piece;
    const Json *m_quantizers, *m_views, *m_sparse; ///< by the index of the tensor; null where there are none
    const std::shared_ptr<std::once_flag> m_verified = std::make_shared<std::once_flag>();
    std::map<std::string, TensorSlot> m_stored;
};

} // namespace

std::vector<TensorId> fxg::readTensors(const ZipArchive& zip, const JsonDocument& json, Edit& edit) {
    const Json& table = json.array(json.member(json.root(), "tensors"));
    const TensorTable reader(zip, json);
    std::vector<TensorId> tensors;
    for (size_t i = 0; i < table.size(); ++i)
        tensors.push_back(edit.createTensor(reader.slot(table[i], i)));
    return tensors;
}

} // namespace fx
