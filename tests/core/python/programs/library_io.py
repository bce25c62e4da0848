# SPDX-License-Identifier: GPL-3.0-or-later
# io in memory, urllib.parse and urllib.error.

# --- stringio_reads_and_writes
import io
s = io.StringIO("one\ntwo\nthree")
print(repr(s.read(2)), repr(s.readline()), s.tell(), s.readlines(), s.read(), s.seek(0), list(s), s.seek(4), repr(s.readline(2)), s.getvalue())
s = io.StringIO()
print(s.write("abc"), s.write(""), s.tell(), s.seek(1), s.write("XY"), s.getvalue(), s.seek(5), s.write("z"), repr(s.getvalue()), s.truncate(2), s.getvalue(), s.tell())
print("x", 1, file=s)
print(repr(s.getvalue()), s.seek(0, 2), s.seek(0, 1), s.readable(), s.writable(), s.seekable(), s.isatty(), s.closed)
s.writelines(["l1\n", "l2"])
s.seek(0)
print(repr(s.read()), s.read(3) == "", s.truncate(0), repr(s.getvalue()))
with io.StringIO("abc") as t:
    print(t.read(1))
for bad in (lambda: t.read(), lambda: t.write("a"), lambda: t.getvalue(), lambda: s.write(b"a"), lambda: s.seek(-1), lambda: s.seek(1, 1), lambda: s.seek(0, 3), lambda: io.StringIO(b"a"), lambda: s.truncate(-1), lambda: s.fileno(), lambda: io.StringIO("", newline="x"), lambda: iter(t)):
    try:
        print(bad())
    except (TypeError, ValueError, OSError) as error:
        print(type(error).__name__, error)
print(t.closed, io.StringIO(None).read() == "", repr(io.StringIO("a\r\nb\rc", newline=None).read()), repr(io.StringIO("a\nb", newline="\r\n").getvalue()), repr(io.StringIO("abc\n").readlines(2)))

# --- bytesio_reads_and_writes
import io
b = io.BytesIO(b"one\ntwo")
print(b.read(1), b.readline(), b.tell(), b.read(), b.read(), b.seek(-2, 2), b.read(), b.seek(1), b.seek(2, 1), b.read(1), b.getvalue(), list(io.BytesIO(b"a\nb")))
b = io.BytesIO()
print(b.write(b"abc"), b.write(bytearray(b"d")), b.seek(6), b.write(b"z"), b.getvalue(), b.seek(1), b.write(b"XY"), b.getvalue(), b.truncate(), b.getvalue(), bytes(b.getbuffer()), len(b.getbuffer()))
into = bytearray(4)
b.seek(0)
print(b.readinto(into), into, b.readable(), b.closed, b.seek(0), b.read1(2), b.readlines(), b.seek(100), b.read(), b.readline())
b.close()
for bad in (lambda: b.read(), lambda: b.getvalue(), lambda: io.BytesIO("a"), lambda: io.BytesIO().write("a"), lambda: io.BytesIO().seek(-1), lambda: io.BytesIO().seek(0, 5), lambda: io.BytesIO().truncate(-1)):
    try:
        print(bad())
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)
print(isinstance(io.BytesIO(), io.BufferedIOBase), isinstance(io.StringIO(), io.TextIOBase), isinstance(io.StringIO(), io.IOBase), issubclass(io.TextIOWrapper, io.TextIOBase), io.SEEK_END, io.DEFAULT_BUFFER_SIZE, issubclass(io.UnsupportedOperation, (ValueError)), issubclass(io.UnsupportedOperation, OSError))
class Own(io.StringIO):
    def write(self, s):
        return super().write(s.upper())
o = Own()
print("hello", file=o)
print(repr(o.getvalue()))

# --- url_split_and_parse
from urllib.parse import urlparse, urlsplit, urlunparse, urlunsplit, urldefrag
urls = ["http://user:pw@Host.COM:8080/a/b;p?q=1&r=2#frag", "https://h", "//h/p", "/p?q", "p;x/y;z", "mailto:a@b.c", "file:///a/b", "http://[::1]:80/x", "a:b", "1:b", "", "http:", "http://h?q", "hf://datasets/x", "s3://bucket/key;v",
        "HTTP://H/", "http://h:/", "x#f#g", "?q", "#f", "http://a@b@c/", "  http://h/\n", "C:\\x", "javascript:alert(1)", "git+ssh://h/x", "http://h/a b", "http://u@h", "http://u:@h", "tel:+1;ext=2"]
for url in urls:
    p, s = urlparse(url), urlsplit(url)
    print(repr(url), p, s, p.hostname, p.port, p.username, p.password, urlunparse(p), urlunsplit(s), p.geturl(), urldefrag(url), urldefrag(url).geturl())
