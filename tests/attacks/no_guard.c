// SPDX-License-Identifier: GPL-3.0-or-later
// Preloaded: a system on which no process may look into another one, as where kernel.yama.ptrace_scope is 2.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Also called as open64, by programs that are compiled for large files. */
int open(const char* path, int flags, ...) {
    const size_t length = strlen(path);
    if (strncmp(path, "/proc/", 6) == 0 && length > 4 && strcmp(path + length - 4, "/mem") == 0) {
        errno = EACCES;
        return -1;
    }
    va_list more;
    va_start(more, flags);
    const int mode = va_arg(more, int);
    va_end(more);
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open64(const char* path, int flags, ...) __attribute__((alias("open")));
