# SPDX-License-Identifier: GPL-3.0-or-later
"""Pickles that want to run a program, to eat the machine, or to read where they should not: nothing runs, and each file is
refused with one line or shown inertly, within a bound of time and memory.

    hostile_pickles.py FORKED_CLI

Every payload would make a file, the canary, when a real unpickler read it; the first thing done is to see that it does.
"""

import concurrent.futures
import io
import os
import pathlib
import pickle
import shutil
import struct
import subprocess
import sys
import tempfile
import warnings
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "support"))
from commands import Commands
from pickles import *

fxscope = Commands(sys.argv[1], OMP_NUM_THREADS="1")
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="hostile-"))
CANARY = FOLDER / "canary"
SECONDS, BYTES = 2, 2 << 30  # of processor time, and of memory beyond what a sound file takes
COMMAND = text(f"touch {CANARY}")
PYTHON = text(f"open({str(CANARY)!r}, 'w').close()")


def payloads():
    """Values that run something while they are unpickled."""
    system, evaluate = name("os.system"), name("builtins.eval")
    yield "os.system", call(system, COMMAND)
    yield "posix.system", call(name("posix.system"), COMMAND)
    yield "nt.system", call(name("nt.system"), COMMAND)
    yield "eval", call(evaluate, PYTHON)
    yield "exec", call(name("builtins.exec"), PYTHON)
    yield "__builtin__.eval", call(name("__builtin__.eval"), PYTHON)
    yield "compile", call(evaluate, call(name("builtins.compile"), PYTHON, text("x"), text("eval")))
    yield "__import__", call(call(name("builtins.getattr"), call(name("builtins.__import__"), text("os")), text("system")), COMMAND)
    yield "subprocess.Popen", call(name("subprocess.Popen"), list_of(text("touch"), text(str(CANARY))))
    yield "subprocess.check_output", call(name("subprocess.check_output"), list_of(text("touch"), text(str(CANARY))))
    yield "runpy", call(name("runpy.run_path"), text(str(FOLDER / "evil.py")))
    yield "runpy._run_code", call(name("runpy._run_code"), PYTHON, EMPTY_DICT)
    yield "attrgetter", call(call(name("operator.attrgetter"), text("system")), call(name("importlib.import_module"), text("os")))
    yield "methodcaller", call(call(name("operator.methodcaller"), text("system"), COMMAND), call(name("builtins.__import__"), text("os")))
    yield "importlib", call(name("importlib.import_module"), text("antigravity"))
    yield "webbrowser", call(name("webbrowser.open"), text(f"file://{CANARY}"))
    yield "partial", call(call(name("functools.partial"), system, COMMAND))
    yield "map in list", call(name("builtins.list"), call(name("builtins.map"), system, list_of(COMMAND)))
    yield "torch.load", call(name("torch.load"), text(str(FOLDER / "evil.pt")))
    yield "torch.hub", call(name("torch.hub.load"), text("x/y"), text("z"))
    yield "torch.jit.load", call(name("torch.jit.load"), text(str(FOLDER / "evil.pt")))
    yield "torch.storage", call(name("torch.storage._load_from_bytes"), call(name("_codecs.encode"), text("x"), text("latin1")))
    yield "torch.ops", call(name("torch.ops.load_library"), text(str(FOLDER / "evil.so")))
    yield "numpy", call(name("numpy.core.multiarray._reconstruct"), name("numpy.ndarray"), tuple_of(integer(0)), text("b"))
    yield "numpy object array", call(name("numpy.load"), text(str(FOLDER / "evil.npy")))
    yield "codecs", call(name("codecs.decode"), text("x"), text("rot13"))
    yield "pickle.loads", call(name("pickle.loads"), b"C" + bytes([20]) + bytes(20))
    yield "marshal", call(name("types.FunctionType"), call(name("marshal.loads"), b"C\x01x"), EMPTY_DICT)
    yield "ctypes", call(name("ctypes.CDLL"), text(str(FOLDER / "evil.so")))
    yield "open", call(name("builtins.open"), text(str(CANARY)), text("w"))
    yield "io.open", call(name("io.open"), text(str(CANARY)), text("w"))
    yield "os.unlink", call(name("os.unlink"), text(str(FOLDER / "evil.py")))
    yield "shutil.rmtree", call(name("shutil.rmtree"), text(str(FOLDER)))
    yield "socket", call(name("socket.create_connection"), tuple_of(text("127.0.0.1"), integer(9)))
    yield "urllib", call(name("urllib.request.urlopen"), text("http://127.0.0.1:9/"))
    yield "pty.spawn", call(name("pty.spawn"), list_of(text("touch"), text(str(CANARY))))
    yield "timeit", call(name("timeit.timeit"), PYTHON)
    yield "cProfile", call(name("cProfile.run"), PYTHON)
    yield "bdb", call(call(name("builtins.getattr"), call(name("bdb.Bdb")), text("run")), PYTHON)
    yield "idlelib", call(name("idlelib.pyshell.eval"), PYTHON)
    yield "pip", call(name("pip.main"), list_of(text("install"), text("x")))
    # The other opcodes that make a real unpickler call.
    yield "INST", MARK + COMMAND + b"ios\nsystem\n"
    yield "OBJ", MARK + system + COMMAND + OBJ
    yield "NEWOBJ", system + tuple_of(COMMAND) + NEWOBJ
    yield "NEWOBJ_EX", system + tuple_of(COMMAND) + EMPTY_DICT + NEWOBJ_EX
    yield "STACK_GLOBAL", call(stack_name("os", "system"), COMMAND)
    yield "dotted STACK_GLOBAL", call(stack_name("torch", "serialization.os.system"), COMMAND)
    yield "GLOBAL with dots", call(b"ctorch.serialization\nos.system\n", COMMAND)
    yield "EXT1", b"\x82\x01" + tuple_of(COMMAND) + REDUCE
    yield "EXT4", b"\x84\xff\xff\xff\x7f" + tuple_of(COMMAND) + REDUCE
    yield "BUILD with a __setstate__", instance(name("torch.nn.modules.module.Module"), dict_of(__setstate__=system)) + COMMAND + BUILD
    yield "BUILD with a dict and slots", instance(name("types.SimpleNamespace"), EMPTY_DICT + dict_of(__class__=system) + b"\x86")
    yield "BUILD on a function", system + dict_of(__code__=NONE) + BUILD
    yield "reduce of a reduce", call(call(name("builtins.getattr"), name("os.path"), text("os")), COMMAND)
    yield "a class whose __reduce__ is a string", instance(name("builtins.object"), dict_of(__reduce__=PYTHON))
    yield "reconstructor", call(name("copyreg._reconstructor"), system, name("builtins.object"), NONE)
    yield "add_extension", call(name("copyreg.add_extension"), text("os"), text("system"), integer(1))


