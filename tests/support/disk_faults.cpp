// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/disk_faults.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <fcntl.h>
#include <mutex>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

std::atomic<int> left = -1; ///< operations before the one that fails; negative: none does
std::atomic<bool> hasHappened = false;
std::atomic<int> fault = 0;

std::mutex mutex;
std::vector<std::string> names; ///< of the operations

bool fails(const char* name) {
    if (left.load() < 0)
        return false;
    {
        const std::lock_guard lock(mutex);
        names.emplace_back(name);
    }
    if (left.fetch_sub(1) != 0)
        return false;
    hasHappened = true;
    if (fault == fx::DiskFaults::kKill)
        ::raise(SIGKILL);
    errno = fault;
    return true;
}

/// Pipes, sockets and terminals are no disk.
bool failsFor(int descriptor, const char* name, const char* nameOfFolder = nullptr) {
    struct stat info {};
    if (left.load() < 0 || ::fstat(descriptor, &info) != 0)
        return false;
    const bool isFolder = S_ISDIR(info.st_mode);
    return (S_ISREG(info.st_mode) || isFolder) && fails(isFolder && nameOfFolder ? nameOfFolder : name);
}

int openAt(int folder, const char* path, int flags, mode_t mode) {
    const bool isWritten = (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT);
    return isWritten && fails("open") ? -1
                                      : static_cast<int>(::syscall(SYS_openat, folder, path, flags, mode));
}

template <class... T>
int call(const char* name, long number, T... arguments) {
    return fails(name) ? -1 : static_cast<int>(::syscall(number, arguments...));
}

mode_t modeIn(va_list list, int flags) {
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
}

} // namespace

namespace fx {

DiskFaults::DiskFaults(int at, int code) {
    hasHappened = false;
    {
        const std::lock_guard lock(mutex);
        names.clear();
    }
    fault = code;
    left = at;
}

DiskFaults::~DiskFaults() {
    left = -1;
}

bool DiskFaults::haveHappened() {
    return hasHappened;
}

std::vector<std::string> DiskFaults::operations() {
    const std::lock_guard lock(mutex);
    return names;
}

} // namespace fx

// NOLINTBEGIN: names and signatures are those of the system
extern "C" {

int open(const char* path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    const mode_t mode = modeIn(list, flags);
    va_end(list);
    return openAt(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    const mode_t mode = modeIn(list, flags);
    va_end(list);
    return openAt(AT_FDCWD, path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    const mode_t mode = modeIn(list, flags);
    va_end(list);
    return openAt(folder, path, flags, mode);
}
ssize_t write(int descriptor, const void* bytes, size_t size) {
    return failsFor(descriptor, "write") ? -1 : ::syscall(SYS_write, descriptor, bytes, size);
}
ssize_t writev(int descriptor, const iovec* parts, int count) {
    return failsFor(descriptor, "write") ? -1 : ::syscall(SYS_writev, descriptor, parts, count);
}
ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t at) {
    return failsFor(descriptor, "write") ? -1 : ::syscall(SYS_pwrite64, descriptor, bytes, size, at);
}
ssize_t pwrite64(int descriptor, const void* bytes, size_t size, off64_t at) {
    return pwrite(descriptor, bytes, size, at);
}
int fsync(int descriptor) {
    return failsFor(descriptor, "sync", "sync folder") ? -1
                                                       : static_cast<int>(::syscall(SYS_fsync, descriptor));
}
int fdatasync(int descriptor) {
    return failsFor(descriptor, "sync", "sync folder")
               ? -1
               : static_cast<int>(::syscall(SYS_fdatasync, descriptor));
}
int ftruncate(int descriptor, off_t size) noexcept {
    return failsFor(descriptor, "cut") ? -1 : static_cast<int>(::syscall(SYS_ftruncate, descriptor, size));
}
int ftruncate64(int descriptor, off64_t size) noexcept {
    return ftruncate(descriptor, size);
}
int fchmod(int descriptor, mode_t mode) noexcept {
    return failsFor(descriptor, "chmod") ? -1 : static_cast<int>(::syscall(SYS_fchmod, descriptor, mode));
}
int rename(const char* from, const char* to) noexcept {
    return call("rename", SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
int renameat2(int fromFolder, const char* from, int toFolder, const char* to, unsigned flags) noexcept {
    return call("rename", SYS_renameat2, fromFolder, from, toFolder, to, flags);
}
int link(const char* from, const char* to) noexcept {
    return call("link", SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}
int linkat(int fromFolder, const char* from, int toFolder, const char* to, int flags) noexcept {
    return call("link", SYS_linkat, fromFolder, from, toFolder, to, flags);
}
int mkdir(const char* path, mode_t mode) noexcept {
    return call("mkdir", SYS_mkdirat, AT_FDCWD, path, mode);
}
}
// NOLINTEND
