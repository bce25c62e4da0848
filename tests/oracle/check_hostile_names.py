# SPDX-License-Identifier: GPL-3.0-or-later
"""Names that are Python, DOT, SVG or a terminal's escapes, in every field of a file: they leave as text and never as code.

    check_hostile_names.py FORKED_CLI FOLDER

Each file holds all names in one field. What every command prints or writes is parsed by its language's own parser:
CPython's ast, Graphviz, an XML parser. Exported folders are imported and called, each in a process of its own.
"""

import ast
import concurrent.futures
import copy
import io
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tokenize
import unicodedata
import warnings
import xml.etree.ElementTree
import zipfile

warnings.filterwarnings("ignore")
import torch

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from archives import Archive
from commands import Commands
import pickles

commands, FOLDER = Commands(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
PWNED = FOLDER / "PWNED"
RUN = f"__import__('os').system('touch {PWNED}')"
NO_DOT = f"getattr(__import__('os'), 'system')('touch ' + {str(PWNED)!r})".replace(".", "\\x2e")
IMPORTS = {"pathlib", "math", "torch", "torch.fx", "torch.fx._pytree", "torch.utils._pytree", "collections", "collections.abc",
           "_operator", "typing", "functools"}
SPOKEN = {"exec", "eval", "__import__", "system", "os", "open", "compile", "breakpoint", "subprocess", "builtins"}
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
faults = []


def names():
    closers = ["{}", "x; {}", "x\n{}", "x\n    {}\n", "x); {} #", "x); {}; (", "x, q={}", "x={}", "x={}, b", "k={}):\n  pass #", "x'; {} #",
               'x"; {} #', "x'''; {} #", 'x"""; {} #', "x']; {} #", "x'}}; {} #", 'x"), {}, getattr(self, "x', "x'), {}, ('x",
               "x\\'; {} #", 'x\\"); {} #', "#\n{}", "x\r{}", "x\f{}", "x\v{}", "x\u2028{}", "x\u0085{}", "x\x00{}",
               "lambda: {}", "[{}]", "(yield {})", "await {}", "{} if 1 else x", "{}.x", "x.{}", "x[{}]", "*{}", "**{}", "@{}",
               "f'{{{}}}'", "{{{}}}", "%({})s", "x:{}", "x: int = {}", "x -> {}", "os import sep as a\n{}\nfrom math", ": {}", "{}:",
               "x as y\n{}", "import os; {}", "self.x = {}", "del x, {}", "x\\\n{}", "x'.y'; {} #", "=({})", "x);\n\n\n{}\n(", "${{{}}}"]
    for closer in closers:
        for payload in (RUN, NO_DOT):
            yield closer.format(payload)
    yield from ("", " ", ".", "..", "a..b", ".a", "a.", "a b", "a-b", "0", "1x", "-1", "\\", "x\\", "x\\\\", "\\N{DIGIT ONE}", "\\x41", "\\u0041",
                "\\", "'", '"', "'''", '"""', "x'", 'x"', "{}", "{0}", "{x!r}", "%s", "%n%n", "$HOME", "`touch x`", "$(touch x)", "\n", "\r\n",
                "\t", "a\nb", "error: nothing\nerror: x", "\nnote: all is well")
    yield from ("if", "class", "None", "True", "lambda", "async", "await", "match", "_", "__debug__", "__class__", "__dict__", "__init__",
                "__import__", "__builtins__", "__name__", "__globals__", "self", "torch", "device", "inf", "fx_pytree", "state", "forward")
    yield from ("ｅxec", "ｏｓ", "ℯval", "ﬁle", "ſelf", "ª", "µ", "K", "Å", "ǆ", "x\u0301", "é", "e\u0301", "größe", "für", "имя", "名前",
                "ｘ", "x²", "𝐞𝐱𝐞𝐜", "ᵉxec", "х", "а.b", "\u037a", "ﷺ", "x·", "ⅷ", "ℂ", "०", "அ", "א", "ا")
    yield from ("a\u202eb", "\u2066x\u2069", "\u200bx", "\ufeffx", "x\u00adb", "\u061cx", "\x1b[2J", "\x1b]0;title\x07", "\x1b[31mred", "\x9b31m",
                "\x07", "\x08\x08", "\x7f", "\x85", "x\x00y", "\ue000", "\U000e0041", "\U0001f600", "\uffff")
    yield from ("<script>alert(1)</script>", "]]></text><script>alert(1)</script>", "</svg>", "<b>x</b>", "&lt;b&gt;", "&#60;", "&", "&bogus;", "<!--",
                "-->", "<![CDATA[", '"/><image xlink:href="file:///etc/passwd"/>', '" onload="alert(1)', "<IMG SRC='/etc/passwd'/>", "<a href='x'>",
                '" ] ; a -> b', '"]; b [label="x', 'a" -> "b', "a -> b", "}", "digraph x {", "/* */", "//", "# x", "\\N", "\\G", "\\l", "\\", "a\\\"b",
                "node", "graph", "strict", "<<TABLE></TABLE>>", "subgraph cluster_0 {", '";', "x|y", "{a|b}")
    chance = random.Random(0)
    pieces = ("x", "1", " ", ".", ",", ";", ":", "=", "(", ")", "[", "]", "{", "}", "'", '"', "\\", "\n", "\t", "#", "*", "@", "\x1b[", "\u202e",
              "é", "ｅ", "\U0001f600", "if", "def f():", "lambda", "import os", "exec(", "__class__", "<script>", "-->", "]]>", "&amp;", "%s", "{0}",
              "\\N{DIGIT ONE}", "\x00", RUN)
    for _ in range(100):
        yield "".join(chance.choices(pieces, k=chance.randint(1, 7)))
    yield from ("../../etc/passwd", "/etc/passwd", "a/b", "C:\\x", "con", "x" * 5000, "(" * 300, "[" * 300, "\\" * 301)


NAMES = list(dict.fromkeys(names()))
assert len(NAMES) > 250, len(NAMES)


# --- Files, each with all names in one field


class Fc(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 4)

    def forward(self, x):
        return torch.relu(self.fc(x)) + 1.0


def sound():
    path = FOLDER / "sound.pt2"
    torch.export.save(torch.export.export(Fc(), (torch.ones(2, 4),)), path)
    return Archive(path)


LEAF = {"type": None, "context": None, "children_spec": []}
tuple_spec = lambda *items: {"type": "builtins.tuple", "context": "null", "children_spec": list(items)}
dict_spec = lambda keys: {"type": "builtins.dict", "context": json.dumps(keys), "children_spec": [LEAF] * len(keys)}
tensor = lambda name: {"as_tensor": {"name": name}}


class Field:
    """model.json with nodes and inputs put in by hand."""

    def __init__(self, base):
        self.json = copy.deepcopy(base)
        self.graph = self.json["graph_module"]["graph"]
        self.call = self.json["graph_module"]["module_call_graph"][0]["signature"]
        self.relu = next(n for n in self.graph["nodes"] if n["target"] == "torch.ops.aten.relu.default")

    def node(self, made, reads="relu", target="torch.ops.aten.relu.default", more=(), **metadata):
        self.graph["tensor_values"][made] = self.graph["tensor_values"]["relu"]
        self.graph["nodes"].append({**copy.deepcopy(self.relu), "target": target, "name": made, "outputs": [tensor(made)],
                                    "inputs": [{"name": "self", "arg": tensor(reads), "kind": 1}, *more]})
        self.graph["nodes"][-1]["metadata"].update(metadata)

    def input(self, name):
        self.graph["tensor_values"][name] = self.graph["tensor_values"]["x"]
        self.graph["inputs"].append(tensor(name))
        self.json["graph_module"]["signature"]["input_specs"].append({"user_input": {"arg": tensor(name)}})

    def inputs_spec(self, args, kwargs):
        self.call["in_spec"] = json.dumps([1, tuple_spec(tuple_spec(*args), dict_spec(kwargs))])


def node_names(f, names):
    for before, name in zip(["relu", *names], names):
        f.node(name, reads=before)


def targets(f, names):
    for i, name in enumerate(names):
        f.node(f"n{i}", target=name)


def torch_targets(f, names):
    targets(f, [prefix + name for prefix in ("torch.", "torch.ops.", "operator.") for name in names])


def keywords(f, names):
    for i, name in enumerate(names):
        f.node(f"n{i}", more=[{"name": name, "arg": {"as_int": 1}, "kind": 2}])


def strings(f, names):
    for i, name in enumerate(names):
        f.node(f"n{i}", more=[{"name": "", "arg": {"as_string": name}, "kind": 1}])


def operators(f, names):
    for i, name in enumerate(names):
        f.node(f"n{i}", more=[{"name": "", "arg": {"as_operator": name}, "kind": 1}])


def dict_arguments(f, names):
    f.node("n", more=[{"name": "", "arg": {"as_string_to_argument": {name: {"as_string": name} for name in names}}, "kind": 1}])


def input_names(f, names):
    for name in names:
        f.input(name)
    f.json["graph_module"]["module_call_graph"][0]["signature"] = None


def argument_names(f, names):
    for i in range(len(names)):
        f.input(f"i{i}")
    f.call["forward_arg_names"] = ["x", *names]
    f.inputs_spec([LEAF] * (len(names) + 1), [])


def keyword_inputs(f, names):
    for i in range(len(names)):
        f.input(f"i{i}")
    f.call["forward_arg_names"] = ["x", *(f"i{i}" for i in range(len(names)))]
    f.inputs_spec([LEAF], names)


def output_keys(f, names):
    f.graph["outputs"] = [tensor("add")] * len(names)
    f.json["graph_module"]["signature"]["output_specs"] = [{"user_output": {"arg": tensor("add")}}] * len(names)
    f.call["out_spec"] = json.dumps([1, dict_spec(names)])


def named_tuples(f, names):
    f.json["graph_module"]["treespec_namedtuple_fields"] = {name: {"field_names": [name, "a"]} for name in names}


def stack_traces(f, names):
    for i, name in enumerate(names):
        f.node(f"n{i}", stack_trace=f'  File "{name}", line 1, in {name}\n    {name}')


def module_stacks(f, names):
    for i, name in enumerate(names):
        f.node(f"n{i}", nn_module_stack=f"L__self__,,a.B;{name},{name},{name}")


def called_modules(f, names):
    f.json["graph_module"]["module_call_graph"] += [{"fqn": name, "signature": None} for name in names]


def symbols(f, names):
    f.json["range_constraints"] = {name: {"min_val": 1, "max_val": 2} for name in names}


def nested_graphs(f, names):
    inner = {"inputs": [], "outputs": [], "nodes": [], "tensor_values": {}, "sym_int_values": {}, "sym_bool_values": {},
             "is_single_tensor_return": False, "custom_obj_values": {}, "sym_float_values": {}}
    for i, name in enumerate(name for name in names if name and "." not in name):
        f.node(f"n{i}", more=[{"name": "", "arg": {"as_graph": {"name": name, "graph": inner}}, "kind": 1}])


FIELDS = [node_names, targets, torch_targets, keywords, strings, operators, dict_arguments, input_names, argument_names, keyword_inputs,
          output_keys, named_tuples, stack_traces, module_stacks, called_modules, symbols, nested_graphs]


def archive_of(base, field, names, path):
    f = Field(json.loads(base.records[base.name("models/model.json")]))
    field(f, names)
    path.write_bytes(base.bytes({base.name("models/model.json"): json.dumps(f.json)}))
    return path


def parameters(base, names, path):
    """Weights called so, each read by a node."""
    record, weights = base.name("models/model.json"), base.name("weights_config.json")
    f, config = Field(json.loads(base.records[record])), json.loads(base.records[weights])
    entry, specs = config["config"]["fc.weight"], f.json["graph_module"]["signature"]["input_specs"]
    for i, name in enumerate(names):
        config["config"][name] = entry
        f.graph["tensor_values"][f"p{i}"] = f.graph["tensor_values"]["p_fc_weight"]
        f.graph["inputs"].insert(i, tensor(f"p{i}"))
        specs.insert(i, {"parameter": {"arg": {"name": f"p{i}"}, "parameter_name": name}})
        f.node(f"n{i}", reads=f"p{i}")
    path.write_bytes(base.bytes({record: json.dumps(f.json), weights: json.dumps(config)}))
    return path


def pickled(names, path):
    """A state_dict with such keys, and a module with such children."""
    text = lambda value: pickles.text(value) if value.isprintable() else pickles.text(value.encode("utf-8", "replace").decode())
    entries = b"".join(text(name) + pickles.tensor() for name in names)
    path.write_bytes(pickles_file(pickles.call(pickles.name("collections.OrderedDict")) + pickles.MARK + entries + b"u"))
    return path


def pickles_file(value):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("archive/data.pkl", pickles.PROTO2 + value + pickles.STOP)
        archive.writestr("archive/byteorder", "little")
        archive.writestr("archive/version", "3\n")
        archive.writestr("archive/data/0", bytes(48))
    return out.getvalue()


# --- What may come out


def fault(what, text):
    faults.append(f"{what}: {text}")


def fxscope(*arguments):
    """Standard output; a failure must be one line that says so."""
    code, out, err, *_ = commands(*arguments, timeout=120)
    what = " ".join([str(arguments[0]), *(pathlib.Path(str(a)).name for a in arguments[1:])])[:150]
    if code not in (0, 1):
        fault(what, f"exit status {code}: {err[-300:]}")
    if found := CONTROL.search(out + err):
        fault(what, f"{found.group()!r} in {(out + err)[max(0, found.start() - 60):found.end() + 20]!r}")
    # Of a pass: what it did, and how long it took.
    told = re.compile(r"note: |  |[\w-]+: (no change|changed\b).*, [0-9.e-]+ m?s$")
    lines = [line for line in err.splitlines() if not told.match(line)]
    if code and (len(lines) != 1 or not lines[0].startswith("error: ")) or not code and lines:
        fault(what, f"says {lines[:3]}")
    return code, out


def check_python(text, what, imports=frozenset()):
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = text.splitlines()[error.lineno - 1] if isinstance(error, SyntaxError) and error.lineno else ""
        return fault(what, f"is no Python: {error}: {line[:200]!r}")
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NAME and unicodedata.normalize("NFKC", token.string) != token.string:
            fault(what, f"Python reads {token.string!r} otherwise")
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module]
            if set(modules) - imports:
                fault(what, f"imports {modules}")
        for name in (getattr(node, field, None) for field in ("id", "arg", "name")):
            if name in SPOKEN and name not in NAMES:
                fault(what, f"speaks of {name}")


