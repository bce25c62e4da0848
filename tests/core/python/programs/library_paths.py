# SPDX-License-Identifier: GPL-3.0-or-later
# os, os.path, pathlib and fnmatch, on names alone.

# --- os_path_of_names
import os.path
import posixpath
names = ["", "a", "/", "//", "///", "a/", "/a", "a/b", "a//b", "/a/b.c", "a.b.c", ".x", "..", "../a", "a/./b/../c", "/../a", "//a/b",
         "a/b/.bashrc", "a/..x.y", "x.", "/a/b/", "~", "~/x", "$X/${Y}", "...", "a/..", "../../a/..", "./.", "a.tar.gz"]
for name in names:
    print(name, os.path.split(name), os.path.splitext(name), os.path.basename(name), os.path.dirname(name),
          os.path.normpath(name), os.path.isabs(name), os.path.splitdrive(name), os.path.normcase(name))
print(posixpath.join is os.path.join, os.path.sep, os.path.pardir)

# --- os_path_join
import os.path
print(os.path.join("a", "b"), os.path.join("a/", "b"), os.path.join("a", "/b", "c"), os.path.join("", "b"), os.path.join("a", ""),
      os.path.join("a", "", "b"), os.path.join("a"), os.path.join(b"a", b"b"), os.path.join("/", "x"), os.path.join("", ""))
for bad in (lambda: os.path.join("a", b"b"), lambda: os.path.join("a", 3), lambda: os.path.join(3, "a"),
            lambda: os.path.join(b"a", "b"), lambda: os.path.join(None)):
    try:
        print(bad())
    except TypeError as error:
        print(error)

# --- os_path_of_bytes
import os.path
for name in (b"", b"/a/b.c", b"a//b/../c", b".x.y", b"//"):
    print(os.path.split(name), os.path.splitext(name), os.path.normpath(name), os.path.isabs(name), os.path.basename(name))

# --- os_path_relative
import os.path
for path, start in (("/a/b", "/a"), ("/a", "/a/b"), ("/a/b", "/c/d"), ("/a", "/a"), ("/a/../b", "/"), ("/", "/a/b"), ("a/b", "a"),
                    ("a", "b"), ("x", "x")):
    print(path, start, os.path.relpath(path, start))
for path in ("/a/../b", "/x//y/", "//x"):
    print(os.path.abspath(path), os.path.realpath("/nowhere-here" + path))
for bad in (lambda: os.path.relpath(""), lambda: os.path.relpath("a", b"b")):
    try:
        bad()
    except (ValueError, TypeError) as error:
        print(error)

# --- os_path_common
import os.path
print(os.path.commonprefix(["/usr/lib", "/usr/local"]), os.path.commonprefix([]), os.path.commonprefix(["a"]),
      os.path.commonprefix([[1, 2], [1, 3]]), os.path.commonprefix(["abc", "ab", "abd"]))
print(os.path.commonpath(["/usr/lib", "/usr/local"]), os.path.commonpath(["a/b/c", "a/b"]), os.path.commonpath(["/a", "/b"]),
      repr(os.path.commonpath(["a", "b"])), os.path.commonpath(["/a/./b", "/a/b/"]), os.path.commonpath([b"/a/b", b"/a/c"]))
for bad in ([], ["/a", "b"], ["a", b"b"], ["a", 3]):
    try:
        print(os.path.commonpath(bad))
    except (ValueError, TypeError) as error:
        print(type(error).__name__, error)

# --- os_path_expandvars
import os
os.environ["LIBRARY_X"] = "ex"
for text in ("$LIBRARY_X/a", "${LIBRARY_X}b", "$LIBRARY_Xa", "$LIBRARY_NOT/x", "${LIBRARY_NOT}", "$", "$$LIBRARY_X", "${LIBRARY_X", "a$LIBRARY_X-b"):
    print(os.path.expandvars(text))
print(os.path.expandvars(b"$LIBRARY_X/a"), os.path.expanduser("a/~"), os.path.expanduser("/x"))
del os.environ["LIBRARY_X"]

# --- os_environment
import os
from collections.abc import MutableMapping
e = os.environ
print(isinstance(e, MutableMapping), e.get("LIBRARY_A"), "LIBRARY_A" in e, os.getenv("LIBRARY_A"), os.getenv("LIBRARY_A", "d"))
try:
    e["LIBRARY_A"]
