// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/pickle/pickle_writer.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/ir/dtype.h"
#include "core/ir/torch_constants.h"

#include <ATen/ATen.h>

#include <cstring>

namespace fx {

PickleWriter::~PickleWriter() = default;

// --- Plain values

void PickleWriter::integer(int64_t value) {
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

void PickleWriter::number(double value) {
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    m_out += 'G';
    raw(__builtin_bswap64(bits));
}

void PickleWriter::text(const std::string& value) {
    m_out += 'X';
    raw(static_cast<uint32_t>(value.size()));
    m_out += value;
}

void PickleWriter::global(std::string_view module, std::string_view name) {
    // Each stands on a line of its own: one with a line break in it would be read as more.
    for (const std::string_view part : {module, name})
        if (part.find_first_of("\r\n") != std::string_view::npos || part.empty())
            throw Error("", pythonRepr(part) + " is no name that a pickle can hold");
    m_out += 'c';
    m_out += module;
    m_out += '\n';
    m_out += name;
    m_out += '\n';
}

void PickleWriter::integers(c10::IntArrayRef values) {
    beginTuple();
    for (int64_t value : values)
        integer(value);
    endTuple();
}

void PickleWriter::emptyOrderedDict() {
    global("collections", "OrderedDict");
    m_out += ")R";
}

void PickleWriter::beginOrderedDict() {
    emptyOrderedDict();
    m_out += '(';
}

void PickleWriter::device(c10::Device given) {
    global("torch", "device");
    beginTuple();
    text(c10::DeviceTypeName(given.type(), true));
    if (given.has_index())
        integer(given.index());
    m_out += "tR";
}

void PickleWriter::remember(const void* key) {
    const auto number = static_cast<uint32_t>(m_memo.size());
    m_memo.emplace(key, number);
    m_out += 'r';
    raw(number);
}

bool PickleWriter::recall(const void* key) {
    const auto known = m_memo.find(key);
    if (known == m_memo.end())
        return false;
    m_out += 'j';
    raw(known->second);
    return true;
}

void PickleWriter::value(const Value& value) {
    if (const auto* size = value.as<SizeObject>()) {
        integers(size->sizes);
        return;
    }
    if (const auto* dict = value.as<DictObject>()) {
        beginDict();
        for (const auto& [key, item, hash] : dict->entries()) {
            this->value(key);
            this->value(item);
        }
        endDict();
        return;
    }
    if (const auto* leaf = value.as<Argument>();
        leaf && (leaf->as<c10::ScalarType>() || leaf->as<c10::Device>())) {
        argument(*leaf);
        return;
    }
    if (const std::optional<Values> items = itemsOf(value)) {
        const bool isList = typeName(value) == "list";
        isList ? beginList() : beginTuple();
        for (const Value& item : *items)
            this->value(item);
        isList ? endList() : endTuple();
        return;
    }
    if (!value.isData())
        throw Error("", "a " + typeName(value) + " cannot be saved");
    const c10::IValue& data = value.data();
    if (data.isNone())
        none();
    else if (data.isBool())
        boolean(data.toBool());
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

void PickleWriter::argument(const Argument& given) {
    given.visit([&]<class T>(const T& value) {
        if constexpr (std::is_same_v<T, NoneValue>)
            none();
        else if constexpr (std::is_same_v<T, bool>)
            boolean(value);
        else if constexpr (std::is_same_v<T, int64_t>)
            integer(value);
        else if constexpr (std::is_same_v<T, double>)
            number(value);
        else if constexpr (std::is_same_v<T, std::string>)
            text(value);
        else if constexpr (std::is_same_v<T, c10::ScalarType>)
            global("torch", dtypeText(value).substr(6));
        else if constexpr (std::is_same_v<T, c10::Device>)
            device(value);
        else if constexpr (std::is_same_v<T, ListValue> || std::is_same_v<T, TupleValue>) {
            constexpr bool isList = std::is_same_v<T, ListValue>;
            isList ? beginList() : beginTuple();
            for (const Argument& item : value.items)
                argument(item);
            isList ? endList() : endTuple();
        } else if constexpr (std::is_same_v<T, DictValue>) {
            beginDict();
            for (const auto& [key, item] : value.items) {
                argument(key);
                argument(item);
            }
            endDict();
        } else
            throw Error("", "a value of another kind than plain data cannot be saved");
    });
}

// --- Tensors

/// Where the tensor's data lies, in elements of the storage's class.
void PickleWriter::place(const at::Tensor& tensor, const char* module, const std::string& storageClass,
                         size_t elementSize) {
    const auto [key, isNew] = m_keys.try_emplace(tensor.storage().data(), m_storages.size());
    if (isNew)
        m_storages.push_back(tensor);
    beginTuple();
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

void PickleWriter::quantized(const at::Tensor& tensor) {
    static const std::map<c10::ScalarType, const char*> kStorages = {
        {at::kQInt8, "QInt8Storage"}, {at::kQUInt8, "QUInt8Storage"}, {at::kQInt32, "QInt32Storage"}};
    const auto storage = kStorages.find(tensor.scalar_type());
    if (storage == kStorages.end())
        throw Error("", "no tensors of " + dtypeText(tensor.scalar_type()) + " can be saved");
    global("torch._utils", "_rebuild_qtensor");
    beginTuple();
    place(tensor, "torch", storage->second, tensor.element_size());
    beginTuple();
    global("torch", qschemeArgument(tensor.qscheme()).member);
    if (tensor.qscheme() == at::kPerTensorAffine) {
        number(tensor.q_scale());
        integer(tensor.q_zero_point());
    } else {
        this->tensor(tensor.q_per_channel_scales());
        this->tensor(tensor.q_per_channel_zero_points());
        integer(tensor.q_per_channel_axis());
    }
    endTuple();
    boolean(false);
    emptyOrderedDict();
    m_out += "tR";
}

void PickleWriter::sparse(const at::Tensor& tensor) {
    global("torch._utils", "_rebuild_sparse_tensor");
    const bool isByRow = tensor.layout() == at::kSparseCsr || tensor.layout() == at::kSparseBsr;
    beginTuple();
    global("torch.serialization", "_get_layout");
    beginTuple();
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
        boolean(tensor.is_coalesced());
    m_out += "ttR";
}

void PickleWriter::tensor(const at::Tensor& given, bool requiresGrad) {
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
    beginTuple();
    place(tensor, "torch.storage", "UntypedStorage", 1);
    boolean(requiresGrad);
    emptyOrderedDict();
    global("torch", dtypeText(tensor.scalar_type()).substr(6));
    m_out += "tR";
}

void PickleWriter::parameter(const at::Tensor& given, bool requiresGrad) {
    global("torch._utils", "_rebuild_parameter");
    beginTuple();
    tensor(given);
    boolean(requiresGrad);
    emptyOrderedDict();
    m_out += "tR";
}

} // namespace fx
