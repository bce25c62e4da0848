// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a zip file with uncompressed records that start at multiples of 64 bytes, as an OutputFile or in
// memory.
#pragma once

#include "core/io/output_file.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

class ZipWriter {
public:
    /// Writes a file, which finish() moves into place; without finish() nothing is left behind.
    explicit ZipWriter(const std::string& path);
    /// Writes into memory, for takeBytes().
    ZipWriter();
    ~ZipWriter();
    ZipWriter(const ZipWriter&) = delete;
    ZipWriter& operator=(const ZipWriter&) = delete;

    void add(const std::string& name, std::string_view content);
    /// A record written in pieces: begin, any number of append, end.
    void begin(const std::string& name);
    void append(std::string_view piece);
    void end();
    /// Checks each record of the finished file against its checksum and moves the file into place. `look` is
    /// that of OutputFile::finish.
    void finish(const std::function<void(const std::string& temporary)>& look = nullptr);
    std::string takeBytes();

private:
    struct Calls;

    void open();
    void close();
    /// Throws for a status of minizip that is a failure.
    void check(int status, const std::string& what) const;
    /// False if the bytes cannot be kept.
    bool put(std::string_view bytes) noexcept;

    std::optional<OutputFile> m_file;
    std::string m_memory;
    const std::string m_path; ///< for errors; empty in memory
    void* m_zip = nullptr;
    uint64_t m_at = 0;                ///< offset at which minizip writes next
    uint64_t m_size = 0;              ///< bytes written so far
    std::vector<std::string> m_names; ///< of the records
};

} // namespace fx
