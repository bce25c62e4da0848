// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/output_file.h"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace fx {

namespace {

constexpr size_t kBufferSize = size_t(1) << 16;

uint32_t checksumOf(uint32_t before, std::string_view bytes) {
    return static_cast<uint32_t>(
        ::crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

/// Rights for a new file; nobody may read it while it is written if few may read the one that it replaces.
mode_t rightsBeside(const std::string& target, const std::string& path) {
    struct stat old {};
    if (::stat(target.c_str(), &old) != 0)
        return 0666;
    if (!S_ISREG(old.st_mode))
        throw Error(path, S_ISDIR(old.st_mode) ? "is a folder, not a file" : "is not a regular file")
            .hint("save under another name");
    return 0600;
}

} // namespace

OutputFile::OutputFile(const std::string& path)
    : m_path(path), m_target(linkTarget(path)),
      m_entry(TemporaryEntry::Kind::File, m_target, rightsBeside(m_target, path), path) {
    m_buffer.reserve(kBufferSize);
}

void OutputFile::write(std::string_view bytes) noexcept {
    if (!m_isChanged)
        m_checksum = checksumOf(m_checksum, bytes);
    if (m_buffer.size() + bytes.size() > kBufferSize)
        flush();
    if (bytes.size() > kBufferSize)
        put(m_size, bytes);
    else
        m_buffer.append(bytes); // for which there is room
    m_size += bytes.size();
}

void OutputFile::overwrite(uint64_t at, std::string_view bytes) noexcept {
    m_isChanged = true;
    const uint64_t buffered = m_size - m_buffer.size();
    if (at > m_size || bytes.size() > m_size - at)
        m_fault = m_fault ? m_fault : EINVAL;
    else if (at >= buffered)
        std::ranges::copy(bytes, m_buffer.begin() + static_cast<ptrdiff_t>(at - buffered));
    else {
        flush();
        put(at, bytes);
    }
}

void OutputFile::flush() noexcept {
    put(m_size - m_buffer.size(), m_buffer);
    m_buffer.clear();
}

void OutputFile::put(uint64_t at, std::string_view bytes) noexcept {
    while (!m_fault && !bytes.empty()) {
        const ssize_t count =
            ::pwrite(m_entry.descriptor(), bytes.data(), bytes.size(), static_cast<off_t>(at));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0) {
            m_fault = count < 0 ? errno : ENOSPC;
            return;
        }
        at += static_cast<uint64_t>(count);
        bytes.remove_prefix(static_cast<size_t>(count));
    }
}

void OutputFile::requireWritten() const {
    if (m_fault)
        throw writeError(m_path, m_fault);
}

void OutputFile::readBack() const {
    std::vector<char> piece(size_t(1) << 20);
    uint64_t size = 0;
    uint32_t checksum = 0;
    while (true) {
        const ssize_t count =
            ::pread(m_entry.descriptor(), piece.data(), piece.size(), static_cast<off_t>(size));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            throw writeError(m_path, errno);
        if (count == 0)
            break;
        if (!m_isChanged)
            checksum = checksumOf(checksum, {piece.data(), static_cast<size_t>(count)});
        size += static_cast<uint64_t>(count);
    }
    if (size != m_size || (!m_isChanged && checksum != m_checksum))
        throw Error(m_path, "cannot write: other bytes are read back than were written")
            .hint("save elsewhere, and check the disk");
}

void OutputFile::finish(const std::function<void(const std::string& temporary)>& look) {
    flush();
    requireWritten();
    if (::fsync(m_entry.descriptor()) != 0)
        throw writeError(m_path, errno);
    readBack();
    try {
        if (look)
            look(m_entry.path());
    } catch (const Error& error) {
        throw m_entry.renamed(error, m_path);
    }
    struct stat old {};
    const bool isReplaced = ::stat(m_target.c_str(), &old) == 0;
    if ((isReplaced && ::fchmod(m_entry.descriptor(), old.st_mode & 07777) != 0) ||
        ::rename(m_entry.path().c_str(), m_target.c_str()) != 0)
        throw writeError(m_path, errno);
    m_entry.setMoved();
    syncFolder(std::filesystem::path(m_target).parent_path().string());
}

void writeFile(const std::string& path, std::string_view content) {
    OutputFile file(path);
    file.write(content);
    file.finish();
}

} // namespace fx
