# SPDX-License-Identifier: GPL-3.0-or-later
# str and its methods.

# --- str_literals_and_escapes
print("a\tb\\n\x41\u00e9\N{BULLET}\101", r"\n\t", 'it''s', "q\"q", '''tri'ple''', "con" "cat" 'ed', len("\n\0"), "\
joined")
print(repr("a'b"), repr('a"b'), repr("a'b\"c"), repr("\n\t\\\x00\x7f\xe9\u2028"), ascii("é∑\n"), repr("日本"), repr("\U0001f600"))

# --- str_case_methods
s = "hello World"
print(s.upper(), s.lower(), s.title(), s.capitalize(), s.swapcase(), "ß".upper(), "ẞ".casefold(), s.istitle(), "A".isupper(), "a1".islower(), "".islower())

# --- str_find_and_count
s = "abracadabra"
print(s.find("bra"), s.rfind("bra"), s.find("x"), s.index("cad"), s.count("a"), s.count("aa"), s.find("a", 1), s.find("a", 1, 3), s.rindex("a"), s.count(""), s.find(""))
print(s.startswith("abra"), s.endswith(("x", "bra")), s.startswith("b", 1), "cad" in s, "xyz" not in s, "" in s, s.startswith(()))
try:
    s.index("zz")
except ValueError as e:
    print(e)

# --- str_split_and_join
print("a b  c\td\n".split(), "a,b,,c".split(","), "a,b,c".split(",", 1), "a,b,c".rsplit(",", 1), "".split(), "".split(","), " a  b ".split(" "))
print("k=v=w".partition("="), "k=v=w".rpartition("="), "none".partition("="), "a\nb\r\nc\n".splitlines(), "a\nb".splitlines(True), "a b c d".split(None, 2), "a  b  c".rsplit(None, 1))
print("-".join(["a", "b"]), "".join("xyz"), ", ".join(str(i) for i in range(3)), "|".join([]), "ab".join({"k": 1, "z": 2}))
for bad in (lambda: "a".split(""), lambda: ",".join([1]), lambda: ",".join(3)):
    try:
        bad()
    except (ValueError, TypeError) as e:
        print(e)

# --- str_strip_and_replace
print(repr("  a b \n".strip()), "xxaxx".strip("x"), "abcba".lstrip("ab"), "abcba".rstrip("ab"), "aaa".replace("a", "b", 2), "abc".replace("", "-"), "model.layer.0".replace(".", "_"))
print("prefix_name".removeprefix("prefix_"), "name.pt".removesuffix(".pt"), "abc".removeprefix("x"), "a-b_c".translate(str.maketrans("-_", "  ")), "abc".translate({97: None, 98: "BB"}), "aXbX".translate(str.maketrans({"X": "--"})))

# --- str_padding
print("a".ljust(4, "."), "a".rjust(4), "a".center(4, "*"), "ab".center(5, "*"), "42".zfill(5), "-42".zfill(5), "+1".zfill(4), "abc".zfill(2), "a\tb".expandtabs(4), "ab".ljust(1))

# --- str_tests
for s in ("abc", "123", "a1", "", " ", "A", "½", "²", "é", "_x", "1x", "class", "a b", "\n", "٣"):
    print(repr(s), s.isalpha(), s.isdigit(), s.isalnum(), s.isspace(), s.isidentifier(), s.isdecimal(), s.isnumeric(), s.isprintable(), s.isascii())

# --- str_indexing_and_slicing
s = "abcdef"
print(s[0], s[-1], s[1:3], s[:2], s[-2:], s[::2], s[::-1], s[10:], s[4:1:-1], s[1:100], s[-100:2], s[slice(1, 4)], s[True])
for c in reversed("abc"): print(c, end="")
print(len("日本語"), "日本語"[1], [*"ab"], list(enumerate("ab")), min("hello"), sorted("hello"), "h" "i"[0])

# --- str_operators_and_comparison
print("a" + "b", "ab" * 3, 2 * "-", "a" * 0, "a" * -1, "abc" < "abd", "a" < "B", "" < "a", "a" == 'a', "a" != "b", max("b", "a"), "10" < "9", "é" > "z")
s = "x"
s += "y"
s *= 2
print(s, "a" "b" == "ab", hash("abc") == hash("ab" + "c"), not "", bool(" "))

# --- str_format_method
print("{} {}".format(1, "a"), "{1} {0} {1}".format("a", "b"), "{x} {y!r}".format(x=1, y="s"), "{0.real} {0.imag}".format(3 + 4j), "{a[0]} {a[1]} {d[k]}".format(a=[1, 2], d={"k": "v"}))
print("{:>5}|{:<5}|{:^5}|{:*^7}|{:05d}|{:+}|{:,}".format("a", "b", "c", "d", 42, 7, 1234567), "{{}} {:.2f} {:{w}.{p}}".format(3.14159, 2.71828, w=8, p=3), "{0:{1}}".format(5, 4), "{:%}".format(0.25), "{!s:>4}".format("z"))
for bad in (lambda: "{} {}".format(1), lambda: "{x}".format(), lambda: "{0} {}".format(1, 2), lambda: "{".format(), lambda: "}".format(), lambda: "{:d}".format("a"), lambda: "{:s}".format(1), lambda: "{a.b}".format(a=1), lambda: "{:.2d}".format(3)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
print("{a} {b}".format_map({"a": 1, "b": 2}))

# --- str_conversion_of_values
class A:
    def __str__(self): return "A-str"
print(str(), str(5), str(1.0), str(None), str(True), str([1, "a", None]), str({"k": (1,)}), str(b"x"), str(A()), str(b"caf\xc3\xa9", "utf-8"), str(object=3), str(1e100), str(range(3)), str(slice(1, 2)), str(int), str(NotImplemented))

# --- str_encode_and_bytes
print("é".encode(), "abc".encode("ascii"), "é".encode("latin-1"), "aé".encode("ascii", "ignore"), "aé".encode("ascii", "replace"), len("日".encode("utf-8")), "x".encode().decode())

# --- str_is_immutable
s = "abc"
def setitem():
    s[0] = "x"
def delitem():
    del s[0]
for f in (setitem, delitem, lambda: s[9], lambda: s["a"], lambda: s + 1, lambda: s * 1.5, lambda: s - "a", lambda: 1 in s, lambda: s.upper(1), lambda: s.nothing):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)

# --- str_unbound_methods
print(str.upper("abc"), list(map(str.strip, [" a ", "b "])), str.join(",", ["a", "b"]), sorted(["B", "a"], key=str.lower), str.split("a b"))
