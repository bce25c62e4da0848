// SPDX-License-Identifier: GPL-3.0-or-later
// One thread waits for the system's signal, which is sent to no other, and copies what is about to change.
#include "core/base/file_leases.h"

#include "core/base/file_memory.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <future>
#include <limits>
#include <map>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace fx {

namespace {

std::atomic<pid_t> g_process = 0; ///< that keeps its files unchanged; others are its children

/// Never destroyed, as the thread uses it to the end.
struct Leases {
    std::mutex mutex;
    std::map<int, FileMemory*> byDescriptor;
};

Leases& leases() {
    static auto* all = new Leases;
    return *all;
}

int changeSignal() {
    return SIGRTMIN + 7;
}

/// Half of what the system can spare: the program needs some to go on.
size_t mostToCopy() {
    std::ifstream in("/proc/meminfo");
    std::string name;
    while (in >> name) {
        size_t kibibytes = 0;
        if (name == "MemAvailable:" && in >> kibibytes)
            return kibibytes * 1024 / 2;
        in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    return 0;
}

void copyWhatIsAboutToChange() {
    Leases& all = leases();
    const std::lock_guard lock(all.mutex);
    std::erase_if(all.byDescriptor, [](const auto& entry) {
        const auto& [fd, memory] = entry;
        if (::fcntl(fd, F_GETLEASE) == F_RDLCK)
            return false;
        if (memory->size() <= mostToCopy())
            memory->detach();
        ::fcntl(fd, F_SETLEASE, F_UNLCK);
        return true;
    });
}

/// The thread's id, for the system.
pid_t startWatching() {
    std::promise<pid_t> id;
    std::future<pid_t> known = id.get_future();
    std::thread([id = std::move(id)]() mutable {
        sigset_t signals;
        ::sigfillset(&signals);
        ::pthread_sigmask(SIG_BLOCK, &signals,
                          nullptr); // the program's own signals are for its other threads
        ::sigemptyset(&signals);
        ::sigaddset(&signals, changeSignal());
        ::sigaddset(&signals, SIGIO); // where too many wait already
        id.set_value(::gettid());
        while (true)
            if (::sigwaitinfo(&signals, nullptr) > 0)
                copyWhatIsAboutToChange();
    }).detach();
    return known.get();
}

} // namespace

void keepOpenFilesUnchanged() {
    g_process = ::getpid();
}

void takeLease(int fd, FileMemory& memory) {
    if (g_process != ::getpid())
        return;
    static const pid_t watcher = startWatching();
    const f_owner_ex owner{F_OWNER_TID, watcher};
    Leases& all = leases();
    const std::lock_guard lock(all.mutex);
    if (::fcntl(fd, F_SETSIG, changeSignal()) == 0 && ::fcntl(fd, F_SETOWN_EX, &owner) == 0 &&
        ::fcntl(fd, F_SETLEASE, F_RDLCK) == 0)
        all.byDescriptor.emplace(fd, &memory);
}

void giveLeaseBack(int fd) {
    // A child shares the file with this process, and may not take the lease from it.
    if (g_process != ::getpid())
        return;
    Leases& all = leases();
    const std::lock_guard lock(all.mutex);
    if (all.byDescriptor.erase(fd))
        ::fcntl(fd, F_SETLEASE, F_UNLCK);
}

} // namespace fx
