// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/zip_writer.h"

#include "core/base/error.h"
#include "core/io/zip_archive.h"

#include <minizip/zip.h>

#include <algorithm>
#include <new>
#include <utility>

namespace fx {

/// Functions by which minizip writes: those of a file that is never read.
struct ZipWriter::Calls {
    static ZipWriter& of(voidpf stream) { return *static_cast<ZipWriter*>(stream); }
    static voidpf open(voidpf writer, const void*, int) { return writer; }
    static uLong read(voidpf, voidpf, void*, uLong) { return 0; }
    static uLong write(voidpf, voidpf stream, const void* bytes, uLong size) {
        return of(stream).put({static_cast<const char*>(bytes), size}) ? size : 0;
    }
    static ZPOS64_T tell(voidpf, voidpf stream) { return of(stream).m_at; }
    static long seek(voidpf, voidpf stream, ZPOS64_T offset, int origin) {
        ZipWriter& writer = of(stream);
        writer.m_at = offset + (origin == ZLIB_FILEFUNC_SEEK_CUR   ? writer.m_at
                                : origin == ZLIB_FILEFUNC_SEEK_END ? writer.m_size
                                                                   : 0);
        return writer.m_at <= writer.m_size ? 0 : -1;
    }
    static int close(voidpf, voidpf) { return 0; }
    static int error(voidpf, voidpf) { return 0; }
};

ZipWriter::ZipWriter(const std::string& path) : m_file(std::in_place, path), m_path(path) {
    open();
}

ZipWriter::ZipWriter() {
    open();
}

ZipWriter::~ZipWriter() {
    if (m_zip)
        zipClose(m_zip, nullptr);
}

void ZipWriter::open() {
    zlib_filefunc64_def calls{Calls::open, Calls::read,  Calls::write, Calls::tell,
                              Calls::seek, Calls::close, Calls::error, this};
    m_zip = zipOpen2_64(m_path.c_str(), APPEND_STATUS_CREATE, nullptr, &calls);
    if (!m_zip)
        throw Error(m_path, "cannot write: there is no memory");
}

bool ZipWriter::put(std::string_view bytes) noexcept {
    // Sizes and checksums in headers are written once they are known; all else is appended.
    const bool isAppended = m_at == m_size;
    if (m_file)
        isAppended ? m_file->write(bytes) : m_file->overwrite(m_at, bytes);
    else
        try {
            isAppended ? m_memory.append(bytes) : m_memory.replace(m_at, bytes.size(), bytes);
        } catch (const std::exception&) {
            return false;
        }
    m_at += bytes.size();
    m_size = std::max(m_size, m_at);
    return !m_file || !m_file->hasFailed();
}

void ZipWriter::check(int status, const std::string& what) const {
    if (m_file)
        m_file->requireWritten();
    if (status != ZIP_OK)
        throw Error(m_path, "cannot write " + what);
}

void ZipWriter::begin(const std::string& name) {
    // A local header takes 30 bytes, the name, and 20 for 64-bit sizes; an extra field pads it to 64.
    constexpr uint64_t kAlignment = 64;
    const uint64_t bare = m_size + 30 + name.size() + 20;
    uint64_t padding = (kAlignment - bare % kAlignment) % kAlignment;
    if (padding != 0 && padding < 4)
        padding += kAlignment;
    std::string extra(padding, '\0');
    if (padding != 0) {
        extra[0] = '\x35', extra[1] = '\xD9';
        extra[2] = static_cast<char>(padding - 4);
    }
    zip_fileinfo info{};
    info.tmz_date = {0, 0, 0, 1, 0, 1980};
    check(zipOpenNewFileInZip64(m_zip, name.c_str(), &info, extra.data(), static_cast<uInt>(padding), nullptr,
                                0, nullptr, 0, 0, 1),
          name);
    m_names.push_back(name);
}

void ZipWriter::append(std::string_view piece) {
    constexpr size_t kMost = size_t(1) << 30;
    for (size_t at = 0; at < piece.size(); at += kMost) {
        const std::string_view part = piece.substr(at, kMost);
        check(zipWriteInFileInZip(m_zip, part.data(), static_cast<unsigned>(part.size())), m_names.back());
    }
}

void ZipWriter::end() {
    check(zipCloseFileInZip(m_zip), m_names.back());
}

void ZipWriter::add(const std::string& name, std::string_view content) {
    begin(name);
    append(content);
    end();
}

void ZipWriter::close() {
    check(zipClose(std::exchange(m_zip, nullptr), nullptr), "the directory");
}

void ZipWriter::finish(const std::function<void(const std::string& temporary)>& look) {
    close();
    m_file->finish([&](const std::string& temporary) {
        const ZipArchive archive(temporary);
        for (const std::string& name : m_names)
            archive.map(name).verify();
        if (look)
            look(temporary);
    });
}

std::string ZipWriter::takeBytes() {
    close();
    return std::move(m_memory);
}

} // namespace fx