def graph_module(code, imports="import os", **body):
    return call(name("torch.fx.graph_module.reduce_graph_module"),
                dict_of(training=TRUE, _parameters=EMPTY_DICT, _buffers=EMPTY_DICT, _modules=EMPTY_DICT, _code=text(code), **body),
                text(imports))


def carriers(payload):
    """A payload in all places of a model."""
    yield "", payload
    yield " in a state_dict", state_dict(weight=tensor(), extra=payload)
    yield " as a name", state_dict(weight=tensor()) + MARK + payload + tensor() + b"u"
    yield " in a module", module(value=payload)
    yield " as a child", module(children=dict_of(child=payload))
    yield " as a class", payload + EMPTY_TUPLE + NEWOBJ + dict_of(_parameters=EMPTY_DICT, _modules=EMPTY_DICT) + BUILD
    yield " as a parameter", module(parameters=dict_of(weight=payload))
    yield " as a storage", state_dict(weight=tensor(of=payload + PERSISTENT))
    yield " as a size", state_dict(weight=tensor(sizes=payload))


def programs():
    """Everything that would run something."""
    for number, (title, payload) in enumerate(payloads()):
        for at, (where, value) in enumerate(carriers(payload)):
            if at < 2 or (number + at) % 4 == 0:  # every payload in some places, every place with some payloads
                yield title + where, zip_file(value)
        yield title + ", legacy", legacy_file(state_dict(weight=tensor(), extra=payload))
    for title, code in (("code of a graph", f"import os\nos.system('touch {CANARY}')\ndef forward(self, x):\n    return x"),
                        ("call in a graph", f"def forward(self, x):\n    __import__('os').system('touch {CANARY}')\n    return x"),
                        ("default in a graph", f"def forward(self, x=open({str(CANARY)!r}, 'w')):\n    return x")):
        yield title, zip_file(graph_module(code))
    for title, line in (("a loop without end", "while True: pass"), ("a power", "n = 10 ** 10 ** 10"), ("a long list", "n = [0] * 10 ** 12"),
                        ("a long text", "n = 'x' * 10 ** 12"), ("recursion", "f = lambda: f(); f()"), ("a tensor of terabytes", "n = torch.ones(10 ** 12)"),
                        ("a list that grows", "n = []\n    while True: n += n or [0]"), ("many nodes", "for i in range(10 ** 9): x = x + 1")):
        yield f"{title} in a graph", zip_file(graph_module(f"def forward(self, x):\n    {line}\n    return x", "import torch"))
    yield "imports of a graph", zip_file(graph_module("def forward(self, x):\n    return x", f"import os; os.system('touch {CANARY}')"))
    yield "tracer of a graph", zip_file(graph_module("def forward(self, x):\n    return x", _tracer_cls=name("os.system")))
    yield "extras of a tracer", zip_file(graph_module("def forward(self, x):\n    return x", _tracer_extras=call(name("os.system"), COMMAND)))
    yield "source of a class", legacy_file(tuple_of(text("module"), name("evil.Net"), text(str(FOLDER / "evil.py")), PYTHON) + PERSISTENT
                                           + EMPTY_TUPLE + NEWOBJ + dict_of(_parameters=EMPTY_DICT, _modules=EMPTY_DICT) + BUILD)
    for protocol in range(6):
        yield f"protocol {protocol}", pickle.dumps(Evil(), protocol)


