# SPDX-License-Identifier: GPL-3.0-or-later
# Special methods.

# --- arithmetic_dunders_and_reflected
class V:
    def __init__(self, *c): self.c = c
    def __repr__(self): return f"V{self.c}"
    def __add__(self, o): return V(*(a + b for a, b in zip(self.c, o.c))) if isinstance(o, V) else NotImplemented
    def __mul__(self, k): return V(*(a * k for a in self.c))
    __rmul__ = __mul__
    def __neg__(self): return self * -1
    def __sub__(self, o): return self + -o
    def __matmul__(self, o): return sum(a * b for a, b in zip(self.c, o.c))
    def __truediv__(self, k): return V(*(a / k for a in self.c))
    def __floordiv__(self, k): return V(*(a // k for a in self.c))
    def __mod__(self, k): return V(*(a % k for a in self.c))
    def __pow__(self, k, m=None): return V(*(pow(a, k, m) for a in self.c))
    def __rsub__(self, o): return f"{o}-V"
    def __rtruediv__(self, o): return f"{o}/V"
    def __abs__(self): return sum(a * a for a in self.c) ** 0.5
    def __pos__(self): return self
    def __invert__(self): return "inv"
    def __divmod__(self, k): return self // k, self % k
a, b = V(1, 2), V(3, 4)
print(a + b, a * 2, 3 * a, -a, a - b, a @ b, b / 2, b // 2, b % 2, a ** 3, pow(b, 2, 5), abs(b), +a, ~a, 5 - a, 1 / a, divmod(b, 2))
try:
    a + 1
except TypeError as e:
    print(e)

# --- reflected_method_of_a_subclass_goes_first
class A:
    def __add__(self, o): return "A.add"
    def __radd__(self, o): return "A.radd"
class B(A):
    def __radd__(self, o): return "B.radd"
class C(A): pass
print(A() + B(), A() + C(), A() + A(), 1 + A(), B() + A())

# --- augmented_assignment_falls_back_to_add
class A:
    def __init__(self, v): self.v = v
    def __add__(self, o): return A(self.v + [o])
class B(A):
    def __iadd__(self, o):
        self.v.append(o)
        return self
a = A([1])
a2 = a
a += 2
b = B([1])
b2 = b
b += 2
print(a.v, a2.v, b.v, b2.v, b is b2, a is a2)
class C:
    def __isub__(self, o): return "isub"
    def __ior__(self, o): return "ior"
    def __imatmul__(self, o): return "imatmul"
    def __ilshift__(self, o): return "ilshift"
c = C(); c -= 1
d = C(); d |= 1
e = C(); e @= 1
f = C(); f <<= 1
print(c, d, e, f)

# --- comparison_dunders
class N:
    def __init__(self, n): self.n = n
    def __eq__(self, o): return isinstance(o, N) and self.n == o.n
    def __lt__(self, o): return self.n < o.n
    def __le__(self, o): return self.n <= o.n
    def __hash__(self): return hash(self.n)
    def __repr__(self): return f"N{self.n}"
print(N(1) == N(1), N(1) != N(2), N(1) < N(2), N(2) > N(1), N(1) >= N(1), sorted([N(3), N(1)]), min(N(5), N(2)), N(1) in [N(1)])
print({N(1): "x"}[N(1)], len({N(1), N(1)}), [N(1), N(2)].index(N(2)), (N(1), N(2)) < (N(1), N(3)), [N(4)] == [N(4)], max([N(1), N(7)]))
try:
    N(1) > 5
except TypeError as e:
    print(e)

# --- eq_without_hash_makes_unhashable
class A:
    def __eq__(self, o): return True
try:
    {A(): 1}
except TypeError as e:
    print(e)
print(A.__hash__, A() == 5, 5 == A(), A() != 5, A() in [1])

# --- comparison_results_need_not_be_bool
class A:
    def __eq__(self, o): return ["eq", o]
    def __lt__(self, o): return "lt"
    def __bool__(self): return False
print(A() == 3, A() < 3, A() != 3, 3 > A(), not A(), A() == 1 or "no")

# --- notimplemented_falls_back_to_identity_or_error
class A:
    def __eq__(self, o): return NotImplemented
    def __lt__(self, o): return NotImplemented
a = A()
print(a == a, a == A(), a != A())
try:
    a < a
except TypeError as e:
    print(e)

# --- container_dunders
class Grid:
    def __init__(self): self.d = {}
    def __getitem__(self, k):
        print("get", k)
        return self.d.get(k, 0)
    def __setitem__(self, k, v):
        print("set", k, v)
        self.d[k] = v
    def __delitem__(self, k):
        print("del", k)
        del self.d[k]
    def __contains__(self, k): return k in self.d
    def __len__(self): return len(self.d)
    def __iter__(self): return iter(sorted(self.d))
    def __reversed__(self): return "rev"
g = Grid()
g[1, 2] = 5
g[1, 2] += 1
g[0] = "z"
print(g[1, 2], (1, 2) in g, 7 in g, len(g), bool(g))
del g[1, 2]
print(list(g), reversed(g))

# --- getitem_alone_makes_iterable
class A:
    def __getitem__(self, i):
        if i > 3: raise IndexError
        return i * i
print(list(A()), 9 in A(), 5 in A(), [x for x in A()], max(A()), tuple(A()), dict(enumerate(A())))
a, *b = A()
print(a, b)

# --- iterator_protocol_of_a_class
class Count:
    def __init__(self, n): self.n, self.i = n, 0
    def __iter__(self): return self
    def __next__(self):
        if self.i >= self.n: raise StopIteration
        self.i += 1
        return self.i
c = Count(3)
print(list(c), list(c), sum(Count(4)), next(Count(1)), next(Count(0), "none"))
for a in Count(2):
    for b in Count(2):
        print(a, b, end=";")
print()

# --- call_dunder_makes_instances_callable
class Linear:
    def __init__(self, w, b=0): self.w, self.b = w, b
    def __call__(self, x, *, scale=1): return (self.w * x + self.b) * scale
layers = [Linear(2), Linear(3, 1)]
x = 1
for l in layers: x = l(x)
print(x, Linear(1)(5, scale=10), callable(Linear(1)), callable(Linear), list(map(Linear(2), [1, 2])))

# --- bool_and_len_decide_truth
class A:
    def __len__(self): return 0
class B(A):
    def __bool__(self): return True
class C: pass
print(bool(A()), bool(B()), bool(C()), not A(), 1 if A() else 2, A() or "empty")
class D:
    def __bool__(self): return 1
try:
    bool(D())
except TypeError as e:
    print(e)
class E:
    def __len__(self): return -1
try:
    len(E())
except ValueError as e:
    print(e)

# --- repr_str_and_format_dunders
class A:
    def __repr__(self): return "R"
class B(A):
    def __str__(self): return "S"
    def __format__(self, spec): return f"F<{spec}>"
print(A(), str(A()), [A()], f"{A()}", f"{A()!r}", "%s %r" % (A(), A()), "{}".format(A()))
print(B(), repr(B()), [B(), {B(): B()}], f"{B()}", f"{B():>5}", f"{B()!s:>5}", "{0:x}{0!r}".format(B()), "%s" % B(), str([B()]))
try:
    f"{A():>5}"
except TypeError as e:
    print(e)

# --- conversion_dunders
class A:
    def __int__(self): return 7
    def __float__(self): return 2.5
    def __complex__(self): return 1j
    def __index__(self): return 3
    def __round__(self, n=None): return ("round", n)
    def __trunc__(self): return "t"
    def __floor__(self): return "fl"
    def __ceil__(self): return "ce"
    def __bytes__(self): return b"by"
import math
a = A()
print(int(a), float(a), complex(a), [0, 1, 2, 9][a], range(a), hex(a), "ab" * a, round(a), round(a, 2), math.floor(a), math.ceil(a), math.trunc(a), bytes(a))
print([5] * a, list(range(10))[a:], math.sqrt(a), "%d" % a)

# --- hash_dunder_must_be_an_int
class A:
    def __hash__(self): return "x"
try:
    hash(A())
except TypeError as e:
    print(e)
class B:
    def __repr__(self): return 3
try:
    repr(B())
except TypeError as e:
    print(e)
class C:
    def __iter__(self): return 3
try:
    list(C())
except TypeError as e:
    print(e)

# --- contains_falls_back_to_iteration
class A:
    def __iter__(self):
        print("iterating")
        yield from (1, 2)
print(2 in A(), 3 not in A())

# --- enter_and_exit_dunders_are_looked_up_on_the_type
class A:
    def __enter__(self): return "entered"
    def __exit__(self, *a): print("exit", a[0])
with A() as x:
    print(x)
class B:
    pass
b = B()
b.__enter__ = lambda: 1
try:
    with b: pass
except TypeError as e:
    print(e)

# --- bitwise_and_shift_dunders
class F:
    def __init__(self, s): self.s = s
    def __and__(self, o): return f"{self.s}&{o.s}"
    def __or__(self, o): return f"{self.s}|{o.s}"
    def __xor__(self, o): return f"{self.s}^{o.s}"
    def __lshift__(self, n): return f"{self.s}<<{n}"
    def __rshift__(self, n): return f"{self.s}>>{n}"
    def __rrshift__(self, n): return f"{n}>>>{self.s}"
    def __ror__(self, n): return f"{n}||{self.s}"
a, b = F("a"), F("b")
print(a & b, a | b, a ^ b, a << 2, a >> 3, 4 >> a, 5 | a)

# --- length_hint_and_reversed_protocols
class A:
    def __len__(self): return 3
    def __getitem__(self, i):
        if i >= 3: raise IndexError(i)
        return "abc"[i]
print(list(reversed(A())), list(A()), sorted(A(), reverse=True), "".join(A()), list(zip(A(), range(5))), A()[0])

# --- attribute_of_functions_in_class_is_not_dunder_magic
class Meta(type):
    def __repr__(cls): return f"<class {cls.__name__} by Meta>"
    def __eq__(cls, o): return True
    def __hash__(cls): return 1
class A(metaclass=Meta):
    def __repr__(self): return "inst"
print(A, A(), A == 3, [A])

# --- missing_dunder_errors_name_the_operator
class A: pass
def attempt(f):
    try:
        f()
    except TypeError as e:
        print(e)
for f in (lambda: A() + A(), lambda: 1 - A(), lambda: A() * "s", lambda: A() @ A(), lambda: A() ** 2, lambda: A() // 1, lambda: A() % 1,
          lambda: A() & 1, lambda: A() << 1, lambda: ~A(), lambda: +A(), lambda: abs(A()), lambda: A() <= 1, lambda: A()(),
          lambda: A()["k"], lambda: 1 in A(), lambda: divmod(A(), 1), lambda: round(A()), lambda: int(A()), lambda: float(A()),
          lambda: [][A()], lambda: reversed(A()), lambda: next(A())):
    attempt(f)
def iadd():
    a = A()
    a += 1
def setitem():
    A()[0] = 1
def delitem():
    del A()[0]
for f in (iadd, setitem, delitem):
    attempt(f)
