// SPDX-License-Identifier: GPL-3.0-or-later
// The closed list of what a torch.save pickle may name. The writer is in torch_writer.cpp.
#include "core/io/torch_archive.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/pickle.h"
#include "core/io/tensor_bytes.h"
#include "core/io/zip_archive.h"
#include "core/ir/dtype.h"

#include <ATen/ATen.h>

#include <map>
#include <set>
#include <sys/mman.h>
#include <unistd.h>

namespace fx {

namespace {

using c10::IValue;

/// A storage as a pickle refers to it.
struct StorageRef {
    std::string key;
    std::optional<c10::ScalarType> dtype; ///< none: untyped
};

class Reader {
public:
    Reader(ZipArchive& zip, std::string place, bool takesTuples)
        : m_zip(zip), m_place(std::move(place)), m_takesTuples(takesTuples) {
        for (const std::string& name : zip.names())
            if (name.ends_with("/data.pkl") && std::count(name.begin(), name.end(), '/') == 1)
                m_folder = name.substr(0, name.size() - 8);
        if (m_folder.empty())
            throw Error(m_place, "holds no data.pkl, so torch.save did not write it");
        const std::string order = m_folder + "byteorder";
        if (zip.contains(order) && zip.read(order) != "little")
            throw Error(m_place, "was saved on a big-endian machine")
                .hint("save it again on a little-endian one");
    }

    Value read() {
        const std::string pickle = m_zip.read(m_folder + "data.pkl");
        const PickleDocument document = readPickle(pickle, m_place);
        return convert(document.root);
    }

private:
    [[noreturn]] void fail(const std::string& message) const { throw Error(m_place, message); }

    Value convert(PickleRef ref) {
        if (const auto known = m_known.find(ref); known != m_known.end())
            return known->second;
        constexpr size_t kDeepest = 500;
        if (m_open.size() > kDeepest)
            fail("is nested too deeply");
        if (!m_open.insert(ref).second)
            fail("contains itself");
        Value out = convertNew(*ref);
        m_open.erase(ref);
        m_known.emplace(ref, out);
        return out;
    }

    Values convertAll(const std::vector<PickleRef>& refs) {
        Values out;
        for (PickleRef ref : refs)
            out.push_back(convert(ref));
        return out;
    }

    Value convertDict(const std::vector<std::pair<PickleRef, PickleRef>>& items) {
        std::vector<std::pair<Value, Value>> out;
        for (const auto& [key, value] : items)
            out.emplace_back(convert(key), convert(value));
        return makeDict(std::move(out));
    }

    Value convertNew(const PickleValue& value) {
        if (value.as<std::monostate>())
            return {};
        if (const auto* flag = value.as<bool>())
            return IValue(*flag);
        if (const auto* number = value.as<int64_t>())
            return IValue(*number);
        if (const auto* number = value.as<double>())
            return IValue(*number);
        if (const auto* text = value.as<std::string>())
            return IValue(*text);
        if (const auto* bytes = value.as<PickleBytes>())
            return IValue(bytes->bytes);
        if (const auto* tuple = value.as<PickleTuple>())
            return makeSequence(convertAll(tuple->items), false);
        if (const auto* list = value.as<PickleList>())
            return makeSequence(convertAll(list->items), true);
        if (const auto* dict = value.as<PickleDict>())
            return convertDict(dict->items);
        if (const auto* global = value.as<PickleGlobal>())
            return convertGlobal(global->name);
        if (const auto* call = value.as<PickleCall>())
            return convertCall(*call);
        fail("holds a reference that torch does not write");
    }

    Value convertGlobal(const std::string& name) {
        if (name.starts_with("torch.")) {
            if (const auto dtype = dtypeFromName(name))
                return Object{Argument(*dtype)};
            if (const auto layout = layoutFromName(name))
                return Object{Argument(*layout)};
            if (const auto format = memoryFormatFromName(name))
                return Object{Argument(*format)};
        }
        fail("refers to " + name + ", which is not plain data");
    }

    std::vector<PickleRef> argumentsOf(const PickleCall& call, size_t least) {
        const auto* tuple = call.arguments->as<PickleTuple>();
        if (!tuple || tuple->items.size() < least)
            fail("has a damaged record");
        return tuple->items;
    }

