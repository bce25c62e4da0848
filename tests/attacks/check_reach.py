# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens 300 models under strace: nothing is written, nothing is started, nothing is connected to, and no file is read but
the model's own and the program's.

    check_reach.py FXSCOPE FOLDER...

FOLDER: where models lie. Exits with 77 where strace is missing or may not trace.
"""

import concurrent.futures
import pathlib
import random
import re
import subprocess
import sys
import tempfile

FXSCOPE = pathlib.Path(sys.argv[1]).resolve()
FOLDERS = [pathlib.Path(folder).resolve() for folder in sys.argv[2:]]
COUNT = 300
LOGS = pathlib.Path(tempfile.mkdtemp(prefix="reach-"))
# What the system tells every program about itself and the machine, libraries, and folders of plugins.
SYSTEM = re.compile(r"/proc/|/sys/|/etc/ld\.so\.|/etc/localtime|/usr/share/zoneinfo/|/dev/(null|urandom|shm/?$)|.*\.so(\.[0-9.]+)?$|"
                    r".*/(tls|haswell|x86_64|x86-64-v\d|glibc-hwcaps)(/.*)?$|/usr/lib/|/lib/|/usr/share/locale/|.*/fxscope/plugins/?$|/etc/nsswitch|/etc/passwd")
# A descriptor for the process that opens outputs, over a pair of sockets.
HANDED = re.compile(r"\d+, \{msg_name=NULL, msg_namelen=0, msg_iov=\[\{iov_base=\"l\", iov_len=1\}\], .*SCM_RIGHTS")
CALL = re.compile(r"^(?:\d+ +)?(\w+)\((.*)\) += (-?\d+)")
OPENS = {"open", "openat", "openat2", "creat"}
CHANGES = {"unlink", "unlinkat", "rename", "renameat", "renameat2", "mkdir", "mkdirat", "rmdir", "link", "linkat", "symlink",
           "symlinkat", "truncate", "chmod", "fchmodat", "chown", "fchownat", "utimensat", "mknod", "mknodat", "setxattr"}
NETWORK = {"socket", "connect", "bind", "listen", "accept", "accept4", "sendto", "sendmsg"}


def models():
    found = []
    for folder in FOLDERS:
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".pt2", ".pt", ".pth", ".fxg", ".safetensors") and path.stat().st_size < 50 << 20:
                found.append(path)
            elif "packages" in path.relative_to(folder).parts:
                pass  # modules that others import: each reads the __init__.py of its package
            elif path.suffix == ".py" and "class" in path.read_text(errors="replace") and path.name[0] != "_":
                found.append(path)
    random.Random(0).shuffle(found)
    kinds = {}
    for path in found:
        kinds.setdefault((path.suffix, path.parent), []).append(path)
    chosen = []
    while len(chosen) < COUNT and any(kinds.values()): # some of each kind
        for paths in kinds.values():
            if paths and len(chosen) < COUNT:
                chosen.append(paths.pop())
    return chosen


def faults_of(path):
    log = LOGS / f"{abs(hash(path))}.log"
    calls = ",".join(sorted(OPENS | CHANGES | NETWORK | {"execve", "execveat", "kill"}))
    subprocess.run(["strace", "-f", "--seccomp-bpf", "-s", "400", "-o", log, "-e", f"trace={calls}", FXSCOPE, "info", path],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, timeout=120, check=False)
    faults, programs = [], 0
    lines = log.read_text(errors="replace").splitlines()
    own = {line.split()[0] for line in lines if line[:1].isdigit()}
    for line in lines:
        call = CALL.match(line)
        if not call or int(call.group(3)) < 0:
            continue
        name, arguments = call.group(1), call.group(2)
        if name.startswith("execve"):
            programs += 1
        elif name in OPENS:
            file = (re.search(r'"((?:[^"\\]|\\.)*)"', arguments) or [None, ""])[1]
            writes = re.search(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND", arguments) or name == "creat"
            if writes and file != "/dev/null":
                faults.append(f"opened for writing: {file}")
            if not (SYSTEM.match(file) or is_own(file, path)):
                faults.append(f"read: {file}")
        elif not (name == "kill" and arguments.partition(",")[0] in own or name == "sendmsg" and HANDED.match(arguments)):
            faults.append(line)
    log.unlink()
    if programs != 1:
        faults.append(f"started {programs} programs")
    return [f"{path}: {fault}" for fault in faults]


def is_own(file, model):
    """The model's own files are what lies beside a source, which it may import."""
    file = pathlib.Path(file)
    return file == model or file.parent == FXSCOPE.parent or file == FXSCOPE.parent.parent / "plugins" or (model.suffix == ".py" and file.is_relative_to(model.parent))


if __name__ == "__main__":
    try:
        tried = subprocess.run(["strace", "-f", "--seccomp-bpf", "-o", "/dev/null", "true"], capture_output=True)
    except FileNotFoundError:
        tried = None
    if not tried or tried.returncode != 0:
        print("strace is missing, or may not trace here")
        sys.exit(77)
    chosen = models()
    print(len(chosen), "models")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        faults = [fault for faults in pool.map(faults_of, chosen) for fault in faults]
    print("\n".join(faults[:60]))
    LOGS.rmdir()
    sys.exit(f"{len(faults)} faults" if faults or len(chosen) < COUNT else 0)
