# SPDX-License-Identifier: GPL-3.0-or-later
# float and complex.

# --- float_repr_is_shortest
for x in (0.1, 1.0, 1e16, 1e15, 123456789012345680.0, 1e-5, 0.0001, 1e-4, 1.5e300, 5e-324, 1.7976931348623157e308, 0.1 + 0.2, 1 / 3, 100.0, -0.0, 2.5e-8, 1e22, 1e21, 123.456, 3.0e0):
    print(x, repr(x), str(x) == repr(x))

# --- float_arithmetic
print(7.5 // 2, -7.5 // 2, 7.5 % 2, -7.5 % 2, 7.5 % -2, divmod(7.5, 2), 2.0 ** 0.5, 2 ** -2, 1e308 * 10, -1e308 * 10, 0.1 * 3, 1.0 - 0.9, 5.0 // 0.1, 3.0 == 3, 0.1 + 0.2 == 0.3, -0.0 == 0.0)
for bad in (lambda: 1.0 / 0, lambda: 1.0 // 0, lambda: 1.0 % 0, lambda: 0.0 ** -1, lambda: 10.0 ** 400, lambda: divmod(1.0, 0.0)):
    try:
        bad()
    except ArithmeticError as e:
        print(type(e).__name__, e)

# --- float_nan_and_inf
nan, inf = float("nan"), float("-Infinity")
print(nan, inf, nan == nan, nan != nan, nan < 1, nan in [nan], [nan] == [nan], inf < -1e308, inf + 1, inf - inf, inf * 0, -inf, abs(inf), min(1, nan), max(nan, 1), sorted([3, inf, 1]), float("1e400"), 1e400)

# --- float_rounding
print(round(2.5), round(3.5), round(-2.5), round(2.675, 2), round(1.005, 2), round(1234.567, -2), round(0.5), round(1.5), round(2.567, 1), type(round(2.0)).__name__, type(round(2.0, 0)).__name__, round(1e20), round(-0.4), round(5.015, 2))

# --- float_methods_and_parsing
print((2.5).is_integer(), (2.0).is_integer(), (0.5).as_integer_ratio(), (255.5).hex(), float.fromhex("0x1p-2"), float("  1.5e3 "), float("1_0.5"), float("-.5"), float(), float(True), (1.5).real, (1.5).conjugate(), float("+5"), float(".5e1"))

# --- float_conversions_and_comparison_with_big_ints
print(2 ** 53 + 1 == float(2 ** 53), 2 ** 53 == float(2 ** 53), 1e300 > 10 ** 299, int(1e17), 1e17 == 10 ** 17, hash(0.5) == hash(0.5), {0.5: 1}[1 / 2], 1.0 in {1}, 0.1 + 0.7, 4.35 * 100, int(4.35 * 100))

# --- complex_arithmetic
a, b = 1 + 2j, complex(3, -1)
print(a + b, a * b, a / b, a - 1, -a, abs(3 + 4j), a.conjugate(), a.real, a.imag, a == 1 + 2j, a ** 2, 2j * 2j, 1j, complex("1+2j"), complex(), complex(2), a != b, bool(0j), hash(1 + 0j) == hash(1))
print([1j, -1j, 0j, complex(-0.0, 1), 1.5 + 0j, complex(1, -0.0), complex(float("inf"), 1)], (1 + 2j) * 2, 5 / (1 + 2j), pow(1j, 2))
for bad in (lambda: a < b, lambda: int(a), lambda: a // 2, lambda: complex("x"), lambda: a / 0, lambda: float(a)):
    try:
        bad()
    except (TypeError, ValueError, ZeroDivisionError) as e:
        print(type(e).__name__, e)
