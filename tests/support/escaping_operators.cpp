// SPDX-License-Identifier: GPL-3.0-or-later
// An operator that tries each way out of a process that runs graphs: for tests of its confinement. It gives
// its input if all are refused, and else fails with the names of those that were open.
#include <ATen/ATen.h>
#include <torch/library.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <spawn.h>
#include <string>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace {

/// Files in the folder that a test has made: "victim" with text, "link" to it, "empty", a folder.
std::string folder;

const char* at(const char* name) {
    static std::string paths[4];
    static int next = 0;
    std::string& path = paths[next++ % 4];
    path = folder + '/' + name;
    return path.c_str();
}

long touch(const char* how) {
    const std::string file = folder + "/PWNED";
    char* words[] = {const_cast<char*>("/bin/touch"), const_cast<char*>(file.c_str()), nullptr};
    pid_t child = -1;
    if (*how == 's') {
        if (const int fault = ::posix_spawn(&child, words[0], nullptr, nullptr, words, environ)) {
            errno = fault;
            return -1;
        }
    } else {
        child = *how == 'v' ? ::vfork() : ::fork();
        if (child == 0) {
            ::execve(words[0], words, environ);
            ::_exit(errno == EPERM ? 7 : 8);
        }
    }
    int status = 0;
    if (child < 0 || ::waitpid(child, &status, 0) != child)
        return -1;
    errno = WEXITSTATUS(status) == 7 ? EPERM : ENOEXEC;
    return status == 0 ? 0 : -1;
}

long pin(pid_t process) {
    cpu_set_t cores;
    return ::sched_getaffinity(0, sizeof cores, &cores) != 0
               ? -1
               : ::sched_setaffinity(process, sizeof cores, &cores);
}

long executeMemory() {
    const int from = ::open("/bin/true", O_RDONLY),
              to = static_cast<int>(::syscall(SYS_memfd_create, "x", 0u));
    char bytes[4096];
    for (ssize_t count = 0; (count = ::read(from, bytes, sizeof bytes)) > 0;)
        if (::write(to, bytes, static_cast<size_t>(count)) != count)
            return -1;
    char* words[] = {const_cast<char*>("true"), nullptr};
    return ::syscall(SYS_execveat, to, "", words, environ, AT_EMPTY_PATH);
}

long writeMemoryOf(pid_t process) {
    static long number = 0;
    iovec here{&number, sizeof number}, there{&number, sizeof number};
    return ::process_vm_writev(process, &here, 1, &there, 1, 0);
}

long readMemoryOf(pid_t process) {
    static long number = 0;
    iovec here{&number, sizeof number}, there{&number, sizeof number};
    return ::process_vm_readv(process, &here, 1, &there, 1, 0);
}

long openAgain(int flags) {
    const int file = ::open(at("victim"), O_RDONLY);
    return ::open(("/proc/self/fd/" + std::to_string(file)).c_str(), flags);
}

long signalOwner() {
    const int file = ::open(at("victim"), O_RDONLY);
    return ::fcntl(file, F_SETOWN, ::getppid());
}

/// The child of this process that writes for it; 1, the first process of all, if there is none.
pid_t guard() {
    const std::string path = "/proc/self/task/" + std::to_string(::getpid()) + "/children";
    int child = 1;
    if (FILE* file = std::fopen(path.c_str(), "re")) {
        if (std::fscanf(file, "%d", &child) != 1)
            child = 1;
        std::fclose(file);
    }
    return child;
}

struct Way {
    const char* name;
    long (*take)(); ///< negative: refused
};

#define CALL(name, ...)                                                                                      \
    {                                                                                                        \
#name, [] { return static_cast<long>(::syscall(SYS_##name __VA_OPT__(, ) __VA_ARGS__)); }            \
    }
#define WAY(name, ...)                                                                                       \
    {                                                                                                        \
        name, [] { return static_cast<long>(__VA_ARGS__); }                                                  \
    }

