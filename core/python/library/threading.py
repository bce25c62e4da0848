# SPDX-License-Identifier: GPL-3.0-or-later
# Python's threading, where there is one thread: locks are never waited for, and no other thread is started.

from _refusal import refused_names

globals().update(refused_names("threading", "a traced program has no threads", classes="Barrier Timer"))
ThreadError = RuntimeError
TIMEOUT_MAX = 9223372036.0


class BrokenBarrierError(RuntimeError):
    pass


class _Lock:
    """A semaphore of so many; whoever would have to wait is refused."""

    def __init__(self, value=1):
        self._value = self._first = value

    def acquire(self, blocking=True, timeout=-1):
        if self._value > 0:
            self._value -= 1
            return True
        if blocking and timeout < 0:
            raise NotImplementedError("not supported: waiting for a lock; a traced program has no threads")
        return False

    def release(self, n=1):
        self._check_release()
        self._value += n

    def _check_release(self):
        if self._value == self._first:
            raise RuntimeError("release unlocked lock")

    def locked(self):
        return self._value == 0

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *details):
        self.release()


def Lock():
    return _Lock()


class Semaphore(_Lock):
    def __init__(self, value=1):
        if value < 0:
            raise ValueError("semaphore initial value must be >= 0")
        super().__init__(value)

    def _check_release(self):
        pass


class BoundedSemaphore(Semaphore):
    def _check_release(self):
        if self._value >= self._first:
            raise ValueError("Semaphore released too many times")


class _RLock(_Lock):
    def __init__(self):
        super().__init__(1 << 62)

    def _check_release(self):
        if self._value == self._first:
            raise RuntimeError("cannot release un-acquired lock")


def RLock():
    return _RLock()


class Condition:
    def __init__(self, lock=None):
        self._lock = RLock() if lock is None else lock
        self.acquire, self.release = self._lock.acquire, self._lock.release

    def __enter__(self):
        return self._lock.__enter__()

    def __exit__(self, *details):
        return self._lock.__exit__(*details)

    def wait(self, timeout=None):
        return False

    def wait_for(self, predicate, timeout=None):
        return predicate()

    def notify(self, n=1):
        pass

    notify_all = notify


class Event:
    def __init__(self):
        self._flag = False

    def is_set(self):
        return self._flag

    def set(self):
        self._flag = True

    def clear(self):
        self._flag = False

    def wait(self, timeout=None):
        return self._flag


class local:
    pass


class Thread:
    def __init__(self, group=None, target=None, name=None, args=(), kwargs=None, *, daemon=None):
        self._target, self._args, self._kwargs = target, args, kwargs or {}
        self.name, self.daemon, self.ident, self.native_id = name or "Thread-1", bool(daemon), None, None

    def run(self):
        if self._target is not None:
            self._target(*self._args, **self._kwargs)

    def start(self):
        raise NotImplementedError("not supported: threading.Thread.start; a traced program has no threads")

    def join(self, timeout=None):
        raise RuntimeError("cannot join thread before it is started")

    def is_alive(self):
        return self.ident is not None

    def getName(self):
        return self.name

    def setName(self, name):
        self.name = name

    def isDaemon(self):
        return self.daemon

    def setDaemon(self, daemonic):
        self.daemon = daemonic


_main = Thread(name="MainThread")
_main.ident = _main.native_id = 1


def current_thread():
    return _main


currentThread = main_thread = current_thread


def active_count():
    return 1


get_ident = get_native_id = activeCount = active_count


def enumerate():
    return [_main]


def settrace(func):
    pass


setprofile = stack_size = settrace
