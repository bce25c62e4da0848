// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/tensor_message.h"

#include "core/base/error.h"
#include "core/base/file_memory.h"
#include "core/io/argument_json.h"
#include "core/io/fxg/fxg_quantizers.h"
#include "core/io/mapped_file.h"
#include "core/io/sparse_parts.h"
#include "core/io/tensor_bytes.h"
#include "core/ir/dtype.h"

#include <ATen/ATen.h>

#include <cerrno>
#include <cstring>
#include <functional>
#include <map>
#include <unistd.h>
#include <utility>

namespace fx {

namespace {

constexpr size_t kAlignment = 64;

void writeAll(int descriptor, const void* data, size_t size) {
    const auto* bytes = static_cast<const char*>(data);
    while (size > 0) {
        const ssize_t count = ::write(descriptor, bytes, size);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            throw Error("", std::string("its tensors cannot be handed over: ") + std::strerror(errno));
        bytes += count;
        size -= static_cast<size_t>(count);
    }
}

Json sizesJson(c10::IntArrayRef sizes) {
    Json out = Json::array();
    for (const int64_t size : sizes)
        out.push_back(size);
    return out;
}

class Sender {
public:
    Sender(int descriptor, FileMemoryUse use)
        : m_descriptor(descriptor), m_use(use), m_end(static_cast<size_t>(::lseek(descriptor, 0, SEEK_END))) {
    }

    Json message(const std::vector<TensorSlot>& slots) {
        Json tensors = Json::array();
        for (const TensorSlot& slot : slots)
            try {
                tensors.push_back(tensorJson(slot.value()));
            } catch (const Error& error) {
                tensors.push_back({{"meta", toJson(ValueMeta{slot.meta()})}, {"fault", error.what()}});
            }
        return {{"storages", std::move(m_storages)}, {"tensors", std::move(tensors)}};
    }

private:
    Json tensorJson(const at::Tensor& tensor) {
        if (tensor.is_quantized()) {
            Json out = {{"integers", tensorJson(tensor.int_repr())}};
            out["quantizer"] = fxg::quantizerJson(tensor);
            return out;
        }
        if (isSparseLayout(tensor.layout())) {
            Json out = {{"sparse", sizesJson(tensor.sizes())},
                        {"layout", layoutText(tensor.layout())},
                        {"coalesced", tensor.layout() == c10::kSparse && tensor.is_coalesced()},
                        {"requires_grad", tensor.requires_grad()}};
            for (const auto& [part, value] : sparseParts(tensor))
                out[part] = tensorJson(value);
            return out;
        }
        if (tensor.layout() != c10::kStrided || tensor.is_nested())
            throw Error("", "a tensor of layout " + layoutText(tensor.layout()) + " cannot be handed over");
        return {{"dtype", dtypeText(tensor.scalar_type())},
                {"sizes", sizesJson(tensor.sizes())},
                {"strides", sizesJson(tensor.strides())},
                {"offset", tensor.storage_offset()},
                {"storage", tensor.is_meta() ? Json() : Json(storageIndex(tensor.storage()))},
                {"requires_grad", tensor.requires_grad()},
                {"conj", tensor.is_conj()},
                {"neg", tensor.is_neg()}};
    }

    size_t storageIndex(const c10::Storage& storage) {
        const auto [entry, isNew] = m_indices.try_emplace(storage.unsafeGetStorageImpl(), m_storages.size());
        if (isNew) {
            m_kept.push_back(storage);
            m_storages.push_back(
                storageJson(static_cast<const std::byte*>(storage.data()), storage.nbytes()));
        }
        return entry->second;
    }

    Json storageJson(const std::byte* data, size_t size) {
        const FileMemory* file = size > 0 && m_use != FileMemoryUse::Copied ? fileMemoryAt(data) : nullptr;
        if (file && isAsInFile(*file, data, size))
            return {{"file", file->path()},
                    {"open", file->openPath()},
                    {"version", file->version()},
                    {"offset", data - file->data()},
                    {"size", size}};
        const size_t gap = (kAlignment - m_end % kAlignment) % kAlignment;
        const std::byte zeros[kAlignment] = {};
        writeAll(m_descriptor, zeros, gap);
        writeAll(m_descriptor, data, size);
        const size_t offset = m_end + gap;
        m_end = offset + size;
        return {{"offset", offset}, {"size", size}};
    }

