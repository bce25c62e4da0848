// SPDX-License-Identifier: GPL-3.0-or-later
// A descriptor that goes to another process over a socket, with bytes beside it.
#pragma once

#include <cstddef>
#include <sys/types.h>

namespace fx {

/// Returns how many of the bytes were sent; -1, with errno, where none were.
ssize_t sendWithDescriptor(int socket, const void* bytes, size_t size, int descriptor);
/// Returns what recvmsg returns. `descriptor`: what came with the bytes, to be closed by the caller; -1:
/// nothing.
ssize_t receiveWithDescriptor(int socket, void* bytes, size_t size, int& descriptor);

} // namespace fx
