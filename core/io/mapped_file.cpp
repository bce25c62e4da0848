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

namespace {

/// What a chain of links ends at: it is the file there that is to be replaced, not the link.
std::string linkTarget(const std::string& path) {
    std::error_code fault;
    if (!std::filesystem::is_symlink(path, fault))
        return path;
    const std::filesystem::path target = std::filesystem::weakly_canonical(path, fault);
    return fault ? path : target.string();
}

/// Waits until a file, or the names in a folder, have reached the disk.
bool sync(const std::string& path, int flags) {
    const OpenFile file{::open(path.c_str(), flags | O_RDONLY | O_CLOEXEC)};
    return file.fd >= 0 && ::fsync(file.fd) == 0;
}

} // namespace

std::string temporaryNameFor(const std::string& path) {
    return linkTarget(path) + ".part" + std::to_string(::getpid());
}

void moveIntoPlace(const std::string& temporary, const std::string& path) {
    const std::string target = linkTarget(path);
    struct stat old {};
    const bool isReplaced = ::stat(target.c_str(), &old) == 0 && S_ISREG(old.st_mode);
    if ((isReplaced && ::chmod(temporary.c_str(), old.st_mode & 07777) != 0) || !sync(temporary, 0) ||
        std::rename(temporary.c_str(), target.c_str()) != 0) {
        const int code = errno;
        std::remove(temporary.c_str());
        errno = code;
        failWithErrno(path, "cannot write");
    }
    // Not every file system can; the file itself is there.
    const std::string folder = std::filesystem::path(target).parent_path().string();
    sync(folder.empty() ? "." : folder, O_DIRECTORY);
}

void writeFile(const std::string& path, std::string_view content) {
    const std::string temporary = temporaryNameFor(path);
    {
        std::ofstream out(temporary, std::ios::binary);
        if (!out)
            failWithErrno(path, "cannot write");
        out.write(content.data(), static_cast<std::streamsize>(content.size()));
        out.close();
        if (!out) {
            std::remove(temporary.c_str());
            throw Error(path, "cannot write all of it").hint("is the disk full?");
        }
    }
    moveIntoPlace(temporary, path);
}

} // namespace fx
