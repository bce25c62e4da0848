// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/process/guarded_call.h"

#ifdef FXSCOPE_HAS_SECCOMP

#include <climits>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace fx {

namespace {

namespace fs = std::filesystem;
using Right = OutputRules::Right;

/// Bits of a file's mode that a confined process may set: not those that give programs another user's rights.
constexpr uint64_t kModes = 0777;

GuardedCall::Result made(long result) {
    return result < 0 ? GuardedCall::Result{errno, 0} : GuardedCall::Result{0, result};
}

/// A number in a line "NAME:\tNUMBER" of /proc/ID/status; -1: there is none.
int64_t statusNumber(int64_t id, const std::string& name) {
    std::ifstream in("/proc/" + std::to_string(id) + "/status");
    for (std::string line; std::getline(in, line);)
        if (line.starts_with(name + ':'))
            return std::strtoll(line.c_str() + name.size() + 1, nullptr, 10);
    return -1;
}

} // namespace

std::span<const int> guardedCalls() {
    static constexpr int kCalls[] = {
        SCMP_SYS(creat),    SCMP_SYS(mkdir),    SCMP_SYS(mkdirat), SCMP_SYS(rmdir),
        SCMP_SYS(unlink),   SCMP_SYS(unlinkat), SCMP_SYS(rename),  SCMP_SYS(renameat),
        SCMP_SYS(chmod),    SCMP_SYS(fchmod),   SCMP_SYS(link),    SCMP_SYS(linkat),
        SCMP_SYS(fchmodat), SCMP_SYS(kill),     SCMP_SYS(tgkill),  SCMP_SYS(renameat2)};
    return kCalls;
}

GuardedCall::Result GuardedCall::make() {
    const auto& [number, architecture, pointer, args] = m_request.data;
    const auto folder = [&](size_t i) { return static_cast<int>(args[i]); };
    try {
        switch (number) {
        case SCMP_SYS(open):
            return open(AT_FDCWD, args[0], args[1], args[2]);
        case SCMP_SYS(openat):
            return open(folder(0), args[1], args[2], args[3]);
        case SCMP_SYS(creat):
            return open(AT_FDCWD, args[0], O_CREAT | O_WRONLY | O_TRUNC, args[1]);
        case SCMP_SYS(mkdir):
            return makeFolder(AT_FDCWD, args[0], args[1]);
        case SCMP_SYS(mkdirat):
            return makeFolder(folder(0), args[1], args[2]);
        case SCMP_SYS(rmdir):
            return remove(AT_FDCWD, args[0], true);
        case SCMP_SYS(unlink):
            return remove(AT_FDCWD, args[0], false);
        case SCMP_SYS(unlinkat):
            return remove(folder(0), args[1], (args[2] & AT_REMOVEDIR) != 0);
        case SCMP_SYS(rename):
            return rename(AT_FDCWD, args[0], AT_FDCWD, args[1], 0);
        case SCMP_SYS(renameat):
            return rename(folder(0), args[1], folder(2), args[3], 0);
        case SCMP_SYS(renameat2):
            return rename(folder(0), args[1], folder(2), args[3], args[4]);
        case SCMP_SYS(link):
            return link(AT_FDCWD, args[0], AT_FDCWD, args[1], 0);
        case SCMP_SYS(linkat):
            return link(folder(0), args[1], folder(2), args[3], args[4]);
        case SCMP_SYS(chmod):
            return changeMode(placeAt(AT_FDCWD, args[0]), args[1]);
        case SCMP_SYS(fchmodat):
            return changeMode(placeAt(folder(0), args[1]), args[2]);
        case SCMP_SYS(fchmod):
            return changeMode(placeOfDescriptor(folder(0)), args[1]);
        case SCMP_SYS(kill):
            return signal(static_cast<int>(args[0]), 0, static_cast<int>(args[1]));
        case SCMP_SYS(tgkill):
            return signal(static_cast<int>(args[0]), static_cast<int>(args[1]), static_cast<int>(args[2]));
        default:
            return {EPERM, 0};
        }
    } catch (const int error) {
        return {error, 0};
    } catch (const std::exception&) { // no memory for a path
        return {EPERM, 0};
    }
}

std::string GuardedCall::textAt(uint64_t address) const {
    const std::string memory = "/proc/" + std::to_string(m_request.pid) + "/mem";
    const int file = ::open(memory.c_str(), O_RDONLY | O_CLOEXEC);
    // The number may have become another process's until it was opened.
    const bool isValid = file >= 0 && seccomp_notify_id_valid(m_listener, m_request.id) == 0;
    std::string out;
    while (isValid && out.size() < PATH_MAX) {
        std::array<char, 256> bytes;
        // Not beyond a page, behind which there may be nothing.
        const size_t inPage = 4096 - address % 4096;
        const ssize_t count =
            ::pread(file, bytes.data(), std::min(bytes.size(), inPage), static_cast<off_t>(address));
        if (count <= 0)
            break;
        const auto end = std::find(bytes.begin(), bytes.begin() + count, '\0');
        out.append(bytes.begin(), end);
        if (end != bytes.begin() + count) {
            ::close(file);
            return out;
        }
        address += static_cast<uint64_t>(count);
    }
    ::close(file);
    throw EFAULT;
}

fs::path GuardedCall::placeOfDescriptor(int number) const {
    std::error_code fault;
    const fs::path out =
        fs::read_symlink("/proc/" + std::to_string(m_request.pid) + "/fd/" + std::to_string(number), fault);
    if (fault || !out.is_absolute())
        throw EBADF;
    requireCaller();
    return out;
}

