// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/open/added_formats.h"

#include "core/base/error.h"

#include <deque>

namespace fx {

namespace {

std::deque<AddedFormat>& addedFormats() {
    static std::deque<AddedFormat> kAdded;
    return kAdded;
}

} // namespace

void requireUsable(const AddedFormat& format) {
    if (format.name.empty() || !format.recognises || !format.read)
        throw Error("format '" + format.name + "'", "lacks its name, its recogniser or its reader");
}

void addFormat(AddedFormat format) {
    requireUsable(format);
    addedFormats().push_back(std::move(format));
}

const AddedFormat* findAddedFormat(std::span<const std::byte> content) {
    for (const AddedFormat& format : addedFormats())
        if (format.recognises(content))
            return &format;
    return nullptr;
}

} // namespace fx
