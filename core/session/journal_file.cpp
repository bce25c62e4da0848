// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/journal_file.h"

#include "core/base/error.h"
#include "core/base/temporary_entry.h"

#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <random>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace fx {

namespace {

constexpr std::string_view kJournalMagic = "fxscope journal 1\n";
constexpr const char* kEnding = ".journal";

struct RecordHead {
    uint64_t size;
    uint32_t sizeChecksum; ///< a damaged size is not taken for one
    uint32_t checksum;
};

uint32_t checksumOf(const void* data, size_t size) {
    return static_cast<uint32_t>(::crc32_z(0, static_cast<const Bytef*>(data), size));
}

std::string recordBytes(std::string_view record) {
    RecordHead head{record.size(), 0, checksumOf(record.data(), record.size())};
    head.sizeChecksum = checksumOf(&head.size, sizeof head.size);
    std::string out(reinterpret_cast<const char*>(&head), sizeof head);
    return out.append(record);
}

Error journalFailure(const std::string& path, const char* what) {
    return Error(path, std::string(what) + ": " + std::strerror(errno));
}

} // namespace

JournalFile::JournalFile(const std::string& folder, std::string_view firstRecord) {
    namespace fs = std::filesystem;
    // Two processes may have the same id at the same time of their clocks, in a container or after a jump.
    static std::atomic<unsigned> count = std::random_device()();
    std::error_code fault;
    if (fs::create_directories(folder, fault))
        fs::permissions(folder, fs::perms::owner_all, fault); // the edits are nobody else's business
    const std::string name =
        std::to_string(std::time(nullptr)) + '-' + std::to_string(::getpid()) + '-' + std::to_string(++count);
    m_path = (fs::path(folder) / (name + kEnding)).string();
    TemporaryEntry entry(TemporaryEntry::Kind::File, m_path, 0600, m_path);
    m_fd = ::fcntl(entry.descriptor(), F_DUPFD_CLOEXEC, 0); // keeps the lock
    if (m_fd < 0)
        throw journalFailure(m_path, "cannot be made");
    try {
        write(std::string(kJournalMagic) + recordBytes(firstRecord));
        sync(); // a name that survives the machine must not lead to an empty file
        if (std::rename(entry.path().c_str(), m_path.c_str()) != 0)
            throw journalFailure(m_path, "cannot be made");
        entry.setMoved();
        syncFolder(folder);
    } catch (const Error&) {
        ::close(m_fd);
        throw;
    }
}

std::optional<JournalFile> JournalFile::take(const std::string& path) {
    JournalFile file(path, ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (file.m_fd < 0)
        return std::nullopt;
    struct stat info {
    }, named{};
    // Between opening and locking its owner may have removed it.
    if (::flock(file.m_fd, LOCK_EX | LOCK_NB) != 0 || ::fstat(file.m_fd, &info) != 0 ||
        !S_ISREG(info.st_mode) || ::stat(path.c_str(), &named) != 0 || named.st_ino != info.st_ino)
        return std::nullopt;
    const Content content = file.read();
    if (content.records.empty())
        return std::nullopt;
    file.m_end = static_cast<uint64_t>(info.st_size) - content.tornBytes;
    return file;
}

std::vector<std::string> JournalFile::in(const std::string& folder) {
    std::vector<std::string> out;
    std::error_code fault;
    for (const auto& entry : std::filesystem::directory_iterator(folder, fault))
        if (entry.path().extension() == kEnding)
            out.push_back(entry.path().string());
    std::ranges::sort(out);
    return out;
}

JournalFile::JournalFile(JournalFile&& other) noexcept
    : m_path(std::move(other.m_path)), m_fd(std::exchange(other.m_fd, -1)), m_end(other.m_end) {}

JournalFile& JournalFile::operator=(JournalFile&& other) noexcept {
    std::swap(m_path, other.m_path);
    std::swap(m_fd, other.m_fd);
    std::swap(m_end, other.m_end);
    return *this;
}

JournalFile::~JournalFile() {
    if (m_fd >= 0)
        ::close(m_fd);
}

JournalFile::Content JournalFile::read() const {
    struct stat info {};
    if (::fstat(m_fd, &info) != 0)
        throw journalFailure(m_path, "cannot be read");
    const auto size = static_cast<uint64_t>(info.st_size);
    // Record by record: the file may be larger than what is in it.
    const auto part = [&](uint64_t from, uint64_t count) {
        std::string bytes(count, '\0');
        for (size_t at = 0; at < bytes.size();) {
            const ssize_t got =
                ::pread(m_fd, bytes.data() + at, bytes.size() - at, static_cast<off_t>(from + at));
            if (got < 0 && errno == EINTR)
                continue;
            if (got <= 0)
                throw journalFailure(m_path, "cannot be read");
            at += static_cast<size_t>(got);
        }
        return bytes;
    };
    Content out;
    if (size < kJournalMagic.size() || part(0, kJournalMagic.size()) != kJournalMagic)
        return out;
    for (uint64_t at = kJournalMagic.size(); at < size;) {
        RecordHead head{};
        const uint64_t left = size - at;
        out.tornBytes = left;
        if (left < sizeof head)
            break;
        std::memcpy(&head, part(at, sizeof head).data(), sizeof head);
        if (head.sizeChecksum != checksumOf(&head.size, sizeof head.size) || head.size > left - sizeof head)
            break;
        std::string record = part(at + sizeof head, head.size);
        if (head.checksum != checksumOf(record.data(), record.size()))
            break;
        out.records.push_back(std::move(record));
        out.tornBytes = 0;
        at += sizeof head + head.size;
    }
    return out;
}

void JournalFile::write(std::string_view bytes) {
    for (size_t done = 0; done < bytes.size();) {
        const ssize_t count =
            ::pwrite(m_fd, bytes.data() + done, bytes.size() - done, static_cast<off_t>(m_end + done));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0) {
            const Error error = journalFailure(m_path, "cannot be written");
            if (::ftruncate(m_fd, static_cast<off_t>(m_end)) != 0) {
                // The end stays torn, which shows when it is read.
            }
            throw error;
        }
        done += static_cast<size_t>(count);
    }
    m_end += bytes.size();
}

void JournalFile::append(std::string_view record) {
    if (::ftruncate(m_fd, static_cast<off_t>(m_end)) != 0)
        throw journalFailure(m_path, "cannot be written");
    write(recordBytes(record));
}

void JournalFile::sync() const {
    if (::fdatasync(m_fd) != 0)
        throw journalFailure(m_path, "cannot be brought to the disk");
}

void JournalFile::remove() {
    ::unlink(m_path.c_str());
}

} // namespace fx
