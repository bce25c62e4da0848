// SPDX-License-Identifier: GPL-3.0-or-later
// Descriptors that go to another process over a socket, with bytes beside them.
#pragma once

#include <cstddef>
#include <span>
#include <sys/types.h>

namespace fx {

/// Returns how many of the bytes were sent; -1, with errno, where none were. `descriptors`: one or two.
ssize_t sendWithDescriptors(int socket, const void* bytes, size_t size, std::span<const int> descriptors);
/// Returns what recvmsg returns. `descriptors`: what came with the bytes, to be closed by the caller; all are
/// -1 where another number came, or none.
ssize_t receiveWithDescriptors(int socket, void* bytes, size_t size, std::span<int> descriptors);

} // namespace fx
