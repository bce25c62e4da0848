// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/host/constructor_types.h"

#include "core/base/text.h"

#include <map>
#include <utility>

namespace fx {

std::string_view torchTables(std::string_view name); // generated from tables/*.txt

namespace {

using ConstructorTypes = std::map<std::pair<std::string_view, std::string_view>, std::string_view>;

ConstructorTypes readConstructorTypes() {
    ConstructorTypes out;
    std::string_view type;
    for (const std::string_view line : split(torchTables("constructor_types.txt"), '\n')) {
        if (line.empty() || line.starts_with('#'))
            continue;
        if (!line.starts_with(' ')) {
            type = line;
            continue;
        }
        const std::string_view row = line.substr(2);
        const size_t blank = row.find(' ');
        out[{type, row.substr(0, blank)}] = row.substr(blank + 1);
    }
    return out;
}

} // namespace

std::string_view constructorType(const std::string& type, const std::string& parameter) {
    static const ConstructorTypes types = readConstructorTypes();
    const auto found = types.find({type, parameter});
    return found == types.end() ? std::string_view() : found->second;
}

} // namespace fx
