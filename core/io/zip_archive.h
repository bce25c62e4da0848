// SPDX-License-Identifier: GPL-3.0-or-later
// Zip files, read with distrust: names cannot leave the archive, sizes are held against the file, every
// record that is read is checked against its checksum. What is stored uncompressed can be mapped instead of
// read.
#pragma once

#include "core/io/mapped_file.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace fx {

class ZipArchive {
public:
    /// Throws an Error if it is not a sound zip file.
    explicit ZipArchive(const std::string& path);

    /// Whether the file begins as zip files do.
    static bool isZip(std::span<const std::byte> bytes);

    const std::string& path() const { return m_file->path(); }
    std::vector<std::string> names() const;
    bool contains(const std::string& name) const { return m_entries.contains(name); }
    uint64_t size(const std::string& name) const;
    /// The record's bytes; throws for a missing record and for a wrong checksum.
    std::string read(const std::string& name) const;

    /// A record as a piece of the mapped file. It is checked with verify(), when its bytes are first wanted.
    struct Piece {
        std::shared_ptr<const MappedFile> file;
        size_t offset = 0;
        size_t size = 0;
        uint32_t checksum = 0;
        std::string name;

        std::byte* data() const { return file->writable() + offset; }
        void verify() const;
    };
    /// Throws if the record is missing or compressed.
    Piece map(const std::string& name) const;

private:
    struct Entry {
        uint64_t header; ///< where the record's own header begins
        uint64_t size;
        uint64_t compressedSize;
        uint32_t checksum;
        uint16_t method;
        bool isStored() const { return method == 0; }
    };
    /// Little-endian, as on every machine that LibTorch is built for. Throws where the file ends before.
    template <class T>
    T number(uint64_t at) const;
    std::string text(uint64_t at, uint64_t size) const;
    uint64_t findEnd() const;
    /// Takes a record of the directory; gives where the next one is.
    uint64_t readRecord(uint64_t at);
    const Entry& entry(const std::string& name) const;
    uint64_t dataOffset(const std::string& name, const Entry& record) const;

    std::shared_ptr<const MappedFile> m_file;
    std::map<std::string, Entry> m_entries;
};

} // namespace fx
