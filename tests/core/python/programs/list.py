# SPDX-License-Identifier: GPL-3.0-or-later
# list.

# --- list_methods
l = [3, 1, 2]
l.append(5)
l.extend((4, 6))
l.insert(1, 9)
l.insert(100, "end")
l.insert(-100, "start")
print(l, l.index(9), l.count(1), l.pop(), l.pop(0), l.pop(1), l)
l.remove(5)
l.reverse()
print(l, l.copy() == l, l.sort(), l, l.clear(), l)

# --- list_slices_assign_and_delete
l = list(range(8))
l[1:3] = ["a", "b", "c"]
print(l)
l[::3] = [0, 0, 0]
print(l)
del l[-2:]
del l[::2]
l[len(l):] = [7]
l[0:0] = [1, 2]
l[1:1] = "xy"
print(l)
l[:] = []
print(l)
try:
    l2 = [1, 2, 3, 4]
    l2[::2] = [1]
except ValueError as e:
    print(e)
try:
    l2[0:1] = 5
except TypeError as e:
    print(e)

# --- list_operators
a = [1, 2]
print(a + [3], a * 2, 3 * a, a == [1, 2], a < [1, 3], [1] < [1, 0], [] < [0], 2 in a, [2] in a, a != [1], [1, [2]] == [1, [2]], [0] * 0, a is a, not [])
b = a
a += [5]
a *= 2
print(a, b, a is b)
b = b + [6]
print(len(a), len(b))
a += "xy"
print(a)

# --- list_sorting
l = ["banana", "Apple", "cherry"]
print(sorted(l), sorted(l, key=str.lower), sorted(l, key=len, reverse=True), sorted([3, 1, 2], reverse=True), sorted("cab"), sorted({3: 1, 1: 2}), sorted([(1, "b"), (1, "a"), (0, "z")]))
l.sort(key=lambda s: s[-1])
print(l, sorted([True, 0, 2.5, -1]), sorted([[2], [1, 5], [1]]))
people = [("a", 3), ("b", 1), ("c", 3), ("d", 1)]
print(sorted(people, key=lambda p: p[1]), sorted(people, key=lambda p: p[1], reverse=True), sorted(people, key=lambda p: (-p[1], p[0])))
try:
    [1, "a"].sort()
except TypeError as e:
    print(e)

# --- list_aliasing_and_nesting
rows = [[0] * 2] * 2
rows[0][0] = 1
good = [[0] * 2 for _ in range(2)]
good[0][0] = 1
print(rows, good)
l = [1, 2, 3]
l[1], l[0] = l[0], l[1]
i = 0
i, l[i] = 2, "x"
print(l, [*l, *[4]], [l, l][0] is l)

# --- list_indices_and_errors
l = [1, 2, 3]
def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
attempt(lambda: l[3])
attempt(lambda: l[-4])
attempt(lambda: l["0"])
attempt(lambda: l[1.0])
attempt(lambda: l.pop(9))
attempt(lambda: [].pop())
attempt(lambda: l.remove(9))
attempt(lambda: l.index(9))
attempt(lambda: l + (1,))
attempt(lambda: l * l)
attempt(lambda: l - [1])
attempt(lambda: l.append())
attempt(lambda: l.append(1, 2))
attempt(lambda: l.foo)
attempt(lambda: l(0))
attempt(lambda: hash(l))
attempt(lambda: l < 3)
attempt(lambda: l.insert("a", 1))
attempt(lambda: l.__setitem__(5, 0))
attempt(lambda: list(1, 2))
attempt(lambda: l.sort(1))
attempt(lambda: l.sort(foo=1))
attempt(lambda: l.index(3, 0, 2))

# --- list_as_stack_and_queue
s = []
for c in "(a(b)c)":
    if c == "(": s.append(c)
    elif c == ")": print(s.pop(), len(s), end=" ")
q = [1]
while q:
    n = q.pop(0)
    if n < 5: q += [n * 2, n * 3]
    print(n, end=",")
print()

# --- list_constructor_and_iteration
print(list(), list("ab"), list((1, 2)), list({1: 2}), list(range(3)), list(map(abs, [-1])), list(zip("ab", [1, 2])), list({5}), list(enumerate("a")), [i for i in reversed([1, 2])], list(filter(None, [0, 1, "", "x"])))
a, b = [[]] * 2
a.append(1)
print(b, len([[], []]), any([[]]), all([[]]), max([[1], [2]]), sum([[1], [2]], []))
