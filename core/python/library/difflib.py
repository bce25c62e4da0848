# SPDX-License-Identifier: GPL-3.0-or-later
# Python's difflib: SequenceMatcher (Ratcliff and Obershelp, 1988) and what names are close to one.

from _refusal import refused_names
from collections import namedtuple
from heapq import nlargest

globals().update(refused_names("difflib", "texts are compared by SequenceMatcher and get_close_matches alone",
                           "context_diff diff_bytes ndiff restore unified_diff IS_CHARACTER_JUNK IS_LINE_JUNK",
                           "Differ HtmlDiff"))
Match = namedtuple("Match", "a b size")


def _ratio(matches, length):
    return 2.0 * matches / length if length else 1.0


class SequenceMatcher:
    def __init__(self, isjunk=None, a="", b="", autojunk=True):
        self.isjunk, self.autojunk = isjunk, autojunk
        self.a = self.b = None
        self.set_seqs(a, b)

    def set_seqs(self, a, b):
        self.set_seq1(a)
        self.set_seq2(b)

    def set_seq1(self, a):
        if a is not self.a:
            self.a = a
            self._blocks = self._codes = None

    def set_seq2(self, b):
        if b is not self.b:
            self.b = b
            self._blocks = self._codes = self._counts = None
            self._index()

    def _index(self):
        places = self.b2j = {}
        for at, item in enumerate(self.b):
            places.setdefault(item, []).append(at)
        self.bjunk = {item for item in places if self.isjunk and self.isjunk(item)}
        for item in self.bjunk:
            del places[item]
        self.bpopular = set()
        if self.autojunk and len(self.b) >= 200:
            most = len(self.b) // 100 + 1
            self.bpopular = {item for item, where in places.items() if len(where) > most}
            for item in self.bpopular:
                del places[item]

    def find_longest_match(self, alo=0, ahi=None, blo=0, bhi=None):
        a, b = self.a, self.b
        ahi = len(a) if ahi is None else ahi
        bhi = len(b) if bhi is None else bhi
        first, second, size = alo, blo, 0
        ending = {}  # by place in b: the length of the match that ends there and at the item of a before
        for at in range(alo, ahi):
            now = {}
            for other in self.b2j.get(a[at], ()):
                if other < blo:
                    continue
                if other >= bhi:
                    break
                length = now[other] = ending.get(other - 1, 0) + 1
                if length > size:
                    first, second, size = at - length + 1, other - length + 1, length
            ending = now
        # what is popular may widen the match, then what is junk
        for is_junk in (False, True):
            while first > alo and second > blo and (b[second - 1] in self.bjunk) == is_junk \
                    and a[first - 1] == b[second - 1]:
                first, second, size = first - 1, second - 1, size + 1
            while first + size < ahi and second + size < bhi and (b[second + size] in self.bjunk) == is_junk \
                    and a[first + size] == b[second + size]:
                size += 1
        return Match(first, second, size)

    def get_matching_blocks(self):
        if self._blocks is None:
            waiting, found = [(0, len(self.a), 0, len(self.b))], []
            while waiting:
                alo, ahi, blo, bhi = waiting.pop()
                at, other, size = match = self.find_longest_match(alo, ahi, blo, bhi)
                if size:
                    found.append(match)
                    if alo < at and blo < other:
                        waiting.append((alo, at, blo, other))
                    if at + size < ahi and other + size < bhi:
                        waiting.append((at + size, ahi, other + size, bhi))
            joined = [(0, 0, 0)]
            for at, other, size in sorted(found):
                last = joined[-1]
                if last[0] + last[2] == at and last[1] + last[2] == other:
                    joined[-1] = (last[0], last[1], last[2] + size)
                else:
                    joined.append((at, other, size))
            self._blocks = [Match(*block) for block in joined if block[2]] + [Match(len(self.a), len(self.b), 0)]
        return self._blocks

    def get_opcodes(self):
        if self._codes is None:
            self._codes = []
            i = j = 0
            for at, other, size in self.get_matching_blocks():
                if i < at or j < other:
                    tag = "replace" if i < at and j < other else "delete" if i < at else "insert"
                    self._codes.append((tag, i, at, j, other))
                i, j = at + size, other + size
                if size:
                    self._codes.append(("equal", at, i, other, j))
        return self._codes

    def ratio(self):
        return _ratio(sum(block[2] for block in self.get_matching_blocks()), len(self.a) + len(self.b))

    def quick_ratio(self):
        left = {}
        for item in self.b:
            left[item] = left.get(item, 0) + 1
        matches = 0
        for item in self.a:
            if left.get(item, 0) > 0:
                left[item] -= 1
                matches += 1
        return _ratio(matches, len(self.a) + len(self.b))

    def real_quick_ratio(self):
        return _ratio(min(len(self.a), len(self.b)), len(self.a) + len(self.b))

    def __class_getitem__(cls, item):
        return cls


def get_close_matches(word, possibilities, n=3, cutoff=0.6):
    if not n > 0:
        raise ValueError(f"n must be > 0: {n!r}")
    if not 0.0 <= cutoff <= 1.0:
        raise ValueError(f"cutoff must be in [0.0, 1.0]: {cutoff!r}")
    matcher = SequenceMatcher()
    matcher.set_seq2(word)
    close = []
    for other in possibilities:
        matcher.set_seq1(other)
        if matcher.real_quick_ratio() >= cutoff and matcher.quick_ratio() >= cutoff:
            ratio = matcher.ratio()
            if ratio >= cutoff:
                close.append((ratio, other))
    return [other for _, other in nlargest(n, close)]
