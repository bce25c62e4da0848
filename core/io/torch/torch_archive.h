// SPDX-License-Identifier: GPL-3.0-or-later
// What torch.save writes: a pickle beside raw storages. Only plain data and tensors are understood, from a
// closed list of names; anything else is an error that names the class. Nothing of the file is run.
#pragma once

#include "core/io/mapped_file.h"
#include "core/python/value.h"

#include <functional>
#include <string>

namespace fx {

class PickleWriter;

/// A .pt file, of the zip form or the legacy one.
Value readTorchFile(const std::string& path);
/// A zip archive that lies inside another file. `takesTuples`: an instance of an unknown class that was made
/// from arguments alone, as named tuples are, is read as the tuple of them.
Value readTorchArchive(const std::string& bytes, const std::string& place, bool takesTuples = false);
/// Writes a value that torch.load reads, also with weights_only=True: tensors, numbers, strings, containers.
void writeTorchFile(const std::string& path, const Value& value);
/// Writes what `pickle` holds; `look` as ZipWriter::finish takes it.
void writeTorchFile(const std::string& path, PickleWriter& pickle,
                    const std::function<void(const std::string& temporary)>& look = nullptr);
/// The bytes of such a file.
std::string torchFileBytes(PickleWriter& pickle);
std::string torchFileBytes(const Value& value);

} // namespace fx
