# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line, run as often as a test likes: each command is a process, forked from one that has loaded LibTorch."""

import collections
import json
import os
import signal
import socket
import subprocess
import tempfile
import threading

Done = collections.namedtuple("Done", "code out err seconds megabytes")  # seconds: of the processor; megabytes: at its peak
"""Texts have their odd bytes as surrogates; `code` is negative for a signal."""


class Commands:
    def __init__(self, forked_cli, **environment):
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._server = subprocess.Popen([forked_cli], stdin=theirs, env={**os.environ, **environment})

    def __call__(self, *arguments, folder=".", text="", cpu_seconds=0, address_space=0, timeout=300):
        """Raises subprocess.TimeoutExpired."""
        words = [os.fspath(word) if isinstance(word, os.PathLike) else str(word) for word in arguments]
        request = {"arguments": words, "folder": os.path.abspath(folder), "cpuSeconds": cpu_seconds, "addressSpace": address_space}
        with tempfile.TemporaryFile() as into, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            into.write(text.encode())
            into.seek(0)
            reader, writer = os.pipe()
            with open(reader) as told:
                socket.send_fds(self._socket, [json.dumps(request).encode()], [into.fileno(), out.fileno(), err.fileno(), writer])
                os.close(writer)
                process = json.loads(told.readline())["process"]
                late = threading.Event()
                timer = threading.Timer(timeout, lambda: (late.set(), os.kill(process, signal.SIGKILL)))
                timer.start()
                end = json.loads(told.readline())
                timer.cancel()
            if late.is_set():
                raise subprocess.TimeoutExpired(words, timeout)
            texts = []
            for file in (out, err):
                file.seek(0)
                texts.append(file.read().decode("utf-8", "surrogateescape"))
            return Done(os.waitstatus_to_exitcode(end["status"]), *texts, end["seconds"], end["kilobytes"] / 1024)


def here_and_apart(commands, failures):
    """A function that runs a command and gives its code and what it wrote. For debug, a process of its own must tell the same;
    `failures` is told what differs."""

    def run(*arguments, text=""):
        here = commands(*arguments, text=text)[:3]
        if arguments[0] == "debug" and "--worker" not in arguments:
            apart = commands(*arguments, "--worker", text=text)[:3]
            if apart != here:
                failures.append(f"{arguments}: differs with --worker: {apart}, not {here}")
        return here

    return run
