// SPDX-License-Identifier: GPL-3.0-or-later
// A new file or folder beside a target, until it takes the target's place: a name that nobody else has, no
// link that is followed, and a lock by which leftovers of killed processes are told from saves in progress.
#pragma once

#include "core/base/error.h"

#include <string>
#include <sys/types.h>

namespace fx {

/// The file or folder that `path` names once all links are followed; it need not exist.
std::string linkTarget(const std::string& path);
/// Error for an operation on `path` that failed with `code` (errno), with the remedy if one is known.
Error writeError(const std::string& path, int code);

/// Removes what killed processes of this user have left in the folder of `target`. A save in progress holds
/// its lock.
void removeLeftovers(const std::string& target);
/// Makes the names in a folder reach the disk, if its file system can do so.
void syncFolder(const std::string& folder);

class TemporaryEntry {
public:
    enum class Kind { File, Folder };
    /// Makes an empty file or folder in the folder of `target`, and removes there what killed saves have
    /// left. `rights` are reduced by the umask. Throws an Error that names `path`, which the user gave.
    TemporaryEntry(Kind kind, const std::string& target, mode_t rights, const std::string& path);
    /// Removes it with all that is in it, unless it was moved away.
    ~TemporaryEntry();
    TemporaryEntry(const TemporaryEntry&) = delete;
    TemporaryEntry& operator=(const TemporaryEntry&) = delete;

    const std::string& path() const { return m_path; }
    int descriptor() const { return m_descriptor; }
    /// To be called once nothing is left to remove under path().
    void setMoved() { m_isMoved = true; }
    /// The same error with `path` in the place of this entry's own, which means nothing to people.
    Error renamed(const Error& error, const std::string& path) const;

private:
    std::string m_path;
    int m_descriptor = -1; ///< holds the lock
    bool m_isMoved = false;
};

} // namespace fx
