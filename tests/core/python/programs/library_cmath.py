# --- library_cmath_functions
import cmath
names = "acos acosh asin asinh atan atanh cos cosh exp log log10 sin sinh sqrt tan tanh phase".split()
points = [0j, 1, -1, 1j, -1j, 0.5, -0.5, 0.5 + 0.5j, -2 + 3j, 2 - 3j, 1e-300 + 1e-300j, 3, -3, 1e160 + 1j, -1e160 - 1e160j,
          1e308 + 1e308j, complex(-0.0, 0.0), complex(0.0, -0.0), complex(-0.0, -0.0), complex(-1, -0.0), complex(2, -0.0),
          0.9 + 0.1j, 1.0000001 + 1e-9j, 5e-324j, 709.9 + 1j, 800 + 2j, -30 + 1j, 1 + 1e-160j, True, 12.5 - 1e-3j]
for name in names:
    found = []
    for z in points:
        try:
            found.append(repr(getattr(cmath, name)(z)))
        except (ValueError, OverflowError) as e:
            found.append(f"{type(e).__name__}: {e}")
    print(name, *found)

# --- library_cmath_polar_and_close
import cmath
for z in (1 + 1j, -2, 0, 3j, 1e308 + 1e308j, complex(-0.0, -0.0)):
    try:
        print(cmath.polar(z), cmath.phase(z))
    except OverflowError as e:
        print(e)
print(cmath.rect(2, cmath.pi), cmath.rect(1.5, 0), cmath.rect(-1, 0.5), cmath.rect(0, float("inf")))
print(cmath.log(8, 2), cmath.log(2j, 1 + 1j), cmath.log(100, 10))
print(cmath.isclose(1 + 1j, 1 + 1.0000000001j), cmath.isclose(1, 2), cmath.isclose(1, 1.1, rel_tol=0.2), cmath.isclose(0, 1e-12, abs_tol=1e-9))
print(cmath.isclose(complex("inf"), complex("inf")), cmath.isclose(complex("inf"), 1), cmath.isclose(complex("nan"), complex("nan")))
inf, nan = float("inf"), float("nan")
for z in (1j, complex(inf, 1), complex(1, nan), complex(nan, inf)):
    print(cmath.isfinite(z), cmath.isinf(z), cmath.isnan(z))
print(cmath.pi, cmath.e, cmath.tau, cmath.inf, cmath.nan, cmath.infj, cmath.nanj)
class Number:
    def __complex__(self):
        return 4 + 0j
class Real:
    def __float__(self):
        return 9.0
print(cmath.sqrt(Number()), cmath.sqrt(Real()))
for bad in ("a", None, [1]):
    try:
        cmath.sqrt(bad)
    except TypeError as e:
        print(e)
for f in (lambda: cmath.log(0), lambda: cmath.isclose(1, 2, rel_tol=-1), lambda: cmath.rect(1, inf), lambda: cmath.exp(complex(1, inf)), lambda: cmath.atanh(1)):
    try:
        print(f())
    except ValueError as e:
        print(e)

# --- library_cmath_of_infinities
import cmath
inf, nan = float("inf"), float("nan")
for name in ("exp", "sqrt", "log", "cosh", "sinh", "sin", "cos", "acos", "asinh"):
    print(name, *(repr(getattr(cmath, name)(z)) for z in (complex(inf, 1), complex(-inf, 1), complex(-inf, 0)) if name not in ("sin", "cos")))
print(cmath.exp(complex(-inf, inf)), cmath.sqrt(complex(nan, inf)), cmath.exp(complex(inf, 0)), cmath.tanh(complex(inf, 1)))

# --- library_cmath_of_special_values
import cmath
inf, nan = float("inf"), float("nan")
values = [-inf, -1e308, -800.0, -2.0, -1e-320, -0.0, 0.0, 1e-320, 2.0, 800.0, 1e308, inf, nan]
def shown(call, *given):
    try:
        found = call(*given)
        return f"{found.real!r}|{found.imag!r}"
    except (ValueError, OverflowError) as e:
        return str(e)
for name in "acos acosh asin asinh atan atanh cos cosh exp log log10 sin sinh sqrt tan tanh phase".split():
    for x in values:
        print(name, x, *(shown(getattr(cmath, name), complex(x, y)) for y in values))
for x in values:
    print("rect", x, *(shown(cmath.rect, x, y) for y in values))

# --- library_cmath_of_many_numbers
import cmath
import random
r = random.Random(1)
numbers = [complex(r.gauss(0, size), r.gauss(0, size)) for size in (1e-3, 0.5, 1, 10, 100) for _ in range(100)]
for name in "acos acosh asin asinh atan atanh cos cosh exp log log10 sin sinh sqrt tan tanh polar".split():
    print(name, *(getattr(cmath, name)(z) for z in numbers))
