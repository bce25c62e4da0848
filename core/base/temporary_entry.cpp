// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/temporary_entry.h"

#include <climits>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <random>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fx {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPartMark = ".fxscope-part-", kDigits = "0123456789abcdef";
constexpr size_t kDigitCount = 16, kEndingSize = kPartMark.size() + kDigitCount;

/// "net.pt2.fxscope-part-0123456789abcdef"; the front of a name that would become too long.
std::string freshName(const std::string& target) {
    std::random_device random;
    std::string out = target.substr(0, NAME_MAX - kEndingSize).append(kPartMark);
    for (size_t i = 0; i < kDigitCount; ++i)
        out += kDigits[random() % kDigits.size()];
    return out;
}

bool isOurName(std::string_view name) {
    if (name.size() <= kEndingSize)
        return false;
    const std::string_view ending = name.substr(name.size() - kEndingSize);
    return ending.starts_with(kPartMark) &&
           ending.find_first_not_of(kDigits, kPartMark.size()) == std::string_view::npos;
}

int make(TemporaryEntry::Kind kind, const std::string& path, mode_t rights) {
    if (kind == TemporaryEntry::Kind::File)
        return ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, rights);
    if (::mkdir(path.c_str(), rights) != 0)
        return -1;
    const int out = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (const int code = errno; out < 0) {
        ::rmdir(path.c_str());
        errno = code;
    }
    return out;
}

} // namespace

std::string linkTarget(const std::string& path) {
    constexpr int kMostLinks = 40; // as many as Linux follows
    std::error_code fault, ignored;
    fs::path target = fs::absolute(path, fault);
    // A link to nothing is none for weakly_canonical().
    for (int i = 0; i < kMostLinks && fs::is_symlink(target, ignored); ++i)
        target = target.parent_path() / fs::read_symlink(target, fault);
    target = fs::weakly_canonical(target, fault);
    return fault ? path : (target / "").parent_path().string();
}

Error writeError(const std::string& path, int code) {
    Error out(path, std::string("cannot write: ") + std::strerror(code));
    switch (code) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
        return std::move(out).hint("make room there, or save elsewhere");
    case ENOENT:
    case ENOTDIR:
        return std::move(out).hint("is the folder there?");
    case EACCES:
    case EPERM:
    case EROFS:
        return std::move(out).hint("save where you may write");
    default:
        return out;
    }
}

void syncFolder(const std::string& folder) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    ::fsync(descriptor);
    ::close(descriptor);
}

void removeLeftovers(const std::string& target) {
    std::error_code fault, unremoved;
    for (fs::directory_iterator at(fs::path(target).parent_path(), fault), end; !fault && at != end;
         at.increment(fault)) {
        const fs::path& path = at->path();
        if (!isOurName(path.filename().native()))
            continue;
        const int descriptor = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        struct stat info {};
        if (descriptor < 0)
            continue;
        if (::fstat(descriptor, &info) == 0 && info.st_uid == ::geteuid() &&
            (S_ISREG(info.st_mode) || S_ISDIR(info.st_mode)) && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0)
            fs::remove_all(path, unremoved);
        ::close(descriptor);
    }
}

TemporaryEntry::TemporaryEntry(Kind kind, const std::string& target, mode_t rights, const std::string& path) {
    removeLeftovers(target);
    const fs::path folder = fs::path(target).parent_path();
    constexpr int kMostAttempts = 100;
    for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
        m_path = (folder / freshName(fs::path(target).filename().string())).string();
        m_descriptor = make(kind, m_path, rights);
        if (m_descriptor < 0 && errno == EEXIST)
            continue;
        if (m_descriptor < 0)
            throw writeError(path, errno);
        // Another process that clears leftovers can have found it before it was locked. Where a file system
        // has no locks, nobody clears anything.
        const bool isTaken = ::flock(m_descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
        struct stat info {};
        const bool isGone = ::lstat(m_path.c_str(), &info) != 0 && errno == ENOENT;
        if (!isTaken && !isGone)
            return;
        ::close(m_descriptor);
    }
    throw writeError(path, EEXIST);
}

TemporaryEntry::~TemporaryEntry() {
    std::error_code fault;
    if (!m_isMoved)
        fs::remove_all(m_path, fault);
    ::close(m_descriptor);
}

Error TemporaryEntry::renamed(const Error& error, const std::string& path) const {
    if (!error.place().starts_with(m_path))
        return error;
    return Error(path + error.place().substr(m_path.size()), error.message())
        .hint(error.advice())
        .code(error.code());
}

} // namespace fx
