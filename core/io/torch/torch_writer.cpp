// SPDX-License-Identifier: GPL-3.0-or-later
// Writes what torch.load reads: a pickle (core/io/pickle/pickle_writer.h) beside the storages.
#include "core/io/pickle/pickle_writer.h"
#include "core/io/torch/torch_archive.h"
#include "core/io/zip_writer.h"

#include <ATen/ATen.h>

namespace fx {

namespace {

void addRecords(ZipWriter& zip, PickleWriter& pickle) {
    zip.add("archive/data.pkl", pickle.take());
    zip.add("archive/byteorder", "little");
    for (size_t i = 0; i < pickle.storages().size(); ++i) {
        const c10::Storage& storage = pickle.storages()[i].storage();
        zip.add("archive/data/" + std::to_string(i),
                {static_cast<const char*>(storage.data()), storage.nbytes()});
        requireUnchanged(storage.data());
    }
    zip.add("archive/version", "3\n");
}

} // namespace

void writeTorchFile(const std::string& path, PickleWriter& pickle,
                    const std::function<void(const std::string& temporary)>& look) {
    ZipWriter zip(path);
    addRecords(zip, pickle);
    zip.finish(look);
}

void writeTorchFile(const std::string& path, const Value& value) {
    PickleWriter pickle;
    pickle.value(value);
    writeTorchFile(path, pickle);
}

std::string torchFileBytes(PickleWriter& pickle) {
    ZipWriter zip;
    addRecords(zip, pickle);
    return zip.takeBytes();
}

std::string torchFileBytes(const Value& value) {
    PickleWriter pickle;
    pickle.value(value);
    return torchFileBytes(pickle);
}

} // namespace fx