    /// The file may be gone or another one by now, and the program may have written to the memory.
    bool isAsInFile(const FileMemory& file, const std::byte* data, size_t size) {
        const auto [known, isNew] = m_fresh.try_emplace(&file);
        if (isNew)
            try {
                known->second = MappedFile::open(file.path());
            } catch (const Error&) {
            }
        const std::shared_ptr<const MappedFile>& fresh = known->second;
        return fresh && fresh->version() == file.version() && file.isUnchanged() &&
               (m_use == FileMemoryUse::Read ||
                std::memcmp(fresh->bytes().data() + (data - file.data()), data, size) == 0);
    }

    const int m_descriptor;
    const FileMemoryUse m_use;
    size_t m_end; ///< of what is in the file
    std::map<const FileMemory*, std::shared_ptr<const MappedFile>> m_fresh;
    Json m_storages = Json::array();
    std::map<const void*, size_t> m_indices;
    std::vector<c10::Storage> m_kept; ///< else another one, such as of int_repr(), could take the address
};

class Receiver {
public:
    Receiver(const JsonDocument& json, const Json& message, int descriptor, FileMemoryUse use)
        : m_json(json), m_use(use) {
        for (const Json& storage : m_json.array(m_json.member(message, "storages")))
            m_storages.push_back(storageFrom(storage, descriptor));
    }

    TensorSlot slot(const Json& tensor) {
        const Json* fault = m_json.find(tensor, "fault");
        if (!fault)
            return TensorSlot(tensorFrom(tensor));
        const ValueMeta meta = valueMetaFromJson(m_json, m_json.member(tensor, "meta"));
        const auto* described = std::get_if<TensorMeta>(&meta.value);
        if (!described)
            m_json.fail(tensor, "is no tensor");
        return TensorSlot(*described,
                          [text = m_json.string(*fault)]() -> at::Tensor { throw Error("", text); });
    }

private:
    struct Bytes {
        c10::Storage storage;
        uint64_t size = 0;
    };

    Bytes storageFrom(const Json& storage, int descriptor) {
        const int64_t offset = m_json.integer(m_json.member(storage, "offset"));
        const int64_t size = m_json.integer(m_json.member(storage, "size"));
        std::shared_ptr<const MappedFile> file;
        if (size == 0)
            return {at::empty({0}, at::kByte).storage(), 0};
        if (const Json* path = m_json.find(storage, "file")) {
            if (m_use == FileMemoryUse::Copied)
                m_json.fail(storage, "names a file of another machine");
            file = fileOf(m_json.string(*path), m_json.string(m_json.member(storage, "version")),
                          m_json.string(m_json.member(storage, "open")));
        } else {
            if (!m_memory)
                m_memory = MappedFile::ofDescriptor(descriptor, "the memory of the process that opened it");
            file = m_memory;
        }
        const uint64_t available = file->bytes().size();
        if (offset < 0 || size < 0 || uint64_t(size) > available ||
            uint64_t(offset) > available - uint64_t(size))
            m_json.fail(storage, "lies outside its file");
        at::Tensor bytes = at::from_blob(
            file->writable() + offset, {size}, [file](void*) {}, at::kByte);
        return {bytes.storage(), uint64_t(size)};
    }

    /// By its path, or, where that leads elsewhere by now, through the sender, which has it open.
    std::shared_ptr<const MappedFile> fileOf(const std::string& path, const std::string& version,
                                             const std::string& openPath) {
        std::shared_ptr<const MappedFile>& known = m_files[{path, version}];
        if (known)
            return known;
        Error fault = Error(path, "changed on disk while it was opened").hint("open it again");
        for (const std::string& from : {path, openPath})
            try {
                if (auto file = MappedFile::open(from, path); file->version() == version)
                    return known = file;
            } catch (const Error& error) {
                if (from == path)
                    fault = error;
            }
        throw fault;
    }

