// SPDX-License-Identifier: GPL-3.0-or-later
// What torch.save wrote, as it stands: a pickle, and the bytes of the storages that it speaks of. Two forms
// are one here: zip archives, and the legacy form of several pickles before raw storages (legacy_torch.h).
// What the pickle means is left to torch_archive.h (values), state_dict.h and pickled_module.h.
#pragma once

#include "core/io/pickle/pickle.h"
#include "core/io/tensor_bytes.h"

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace fx {

/// A storage as a pickle refers to it: ("storage", class, key, location, count).
struct PickledStorage {
    std::string key;
    std::string type; ///< "torch.FloatStorage"; the untyped has none
    std::string location;
    std::optional<c10::ScalarType> dtype; ///< none: bytes
    int64_t count = 0;                    ///< of elements
};

class TorchContainer {
public:
    /// By content. Throws an Error that says what the file is instead, where torch.save did not write it.
    static TorchContainer open(const std::string& path);
    /// An archive that is open already; `place` is what errors name.
    static TorchContainer ofZip(std::shared_ptr<const ZipArchive> zip, std::string place);
    /// A pickle whose storages `find` finds; `sources` are texts of modules that come along, by their names.
    static TorchContainer ofParts(std::string place, std::string form, PickleDocument document,
                                  std::map<std::string, std::string> sources,
                                  std::function<PieceTensors(const std::string& key)> find);
    /// Whether it is a zip archive with one pickle of torch.save's in it.
    static bool isTorchZip(const ZipArchive& zip);

    const std::string& place() const { return m_place; }
    /// For people: "zip form".
    const std::string& form() const { return m_form; }
    const PickleValue& root() const { return *m_document.root; }
    const PickleDocument& document() const { return m_document; }
    /// The text of the module that defines the class "net.Net"; null where the file has none.
    const std::string* sourceOf(const std::string& className) const;
    /// The bytes of a storage; throws where the file has none, or fewer than the pickle claims.
    const PieceTensors& storage(const PickledStorage& storage) const;

private:
    TorchContainer(std::string place, std::string form);

    std::string m_place, m_form;
    PickleDocument m_document;
    std::map<std::string, std::string> m_sources;
    std::function<PieceTensors(const std::string& key)> m_findStorage;
    /// One for each storage, so that tensors over it share memory.
    std::unique_ptr<std::map<std::string, PieceTensors>> m_storages;
};

/// None where the value is no reference to a storage; throws at `place` for one that is damaged or of a class
/// that is not known.
std::optional<PickledStorage> pickledStorage(const PickleValue& value, const std::string& place);

} // namespace fx
