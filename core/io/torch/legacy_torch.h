// SPDX-License-Identifier: GPL-3.0-or-later
// The form that torch.save wrote before PyTorch 1.6, and still writes when asked: five pickles (a magic
// number, a version, what machine it was, the object, the keys of the storages), then the storages one after
// the other.
#pragma once

#include "core/io/mapped_file.h"
#include "core/io/pickle/pickle.h"

#include <map>
#include <string>

namespace fx {

struct LegacyTorch {
    PickleDocument document;
    struct Place {
        size_t offset, size;
    };
    std::map<std::string, Place> storages; ///< by key: where in the file their bytes are
};

/// Whether the file begins with torch's magic number.
bool isLegacyTorch(std::span<const std::byte> bytes);
/// Whether it is the tar archive that PyTorch wrote before version 0.2.
bool isTarTorch(std::span<const std::byte> bytes);
/// Throws an Error at `place` for what is damaged, big-endian, or of the tar form.
LegacyTorch readLegacyTorch(const std::shared_ptr<const MappedFile>& file, const std::string& place);

} // namespace fx
