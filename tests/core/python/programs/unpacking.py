# SPDX-License-Identifier: GPL-3.0-or-later
# Unpacking.

# --- unpacking_with_stars_and_nesting
a, b = 1, 2
a, b = b, a
(c, d), e = [3, 4], 5
f, *g = range(4)
*h, i = "abc"
j, *k, l = 1, 2
[m, [n, *o]] = 1, (2, 3, 4)
print(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o)
*p, = (1, 2)
q = *p, 3
print(p, q, *p, [*q, *"xy"], {**{"a": 1}, "b": 2}, (*q,), {*p})

# --- unpacking_into_attributes_and_items
class A: pass
a, d, l = A(), {}, [0, 0]
a.x, d["k"], l[1] = 1, 2, 3
a.y, (d["z"], *l) = "y", "zqr"
print(a.__dict__, d, l)
x = y = z = []
x.append(1)
print(y, z is x)
i = 0
i, l[i] = 1, "set"
print(i, l)

# --- unpacking_in_loops_and_comprehensions
for i, (a, *b) in enumerate([(1, 2, 3), "xyz"]):
    print(i, a, b)
for k, (lo, hi) in {"a": (1, 2)}.items():
    print(k, lo + hi)
print([x + y for x, y in zip([1, 2], [3, 4])], {k: v for k, *v in ["abc", "de"]})
for x, in [(1,), (2,)]: print(x)

# --- swap_of_list_elements_evaluates_right_first
l = [1, 2, 3]
l[0], l[2] = l[2], l[0]
a, b, c = l
print(l, a, b, c)
def t(x):
    print("t", x)
    return x
[0, 0][t(0)], [0, 0][t(1)] = t(5), t(6)

# --- star_expressions_in_return_and_index
def f(*a):
    return *a, len(a)
def g():
    yield *range(2), 9
print(f(1, 2), next(g()), [*f(), *f(5)], max(*[3, 1], *(2,)), "{} {}".format(*"ab"))
