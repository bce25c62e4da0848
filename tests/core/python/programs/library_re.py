# SPDX-License-Identifier: GPL-3.0-or-later
# The module re: its functions, matches, patterns and flags. What it refuses is in library_re_faults.py.

# --- re_functions
import re
print(re.match("a+", "aab"), re.match("b", "aab"), re.search("b", "aab"), re.fullmatch("a*b", "aab"))
print(re.findall(r"\d+", "1 22 a333"), re.findall(r"(\w)(\d)?", "a1 b"), re.findall("(x)|y", "xyx"))
print([m.span() for m in re.finditer("a*", "baac")])
print(re.split(r"[,;]\s*", "a, b;c"), re.split("(-)|(;)", "a-b;c"), re.split("", "abc"), re.split("x*", "axbc"))
print(re.split(",", "a,b,c", 1), re.split(",", "a,b,c", maxsplit=-1), re.split(",", ""))
print(re.sub("a", "b", "banana"), re.sub("a", "b", "banana", 2), re.sub("a", "b", "banana", count=1))
print(re.subn("x*", "-", "abxd"), re.subn("q", "-", "abc"), re.sub("", "-", "abc"))
print(re.sub("A", "b", "banana", flags=re.I), re.split("B", "abc", flags=re.IGNORECASE))
print(re.escape("a-b c\n[x]*$#~&\u00e9_"), re.escape(""), re.escape(b"a.b\xff"))
re.purge()

# --- re_empty_matches
import re
for pattern in ("", "a*", "a*?", "a??", r"\b", r"\B", "^", "$", "(?m)^", "(?m)$", "x*|b", "(?=a)", "(a)?", "a|"):
    for text in ("", "a", "baac", "a\nb\n", " ab "):
        print(pattern, repr(text), [m.span() for m in re.finditer(pattern, text)], re.split(pattern, text),
              re.sub(pattern, "<>", text), re.findall(pattern, text))

# --- re_corpus
import re
patterns = r"""abc  a.c  a\.c  [a-c]+  [^a-c]+  (a)(b)(c)  (?:ab)+c  a{2}  a{2,}  a{,2}  a{1,2}?  a{2  x{,}  (a|ab)(c|bcd)(d*)  ^a|a$  ^$  \Aa  a\Z
\w+  \W+  \d+  \D+  \s+  \S+  \bab\b  \Bb  [\w.]+@[\w.]+  (\w+)\s\1  (?P<x>a)(?P=x)  (?i)ABC  (?i:a)BC  (?s)a.b  (?m)^b$  (?x) a b # c  (a)?(?(1)b|c)
(?P<q>")?\w+(?(q)")  a(?=b)  a(?!b)  (?<=a)b  (?<!a)b  (?<=ab|cd)e  (?>a+)a  a++a  a*+b  (a+)+b  (a|b)*c  ((a)|(b))*  (a*)*  (a*)+  (?:a|b|ab)*c
[]a]+  [^]a]+  [a\]]+  [a-]+  [-a]+  [\d-]+  [a\-z]+  [[a]+  [[:alpha:]]  [\]-a]+  \x61  \141  \07  \0  [\x61-\x63]+  \u0061  [\u0061-\u0063]
(?a)\w+  (?#note)a  a(?#note)*  .*?b  .+b  a??b  b()  (a(b(c)))  (?=(a+))a  (?:)  ()  (){3}  [é-ü]+  [^\W\d_]+  [\W\d]+  \\  \/  \-  \ b  \"  [ -~]+
(?:(a)|(b)|(c))+  (a)(?:b|(c))  (?:a(?:b(?:c)?)?)?  (?<!^)a  (?<=^)a  \ba  a\b  .{3}  .{2,3}?  a|b||c  a{0}b  (a){0}b  (?!)  (?:a|)b  (?!a)*b  (?=a)?a"""
texts = ["", "a", "abc", "aabbcc", "abcd", "xabcx", "a b", "ab ab", "aaa", "a\nb\n", "b\nb", "cc dd", "e1_2", 'say "hi" "x', "a.c",
         "x@y.z é ü ß", "[a]-]", "a\\b/c", "\x00\x07", "ABC abc", "cde abe", "aaab", "l:al]"]
