// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/zip_archive.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <minizip/unzip.h>
#include <minizip/zip.h>
#include <zlib.h>

#include <algorithm>
#include <cstdio>

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

} // namespace

bool ZipArchive::isZip(std::span<const std::byte> bytes) {
    return bytes.size() >= 4 && bytes[0] == std::byte('P') && bytes[1] == std::byte('K') &&
           bytes[2] == std::byte(3) && bytes[3] == std::byte(4);
}

ZipArchive::ZipArchive(const std::string& path) : m_file(MappedFile::open(path)) {
    const uint64_t fileSize = m_file->bytes().size();
    m_zip = unzOpen64(path.c_str());
    if (!m_zip)
        throw Error(path, "is not a complete zip file").hint("was it saved or copied completely?");
    try {
        unz_global_info64 info{};
        unzGetGlobalInfo64(m_zip, &info);
        // Each entry takes 46 bytes of the directory at least.
        if (info.number_entry > fileSize / 46)
            throw Error(path, "claims more records than it has room for");
        int status = unzGoToFirstFile(m_zip);
        for (uint64_t i = 0; i < info.number_entry; ++i) {
            unz_file_info64 record{};
            if (status != UNZ_OK ||
                unzGetCurrentFileInfo64(m_zip, &record, nullptr, 0, nullptr, 0, nullptr, 0) != UNZ_OK)
                throw Error(path, "has a damaged directory");
            std::string name(record.size_filename, '\0');
            unzGetCurrentFileInfo64(m_zip, nullptr, name.data(), static_cast<uLong>(name.size()), nullptr, 0,
                                    nullptr, 0);
            if (leavesArchive(name))
                throw Error(path,
                            "holds a record named " + pythonRepr(name) + ", which leads out of the archive");
            if (record.flag & 1)
                throw Error(path + ": " + name, "is encrypted");
            if (record.compressed_size > fileSize ||
                record.uncompressed_size / kMostExpansion > record.compressed_size)
                throw Error(path + ": " + name, "claims " + byteText(record.uncompressed_size) +
                                                    " in a file of " + byteText(fileSize));
            if (record.compression_method == 0 && record.compressed_size != record.uncompressed_size)
                throw Error(path + ": " + name, "has two different sizes");
            unz64_file_pos position{};
            unzGetFilePos64(m_zip, &position);
            const Entry entry{position.pos_in_zip_directory,     position.num_of_file,
                              record.uncompressed_size,          record.compressed_size,
                              static_cast<uint32_t>(record.crc), record.compression_method == 0};
            if (!name.ends_with('/') && !m_entries.emplace(name, entry).second)
                throw Error(path, "holds two records named " + pythonRepr(name));
            status = unzGoToNextFile(m_zip);
        }
    } catch (...) {
        unzClose(m_zip);
        throw;
    }
}

ZipArchive::~ZipArchive() {
    unzClose(m_zip);
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

void ZipArchive::select(const Entry& entry) const {
    unz64_file_pos position{entry.position, entry.index};
    unzGoToFilePos64(m_zip, &position);
}

std::string ZipArchive::read(const std::string& name) const {
    const Entry& record = entry(name);
    select(record);
    const std::string place = path() + ": " + name;
    if (unzOpenCurrentFile(m_zip) != UNZ_OK)
        throw Error(place, "cannot be read: its header is damaged");
    std::string content;
    char buffer[1 << 16];
    int count = 0;
    while ((count = unzReadCurrentFile(m_zip, buffer, sizeof buffer)) > 0) {
        content.append(buffer, static_cast<size_t>(count));
        if (content.size() > record.size)
            break;
    }
    const int closed = unzCloseCurrentFile(m_zip);
    if (count < 0 || content.size() != record.size)
        throw Error(place, "cannot be read to its end").hint("was the file saved or copied completely?");
    if (closed == UNZ_CRCERROR)
        failChecksum(path(), name);
    return content;
}

ZipArchive::Piece ZipArchive::map(const std::string& name) const {
    const Entry& record = entry(name);
    if (!record.isStored)
        throw Error(path() + ": " + name, "is compressed, which PyTorch never does to tensors");
    select(record);
    if (unzOpenCurrentFile2(m_zip, nullptr, nullptr, 1) != UNZ_OK)
        throw Error(path() + ": " + name, "cannot be read: its header is damaged");
    const uint64_t offset = unzGetCurrentFileZStreamPos64(m_zip);
    unzCloseCurrentFile(m_zip);
    const size_t fileSize = m_file->bytes().size();
    if (offset > fileSize || record.size > fileSize - offset)
        throw Error(path() + ": " + name, "reaches beyond the end of the file")
            .hint("was it copied completely?");
    return {m_file, static_cast<size_t>(offset), static_cast<size_t>(record.size), record.checksum, name};
}

void ZipArchive::Piece::verify() const {
    if (checksumOf(data(), size) != checksum)
        failChecksum(file->path(), name);
}

ZipWriter::ZipWriter(const std::string& path) : m_path(path), m_temporary(temporaryNameFor(path)) {
    m_zip = zipOpen64(m_temporary.c_str(), APPEND_STATUS_CREATE);
    if (!m_zip)
        throw Error(path, "cannot write").hint("is the folder there, and may you write to it?");
}

ZipWriter::~ZipWriter() {
    if (m_zip) {
        zipClose(m_zip, nullptr);
        std::remove(m_temporary.c_str());
    }
}

void ZipWriter::check(int status, const std::string& what) {
    if (status != ZIP_OK)
        throw Error(m_path, "cannot write " + what).hint("is the disk full?");
}

void ZipWriter::begin(const std::string& name) {
    // A local header takes 30 bytes, the name, and 20 for 64-bit sizes; an extra field pads it to 64.
    constexpr uint64_t kAlignment = 64;
    const uint64_t bare = m_position + 30 + name.size() + 20;
    uint64_t padding = (kAlignment - bare % kAlignment) % kAlignment;
    if (padding != 0 && padding < 4)
        padding += kAlignment;
    std::string extra(padding, '\0');
    if (padding != 0) {
        extra[0] = '\x35', extra[1] = '\xD9';
        extra[2] = static_cast<char>(padding - 4);
    }
    m_position = bare + padding;
    zip_fileinfo info{};
    info.tmz_date = {0, 0, 0, 1, 0, 1980};
    check(zipOpenNewFileInZip64(m_zip, name.c_str(), &info, extra.data(), static_cast<uInt>(padding), nullptr,
                                0, nullptr, 0, 0, 1),
          name);
}

void ZipWriter::append(std::string_view piece) {
    constexpr size_t kMost = size_t(1) << 30;
    m_position += piece.size();
    for (size_t at = 0; at < piece.size(); at += kMost) {
        const std::string_view part = piece.substr(at, kMost);
        check(zipWriteInFileInZip(m_zip, part.data(), static_cast<unsigned>(part.size())), "a record");
    }
}

void ZipWriter::end() {
    check(zipCloseFileInZip(m_zip), "a record");
}

void ZipWriter::add(const std::string& name, std::string_view content) {
    begin(name);
    append(content);
    end();
}

void ZipWriter::finish() {
    const int status = zipClose(m_zip, nullptr);
    m_zip = nullptr;
    if (status != ZIP_OK) {
        std::remove(m_temporary.c_str());
        check(status, "the directory");
    }
    moveIntoPlace(m_temporary, m_path);
}

} // namespace fx