except KeyError as error:
    print(repr(error))
e["LIBRARY_A"] = "1"
print(e["LIBRARY_A"], os.getenv("LIBRARY_A"), e.setdefault("LIBRARY_A", "2"), e.setdefault("LIBRARY_B", "3"), e.pop("LIBRARY_B"),
      e.pop("LIBRARY_B", None), "LIBRARY_A" in list(e), "LIBRARY_A" in e.copy(), type(e.copy()).__name__, type(e | {"x": "y"}).__name__)
e.update(LIBRARY_C="c")
print(e["LIBRARY_C"], {k: v for k, v in e.items() if k.startswith("LIBRARY_")})
del e["LIBRARY_A"], e["LIBRARY_C"]
for bad in (lambda: e["LIBRARY_A"], lambda: e.__setitem__("LIBRARY_A", 1), lambda: e.__setitem__(1, "a"), lambda: e.pop("LIBRARY_A"),
            lambda: e.__delitem__("LIBRARY_A"), lambda: 1 in e):
    try:
        print(bad())
    except (KeyError, TypeError) as error:
        print(type(error).__name__, error)

# --- os_fspath
import os
class P:
    def __fspath__(self):
        return "p/q"
class Bad:
    def __fspath__(self):
        return 3
print(os.fspath("a"), os.fspath(b"a"), os.fspath(P()), isinstance(P(), os.PathLike), isinstance("a", os.PathLike), issubclass(P, os.PathLike),
      os.path.join(P(), "r"), os.path.basename(P()), os.fsencode("é"), os.fsdecode(b"\xc3\xa9"), os.PathLike[str])
for bad in (lambda: os.fspath(3), lambda: os.fspath(Bad()), lambda: os.PathLike(), lambda: os.path.split(None)):
    try:
        bad()
    except TypeError as error:
        print(error)
print(os.sep, repr(os.linesep), os.name, os.curdir, os.pardir, os.extsep, os.pathsep, os.altsep, os.devnull, os.error is OSError)
print(os.path.exists("/nowhere at all"), os.path.isdir("/nowhere at all"), os.access("/nowhere at all", os.R_OK))

# --- pathlib_parts
from pathlib import PurePosixPath, PurePath
for text in ("", ".", "a", "/", "//", "///a", "//a/b", "a/b.c", "/a/b/", "a//b/./c", "../a", "a/..", ".x", "a.tar.gz", "a.", "a..b", "..", "x/.y.z", "a.b."):
    p = PurePosixPath(text)
    print(repr(p), str(p), p.parts, repr(p.name), p.stem, p.suffix, p.suffixes, p.parent, [str(q) for q in p.parents], repr(p.root), repr(p.drive), repr(p.anchor), p.is_absolute())
print(PurePath("a", "b/c", "/d", "e"), PurePath(PurePath("a"), "b"), PurePath("a") / "b" / PurePath("c"), "x" / PurePath("y"), PurePath("a") / "/b", type(PurePath()).__name__)

# --- pathlib_changes
from pathlib import PurePosixPath as P
p = P("/a/b.tar.gz")
print(p.with_name("x"), p.with_stem("x"), p.with_suffix(".zip"), p.with_suffix(""), P("a/b").with_suffix(".c"), p.joinpath("x", "y"), p.joinpath(), p.as_posix(), p.as_uri(), bytes(p), P("/a é").as_uri(), P(".b").with_suffix(".c"))
for bad in (lambda: P("/").with_name("x"), lambda: p.with_name(""), lambda: p.with_name("a/b"), lambda: p.with_suffix("x"), lambda: p.with_suffix("."),
            lambda: p.with_suffix("/x"), lambda: P("").with_suffix(".x"), lambda: P("a").as_uri(), lambda: P(3), lambda: P(b"a"), lambda: p / 3, lambda: 3 / p,
            lambda: p.with_name("."), lambda: P("/").with_stem("x"), lambda: p < "a"):
    try:
        print(bad())
    except (ValueError, TypeError) as error:
        print(type(error).__name__, error)