for pattern in [pattern for row in patterns.splitlines() for pattern in row.split("  ")]:
    found = re.compile(pattern)
    print(pattern, found.groups, found.flags)
    for text in texts:
        at, whole, start = found.search(text), found.fullmatch(text), found.match(text, 1)
        if at:
            print(repr(text), at.regs, at.lastindex, whole and whole.regs, start and start.span(), found.findall(text))

# --- re_pattern
import copy
import re
p = re.compile(r"(?P<year>\d{4})-(?P<month>\d\d)|x", re.I)
print(p, p.pattern, p.flags, p.groups, p.groupindex, dict(p.groupindex), type(p), isinstance(p, re.Pattern))
print(p == re.compile(p.pattern, re.I), p == re.compile(p.pattern), p != 3, hash(p) == hash(re.compile(p.pattern, re.I)))
print(copy.copy(p) is p, copy.deepcopy(p) is p, re.compile(p) is p, re.compile("a") is re.compile("a"))
for flags in (0, re.A, re.I | re.M, re.S | re.X, re.U, re.T, 1024, re.NOFLAG, re.A | re.I | re.M | re.S | re.X):
    print(repr(re.compile("a", flags)), re.compile("a", flags).flags)
print(repr(re.compile(b"a", re.L | re.I)), repr(re.compile(b"\xff'")), repr(re.compile("(?im)x\n'")))
print(repr(re.compile("x" * 300)) == "re.compile('" + "x" * 199 + ")", repr(re.template("a")))
q = re.compile("b+")
print(q.match("abb"), q.match("abb", 1), q.match("abbb", 1, 3), q.search("abb", 2), q.fullmatch("abb", 1), q.search("abb", -5, 99))
print(q.findall("bbabb", 1), q.findall("bbabb", 1, 4), [m.span() for m in q.finditer("bbabb", pos=1, endpos=4)])
print(q.split("abba", 1), q.sub("-", "abba"), q.subn(repl="-", string="abbab", count=1), q.match(string="b"))
print(re.compile("^b").search("ab", 1), re.compile(r"\bb").search("ab", 1), re.compile("a$").search("ab", 0, 1),
      re.compile("(?<=a)b").search("ab", 1))
print({re.compile("a"): 1}[re.compile("a")], re.Pattern.__name__, re.Pattern.__module__, re.Match.__qualname__)

# --- re_match
import copy
import re
m = re.search(r"(?P<first>\w+) (?P<second>\w+)(\d)?", "-- ab cd --")
print(m, repr(m.string), m.re is re.compile(m.re.pattern), m.pos, m.endpos, m.lastindex, m.lastgroup, m.regs)
print(m.group(), m.group(0), m.group(1, 2), m.group("first", 2, 3), m[0], m["second"], m[3], m.groups(), m.groups("-"))
print(m.groupdict(), m.groupdict("x"), m.start(), m.end(), m.span(), m.start(1), m.end("second"), m.span(3), m.group(True))
print(m.expand(r"\2-\1-\g<first>-\g<0>-\3."), bool(m), copy.copy(m) is m, copy.deepcopy(m) is m, m == m, isinstance(m, re.Match))
for pattern, text in (("(a)(b)", "ab"), ("((a)b)", "ab"), ("(a)|(b)", "b"), ("(?:(a)|(b))*", "ab"), ("(?:(a)|(b))*", "ba"), ("a", "a"),
                      ("(?P<x>a)|(?P<y>b)", "b"), ("(a(b)?)+", "aba"), ("((a)(b))*", "abab"), ("(?=(ab))(a)", "ab"), ("(?:(a)|b)*", "ab")):
    found = re.match(pattern, text)
    print(pattern, found.lastindex, found.lastgroup, found.regs)
