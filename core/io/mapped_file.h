// SPDX-License-Identifier: GPL-3.0-or-later
// A whole file as memory that the system fills in as it is read, and that may be written without touching the
// file.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace fx {

class MappedFile {
public:
    /// Throws an Error for what is missing, unreadable, empty or no regular file.
    static std::shared_ptr<const MappedFile> open(const std::string& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    const std::string& path() const { return m_path; }
    std::span<const std::byte> bytes() const { return {m_data, m_size}; }
    /// The same memory for tensors; what is written there stays in this process.
    std::byte* writable() const { return m_data; }

private:
    MappedFile(std::string path, std::byte* data, size_t size);
    std::string m_path;
    std::byte* m_data;
    size_t m_size;
};

/// The whole file as text or bytes; throws as MappedFile::open does, but an empty file is an empty string.
std::string readFile(const std::string& path);
/// Writes beside the target and renames, so that the target is either the old or the new file.
void writeFile(const std::string& path, std::string_view content);
/// A name beside `path` to write to before renaming.
std::string temporaryNameFor(const std::string& path);
/// Moves a finished temporary file onto its target.
void moveIntoPlace(const std::string& temporary, const std::string& path);

} // namespace fx
