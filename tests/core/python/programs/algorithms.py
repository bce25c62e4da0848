# SPDX-License-Identifier: GPL-3.0-or-later
# Small algorithms, each of many features together.

# --- sieve_of_eratosthenes
n = 50
sieve = bytearray([1]) * (n + 1)
sieve[:2] = b"\0\0"
for i in range(2, int(n ** .5) + 1):
    if sieve[i]:
        sieve[i * i::i] = bytes(len(range(i * i, n + 1, i)))
print([i for i, x in enumerate(sieve) if x], sum(sieve))

# --- game_of_life_on_sets
def step(live):
    around = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]
    counts = {}
    for x, y in live:
        for dx, dy in around:
            counts[x + dx, y + dy] = counts.get((x + dx, y + dy), 0) + 1
    return {p for p, n in counts.items() if n == 3 or n == 2 and p in live}
cells = {(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)}
for _ in range(4): cells = step(cells)
print(sorted(cells))

# --- n_queens_by_generators
def queens(n, row=0, cols=(), d1=(), d2=()):
    if row == n:
        yield cols
        return
    for c in range(n):
        if c not in cols and row + c not in d1 and row - c not in d2:
            yield from queens(n, row + 1, cols + (c,), d1 + (row + c,), d2 + (row - c,))
print(len(list(queens(6))), next(queens(8)))

# --- recursive_descent_calculator
class Parser:
    def __init__(self, text):
        self.tokens = text.replace("(", " ( ").replace(")", " ) ").split()
        self.at = 0
    def peek(self): return self.tokens[self.at] if self.at < len(self.tokens) else None
    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]
    def expr(self):
        value = self.term()
        while self.peek() in ("+", "-"):
            value = value + self.term() if self.take() == "+" else value - self.term()
        return value
    def term(self):
        value = self.factor()
        while (op := self.peek()) in ("*", "/"):
            self.take()
            value = value * self.factor() if op == "*" else value / self.factor()
        return value
    def factor(self):
        token = self.take()
        if token == "(":
            value = self.expr()
            assert self.take() == ")", "unbalanced"
            return value
        return float(token) if "." in token else int(token)
for text in ("1 + 2 * 3", "( 1 + 2 ) * 3 - 4 / 2", "2 * (3 + 4) * 1.5"):
    print(text, "=", Parser(text).expr())

# --- dijkstra_with_a_heap
import heapq
graph = {"a": {"b": 7, "c": 3}, "b": {"d": 2}, "c": {"b": 1, "d": 8}, "d": {}}
def shortest(start):
    dist, queue, before = {start: 0}, [(0, start)], {}
    while queue:
        d, node = heapq.heappop(queue)
        if d > dist[node]: continue
        for nxt, w in graph[node].items():
            if d + w < dist.get(nxt, float("inf")):
                dist[nxt] = d + w
                before[nxt] = node
                heapq.heappush(queue, (d + w, nxt))
    return dist, before
print(shortest("a"))

# --- levenshtein_distance
from functools import lru_cache
def distance(a, b):
    @lru_cache(None)
    def go(i, j):
        if not i or not j: return i + j
        return min(go(i - 1, j) + 1, go(i, j - 1) + 1, go(i - 1, j - 1) + (a[i - 1] != b[j - 1]))
    return go(len(a), len(b))
print(distance("kitten", "sitting"), distance("", "abc"), distance("flaw", "lawn"))

# --- roman_numerals_both_ways
table = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]
def roman(n):
    out = ""
    for v, s in table:
        q, n = divmod(n, v)
        out += s * q
    return out
def number(s):
    values = dict((k, v) for v, k in table)
    return sum(-values[a] if b and values[a] < values[b] else values[a] for a, b in zip(s, [*s[1:], None]))
print([roman(n) for n in (4, 9, 14, 40, 90, 400, 1994, 2024)], [number(roman(n)) for n in (4, 1994, 3999)])

# --- word_frequencies_and_justified_text
text = "the quick brown fox jumps over the lazy dog the end"
counts = {}
for word in text.split(): counts[word] = counts.get(word, 0) + 1
for w, c in sorted(counts.items(), key=lambda p: (-p[1], p[0]))[:3]:
    print(f"{w:<8}{c:>3}{'#' * c:>5}|")
line, lines = [], []
for word in text.split():
    if sum(map(len, line)) + len(line) + len(word) > 16:
        lines.append(" ".join(line))
        line = []
    line.append(word)
print("\n".join(l.ljust(16) + "|" for l in lines + [" ".join(line)]))

