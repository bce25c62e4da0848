// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/process/passed_descriptor.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <sys/socket.h>

namespace fx {

namespace {

constexpr size_t kMostPassed = 2;

/// Bytes with room for descriptors beside them.
struct DescriptorMessage {
    DescriptorMessage(void* bytes, size_t size, size_t count) : data{bytes, size} {
        message.msg_iov = &data;
        message.msg_iovlen = 1;
        message.msg_control = control.data();
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
    }
    DescriptorMessage(const DescriptorMessage&) = delete;
    DescriptorMessage& operator=(const DescriptorMessage&) = delete;

    iovec data;
    alignas(cmsghdr) std::array<char, CMSG_SPACE(kMostPassed * sizeof(int))> control{};
    msghdr message{};
};

/// Calls again what a signal has interrupted.
template <class Call>
ssize_t uninterrupted(const Call& call) {
    ssize_t count = 0;
    do
        count = call();
    while (count < 0 && errno == EINTR);
    return count;
}

} // namespace

ssize_t sendWithDescriptors(int socket, const void* bytes, size_t size, std::span<const int> descriptors) {
    DescriptorMessage sent(const_cast<void*>(bytes), size, descriptors.size());
    cmsghdr* passed = CMSG_FIRSTHDR(&sent.message);
    passed->cmsg_level = SOL_SOCKET;
    passed->cmsg_type = SCM_RIGHTS;
    passed->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(passed), descriptors.data(), descriptors.size_bytes());
    return uninterrupted([&] { return ::sendmsg(socket, &sent.message, MSG_NOSIGNAL); });
}

ssize_t receiveWithDescriptors(int socket, void* bytes, size_t size, std::span<int> descriptors) {
    std::ranges::fill(descriptors, -1);
    DescriptorMessage received(bytes, size, descriptors.size());
    const ssize_t count =
        uninterrupted([&] { return ::recvmsg(socket, &received.message, MSG_CMSG_CLOEXEC); });
    if (const cmsghdr* passed = count > 0 ? CMSG_FIRSTHDR(&received.message) : nullptr;
        passed && passed->cmsg_type == SCM_RIGHTS && passed->cmsg_len == CMSG_LEN(descriptors.size_bytes()))
        std::memcpy(descriptors.data(), CMSG_DATA(passed), descriptors.size_bytes());
    return count;
}

} // namespace fx
