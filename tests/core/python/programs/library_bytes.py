# SPDX-License-Identifier: GPL-3.0-or-later
# hashlib, struct, binascii and base64.

# --- hashlib_digests
import hashlib
for name in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512"):
    for data in (b"", b"abc", b"x" * 55, b"x" * 56, b"y" * 64, bytes(range(256)), bytearray(b"z" * 111), b"z" * 112):
        print(name, hashlib.new(name, data).hexdigest())
    h = getattr(hashlib, name)(b"first ")
    twin = h.copy()
    h.update(b"second")
    twin.update(b"third")
    print(h.name, h.digest_size, h.block_size, h.hexdigest(), twin.hexdigest(), h.digest() == bytes.fromhex(h.hexdigest()))

# --- hashlib_long_and_wrong
import hashlib
h = hashlib.sha256(usedforsecurity=False)
for part in range(20):
    h.update(bytes([part]) * 17)
print(h.hexdigest(), hashlib.md5(b"a" * 500).hexdigest(), "sha256" in hashlib.algorithms_available, hashlib.new("SHA256", b"a").name)
for bad in (lambda: hashlib.sha1("text"), lambda: hashlib.md5(3), lambda: hashlib.new("nothing")):
    try:
        bad()
    except (TypeError, ValueError) as error:
        print(type(error).__name__, str(error)[:40])

# --- struct_sizes
import struct
for format in ("b", "<i", "bi", "<bi", "=bi", "ib", "bq", "3s2h", "!HHI", "0s", "10x", "i0q", "@l", "<l", "n", "?c", "2p", " i i ", "hhl", "ef d", ">Q"):
    print(format, struct.calcsize(format))
for bad in ("z", "3", "<n", "<P", "i3"):
    try:
        print(struct.calcsize(bad))
    except struct.error as error:
        print(error)

# --- struct_packs_and_unpacks
import struct
print(struct.pack("<IhB", 1, -2, 255), struct.pack(">IhB", 1, -2, 255), struct.pack("bi", 1, 2), struct.pack("5s", b"ab"), struct.pack("2s", b"abc"), struct.pack("3p", b"abcdef"), struct.pack("c?x", b"z", 3), struct.pack("<qQ", -1, 2**64 - 1))
print(struct.unpack("<IhB", b"\x01\x00\x00\x00\xfe\xff\xff"), struct.unpack(">2sH", b"ab\x01\x02"), struct.unpack("3p", b"\x02ab"), struct.unpack("<2i?", bytes(9)), struct.unpack("c", b"a"), struct.unpack("", b""))
print(struct.unpack_from("<H", b"\x00\x01\x02\x03", 1), struct.unpack_from("<H", b"\x00\x01\x02\x03", -2), list(struct.iter_unpack("<H", b"\x01\x00\x02\x00")))
b = bytearray(6)
struct.pack_into("<H", b, 2, 0x1234)
s = struct.Struct("<if")
print(b, s.size, s.format, s.unpack(s.pack(7, 0.5)))

# --- struct_floats
import struct
values = [0.0, -0.0, 1.0, -1.5, 0.1, 3.4028234e38, 1e-45, 1e-40, 1.17549435e-38, 65504.0, 6e-8, 6.1e-5, 2.0**-25, 3e-8, 1 / 3, float("inf"), -float("inf"), 5e-324, 1.7976931348623157e308, 2049.0, 2051.0]
for value in values:
    print(value, struct.pack("<d", value).hex(), end=" ")
    for code in "fe":
        try:
            packed = struct.pack(">" + code, value)
            print(packed.hex(), struct.unpack(">" + code, packed)[0], end=" ")
        except OverflowError as error:
            print(error, end=" ")
    print()
    assert struct.unpack("<d", struct.pack("<d", value))[0] == value
print(struct.pack("<f", 3), struct.unpack("<f", b"\0\0\xc0\x7f"), struct.pack("<f", float("nan")), struct.pack(">e", 65519.9), struct.pack(">d", True))

# --- struct_faults
import struct
for bad in (lambda: struct.pack("i", "a"), lambda: struct.pack("i", 1.5), lambda: struct.pack("b", 128), lambda: struct.pack("B", -1), lambda: struct.pack("<H", 65536), lambda: struct.pack("<i", 2**31),
            lambda: struct.pack("<h", 40000), lambda: struct.pack("i"), lambda: struct.pack("i", 1, 2), lambda: struct.unpack("i", b"abc"), lambda: struct.pack("c", "a"), lambda: struct.pack("s", "a"), lambda: struct.pack("c", b"ab"),
            lambda: struct.unpack_from("i", b"abc", 1), lambda: struct.pack("f", "x"), lambda: struct.pack(">I", -1), lambda: struct.pack("I", 2**32), lambda: struct.pack("h", 2**15), lambda: struct.pack("H", -1), lambda: list(struct.iter_unpack("<H", b"abc"))):
    try:
        print(bad())
    except (struct.error, OverflowError, TypeError) as error:
        print(type(error).__name__, error)

# --- binascii_and_base64
import base64, binascii
for data in (b"", b"a", b"ab", b"abc", b"abcd", bytes(range(250, 256)), b"\xff\xfe>?"):
    print(base64.b64encode(data), base64.urlsafe_b64encode(data), base64.b32encode(data), base64.b16encode(data), binascii.hexlify(data), binascii.crc32(data), binascii.crc_hqx(data, 0))
    assert base64.b64decode(base64.b64encode(data)) == data == base64.b32decode(base64.b32encode(data)) == base64.b16decode(base64.b16encode(data)) == base64.urlsafe_b64decode(base64.urlsafe_b64encode(data))
print(base64.b64decode("YWJj\nZA=="), base64.b64decode(b"Y W J j"), base64.b64decode("+/8=", None), base64.b64decode("-_8=", b"-_"), binascii.unhexlify("0aFF"), base64.encodebytes(b"x" * 60), base64.decodebytes(b"eHh4\neA==\n"), binascii.b2a_base64(b"a"), binascii.crc32(b"b", binascii.crc32(b"a")))
for bad in (lambda: base64.b64decode("abc"), lambda: base64.b64decode("a"), lambda: binascii.unhexlify("abc"), lambda: binascii.unhexlify("zz"), lambda: base64.b64encode("a"), lambda: base64.b64decode("é"), lambda: base64.b64decode(3), lambda: base64.b16decode("ab"), lambda: base64.b32decode("a"), lambda: base64.b64decode("YQ=="[:3]), lambda: base64.b64decode("Y$Q==", validate=True)):
    try:
        print(bad())
    except (ValueError, TypeError) as error:
        print(type(error).__name__, error)

# --- struct_numbers_out_of_range
import struct
for sign in ("", "<", "="):
    for code in "bBhHiIlLqQ":
        for value in (2**70, -2**70, -1 if code.isupper() else -2**63 - 1, 2**31 if code == "i" else 2**63, -2**31, 300, 70000, 2**32):
            try:
                print(sign + code, value, struct.pack(sign + code, value))
            except struct.error as error:
                print(sign + code, value, error)
