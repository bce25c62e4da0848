// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/output_folder.h"

#include "core/base/temporary_entry.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace fx {

namespace {

namespace fs = std::filesystem;

/// How often a folder may be replaced by others while one save is about to replace it.
constexpr int kMostTries = 100;

/// Puts a second link to each file of `from` that `to` lacks into `to`: nothing is copied, and nothing taken
/// away. Returns false where something went away meanwhile, as when another save replaces the folder.
bool keepOthers(const fs::path& from, const fs::path& to, const std::string& path) {
    std::error_code fault, ignored;
    fs::recursive_directory_iterator at(from, fault), end;
    for (; !fault && at != end; at.increment(fault)) {
        const fs::path name = at->path().lexically_relative(from), kept = to / name;
        if (fs::exists(fs::symlink_status(kept, ignored)))
            continue;
        std::error_code why;
        if (fs::is_directory(at->symlink_status(ignored)))
            fs::create_directory(kept, at->path(), why);
        else
            fs::create_hard_link(at->path(), kept, why);
        if (why == std::errc::no_such_file_or_directory)
            return false;
        if (why)
            throw Error(path, "holds '" + name.string() + "', which cannot be kept: " + why.message())
                .hint("export to another folder");
    }
    if (fault && fault != std::errc::no_such_file_or_directory)
        throw writeError(path, fault.value());
    return !fault;
}

/// Makes the names in the folders under `path` reach the disk, if its file system can do so.
void syncFolders(const fs::path& path) {
    std::error_code fault;
    for (fs::recursive_directory_iterator at(path, fault), end; !fault && at != end; at.increment(fault))
        if (at->is_directory(fault) && !at->is_symlink(fault))
            syncFolder(at->path());
    syncFolder(path);
}

/// True if the current folder is `folder`, or lies in it.
bool isCurrent(const fs::path& folder) {
    std::error_code fault;
    const fs::path current = fs::current_path(fault), inside = current.lexically_relative(folder);
    return !fault && !inside.empty() && *inside.begin() != "..";
}

} // namespace

void writeFolder(const std::string& path, const std::function<void(const std::string& folder)>& fill) {
    const fs::path target = linkTarget(path);
    std::error_code fault;
    if (fs::exists(target, fault) && !fs::is_directory(target, fault))
        throw Error(path, "is a file, not a folder").hint("export to another folder");
    if (isCurrent(target))
        throw Error(path, "cannot be replaced as a whole: the current folder is in it")
            .hint("export to another folder");
    fs::create_directories(target.parent_path(), fault);
    TemporaryEntry entry(TemporaryEntry::Kind::Folder, target, 0777, path);
    try {
        fill(entry.path());
    } catch (const Error& error) {
        throw entry.renamed(error, path);
    } catch (const fs::filesystem_error& error) {
        throw writeError(path, error.code().value());
    }
    syncFolders(entry.path());
    // Takes the place of no folder, or of an empty one.
    if (::rename(entry.path().c_str(), target.c_str()) == 0) {
        entry.setMoved();
    } else if (errno == ENOTEMPTY || errno == EEXIST) {
        for (int tries = 1; !keepOthers(target, entry.path(), path); ++tries)
            if (tries == kMostTries)
                throw Error(path, "is replaced again and again by another save")
                    .hint("export to another folder");
        fs::permissions(entry.path(), fs::status(target, fault).permissions(), fault);
        syncFolders(entry.path());
        if (::renameat2(AT_FDCWD, entry.path().c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) != 0)
            throw Error(path, std::string("cannot be replaced as a whole: ") + std::strerror(errno))
                .hint("export to a folder that is not there yet");
        // The entry's name is that of the old folder now, and goes with it.
    } else {
        throw writeError(path, errno);
    }
    syncFolder(target.parent_path());
}

} // namespace fx