void GuardedCall::requireCaller() const {
    if (seccomp_notify_id_valid(m_listener, m_request.id) != 0)
        throw ESRCH;
}

fs::path GuardedCall::placeAt(int folder, uint64_t path) const {
    const fs::path text = textAt(path);
    if (text.empty())
        throw ENOENT;
    // It works in the folder in which the guard was started: it may not change that.
    return OutputRules::placeOf(text.is_absolute() || folder == AT_FDCWD ? text
                                                                         : placeOfDescriptor(folder) / text);
}

GuardedCall::Result GuardedCall::open(int folder, uint64_t path, uint64_t flags, uint64_t mode) {
    fs::path place = placeAt(folder, path);
    const int how = static_cast<int>(flags) | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW;
    if (!(flags & O_NOFOLLOW))
        place = OutputRules::targetOf(place);
    const Right right = rightOn(place);
    int file = -1, error = EPERM;
    const auto open = [&](int more) {
        file = ::open(place.c_str(), how | more, mode & kModes);
        error = errno;
        return file >= 0;
    };
    if ((how & O_TMPFILE) == O_TMPFILE)
        return {EPERM, 0};
    if (right == Right::Create && (how & O_CREAT)) {
        if (open(O_EXCL))
            m_rules.addFresh(place);
        else if (error == EEXIST && !(how & O_EXCL))
            error = EPERM;
    }
    if (file < 0 && (right == Right::Change || m_rules.mayOpen(place)))
        open(0);
    if (file < 0)
        return {error, 0};
    seccomp_notif_addfd added{};
    added.id = m_request.id;
    added.srcfd = static_cast<uint32_t>(file);
    added.newfd_flags = static_cast<uint32_t>(flags & O_CLOEXEC);
    const Result out = made(::ioctl(m_listener, SECCOMP_IOCTL_NOTIF_ADDFD, &added));
    ::close(file);
    return out;
}

GuardedCall::Result GuardedCall::makeFolder(int folder, uint64_t path, uint64_t mode) {
    const fs::path place = placeAt(folder, path);
    const Right right = rightOn(place);
    std::error_code fault;
    if (right == Right::None) // create_directories asks for folders that exist
        return {fs::exists(place, fault) ? EEXIST : EPERM, 0};
    const Result out = made(::mkdir(place.c_str(), mode & kModes));
    if (out.error == 0 && right == Right::Create)
        m_rules.addFresh(place);
    return out;
}

GuardedCall::Result GuardedCall::remove(int folder, uint64_t path, bool isFolder) {
    const fs::path place = placeAt(folder, path);
    if (!m_rules.mayRemove(place)) {
        struct stat info {};
        return {::lstat(place.c_str(), &info) == 0 ? EPERM : errno, 0};
    }
    const Result out = made(isFolder ? ::rmdir(place.c_str()) : ::unlink(place.c_str()));
    if (out.error == 0)
        m_rules.removeFresh(place);
    return out;
}

/// The right on what gets the source's name or content: none where the source may not be changed.
OutputRules::Right GuardedCall::rightBetween(const fs::path& source, const fs::path& target) const {
    return rightOn(source) == Right::Change ? rightOn(target) : Right::None;
}

GuardedCall::Result GuardedCall::rename(int fromFolder, uint64_t from, int toFolder, uint64_t to,
                                        uint64_t flags) {
    const fs::path source = placeAt(fromFolder, from), target = placeAt(toFolder, to);
    const Right right = rightBetween(source, target);
    if (right == Right::None)
        return {EPERM, 0};
    const bool isMade = right == Right::Create;
    const auto how = static_cast<unsigned>(flags) | (isMade ? RENAME_NOREPLACE : 0u);
    const Result out = made(::renameat2(AT_FDCWD, source.c_str(), AT_FDCWD, target.c_str(), how));
    if (out.error != 0)
        return out;
    if (!(flags & RENAME_EXCHANGE))
        m_rules.removeFresh(source);
    if (isMade)
        m_rules.addFresh(target);
    return out;
}

GuardedCall::Result GuardedCall::link(int fromFolder, uint64_t from, int toFolder, uint64_t to,
                                      uint64_t flags) {
    const fs::path source = placeAt(fromFolder, from), target = placeAt(toFolder, to);
    const Right right = rightBetween(source, target);
    if (right == Right::None || flags != 0)
        return {EPERM, 0};
    const Result out = made(::link(source.c_str(), target.c_str()));
    if (out.error == 0 && right == Right::Create)
        m_rules.addFresh(target);
    return out;
}

GuardedCall::Result GuardedCall::changeMode(const fs::path& place, uint64_t mode) {
    std::error_code fault;
    if (rightOn(place) != Right::Change || fs::is_symlink(place, fault))
        return {EPERM, 0};
    return made(::chmod(place.c_str(), mode & kModes));
}

GuardedCall::Result GuardedCall::signal(int64_t process, int64_t thread, int64_t number) {
    const int64_t sender = statusNumber(m_request.pid, "Tgid");
    // Not positive numbers mean groups of processes. The guard is a child, too, and lives on.
    if (process <= 0 || thread < 0 || sender <= 0 || process == ::getpid() ||
        (process != sender && statusNumber(process, "PPid") != sender))
        return {EPERM, 0};
    requireCaller();
    if (thread == 0)
        return made(::kill(static_cast<pid_t>(process), static_cast<int>(number)));
    return made(::syscall(SYS_tgkill, process, thread, number));
}

} // namespace fx

#endif
