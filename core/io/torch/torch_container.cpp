// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/torch/torch_container.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/torch/legacy_torch.h"
#include "core/ir/dtype.h"

#include <algorithm>

namespace fx {

namespace {

/// "archive/", which holds data.pkl; empty if there is none.
std::string folderOf(const ZipArchive& zip) {
    for (const std::string& name : zip.names())
        if (name.ends_with("/data.pkl") && std::count(name.begin(), name.end(), '/') == 1)
            return name.substr(0, name.size() - std::string_view("data.pkl").size());
    return {};
}

} // namespace

TorchContainer::TorchContainer(std::string place, std::string form)
    : m_place(std::move(place)), m_form(std::move(form)),
      m_storages(std::make_unique<std::map<std::string, PieceTensors>>()) {}

bool TorchContainer::isTorchZip(const ZipArchive& zip) {
    return !folderOf(zip).empty();
}

TorchContainer TorchContainer::open(const std::string& path) {
    const auto file = MappedFile::open(path);
    if (ZipArchive::isZip(file->bytes()))
        return ofZip(std::make_shared<ZipArchive>(path), path);
    LegacyTorch legacy = readLegacyTorch(file, path);
    TorchContainer out(path, "legacy form");
    out.m_document = std::move(legacy.document);
    out.m_findStorage = [path, file, places = std::move(legacy.storages)](const std::string& key) {
        const auto found = places.find(key);
        if (found == places.end())
            throw Error(path, "lacks the storage " + pythonRepr(key) + " that its pickle speaks of");
        return PieceTensors(file, found->second.offset, found->second.size);
    };
    return out;
}

TorchContainer TorchContainer::ofZip(std::shared_ptr<const ZipArchive> zip, std::string place) {
    const std::string folder = folderOf(*zip);
    if (folder.empty())
        throw Error(place, "holds no data.pkl, so torch.save did not write it");
    const std::string order = folder + "byteorder";
    if (zip->contains(order) && zip->read(order) != "little")
        throw Error(place, "was saved on a big-endian machine").hint("save it again on a little-endian one");
    TorchContainer out(std::move(place), "zip form");
    const std::string pickle = zip->read(folder + "data.pkl");
    out.m_document = readPickle(pickle, out.m_place);
    out.m_findStorage = [zip = std::move(zip), folder](const std::string& key) {
        return PieceTensors(zip->map(folder + "data/" + key));
    };
    return out;
}

TorchContainer TorchContainer::ofParts(std::string place, std::string form, PickleDocument document,
                                       std::map<std::string, std::string> sources,
                                       std::function<PieceTensors(const std::string& key)> find) {
    TorchContainer out(std::move(place), std::move(form));
    out.m_document = std::move(document);
    out.m_sources = std::move(sources);
    out.m_findStorage = std::move(find);
    return out;
}

const std::string* TorchContainer::sourceOf(const std::string& className) const {
    for (size_t end = className.rfind('.'); end != std::string::npos && end > 0;
         end = className.rfind('.', end - 1))
        if (const auto found = m_sources.find(className.substr(0, end)); found != m_sources.end())
            return &found->second;
    return nullptr;
}

const PieceTensors& TorchContainer::storage(const PickledStorage& storage) const {
    auto known = m_storages->find(storage.key);
    if (known == m_storages->end())
        known = m_storages->emplace(storage.key, m_findStorage(storage.key)).first;
    const size_t available = known->second.byteCount(),
                 itemSize = storage.dtype ? c10::elementSize(*storage.dtype) : 1;
    if (storage.count < 0 || static_cast<uint64_t>(storage.count) > available / itemSize)
        throw Error(m_place + ": storage " + storage.key,
                    "claims " + plural(static_cast<uint64_t>(storage.count), "element") + " and has " +
                        byteText(available) + " of data");
    return known->second;
}

std::optional<PickledStorage> pickledStorage(const PickleValue& value, const std::string& place) {
    static const std::map<std::string, std::string, std::less<>> kTypes = {
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
        {"torch.QInt8Storage", "int8"},
        {"torch.QUInt8Storage", "uint8"},
        {"torch.QInt32Storage", "int32"},
    };
    const auto* persistent = value.as<PicklePersistent>();
    const auto* id = persistent ? persistent->id->as<PickleTuple>() : nullptr;
    const auto* kind = id && !id->items.empty() ? id->items[0]->as<std::string>() : nullptr;
    if (!kind || *kind != "storage")
        return std::nullopt;
    const auto fail = [&](const std::string& message) -> Error { return {place, message}; };
    if (id->items.size() < 5)
        throw fail("refers to a storage by less than torch writes");
    std::string type(id->items[1]->globalName());
    const auto* key = id->items[2]->as<std::string>();
    const auto* location = id->items[3]->as<std::string>();
    const auto* count = id->items[4]->as<int64_t>();
    if (type.empty() || !key || !location || !count || *count < 0)
        throw fail("refers to a storage in a way that torch does not write");
    // Storages of a device have a module of their own: torch.cuda.FloatStorage.
    if (type.starts_with("torch.cuda."))
        type.erase(6, 5);
    PickledStorage out{*key, type, *location, std::nullopt, *count};
    if (type == "torch.storage.UntypedStorage" || type == "torch.UntypedStorage")
        return out;
    const auto found = kTypes.find(type);
    if (found == kTypes.end())
        throw fail("has a storage of " + type + ", which is not known");
    out.dtype = dtypeFromName(found->second);
    return out;
}

} // namespace fx
