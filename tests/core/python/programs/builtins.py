# SPDX-License-Identifier: GPL-3.0-or-later
# Builtin functions.

# --- print_with_sep_end_and_file
import sys
print(1, "a", None, sep="-", end="!\n")
print()
print("", end="")
print(*[1, 2], sep="")
print("x", file=sys.stdout)
print([1, "a"], ("b",), {"k": None}, True, 1.0, sep=", ", flush=True)
print(print("inner"))
try:
    print("a", sep=5)
except TypeError as e:
    print(e)

# --- min_max_with_key_and_default
print(min(3, 1, 2), max([1, 5, 3]), min("hello"), max("a", "bb", key=len), min([], default=0), max({"a": 3, "b": 1}), min([(2, "a"), (1, "b")]), max([1, 2.0, 2]), min({3: "x", 2: "y"}.items()), max([[1], [0, 5]], key=sum))
for bad in (lambda: max([]), lambda: min(5), lambda: max(), lambda: max(1, "a"), lambda: min(1, 2, default=3)):
    try:
        bad()
    except (ValueError, TypeError) as e:
        print(e)

# --- sum_any_all
print(sum([1, 2, 3]), sum([0.1] * 3), sum([], 5), sum((x for x in range(4)), start=10), sum([[1], [2]], []), any([]), all([]), any([0, "", 1]), all([1, "a", []]), sum({1: "a", 2: "b"}), sum([True, True]))
for bad in (lambda: sum(["a", "b"]), lambda: sum(5), lambda: sum(["a"], ""), lambda: any(5)):
    try:
        bad()
    except TypeError as e:
        print(e)

# --- zip_map_filter_enumerate
print(list(zip([1, 2, 3], "ab")), list(zip()), list(zip([1])), list(map(lambda a, b: a + b, [1, 2], [10, 20, 30])), list(filter(lambda x: x > 1, [1, 2, 3])), list(enumerate("ab", start=1)), dict(zip("ab", range(2))), list(map(str, range(3))))
a, b = zip(*[(1, "x"), (2, "y")])
print(a, b, list(map(int, "123")), next(enumerate("q")), list(zip(range(2), range(2), strict=True)))
try:
    list(zip([1, 2], [3], strict=True))
except ValueError as e:
    print(e)
m = map(abs, [-1, -2])
print(next(m), list(m), list(m), type(m).__name__, type(zip()).__name__, type(filter(None, [])).__name__, type(enumerate([])).__name__, type(reversed([])).__name__)

# --- isinstance_and_type_of_builtins
for x in (1, True, 1.0, 1j, "s", b"b", None, [], (), {}, set(), frozenset(), range(1), slice(1), len, lambda: 0, int, type, ..., NotImplemented, object(), (i for i in ""), iter([]), zip(), {}.keys(), ValueError("x"), property()):
    print(type(x).__name__, end=" ")
print()
print(isinstance(1, int), isinstance(True, int), isinstance(1, (str, int)), isinstance(None, type(None)), isinstance(int, type), issubclass(bool, int), isinstance([], (list, tuple)), type(1) == int, type("a") is str, isinstance(1.0, int), isinstance(len, type(len)), isinstance(print, object))

# --- getattr_family_and_callable
class A: x = 1
a = A()
print(getattr(a, "x"), getattr(a, "y", None), hasattr(a, "x"), callable(len), callable(A), callable(a), vars(a), setattr(a, "y", 2), a.y, delattr(a, "y"), hasattr(a, "y"), getattr([1, 2], "index")(2), hasattr(1, "real"), hasattr("s", "nope"))
for bad in (lambda: getattr(a, "z"), lambda: getattr(a, 5), lambda: hasattr(a), lambda: vars(5), lambda: setattr(a, "b")):
    try:
        bad()
    except (AttributeError, TypeError) as e:
        print(type(e).__name__, e)

# --- iter_with_sentinel_and_next_default
it = iter([1, 2])
print(next(it), next(it), next(it, "none"))
n = iter(range(10))
print(list(iter(lambda: next(n), 4)))
for bad in (lambda: next(iter([])), lambda: iter(5), lambda: next([1]), lambda: iter(5, 0)):
    try:
        bad()
    except (StopIteration, TypeError) as e:
        print(type(e).__name__, e)

# --- reversed_and_sorted
print(list(reversed([1, 2])), list(reversed("ab")), list(reversed(range(3))), list(reversed((1, 2))), list(reversed({"a": 1, "b": 2})), sorted([3, 1]), sorted("ba", reverse=True), sorted([1, -2], key=abs), sorted({"b": 1, "a": 2}.items()))
for bad in (lambda: reversed({1}), lambda: reversed(iter([])), lambda: sorted(5), lambda: sorted([1], None), lambda: sorted([1, None])):
    try:
        bad()
    except TypeError as e:
        print(e)

