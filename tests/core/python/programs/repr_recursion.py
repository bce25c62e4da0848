# SPDX-License-Identifier: GPL-3.0-or-later
# repr of containers in containers.

# --- repr_stops_at_itself
l = [1]
l.append(l)
d = {"a": 1}
d["self"] = d
t = (1, [])
t[1].append(t)
print(l, d, t)
a, b = [], {}
a.append(b)
b["a"] = a
print(a, b, [a, a])
l2 = [l, l]
print(l2)

# --- repr_calls_repr_of_the_parts
class A:
    def __init__(self, n): self.n = n
    def __repr__(self): return f"A({self.n!r})"
print([A(1), (A("x"), {A(2): A(3)})], {"k": [A(4)]}, str([A("s")]), f"{[A(5)]}", {A(6)}, (A(7),), A([A(8)]), "%s" % [A(9)])

# --- repr_of_module_like_trees
class Module:
    def __init__(self, **kids): self.__dict__["_kids"] = kids
    def extra_repr(self): return ""
    def __getattr__(self, n):
        if n in self.__dict__["_kids"]: return self.__dict__["_kids"][n]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{n}'")
    def __repr__(self):
        lines = [f"({k}): " + repr(v).replace("\n", "\n  ") for k, v in self._kids.items()]
        body = self.extra_repr()
        if lines: body = "\n  " + "\n  ".join(lines) + "\n"
        return f"{type(self).__name__}({body})"
class Linear(Module):
    def __init__(self, i, o):
        super().__init__()
        self.__dict__.update(i=i, o=o)
    def extra_repr(self): return f"in={self.i}, out={self.o}"
class Net(Module): pass
n = Net(a=Linear(1, 2), b=Net(c=Linear(3, 4), d=Net()))
print(n)
print(n.b.c.o, n.a)
try:
    n.zzz
except AttributeError as e:
    print(e)

# --- repr_recursion_of_what_holds_itself_everywhere
import copy
import json
import pprint
a = [1]
a.append(a)
d = {"d": 1}
d["d"] = d
t = ([],)
t[0].append(t)
class Box:
    def __init__(self):
        self.me = self
        self.items = [self]
class Row(list): pass
r = Row()
r.append(r)
print(a, d, t, len(repr(r)), str(a), f"{d!r}", "%s" % (a,))
for value in (a, d, t, r):
    copied = copy.deepcopy(value)
    inner = copied[1] if value is a else copied["d"] if value is d else copied[0][0] if value is t else copied[0]
    print(type(copied).__name__, copied is not value, inner is copied, copy.copy(value) is not value or value is t)
box = copy.deepcopy(Box())
print(box.me is box, box.items[0] is box)
def attempt(f):
    try:
        print(f())
    except (RecursionError, ValueError) as e:
        print(type(e).__name__)
b = [1]
b.append(b)
e = {"d": 1}
e["d"] = e
attempt(lambda: a == b)
attempt(lambda: a != b)
attempt(lambda: a < b)
attempt(lambda: d == e)
attempt(lambda: a == a)
attempt(lambda: a in [a])
attempt(lambda: json.dumps(a))
print(a.index(a), a.count(1), a[1][1][1] is a, sorted([a, a]) == [a, a])