n = re.compile("b").search("aébb\U0001f600", 1, 4)
print(n.pos, n.endpos, n.span(), repr(n))
class Index:
    def __index__(self):
        return 1
print(m[Index()], m.group(Index()), m.span(Index()))

# --- re_replacements
import re
print(re.sub(r"(\w+) (\w+)", r"\2 \1", "hello world"), re.sub("(?P<n>a)", r"<\g<n>\g<1>\g<0>>", "cat"))
print(re.sub("(a)|b", r"[\1]", "ab"), re.sub("a", r"\n\t\\\x".replace("\\x", ""), "a") == "\n\t\\", repr(re.sub("a", r"\a\b\f\r\v", "a")))
print(repr(re.sub("(a)", r"\0-\07-\101-\1011-\g<1>1", "a")), re.sub("a", r"\.\-\ \"", "a"), re.sub("a", r"\\1", "a"))
print(re.sub(r"\d+", lambda m: str(int(m[0]) * 2), "1 2 33"), re.sub("a", lambda m: None, "banana"), re.sub("b", str.upper and "B", "abc"))
print(re.sub("(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)", r"\11\10\9", "abcdefghijk"), re.subn("", lambda m: str(m.start()), "ab"))
def name(m):
    return f"<{m.lastgroup}:{m.group()}:{m.start()}>"
print(re.sub(r"(?P<num>\d+)|(?P<word>[a-z]+)", name, "ab12 é3"))
print(re.sub("é", "e", "café é"), re.sub("e", "é", "cafe e"), re.sub("😀", r"\g<0>\g<0>", "a😀b"))

# --- re_flags
import re
print(re.I, repr(re.I), str(re.I), f"{re.M}", re.I | re.M, re.S | re.X | 1024, re.I & re.M, ~re.I, re.NOFLAG, re.RegexFlag(0), re.RegexFlag(10))
print(list(re.RegexFlag), [flag.value for flag in re.RegexFlag], re.I.name, re.I.value, int(re.M), re.I == 2, re.A is re.ASCII, bool(re.NOFLAG))
print(re.IGNORECASE is re.RegexFlag.I, isinstance(re.I, int), re.I in re.I | re.M, type(re.I), re.T, re.TEMPLATE, re.DEBUG, re.L, re.U)
print(re.findall("^.", "a\nb", re.M), re.findall(".+", "a\nb", re.S), re.findall("a b # c", "ab", re.X), re.findall("É", "éÉ", re.I))
print(re.findall(r"\w+", "aé1", re.A), re.findall("(?i)é", "É", re.A), re.findall("K", "kK\u212a", re.I), re.findall("[i-k]", "IiJkK\u0130\u0131\u212a", re.I))
print(re.findall("(?i:a)b", "AbAB"), re.findall("(?-i:a)b", "ABaB", re.I), re.findall("(?s:.)(.)", "\nab", 0), re.findall("(?m:^)a", "b\na"))
print(re.findall("(?a:\\w)\\w", "aéé"), re.findall("a(?u:\\w)\\w", "éaéaé", re.A), re.findall("(?x: a b )c d", "abc d"), re.findall("(?i-s:A.)", "a\nab", re.S))
print(re.findall(r"\bé", "é"), re.findall(r"\bé", "é", re.A), re.findall(r"(?a:\b)é", "aé"), re.findall(r"\Ba", "éa", re.A), re.findall(r"(?u:\b)é", "é", re.A))

