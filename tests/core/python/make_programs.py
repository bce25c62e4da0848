# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the small programs of tests/core/python/programs under CPython and writes what they print.

    make_programs.py FOLDER              writes FOLDER/programs.json
    make_programs.py --library LIBRARY   runs them with the modules of LIBRARY in place of Python's own, and tells
                                         where they then print something else

A file holds many programs, each after a line "# --- name", or "# --- name, since 3.11.7" where Python's own releases before that
print something else, under which it is left out. In programs.json each is {"name", "file", "source",
"output", "error"}; "error" is null or the "Type: message", "Type" without one, of the exception that ended the
program. Only programs of files fails_*.py end so, and each of them does.
"""

import builtins
import contextlib
import io
import json
import pathlib
import re
import sys
import types
import typing
import warnings
import zlib

PROGRAMS = pathlib.Path(__file__).parent / "programs"


def read_programs():
    names = set()
    for path in sorted(PROGRAMS.glob("*.py")):
        parts = re.split(r"^# --- (\w+)(?:, since ([\d.]+))?\n", path.read_text(), flags=re.MULTILINE)[1:]
        for name, since, source in zip(parts[::3], parts[1::3], parts[2::3]):
            assert name not in names, f"{path.name}: a second {name}"
            names.add(name)
            if since and sys.version_info[:3] < tuple(map(int, since.split("."))):
                continue
            yield {"name": name, "file": path.name, "source": source.strip() + "\n"}


def run(program, import_module=None):
    """The output and the error. `import_module`, if given, is what the program has as __import__."""
    names = {"__name__": "__main__", "__builtins__": dict(vars(builtins))}
    if import_module:
        names["__builtins__"]["__import__"] = import_module
    output = io.StringIO()
    error = None
    with contextlib.redirect_stdout(output), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(compile(program["source"], program["name"] + ".py", "exec"), names)
        except BaseException as raised:
            error = ": ".join(filter(None, (type(raised).__name__, str(raised))))
    return output.getvalue(), error


def native_zlib():
    """The evaluator's `_zlib`, over Python's own zlib."""
    native = types.ModuleType("_zlib")
    native._crc32, native._adler32 = zlib.crc32, zlib.adler32
    native._deflate = lambda data, level, wbits: (zlib.compress(data, level, wbits), 1)

    def functions_of(stream):
        def inflate(data):
            try:
                found = stream.decompress(data)
            except zlib.error as error:
                words = re.match(r"Error (-?\d+) while decompressing data: (.*)", str(error))
                return b"", int(words[1]), words[2], 0
            return found, 1 if stream.eof else -5, None, len(data) - len(stream.unused_data)

        return inflate, lambda: functions_of(stream.copy())

    def inflater(wbits):
        try:
            return 0, functions_of(zlib.decompressobj(wbits))
        except ValueError:
            return -2, (None, None)

    native._inflater = inflater
    return native


class Library:
    """The modules of a folder, run by CPython under Python's own names."""

    NATIVE = {"builtins", "math", "operator", "re"}

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.modules = {}
        self.warnings = []
        native = types.ModuleType("_native")
        native._record_warning = lambda text, category: self.warnings.append(f"{category}: {text}")
        native._caller_module = lambda: "__main__"
        native._source_of = lambda value: None
        native._union = lambda a, b: typing.Union[a, b]
        native._is_importing = lambda: True
        native._known_modules = lambda: list(self.modules)
        native._known_module = self.modules.get
        native._set_module = self.modules.__setitem__
        native._forget_module = self.modules.__delitem__
        native._find_source = lambda name: None
        native._run_source = lambda text, path, names: exec(text, names)
        native._import_module = self.load
        native._write_output = lambda text: print(text, end="")
        native._handled = sys.exception
        native._call_stack = lambda: []
        native._traceback_frames = lambda traceback: []
        self.modules["_native"] = native
        self.modules["_zlib"] = native_zlib()

    def load(self, name):
        if name in self.modules:
            return self.modules[name]
        if name in self.NATIVE:
            return __import__(name)
        parent, _, last = name.rpartition(".")
        if parent:
            self.load(parent)
            if name in self.modules:
                return self.modules[name]
        path = self.folder / name.replace(".", "/")
        file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        if not file.exists():
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        module = self.modules[name] = types.ModuleType(name)
        module.__dict__["__builtins__"] = {**vars(builtins), "__import__": self.import_module}
        exec(compile(file.read_text(), str(file), "exec"), module.__dict__)
        if parent:
            setattr(self.load(parent), last, module)
        return module

    def import_module(self, name, globals=None, locals=None, fromlist=(), level=0):
        module = self.load(name)
        for part in fromlist or ():
            if part != "*" and part not in vars(module) and (self.folder / name.replace(".", "/")).is_dir():
                with contextlib.suppress(ModuleNotFoundError):
                    self.load(f"{name}.{part}")
        for at, character in enumerate(name):
            if character == "." and not fromlist:
                self.load(name[:at])
        return module if fromlist else self.load(name.split(".")[0])


def compare(folder):
    differences = 0
    for program in read_programs():
        expected, found = run(program), run(program, Library(folder).import_module)
        if expected != found:
            differences += 1
            print(f"--- {program['file']}: {program['name']}")
            lines = [text.splitlines() + [str(error)] for text, error in (expected, found)]
            for want, got in zip(*lines):
                if want != got:
                    print(f"  python:  {want}\n  library: {got}")
                    break
    print(f"{differences} differences")
    return 1 if differences else 0


def main():
    assert sys.version_info[:2] == (3, 11), "the programs print what Python 3.11 prints"
    if sys.argv[1] == "--library":
        return compare(sys.argv[2])
    programs = list(read_programs())
    for program in programs:
        program["output"], program["error"] = run(program)
        assert bool(program["error"]) == program["file"].startswith("fails_"), (program["name"], program["error"])
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "programs.json").write_text(json.dumps(programs, indent=1))
    print(f"{len(programs)} programs, {sum(1 for program in programs if program['error'])} of them fail")
    return 0


if __name__ == "__main__":
    sys.exit(main())
