// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file_memory.h"

#include "core/base/error.h"
#include "core/base/file_leases.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace fx {

/// Never freed, only used again: a handler may be reading it.
struct FileMemory::Region {
    std::atomic<uintptr_t> begin = 0, end = 0; ///< whole pages; equal: not in use
    std::atomic<bool> isLost = false;          ///< there are zeros where bytes of the file were
    std::atomic<const FileMemory*> owner = nullptr;
    Region* next = nullptr;

    /// Also while another thread is about to use the region anew.
    bool holds(uintptr_t address) const {
        const uintptr_t last = end;
        return begin <= address && address < last && last == end;
    }
};

namespace {

using Region = FileMemory::Region;

const auto kPage = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
std::atomic<Region*> g_regions = nullptr;
struct sigaction g_handlerBefore {};

uintptr_t wholePages(uintptr_t size) {
    return (size + kPage - 1) / kPage * kPage;
}

Region* regionAt(uintptr_t address) {
    for (Region* region = g_regions; region; region = region->next)
        if (region->holds(address))
            return region;
    return nullptr;
}

/// Where the file has no bytes any more there are zeros from now on, and the thread goes on.
void onBusError(int signal, siginfo_t* info, void* context) {
    const auto address = reinterpret_cast<uintptr_t>(info->si_addr);
    const bool isFault = info->si_code > 0;
    if (Region* region = isFault ? regionAt(address) : nullptr) {
        const int errorBefore = errno;
        region->isLost = true;
        const uintptr_t page = address / kPage * kPage;
        const void* zeros = ::mmap(reinterpret_cast<void*>(page), region->end - page, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
        errno = errorBefore;
        if (zeros != MAP_FAILED)
            return;
    }
    if (g_handlerBefore.sa_flags & SA_SIGINFO) {
        g_handlerBefore.sa_sigaction(signal, info, context);
    } else if (g_handlerBefore.sa_handler != SIG_DFL && g_handlerBefore.sa_handler != SIG_IGN) {
        g_handlerBefore.sa_handler(signal);
    } else {
        ::signal(SIGBUS, SIG_DFL);
        ::raise(SIGBUS); // as soon as this returns
    }
}

Region* takeRegion(const FileMemory& owner) {
    static std::once_flag isGuarded;
    std::call_once(isGuarded, [] {
        struct sigaction action {};
        action.sa_sigaction = onBusError;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        ::sigemptyset(&action.sa_mask);
        ::sigaction(SIGBUS, &action, &g_handlerBefore);
    });
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    Region* region = g_regions;
    while (region && region->owner)
        region = region->next;
    const bool isNew = !region;
    if (isNew)
        region = new Region;
    region->isLost = false;
    region->owner = &owner;
    region->begin = reinterpret_cast<uintptr_t>(owner.data());
    region->end = region->begin + wholePages(owner.size());
    if (isNew) {
        region->next = g_regions;
        g_regions = region;
    }
    return region;
}

} // namespace

FileMemory::FileMemory(std::string path, int fd, const struct stat& info)
    : m_path(std::move(path)), m_fd(fd), m_first(info) {
    void* data = ::mmap(nullptr, size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, m_fd, 0);
    if (data == MAP_FAILED) {
        const int code = errno;
        ::close(m_fd);
        throw Error(m_path, std::string("cannot map into memory: ") + std::strerror(code));
    }
    m_data = static_cast<std::byte*>(data);
    m_region = takeRegion(*this);
    takeLease(m_fd, *this);
}

FileMemory::~FileMemory() {
    giveLeaseBack(m_fd);
    m_region->end = 0;
    m_region->begin = 0;
    m_region->owner = nullptr;
    ::munmap(m_data, size());
    ::close(m_fd);
}

std::string FileMemory::openPath() const {
    return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(m_fd);
}

std::string FileMemory::version() const {
    std::string out;
    for (const auto part : {int64_t(m_first.st_dev), int64_t(m_first.st_ino), int64_t(m_first.st_size),
                            int64_t(m_first.st_mtim.tv_sec), int64_t(m_first.st_mtim.tv_nsec)})
        out += std::to_string(part) + ' ';
    return out;
}

bool FileMemory::isUnchanged() const {
    if (m_isDetached)
        return true;
    struct stat now {};
    return !m_region->isLost && ::fstat(m_fd, &now) == 0 && now.st_size == m_first.st_size &&
           now.st_mtim.tv_sec == m_first.st_mtim.tv_sec && now.st_mtim.tv_nsec == m_first.st_mtim.tv_nsec;
}

void FileMemory::requireUnchanged() const {
    if (!isUnchanged())
        throw Error(m_path, "was changed on disk since it was opened").hint("open it again");
}

void FileMemory::detach() {
    const size_t whole = wholePages(size());
    void* got =
        ::mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED)
        return;
    auto* copy = static_cast<std::byte*>(got);
    // Piece by piece, so that what another thread writes there is hardly ever lost. Pages that were written
    // to are copied like the others: cutting a file takes those from a private mapping, too.
    constexpr size_t kPiece = size_t(1) << 20;
    for (size_t at = 0; at < whole; at += kPiece) {
        const size_t piece = std::min(kPiece, whole - at);
        std::memcpy(copy + at, m_data + at, std::min(piece, size() - at));
        if (::mremap(copy + at, piece, piece, MREMAP_MAYMOVE | MREMAP_FIXED, m_data + at) == MAP_FAILED) {
            ::munmap(copy + at, whole - at);
            return;
        }
    }
    m_isDetached = isUnchanged();
}

const FileMemory* fileMemoryAt(const void* address) {
    const Region* region = regionAt(reinterpret_cast<uintptr_t>(address));
    return region ? region->owner.load() : nullptr;
}

void requireUnchanged(const void* address) {
    if (const FileMemory* memory = fileMemoryAt(address))
        memory->requireUnchanged();
}

} // namespace fx