class Evil:
    def __reduce__(self):
        return os.system, (f"touch {CANARY}",)


def bombs():
    """Small files that stand for much."""
    lists, tuples = b"]q\x00", b")q\x00"
    for level in range(60):
        before, after = bytes([level]), bytes([level + 1])
        lists += b"0](h" + before + b"h" + before + b"eq" + after
        tuples += b"0h" + before + b"h" + before + b"\x86q" + after
    dicts = b"}q\x00"
    for level in range(60):
        dicts += b"0}(K\x00h" + bytes([level]) + b"K\x01h" + bytes([level]) + b"uq" + bytes([level + 1])
    for title, value in (("lists", lists), ("tuples", tuples), ("dicts", dicts)):
        yield f"billions of {title}", zip_file(value)
        yield f"billions of {title} in a module", zip_file(module(value=value))
        yield f"billions of {title} in a state_dict", zip_file(state_dict(weight=tensor(), extra=value))
        yield f"billions of {title}, legacy", legacy_file(value)
    modules = module() + b"q\x00"
    for level in range(60):
        modules += b"0" + module(children=dict_of(a=b"h" + bytes([level]), b=b"h" + bytes([level]))) + b"q" + bytes([level + 1])
    yield "billions of modules", zip_file(modules)
    deep = 1_000_000
    yield "lists in lists", zip_file(b"]" * deep + b"a" * (deep - 1))
    yield "tuples in tuples", zip_file(b")" + b"\x85" * deep)
    yield "dicts in dicts", zip_file(b"}" + b"}K\x00" * (deep // 4) + b"N" + b"s" * (deep // 4))
    yield "lists in lists in a module", zip_file(module(value=b"]" * deep + b"a" * (deep - 1)))
    yield "lists in lists in a state_dict", zip_file(state_dict(weight=tensor(), extra=b"]" * deep + b"a" * (deep - 1)))
    yield "calls in calls", zip_file(b"".join([b"cos\nsystem\nq\x00"] + [b"h\x00"] * 100_000) + b")" + b"R" * 100_000)
    yield "parameters of parameters", zip_file(state_dict(weight=(name("torch._utils._rebuild_parameter")) * 5000 + tensor() + (TRUE + NONE + b"\x87R") * 5000))
    nested = module()
    for _ in range(2000):
        nested = module(children=dict_of(a=nested))
    yield "modules in modules", zip_file(nested)
    yield "names of many modules", zip_file(state_dict(**{".".join("a" * 2000): tensor()}))
    yield "a name of a million dots", zip_file(state_dict(**{"." * 1_000_000: tensor()}))
    yield "marks", zip_file(MARK * deep + NONE)
    yield "nothing but None", zip_file(NONE * 5_000_000)
    yield "nothing but lists", zip_file(EMPTY_LIST * 3_000_000)
    yield "nothing but memo", zip_file(b"N" + b"\x94" * 3_000_000)
    yield "memo far away", zip_file(b"N" + b"".join(b"r" + struct.pack("<I", i * 65537 % (1 << 32)) for i in range(200_000)))
    yield "memo beyond numbers", zip_file(b"Np99999999999999999999999\n")
    yield "memo below zero", zip_file(b"Np-1\ng-1\n")
    yield "memo that is not there", zip_file(b"h\x07")
    yield "DUP", zip_file(b"]" + b"2" * 5_000_000 + b"a" * 100)
    yield "a list in itself", zip_file(b"]q\x00h\x00a")
    yield "a dict in itself", zip_file(b"}q\x00K\x01h\x00s")
    yield "a tuple in itself", zip_file(b"]q\x00h\x00\x85q\x01a0h\x01")
    yield "a module in itself", zip_file(name("torch.nn.modules.module.Module") + b")\x81q\x00" + dict_of(_parameters=EMPTY_DICT, _modules=dict_of(a=b"h\x00")) + BUILD)
    yield "a state_dict in itself", zip_file(call(name("collections.OrderedDict")) + b"q\x00" + text("state_dict") + b"h\x00s" + text("w") + tensor() + b"s")
    yield "an OrderedDict of pairs in itself", zip_file(b"]q\x00" + call(name("collections.OrderedDict"), b"h\x00") + b"q\x010h\x00h\x01a")
    yield "a tensor of itself", zip_file(name("torch._utils._rebuild_parameter") + b"]q\x00" + b"h\x00" + TRUE + NONE + b"\x87R")
    yield "a hundred thousand weights", zip_file(state_dict(**{f"weight{i}": b"h\x00" if i else tensor() + b"q\x00" for i in range(100_000)}))
    yield "a hundred thousand children", zip_file(module() + b"q\x000" + module(children=dict_of(**{f"m{i}": b"h\x00" for i in range(100_000)})))
    yield "a spec that is nested deeply", zip_file(graph_module("def forward(self, x):\n    return x", _in_spec=(name("torch.utils._pytree.TreeSpec") + b")\x81" + MARK + name("builtins.list") + NONE + EMPTY_LIST) * 3000 + NONE))


def lies():
    """Lengths, counts and places that are not so."""
    for title, value in (("str", b"X\xff\xff\xff\xff"), ("long str", b"\x8d" + b"\xff" * 8), ("bytes", b"B\xff\xff\xff\x7f"),
                         ("long bytes", b"\x8e" + b"\xff" * 7 + b"\x7f"), ("bytearray", b"\x96" + b"\xff" * 8),
                         ("int", b"\x8b\xff\xff\xff\x7f"), ("old str", b"T\xff\xff\xff\xff"), ("frame", b"\x95" + b"\xff" * 8 + b"N")):
        yield f"{title} of 4 GB and more", zip_file(value)
        yield f"{title} of 4 GB and more, legacy", legacy_file(value)
    yield "an int of a million digits", zip_file(b"\x8b" + struct.pack("<I", 1_000_000) + b"\x7f" * 1_000_000)
    yield "a line of digits", zip_file(b"I" + b"9" * 1_000_000 + b"\n")
    yield "an int that is none", zip_file(b"Ihello\n")
    yield "a float that is none", zip_file(b"Fhello\n")
    yield "a str without quotes", zip_file(b"Shello\n")
    yield "half an escape", zip_file(b"S'\\x4'\n")
    yield "half a letter", zip_file(b"V\\u12\n")
    yield "protocol 6", zip_file(b"\x80\x06N")
    yield "protocol 255", zip_file(b"\x80\xffN")
    yield "an opcode that is none", zip_file(b"\xff")
    yield "buffers outside", zip_file(b"\x97\x98")
    yield "an empty stack", zip_file(b"0")
    yield "a mark that is missing", zip_file(b"t")
    yield "beyond a mark", zip_file(b"N(R")
    yield "an odd dict", zip_file(b"}(Nu")
    yield "append to a number", zip_file(b"K\x01Na")
    yield "a key that is a list", zip_file(b"}]Ns")
    yield "two roots", zip_file(b"N.N")
    yield "nothing", zip_file(b"")
    everything = zip_file(module(value=list_of(text("a"), integer(1 << 40), call(name("os.system"), COMMAND)), parameters=dict_of(w=tensor())))
    old = legacy_file(module(value=list_of(text("a"), integer(1 << 40), call(name("os.system"), COMMAND)), parameters=dict_of(w=tensor())))
    with zipfile.ZipFile(io.BytesIO(everything)) as archive:
        inner = archive.read("archive/data.pkl")
    for part in range(0, len(inner), max(1, len(inner) // 25)):
        yield f"pickle cut at {part}", zip_file(inner[2:part])
    for part in range(1, len(old), max(1, len(old) // 40)):
        yield f"legacy cut at {part}", old[:part]
    for count in (-1, -(1 << 63), 1 << 40, (1 << 63) - 1):
        yield f"storage of {count}", zip_file(state_dict(weight=tensor(of=storage(count=count))))
        yield f"storage of {count}, legacy", legacy_file(state_dict(weight=tensor()), sizes={"0": count})
        yield f"offset {count}", zip_file(state_dict(weight=tensor(offset=count)))
        yield f"size {count}", zip_file(state_dict(weight=tensor(sizes=(count, 3))))
        yield f"sizes {count}", zip_file(state_dict(weight=tensor(sizes=(count, count, count), strides=(0, 0, 0))))
        yield f"stride {count}", zip_file(state_dict(weight=tensor(strides=(count, 1))))
        yield f"offset {count}, legacy", legacy_file(state_dict(weight=tensor(offset=count)))
        yield f"stride {count}, legacy", legacy_file(state_dict(weight=tensor(strides=(count, 1))))
    yield "one element too far", zip_file(state_dict(weight=tensor(offset=1)))
    yield "sizes without strides", zip_file(state_dict(weight=tensor(strides=(1,))))
    yield "a million dimensions", zip_file(state_dict(weight=tensor(sizes=(1,) * 1_000_000, strides=(0,) * 1_000_000)))
    yield "sizes of text", zip_file(state_dict(weight=tensor(sizes=tuple_of(text("a")))))
    yield "sizes that are themselves", zip_file(state_dict(weight=tensor(sizes=b"]q\x09h\x09a")))
    yield "Size of Size", zip_file(state_dict(weight=tensor(sizes=name("torch.Size") * 3000 + tuple_of(integer(4)) + b"\x85R" * 3000)))
    yield "no storage", zip_file(state_dict(weight=tensor()), storages={})
    yield "no storage, legacy", legacy_file(state_dict(weight=tensor()), storages={})
    yield "a storage twice, legacy", legacy_file(state_dict(weight=tensor()), keys=list_of(text("0"), text("0")))
    yield "a storage of nobody, legacy", legacy_file(state_dict(weight=tensor()), keys=list_of(text("7")))
    yield "keys that are no list, legacy", legacy_file(state_dict(weight=tensor()), keys=NONE)
    for title, reference in (("None", NONE), ("an int", integer(7)), ("text", text("0")), ("a list", EMPTY_LIST), ("itself", b"]q\x09h\x09a"),
                             ("an empty tuple", EMPTY_TUPLE), ("a short tuple", tuple_of(text("storage"))), ("a call", call(name("os.system"), COMMAND)),
                             ("a module", tuple_of(text("module"), name("os.system"), NONE, NONE)), ("another kind", tuple_of(text("package"), text("x"))),
                             ("a storage without type", tuple_of(text("storage"), text("x"), text("0"), text("cpu"), integer(1))),
                             ("a storage of a program", tuple_of(text("storage"), name("os.system"), text("0"), text("cpu"), integer(1))),
                             ("a storage whose key is a number", tuple_of(text("storage"), name("torch.FloatStorage"), integer(0), text("cpu"), integer(1)))):
        yield f"persistent id is {title}", zip_file(state_dict(weight=tensor(of=storage(reference=reference))))
        yield f"persistent id is {title}, legacy", legacy_file(state_dict(weight=tensor(of=storage(reference=reference))))
        yield f"root is persistent, {title}", zip_file(reference + PERSISTENT)
    yield "a line as persistent id", zip_file(state_dict(weight=tensor(of=b"P../../etc/passwd\n")))
    for key in ("../data.pkl", "/etc/passwd", "../../../../etc/passwd", "0\0", "", "."):
        yield f"storage key {key!r}", zip_file(state_dict(weight=tensor(of=storage(key))))
    yield "big-endian", zip_file(state_dict(weight=tensor()), byteorder=b"big")
    yield "big-endian, legacy", legacy_file(state_dict(weight=tensor()), machine=LITTLE_ENDIAN.replace(b"\x88", b"\x89"))
    yield "another version, legacy", legacy_file(state_dict(weight=tensor()), version=1002)
    yield "a version that is text, legacy", MAGIC + PROTO2 + text("1001") + STOP
    yield "magic alone", MAGIC
    yield "quantized without scales", zip_file(state_dict(weight=call(name("torch._utils._rebuild_qtensor"), storage(type_="torch.QInt8Storage"), integer(0),
                                                                      tuple_of(integer(4)), tuple_of(integer(1)), NONE, FALSE)))
    yield "sparse of nothing", zip_file(state_dict(weight=call(name("torch._utils._rebuild_sparse_tensor"), name("torch.sparse_coo"), tuple_of(NONE, NONE, NONE))))
    yield "a tensor of nothing", zip_file(state_dict(weight=call(name("torch._utils._rebuild_tensor_v2"))))
    yield "dtype that is none", zip_file(state_dict(weight=call(name("torch._utils._rebuild_tensor_v3"), storage(type_="torch.storage.UntypedStorage"), integer(0),
                                                                tuple_of(integer(4)), tuple_of(integer(1)), FALSE, NONE, name("torch.os"))))


def zips():
    """What is wrong with the archive around the pickle."""
    value = state_dict(weight=tensor())
    for bad in ("../escaped", "/etc/escaped", "archive/../../escaped", "archive/data/../../../escaped", "..\\escaped"):
        yield f"record {bad!r}", zip_file(value, extra=[(bad, b"x")])
    yield "the pickle twice", zip_file(value, extra=[("archive/data.pkl", PROTO2 + call(name("os.system"), COMMAND) + STOP)])
    yield "a storage twice", zip_file(value, extra=[("archive/data/0", bytes(48))])
    yield "two archives", zip_file(value, extra=[("other/data.pkl", PROTO2 + call(name("os.system"), COMMAND) + STOP)])
    yield "a compressed storage", zip_file(value, compressed=True)
    yield "a zip bomb for a pickle", zip_file(b"N" * 300_000_000, compressed=True)
    yield "a zip bomb for a storage", zip_file(value, storages={"0": bytes(300_000_000)}, compressed=True)
    yield "a zip bomb for the byte order", zip_file(value, byteorder=b"little" * 50_000_000, compressed=True)
    yield "a pickle that is a zip", zip_file(b"C\xff" + zip_file(value)[:255])


def cases():
    for make in (programs, bombs, lies, zips):
        yield from make()


def limited(arguments, address_space):
    return fxscope(*arguments, cpu_seconds=2 * SECONDS, address_space=address_space)


def fault(path, address_space, baseline):
    """What is wrong with how fxscope takes the file; None if nothing is."""
    for command in ("info", "graph"):
        code, out, err, seconds, _ = limited([command, path], address_space)
        errors = [line for line in err.splitlines() if not line.startswith("note: ")]
        said = f"{command}: exit {code}, {seconds:.1f} s, {len(out)} characters, {err[:300]!r}"
        if code not in (0, 1):
            return "crashed or ran out of its bounds: " + said
        if seconds > SECONDS + baseline:
            return "took too long: " + said
        if "not enough memory" in err:
            return "took too much memory: " + said
        if len(out) + len(err) > 3_000_000:
            return "prints without end: " + said
        # An error in Python code shows the line of the code.
        if code == 1 and (out or len(errors) not in (1, 3) or not errors[0].startswith("error: ") or path.name not in errors[0]):
            return "is not one error: " + said
        if code == 0 and (errors or not out):
            return "opens, and says nothing or complains: " + said
    return "something ran" if CANARY.exists() else None


def sound_needs(path):
    """The address space that a sound file needs, and its seconds."""
    limit = 256 << 20
    while True:
        code, out, err, seconds, _ = limited(["info", path], limit)
        if code == 0 and out:
            return limit, seconds
        limit += 256 << 20
        if limit > 64 << 30:
            raise SystemExit(f"a sound file does not open: {err}")


def main():
    warnings.simplefilter("ignore")  # records of the same name are meant
    (FOLDER / "evil.py").write_text(f"open({str(CANARY)!r}, 'w').close()\n")
    subprocess.run([sys.executable, "-c", f"import pickle\npickle.loads({pickle.dumps(Evil())!r})"], check=True)
    if not CANARY.exists():
        raise SystemExit("the canary does not work: Python itself did not make the file")
    CANARY.unlink()
    sound = FOLDER / "sound.pt"
    sound.write_bytes(zip_file(state_dict(weight=tensor())))
    address_space, baseline = sound_needs(sound)
    (FOLDER / "sound_legacy.pt").write_bytes(legacy_file(state_dict(weight=tensor())))
    for path in (sound, FOLDER / "sound_legacy.pt"):
        if "weight  f32[4, 3]" not in limited(["info", path], address_space + BYTES).out:
            raise SystemExit(f"{path.name}, which is sound, is not read")
    files, failed = [], 0
    for number, (title, data) in enumerate(cases()):
        path = FOLDER / f"{number}.pt"
        path.write_bytes(data)
        files.append((title, path))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (title, path), wrong in zip(files, pool.map(lambda f: fault(f[1], address_space + BYTES, baseline), files)):
            if wrong:
                failed += 1
                print(f"{title}: {wrong}", flush=True)
    if CANARY.exists() or not (FOLDER / "evil.py").exists():
        failed += 1
        print("something ran")
    print(f"{len(files) - failed} of {len(files)} hostile files are harmless")
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    finally:
        shutil.rmtree(FOLDER)