# --- re_unicode
import re
print(re.findall(r"\w+", "naïve Ελλάδα 日本語 ٣٤ x²_½"), re.findall(r"\d", "1٣४½²"), re.findall(r"\s", "\x1c\x85\xa0\u1680\u180e\u2028\u3000\t"))
print(re.findall("[а-я]+", "Привет мир", re.I), re.findall("ß", "ẞß", re.I), re.findall("σ", "Σςσ", re.I), re.findall("ſ", "sSſ", re.I))
print(re.search("é", "caféé").span(), re.search("\U0001f600+", "é\U0001f600\U0001f600").span(), re.split("é", "aébé"), re.findall(".", "é😀\n"))
text = "é" * 100 + "x" + "日" * 100 + "y"
print([m.span() for m in re.finditer("[xy]", text)], re.search("y", text).start(), re.compile("日").search(text, 150).span())
print(re.sub("日+", "|", text).count("é"), re.compile("é*").fullmatch(text, 10, 100), re.match("(?P<größe>a)", "a").groupdict())
print(re.findall("[\ud800-\udfff\U00010000]", "a\U00010000"), re.findall("[^\ud800]", "a"), re.findall("a|\ud800", "a"))

# --- re_bytes
import re
p = re.compile(rb"(\w+)\xff(?P<n>.)")
m = p.search(b"--ab\xff\x00")
print(p, p.flags, m, m.group(1, 2), m.groupdict(), m.span(), m.string, m.expand(rb"\2<\g<n>\1>"))
print(re.sub(b"a", rb"\0\377\n", b"banana"), re.split(b"[\x80-\xff]", b"a\x80b\xffc"), re.findall(rb"(?i)\w", b"aB\xe9\xc9"))
print(re.sub(b"a", lambda m: m[0] * 2, b"banana"), re.findall(b"\xe9", b"\xc9\xe9", re.I), re.escape(b"a b"), re.findall(b".", bytearray(b"ab")))
print(re.findall(rb"\s|\d|\W", b"\x1c\x85\xa0 1"), re.fullmatch(b"[^a]*", b"\x00\xff"), re.findall(rb"\bx", b"\xffx yx"))

# --- re_subclasses_of_str
import re
class Text(str):
    pass
t = Text("ab12")
m = re.match(Text("[a-z]+"), t)
print(m, type(m.string) is Text, type(m.group()) is str, type(re.sub("x", "y", t)) is str, re.split("1", t), re.sub("a", Text(r"\g<0>!"), t))
print([type(part) is str for part in re.findall(".", t)], type(re.compile(Text("q")).pattern).__name__)

# --- re_tokenizer
import re
spec = [("NUMBER", r"\d+(\.\d*)?"), ("ASSIGN", r":="), ("ID", r"[A-Za-z_]\w*"), ("OP", r"[+\-*/]"), ("NEWLINE", r"\n"),
        ("SKIP", r"[ \t]+"), ("MISMATCH", r".")]
scan = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in spec))
line = 1
for m in scan.finditer("total := price * 1.25\n  tax:=?7 - x_1"):
    if m.lastgroup == "NEWLINE":
        line += 1
    elif m.lastgroup != "SKIP":
        print(line, m.lastgroup, m.group(), m.lastindex, m.start())

# --- re_as_models_use_it
import re
state = {"features.denseblock1.denselayer1.norm.1.weight": 1, "features.conv0.weight": 2, "classifier.bias": 3}
pattern = re.compile(r"^(.*denselayer\d+\.(?:norm|relu|conv))\.((?:[12])\.(?:weight|bias|running_mean|running_var))$")
for key in list(state.keys()):
    res = pattern.match(key)
    if res:
        state[res.group(1) + res.group(2)] = state.pop(key)
print(state)
print(re.sub(r"(?<!^)(?=[A-Z])", "_", "BasicBlockConv2d").lower(), re.sub("([a-z0-9])([A-Z])", r"\1_\2", "myHTTPServer2Go"))
print(re.findall(r"layer(\d+)\.(\d+)", "layer1.0 layer12.3"), [int(n) for n in re.findall(r"-?\d+", "k3_s-2_e6")])
ops = re.split(r"(\d.*)", "k3")
print(ops, dict(re.match(r"([a-z])(\d+)", part).groups() for part in "r2 k3 s1".split()), re.split(r"\W+", "a.b-c"))