const Way kWays[] = {
    // Programs
    WAY("fork and execve", touch("fork")),
    WAY("vfork and execve", touch("vfork")),
    WAY("posix_spawn", touch("spawn")),
    WAY("a program in memory", executeMemory()),
    CALL(execve, "/bin/true", nullptr, nullptr),
    CALL(uselib, "/bin/true"),
    // The network, and other processes by sockets and queues
    WAY("socket of the internet", ::socket(AF_INET, SOCK_STREAM, 0)),
    WAY("datagram socket", ::socket(AF_INET, SOCK_DGRAM, 0)),
    WAY("socket of IPv6", ::socket(AF_INET6, SOCK_STREAM, 0)),
    WAY("unix socket", ::socket(AF_UNIX, SOCK_STREAM, 0)),
    WAY("raw socket", ::socket(AF_INET, SOCK_RAW, 1)),
    WAY("netlink socket", ::socket(AF_NETLINK, SOCK_RAW, 0)),
    WAY("packet socket", ::socket(AF_PACKET, SOCK_RAW, 0)),
    WAY("vsock", ::socket(AF_VSOCK, SOCK_STREAM, 0)),
    CALL(shmget, 77, 4096, 0600 | 01000),
    CALL(msgget, 77, 0600 | 01000),
    CALL(semget, 77, 1, 0600 | 01000),
    CALL(mq_open, "fxescape", O_CREAT | O_RDWR, 0600, nullptr),
    // Files
    WAY("open for writing", ::open(at("victim"), O_WRONLY)),
    WAY("open for both", ::open(at("victim"), O_RDWR)),
    WAY("open and truncate", ::open(at("victim"), O_RDONLY | O_TRUNC)),
    WAY("open to append", ::open(at("victim"), O_WRONLY | O_APPEND)),
    WAY("open and create", ::open(at("fresh"), O_RDONLY | O_CREAT, 0600)),
    WAY("creat", ::creat(at("fresh2"), 0600)),
    WAY("open a link", ::open(at("link"), O_WRONLY)),
    WAY("nameless file", ::open(folder.c_str(), O_TMPFILE | O_RDWR, 0600)),
    WAY("open again", openAgain(O_WRONLY)),
    WAY("open own memory", ::open("/proc/self/mem", O_RDWR)),
    WAY("open the parent's memory",
        ::open(("/proc/" + std::to_string(::getppid()) + "/mem").c_str(), O_RDWR)),
    WAY("open the guard's memory", ::open(("/proc/" + std::to_string(guard()) + "/mem").c_str(), O_RDWR)),
    WAY("from a folder", ::openat(::open(folder.c_str(), O_RDONLY | O_DIRECTORY), "victim", O_WRONLY)),
    CALL(openat2, AT_FDCWD, at("victim"), nullptr, 0),
    CALL(open_by_handle_at, 0, nullptr, O_RDWR),
    CALL(truncate, at("victim"), 0),
    CALL(rename, at("victim"), at("moved")),
    CALL(renameat, AT_FDCWD, at("victim"), AT_FDCWD, at("moved")),
    CALL(renameat2, AT_FDCWD, at("victim"), AT_FDCWD, at("empty"), 2),
    CALL(unlink, at("victim")),
    CALL(unlinkat, AT_FDCWD, at("victim"), 0),
    CALL(unlinkat, AT_FDCWD, at("folder"), AT_REMOVEDIR),
    CALL(rmdir, at("folder")),
    CALL(mkdir, at("folder2"), 0700),
    CALL(mkdirat, AT_FDCWD, at("folder3"), 0700),
    CALL(mknod, at("fifo"), S_IFIFO | 0600, 0),
    CALL(mknodat, AT_FDCWD, at("fifo2"), S_IFIFO | 0600, 0),
    CALL(link, at("victim"), at("second")),
    CALL(linkat, AT_FDCWD, at("victim"), AT_FDCWD, at("second2"), 0),
    CALL(symlink, "/etc/passwd", at("symbolic")),
    CALL(symlinkat, "/etc/passwd", AT_FDCWD, at("symbolic2")),
    CALL(chmod, at("victim"), 0777),
    CALL(fchmod, ::open(at("victim"), O_RDONLY), 0777),
    CALL(fchmodat, AT_FDCWD, at("victim"), 0777),
    CALL(chown, at("victim"), ::getuid(), ::getgid()),
    CALL(fchownat, AT_FDCWD, at("victim"), ::getuid(), ::getgid(), 0),
    CALL(utimensat, AT_FDCWD, at("victim"), nullptr, 0),
    CALL(setxattr, at("victim"), "user.x", "x", 1, 0),
    CALL(chdir, "/"),
    CALL(chroot, "/"),
    CALL(mount, "none", at("folder"), "tmpfs", 0, nullptr),
    CALL(umount2, at("folder"), 0),
    CALL(pivot_root, at("folder"), at("folder")),
    CALL(swapon, at("victim"), 0),
    CALL(quotactl, 0, nullptr, 0, nullptr),
    CALL(acct, at("victim")),
#ifdef SYS_open_tree
    CALL(open_tree, AT_FDCWD, at("folder"), 1u),
    CALL(fsopen, "tmpfs", 0),
    CALL(fsconfig, 0, 0, nullptr, nullptr, 0),
    CALL(move_mount, AT_FDCWD, at("folder"), AT_FDCWD, at("folder"), 0),
#endif
    // Other processes
    CALL(kill, ::getppid(), 0),
    CALL(kill, -1, 0),
    CALL(kill, 0, 0),
    CALL(kill, 1, 0),
    CALL(kill, guard(), 0),
    CALL(tkill, ::getppid(), 0),
    CALL(tgkill, ::getppid(), ::getppid(), 0),
    CALL(tgkill, guard(), guard(), 0),
    CALL(rt_sigqueueinfo, ::getppid(), SIGCONT, nullptr),
    CALL(rt_tgsigqueueinfo, ::getppid(), ::getppid(), 0, nullptr),
    CALL(ptrace, PTRACE_SEIZE, ::getppid(), 0, 0),
    CALL(ptrace, PTRACE_TRACEME, 0, 0, 0),
    CALL(ptrace, PTRACE_SEIZE, guard(), 0, 0),
    WAY("write another's memory", writeMemoryOf(::getppid())),
    WAY("write the guard's memory", writeMemoryOf(guard())),
    WAY("read another's memory", readMemoryOf(::getppid())),
    CALL(kcmp, ::getppid(), ::getpid(), 0, 0, 0),
    CALL(setpriority, PRIO_PROCESS, ::getppid(), 19),
    CALL(sched_setscheduler, 0, 0, nullptr),
    WAY("pin another to a core", pin(::getppid())),
    CALL(prlimit64, ::getppid(), RLIMIT_CORE, nullptr, nullptr),
    WAY("own another's signals", signalOwner()),
    CALL(setpgid, 0, 0),
    CALL(setsid),
    WAY("be traced by anybody", ::prctl(0x59616d61, -1ul, 0, 0, 0)),
    WAY("prctl of memory", ::prctl(PR_SET_MM, 1, 0, 0, 0)),
    WAY("ioctl that types", ::ioctl(0, TIOCSTI, "x")),
    WAY("ioctl of the terminal", ::ioctl(0, TIOCSCTTY, 0)),
#ifdef SYS_pidfd_open
    CALL(pidfd_open, ::getppid(), 0),
    CALL(pidfd_send_signal, 0, 0, nullptr, 0),
    CALL(pidfd_getfd, 0, 0, 0),
    CALL(process_madvise, 0, nullptr, 0, 0, 0),
#endif
    // Other rights
    CALL(unshare, CLONE_NEWUSER),
    CALL(unshare, CLONE_NEWNS),
    CALL(setns, 0, 0),
    CALL(clone, CLONE_NEWUSER | SIGCHLD, nullptr, nullptr, nullptr, 0),
    CALL(clone, CLONE_NEWNET | SIGCHLD, nullptr, nullptr, nullptr, 0),
    CALL(clone3, nullptr, 0),
    CALL(setuid, ::getuid()),
    CALL(setgid, ::getgid()),
    CALL(setresuid, -1, -1, -1),
    CALL(setgroups, 0, nullptr),
    CALL(capset, nullptr, nullptr),
    CALL(personality, 0xffffffff),
    CALL(keyctl, 0, -4, 1),
    CALL(add_key, "user", "x", "x", 1, -4),
    CALL(request_key, "user", "x", nullptr, -4),
    // The kernel
    CALL(io_uring_setup, 1, nullptr),
    CALL(io_setup, 1, nullptr),
    CALL(bpf, 0, nullptr, 0),
    CALL(perf_event_open, nullptr, 0, -1, -1, 0),
    CALL(userfaultfd, 0),
    CALL(fanotify_init, 0, 0),
    CALL(inotify_init1, 0),
    CALL(init_module, nullptr, 0, ""),
    CALL(finit_module, 0, "", 0),
    CALL(delete_module, "x", 0),
    CALL(kexec_load, 0, 0, nullptr, 0),
    CALL(reboot, 0, 0, 0, nullptr),
    CALL(syslog, 3, nullptr, 0),
    CALL(settimeofday, nullptr, nullptr),
    CALL(clock_settime, 0, nullptr),
    CALL(adjtimex, nullptr),
    CALL(sethostname, "x", 1),
    CALL(setdomainname, "x", 1),
    CALL(vhangup),
    CALL(splice, 0, nullptr, 1, nullptr, 0, 0),
    CALL(vmsplice, 1, nullptr, 0, 0),
    CALL(timer_create, 0, nullptr, nullptr),
    CALL(signalfd4, -1, nullptr, 8, 0),
#if defined(__x86_64__)
    CALL(ioperm, 0, 1, 1),
    CALL(iopl, 3),
    CALL(modify_ldt, 0, nullptr, 0),
#endif
};

