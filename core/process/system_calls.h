// SPDX-License-Identifier: GPL-3.0-or-later
// Rules for system calls that both filters have: that of processes that evaluate source (confine.cpp), and
// that of processes that run graphs (confine_run.cpp).
#pragma once

#include <fcntl.h>
#include <linux/sched.h>
#include <seccomp.h>

namespace fx {

/// System calls that computing, reading and threads need. Everything else fails with EPERM.
inline constexpr int kComputingCalls[] = {SCMP_SYS(read),
                                          SCMP_SYS(pread64),
                                          SCMP_SYS(readv),
                                          SCMP_SYS(write),
                                          SCMP_SYS(pwrite64),
                                          SCMP_SYS(writev),
                                          SCMP_SYS(close),
                                          SCMP_SYS(lseek),
                                          SCMP_SYS(fstat),
                                          SCMP_SYS(newfstatat),
                                          SCMP_SYS(stat),
                                          SCMP_SYS(lstat),
                                          SCMP_SYS(statx),
                                          SCMP_SYS(fstatfs),
                                          SCMP_SYS(statfs),
                                          SCMP_SYS(access),
                                          SCMP_SYS(faccessat),
                                          SCMP_SYS(faccessat2),
                                          SCMP_SYS(readlink),
                                          SCMP_SYS(readlinkat),
                                          SCMP_SYS(getdents64),
                                          SCMP_SYS(getcwd),
                                          SCMP_SYS(ftruncate),
                                          SCMP_SYS(mmap),
                                          SCMP_SYS(munmap),
                                          SCMP_SYS(mprotect),
                                          SCMP_SYS(mremap),
                                          SCMP_SYS(madvise),
                                          SCMP_SYS(brk),
                                          SCMP_SYS(msync),
                                          SCMP_SYS(mincore),
                                          SCMP_SYS(membarrier),
                                          SCMP_SYS(get_mempolicy),
                                          SCMP_SYS(set_mempolicy),
                                          SCMP_SYS(mbind),
                                          SCMP_SYS(futex),
                                          SCMP_SYS(set_robust_list),
                                          SCMP_SYS(get_robust_list),
                                          SCMP_SYS(rseq),
                                          SCMP_SYS(set_tid_address),
                                          SCMP_SYS(sched_yield),
                                          SCMP_SYS(sched_getaffinity),
                                          SCMP_SYS(sched_getparam),
                                          SCMP_SYS(sched_getscheduler),
                                          SCMP_SYS(getcpu),
                                          SCMP_SYS(getpid),
                                          SCMP_SYS(getppid),
                                          SCMP_SYS(gettid),
                                          SCMP_SYS(getuid),
                                          SCMP_SYS(geteuid),
                                          SCMP_SYS(getgid),
                                          SCMP_SYS(getegid),
                                          SCMP_SYS(rt_sigaction),
                                          SCMP_SYS(rt_sigprocmask),
                                          SCMP_SYS(rt_sigreturn),
                                          SCMP_SYS(sigaltstack),
                                          SCMP_SYS(clock_gettime),
                                          SCMP_SYS(clock_getres),
                                          SCMP_SYS(clock_nanosleep),
                                          SCMP_SYS(nanosleep),
                                          SCMP_SYS(gettimeofday),
                                          SCMP_SYS(setitimer),
                                          SCMP_SYS(getitimer),
                                          SCMP_SYS(times),
                                          SCMP_SYS(getrusage),
                                          SCMP_SYS(getrlimit),
                                          SCMP_SYS(sysinfo),
                                          SCMP_SYS(uname),
                                          SCMP_SYS(getrandom),
                                          SCMP_SYS(poll),
                                          SCMP_SYS(ppoll),
                                          SCMP_SYS(exit),
                                          SCMP_SYS(exit_group),
                                          SCMP_SYS(restart_syscall),
                                          SCMP_SYS(arch_prctl)};

/// Flags of open that change something on disk.
inline constexpr unsigned kWritingFlags =
    O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY);
/// Flags that a clone has which makes a thread.
inline constexpr unsigned kThreadFlags = CLONE_THREAD | CLONE_VM;

} // namespace fx
