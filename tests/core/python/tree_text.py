# SPDX-License-Identifier: GPL-3.0-or-later
"""Python's own tree of a source, and the scopes that it finds, in the words of tree_text.h."""
import ast
import symtable

SIGNS = {
    "Add": "+", "Sub": "-", "Mult": "*", "Div": "/", "FloorDiv": "//", "Mod": "%", "Pow": "**", "MatMult": "@",
    "LShift": "<<", "RShift": ">>", "BitAnd": "&", "BitOr": "|", "BitXor": "^", "Lt": "<", "LtE": "<=", "Gt": ">",
    "GtE": ">=", "Eq": "==", "NotEq": "!=", "Is": "is", "IsNot": "is not", "In": "in", "NotIn": "not in",
    "USub": "-", "UAdd": "+", "Invert": "~",
}


def quoted(data):
    return '"' + "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\x{b:02x}" for b in data) + '"'


def sign(op):
    return SIGNS[type(op).__name__]


class Writer:
    def __init__(self, tree):
        self.classes = []
        # With this import annotations stay text, as ast.unparse writes them.
        self.has_texts = False
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and node.module == "__future__":
                if any(alias.name == "annotations" for alias in node.names):
                    self.has_texts = True

    def mangled(self, name):
        if self.classes and name.startswith("__") and not name.endswith("__") and "." not in name:
            if bare := self.classes[-1].lstrip("_"):
                return f"_{bare}{name}"
        return name

    def group(self, name, *children):
        return "(" + " ".join([name, *map(self.expression, children)]) + ")"

    def expression(self, e):
        return getattr(self, type(e).__name__)(e)

    def Name(self, e):
        return self.mangled(e.id)

    def Constant(self, e):
        if isinstance(e.value, str):
            return quoted(e.value.encode("utf-8", "surrogatepass"))
        if isinstance(e.value, bytes):
            return "b" + quoted(e.value)
        if isinstance(e.value, complex):
            return f"{e.value.imag!r}j"
        return "..." if e.value is ... else repr(e.value)

    def Tuple(self, e):
        return self.group("tuple", *e.elts)

    def List(self, e):
        return self.group("list", *e.elts)

    def Set(self, e):
        return self.group("set", *e.elts)

    def Dict(self, e):
        parts = []
        for key, value in zip(e.keys, e.values):
            parts += [self.expression(key) if key else "(**)", self.expression(value)]
        return "(" + " ".join(["dict", *parts]) + ")"

    def Attribute(self, e):
        return f"(. {self.expression(e.value)} {self.mangled(e.attr)})"

    def Subscript(self, e):
        return self.group("[]", e.value, e.slice)

    def Slice(self, e):
        return "(slice " + " ".join(self.expression(p) if p else "None" for p in (e.lower, e.upper, e.step)) + ")"

    def keywords(self, keywords):
        return [f"(= {k.arg} {self.expression(k.value)})" if k.arg else f"(** {self.expression(k.value)})"
                for k in keywords]

    def Call(self, e):
        return "(" + " ".join(["call", *map(self.expression, [e.func, *e.args]), *self.keywords(e.keywords)]) + ")"

    def Starred(self, e):
        return self.group("*", e.value)

    def UnaryOp(self, e):
        return self.group("not" if isinstance(e.op, ast.Not) else sign(e.op), e.operand)

    def BinOp(self, e):
        return self.group("binary " + sign(e.op), e.left, e.right)

    def Compare(self, e):
        parts = ["compare", self.expression(e.left)]
        for op, right in zip(e.ops, e.comparators):
            parts += [sign(op), self.expression(right)]
        return "(" + " ".join(parts) + ")"

    def BoolOp(self, e):
        return self.group("and" if isinstance(e.op, ast.And) else "or", *e.values)

    def IfExp(self, e):
        return self.group("if-else", e.body, e.test, e.orelse)

    def NamedExpr(self, e):
        return self.group(":=", e.target, e.value)

    def Lambda(self, e):
        return f"(lambda {self.parameters(e.args)} {self.expression(e.body)})"

    def comprehension(self, name, generators, *element):
        parts = [name + "-of", *map(self.expression, element)]
        for g in generators:
            parts.append(self.group("for", g.target, g.iter, *g.ifs))
        return "(" + " ".join(parts) + ")"

    def ListComp(self, e):
        return self.comprehension("list", e.generators, e.elt)

    def SetComp(self, e):
        return self.comprehension("set", e.generators, e.elt)

    def DictComp(self, e):
        return self.comprehension("dict", e.generators, e.key, e.value)

    def GeneratorExp(self, e):
        return self.comprehension("generator", e.generators, e.elt)

    def JoinedStr(self, e):
        return self.group("f", *e.values)

    def FormattedValue(self, e):
        name = "!" + (chr(e.conversion) if e.conversion >= 0 else "")
        return self.group(name, e.value, *([e.format_spec] if e.format_spec else []))

    def Yield(self, e):
        return self.group("yield", *([e.value] if e.value else []))

    def YieldFrom(self, e):
        return self.group("yield-from", e.value)

    def Await(self, e):
        return self.group("await", e.value)

    def annotation(self, e):
        if not self.has_texts:
            return self.expression(e)
        return quoted(ast.unparse(e).encode())

    def parameters(self, a):
        parts = []
        positional = [("/", p) for p in a.posonlyargs] + [("", p) for p in a.args]
        defaults = [None] * (len(positional) - len(a.defaults)) + a.defaults
        rows = [(mark, p, d) for (mark, p), d in zip(positional, defaults)]
        rows += [("*", a.vararg, None)] if a.vararg else []
        rows += [("=", p, d) for p, d in zip(a.kwonlyargs, a.kw_defaults)]
        rows += [("**", a.kwarg, None)] if a.kwarg else []
        for mark, p, default in rows:
            note = ":" + self.annotation(p.annotation) if p.annotation else ""
            parts.append(mark + self.mangled(p.arg) + note)
            if default:
                parts.append(self.expression(default))
        return "(" + "".join(" " + part for part in parts) + ")"

    def block(self, body):
        return "{" + "".join(" " + self.statement(s) for s in body) + " }"

    def statement(self, s):
        return "(" + " ".join(getattr(self, "do_" + type(s).__name__)(s)) + ")"

    def some(self, *values):
        return [self.expression(v) for v in values if v]

    def do_Expr(self, s):
        return ["do", self.expression(s.value)]

    def do_Assign(self, s):
        return ["=", *self.some(*s.targets, s.value)]

    def do_AugAssign(self, s):
        return ["op=" + sign(s.op), *self.some(s.target, s.value)]

    def do_AnnAssign(self, s):
        return [":", self.expression(s.target), self.annotation(s.annotation), *self.some(s.value)]

    def do_Return(self, s):
        return ["return", *self.some(s.value)]

    def do_If(self, s):
        tests, blocks = [s.test], [s.body]
        orelse = s.orelse
        # "elif" is an If alone in the else; "else: if" is the same to Python, and told apart by its place alone.
        while len(orelse) == 1 and isinstance(orelse[0], ast.If) and self.is_elif(s, orelse[0]):
            tests.append(orelse[0].test)
            blocks.append(orelse[0].body)
            orelse = orelse[0].orelse
        if orelse:
            blocks.append(orelse)
        return ["if", *self.some(*tests), *map(self.block, blocks)]

    def is_elif(self, outer, inner):
        return (inner.lineno, inner.col_offset) in self.elifs

    def loop(self, name, s, *parts):
        return [name, *self.some(*parts), self.block(s.body), *([self.block(s.orelse)] if s.orelse else [])]

    def do_While(self, s):
        return self.loop("while", s, s.test)

    def do_For(self, s):
        return self.loop("for", s, s.target, s.iter)

    def do_AsyncFor(self, s):
        return self.loop("async for", s, s.target, s.iter)

    def do_Break(self, s):
        return ["break"]

    def do_Continue(self, s):
        return ["continue"]

    def do_Pass(self, s):
        return ["pass"]

    def do_Raise(self, s):
        return ["raise", *self.some(s.exc, s.cause)]

    def do_Try(self, s, name="try"):
        out = [name, self.block(s.body), self.block(s.orelse), self.block(s.finalbody)]
        for h in s.handlers:
            target = [self.mangled(h.name)] if h.name else []
            out.append("(" + " ".join(["except", *self.some(h.type), *target, self.block(h.body)]) + ")")
        return out

    def do_TryStar(self, s):
        return self.do_Try(s, "except*")

    def do_With(self, s, name="with"):
        parts = []
        for item in s.items:
            parts += [self.expression(item.context_expr),
                      self.expression(item.optional_vars) if item.optional_vars else "None"]
        return [name, *parts, self.block(s.body)]

    def do_AsyncWith(self, s):
        return self.do_With(s, "async with")

    def do_Assert(self, s):
        return ["assert", *self.some(s.test, s.msg)]

    def names(self, s):
        return [a.name + (" as " + a.asname if a.asname else "") for a in s.names]

    def do_Import(self, s):
        return ["import", *self.names(s)]

    def do_ImportFrom(self, s):
        return ["from", "." * s.level + (s.module or ""), *self.names(s)]

    def do_FunctionDef(self, s, name="def"):
        decorators = ["@" + self.expression(d) for d in s.decorator_list]
        returns = ["->", self.annotation(s.returns)] if s.returns else []
        return [name, *decorators, self.mangled(s.name), self.parameters(s.args), *returns, self.block(s.body)]

    def do_AsyncFunctionDef(self, s):
        return self.do_FunctionDef(s, "async def")

    def do_ClassDef(self, s):
        decorators = ["@" + self.expression(d) for d in s.decorator_list]
        bases = "(" + "".join(" " + p for p in [*map(self.expression, s.bases), *self.keywords(s.keywords)]) + ")"
        out = ["class", *decorators, self.mangled(s.name), bases]
        self.classes.append(s.name)
        out.append(self.block(s.body))
        self.classes.pop()
        return out

    def do_Delete(self, s):
        return ["del", *self.some(*s.targets)]

    def do_Global(self, s):
        return ["global", *map(self.mangled, s.names)]

    def do_Nonlocal(self, s):
        return ["nonlocal", *map(self.mangled, s.names)]

    def do_Match(self, s):
        cases = ["(" + " ".join(["case", self.pattern(c.pattern), *self.some(c.guard), self.block(c.body)]) + ")"
                 for c in s.cases]
        return ["match", self.expression(s.subject), *cases]

    def pattern(self, p):
        return "(" + " ".join(getattr(self, "of_" + type(p).__name__)(p)) + ")"

    def of_MatchValue(self, p):
        return ["value", self.expression(p.value)]

    def of_MatchSingleton(self, p):
        return ["value", repr(p.value)]

    def of_MatchSequence(self, p):
        return ["sequence", *map(self.pattern, p.patterns)]

    def of_MatchStar(self, p):
        return ["star", *([self.mangled(p.name)] if p.name else [])]

    def of_MatchMapping(self, p):
        rest = [self.mangled(p.rest)] if p.rest else []
        return ["mapping", *self.some(*p.keys), *rest, *map(self.pattern, p.patterns)]

    def of_MatchClass(self, p):
        keywords = [f"{name}={self.pattern(part)}" for name, part in zip(p.kwd_attrs, p.kwd_patterns)]
        return ["class", self.expression(p.cls), *map(self.pattern, p.patterns), *keywords]

    def of_MatchAs(self, p):
        name = [self.mangled(p.name)] if p.name else []
        return ["as", *name, self.pattern(p.pattern)] if p.pattern else ["capture", *name]

    def of_MatchOr(self, p):
        return ["or", *map(self.pattern, p.patterns)]