/// x: any tensor. Returns a copy of it.
at::Tensor attempt(const at::Tensor& x, std::string_view where) {
    folder = where;
    std::string open;
    int count = 0;
    for (const Way& way : kWays) {
        errno = 0;
        if (way.take() >= 0 || (errno != EPERM && errno != ENOSYS)) {
            open +=
                std::string(open.empty() ? "" : ", ") + way.name + " (errno " + std::to_string(errno) + ")";
            ++count;
        }
    }
    TORCH_CHECK(open.empty(), "ways out: ", open, "; ", count, " of ", std::size(kWays));
    return x.clone();
}

/// Leaves a child behind, which holds all that this process has open, and dies by the signal; by 0 it goes
/// on.
at::Tensor leaveChild(const at::Tensor& x, int64_t number) {
    const pid_t child = ::fork();
    TORCH_CHECK(child >= 0, "no child can be made");
    if (child == 0) {
        ::prctl(PR_SET_NAME, "fxscope-orphan");
        while (true)
            ::pause();
    }
    if (number != 0)
        ::raise(static_cast<int>(number));
    return x.clone();
}

} // namespace

TORCH_LIBRARY(fxescape, m) {
    m.def("leave_child(Tensor x, int signal) -> Tensor", leaveChild);
    m.def("attempt(Tensor x, str folder) -> Tensor", attempt);
}