# --- bank_account_with_events
class Account:
    interest = 0.02
    def __init__(self, owner, balance=0):
        self.owner, self._balance, self.history = owner, balance, []
    @property
    def balance(self): return self._balance
    @balance.setter
    def balance(self, v):
        if v < 0: raise ValueError(f"{self.owner} has only {self._balance}")
        self.history.append(v - self._balance)
        self._balance = v
    def __iadd__(self, x):
        self.balance += x
        return self
    def __lt__(self, o): return self.balance < o.balance
    def __str__(self): return f"{self.owner}: {self.balance:.2f}"
class Savings(Account):
    interest = 0.05
    def year(self): self.balance *= 1 + self.interest
a, s = Account("ann", 100), Savings("sue", 50)
a += 25
s.year()
try:
    a.balance -= 500
except ValueError as e:
    print(e)
print(a, s, min(a, s), a.history, s.history)

# --- linked_list_with_slicing
class Node:
    __slots__ = ("value", "next")
    def __init__(self, value, next=None): self.value, self.next = value, next
class Linked:
    def __init__(self, items=()):
        self.head = None
        for x in reversed(list(items)): self.head = Node(x, self.head)
    def __iter__(self):
        n = self.head
        while n:
            yield n.value
            n = n.next
    def __len__(self): return sum(1 for _ in self)
    def __getitem__(self, i):
        if isinstance(i, slice): return Linked(list(self)[i])
        for k, v in enumerate(self):
            if k == i: return v
        raise IndexError(i)
    def __reversed__(self): return iter(list(self)[::-1])
    def __repr__(self): return " -> ".join(map(repr, self)) or "empty"
    def reverse(self):
        prev, n = None, self.head
        while n: n.next, prev, n = prev, n, n.next
        self.head = prev
l = Linked("abcd")
l.reverse()
print(l, len(l), l[1], l[1:3], list(reversed(l)), "a" in l, Linked(), bool(Linked()))

# --- event_system_with_weights_and_closures
handlers = {}
def on(event, *, priority=0):
    def deco(f):
        handlers.setdefault(event, []).append((priority, f))
        handlers[event].sort(key=lambda p: -p[0])
        return f
    return deco
@on("load")
def first(x): return f"first {x}"
@on("load", priority=5)
def urgent(x): return f"urgent {x}"
@on("save")
@on("load", priority=-1)
def last(x): return f"last {x}"
print([f("m") for _, f in handlers["load"]], [f.__name__ for _, f in handlers["save"]])

# --- state_machine_with_match_and_enum
from enum import Enum, auto
class S(Enum):
    IDLE = auto()
    RUN = auto()
    DONE = auto()
def nxt(state, event):
    match (state, event):
        case (S.IDLE, "start"): return S.RUN
        case (S.RUN, {"progress": p}) if p >= 100: return S.DONE
        case (S.RUN, {"progress": _}): return S.RUN
        case (_, "reset"): return S.IDLE
        case (s, e): raise ValueError(f"{e!r} in {s.name}")
s = S.IDLE
for e in ("start", {"progress": 50}, {"progress": 100}, "reset"):
    s = nxt(s, e)
    print(s)
try:
    nxt(S.DONE, "start")
except ValueError as e:
    print(e)

# --- fractions_by_operator_overloading
import math
class Q:
    def __init__(self, a, b=1):
        g = math.gcd(a, b) * (1 if b > 0 else -1)
        self.a, self.b = a // g, b // g
    def _of(x): return x if isinstance(x, Q) else Q(x)
    def __add__(self, o): o = Q._of(o); return Q(self.a * o.b + o.a * self.b, self.b * o.b)
    __radd__ = __add__
    def __mul__(self, o): o = Q._of(o); return Q(self.a * o.a, self.b * o.b)
    __rmul__ = __mul__
    def __neg__(self): return Q(-self.a, self.b)
    def __sub__(self, o): return self + -Q._of(o)
    def __rsub__(self, o): return Q._of(o) - self
    def __truediv__(self, o): o = Q._of(o); return self * Q(o.b, o.a)
    def __eq__(self, o): o = Q._of(o); return (self.a, self.b) == (o.a, o.b)
    def __lt__(self, o): o = Q._of(o); return self.a * o.b < o.a * self.b
    def __hash__(self): return hash((self.a, self.b))
    def __float__(self): return self.a / self.b
    def __repr__(self): return f"{self.a}/{self.b}" if self.b != 1 else str(self.a)
print(Q(1, 2) + Q(1, 3), 1 - Q(1, 4), Q(2, -4), sum([Q(1, 6)] * 3), Q(1, 2) / Q(3), float(Q(1, 8)), sorted([Q(1, 2), Q(1, 3)]), Q(4, 2) == 2, {Q(1, 2): "h"}[Q(2, 4)])
