// SPDX-License-Identifier: GPL-3.0-or-later
// A file of records that only grows, each with its length and a checksum, so that what was being written when
// a process died can be told from what is whole. Who has it open holds its lock, which the kernel lets go of
// when the process dies. What the records say is for journal.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

class JournalFile {
public:
    /// A new file in the folder, which is made if it is not there. It gets its name when the first record is
    /// in it, so that no file of that name is without. Throws an Error.
    JournalFile(const std::string& folder, std::string_view firstRecord);
    /// A file that is there; none if another process has it, or if it is no journal.
    static std::optional<JournalFile> take(const std::string& path);
    /// The paths of all journals in the folder.
    static std::vector<std::string> in(const std::string& folder);
    JournalFile(JournalFile&& other) noexcept;
    JournalFile& operator=(JournalFile&& other) noexcept;
    ~JournalFile();

    const std::string& path() const { return m_path; }
    struct Content {
        std::vector<std::string> records;
        uint64_t tornBytes = 0; ///< at the end, which are no whole record
    };
    Content read() const;
    /// The kernel has the record when this returns: it survives this process, though not yet the machine.
    /// What is torn is cut off first. Throws an Error, with the file as it was.
    void append(std::string_view record);
    /// All records survive the machine, too. From any thread. Throws an Error.
    void sync() const;
    void remove();

private:
    JournalFile(std::string path, int fd) : m_path(std::move(path)), m_fd(fd) {}
    void write(std::string_view bytes);

    std::string m_path;
    int m_fd = -1;
    uint64_t m_end = 0; ///< of the whole records
};

} // namespace fx
