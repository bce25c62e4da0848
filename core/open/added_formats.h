// SPDX-License-Identifier: GPL-3.0-or-later
// What a plugin gives to have a format read. It becomes a row of the table of formats (formats.h), after
// ours. What reads it is foreign code that reads foreign bytes, so it is opened where source is: in a
// confined child (core/session/opening.h).
#pragma once

#include "core/base/progress.h"
#include "core/io/opened_model.h"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace fx {

struct AddedFormat {
    std::string name;                 ///< for people: "Keras archive"
    std::vector<std::string> endings; ///< of the names of its files, for dialogs: ".keras"
    /// Whether a file is of the format; must not take long and must not throw.
    std::function<bool(std::span<const std::byte> content)> recognises;
    /// Reads nothing but the file. Throws an Error.
    std::function<OpenedModel(const std::string& path, Progress& progress)> read;
};

/// Throws an Error where something of it is missing.
void requireUsable(const AddedFormat& format);
/// Before anything is opened.
void addFormat(AddedFormat format);

} // namespace fx
