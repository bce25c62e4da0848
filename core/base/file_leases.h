// SPDX-License-Identifier: GPL-3.0-or-later
// Hears of a file being written to before it happens: the system holds up whoever opens the file for writing
// or cuts it (fcntl(2), "Leases") until the memory of it has its own copy of the bytes. So an open model
// stays what it was. It works for the user's own files on local disks that nobody writes to already; for
// others file_memory.h finds out afterwards.
#pragma once

namespace fx {

class FileMemory;

/// From now on each file that this process opens is kept so; processes that it forks are not concerned.
/// For programs that keep models open for long.
void keepOpenFilesUnchanged();

/// Takes a lease on the file of the memory, which must be complete, if it can be had.
void takeLease(int fd, FileMemory& memory);
/// The memory is not touched any more when this returns. There need not be a lease.
void giveLeaseBack(int fd);

} // namespace fx
