# SPDX-License-Identifier: GPL-3.0-or-later
# Python's heapq: a binary heap in a list.


def _rise(heap, at, top):
    """Moves heap[at] towards `top` past all that are greater."""
    item = heap[at]
    while at > top and item < heap[(at - 1) // 2]:
        heap[at] = heap[(at - 1) // 2]
        at = (at - 1) // 2
    heap[at] = item


def _sink(heap, at):
    """Moves heap[at] to a leaf along the smaller children, then back up to where it belongs."""
    top, item = at, heap[at]
    while (child := 2 * at + 1) < len(heap):
        if child + 1 < len(heap) and not heap[child] < heap[child + 1]:
            child += 1
        heap[at] = heap[child]
        at = child
    heap[at] = item
    _rise(heap, at, top)


def heappush(heap, item):
    heap.append(item)
    _rise(heap, len(heap) - 1, 0)


def heappop(heap):
    last = heap.pop()
    return heapreplace(heap, last) if heap else last


def heapreplace(heap, item):
    least = heap[0]
    heap[0] = item
    _sink(heap, 0)
    return least


def heappushpop(heap, item):
    return heapreplace(heap, item) if heap and heap[0] < item else item


def heapify(x):
    for at in reversed(range(len(x) // 2)):
        _sink(x, at)


def nsmallest(n, iterable, key=None):
    return sorted(iterable, key=key)[:max(n, 0)]


def nlargest(n, iterable, key=None):
    return sorted(iterable, key=key, reverse=True)[:max(n, 0)]


def merge(*iterables, key=None, reverse=False):
    rank = (lambda item: item) if key is None else key
    nothing = object()
    heads = [[next(iterator, nothing), iterator] for iterator in map(iter, iterables)]
    while True:
        best = None
        for head in heads:
            if head[0] is nothing:
                continue
            if best is None or (rank(best[0]) < rank(head[0]) if reverse else rank(head[0]) < rank(best[0])):
                best = head
        if best is None:
            return
        item = best[0]
        best[0] = next(best[1], nothing)
        yield item
