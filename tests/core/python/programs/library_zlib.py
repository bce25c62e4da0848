# --- library_zlib_packs
import zlib
texts = [b"", b"a", b"hello hello hello hello", bytes(range(256)) * 20, b"\0" * 100000]
for text in texts:
    for level in (-1, 0, 1, 6, 9):
        packed = zlib.compress(text, level)
        print(len(packed), zlib.crc32(packed), zlib.decompress(packed) == text, end=" ")
    print(packed[:6])
print(zlib.compress(b"abc", wbits=-15), zlib.decompress(zlib.compress(b"abc", wbits=-15), -15), zlib.compress(b"abc", wbits=31)[:3], zlib.decompress(zlib.compress(b"abc", wbits=31), 47))
print(zlib.crc32(b"abc"), zlib.crc32(b"c", zlib.crc32(b"ab")), zlib.adler32(b"abc"), zlib.adler32(b"c", zlib.adler32(b"ab")), zlib.crc32(bytearray(b"x")), zlib.adler32(b""))
for f in (lambda: zlib.decompress(b"junk"), lambda: zlib.decompress(zlib.compress(b"abc")[:-2]), lambda: zlib.compress(b"a", 12), lambda: zlib.compress("text"), lambda: zlib.decompress(b""), lambda: zlib.decompress(zlib.compress(b"abc")[:-1] + b"!"), lambda: zlib.crc32("a")):
    try:
        print(f())
    except (zlib.error, TypeError) as e:
        print(type(e).__name__, e)

# --- library_zlib_streams
import zlib
c = zlib.compressobj(9)
packed = c.compress(b"hello ") + c.compress(b"world " * 50) + c.flush()
print(packed == zlib.compress(b"hello " + b"world " * 50, 9))
d = zlib.decompressobj()
parts = [d.decompress(packed[at:at + 10]) for at in range(0, len(packed), 10)]
print(b"".join(parts) == b"hello " + b"world " * 50, d.eof, d.unused_data, d.unconsumed_tail, d.flush())
d = zlib.decompressobj()
print(d.decompress(packed + b"rest")[:5], d.eof, d.unused_data, d.decompress(b"more"), d.unused_data)
d = zlib.decompressobj(-15)
print(d.decompress(zlib.compress(b"raw", wbits=-15)), d.eof, zlib.MAX_WBITS, zlib.Z_BEST_COMPRESSION, zlib.DEFLATED)

# --- library_zlib_streams_of_many_chunks
import zlib
text = bytes(range(256)) * 8000
packed = zlib.compress(text, 0)
d, parts = zlib.decompressobj(), []
for at in range(0, len(packed), 100):
    parts.append(d.decompress(packed[at:at + 100]))
    if at == 100000:
        early = d.copy()
print(b"".join(parts) == text, d.eof, len(d.unused_data), len(parts))
print(b"".join(parts[:1001]) + early.decompress(packed[100100:]) == text, early.eof, d.decompress(b"x"), d.unused_data, early.unused_data)
c = zlib.compressobj(1)
parts = [c.compress(text[at:at + 100]) for at in range(0, len(text), 100)]
print(zlib.decompress(b"".join(parts) + c.flush()) == text)
d = zlib.decompressobj()
try:
    d.decompress(packed[:50]), d.decompress(b"")
    print(d.decompress(packed[50:99]) == text[44:93], d.eof)
    zlib.decompressobj().decompress(b"xx")
except zlib.error as e:
    print(e)
try:
    zlib.decompressobj(99)
except ValueError as e:
    print(e)
try:
    zlib.decompress(b"", 99)
except zlib.error as e:
    print(e)
