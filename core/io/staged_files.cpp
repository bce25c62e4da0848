// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/staged_files.h"

#include "core/io/mapped_file.h"

#include <cstdio>

namespace fx {

StagedFiles::~StagedFiles() {
    for (const auto& [temporary, path] : m_files)
        std::remove(temporary.c_str());
}

const std::string& StagedFiles::add(const std::string& path) {
    return m_files.emplace_back(temporaryNameFor(path), path).first;
}

void StagedFiles::moveIntoPlace() {
    for (const auto& [temporary, path] : m_files)
        fx::moveIntoPlace(temporary, path);
    m_files.clear();
}

} // namespace fx
