// SPDX-License-Identifier: GPL-3.0-or-later
// Writes what torch.load reads: a pickle of protocol 2 beside the storages. Tensors are untyped storages with
// a dtype (_rebuild_tensor_v3), the one form that all dtypes have; those that share a storage go on sharing
// it.
#include "core/base/error.h"
#include "core/io/torch/torch_archive.h"
#include "core/io/zip_archive.h"
#include "core/ir/dtype.h"
#include "core/ir/torch_constants.h"

#include <ATen/ATen.h>

#include <cstring>
#include <map>

namespace fx {

namespace {

class Pickler {
public:
    std::string pickle(const Value& value) {
        m_out = "\x80\x02";
        write(value);
        return m_out + '.';
    }

    /// Tensors whose storages are the records data/0, data/1, ...
    const std::vector<at::Tensor>& storages() const { return m_storages; }

private:
    template <class T>
    void raw(T number) {
        m_out.append(reinterpret_cast<const char*>(&number), sizeof number);
    }

    void integer(int64_t value) {
        if (value >= 0 && value < 256) {
            m_out += 'K';
            raw(static_cast<uint8_t>(value));
        } else if (value >= INT32_MIN && value <= INT32_MAX) {
            m_out += 'J';
            raw(static_cast<int32_t>(value));
        } else {
            m_out += "\x8a\x08";
            raw(value);
        }
    }

    void number(double value) {
        uint64_t bits;
        std::memcpy(&bits, &value, sizeof bits);
        m_out += 'G';
        raw(__builtin_bswap64(bits));
    }

    void text(const std::string& value) {
        m_out += 'X';
        raw(static_cast<uint32_t>(value.size()));
        m_out += value;
    }

    void global(const std::string& module, const std::string& name) {
        m_out += 'c' + module + '\n' + name + '\n';
    }

    void integers(c10::IntArrayRef values) {
        m_out += '(';
        for (int64_t value : values)
            integer(value);
        m_out += 't';
    }

    void device(c10::Device given) {
        global("torch", "device");
        m_out += '(';
        text(c10::DeviceTypeName(given.type(), true));
        if (given.has_index())
            integer(given.index());
        m_out += "tR";
    }

    /// Where the tensor's data lies, in elements of the storage's class.
    void place(const at::Tensor& tensor, const char* module, const std::string& storageClass,
               size_t elementSize) {
        const auto [key, isNew] = m_keys.try_emplace(tensor.storage().data(), m_storages.size());
        if (isNew)
            m_storages.push_back(tensor);
        m_out += '(';
        text("storage");
        global(module, storageClass);
        text(std::to_string(key->second));
        text("cpu");
        integer(static_cast<int64_t>(tensor.storage().nbytes() / elementSize));
        m_out += "tQ";
        integer(tensor.storage_offset());
        integers(tensor.sizes());
        integers(tensor.strides());
    }

    void notTrainedNoHooks() {
        m_out += '\x89';
        global("collections", "OrderedDict");
        m_out += ")R";
    }

    void quantized(const at::Tensor& tensor) {
        static const std::map<c10::ScalarType, const char*> kStorages = {
            {at::kQInt8, "QInt8Storage"}, {at::kQUInt8, "QUInt8Storage"}, {at::kQInt32, "QInt32Storage"}};
        const auto storage = kStorages.find(tensor.scalar_type());
        if (storage == kStorages.end())
            throw Error("", "no tensors of " + dtypeText(tensor.scalar_type()) + " can be saved");
        global("torch._utils", "_rebuild_qtensor");
        m_out += '(';
        place(tensor, "torch", storage->second, tensor.element_size());
        m_out += '(';
        global("torch", qschemeArgument(tensor.qscheme()).member);
        if (tensor.qscheme() == at::kPerTensorAffine) {
            number(tensor.q_scale());
            integer(tensor.q_zero_point());
        } else {
            this->tensor(tensor.q_per_channel_scales());
            this->tensor(tensor.q_per_channel_zero_points());
            integer(tensor.q_per_channel_axis());
        }
        m_out += 't';
        notTrainedNoHooks();
        m_out += "tR";
    }

