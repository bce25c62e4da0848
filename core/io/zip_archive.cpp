// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/zip_archive.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace fx {

namespace {

/// Deflate can shrink text a thousandfold; nothing that models hold comes near this.
constexpr uint64_t kMostExpansion = 200;

uint32_t checksumOf(const std::byte* data, size_t size) {
    uLong crc = crc32_z(0, nullptr, 0);
    return static_cast<uint32_t>(crc32_z(crc, reinterpret_cast<const Bytef*>(data), size));
}

[[noreturn]] void failChecksum(const std::string& path, const std::string& name) {
    throw Error(path + ": " + name, "is damaged: its checksum is wrong").hint("copy or save the file again");
}

bool leavesArchive(std::string_view name) {
    if (name.empty() || name[0] == '/' || contains(name, "\\") || contains(name, std::string_view("\0", 1)))
        return true;
    const auto parts = split(name, '/');
    return std::find(parts.begin(), parts.end(), "..") != parts.end();
}

// The parts of a zip file, all numbers little-endian (APPNOTE 6.3): the records of the directory and the
// headers before the data; at the end where the directory is, and for large files once more in 64 bits.
constexpr uint32_t kRecordMark = 0x02014B50, kHeaderMark = 0x04034B50, kEndMark = 0x06054B50;
constexpr uint32_t kEnd64Mark = 0x06064B50, kEnd64LocatorMark = 0x07064B50;
constexpr uint64_t kRecordSize = 46, kHeaderSize = 30, kEndSize = 22, kEnd64LocatorSize = 20;
constexpr uint16_t kDeflated = 8, kWideSizes = 1;
constexpr uint64_t kElsewhere = 0xFFFFFFFF;

std::string inflated(const std::byte* data, uint64_t compressedSize, uint64_t size,
                     const std::string& place) {
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        throw Error(place, "cannot be read: there is no memory");
    std::string out;
    char buffer[1 << 16];
    uint64_t taken = 0;
    int status = Z_OK;
    while (status == Z_OK && out.size() <= size) {
        if (stream.avail_in == 0) {
            // zlib counts in 32 bits.
            stream.avail_in = static_cast<uInt>(std::min<uint64_t>(compressedSize - taken, 1 << 30));
            stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(data + taken));
            taken += stream.avail_in;
        }
        stream.avail_out = sizeof buffer;
        stream.next_out = reinterpret_cast<Bytef*>(buffer);
        status = inflate(&stream, Z_NO_FLUSH);
        out.append(buffer, sizeof buffer - stream.avail_out);
    }
    inflateEnd(&stream);
    if (status != Z_STREAM_END || out.size() != size)
        throw Error(place, "cannot be read to its end").hint("was the file saved or copied completely?");
    return out;
}

} // namespace

bool ZipArchive::isZip(std::span<const std::byte> bytes) {
    return bytes.size() >= 4 && bytes[0] == std::byte('P') && bytes[1] == std::byte('K') &&
           bytes[2] == std::byte(3) && bytes[3] == std::byte(4);
}

template <class T>
T ZipArchive::number(uint64_t at) const {
    const std::span<const std::byte> bytes = m_file->bytes();
    if (at > bytes.size() || bytes.size() - at < sizeof(T))
        throw Error(path(), "has a damaged directory").hint("was it saved or copied completely?");
    T out;
    std::memcpy(&out, bytes.data() + at, sizeof(T));
    return out;
}

std::string ZipArchive::text(uint64_t at, uint64_t size) const {
    const std::span<const std::byte> bytes = m_file->bytes();
    if (at > bytes.size() || bytes.size() - at < size)
        throw Error(path(), "has a damaged directory").hint("was it saved or copied completely?");
    return {reinterpret_cast<const char*>(bytes.data()) + at, static_cast<size_t>(size)};
}

uint64_t ZipArchive::findEnd() const {
    constexpr uint64_t kMostComment = 0xFFFF;
    const uint64_t size = m_file->bytes().size();
    for (uint64_t back = kEndSize; back <= std::min(size, kEndSize + kMostComment); ++back)
        if (number<uint32_t>(size - back) == kEndMark &&
            number<uint16_t>(size - back + 20) <= back - kEndSize)
            return size - back;
    throw Error(path(), "is not a complete zip file").hint("was it saved or copied completely?");
}

ZipArchive::ZipArchive(const std::string& path) : m_file(MappedFile::open(path)) {
    const uint64_t fileSize = m_file->bytes().size(), end = findEnd();
    uint64_t count = number<uint16_t>(end + 10), at = number<uint32_t>(end + 16);
    if (end >= kEnd64LocatorSize && number<uint32_t>(end - kEnd64LocatorSize) == kEnd64LocatorMark) {
        const uint64_t end64 = number<uint64_t>(end - kEnd64LocatorSize + 8);
        if (number<uint32_t>(end64) != kEnd64Mark)
            throw Error(path, "has a damaged directory");
        count = number<uint64_t>(end64 + 32);
        at = number<uint64_t>(end64 + 48);
    }
    if (count > fileSize / kRecordSize)
        throw Error(path, "claims more records than it has room for");
    for (uint64_t i = 0; i < count; ++i)
        at = readRecord(at);
}

