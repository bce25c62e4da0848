# SPDX-License-Identifier: GPL-3.0-or-later
# The order of sets of numbers is that of CPython's hash table.

# --- order_of_displays
for s in ({3, 1, 2}, {10, 5, 1000}, {1.5, 2, -1}, {(1, 2), (3, 4), (0, 0)}, {-1, -2, -3, 100, 200, 300, 8, 16, 24}):
    print(s, list(s), frozenset(s), s | {7}, s - {1}, s ^ {1, 55}, s & {1, 2, 3, (1, 2)}, sorted(map(str, s)))
a = set(range(0, 100, 7))
print({*a, 3, *[1, 2]}, {True, 0, 5}, {1.0, 1, 2.5, 1e10, -0.5}, {2**70, 5, -2**65})
print([x for x in {9, 5, 300, 2}], [y for y in {64, 32, 128, 0, 16, 8, 7}], {x * 1000003 for x in range(12)})
for x in {20, 10, 40, 30, 50, 60, 70}:
    print(x, end=" ")
print({(i, j) for i in range(4) for j in range(4)}, {complex(i, 1) for i in range(5)}, {frozenset({i}) for i in range(5)})

# --- order_after_changes
s = set()
for i in [5, 17, 33, 100, 64, 3, 9, 99, 1024, 7]:
    s.add(i)
    print(s)
for i in [100, 3, 64, 5]:
    s.discard(i)
    print(s, len(s))
s.add(11)
s.update([77, 13, 21])
print(s)
s.update(range(40, 60))
print(s)
s.difference_update(range(40, 58))
print(s)
s &= {7, 9, 58, 59, 1024}
print(s, s.pop(), s.pop(), s)
s.clear()
s.add(3)
print(s)

# --- order_of_results
a, b = set(range(0, 100, 7)), set(range(0, 100, 5))
print(a, b, a | b, b | a, a & b, b & a, a - b, b - a, a ^ b, b ^ a)
print(a.union(b, [1001, 2002]), a.intersection([35, 0, 70]), a.difference([0, 7]), a.symmetric_difference([0, 1, 2]))
c = a.copy()
c |= b
print(c)
c -= a
print(c)
c ^= {5, 6, 7}
print(c)
d = {8: 1, 1: 2, 16: 3, 300: 1}
print(set(d), d.keys() & {1, 300, 8}, d.keys() - {8}, d.keys() | {2, 9}, d.keys() ^ {8, 99}, set(d.items()))

# --- order_after_many_steps
def numbers(x=12345):
    while True:
        x = (x * 1103515245 + 12345) % 2**31
        yield x >> 8
g = numbers()
sets = [set() for _ in range(4)]
for step in range(1500):
    op = next(g) % 16
    a, i, b = sets[next(g) % 4], next(g) % 4, sets[next(g) % 4]
    n = next(g) % [10, 100, 1000, 100000][next(g) % 4]
    if op < 4: a.add(n)
    elif op == 4: a.discard(n)
    elif op == 5 and a: a.pop()
    elif op == 6: sets[i] = a | b
    elif op == 7: sets[i] = a & b
    elif op == 8: sets[i] = a - b
    elif op == 9: sets[i] = a ^ b
    elif op == 10: a |= b
    elif op == 11: a -= b
    elif op == 12: a ^= set([n, n + 1])
    elif op == 13: a.update(range(n % 50, n % 50 + n % 20))
    elif op == 14: sets[i] = set(sorted(a, reverse=True))
    elif op == 15: a.difference_update(list(b)[:3])
    if step % 50 == 0:
        print(step, [list(s)[:12] for s in sets], [hash(frozenset(s)) for s in sets])

# --- hashes_of_numbers
print(hash((1, 2, 3)), hash(1.5), hash(frozenset({1, 2, 3})), hash(3 + 4j), hash(-1), hash(2**61), hash(()), hash((1.0, (2, -1))), hash(True), hash(frozenset()), hash(2**61 - 1), hash(-2.5e300), hash(2**200))
class Point:
    def __init__(self, x): self.x = x
    def __hash__(self): return hash((self.x,))
print(hash(Point(1)) == hash((1,)), hash(Point(2)))

# --- subclass_of_set_is_named
class S(set):
    def add(self, x): super().add(x * 2)
class F(frozenset): pass
q = S([50, 3, 9])
q.add(40)
print(q, str(q), S(), F(), F([1]), [q], q | {1}, type(q | {1}))
