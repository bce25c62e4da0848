// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/torch/legacy_torch.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/torch/torch_container.h"

#include <cstring>

namespace fx {

namespace {

constexpr std::string_view kMagic = "0x1950a86a20f9469cfc6c", kMagicDigits = "119547037146038801333356";
constexpr std::string_view kMagicBytes = "\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19";
constexpr int64_t kVersion = 1001;

std::string_view textOf(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The value of a dict under a key that is text.
const PickleValue* entryOf(const PickleValue& dict, std::string_view key) {
    if (const auto* items = dict.as<PickleDict>())
        for (const auto& [name, value] : items->items)
            if (const auto* text = name->as<std::string>(); text && *text == key)
                return value;
    return nullptr;
}

class LegacyReader {
public:
    LegacyReader(const std::shared_ptr<const MappedFile>& file, const std::string& place)
        : m_data(textOf(file->bytes())), m_place(place) {}

    LegacyTorch read() {
        const PickleDocument magic = next();
        const auto* number = magic.root->as<PickleLong>();
        if (!number || (number->text != kMagic && number->text != kMagicDigits))
            fail("was not written by torch.save");
        const PickleDocument version = next();
        const auto* known = version.root->as<int64_t>();
        if (!known || *known != kVersion)
            throw Error(m_place, "is of a version of torch.save that is not known")
                .hint("load it in Python and save it again with torch.save");
        const PickleDocument machine = next();
        const PickleValue* isLittle = entryOf(*machine.root, "little_endian");
        if (isLittle && isLittle->as<bool>() && !*isLittle->as<bool>())
            throw Error(m_place, "was saved on a big-endian machine")
                .hint("save it again on a little-endian one");
        LegacyTorch out;
        out.document = next();
        const std::map<std::string, size_t> itemSizes = storageItemSizes(out.document);
        const PickleDocument keys = next();
        const auto* list = keys.root->as<PickleList>();
        if (!list)
            fail("has no list of its storages");
        for (PickleRef item : list->items) {
            const auto* key = item->as<std::string>();
            const auto itemSize = key ? itemSizes.find(*key) : itemSizes.end();
            if (itemSize == itemSizes.end())
                fail("lists a storage that its pickle does not speak of");
            if (!out.storages.emplace(*key, takeStorage(itemSize->second)).second)
                fail("lists a storage twice");
        }
        return out;
    }

private:
    [[noreturn]] void fail(const std::string& message) const {
        throw Error(m_place, message).hint("was it saved or copied completely?");
    }

    PickleDocument next() {
        PickleDocument out = readPickle(m_data.substr(m_at), m_place);
        m_at += out.length;
        return out;
    }

    /// How many bytes an element takes, as the first tensor that uses the storage says.
    std::map<std::string, size_t> storageItemSizes(const PickleDocument& document) const {
        std::map<std::string, size_t> out;
        for (const PickleValue& value : document.values)
            if (const auto storage = pickledStorage(value, m_place))
                out.try_emplace(storage->key, storage->dtype ? c10::elementSize(*storage->dtype) : 1);
        return out;
    }

    LegacyTorch::Place takeStorage(size_t itemSize) {
        int64_t count = 0;
        if (m_data.size() - m_at < sizeof count)
            fail("ends before its storages do");
        std::memcpy(&count, m_data.data() + m_at, sizeof count);
        m_at += sizeof count;
        if (count < 0 || uint64_t(count) > (m_data.size() - m_at) / itemSize)
            fail("ends before its storages do");
        const LegacyTorch::Place out{m_at, static_cast<size_t>(count) * itemSize};
        m_at += out.size;
        return out;
    }

    std::string_view m_data;
    const std::string& m_place;
    size_t m_at = 0;
};

} // namespace

bool isLegacyTorch(std::span<const std::byte> bytes) {
    const std::string_view start = textOf(bytes.first(std::min<size_t>(bytes.size(), 64)));
    // Protocols 0 and 1 write digits; from 4 on a frame comes before the number.
    return start.starts_with('L' + std::string(kMagicDigits)) ||
           (start.starts_with('\x80') && contains(start, kMagicBytes));
}

bool isTarTorch(std::span<const std::byte> bytes) {
    constexpr size_t kBlock = 512;
    if (bytes.size() < kBlock)
        return false;
    const std::string_view header = textOf(bytes.first(kBlock));
    const std::string_view name = header.substr(0, header.find('\0'));
    return header.substr(257, 5) == "ustar" && (name == "storages" || name == "tensors" || name == "pickle" ||
                                                name == "sys_info" || name == "." || name == "./");
}

LegacyTorch readLegacyTorch(const std::shared_ptr<const MappedFile>& file, const std::string& place) {
    if (isTarTorch(file->bytes()))
        throw Error(place, "is a tar archive, as PyTorch wrote before version 0.2")
            .hint("load it in Python with torch.load(..., weights_only=False) and save it again");
    if (!isLegacyTorch(file->bytes()))
        throw Error(place, "was not written by torch.save");
    return LegacyReader(file, place).read();
}

} // namespace fx
