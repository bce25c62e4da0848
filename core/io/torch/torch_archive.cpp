// SPDX-License-Identifier: GPL-3.0-or-later
// The closed list of what a torch.save pickle may name. The writer is in torch_writer.cpp.
#include "core/io/torch/torch_archive.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/pickle/pickle_view.h"
#include "core/io/pickle/pickled_tensors.h"
#include "core/ir/torch_constants.h"

#include <ATen/ATen.h>

#include <map>
#include <set>
#include <sys/mman.h>
#include <unistd.h>

namespace fx {

namespace {

using c10::IValue;

class ArchiveReader {
public:
    ArchiveReader(const TorchContainer& container, bool takesTuples)
        : m_container(container), m_tensors(container, false), m_takesTuples(takesTuples) {}

    Value read() { return convert(m_container.root()); }

private:
    [[noreturn]] void fail(const std::string& message) const { throw Error(m_container.place(), message); }

    Value convert(const PickleValue& value) {
        if (const auto known = m_known.find(&value); known != m_known.end()) {
            count(known->second.size);
            return known->second.value;
        }
        constexpr size_t kDeepest = 500;
        if (m_open.size() > kDeepest)
            fail("is nested too deeply");
        if (!m_open.insert(&value).second)
            fail("contains itself");
        const uint64_t before = m_count;
        count(1);
        Value out = convertNew(value);
        m_open.erase(&value);
        m_known.emplace(&value, Known{out, m_count - before});
        return out;
    }

    /// Lists that hold the same list twice, and so on, are short in the file and endless for who walks them.
    void count(uint64_t values) {
        constexpr uint64_t kMostValues = 20'000'000;
        m_count += values;
        if (m_count > kMostValues)
            fail("stands for more than " + std::to_string(kMostValues) + " values");
    }

    Values convertAll(const std::vector<PickleRef>& refs) {
        Values out;
        for (PickleRef ref : refs)
            out.push_back(convert(*ref));
        return out;
    }

    Value convertDict(const PickleItems& items) {
        std::vector<std::pair<Value, Value>> out;
        for (const auto& [key, value] : items) {
            Value keyValue = convert(*key);
            out.emplace_back(std::move(keyValue), convert(*value));
        }
        return makeDict(std::move(out));
    }

    Value convertNew(const PickleValue& value) {
        if (value.isNone())
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
        if (const std::optional<PickleItems> items = pickledDict(value))
            return convertDict(*items);
        if (const std::optional<std::vector<PickleRef>> items = pickledItems(value))
            return makeSequence(convertAll(*items), true);
        if (const auto* global = value.as<PickleGlobal>())
            return convertGlobal(global->name);
        if (const std::optional<PickledTensor> tensor = m_tensors.find(value))
            return IValue(tensor->slot.value());
        if (const auto* call = value.as<PickleCall>())
            return convertCall(*call);
        if (value.as<PickleLong>())
            fail("holds an int of more than 64 bits");
        fail("holds a reference that torch does not write");
    }

    Value convertGlobal(const std::string& name) {
        if (name.starts_with("torch."))
            if (auto constant = torchConstant(name))
                return Object{std::move(*constant)};
        fail("refers to " + name + ", which is not plain data");
    }

    const std::vector<PickleRef>& argumentsOf(const PickleCall& call, size_t least) {
        if (call.positional().size() < least)
            fail("has a damaged record");
        return call.positional();
    }

    int64_t integer(const Value& value) {
        if (!value.isInt())
            fail("has a size that is no int");
        return value.data().toInt();
    }

    Value device(const Values& args) {
        if (!args[0].isString())
            fail("has a device without a name");
        const std::string text =
            args[0].text() + (args.size() > 1 ? ':' + std::to_string(integer(args[1])) : std::string());
        try {
            return IValue(c10::Device(text));
        } catch (const c10::Error&) {
            fail("has a device " + pythonRepr(text) + ", which is not known");
        }
    }

    Value complexNumber(const Values& args) {
        if (!args[0].isDouble() || !args[1].isDouble())
            fail("has a complex number of parts that are no numbers");
        return IValue(c10::complex<double>(args[0].data().toDouble(), args[1].data().toDouble()));
    }

    Value convertCall(const PickleCall& call) {
        const std::string name(call.callable->globalName());
        if (name.empty())
            fail("calls what is no name");
        if (name == "torch.jit._pickle.restore_type_tag" || name.starts_with("torch.jit._pickle.build_"))
            return convert(*argumentsOf(call, 1)[0]);
        if (name == "torch.Size" || name == "torch._C.Size") {
            SizeObject size;
            const Value sizes = convert(*argumentsOf(call, 1)[0]);
            for (const Value& item : itemsOf(sizes).value_or(Values()))
                size.sizes.push_back(integer(item));
            return Object{size};
        }
        if (name == "torch.device")
            return device(convertAll(argumentsOf(call, 1)));
        if (name == "builtins.complex" || name == "__builtin__.complex")
            return complexNumber(convertAll(argumentsOf(call, 2)));
        if (name == "builtins.slice" || name == "__builtin__.slice") {
            const Values args = convertAll(argumentsOf(call, 3));
            return Object{SliceObject{args[0], args[1], args[2]}};
        }
        const auto* made = call.arguments->as<PickleTuple>();
        if (m_takesTuples && made && !call.state)
            return makeSequence(convertAll(made->items), false);
        throw Error(m_container.place(), "holds an object of " + name + ", which is not plain data")
            .hint("save tensors, numbers, strings, lists, tuples and dicts of them");
    }

    const TorchContainer& m_container;
    PickledTensors m_tensors;
    bool m_takesTuples;
    struct Known {
        Value value;
        uint64_t size; ///< how many values it stands for
    };
    std::map<const PickleValue*, Known> m_known;
    uint64_t m_count = 0;
    std::set<const PickleValue*> m_open;
};

} // namespace

Value readTorchFile(const std::string& path) {
    const TorchContainer container = TorchContainer::open(path);
    return ArchiveReader(container, false).read();
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
    const std::string path = "/proc/self/fd/" + std::to_string(fd);
    try {
        const TorchContainer container = TorchContainer::ofZip(std::make_shared<ZipArchive>(path), place);
        return ArchiveReader(container, takesTuples).read();
    } catch (const Error& error) {
        if (!error.place().starts_with(path)) // which means nothing to people
            throw;
        throw Error(place, error.message()).hint(error.advice());
    }
}

} // namespace fx
