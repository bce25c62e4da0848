// SPDX-License-Identifier: GPL-3.0-or-later
// Several files that are of use together: all are written beside their targets before the first takes its
// place, so that a full disk leaves all the old ones.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace fx {

class StagedFiles {
public:
    StagedFiles() = default;
    StagedFiles(const StagedFiles&) = delete;
    StagedFiles& operator=(const StagedFiles&) = delete;
    /// What was not moved into place is removed.
    ~StagedFiles();

    /// Where to write what is to be at `path`.
    const std::string& add(const std::string& path);
    /// In the order in which they were added. Throws an Error.
    void moveIntoPlace();

private:
    std::vector<std::pair<std::string, std::string>> m_files; ///< temporary name and target
};

} // namespace fx
