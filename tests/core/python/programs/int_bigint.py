# SPDX-License-Identifier: GPL-3.0-or-later
# int of any size.

# --- int_division_and_modulo_signs
for a, b in ((7, 2), (-7, 2), (7, -2), (-7, -2), (6, 3), (0, 5)):
    print(a // b, a % b, divmod(a, b), a / b, -a // b)

# --- int_literals_and_bases
print(0xff, 0o17, 0b101, 1_000_000, int("0x1f", 16), int("0b11", 0), int("z", 36), int("-12"), int(" 7 "), int("1_000"), int(3.9), int(-3.9), int("777", 8), int(True))
print(hex(255), oct(8), bin(5), hex(-255), bin(0), (255).bit_length(), (0).bit_length(), (-256).bit_length(), (6).bit_count(), int.from_bytes(b"\x01\x00", "big"), (258).to_bytes(2, "little"))

# --- big_integers_grow
n = 2 ** 100
print(n, n - 1, -n, n // 3, n % 1000, n * n, n >> 90, 1 << 70, n == 2 ** 100, n > 2 ** 99, len(str(3 ** 500)), n & (n - 1), n | 1)
f = 1
for i in range(1, 31): f *= i
print(f, f // 10 ** 20, hash(n) == hash(2 ** 100), n in {2 ** 100}, int(str(n)) == n, int(1e20), 10 ** 30 // 7, -(10 ** 30) // 7, -(10 ** 30) % 7, divmod(10 ** 20, -3))
print(9223372036854775807 + 1, -9223372036854775808 - 1, 9223372036854775807 * 2, abs(-9223372036854775808), -(-9223372036854775808), 3037000500 ** 2, 2 ** 63, 2 ** 64 - 1, -2 ** 63)

# --- big_integers_mix_with_floats
n = 10 ** 20
print(n / 3, n * 1.5, n + 0.5, float(n), n == 1e20, n < 1e21, n > 1e19, 2 ** 70 / 2 ** 69, 10 ** 400 // 10 ** 398, int(1e18), int(2.0 ** 70), 10 ** 400 / 10 ** 399)
try:
    float(10 ** 400)
except OverflowError as e:
    print(e)
try:
    10 ** 400 / 2
except OverflowError as e:
    print(e)

# --- int_powers_and_modular_powers
print(2 ** 10, 2 ** -1, (-2) ** 3, -2 ** 2, 0 ** 0, pow(3, 200, 13), pow(7, -1, 11), pow(2, 5), 2 ** 0.5, (-8) ** (1 / 3), 10 ** -3, pow(2, 3, -5), 1 ** 1000, (-1) ** 1001)

# --- int_bitwise_with_negative_numbers
print(-1 & 255, -8 >> 1, -7 >> 1, 5 ^ -3, ~5, ~-1, -5 | 2, 1 << 3 << 2, 6 & 3, 6 | 3, 6 ^ 3, -1 >> 100, True | 2, True & True, True ^ False, ~True)
for bad in (lambda: 1 << -1, lambda: 1 >> -1, lambda: 1 << 1.0, lambda: ~1.5):
    try:
        bad()
    except (ValueError, TypeError) as e:
        print(e)

# --- int_conversions_and_errors
def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
attempt(lambda: int("1.5"))
attempt(lambda: int(""))
attempt(lambda: int("0x10"))
attempt(lambda: int("12", 2))
attempt(lambda: int(float("nan")))
attempt(lambda: int(float("inf")))
attempt(lambda: int("5", 99))
attempt(lambda: int(5, 10))
attempt(lambda: int(1j))
attempt(lambda: int({}))
attempt(lambda: int("１２"))
attempt(lambda: int(b"12"))
attempt(lambda: int())

# --- int_is_hashable_and_compares_with_bool_and_float
print(1 == 1.0 == True, hash(1) == hash(1.0) == hash(True), {1: "a", 1.0: "b", True: "c"}, 0 == False, 1 is 1, True + True, sum([True, False, True]), 3 == 3.0000001, True > 0, [10, 20][True])
print((5).real, (5).imag, (5).numerator, (5).denominator, (5).conjugate(), 5 .bit_length(), (2).__add__(3), int.__mul__(4, 5), (7).__eq__(7.5), (3).as_integer_ratio(), isinstance(True, int), type(True + 1))

# --- int_rounding_and_abs
print(round(15, -1), round(25, -1), round(1234, -2), round(7), round(-15, -1), abs(-7), round(5, 2), divmod(-1, 3), 7 // 2 * 2 + 7 % 2, round(10**20 + 55, -2))
