// SPDX-License-Identifier: GPL-3.0-or-later
// A whole file as memory that the system fills in as it is read, and that may be written without touching the
// file. What happens when the file changes is told in core/base/file_memory.h.
#pragma once

#include "core/base/file_memory.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace fx {

class MappedFile {
public:
    /// Throws an Error for what is missing, unreadable, empty or no regular file.
    static std::shared_ptr<const MappedFile> open(const std::string& path) { return open(path, path); }
    /// Likewise, of a file that errors call `name`.
    static std::shared_ptr<const MappedFile> open(const std::string& path, const std::string& name);
    /// What is open already, and stays so; `path` is what errors call it.
    static std::shared_ptr<const MappedFile> ofDescriptor(int descriptor, const std::string& path);
    const std::string& path() const { return m_memory.path(); }
    std::span<const std::byte> bytes() const { return {m_memory.data(), m_memory.size()}; }
    /// The same memory for tensors; what is written there stays in this process.
    std::byte* writable() const { return m_memory.data(); }
    /// Throws an Error if the bytes are no longer those of the file as it was opened: to be asked after
    /// something has been read, not before.
    void requireUnchanged() const { m_memory.requireUnchanged(); }
    std::string version() const { return m_memory.version(); }

private:
    MappedFile(const std::string& path, int fd, const struct stat& info) : m_memory(path, fd, info) {}
    FileMemory m_memory;
};

/// The whole file as text or bytes; throws as MappedFile::open does, but an empty file is an empty string.
std::string readFile(const std::string& path);

} // namespace fx