def tree_text(source):
    """The text of a source that Python accepts."""
    tree = ast.parse(source)
    writer = Writer(tree)
    lines = source.replace(b"\r\n", b"\n").replace(b"\r", b"\n").removeprefix(b"\xef\xbb\xbf").split(b"\n")
    writer.elifs = {(n.lineno, n.col_offset) for n in ast.walk(tree) if isinstance(n, ast.If)
                    and lines[n.lineno - 1][n.col_offset:].startswith(b"elif")}
    return " ".join(map(writer.statement, tree.body))


HELD = {1: "local", 4: "free", 5: "cell"}  # of CPython's symbol tables
NAMES = {"lambda": "<lambda>", "listcomp": "<listcomp>", "setcomp": "<setcomp>", "dictcomp": "<dictcomp>",
         "genexpr": "<genexpr>"}


def scope_text(source):
    return _scope_text(symtable.symtable(source, "source", "exec"), None, "")


def _scope_text(table, parent, outer):
    kind = table.get_type()
    name = "<module>" if kind == "module" else table.get_name()
    if name == "lambda" or ".0" in table.get_identifiers():
        name = NAMES[name]
    qualified = name
    if parent is not None and parent.get_type() != "module":
        is_global = name.isidentifier() and name in parent.get_identifiers() and parent.lookup(name).is_declared_global()
        if not is_global:
            qualified = outer + ("." if parent.get_type() == "class" else ".<locals>.") + name
    held = []
    if kind != "module":
        for symbol in table.get_symbols():
            scope = HELD.get(symbol._Symbol__scope)
            if kind == "class" and scope == "local" and not is_class_free(symbol):
                continue
            if kind == "class" and scope == "local":
                scope = "free"
            if scope and not symbol.get_name().startswith("."):
                held.append(symbol.get_name() + ":" + scope)
    inner = sorted(_scope_text(child, table, qualified) for child in table.get_children())
    return f"{qualified}({' '.join(sorted(held))}){{{' '.join(inner)}}}"


def is_class_free(symbol):
    """A name that a class binds and one of its methods takes from a function around the class."""
    return bool(symbol._Symbol__flags & 64)  # DEF_FREE_CLASS
