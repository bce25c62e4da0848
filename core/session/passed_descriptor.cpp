// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/passed_descriptor.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <sys/socket.h>

namespace fx {

ssize_t sendWithDescriptor(int socket, const void* bytes, size_t size, int descriptor) {
    iovec data{const_cast<void*>(bytes), size};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* passed = CMSG_FIRSTHDR(&message);
    passed->cmsg_level = SOL_SOCKET;
    passed->cmsg_type = SCM_RIGHTS;
    passed->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(passed), &descriptor, sizeof descriptor);
    ssize_t count = 0;
    do
        count = ::sendmsg(socket, &message, MSG_NOSIGNAL);
    while (count < 0 && errno == EINTR);
    return count;
}

ssize_t receiveWithDescriptor(int socket, void* bytes, size_t size, int& descriptor) {
    descriptor = -1;
    iovec data{bytes, size};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    ssize_t count = 0;
    do
        count = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (count < 0 && errno == EINTR);
    if (const cmsghdr* passed = count > 0 ? CMSG_FIRSTHDR(&message) : nullptr;
        passed && passed->cmsg_type == SCM_RIGHTS && passed->cmsg_len == CMSG_LEN(sizeof(int)))
        std::memcpy(&descriptor, CMSG_DATA(passed), sizeof descriptor);
    return count;
}

} // namespace fx
