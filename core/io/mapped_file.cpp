// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/mapped_file.h"

#include "core/base/error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace fx {

namespace {

[[noreturn]] void failWithErrno(const std::string& path, const char* what) {
    const int code = errno;
    Error error(path, std::string(what) + ": " + std::strerror(code));
    throw code == ENOENT ? std::move(error).hint("check the path") : std::move(error);
}

struct OpenFile {
    int fd;
    ~OpenFile() {
        if (fd >= 0)
            ::close(fd);
    }
};

} // namespace

std::shared_ptr<const MappedFile> MappedFile::open(const std::string& path, const std::string& name) {
    const OpenFile file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (file.fd < 0)
        failWithErrno(name, "cannot open");
    return ofDescriptor(file.fd, name);
}

std::shared_ptr<const MappedFile> MappedFile::ofDescriptor(int descriptor, const std::string& path) {
    OpenFile file{::fcntl(descriptor, F_DUPFD_CLOEXEC, 0)};
    if (file.fd < 0)
        failWithErrno(path, "cannot open");
    struct stat info {};
    if (::fstat(file.fd, &info) != 0)
        failWithErrno(path, "cannot read");
    if (!S_ISREG(info.st_mode))
        throw Error(path, S_ISDIR(info.st_mode) ? "is a folder, not a file" : "is not a regular file");
    if (info.st_size == 0)
        throw Error(path, "is empty").hint("was it saved or copied completely?");
    return std::shared_ptr<const MappedFile>(new MappedFile(path, std::exchange(file.fd, -1), info));
}

std::string readFile(const std::string& path) {
    if (std::filesystem::is_directory(path))
        throw Error(path, "is a folder, not a file");
    std::ifstream in(path, std::ios::binary);
    if (!in)
        failWithErrno(path, "cannot open");
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

} // namespace fx
