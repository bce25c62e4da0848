// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bind/inductor_operators.h"

#include "core/base/text.h"

#include <unordered_set>

namespace fx {

std::string_view torchTables(std::string_view name); // generated from tables/*.txt

namespace {

std::unordered_set<std::string> inductorTable() {
    std::unordered_set<std::string> out;
    std::string space;
    for (const std::string_view line : split(torchTables("inductor_operators.txt"), '\n')) {
        if (line.empty() || line.starts_with('#'))
            continue;
        if (line.starts_with("@ ")) {
            space = std::string(line.substr(2)) + "::";
            continue;
        }
        for (const std::string_view word : split(line, ' '))
            out.insert(space + std::string(word));
    }
    return out;
}

} // namespace

bool isLoweredByInductor(const std::string& qualifiedName) {
    static const std::unordered_set<std::string> kTable = inductorTable();
    return kTable.contains(qualifiedName) ||
           (qualifiedName.ends_with('_') &&
            kTable.contains(qualifiedName.substr(0, qualifiedName.size() - 1)));
}

} // namespace fx
