# SPDX-License-Identifier: GPL-3.0-or-later
# math and operator.

# --- math_functions
import math
print(math.sqrt(16), math.ceil(1.2), math.floor(-1.2), math.trunc(-1.7), math.pi, math.e, math.inf, math.nan, math.tau, math.pow(2, 3), math.exp(0), math.log(math.e), math.log(8, 2), math.log2(8), math.log10(1000), math.log1p(0))
print(math.sin(0), math.cos(0), round(math.tan(1), 6), math.atan2(1, 1), math.hypot(3, 4), math.degrees(math.pi), math.radians(180), math.fabs(-2), math.factorial(10), math.gcd(12, 18), math.gcd(), math.lcm(4, 6), math.isqrt(17), math.copysign(1, -0.0))
print(math.prod([1, 2, 3, 4]), math.prod([], start=5), math.fsum([0.1] * 10), math.comb(5, 2), math.perm(5, 2), math.isclose(0.1 + 0.2, 0.3), math.isnan(math.nan), math.isinf(-math.inf), math.isfinite(1), math.fmod(-7, 3), math.modf(2.5), math.frexp(8.0), math.ldexp(0.5, 4), math.dist((0, 0), (3, 4)), math.erf(0.0), math.gamma(5), math.remainder(7, 4), math.cbrt(27.0) > 2.99)
print(math.ceil(10**20 + 0.0) == 10**20, math.floor(3), type(math.floor(2.5)).__name__, math.sqrt(2), math.factorial(25), math.tanh(0.5), math.asin(1), math.sinh(1), math.expm1(1e-10), math.exp2(3), math.ulp(1.0), math.nextafter(1.0, 2.0))

# --- math_errors
import math
def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
attempt(lambda: math.sqrt(-1))
attempt(lambda: math.log(0))
attempt(lambda: math.factorial(-1))
attempt(lambda: math.factorial(1.5))
attempt(lambda: math.sqrt("a"))
attempt(lambda: math.floor("a"))
attempt(lambda: math.exp(1000))
attempt(lambda: math.foo)
attempt(lambda: math.sqrt())
attempt(lambda: math.sqrt(1, 2))
attempt(lambda: math.floor(math.inf))
attempt(lambda: math.floor(math.nan))
attempt(lambda: math.gcd(1.5))
attempt(lambda: math.acos(2))
attempt(lambda: math.pow(0, -1))
attempt(lambda: math.fmod(1, 0))
attempt(lambda: math.isqrt(-1))
attempt(lambda: math.comb(-1, 2))

# --- operator_functions
import operator as op
print(op.add(1, 2), op.sub(5, 3), op.mul("a", 3), op.truediv(1, 2), op.floordiv(7, 2), op.mod(7, 3), op.pow(2, 3), op.neg(5), op.pos(-1), op.invert(5), op.abs(-2), op.lshift(1, 3), op.rshift(8, 1), op.and_(6, 3), op.or_(6, 3), op.xor(6, 3))
print(op.eq(1, 1.0), op.ne(1, 2), op.lt(1, 2), op.le(2, 2), op.gt(1, 2), op.ge(2, 2), op.is_(None, None), op.is_not(1, None), op.not_([]), op.truth([0]), op.contains([1], 1), op.getitem({"a": 5}, "a"), op.concat([1], [2]), op.countOf([1, 1], 1), op.indexOf([1, 2], 2), op.index(True), op.length_hint([1, 2]))
l = [1, 2, 3]
op.setitem(l, 0, 9)
op.delitem(l, 1)
print(l, op.iadd([1], [2]), op.imul(3, 4), op.iadd(1, 2), op.isub(5, 1), op.ior({1}, {2}))

# --- operator_getters
from operator import itemgetter, attrgetter, methodcaller
class A:
    def __init__(self, n): self.n, self.b = n, None
    def m(self, x=1, *, k=0): return self.n + x + k
a, b = A(3), A(1)
a.b = b
print(itemgetter(1)("abc"), itemgetter(0, 2)([1, 2, 3]), itemgetter("k")({"k": 5}), attrgetter("n")(a), attrgetter("b.n", "n")(a), methodcaller("m")(a), methodcaller("m", 5, k=2)(a))
print([x.n for x in sorted([a, b], key=attrgetter("n"))], sorted({"x": 2, "y": 1}.items(), key=itemgetter(1)), list(map(methodcaller("upper"), "ab")), itemgetter(slice(1, 3))("abcd"))
try:
    attrgetter("zz")(a)
except AttributeError as e:
    print(e)

# --- operator_names_are_the_same_functions_everywhere
import operator
from operator import add, mul
from functools import reduce
table = {"+": operator.add, "*": operator.mul}
print(table["+"] is add, reduce(mul, [2, 3, 4]), add.__name__, operator.mul, operator.getitem, operator.matmul, callable(operator.truediv), type(add).__name__)
