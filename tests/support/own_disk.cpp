// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/own_disk.h"

#include <fcntl.h>
#include <filesystem>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

namespace fx {

namespace fs = std::filesystem;

void OwnDisk::make() {
    const uid_t user = ::geteuid();
    const gid_t group = ::getegid();
    const auto put = [](const char* path, const std::string& text) {
        const int file = ::open(path, O_WRONLY);
        const bool isPut = file >= 0 && ::write(file, text.data(), text.size()) == ssize_t(text.size());
        ::close(file);
        return isPut;
    };
    if (::unshare(user == 0 ? CLONE_NEWNS : CLONE_NEWUSER | CLONE_NEWNS) != 0)
        return;
    if (user != 0 && (!put("/proc/self/setgroups", "deny") ||
                      !put("/proc/self/uid_map", "0 " + std::to_string(user) + " 1") ||
                      !put("/proc/self/gid_map", "0 " + std::to_string(group) + " 1")))
        return;
    std::string path = (fs::temp_directory_path() / "fxscope-disk-XXXXXX").string();
    if (!::mkdtemp(path.data()))
        return;
    if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
        ::mount("tmpfs", path.c_str(), "tmpfs", 0, "size=64m") == 0)
        s_path = path;
    else
        ::rmdir(path.c_str());
}

void OwnDisk::remove() {
    if (s_path.empty())
        return;
    ::umount(s_path.c_str());
    ::rmdir(s_path.c_str());
    s_path.clear();
}

std::string OwnDisk::place() {
    return (s_path.empty() ? fs::temp_directory_path().string() : s_path) + "/faults-XXXXXX";
}

void OwnDisk::clear() {
    for (const auto& entry : fs::directory_iterator(s_path))
        fs::remove_all(entry);
}

bool OwnDisk::resize(uint64_t bytes) {
    const std::string size = "size=" + std::to_string(bytes);
    return ::mount("none", s_path.c_str(), nullptr, MS_REMOUNT, size.c_str()) == 0;
}

bool OwnDisk::setReadOnly(bool isReadOnly) {
    return ::mount("none", s_path.c_str(), nullptr, MS_REMOUNT | (isReadOnly ? MS_RDONLY : 0ul), nullptr) ==
           0;
}

uint64_t OwnDisk::usedBytes() {
    const fs::space_info space = fs::space(s_path);
    return space.capacity - space.free;
}

} // namespace fx
