// SPDX-License-Identifier: GPL-3.0-or-later
// Formats that plugins can read, told by content as our own are. Ours are asked first. What reads them is
// foreign code that reads foreign bytes, so they are opened where source is: in a confined child
// (core/session/opening.h).
#pragma once

#include "core/base/progress.h"
#include "core/io/opened_model.h"

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace fx {

struct AddedFormat {
    std::string name; ///< for people: "Keras archive (.keras)"
    /// Whether a file is of the format; must not take long and must not throw.
    std::function<bool(std::span<const std::byte> content)> recognises;
    /// Reads nothing but the file. Throws an Error.
    std::function<OpenedModel(const std::string& path, Progress& progress)> read;
};

/// Throws an Error where something of it is missing.
void requireUsable(const AddedFormat& format);
/// Before anything is opened.
void addFormat(AddedFormat format);
/// The format of a file that is none of ours; null if nobody knows it.
const AddedFormat* findAddedFormat(std::span<const std::byte> content);

} // namespace fx