# --- chr_ord_hex_oct_bin
print(chr(97), chr(8364), ord("a"), ord("€"), hex(16), oct(8), bin(-5), chr(0) == "\0", ord(b"a"), [chr(ord("a") + i) for i in range(3)])
for bad in (lambda: chr(1114112), lambda: ord(""), lambda: ord(5), lambda: hex(1.5), lambda: chr("a")):
    try:
        bad()
    except (ValueError, TypeError) as e:
        print(e)

# --- abs_round_pow_divmod
print(abs(-3), abs(-2.5), abs(3 - 4j), round(2.567, 2), round(-1.5), pow(2, 10), pow(2, -1), pow(3, 4, 5), divmod(17, 5), divmod(-17.5, 5), round(12345, -2), pow(2.0, 3), abs(True))

# --- repr_of_builtin_values
print(repr([1, "a", None, True, 1.5, (1,), {"k": {1}}, b"x", ..., range(2), slice(1), 2j]), repr(int), repr(str), repr(type), repr(object), repr(len), repr(NotImplemented), repr(ValueError), repr(set()), repr(frozenset({1})), repr({}), repr(()), repr(bytearray(b"z")))
print([int, len, None], {"t": float}, ascii("é"), repr("q"), repr(type(None)), repr(map).strip(), repr(ValueError("x")), repr(KeyError), repr(property), repr(Exception()))

# --- hash_of_equal_values
print(hash(1) == hash(1.0), hash("a") == hash("a"), hash((1, "a")) == hash((1, "a")), hash(None) == hash(None), hash(True) == 1, hash(0.0) == hash(0), hash(frozenset([1, 2])) == hash(frozenset([2, 1])), hash(int) == hash(int), hash(10**30) == hash(10**30))
for bad in ([], {}, set(), slice(1), bytearray(), ([],)):
    try:
        hash(bad)
    except TypeError as e:
        print(e)

# --- id_is_stable_and_is_compares_identity
a = [1]
b = a
print(id(a) == id(b), a is b, a is not [1], None is None, id(a) == id([1]), a == [1], type(id(a)).__name__, () is (), True is True)

# --- bool_and_type_constructors
print(bool(), bool(0), bool("False"), int(), float(), str(), list(), tuple(), dict(), set(), bytes(), complex(), frozenset(), bool([]), bool(None), object() is not None, type(object()).__name__, int("5") + int(5.5), str(5) + "5", list("ab") + list((1,)))
for bad in (lambda: int("a"), lambda: float([]), lambda: list(1), lambda: tuple(None), lambda: dict("ab"), lambda: bool(1, 2), lambda: str(1, 2, 3, 4), lambda: complex("a"), lambda: type(1, 2), lambda: type(), lambda: frozenset(1, 2), lambda: int("1", base="2")):
    try:
        bad()
    except (ValueError, TypeError) as e:
        print(type(e).__name__, e)

# --- call_errors_of_builtin_functions
def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
attempt(lambda: len())
attempt(lambda: len(1, 2))
attempt(lambda: len(None))
attempt(lambda: len(obj=[1]))
attempt(lambda: abs())
attempt(lambda: isinstance(1))
attempt(lambda: isinstance(1, "int"))
attempt(lambda: zip(1))
attempt(lambda: enumerate())
attempt(lambda: map(abs))
attempt(lambda: sorted())
attempt(lambda: [].append(1, 2))
attempt(lambda: {}.get())
attempt(lambda: "".join())
attempt(lambda: "a".replace("b"))
attempt(lambda: id())
attempt(lambda: print(foo=1))
attempt(lambda: range(1, b=2))
attempt(lambda: pow(2))
attempt(lambda: divmod(1))
attempt(lambda: issubclass(int))
attempt(lambda: callable())
attempt(lambda: hash())
attempt(lambda: ord("abc"))
attempt(lambda: round())
attempt(lambda: sum())
attempt(lambda: "abc".upper(1))
attempt(lambda: (1).real())

# --- iterator_objects_are_their_own_iterators
for make in (lambda: iter([1]), lambda: zip([1]), lambda: map(abs, [1]), lambda: filter(None, [1]), lambda: enumerate([1]), lambda: reversed([1]), lambda: (x for x in [1])):
    it = make()
    print(iter(it) is it, next(it) is not None, list(it))
for c in ([1], (1,), "a", {1: 2}, {1}, range(2), {1: 2}.items()):
    print(iter(c) is c, iter(c) is iter(c), end=" ")
print()

# --- builtins_as_arguments
print(list(map(len, ["a", "bb"])), list(map(max, [1, 5], [3, 2])), sorted(["b", "A"], key=str.lower), list(filter(str.isdigit, "a1b2")), list(map(int, ["1", "2"])), dict(map(lambda p: p[::-1], {"a": 1}.items())), list(map(list, ["ab"])), max("aa", "b", key=len), list(map("{}!".format, "ab")), list(map(type, [1, "a"]))[0])
