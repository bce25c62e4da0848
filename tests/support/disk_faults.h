// SPDX-License-Identifier: GPL-3.0-or-later
// A disk whose n-th operation fails, or at whose n-th operation the process is killed. The functions of the
// system are replaced in the whole process, for libraries too.
#pragma once

#include <climits>

#include <string>
#include <vector>

namespace fx {

/// Acts while it lives. Counted are calls that change a disk: opening for writing, writing, syncing,
/// renaming, linking, cutting and making folders.
class DiskFaults {
public:
    static constexpr int kNever = INT_MAX; ///< no operation fails
    static constexpr int kKill = -1;       ///< in the place of an errno: the process is killed

    /// The operation `at` (from 0) fails with `code`; those after it do not.
    DiskFaults(int at, int code);
    DiskFaults(const DiskFaults&) = delete;
    DiskFaults& operator=(const DiskFaults&) = delete;
    ~DiskFaults();
    /// False if there were fewer operations.
    static bool haveHappened();
    /// Names of those since the last DiskFaults was made: "open", "write", "sync", "sync folder", "rename",
    /// ...
    static std::vector<std::string> operations();
};

} // namespace fx
