// SPDX-License-Identifier: GPL-3.0-or-later
// A file's bytes as memory, and what becomes of it when the file changes: others may cut the file or write
// into it (torch.export.save does both), and then reading the memory gives what is not the model's, or
// SIGBUS. A signal never ends the program here; whoever has read asks afterwards whether what was read is
// right. To be ahead of the change is for file_leases.h. Which files are opened and why is left to
// core/io/mapped_file.h.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <sys/stat.h>

namespace fx {

class FileMemory {
public:
    /// Takes over `fd`, a regular file that is not empty, open for reading; `info` is what fstat says of it.
    /// Writing to the memory does not change the file. Throws an Error where there is no room for it.
    FileMemory(std::string path, int fd, const struct stat& info);
    ~FileMemory();
    FileMemory(const FileMemory&) = delete;
    FileMemory& operator=(const FileMemory&) = delete;

    const std::string& path() const { return m_path; }
    /// Where other processes of this machine find the file while this one has it open, whatever became of its
    /// name.
    std::string openPath() const;
    std::byte* data() const { return m_data; }
    size_t size() const { return static_cast<size_t>(m_first.st_size); }

    /// Which content of which file it is, as far as the system tells: equal for the same file, unchanged.
    std::string version() const;
    /// Whether the memory is still what the file held at first. A file that was deleted, or that another has
    /// taken the name of, is still there for who has it open.
    bool isUnchanged() const;
    /// Throws an Error if not.
    void requireUnchanged() const;
    /// Takes a copy of the bytes to the same addresses, so that the file does not matter any more. Who reads
    /// meanwhile notices nothing; the file must not change before this returns.
    void detach();

    /// What the signal handler reads.
    struct Region;

private:
    std::string m_path;
    int m_fd;
    const struct stat m_first;
    std::byte* m_data;
    Region* m_region;
    std::atomic<bool> m_isDetached = false;
};

/// The file that this is memory of; null if it is of none. Only for memory that the caller keeps.
const FileMemory* fileMemoryAt(const void* address);
/// Throws an Error if it is memory of a file that has changed: to be asked after its bytes have been read.
void requireUnchanged(const void* address);

} // namespace fx