def check_dot(text, what):
    if shutil.which("dot"):
        done = subprocess.run(["dot", "-Tcanon", "-o", os.devnull], input=text.encode("utf-8", "surrogateescape"), capture_output=True)
        if done.returncode or done.stderr:
            fault(what, f"Graphviz: {done.stderr[:200]}")


def check_svg(path, what):
    try:
        for element in xml.etree.ElementTree.parse(path).iter():
            kind = element.tag.rpartition("}")[2]
            if kind not in ("svg", "g", "title", "polygon", "polyline", "path", "text", "ellipse", "tspan"):
                fault(what, f"has the element {kind}")
            if any(key.startswith("on") or "href" in key for key in element.attrib):
                fault(what, f"has the attributes {element.attrib}")
    except xml.etree.ElementTree.ParseError as error:
        fault(what, f"is no XML: {error}")


def look(path):
    """Every command that shows or writes a model."""
    stem, what = path.with_suffix(""), path.stem
    fxscope("info", path)
    fxscope("graph", path)
    fxscope("graph", path, "--format", "tabular")
    status, code = fxscope("code", path)
    if status == 0:
        check_python(code.replace("\ndef forward", "\ndef forward", 1), what + ": code")
        status, text = fxscope("graph", path, "--format", "json")
        status or json.loads(text)
        status, text = fxscope("graph", path, "--format", "dot")
        status or check_dot(text, what + ": graph dot")
        for ending in (".dot", ".svg"):
            picture = stem.with_suffix(ending)
            if fxscope("draw", path, "-o", picture)[0] == 0:
                check_dot(picture.read_text(), what + ": dot") if ending == ".dot" else check_svg(picture, what + ": svg")
        saved = stem.with_suffix(".fxg")
        if fxscope("apply", path, "lint", "-o", saved)[0] == 0 or saved.exists():
            status, again = fxscope("code", saved)
            if status or again != code:
                fault(what, "its .fxg gives other code")
            with zipfile.ZipFile(saved) as archive:
                check_python(archive.read("fxscope/code.py").decode(), what + ": code.py")
    return export(path, stem)