print(urlparse("x", "http"), urlparse("a#b", allow_fragments=False), urlparse(b"http://h:1/p?q"), urlparse(b"http://h:1/p").port, urlparse("http://a/b")._replace(path="/c").geturl(), urlsplit("http://h/p;x").path, urlparse("http://h").encode(), urlparse(b"http://h/").decode(), urlparse(b"http://h/x").hostname, urldefrag(b"a#b"))
for bad in (lambda: urlparse("http://h:x/").port, lambda: urlparse("http://h:99999/").port, lambda: urlparse("http://[::1/"), lambda: urlparse("a", b"b"), lambda: urlparse("http://h:-1").port):
    try:
        print(bad())
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)
print(urlunsplit(("http", "h", "p", "", "")), urlunsplit(("", "", "p", "q", "f")), urlunparse(("", "", "", "", "", "")), urlunsplit(("file", "", "/p", "", "")), urlunsplit(("x", "", "p", "", "")))

# --- url_join
from urllib.parse import urljoin
base = "http://a/b/c/d;p?q"
for url in ("g:h", "g", "./g", "g/", "/g", "//g", "?y", "g?y", "#s", "g#s", "g?y#s", ";x", "g;x", "g;x?y#s", "", ".", "./", "..", "../", "../g", "../..", "../../", "../../g", "../../../g", "../../../../g", "/./g", "/../g", "g.", ".g", "g..",
            "..g", "./../g", "./g/.", "g/./h", "g/../h", "g;x=1/./y", "g;x=1/../y", "g?y/./x", "g#s/../x", "http:g", "https://x/y", "a//b"):
    print(url, urljoin(base, url))
print(urljoin("", "a"), urljoin("a", ""), urljoin("a", "b"), urljoin("a/b/", "c"), urljoin("http://h", "a"), urljoin("http://h/", "/a"), urljoin("mailto:a", "b"), urljoin(b"http://h/a/b", b"c"), urljoin("hf://a/b", "c"), urljoin("http://h/a//b/", "../c"))

# --- url_quote
from urllib.parse import quote, quote_plus, unquote, unquote_plus, unquote_to_bytes, quote_from_bytes
print(quote("a b/c?d=é&~-_.!"), quote("a/b", safe=""), quote("é", encoding="latin-1"), quote_plus("a b+c/d"), quote_plus("a b", safe="/"), quote(b"\xff a"), quote(""), quote_plus(b"a b"), quote("a+b", "+"), quote_from_bytes(b"\x00z"))
print(unquote("a%20b%C3%A9"), unquote("%zz%4"), unquote("a+b"), unquote_plus("a+b%2B"), unquote("%ff"), unquote("é%C3%A9é"), unquote("%E9", "latin-1"), unquote(b"a%20"), unquote_to_bytes("%00é"), unquote(""), unquote("100%"))
for bad in (lambda: quote(3), lambda: quote(b"a", encoding="x"), lambda: quote_from_bytes("a")):
    try:
        print(bad())
    except TypeError as error:
        print(error)

# --- url_queries
from urllib.parse import urlencode, parse_qs, parse_qsl, quote
print(urlencode({"a": 1, "b c": "é&", "l": [1, 2]}), urlencode([("a", "x y"), ("a", b"\xff")]), urlencode({"l": [1, "z"], "s": "str", "t": (1,)}, doseq=True), urlencode({"a": "x y/z"}, quote_via=quote), urlencode({}), urlencode({"a": "/"}, safe="/"), urlencode({"n": None, "l": []}, True))
print(parse_qs("a=1&b=2&a=3&c=&d"), parse_qs("c=&d", keep_blank_values=True), parse_qsl("a=1+2%20&b=%C3%A9"), parse_qsl(""), parse_qsl("a=1;b=2"), parse_qsl("a=1;b=2", separator=";"), parse_qs(b"a=1"), parse_qsl("=x&a=b=c"))
for bad in (lambda: parse_qsl("a", strict_parsing=True), lambda: parse_qsl("a=1&b=2", max_num_fields=1), lambda: parse_qsl("a", separator=""), lambda: urlencode("abc"), lambda: urlencode(3)):
    try:
        print(bad())
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)

# --- url_errors
import urllib.error, urllib.parse
print(urllib.error.URLError("r"), repr(urllib.error.HTTPError("u", 404, "Not Found", None, None)), issubclass(urllib.error.HTTPError, OSError))
try:
    raise urllib.error.URLError("why")
except OSError as error:
    print(error, error.reason)
print(urllib.parse.quote("a b"))
