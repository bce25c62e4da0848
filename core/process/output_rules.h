// SPDX-License-Identifier: GPL-3.0-or-later
// Decides which paths a process that runs a graph may change: the outputs that its user named, and the
// temporary files from which those are made.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace fx {

/// Paths are compared after links in their folders have been resolved. The process cannot make links.
class OutputRules {
public:
    enum class Right {
        None,
        Create, ///< may be made where nothing is
        Change, ///< may be opened for writing, replaced and removed
    };

    /// A file, or a folder with everything in it. Fresh files beside it may be made and moved into its place,
    /// if their names begin with its name, or with a dot and its name. What killed saves have left in its
    /// folder is removed here, as the confined process may not.
    void addOutput(const std::string& path);
    /// A device, which may be opened.
    void addDevice(const std::filesystem::path& path) { m_devices.insert(path); }
    /// All files may be opened, but for those by which the kernel tells of processes, devices and itself.
    void addAllFiles() { m_hasAllFiles = true; }
    /// Fresh folders among the system's temporary files, named as LibTorch's loader of packages names them.
    void addTemporaryFolders() { m_hasTemporaryFolders = true; }

    /// `place`: as placeOf() gives it.
    Right rightOn(const std::filesystem::path& place) const;
    /// True if it may be removed.
    bool mayRemove(const std::filesystem::path& place) const { return rightOn(place) == Right::Change; }
    /// True if it may be opened for writing, or made, although nothing else may be done with it.
    bool mayOpen(const std::filesystem::path& place) const;
    /// The process has made what lies there, and may change it from now on.
    void addFresh(const std::filesystem::path& place) { m_fresh.insert(place); }
    void removeFresh(const std::filesystem::path& place) { m_fresh.erase(place); }

    /// The absolute path, without links in its folders. The last name may be a link.
    static std::filesystem::path placeOf(const std::filesystem::path& path);
    /// What a place leads to if it is a link; there need be nothing.
    static std::filesystem::path targetOf(const std::filesystem::path& place);

private:
    std::vector<std::filesystem::path> m_outputs;
    std::set<std::filesystem::path> m_fresh, m_devices;
    bool m_hasTemporaryFolders = false, m_hasAllFiles = false;
};

} // namespace fx