    Value convertCall(const PickleCall& call) {
        const auto* callee = call.callable->as<PickleGlobal>();
        if (!callee)
            fail("calls what is no name");
        const std::string& name = callee->name;
        if (name == "torch._utils._rebuild_tensor_v2" || name == "torch._utils._rebuild_tensor")
            return tensor(argumentsOf(call, 4), std::nullopt);
        if (name == "torch._utils._rebuild_tensor_v3") {
            const std::vector<PickleRef> args = argumentsOf(call, 7);
            const Value dtype = convert(args[6]);
            const auto* leaf = dtype.as<Argument>();
            if (!leaf || !leaf->as<c10::ScalarType>())
                fail("has a tensor without dtype");
            return tensor(args, *leaf->as<c10::ScalarType>());
        }
        if (name == "torch._utils._rebuild_parameter" || name == "torch._utils._rebuild_parameter_with_state")
            return convert(argumentsOf(call, 1)[0]);
        if (name == "torch._tensor._rebuild_from_type_v2") {
            const std::vector<PickleRef> args = argumentsOf(call, 3);
            PickleCall inner;
            inner.callable = args[0];
            inner.arguments = args[2];
            return convertCall(inner);
        }
        if (name == "torch.jit._pickle.restore_type_tag")
            return convert(argumentsOf(call, 1)[0]);
        if (name.starts_with("torch.jit._pickle.build_"))
            return convert(argumentsOf(call, 1)[0]);
        if (name == "collections.OrderedDict" || name == "builtins.dict" || name == "__builtin__.dict") {
            const auto* start = call.arguments->as<PickleTuple>();
            if (start && start->items.empty())
                return convertDict(call.items);
            fail("has an OrderedDict of an old form");
        }
        if (name == "torch.Size" || name == "torch._C.Size") {
            SizeObject size;
            const Value sizes = convert(argumentsOf(call, 1)[0]);
            for (const Value& item : itemsOf(sizes).value_or(Values()))
                size.sizes.push_back(item.data().toInt());
            return Object{size};
        }
        if (name == "torch.device") {
            const Values args = convertAll(argumentsOf(call, 1));
            std::string text = args[0].data().toStringRef();
            if (args.size() > 1)
                text += ':' + std::to_string(args[1].data().toInt());
            return IValue(c10::Device(text));
        }
        if (name == "builtins.complex" || name == "__builtin__.complex") {
            const Values args = convertAll(argumentsOf(call, 2));
            return IValue(c10::complex<double>(args[0].data().toDouble(), args[1].data().toDouble()));
        }
        if (name == "builtins.set" || name == "__builtin__.set" || name == "builtins.frozenset")
            return convert(argumentsOf(call, 1)[0]);
        if (name == "builtins.slice" || name == "__builtin__.slice") {
            const Values args = convertAll(argumentsOf(call, 3));
            return Object{SliceObject{args[0], args[1], args[2]}};
        }
        const auto* made = call.arguments->as<PickleTuple>();
        if (m_takesTuples && made && !call.state)
            return makeSequence(convertAll(made->items), false);
        throw Error(m_place, "holds an object of " + name + ", which is not plain data")
            .hint("save tensors, numbers, strings, lists, tuples and dicts of them");
    }

    StorageRef storage(PickleRef ref) {
        const auto* persistent = ref->as<PicklePersistent>();
        const auto* id = persistent ? persistent->id->as<PickleTuple>() : nullptr;
        const auto* type = id && id->items.size() >= 3 ? id->items[1]->as<PickleGlobal>() : nullptr;
        const auto* key = type ? id->items[2]->as<std::string>() : nullptr;
        if (!key)
            fail("has a tensor without storage");
        if (type->name == "torch.storage.UntypedStorage")
            return {*key, std::nullopt};
        static const std::map<std::string, std::string> kTypes = {
            {"torch.FloatStorage", "float32"},
            {"torch.DoubleStorage", "float64"},
            {"torch.HalfStorage", "float16"},
            {"torch.BFloat16Storage", "bfloat16"},
            {"torch.LongStorage", "int64"},
            {"torch.IntStorage", "int32"},
            {"torch.ShortStorage", "int16"},
            {"torch.CharStorage", "int8"},
            {"torch.ByteStorage", "uint8"},
            {"torch.BoolStorage", "bool"},
            {"torch.ComplexFloatStorage", "complex64"},
            {"torch.ComplexDoubleStorage", "complex128"},
        };
        const auto found = kTypes.find(type->name);
        if (found == kTypes.end())
            fail("has a tensor of " + type->name + ", which is not known");
        return {*key, dtypeFromName(found->second)};
    }

    std::vector<int64_t> integers(PickleRef ref) {
        std::vector<int64_t> out;
        const Value value = convert(ref);
        for (const Value& item : itemsOf(value).value_or(Values())) {
            if (!item.isData() || !item.data().isInt())
                fail("has a tensor with a size that is no int");
            out.push_back(item.data().toInt());
        }
        return out;
    }

    Value tensor(const std::vector<PickleRef>& args, std::optional<c10::ScalarType> dtype) {
        const StorageRef storage = this->storage(args[0]);
        const auto* offset = args[1]->as<int64_t>();
        if (!offset || !(storage.dtype || dtype))
            fail("has a damaged tensor");
        const StridedShape shape{dtype ? *dtype : *storage.dtype, integers(args[2]), integers(args[3]),
                                 *offset};
        const std::string record = m_folder + "data/" + storage.key;
        const auto [piece, isNew] = m_storages.try_emplace(record, m_zip.map(record));
        requireInside(shape, piece->second.size, m_place + ": " + record);
        return IValue(PieceTensors(piece->second).tensor(shape));
    }

    ZipArchive& m_zip;
    std::string m_place, m_folder;
    bool m_takesTuples;
    std::map<PickleRef, Value> m_known;
    std::set<PickleRef> m_open;
    std::map<std::string, ZipArchive::Piece> m_storages;
};

} // namespace

Value readTorchFile(const std::string& path) {
    const auto file = MappedFile::open(path);
    if (!ZipArchive::isZip(file->bytes()))
        throw Error(path, "is not in torch.save's zip form")
            .hint("load it in Python and save it again with torch.save");
    ZipArchive zip(path);
    return Reader(zip, path, false).read();
}

Value readTorchArchive(const std::string& bytes, const std::string& place, bool takesTuples) {
    // An anonymous file lets the bytes be read by the same code as any other.
    const int fd = ::memfd_create("fxscope", MFD_CLOEXEC);
    const bool isWritten =
        fd >= 0 && ::write(fd, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
    struct Closer {
        int fd;
        ~Closer() { ::close(fd); }
    } closer{fd};
    if (!isWritten)
        throw Error(place, "cannot be unpacked: no memory");
    try {
        ZipArchive zip("/proc/self/fd/" + std::to_string(fd));
        return Reader(zip, place, takesTuples).read();
    } catch (const Error& error) {
        if (error.place().starts_with("/proc/"))
            throw Error(place, error.message()).hint(error.advice());
        throw;
    }
}

} // namespace fx
