# SPDX-License-Identifier: GPL-3.0-or-later
# del, augmented and chained assignment.

# --- augmented_assignment_of_all_operators
a = 10
a += 5; a -= 3; a *= 4; a //= 5; a **= 2; a %= 50; a <<= 2; a >>= 1; a |= 1; a &= 0xff; a ^= 3
print(a)
b = 7.0
b /= 2
print(b)
s, l, t = "a", [1], (1,)
s += "b"; l += (2,); t += (2,); l *= 2; s *= 2
print(s, l, t)

# --- augmented_assignment_evaluates_its_target_once
def idx():
    print("idx")
    return 0
l = [1]
def lst():
    print("lst")
    return l
lst()[idx()] += 5
print(l)
class A: n = 1
a = A()
def get():
    print("get")
    return a
get().n += 1
print(a.n, A.n)
d = {}
d["k"] = d.get("k", 0) + 1
d["k"] -= 5
print(d)

# --- augmented_assignment_on_tuple_item_changes_and_fails
t = ([1], 2)
try:
    t[0] += [9]
except TypeError as e:
    print(e, t)
def f():
    try:
        x += 1
    except UnboundLocalError as e:
        print(e)
f()
try:
    undefined += 1
except NameError as e:
    print(e)

# --- del_of_many_targets
a, b, c = 1, [1, 2, 3, 4], {"k": 1, "z": 2}
class A: x = 1
o = A()
o.y, o.z = 1, 2
del a, b[0], b[1:], c["k"], o.y, (o.z)
print(b, c, o.__dict__, "a" in globals())
del A.x
print(hasattr(o, "x"))
def bad1(): del c["none"]
def bad2(): del b[9]
def bad3(): del o.none
def bad4(): del undefined
for f in (bad1, bad2, bad3, bad4):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)

# --- chained_assignment_goes_left_to_right
def t(name):
    print(name)
    return store
store = {}
t("a")["x"] = t("b")["y"] = [1]
store["x"].append(2)
print(store, store["x"] is store["y"])
i = l = [0, 0]
i[0] = l[1] = 5
print(i, l)

# --- annotated_assignment
x: int = 5
y: "list[int]"
class A:
    a: int
    b: str = "s"
    c = 3
    def __init__(self):
        self.d: float = 1.5
def f():
    z: int = 2
    w: undefined_type_is_not_evaluated
    return z
print(x, __annotations__, A.__annotations__, A().d, f())

# --- augmented_assignment_names_its_own_sign
def exec_power():
    a = 'x'
    a **= 2
def exec_matmul():
    a = 'x'
    a @= 2
class Adds:
    def __add__(self, other):
        return 1 + 'x'
def exec_inner():
    a = Adds()
    a += 1
for work in (exec_power, exec_matmul, exec_inner):
    try:
        work()
    except TypeError as e:
        print(e)