    void sparse(const at::Tensor& tensor) {
        global("torch._utils", "_rebuild_sparse_tensor");
        const bool isByRow = tensor.layout() == at::kSparseCsr || tensor.layout() == at::kSparseBsr;
        m_out += '(';
        global("torch.serialization", "_get_layout");
        m_out += '(';
        text(layoutText(tensor.layout()));
        m_out += "tR(";
        if (tensor.layout() == at::kSparse) {
            this->tensor(tensor._indices());
            this->tensor(tensor._values());
        } else {
            this->tensor(isByRow ? tensor.crow_indices() : tensor.ccol_indices());
            this->tensor(isByRow ? tensor.col_indices() : tensor.row_indices());
            this->tensor(tensor.values());
        }
        integers(tensor.sizes());
        if (tensor.layout() == at::kSparse)
            m_out += tensor.is_coalesced() ? '\x88' : '\x89';
        m_out += "ttR";
    }

    void tensor(const at::Tensor& given) {
        if (given.layout() == at::kMkldnn || given.layout() == at::kJagged)
            throw Error("", "no tensors of layout " + layoutText(given.layout()) + " can be saved");
        if (given.layout() != at::kStrided) {
            sparse(given.detach().cpu());
            return;
        }
        if (given.is_quantized()) {
            quantized(given.detach().cpu());
            return;
        }
        const at::Tensor tensor = given.detach().resolve_conj().resolve_neg().cpu();
        global("torch._utils", "_rebuild_tensor_v3");
        m_out += '(';
        place(tensor, "torch.storage", "UntypedStorage", 1);
        notTrainedNoHooks();
        global("torch", dtypeText(tensor.scalar_type()).substr(6));
        m_out += "tR";
    }

    void write(const Value& value) {
        if (const auto* size = value.as<SizeObject>()) {
            integers(size->sizes);
            return;
        }
        if (const auto* dict = value.as<DictObject>()) {
            m_out += "}(";
            for (const auto& [key, item, hash] : dict->entries()) {
                write(key);
                write(item);
            }
            m_out += 'u';
            return;
        }
        if (const auto* leaf = value.as<Argument>(); leaf && leaf->as<c10::ScalarType>()) {
            global("torch", dtypeText(*leaf->as<c10::ScalarType>()).substr(6));
            return;
        }
        if (const auto* leaf = value.as<Argument>(); leaf && leaf->as<c10::Device>()) {
            device(*leaf->as<c10::Device>());
            return;
        }
        if (const std::optional<Values> items = itemsOf(value)) {
            const bool isList = typeName(value) == "list";
            m_out += isList ? "](" : "(";
            for (const Value& item : *items)
                write(item);
            m_out += isList ? 'e' : 't';
            return;
        }
        if (!value.isData())
            throw Error("", "a " + typeName(value) + " cannot be saved");
        const c10::IValue& data = value.data();
        if (data.isNone())
            m_out += 'N';
        else if (data.isBool())
            m_out += data.toBool() ? '\x88' : '\x89';
        else if (data.isInt())
            integer(data.toInt());
        else if (data.isDouble())
            number(data.toDouble());
        else if (data.isString())
            text(data.toStringRef());
        else if (data.isDevice())
            device(data.toDevice());
        else if (data.isTensor())
            tensor(data.toTensor());
        else
            throw Error("", "a " + typeName(value) + " cannot be saved");
    }

    std::string m_out;
    std::map<const void*, size_t> m_keys;
    std::vector<at::Tensor> m_storages;
};

} // namespace

void writeTorchFile(const std::string& path, const Value& value) {
    Pickler pickler;
    const std::string pickle = pickler.pickle(value);
    ZipWriter zip(path);
    zip.add("archive/data.pkl", pickle);
    zip.add("archive/byteorder", "little");
    for (size_t i = 0; i < pickler.storages().size(); ++i) {
        const c10::Storage& storage = pickler.storages()[i].storage();
        zip.add("archive/data/" + std::to_string(i),
                {static_cast<const char*>(storage.data()), storage.nbytes()});
        requireUnchanged(storage.data());
    }
    zip.add("archive/version", "3\n");
    zip.finish();
}

} // namespace fx
