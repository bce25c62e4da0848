# SPDX-License-Identifier: GPL-3.0-or-later
# bytes and bytearray.

# --- bytes_literals_and_indexing
b = b"ab\x00\xff\n'"
print(b, len(b), b[0], b[-1], b[1:3], list(b[:3]), b"a" + b"b", b"ab" * 2, b"a" in b, 97 in b, b"a" < b"b", b"" == bytes(), bytes(3), bytes([1, 2]), bytes("é", "utf-8"), b"it's \"q\"")

# --- bytes_methods
b = b"Hello World"
print(b.upper(), b.split(), b.find(b"World"), b.replace(b"l", b"L"), b.startswith(b"He"), b",".join([b"a", b"b"]), b.hex(), bytes.fromhex("48 65"), b.decode(), b" x ".strip(), b.count(b"l"), b.index(b"o"), b.isalpha(), b[::-1])

# --- bytearray_changes_in_place
a = bytearray(b"abc")
a[0] = 65
a.append(100)
a.extend(b"ef")
a += b"!"
del a[1]
print(a, bytes(a), len(a), a[0], a == b"Acdef!", a.pop(), a, a.decode())
try:
    a[0] = 300
except ValueError as e:
    print(e)

# --- bytes_do_not_mix_with_str
def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
attempt(lambda: b"a" + "b")
attempt(lambda: "b" + b"a")
attempt(lambda: b"a" == "a")
attempt(lambda: "a" in b"abc")
attempt(lambda: bytes("abc"))
attempt(lambda: b"abc"[9])
attempt(lambda: bytes(-1))
attempt(lambda: b"x".join(["a"]))
attempt(lambda: hash(bytearray()))
attempt(lambda: {b"k": 1}[b"k"])

# --- bytes_iteration_and_formatting
print([x for x in b"abc"], bytes(x + 1 for x in b"abc"), b"%d-%s" % (5, b"x"), f"{b'x'}", str(b"x"), sorted(b"cab"), max(b"az"), tuple(b"\x01\x02"), int.from_bytes(b"\x00\x10", "big"))

# --- bytes_translate
table = bytes.maketrans(b"abc", b"xyz")
print(len(table), b"aabbccd".translate(table), b"hello".translate(None, b"l"), b"abcabc".translate(table, delete=b"b"))
print(bytearray(b"abc").translate(table), bytearray.maketrans(b"a", b"b") == bytes.maketrans(b"a", b"b"))
for attempt in (lambda: bytes.maketrans(b"ab", b"c"), lambda: b"a".translate(b"short")):
    try:
        print(attempt())
    except ValueError as e:
        print(e)

# --- bytearray_edits_in_place
b = bytearray(b"abc")
b.insert(1, 120)
b.insert(-1, 121)
b.insert(99, 122)
print(b)
b.remove(97)
b[0] = 65
b[1:2] = b"zz"
del b[-1]
b += b"q"
b *= 2
print(b)
for attempt in (lambda: b.remove(0), lambda: b.insert(0, 256)):
    try:
        attempt()
    except ValueError as e:
        print(e)
