// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/values/storages.h"

#include "core/torch/bind/call.h"
#include "core/torch/bind/operator_bounds.h"

#include <ATen/ATen.h>

namespace fx {

using c10::IValue;

bool isStorage(const Value& value) {
    return value.isData() && value.data().isStorage();
}

namespace {

c10::Storage storageOf(const Value& self) {
    if (!isStorage(self))
        raise("TypeError", "a method of torch.UntypedStorage is for no '" + typeName(self) + "' object");
    return self.data().toStorage();
}

/// The bytes as a tensor that shares them.
at::Tensor bytesOf(const c10::Storage& storage) {
    return at::empty({0}, c10::TensorOptions(storage.device()).dtype(c10::kByte)).set_(storage);
}

Value makeStorage(Evaluator& evaluator, const Value&, Values& args, NamedValues&) {
    requireArguments("UntypedStorage", args, 0, 1);
    const int64_t size = args.empty() ? 0 : evaluator.index(args[0]);
    Value out;
    guarded([&] { out = IValue(at::zeros({size}, c10::kByte).storage()); });
    return out;
}

template <auto work>
void addMethod(ClassData& type, const char* name) {
    type.add(name, [](Evaluator&, Values& args, NamedValues&) {
        Value out;
        guarded([&] { out = work(storageOf(args.at(0))); });
        return out;
    });
}

Value byteCount(const c10::Storage& storage) {
    return makeInt(static_cast<int64_t>(storage.nbytes()));
}

} // namespace

int64_t storageLength(const Value& storage) {
    return static_cast<int64_t>(storageOf(storage).nbytes());
}

Value storageItem(const Value& storage, int64_t index) {
    const at::Tensor bytes = bytesOf(storageOf(storage));
    if (index < -bytes.numel() || index >= bytes.numel())
        raise("IndexError", "index " + std::to_string(index) + " out of range for storage of size " +
                                std::to_string(bytes.numel()));
    return makeInt(bytes[index].item().toLong());
}

std::string storageText(const Value& value) {
    const c10::Storage storage = storageOf(value);
    constexpr int64_t kShown = 5000; // from each end
    const at::Tensor bytes = bytesOf(storage).cpu();
    std::string text;
    for (int64_t i = 0; i < bytes.numel(); ++i) {
        if (bytes.numel() > 2 * kShown && i == kShown) {
            text += " ...\n";
            i = bytes.numel() - kShown;
        }
        text += ' ' + std::to_string(bytes[i].item().toLong()) + '\n';
    }
    return text + "[torch.storage.UntypedStorage(device=" + storage.device().str() + ") of size " +
           std::to_string(bytes.numel()) + ']';
}

void addStorageClass(ClassData& type) {
    type.construct = makeStorage;
    addMethod<byteCount>(type, "nbytes");
    addMethod<byteCount>(type, "size");
    addMethod<byteCount>(type, "__len__");
    addMethod<[](const c10::Storage&) { return makeInt(1); }>(type, "element_size");
    addMethod<[](const c10::Storage&) -> Value { refuseAddressOf("torch.UntypedStorage.data_ptr"); }>(
        type, "data_ptr");
    addMethod<[](const c10::Storage& s) -> Value { return IValue(s.resizable()); }>(type, "resizable");
    addMethod<[](const c10::Storage&) -> Value { return IValue(false); }>(type, "is_shared");
    addMethod<[](const c10::Storage&) -> Value { return IValue(false); }>(type, "is_pinned");
    addMethod<[](const c10::Storage& s) -> Value { return IValue(bytesOf(s).clone().storage()); }>(type,
                                                                                                   "clone");
    addMethod<[](const c10::Storage& s) -> Value { return IValue(bytesOf(s).cpu().storage()); }>(type, "cpu");
    addMethod<[](const c10::Storage& s) -> Value {
        Values bytes;
        const at::Tensor all = bytesOf(s).cpu();
        for (int64_t i = 0; i < all.numel(); ++i)
            bytes.push_back(makeInt(all.const_data_ptr<uint8_t>()[i]));
        return makeList(std::move(bytes));
    }>(type, "tolist");
    type.addProperty("device", [](Evaluator&, Values& args, NamedValues&) -> Value {
        return IValue(storageOf(args.at(0)).device());
    });
    type.addProperty("is_cuda", [](Evaluator&, Values& args, NamedValues&) -> Value {
        return IValue(storageOf(args.at(0)).device().is_cuda());
    });
}

} // namespace fx