    std::vector<int64_t> sizes(const Json& value) {
        std::vector<int64_t> out;
        for (const Json& size : m_json.array(value))
            out.push_back(m_json.integer(size));
        return out;
    }

    at::Tensor tensorFrom(const Json& tensor) {
        if (const Json* integers = m_json.find(tensor, "integers")) {
            const at::Tensor repr = tensorFrom(*integers);
            if (!c10::isIntegralType(repr.scalar_type(), false))
                m_json.fail(tensor, "is quantized, and holds no integers");
            return fxg::quantizedFrom(
                repr, fxg::readQuantizer(m_json, m_json.member(tensor, "quantizer"), repr.sizes().vec()));
        }
        const bool requiresGrad = m_json.boolean(m_json.member(tensor, "requires_grad"));
        at::Tensor out;
        if (const Json* whole = m_json.find(tensor, "sparse")) {
            const std::optional<c10::Layout> layout =
                layoutFromName(m_json.string(m_json.member(tensor, "layout")));
            if (!layout || !isSparseLayout(*layout))
                m_json.fail(tensor, "is not sparse");
            out = sparseFromParts(
                *layout, sizes(*whole), m_json.boolean(m_json.member(tensor, "coalesced")),
                [&](const std::string& part) { return tensorFrom(m_json.member(tensor, part.c_str())); });
        } else {
            out = strided(tensor);
        }
        return requiresGrad ? out.set_requires_grad(true) : out;
    }

    at::Tensor strided(const Json& tensor) {
        const std::optional<c10::ScalarType> dtype =
            dtypeFromName(m_json.string(m_json.member(tensor, "dtype")));
        if (!dtype)
            m_json.fail(tensor, "has a dtype that is not known");
        const StridedShape shape{*dtype, sizes(m_json.member(tensor, "sizes")),
                                 sizes(m_json.member(tensor, "strides")),
                                 m_json.integer(m_json.member(tensor, "offset"))};
        const Json* index = m_json.find(tensor, "storage");
        if (!index)
            return at::empty_strided(shape.sizes, shape.strides,
                                     at::TensorOptions().dtype(*dtype).device(at::kMeta));
        const int64_t at = m_json.integer(*index);
        if (at < 0 || uint64_t(at) >= m_storages.size())
            m_json.fail(tensor, "has a storage that is not there");
        const Bytes& bytes = m_storages[static_cast<size_t>(at)];
        requireInside(shape, bytes.size, "a tensor");
        at::Tensor out = at::empty({0}, at::TensorOptions().dtype(*dtype));
        out.set_(bytes.storage, shape.offset, shape.sizes, shape.strides);
        if (m_json.boolean(m_json.member(tensor, "conj")) && out.is_complex())
            out._set_conj(true);
        if (m_json.boolean(m_json.member(tensor, "neg")))
            out._set_neg(true);
        return out;
    }

    const JsonDocument& m_json;
    const FileMemoryUse m_use;
    /// By path and version: a file may have been replaced while the message was written.
    std::map<std::pair<std::string, std::string>, std::shared_ptr<const MappedFile>> m_files;
    std::shared_ptr<const MappedFile> m_memory;
    std::vector<Bytes> m_storages;
};

} // namespace

Json tensorsMessage(const std::vector<TensorSlot>& tensors, int descriptor, FileMemoryUse use) {
    return Sender(descriptor, use).message(tensors);
}

std::vector<TensorSlot> tensorsFromMessage(const JsonDocument& json, const Json& message, int descriptor,
                                           FileMemoryUse use) {
    Receiver receiver(json, message, descriptor, use);
    std::vector<TensorSlot> out;
    for (const Json& tensor : json.array(json.member(message, "tensors")))
        out.push_back(receiver.slot(tensor));
    return out;
}

} // namespace fx