def export(path, folder):
    """The folder, if one is written."""
    status, _ = fxscope("export", path, folder, "--no-verify", "--name", "Net")
    if status:
        if folder.exists():
            fault(path.stem, "is refused after files are written")
        return None
    for file in folder.rglob("*.py"):
        check_python(file.read_text(), f"{path.stem}: {file.name}", IMPORTS | {"module"})
    return folder


def call(folder):
    """In a child: the package is imported, made and called."""
    if child := os.fork():
        os.waitpid(child, 0)
        return
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        sys.path.insert(0, str(folder.parent))
        net = __import__(folder.name).Net()
        net(torch.ones(2, 4))
    except BaseException:
        pass
    os._exit(0)


DANGEROUS = ["os.system", "subprocess.call", "posix.system", "exec", "eval", "__import__", "compile", "open", "breakpoint", "globals",
             "builtins.exec", "builtins.eval", "torch.os.system", "torch.load", "torch.save", "torch.hub.load", "torch.ops.load_library",
             "torch.ops.aten.from_file.default", "torch.from_file", "torch.utils.cpp_extension.load_inline", "torch.serialization.load",
             "torch.sys.exit", "torch.nn.functional.importlib.import_module", "torch.nn.modules.module.torch.os.system",
             "torch.storage._load_from_bytes", "torch._import_dotted_name", "torch.jit.load", "torch.compile", "random._os.system",
             "functools.sys.exit", "operator.attrgetter", "operator.methodcaller", "operator.__builtins__", "math.__loader__.load_module",
             "typing.sys.exit", "collections._sys.exit", "types.FunctionType", "pathlib.Path", "torch.ops.aten.__class__.__init__.x.y",
             "torch.classes.load_library", "torch.distributed.init_process_group", "torch.multiprocessing.spawn",
             "torch._C._jit_pass_inline", "torch.PyTorchFileWriter", "torch.set_default_tensor_type", "getattr"]