# --- pathlib_relations
from pathlib import PurePosixPath as P
print(P("/a/b/c").relative_to("/a"), P("/a/b/c").relative_to("/a", "b"), P("a/b").relative_to("a/b"), P("a").relative_to(""), P("/a").relative_to("/"))
print(P("/a/b").is_relative_to("/a"), P("/a/b").is_relative_to("/c"), P("a/b").is_relative_to(P("a")), P("/a").is_relative_to("a"), P("ab").is_relative_to("a"))
for bad in (lambda: P("/a/b").relative_to("/c"), lambda: P("a").relative_to("/a"), lambda: P("a").relative_to(), lambda: P("a").is_relative_to()):
    try:
        print(bad())
    except (ValueError, TypeError) as error:
        print(error)
for path, pattern in (("a/b.py", "*.py"), ("/a/b/c.py", "b/*.py"), ("/a/b/c.py", "a/*.py"), ("/a.py", "/*.py"), ("a/b.py", "/*.py"), ("a", "a/b"), ("A.py", "a.PY"),
                      ("a/b/c", "a/*/c"), ("a/b/c", "**/c"), ("/a/b", "/a"), ("x", "[xy]"), ("x", "[!xy]")):
    print(path, pattern, P(path).match(pattern))
try:
    P("a").match("")
except ValueError as error:
    print(error)

# --- pathlib_compares_and_hashes
from pathlib import PurePosixPath as P, PurePath, Path
import os
print(P("a/b") == P("a//b/"), P("a") == "a", P("a") != P("b"), hash(P("a/b")) == hash(P("a/./b")), P("a") == Path("a"), len({P("a"), Path("a"), P("b")}))
print(sorted([P("b"), P("a/c"), P("a"), P("/z")]), P("a") < P("b"), P("a") <= P("a"), P("b") > P("a/c"), P("a") >= P("b"))
print(os.fspath(P("a/b")), isinstance(P("a"), os.PathLike), isinstance(Path("a"), P), issubclass(Path, PurePath), os.path.join(Path("a"), "b"), f"{P('a/b')}", f"{P('x')!r:>20}")
q = P("a/b/c/d").parents
print(len(q), q[0], q[-1], q[1:3], list(q), q, P("x") in q, P("a") in q)
try:
    q[9]
except IndexError as error:
    print(repr(error))

# --- pathlib_path
from pathlib import Path, PosixPath
p = Path("a") / "b.txt"
print(repr(p), type(p) is PosixPath, isinstance(p, Path), p.suffix, p.exists(), p.is_file(), Path("/nowhere at all/x").is_dir(), Path("/x/../y").resolve(), Path("/x").absolute(), Path("/x").expanduser())
print(repr(Path("/nowhere-here/b/../c").resolve()), {Path("a"): 1}[Path("a")], Path("a").parent, str(Path()), Path("x").joinpath("y").parts)
class Own(type(Path())):
    def double(self):
        return self / self.name
print(repr(Own("a").double()), type(Own("a").parent).__name__)

# --- fnmatch_of_names
from fnmatch import fnmatch, fnmatchcase, filter, translate
cases = [("a.py", "*.py"), ("a.pyc", "*.py"), ("abc", "a?c"), ("ac", "a?c"), ("a", "[abc]"), ("d", "[!abc]"), ("a", "[!abc]"), ("-", "[a-]"), ("b", "[a-c]"), ("]", "[]]"),
         ("a", "[]a]"), ("b", "[!]a]"), ("[", "["), ("[a", "[a"), ("", "*"), ("", ""), ("a", ""), ("a\nb", "a*b"), ("layers.0.attn.q", "layers.*.attn.*"), ("aXbXc", "*X*X*"), ("A", "a"),
         ("b", "[c-a]"), ("x", "[!c-a]"), ("a*", "a[*]"), ("aaa", "a*a*a*a"), ("a]", "[!]]]"), ("^", "[^a]"), ("b", "[^a]"), ("\\", "[\\]"), ("a-z", "a[-]z"), ("mississippi", "m*issi*pi"), ("!", "[!]"), ("[!]", "[!]")]
for name, pattern in cases:
    print(name, pattern, fnmatchcase(name, pattern), fnmatch(name, pattern))
print(filter(["a.py", "b.txt", "c.py"], "*.py"), fnmatch(b"a.py", b"*.py"), filter([], "*"))
for pattern in ("*.py", "a?b", "[abc]", "[!abc]x", "a.b+c", "[", "", "***a"):
    print(translate(pattern))
try:
    fnmatch(b"a", "a")
except TypeError as error:
    print(error)
