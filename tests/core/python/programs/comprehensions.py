# SPDX-License-Identifier: GPL-3.0-or-later
# Comprehensions.

# --- list_comprehension_with_conditions
print([x * y for x in range(4) if x for y in range(3) if y != x], [(i, c) for i, c in enumerate("ab")])
print([[r * 3 + c for c in range(3)] for r in range(2)], [x for row in [[1, 2], [3]] for x in row])
print([a + b for a, b in [(1, 2), (3, 4)]], [first for first, *_ in ["abc", "de"]], [x if x > 1 else -x for x in range(4)])

# --- dict_and_set_comprehensions
d = {k: len(k) for k in ["a", "bb", "ccc"]}
print(d, {v: k for k, v in d.items()}, {x % 3 for x in range(7)}, {k: v for k, v in d.items() if v > 1})
print({(i, j): i * j for i in range(2) for j in range(2)}, {k.upper(): [v] * v for k, v in d.items()}, dict((k, 1) for k in "ab"))

# --- comprehension_variables_are_local
x = "outer"
print([x for x in range(3)], x, {x: x for x in "a"}, x, list(x for x in [9]), x)
y = 5
print([y + z for z in range(2)], [[y for y in range(z)] for z in range(3)], y)

# --- comprehension_order_of_evaluation
def t(x):
    print("t", x)
    return x
print([t(a) + t(b) for a in t([1, 2]) for b in t([10]) if t(a) > 1])
print({t("k"): t("v") for _ in range(1)})

# --- nested_comprehensions_transpose
m = [[1, 2, 3], [4, 5, 6]]
print([[row[i] for row in m] for i in range(3)], [sum(c) for c in zip(*m)], [*zip(*m)], list(map(list, zip(*m))))

# --- comprehensions_in_class_and_function
class A:
    base = [1, 2]
    doubled = [b * 2 for b in base]
    def __init__(self, n): self.layers = [self.make(i) for i in range(n)]
    def make(self, i): return i * 10
    def total(self): return sum(l for l in self.layers if l)
print(A.doubled, A(4).layers, A(4).total())
def f(*xs, k=2): return {x: [x ** i for i in range(k)] for x in xs}
print(f(2, 3, k=3))

# --- comprehension_unpacks_and_stars
pairs = {"a": (1, 2), "b": (3, 4)}
print([k + str(x + y) for k, (x, y) in pairs.items()], [[*v, k] for k, v in pairs.items()], [f(*v) for f, v in zip((max, min), pairs.values())])

# --- comprehension_over_strings_dicts_ranges
print([c.upper() for c in "abc"], [k for k in {"x": 1, "y": 2}], [i for i in range(10, 0, -3)], sorted({c for c in "banana"}), [b for b in b"ab"])
print("".join([c for c in "a1b2" if c.isdigit()]), [line.strip() for line in " a \n b ".split("\n")], [not b for b in (0, 1)])
