// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tensor_files.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/json.h"
#include "core/io/output_file.h"
#include "core/io/tensor_bytes.h"
#include "core/ir/dtype.h"
#include "core/python/parse_expression.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstring>

namespace fx {

namespace {

/// The header of an .npy file: a Python dict literal.
struct NpyHeader {
    StridedShape shape;
    size_t length = 0; ///< bytes before the data
};

NpyHeader readNpyHeader(std::span<const std::byte> bytes, const std::string& place) {
    const auto byte = [&](size_t i) { return std::to_integer<size_t>(bytes[i]); };
    if (bytes.size() < 10 || std::memcmp(bytes.data(), "\x93NUMPY", 6) != 0)
        throw Error(place, "is no .npy file");
    const bool isLong = byte(6) >= 2;
    if (isLong && bytes.size() < 12)
        throw Error(place, "ends within its header");
    const size_t size =
        isLong ? byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24 : byte(8) | byte(9) << 8;
    const size_t start = isLong ? 12 : 10;
    if (size > bytes.size() - start)
        throw Error(place, "ends within its header");
    const Expression header =
        parseExpression({reinterpret_cast<const char*>(bytes.data()) + start, size}, place + ": header");
    NpyHeader out;
    out.length = start + size;
    std::string descr;
    bool isFortran = false;
    for (size_t i = 0; header.kind == Expression::Kind::Dict && i + 1 < header.children.size(); i += 2) {
        const Value& name = header.children[i].constant;
        const std::string key = name.isString() ? name.text() : std::string();
        const Expression& value = header.children[i + 1];
        if (key == "descr" && value.constant.isString())
            descr = value.constant.text();
        else if (key == "fortran_order" && value.constant.isBool())
            isFortran = value.constant.data().toBool();
        else if (key == "shape" && value.kind == Expression::Kind::Tuple)
            for (const Expression& item : value.children) {
                if (!item.constant.isInt())
                    throw Error(place, "has a shape that is no tuple of ints");
                out.shape.sizes.push_back(item.constant.data().toInt());
            }
    }
    for (const DtypeInfo& row : dtypes())
        if (!row.numpy.empty() && row.numpy == descr) {
            out.shape.dtype = row.type;
            out.shape.strides = contiguousStrides(out.shape.sizes);
            if (isFortran) {
                std::vector<int64_t> reversed(out.shape.sizes.rbegin(), out.shape.sizes.rend());
                reversed = contiguousStrides(reversed);
                out.shape.strides.assign(reversed.rbegin(), reversed.rend());
            }
            return out;
        }
    throw Error(place, "holds elements of dtype " + pythonRepr(descr) + ", which torch has no type for");
}

at::Tensor npyOver(const std::shared_ptr<const MappedFile>& file, size_t offset, size_t size,
                   const std::string& place) {
    const NpyHeader header = readNpyHeader(file->bytes().subspan(offset, size), place);
    requireInside(header.shape, size - header.length, place);
    return tensorOver(file, offset + header.length, size - header.length, header.shape);
}

} // namespace

at::Tensor readNpy(const std::string& path) {
    const auto file = MappedFile::open(path);
    return npyOver(file, 0, file->bytes().size(), path);
}

std::string tensorContent(const at::Tensor& tensor) {
    const at::Tensor plain = tensor.detach().resolve_conj().resolve_neg().cpu().contiguous();
    std::string out(static_cast<const char*>(plain.data_ptr()), plain.nbytes());
    if (tensor.has_storage())
        requireUnchanged(tensor.storage().data());
    return out;
}

void writeNpy(const std::string& path, const at::Tensor& tensor) {
    const DtypeInfo* dtype = dtypeInfo(tensor.scalar_type());
    if (!dtype || dtype->numpy.empty())
        throw Error(path, "NumPy has no dtype for " + dtypeText(tensor.scalar_type()))
            .hint("convert the tensor first, for example with .float()");
    std::vector<std::string> sizes;
    for (int64_t size : tensor.sizes())
        sizes.push_back(std::to_string(size));
    std::string header = "{'descr': '" + std::string(dtype->numpy) + "', 'fortran_order': False, 'shape': (" +
                         join(sizes, ", ") + (sizes.size() == 1 ? ",)" : ")") + ", }";
    // The data starts at a multiple of 64.
    header += std::string(64 - (10 + header.size() + 1) % 64, ' ') + '\n';
    std::string out("\x93NUMPY\x01\x00", 8);
    out += static_cast<char>(header.size() & 0xFF);
    out += static_cast<char>(header.size() >> 8);
    writeFile(path, out + header + tensorContent(tensor));
}

NamedTensors readNpz(const std::string& path) {
    ZipArchive zip(path);
    NamedTensors out;
    for (const std::string& name : zip.names()) {
        const ZipArchive::Piece piece = zip.map(name);
        piece.verify();
        const std::string key = name.ends_with(".npy") ? name.substr(0, name.size() - 4) : name;
        out.emplace_back(key, npyOver(piece.file, piece.offset, piece.size, path + ": " + name));
    }
    return out;
}

bool isSafetensors(std::span<const std::byte> bytes) {
    uint64_t headerSize = 0;
    if (bytes.size() < 10)
        return false;
    std::memcpy(&headerSize, bytes.data(), 8);
    return headerSize >= 2 && headerSize <= bytes.size() - 8 && bytes[8] == std::byte('{');
}

NamedTensors readSafetensors(const std::string& path) {
    const auto file = MappedFile::open(path);
    return readSafetensors(file, 0, file->bytes().size(), path);
}

NamedTensors readSafetensors(const std::shared_ptr<const MappedFile>& file, size_t offset, size_t size,
                             const std::string& place) {
    const std::span<const std::byte> bytes = file->bytes().subspan(offset, size);
    uint64_t headerSize = 0;
    if (size >= 8)
        std::memcpy(&headerSize, bytes.data(), 8);
    if (size < 8 || headerSize > size - 8)
        throw Error(place, "is no safetensors file, or ends within its header");
    const JsonDocument json({reinterpret_cast<const char*>(bytes.data()) + 8, headerSize}, place);
    const size_t dataStart = 8 + headerSize, dataSize = size - dataStart;
    NamedTensors out;
    for (const auto& [name, entry] : json.object(json.root()).items()) {
        if (name == "__metadata__")
            continue;
        StridedShape shape{};
        const std::string code = json.string(json.member(entry, "dtype"));
        bool isKnown = false;
        for (const DtypeInfo& row : dtypes())
            if (!row.safetensors.empty() && row.safetensors == code) {
                shape.dtype = row.type;
                isKnown = true;
            }
        if (!isKnown)
            json.fail(entry, "has dtype " + pythonRepr(code) + ", which torch has no type for");
        for (const Json& dimension : json.array(json.member(entry, "shape")))
            shape.sizes.push_back(json.integer(dimension));
        shape.strides = contiguousStrides(shape.sizes);
        const Json& range = json.array(json.member(entry, "data_offsets"));
        if (range.size() != 2)
            json.fail(range, "should be two offsets");
        const int64_t begin = json.integer(range[0]), end = json.integer(range[1]);
        if (begin < 0 || end < begin || static_cast<uint64_t>(end) > dataSize)
            json.fail(range, "reaches beyond the file");
        const auto length = static_cast<size_t>(end - begin);
        requireInside(shape, length, place + ": " + name);
        TensorMeta meta;
        meta.dtype = shape.dtype;
        meta.shape.assign(shape.sizes.begin(), shape.sizes.end());
        meta.stride.assign(shape.strides.begin(), shape.strides.end());
        const size_t at = offset + dataStart + static_cast<size_t>(begin);
        out.emplace_back(name, TensorSlot(std::move(meta), [file, at, length, shape] {
                             return tensorOver(file, at, length, shape);
                         }));
    }
    return out;
}

std::string safetensorsHeader(const std::vector<std::pair<std::string, const TensorMeta*>>& tensors) {
    Json header = Json::object();
    uint64_t at = 0;
    for (const auto& [name, meta] : tensors) {
        const DtypeInfo* dtype = dtypeInfo(meta->dtype);
        if (!dtype || dtype->safetensors.empty())
            throw Error(name, "safetensors has no dtype for " + dtypeText(meta->dtype));
        uint64_t count = 1;
        Json shape = Json::array();
        for (const Dimension& dimension : meta->shape) {
            shape.push_back(std::get<int64_t>(dimension));
            count *= static_cast<uint64_t>(std::get<int64_t>(dimension));
        }
        const uint64_t end = at + count * c10::elementSize(meta->dtype);
        header[name] = {
            {"dtype", std::string(dtype->safetensors)}, {"shape", shape}, {"data_offsets", {at, end}}};
        at = end;
    }
    std::string text = jsonText(header);
    text += std::string((8 - text.size() % 8) % 8, ' ');
    const uint64_t size = text.size();
    std::string out(8, '\0');
    std::memcpy(out.data(), &size, 8);
    return out + text;
}

} // namespace fx
