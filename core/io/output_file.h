// SPDX-License-Identifier: GPL-3.0-or-later
// The one way in which a file is saved, whatever its format. Its bytes go to a new file beside the target,
// which takes the target's place when all of them were written, have reached the disk and were read back. A
// write that fails is remembered, so that the target stays as it was whatever the caller does next.
#pragma once

#include "core/base/temporary_entry.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace fx {

class OutputFile {
public:
    /// Throws an Error if nothing can be written beside `path`, and if there is something else than a file.
    explicit OutputFile(const std::string& path);
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    /// Appends bytes. Does nothing after a failure. Does not throw: writers in C and LibTorch call it.
    void write(std::string_view bytes) noexcept;
    /// Replaces bytes that were written before, likewise. The caller compares a file with such bytes by
    /// itself, in the `look` of finish().
    void overwrite(uint64_t at, std::string_view bytes) noexcept;
    bool hasFailed() const { return m_fault != 0; }
    /// Throws the Error of the first failure.
    void requireWritten() const;
    /// Moves the file into place, with the rights of the file that was there. `look` is given the path of the
    /// complete file before, and may refuse it by throwing. Throws an Error, with the target as it was.
    void finish(const std::function<void(const std::string& temporary)>& look = nullptr);

private:
    void flush() noexcept;
    void put(uint64_t at, std::string_view bytes) noexcept;
    void readBack() const;

    const std::string m_path, m_target;
    TemporaryEntry m_entry;
    std::string m_buffer;     ///< bytes at the end that are not in the file yet
    uint64_t m_size = 0;      ///< bytes, with those in the buffer
    uint32_t m_checksum = 0;  ///< CRC-32 of what was appended, until bytes are replaced
    bool m_isChanged = false; ///< bytes were replaced
    int m_fault = 0;          ///< errno of the first failure
};

/// Saves a whole file.
void writeFile(const std::string& path, std::string_view content);

} // namespace fx
