# SPDX-License-Identifier: GPL-3.0-or-later
# Corners of the language.

# --- unicode_names_and_texts
größe = 3
def длина(x): return len(x)
print(größe, длина("日本"), "ñ".upper(), "İ".lower() == "i̇", sorted("éa"), "\u0041", "a\u0301" == "á", len("a\u0301"))

# --- numbers_in_all_spellings
print(1_0.0_1, 1e3, .5, 5., 0XFF, 0B1, 0O7, 1E-2, 1J, 1_000j, 00, 0.0, 1e+2, 0xDEAD_BEEF)

# --- operator_precedence
print(2 + 3 * 4 ** 2 // 5 % 3, -2 ** 2, (-2) ** 2, 2 ** -1, not 1 == 2, 1 + 2 < 4 and 3, 1 | 2 ^ 3 & 4, 1 << 2 + 1, ~1 + 2, -3 // 2, 2 ** 3 ** 2, 1 if 0 else 2 if 0 else 3)
print(5 - 3 - 1, 2 * 3 % 4, 8 / 2 / 2, not True or True, 1 < 2 == True, 3 & 1 == 1, "a" + "b" * 2, -1 ** 0, +-+1, not not [])

# --- ternary_and_boolean_short_circuits_do_not_evaluate
def boom(): raise RuntimeError("evaluated")
print(1 or boom(), 0 and boom(), "x" if True else boom(), False or None, [] or {} or 0, any([1, 2]))

# --- comparison_chains_with_in_and_is
a = [1, 2]
print(1 in a in [a], a is a is not None, 1 < 2 < 3 < 4, 1 < 3 > 2, not 1 < 2 < 2, 5 not in a == [1, 2], None is None is None, 0 == False is not None)

# --- global_counters_and_default_dict_of_functions
counts = {}
def count(f):
    def w(*a):
        counts[f.__name__] = counts.get(f.__name__, 0) + 1
        return f(*a)
    return w
@count
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(10), counts)

# --- nested_data_with_mixed_access
data = {"users": [{"name": "a", "tags": ("x", "y")}, {"name": "b", "tags": ()}]}
data["users"][0]["age"] = 5
data["users"].append({**data["users"][1], "name": "c"})
names = [u["name"] + (u["tags"][0] if u["tags"] else "-") for u in data["users"]]
first, *_, last = data["users"]
print(names, first["tags"][-1], last, len(data["users"][0]), {u["name"]: u.get("age") for u in data["users"]})

# --- string_building_in_many_ways
n, x = 3, 2.5
print("%d/%s" % (n, x), "{}/{}".format(n, x), f"{n}/{x}", str(n) + "/" + str(x), "/".join([str(n), str(x)]), "%(n)d/%(x).1f" % {"n": n, "x": x}, "{n}/{x}".format(**{"n": n, "x": x}), "a" "b" f"{n}" "c")

# --- instance_dict_tricks
class Bunch(dict):
    __getattr__ = dict.get
    __setattr__ = dict.__setitem__
    __delattr__ = dict.__delitem__
b = Bunch(x=1)
b.y = 2
del b.x
print(b, b.y, b.zzz, "y" in b)
class Same:
    def __init__(self, **kw): self.__dict__ = kw
s = Same(a=1)
s.b = 2
print(s.__dict__, s.a)

# --- callable_class_attributes_become_methods
class A:
    f = lambda self, x: (type(self).__name__, x)
    g = len
    h = staticmethod(lambda x: x)
    k = max
a = A()
print(a.f(1), a.g([1, 2]), a.h(3), a.k(1, 5))

# --- exceptions_as_control_flow
class Found(Exception): pass
def search(grid, want):
    try:
        for i, row in enumerate(grid):
            for j, v in enumerate(row):
                if v == want: raise Found((i, j))
    except Found as f:
        return f.args[0]
    else:
        return None
print(search([[1, 2], [3, 4]], 3), search([], 1))

# --- generator_based_coroutines
def printer():
    total = 0
    while True:
        item = yield total
        if item is None: return total
        total += item
def run(co, items):
    next(co)
    try:
        for x in [*items, None]: got = co.send(x)
    except StopIteration as stop:
        return got, stop.value
print(run(printer(), [1, 2, 3]))

# --- class_with_every_kind_of_method
class K:
    count = 0
    def __init__(self): type(self).count += 1
    def a(self): return "a", self.count
    @classmethod
    def b(cls): return "b", cls.count
    @staticmethod
    def c(): return "c"
    @property
    def d(self): return "d"
    def __call__(self): return "call"
    def __getitem__(self, k): return k
    def __contains__(self, k): return k == 1
    def __len__(self): return 4
    def __iter__(self): return iter([1])
    e = "e"
k = K()
print(k.a(), K.b(), k.c(), k.d, k(), k[2], 1 in k, len(k), list(k), k.e, K().count)

# --- sorting_stability_and_complex_keys
rows = [("b", 2), ("a", 2), ("c", 1), ("a", 1)]
print(sorted(rows), sorted(rows, key=lambda r: r[1]), sorted(rows, key=lambda r: (-r[1], r[0])), sorted(sorted(rows, key=lambda r: r[0]), key=lambda r: r[1], reverse=True))
print(sorted(["b10", "b2", "a1"], key=lambda s: (s[0], int(s[1:]))), sorted([0.5, 1, True, 0]), sorted([(1, [2]), (1, [1])]), max(rows, key=lambda r: (r[1], r[0])))

# --- numeric_edge_cases_in_one_place
print(0.1 + 0.2, 1e16 + 1, -7 // 2, -7 % 3, 7 // -2.0, 2 ** 62 * 4, int(-0.9), round(-0.5), 5 % -3, -5 % 3, 1e308 * 10 == float("inf"), 10 ** 18 * 10 ** 18, (2 ** 64) // 3, divmod(-7, 2), abs(-0.0), 3 // 0.5)

# --- string_multiplication_tables
for i in range(1, 4):
    print(*(f"{i * j:>3}" for j in range(1, 6)), sep="")
print("-" * 15, "=" * 0 + "|", sep="")

# --- mutable_arguments_through_layers
def extend(l, *, by=()):
    l += by
    return l
def outer(l=None, **kw):
    l = [] if l is None else l
    return extend(l, **kw)
base = [1]
print(outer(by=[2]), outer(base, by=(3,)), base, outer())

# --- del_inside_loops_and_slices
d = {i: i * i for i in range(5)}
for k in [k for k in d if k % 2]: del d[k]
l = list(range(10))
del l[::2], l[0]
print(d, l)

# --- lambda_recursion_and_immediate_calls
fact = lambda n: 1 if n == 0 else n * fact(n - 1)
Y = lambda f: (lambda x: x(x))(lambda y: f(lambda *a: y(y)(*a)))
print(fact(6), Y(lambda f: lambda n: 1 if n < 2 else n * f(n - 1))(5), (lambda *a, **k: (len(a), sorted(k)))(1, 2, z=1, b=2))
