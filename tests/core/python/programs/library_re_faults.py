# SPDX-License-Identifier: GPL-3.0-or-later
# What the module re refuses, in CPython's words.

# --- re_faults_of_patterns
import re
patterns = [r"(", r")", r"a)", r"(a", r"[", r"[]", r"[^]", r"[a", r"[a-", r"*", r"+a", r"?", r"a**", r"a+*", r"a{2}{3}", r"a???", r"^*", r"$+", r"\b*",
            r"(*a)", r"a|*", r"a{3,2}", r"a{99999999999}", "\\", "a\\", r"\q", r"\Q", r"\E", r"\z", r"\G", r"\K", r"\h", r"\R", r"\X", r"\p{L}", r"[\q]",
            r"[\A]", r"[\B]", r"[\8]", r"\x1", r"[\xg]", r"\u12", r"\U0011", r"\U00110000", r"\400", r"[\400]", r"\1", r"(a)\2", r"\8", r"(\1)", r"(a\1)",
            r"[b-a]", r"[\d-a]", r"[a-\w]", r"[\x62-a]", r"(?", r"(?P", r"(?P<", r"(?P<>a)", r"(?P<a", r"(?P<1>a)", r"(?P<a b>x)", r"(?P<a>x)(?P<a>y)",
            r"(?P=", r"(?P=a)", r"(?P=)", r"(?P=1)", r"(?P<a>(?P=a))", r"(?P>a)", r"(?Pa)", r"(?R)", r"(?1)", r"(?&a)", r"(?|a)", r"(?'a'b)", r"(?<a>b)", r"(?<",
            r"(?<=", r"(?<=a", r"(?<=a+)", r"(?<!a|bc)", r"(?<=(a)\1)", r"(a+)(?<=\1)", r"(?#", r"(?#a", r"(?(", r"(?()a)", r"(?(1", r"(?(1)a)", r"(?(0)a)",
            r"(?(a)b)", r"(?(-1)b)", r"(?(1 2)b)", r"(a)(?(1)b|c|d)", r"(a)(?(1)b", r"(?i", r"(?z)", r"(?i!)", r"(?iz)", r"(?-i)", r"(?-", r"(?-z:a)", r"(?-i",
            r"(?i-i:a)", r"(?au)", r"(?a-u:b)", r"(?L)a", r"(?t:a)", r"a(?i)", r"(a(?i))", r"(?:(?i)a)", r"a|(?i)b", r"(?=(?i)a)", "a\n(b", "(?x)\n  a # (\n [", r"\N",
            r"\N{", r"(?<=a(?(1)b))(c)", r"x{,2}*", r"(?:a", r"(?!", r"(?>a", r"(?P<é>a)(", r"(?P<a-b>x)", r"(?P<a'b>x)", "(?P<a\tb>x)", r"\_", r"\é("]
for pattern in patterns:
    try:
        print(repr(pattern), re.compile(pattern))
    except re.error as error:
        print(repr(pattern), error, "|", error.msg, error.pos, error.lineno, error.colno, error.pattern == pattern)
    except (OverflowError, ValueError) as error:
        print(repr(pattern), type(error).__name__, error)

# --- re_faults_of_bytes
import re
for pattern in (b"(", b"\\q", b"(?P<\xff>a)", b"[\xff-a]", b"\\u0061", b"\\N{x}", b"(?u)a", b"(?La)", b"(?\xff)", b"a\n\xe9*+*"):
    try:
        print(pattern, re.compile(pattern))
    except re.error as error:
        print(pattern, error, error.pos, error.lineno)

# --- re_faults_of_flags
import re
for pattern, flags in (("a", re.L), ("a", re.A | re.U), (b"a", re.U), (b"a", re.A | re.L), ("(?a)b", re.U), ("(?u)b", re.A), (re.compile("a"), re.I), (b"(?a)b", re.L)):
    try:
        print(re.compile(pattern, flags))
    except ValueError as error:
        print(pattern, error)

# --- re_faults_of_templates
import re
for template in (r"\2", r"\g<2>", r"\g<x>", r"\g", r"\g<", r"\g<>", r"\g<1", r"\g<-1>", r"\g<1a>", r"\g<a b>", r"\q", r"\Z", "\\", r"a\400", r"\99", r"\xff", r"\u0061",
                 "line\n\\g<", "\\777"):
    for work in (lambda: re.sub("(a)", template, "a"), lambda: re.match("(a)", "a").expand(template)):
        try:
            print(repr(template), work())
        except (re.error, IndexError) as error:
            print(repr(template), type(error).__name__, error)

# --- re_faults_of_arguments
import re
p, m = re.compile("(a)"), re.match("(?P<n>a)", "a")
for work in (lambda: re.search("a", 3), lambda: p.match(None), lambda: p.search(b"a"), lambda: re.compile(b"a").search("a"), lambda: re.compile(3),
             lambda: re.compile(["a"]), lambda: re.sub("a", lambda m: 3, "ba"), lambda: re.sub(b"a", "b", b"a"), lambda: re.sub("a", b"b", "a"), lambda: m.group(2),
             lambda: m.group("x"), lambda: m["x"], lambda: m[-1], lambda: m.start(5), lambda: m.span("y"), lambda: m[1.0], lambda: m.group(None),
             lambda: p.match("a", "b"), lambda: re.Pattern(), lambda: re.Match(), lambda: re.findall("a", ["a"]), lambda: re.foo):
    try:
        print(work())
    except (TypeError, IndexError, AttributeError) as error:
        print(type(error).__name__, error)

# --- re_error_class
import re
for error in (re.error("x"), re.error("x", "abc", 1), re.error("x", "a\nbc", 3), re.error("x", b"a\nc", 2), re.error("x", "abc"), re.error("x", "abc", 0)):
    print(error, repr(error), error.args, error.msg, error.pattern, error.pos, error.lineno, error.colno)
print(re.error.__name__, re.error.__module__, issubclass(re.error, Exception), issubclass(re.error, ValueError))