def refuse(base, field, name, number):
    """One name in one field where no quoting helps: nothing is written, and the error names a place."""
    path = archive_of(base, field, [name], FOLDER / f"refused_{field.__name__}_{number}.pt2")
    if export(path, path.with_suffix("")):
        fault(path.stem, f"exports {name!r}")


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    base = sound()
    clean = [name for name in NAMES if name]
    files = [archive_of(base, field, clean, FOLDER / f"{field.__name__}.pt2") for field in FIELDS]
    files.append(parameters(base, [name for name in clean if not name.startswith("fc")], FOLDER / "parameters.pt2"))
    files.append(pickled(clean, FOLDER / "pickled.pt"))
    quoted = [archive_of(base, field, clean, FOLDER / f"quoted_{field.__name__}.pt2") for field in (keywords, strings, output_keys)]
    letters = [chr(c) for run in ((0xAA, 0x530), (0x3040, 0x3100), (0x4E00, 0x4E10), (0xAC00, 0xAC10), (0xFF21, 0xFF5B)) for c in range(*run)]
    _, code = fxscope("code", archive_of(base, keywords, letters, FOLDER / "letters.pt2"))
    check_python(code, "letters")
    if "größe = 1" not in fxscope("code", archive_of(base, keywords, ["größe"], FOLDER / "letters.pt2"))[1]:
        fault("letters", "are quoted that need not be")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        folders = list(pool.map(look, files))
        jobs = [pool.submit(refuse, base, targets, name, i) for i, name in enumerate(DANGEROUS)]
        for field in (targets, argument_names, named_tuples, input_names):
            # A class is called by the last part of its name; the rest is a string.
            jobs += [pool.submit(refuse, base, field, name, 100 + i) for i, name in enumerate(clean[:96:8])
                     if field is not named_tuples or not name.rpartition(".")[2].isidentifier()]
        for job in jobs:
            job.result()
        folders += list(pool.map(lambda path: export(path, path.with_suffix("")), quoted))
    for path, folder in zip(quoted, folders[len(files):]):
        if not folder:
            fault(path.stem, "is refused")
    for folder in filter(None, folders):
        call(folder)
    if PWNED.exists():
        fault("a folder", "ran what a name says")
    print("\n".join(faults[:60]), file=sys.stderr)
    print(f"{len(NAMES)} names, {len(files)} files, {sum(map(bool, folders))} folders called; {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