uint64_t ZipArchive::readRecord(uint64_t at) {
    if (number<uint32_t>(at) != kRecordMark)
        throw Error(path(), "has a damaged directory");
    const uint64_t nameSize = number<uint16_t>(at + 28), extraSize = number<uint16_t>(at + 30),
                   commentSize = number<uint16_t>(at + 32);
    const std::string name = text(at + kRecordSize, nameSize);
    Entry entry{number<uint32_t>(at + 42), number<uint32_t>(at + 24), number<uint32_t>(at + 20),
                number<uint32_t>(at + 16), number<uint16_t>(at + 10)};
    // What does not fit into 32 bits stands in an extra field, in this order.
    const uint64_t extra = at + kRecordSize + nameSize;
    for (uint64_t field = extra; field + 4 <= extra + extraSize;) {
        const uint64_t size = number<uint16_t>(field + 2);
        uint64_t value = field + 4;
        if (number<uint16_t>(field) == kWideSizes)
            for (uint64_t* wide : {&entry.size, &entry.compressedSize, &entry.header})
                if (*wide == kElsewhere && value + 8 <= field + 4 + size)
                    *wide = number<uint64_t>(std::exchange(value, value + 8));
        field += 4 + size;
    }
    const uint64_t next = extra + extraSize + commentSize, fileSize = m_file->bytes().size();
    if (leavesArchive(name))
        throw Error(path(), "holds a record named " + pythonRepr(name) + ", which leads out of the archive");
    if (number<uint16_t>(at + 8) & 1)
        throw Error(path() + ": " + name, "is encrypted");
    if (entry.compressedSize > fileSize || entry.size / kMostExpansion > entry.compressedSize)
        throw Error(path() + ": " + name,
                    "claims " + byteText(entry.size) + " in a file of " + byteText(fileSize));
    if (entry.isStored() && entry.compressedSize != entry.size)
        throw Error(path() + ": " + name, "has two different sizes");
    if (!name.ends_with('/') && !m_entries.emplace(name, entry).second)
        throw Error(path(), "holds two records named " + pythonRepr(name));
    return next;
}

std::vector<std::string> ZipArchive::names() const {
    std::vector<std::string> out;
    for (const auto& [name, entry] : m_entries)
        out.push_back(name);
    return out;
}

const ZipArchive::Entry& ZipArchive::entry(const std::string& name) const {
    const auto found = m_entries.find(name);
    if (found == m_entries.end())
        throw Error(path(), "lacks its record '" + name + "'").hint("was the file saved completely?");
    return found->second;
}

uint64_t ZipArchive::size(const std::string& name) const {
    return entry(name).size;
}

uint64_t ZipArchive::dataOffset(const std::string& name, const Entry& record) const {
    const uint64_t fileSize = m_file->bytes().size();
    if (record.header > fileSize - kHeaderSize || number<uint32_t>(record.header) != kHeaderMark)
        throw Error(path() + ": " + name, "cannot be read: its header is damaged");
    const uint64_t offset = record.header + kHeaderSize + number<uint16_t>(record.header + 26) +
                            number<uint16_t>(record.header + 28);
    if (offset > fileSize || record.compressedSize > fileSize - offset)
        throw Error(path() + ": " + name, "reaches beyond the end of the file")
            .hint("was it copied completely?");
    return offset;
}

std::string ZipArchive::read(const std::string& name) const {
    const Entry& record = entry(name);
    const std::byte* data = m_file->bytes().data() + dataOffset(name, record);
    std::string content;
    if (record.isStored())
        content.assign(reinterpret_cast<const char*>(data), static_cast<size_t>(record.size));
    else if (record.method == kDeflated)
        content = inflated(data, record.compressedSize, record.size, path() + ": " + name);
    else
        throw Error(path() + ": " + name, "is compressed in a way that is not known here");
    m_file->requireUnchanged();
    if (checksumOf(reinterpret_cast<const std::byte*>(content.data()), content.size()) != record.checksum)
        failChecksum(path(), name);
    return content;
}

ZipArchive::Piece ZipArchive::map(const std::string& name) const {
    const Entry& record = entry(name);
    if (!record.isStored())
        throw Error(path() + ": " + name, "is compressed, which PyTorch never does to tensors");
    return {m_file, static_cast<size_t>(dataOffset(name, record)), static_cast<size_t>(record.size),
            record.checksum, name};
}

void ZipArchive::Piece::verify() const {
    const bool isSound = checksumOf(data(), size) == checksum;
    file->requireUnchanged();
    if (!isSound)
        failChecksum(file->path(), name);
}

} // namespace fx
