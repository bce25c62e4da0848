# SPDX-License-Identifier: GPL-3.0-or-later
# Python's os on a machine without files, processes and environment: what asks is answered, what acts is refused. The files that
# a program has in memory are in os._files.
# Paths as texts are in os.path.

from _refusal import refused_names
from abc import ABC, abstractmethod
from collections import namedtuple
from os import path
from os._environment import Environment

globals().update(refused_names(
    "os", "a traced program reaches no files and processes",
    "abort chdir chmod chown chroot closerange ctermid dup dup2 execl execle execlp execv execve execvp execvpe "
    "fchdir fchmod fchown fork forkpty fstat fsync ftruncate get_blocking get_inheritable get_terminal_size "
    "getgroups getloadavg getlogin getpriority getrandom getxattr isatty kill killpg lchown link listxattr lockf "
    "lseek memfd_create mkfifo mknod nice open openpty pipe popen posix_spawn pread putenv pwrite read readlink "
    "readv removedirs removexattr renames sched_setaffinity sched_yield sendfile set_blocking set_inheritable "
    "setegid seteuid setgid setpgid setpriority setsid setuid setxattr spawnl spawnv spawnve statvfs symlink sync "
    "sysconf system times truncate ttyname umask unsetenv urandom utime wait wait3 wait4 waitpid fwalk write writev",
    "statvfs_result"))

error = OSError
name = "posix"
sep, linesep, curdir, pardir, extsep, pathsep, altsep = "/", "\n", ".", "..", ".", ":", None
defpath, devnull = "/bin:/usr/bin", "/dev/null"
F_OK, R_OK, W_OK, X_OK = 0, 4, 2, 1
SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2
EX_OK = 0
O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND, O_NONBLOCK = 0, 1, 2, 64, 128, 512, 1024, 2048
O_CLOEXEC = 0x80000
P_WAIT, P_NOWAIT = 0, 1
WNOHANG = 1
supports_bytes_environ = True
supports_fd = supports_dir_fd = supports_follow_symlinks = supports_effective_ids = frozenset()

environ = Environment()
uname_result = namedtuple("uname_result", "sysname nodename release version machine", module="posix")
terminal_size = namedtuple("terminal_size", "columns lines", module="os")


def getenv(key, default=None):
    return environ.get(key, default)


def get_exec_path(env=None):
    return defpath.split(pathsep)


def _first():
    return 1


def _root():
    return 0


cpu_count = getpid = getpgrp = getpgid = getsid = _first
getppid = getuid = geteuid = getgid = getegid = _root


def sched_getaffinity(pid):
    return {0}


def getcwd():
    return "/"


def getcwdb():
    return b"/"


def uname():
    return uname_result("Linux", "localhost", "", "", "x86_64")


def access(path, mode, *, dir_fd=None, effective_ids=False, follow_symlinks=True):
    fspath(path)
    return False


def register_at_fork(*, before=None, after_in_child=None, after_in_parent=None):
    pass


def strerror(code):
    from errno import _texts

    return _texts.get(code, f"Unknown error {code}")


def fsencode(filename):
    filename = fspath(filename)
    return filename.encode("utf-8", "surrogateescape") if isinstance(filename, str) else filename


def fsdecode(filename):
    filename = fspath(filename)
    return filename.decode("utf-8", "surrogateescape") if isinstance(filename, bytes) else filename


def fspath(path):
    if isinstance(path, (str, bytes)):
        return path
    kind = type(path)
    if not hasattr(kind, "__fspath__"):
        raise TypeError(f"expected str, bytes or os.PathLike object, not {kind.__name__}")
    text = kind.__fspath__(path)
    if not isinstance(text, (str, bytes)):
        raise TypeError(f"expected {kind.__name__}.__fspath__() to return str or bytes, not {type(text).__name__}")
    return text


class PathLike(ABC):
    @abstractmethod
    def __fspath__(self):
        raise NotImplementedError

    @classmethod
    def __subclasshook__(cls, subclass):
        if cls is PathLike:
            return True if hasattr(subclass, "__fspath__") else NotImplemented
        return NotImplemented

    def __class_getitem__(cls, item):
        from _typing_forms import _Alias

        return _Alias(cls, item, f"os.{cls.__name__}")


from os._files import (DirEntry, close, fdopen, listdir, lstat, makedirs, mkdir, remove, rename, replace, rmdir, scandir, stat,
                       stat_result, unlink, walk)
