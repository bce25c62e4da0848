// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/process/token_file.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/process/channel.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fx {

namespace {

/// Letters of the shortest token that is taken: 64 bits where they are hexadecimal digits.
constexpr size_t kShortestToken = 16;
/// Bytes of the longest file.
constexpr size_t kLongestFile = 1024;

void requireSecret(int file, const std::string& path) {
    struct stat info {};
    if (::fstat(file, &info) != 0)
        throw Error(path, "cannot be read: " + std::string(std::strerror(errno)));
    if (!S_ISREG(info.st_mode))
        throw Error(path, "is no regular file").hint("a token is in a file of its own");
    if (info.st_uid != ::geteuid())
        throw Error(path, "belongs to another user, who knows its token")
            .hint("name a file of yours; one that is not there is made");
    if ((info.st_mode & 077) != 0)
        throw Error(path, "can be read or written by other users, who then may run code here as you")
            .hint("chmod 600 and another token, or remove it, and a fresh one is made");
}

} // namespace

std::string freshToken() {
    unsigned char bytes[16];
    if (::getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        throw Error("serve", "the system has no random numbers for a token");
    std::string out;
    for (const unsigned char byte : bytes) {
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02x", byte);
        out += digits;
    }
    return out;
}

std::string tokenIn(const std::string& path) {
    // A pipe is not waited for.
    int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (number < 0 && errno == ENOENT) {
        const std::string text = freshToken() + '\n';
        const int made = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (made < 0)
            throw Error(path, "cannot be made: " + std::string(std::strerror(errno)));
        const Descriptor fresh(made);
        if (::write(made, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
            const std::string why = std::strerror(errno);
            ::unlink(path.c_str());
            throw Error(path, "cannot be written: " + why);
        }
        number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    }
    if (number < 0)
        throw Error(path, "cannot be read: " + std::string(std::strerror(errno)));
    const Descriptor file(number);
    requireSecret(number, path);
    std::array<char, kLongestFile> content;
    const ssize_t count = ::read(number, content.data(), content.size());
    const std::string token(
        trim(std::string_view(content.data(), count < 0 ? 0 : static_cast<size_t>(count))));
    if (token.size() < kShortestToken)
        throw Error(path, "has a token of " + plural(token.size(), "letter") + ", which can be guessed")
            .hint("a token has " + std::to_string(kShortestToken) +
                  " or more; remove the file, and a fresh one is made");
    return token;
}

} // namespace fx
