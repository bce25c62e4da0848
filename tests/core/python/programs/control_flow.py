# SPDX-License-Identifier: GPL-3.0-or-later
# if, while, for, try in their turns.

# --- for_else_runs_without_break
for n in range(2, 12):
    for d in range(2, n):
        if n % d == 0:
            break
    else:
        print(n, end=" ")
print()
for x in []:
    pass
else:
    print("empty else")

# --- while_else_and_continue
i = 0
while i < 5:
    i += 1
    if i == 2: continue
    if i == 4: break
    print(i)
else:
    print("never")
while i < 6: i += 1
else: print("else", i)

# --- if_elif_else_with_truth_of_values
def kind(x):
    if not x: return "empty"
    elif isinstance(x, str) and len(x) > 2: return "long text"
    elif x is True or x == 1: return "one"
    else: return "other"
print([kind(v) for v in (0, "", [], None, "abc", "a", 1, True, 1.0, {}, (), [0], 0.0, 0j, b"", set(), range(0))])

# --- and_or_give_operands
print(0 or "x", "" or None, 1 and 2, 0 and 1, None or 0 or [], [] and 1, 1 and 2 and 3, not [], not 1)
def t(x):
    print("t", x)
    return x
print(t(0) or t(2) or t(3), t(1) and t(0) and t(5))

# --- conditional_expressions_nest
for x in (1, 5, 9):
    print("low" if x < 3 else "mid" if x < 7 else "high", (x if x % 2 else -x) + 1)

# --- walrus_binds_in_expressions
data = [1, 5, 2, 8]
if (n := len(data)) > 3:
    print("n", n)
print([y for x in data if (y := x * 2) > 4], y)
it = iter(data)
while (v := next(it, None)) is not None:
    print(v, end=" ")
print(v)
def f():
    total = 0
    rows = [total := total + x for x in data]
    return rows, total
print(f(), (a := 3) + a)

# --- chained_comparison_evaluates_middle_once
def t(x):
    print("t", x)
    return x
print(t(1) < t(2) < t(3), t(5) < t(2) < t(3))
print(1 < 2 > 1 == 1, 1 == 1.0 is not None, 1 < 3 < 2, "a" < "b" <= "b" != "c", 3 in [3] == [3])

# --- return_inside_loops_and_finally
def f(xs):
    for x in xs:
        try:
            if x == 2: return "two"
            if x == 3: continue
            if x == 4: break
        finally:
            print("fin", x)
    return "end"
print(f([1, 2, 3]), f([3, 4, 5]))
def g():
    try:
        return "try"
    finally:
        return "finally"
def h():
    for i in range(2):
        try:
            continue
        finally:
            print("h", i)
    while True:
        try:
            break
        finally:
            print("out")
print(g(), h())

# --- pass_and_ellipsis_do_nothing
class A: ...
def f(): ...
if True: pass
for _ in range(2): ...
print(f(), A.__name__, ..., Ellipsis is ...)

# --- loop_over_changing_list
l = [1, 2, 3]
for x in l:
    if x < 3: l.append(x + 10)
    if len(l) > 6: break
print(l)
d = {"a": 1, "b": 2}
try:
    for k in d: d[k + "x"] = 1
except RuntimeError as e:
    print(e)
for k in list(d): del d[k]
print(d)
s = {1, 2}
try:
    for v in s: s.add(v + 100)
except RuntimeError as e:
    print(e)

# --- assert_checks_and_speaks
assert True, "never"
try:
    assert 1 == 2, f"one is {1}"
except AssertionError as e:
    print(repr(e), e)
try:
    assert []
except AssertionError as e:
    print(repr(e), str(e) == "")

# --- semicolons_and_line_continuation
a = 1; b = 2; print(a, b)
c = a + \
    b
d = (a +
     b)
if a: e = 5
print(c, d, e, \
      "z")
x = """multi
line"""
print(x)
