# SPDX-License-Identifier: GPL-3.0-or-later
# Python's queue, where there is one thread: whoever would have to wait is refused.

from collections import deque
from heapq import heappop, heappush


class Empty(Exception):
    pass


class Full(Exception):
    pass


class Queue:
    def __init__(self, maxsize=0):
        self.maxsize = maxsize
        self.unfinished_tasks = 0
        self._init(maxsize)

    def qsize(self):
        return self._qsize()

    def empty(self):
        return not self._qsize()

    def full(self):
        return 0 < self.maxsize <= self._qsize()

    def put(self, item, block=True, timeout=None):
        if self.full():
            _refuse_to_wait(block, timeout, "a full queue")
            raise Full
        self.unfinished_tasks += 1
        self._put(item)

    def get(self, block=True, timeout=None):
        if self.empty():
            _refuse_to_wait(block, timeout, "an empty queue")
            raise Empty
        return self._get()

    def put_nowait(self, item):
        self.put(item, block=False)

    def get_nowait(self):
        return self.get(block=False)

    def task_done(self):
        if self.unfinished_tasks <= 0:
            raise ValueError("task_done() called too many times")
        self.unfinished_tasks -= 1

    def join(self):
        if self.unfinished_tasks:
            _refuse_to_wait(True, None, "unfinished tasks")

    # A class of a user's may put other containers behind these.
    def _init(self, maxsize):
        self.queue = deque()

    def _qsize(self):
        return len(self.queue)

    def _put(self, item):
        self.queue.append(item)

    def _get(self):
        return self.queue.popleft()


class LifoQueue(Queue):
    def _init(self, maxsize):
        self.queue = []

    def _get(self):
        return self.queue.pop()


class PriorityQueue(Queue):
    def _init(self, maxsize):
        self.queue = []

    def _put(self, item):
        heappush(self.queue, item)

    def _get(self):
        return heappop(self.queue)


class SimpleQueue(Queue):
    def __init__(self):
        super().__init__()


def _refuse_to_wait(block, timeout, what):
    if not block:
        return
    if timeout is None:
        raise NotImplementedError(f"not supported: waiting for {what}; a traced program has no threads")
    if timeout < 0:
        raise ValueError("'timeout' must be a non-negative number")
