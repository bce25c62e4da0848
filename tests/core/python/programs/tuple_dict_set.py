# SPDX-License-Identifier: GPL-3.0-or-later
# tuple, dict and set.

# --- tuple_basics
t = (1, "a", [2])
print(t, (), (1,), 1, t[0], t[-1], t[1:], t + (3,), t * 2, len(t), "a" in t, t.index("a"), t.count(1), (1, 2) < (1, 3), (1,) < (1, 0), t == (1, "a", [2]), tuple("ab"), tuple([1]), hash((1, 2)) == hash((1, 2)))
t[2].append(3)
print(t, {(1, 2): "k"}[1, 2], (1, (2, (3,)))[1][1][0], max((1, 5), (2, 0)))
a = 1, 2
a += (3,)
print(a, *a, (*a, 4))

# --- tuple_errors
t = (1, 2)
def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
def setitem(): t[0] = 1
def delitem(): del t[0]
attempt(setitem)
attempt(delitem)
attempt(lambda: t[5])
attempt(lambda: t + [1])
attempt(lambda: t.append(1))
attempt(lambda: hash(([],)))
attempt(lambda: t.index(9))
attempt(lambda: t < 5)
attempt(lambda: t["x"])

# --- dict_keeps_insertion_order
d = {"b": 1, "a": 2}
d["c"] = 3
d["b"] = 10
del d["a"]
d["a"] = 4
print(d, list(d), list(d.values()), list(d.items()), len(d), "a" in d, 1 in d, list(reversed(d)), next(iter(d)))

# --- dict_methods
d = {"a": 1, "b": 2}
print(d.get("a"), d.get("z"), d.get("z", 0), d.setdefault("c", []), d.setdefault("a", 9), d.pop("b"), d.pop("zz", "dflt"), d.popitem(), d)
d.update({"x": 1}, y=2)
d.update([("k", 3), ("x", 5)])
print(d, d.copy() == d, dict.fromkeys("ab", 0), dict.fromkeys([1, 2]), dict(a=1, **{"b": 2}), dict([("q", 1)]), dict({"z": 1}, w=2), d.clear(), d)

# --- dict_views_follow_the_dict
d = {"a": 1, "b": 2}
k, v, i = d.keys(), d.values(), d.items()
d["c"] = 3
print(k, v, i, len(k), "c" in k, 3 in v, ("c", 3) in i, list(k), k == {"a", "b", "c"}, sorted(k & {"a", "z"}), sorted(k | {"z"}), sorted(k - {"a"}), list(reversed(i)), isinstance(k, type(d.keys())))
print([*d], {**d, "a": 9}, max(d, key=d.get), sorted(d, key=lambda x: -d[x]), dict(sorted(d.items(), reverse=True)), {v: k for k, v in d.items()}, dict(zip(d.values(), d)))

# --- dict_merge_operators
a, b = {"x": 1, "y": 2}, {"y": 3, "z": 4}
print(a | b, b | a, a)
a |= b
print(a)
a |= [("q", 0)]
print(a, {**a, **{"x": "new"}}, a == dict(reversed(list(a.items()))), a != b)
try:
    a | [("k", 1)]
except TypeError as e:
    print(e)

# --- dict_keys_of_many_types
d = {1: "int", "1": "str", (1, 2): "tuple", None: "none", True: "bool", 2.0: "float", frozenset([1]): "fs", b"1": "bytes", int: "type"}
print(d[1], d[1.0], d[True], d[2], d[(1, 2)], d[None], d[frozenset([1])], len(d), list(d)[0], d[int])
for bad in ([], {}, set(), [1]):
    try:
        d[bad]
    except TypeError as e:
        print(e)

# --- dict_errors
d = {"a": 1}
def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
def delitem(): del d["zz"]
attempt(delitem)
attempt(lambda: d["zz"])
attempt(lambda: d[1, 2])
attempt(lambda: d.pop("zz"))
attempt(lambda: {}.popitem())
attempt(lambda: d.foo)
attempt(lambda: d + d)
attempt(lambda: d < d)
attempt(lambda: dict(5))
attempt(lambda: dict([(1, 2, 3)]))
attempt(lambda: dict(["ab", "c"]))
attempt(lambda: {**5})
attempt(lambda: d.update(5))
attempt(lambda: d.get())
attempt(lambda: dict(a=1, **{"a": 2}))
attempt(lambda: hash(d))
attempt(lambda: d())
attempt(lambda: d.setdefault([], 1))

# --- dict_nested_and_grouping
cfg = {"model": {"dims": [64, 128], "act": "relu"}, "lr": 1e-3}
cfg["model"]["dims"].append(256)
cfg.setdefault("opt", {})["name"] = "adam"
groups = {}
for w in ["apple", "ant", "bee"]:
    groups.setdefault(w[0], []).append(w)
print(cfg, groups, {k: len(v) for k, v in groups.items()}, cfg["model"].get("x", {}).get("y", "none"))

# --- set_operations
a, b = {1, 2, 3}, {3, 4}
print(a | b, a & b, a - b, a ^ b, a <= {1, 2, 3, 4}, a < a, {1} < a, a >= {1}, a.isdisjoint({9}), 2 in a, len(a), a == {3, 2, 1}, set(), {1, 1, 1.0, True}, set("aab") == {"a", "b"})
print(a.union([7], (8,)), a.intersection([1, 9]), a.difference([1]), a.symmetric_difference([1, 5]), a.issubset(range(9)), a.issuperset([1]), sorted(a | {0}), frozenset([1, 2]) | {3}, {1} | frozenset([2]))

# --- set_changes
s = {1}
s.add(2); s.add(1); s.discard(9); s.update([3, 4], {5}); s.remove(1)
print(s, len(s), s.pop() in (2, 3, 4, 5), s.copy() == s)
s = {1, 2, 3, 4}
s &= {2, 3, 9}; s |= {7}; s -= {2}; s ^= {7, 8}
print(sorted(s))
s.clear()
print(s, bool(s), {frozenset({1}): "fs"}[frozenset([1])], frozenset(), frozenset({1, 2}) == {1, 2}, hash(frozenset([1, 2])) == hash(frozenset([2, 1])))

# --- set_errors
def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
attempt(lambda: {1}.remove(5))
attempt(lambda: set().pop())
attempt(lambda: {[]})
attempt(lambda: {1}.add([]))
attempt(lambda: {1} + {2})
attempt(lambda: {1} | [2])
attempt(lambda: {1}[0])
attempt(lambda: hash({1}))
attempt(lambda: frozenset([1]).add(2))
attempt(lambda: {1} < [1])
attempt(lambda: set(5))
attempt(lambda: [] in {1})

# --- set_and_dict_comprehension_dedupe
words = ["b", "a", "b", "c", "a"]
print(list(dict.fromkeys(words)), sorted(set(words)), {w: words.count(w) for w in words}, len({w for w in words}), sorted({(i, j) for i in range(2) for j in range(2)}))
