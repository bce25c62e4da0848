# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that are broken, in every way that we could think of: fxscope says one line of error and ends, within bounds.

    bad_input.py FORKED_CLI ORACLE

Each case: exit status 1, one line "error: FILE...: ..." on standard error, nothing on standard output, in seconds, and without
memory that the file does not hold. Cases marked "opens" must succeed.
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "support"))
from archives import Archive, walk
from commands import Commands

fxscope, ORACLE = Commands(sys.argv[1]), pathlib.Path(sys.argv[2])
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="bad-input-"))
SECONDS, MEGABYTES, TIMES_SIZE = 20, 210, 25  # of one run, the 70 MB of a process that has just been forked included


def deep(levels):
    return "[" * levels + "]" * levels


def wrong_checksum(data, record):
    """The archive with a bit of the record's content turned over."""
    at = data.find(record[:64])
    return data[: at + 8] + bytes([data[at + 8] ^ 1]) + data[at + 9 :]


def damaged_zips(name, archive, ending):
    """What can be wrong with any zip. `ending`: the record that holds the graph."""
    data, record = archive.original, archive.name(ending)
    yield f"{name} empty", b""
    for part in (1, 2, 3, 4, 10, 22, 30, 64, 100, 1000):
        yield f"{name} first {part} bytes", data[:part]
    for percent in (10, 30, 50, 70, 90, 99):
        yield f"{name} first {percent} percent", data[: len(data) * percent // 100]
    for count in (1, 4, 21, 22, 30, 60):
        yield f"{name} without its last {count} bytes", data[:-count]
    yield f"{name} zeros", bytes(len(data))
    yield f"{name} graph with a wrong checksum", wrong_checksum(data, archive.records[record])
    yield f"{name} without graph", archive.bytes({record: None})
    yield f"{name} graph empty", archive.bytes({record: b""})
    yield f"{name} graph is text", archive.bytes({record: b"hello"})
    yield f"{name} graph is not UTF-8", archive.bytes({record: b'{"a": "\xff\xfe"}'})
    yield f"{name} graph is no object", archive.bytes({record: b"[1, 2]"})
    yield f"{name} graph cut short", archive.bytes({record: archive.records[record][:-100]})
    yield f"{name} graph nested deeply", archive.bytes({record: deep(200_000)})
    yield f"{name} graph nested deeply in objects", archive.bytes({record: '{"a":' * 100_000 + "1" + "}" * 100_000})
    yield f"{name} graph nested and compressed", archive.bytes({record: deep(3_000_000)}, compressed=True)
    for bad in ("../escaped", "/etc/escaped", "a/../../escaped", "..\\escaped", "C:\\escaped", "a\x00b"):
        yield f"{name} record {bad!r}", archive.bytes(extra=[(bad, b"x")])
    # Sizes in the zip's own directory.
    end = data.rfind(b"PK\x05\x06")
    directory = struct.unpack("<I", data[end + 16 : end + 20])[0]
    for offset, what in ((20, "compressed size"), (24, "size"), (42, "offset")):
        for value in (0xFFFFFFFF, 0x7FFFFFFF, 0xFFFFFFF0, len(data)):
            yield f"{name} {what} {value:#x}", data[: directory + offset] + struct.pack("<I", value) + data[directory + offset + 4 :]
    for offset, what in ((8, "count"), (12, "directory size"), (16, "directory offset"), (20, "comment length")):
        yield f"{name} {what} of all ones", data[: end + offset] + b"\xff\xff" + data[end + offset + 2 :]
    yield f"{name} a zip bomb", archive.bytes({record: b" " * 200_000_000 + b"{"}, compressed=True)


def set_first(key, value):
    """Changes the first entry with that key, wherever it is."""

    def change(document):
        for container, at, _ in walk(document):
            if at == key:
                container[at] = value
                return
        raise KeyError(key)

    return change


def set_all(key, value):
    def change(document):
        for container, at, _ in list(walk(document)):
            if at == key:
                container[at] = value

    return change


def damaged_graphs(archive):
    """What a .pt2 can say that makes no sense."""
    graph, weights = "models/model.json", "model_weights_config.json"
    for value in (99, -1, 0, 1 << 40, "seven", None, 2.5):
        yield f"dtype {value}", archive.with_json(weights, set_all("dtype", value))
        yield f"dtype of values {value}", archive.with_json(graph, set_all("dtype", value))
    for value in (1 << 50, 1 << 62, -1, -(1 << 63), "x", None, {}):
        yield f"size {value}", archive.with_json(weights, set_all("sizes", [{"as_int": value}, {"as_int": 16}]))
        yield f"stride {value}", archive.with_json(weights, set_all("strides", [{"as_int": value}, {"as_int": 1}]))
        yield f"offset {value}", archive.with_json(weights, set_all("storage_offset", {"as_int": value}))
    yield "sizes that overflow", archive.with_json(weights, set_all("sizes", [{"as_int": 1 << 32}, {"as_int": 1 << 32}]))
    yield "a million sizes", archive.with_json(weights, set_first("sizes", [{"as_int": 1}] * 1_000_000))
    yield "weight that is not there", archive.with_json(weights, set_all("path_name", "weight_999"))
    yield "weight outside", archive.with_json(weights, set_all("path_name", "../../../etc/passwd"))
    yield "weight cut short", archive.bytes({archive.name("weight_1"): b"1234"})
    yield "no weight records", archive.bytes({n: None for n in archive.records if re.search(r"weight_\d+$", n)})
    yield "no weights table", archive.bytes({archive.name(weights): None})
    yield "weights table is text", archive.bytes({archive.name(weights): b"text"})
    yield "another version", archive.bytes({archive.name("archive_version"): b"999"})
    yield "another schema", archive.with_json(graph, set_all("schema_version", {"major": 99, "minor": 0}))
    yield "no schema", archive.with_json(graph, lambda d: d.pop("schema_version") and None)
    for key in ("graph_module", "graph", "nodes", "inputs", "outputs", "signature", "tensor_values", "input_specs", "output_specs", "module_call_graph"):
        for value in (None, 7, "text", [], {}, [None], [[]]):
            yield f"{key} is {value!r}", archive.with_json(graph, set_first(key, value))
    for key in ("target", "name", "arg", "metadata", "kind"):
        for value in (None, 7, [], {"as_nothing": 1}):
            yield f"every {key} is {value!r}", archive.with_json(graph, set_all(key, value))
    yield "a node that reads itself", archive.with_json(graph, read_later)
    yield "a name that is given twice", archive.with_json(graph, name_twice)
    yield "a tree of 100,000 leaves", archive.with_json(graph, set_first("in_spec", '[1, {"type": "builtins.tuple", "context": "null", "children_spec": [' + ", ".join(['{"type": null, "context": null, "children_spec": []}'] * 100_000) + "]}]"))
    yield "a tree that is nested deeply", archive.with_json(graph, set_all("in_spec", '[1, ' + '{"type": "builtins.tuple", "context": "null", "children_spec": [' * 50_000 + "]}" * 50_000 + "]"))
    yield "a tree that is text", archive.with_json(graph, set_all("in_spec", "text"))


def read_later(document):
    nodes = document["graph_module"]["graph"]["nodes"]
    nodes.append(nodes.pop(0))


def name_twice(document):
    nodes = document["graph_module"]["graph"]["nodes"]
    nodes[1]["outputs"] = nodes[0]["outputs"]


def damaged_own(archive):
    """What an .fxg can say that makes no sense."""
    graph = "model.json"
    yield "own: tensors cut short", archive.bytes({archive.name("tensors.safetensors"): archive.records[archive.name("tensors.safetensors")][:-1000]})
    yield "own: tensors missing", archive.bytes({archive.name("tensors.safetensors"): None})
    yield "own: tensors empty", archive.bytes({archive.name("tensors.safetensors"): b""})
    for size in (0, 1, 1 << 62, (1 << 64) - 1):
        yield f"own: header of {size}", archive.bytes({archive.name("tensors.safetensors"): struct.pack("<Q", size) + b"{}"})
    header = b'{"0":{"dtype":"F32","shape":[1099511627776],"data_offsets":[0,4398046511104]}}'
    yield "own: tensor of terabytes", archive.bytes({archive.name("tensors.safetensors"): struct.pack("<Q", len(header)) + header})
    for key in ("modules", "children", "tensors", "nodes", "args", "format", "version", "signature", "op", "target", "name", "shape", "dtype", "reading_order"):
        for value in (None, -1, 1 << 40, "text", [], [[]], [-1]):
            yield f"own: {key} is {value!r}", archive.with_json(graph, lambda d, k=key, v=value: set_any(d, k, v))
    yield "own: modules in a circle", archive.with_json(graph, circle)


def set_any(document, key, value):
    for container, at, _ in list(walk(document)):
        if at == key:
            container[at] = value


def circle(document):
    document["modules"][1]["children"] = [["again", 0]]


def sound(archive):
    """Files that are odd and yet open."""
    yield "opens: a record more", archive.bytes(extra=[("transformer/extra/readme", b"x")])
    yield "opens: unknown operators", archive.with_json("models/model.json", lambda d: rename_operators(d))
    yield "opens: half a million keys", archive.with_json("models/model.json", lambda d: d.update(x={str(i): 0 for i in range(500_000)}))
    yield "opens: a comment at the end", archive.original[:-2] + struct.pack("<H", 5) + b"hello"


def rename_operators(document):
    for node in document["graph_module"]["graph"]["nodes"]:
        node["target"] = "torch.ops.mine.unknown.default"


def fault(name, path, commands):
    """What is wrong with the answer; None if nothing is. Some damage is met only when a value is needed."""
    may_open = name.startswith("opens")
    size = os.path.getsize(path) / 1e6 if os.path.isfile(path) else 0
    for command in commands:
        try:
            code, out, err, seconds, megabytes = fxscope(*command, path, cpu_seconds=SECONDS, timeout=SECONDS * 3)
        except subprocess.TimeoutExpired:
            return f"hung: {' '.join(command)}"
        lines = [line for line in err.splitlines() if not line.startswith("note: ")]
        said = f"{' '.join(command)}: exit {code}, {megabytes:.0f} MB, {seconds:.1f} s, {err[:500]!r}"
        if code < 0:
            return "crashed: " + said
        if megabytes > MEGABYTES + TIMES_SIZE * size:
            return "took too much memory: " + said
        if code == 0 and not may_open:
            continue
        if may_open and command == commands[0]:
            return None if code == 0 and out else "does not open: " + said
        if code != 1 or out or not err or not lines[0].startswith("error: ") or (command == ["info"] and len(lines) != 1):
            return "is not one line of error: " + said
        if command == ["info"] and pathlib.Path(path).name not in lines[0]:
            return "does not name the file: " + said
        return None
    return None if any(part in name for part in HARMLESS) else "opens and runs, although it is broken"


# Damage that may leave a model which is sound: to parts that are optional, that are there twice, or that zip ignores.
HARMLESS = (
    "without its last", "of all ones", "'a\\x00b'", "tensor_values is None", "tensor_values is {}", "module_call_graph is []",
    "every kind is", "signature is None", "name is 'text'", "reading_order is None", "reading_order is []",
    "tree of 100,000 leaves",
)


def main():
    pt2 = Archive(ORACLE / "transformer.pt2")
    own = FOLDER / "own.fxg"
    made = fxscope("apply", ORACLE / "transformer.pt2", "lint", "-o", own)
    assert made.code == 0, made.err
    own = Archive(own)
    cases = []
    for makes, ending in ((damaged_zips("pt2", pt2, "models/model.json"), "pt2"), (damaged_graphs(pt2), "pt2"), (sound(pt2), "pt2"),
                          (damaged_zips("fxg", own, "model.json"), "fxg"), (damaged_own(own), "fxg")):
        for number, (name, data) in enumerate(makes):
            path = FOLDER / f"{len(cases)}.{ending}"
            path.write_bytes(data)
            cases.append((name, path))
    (FOLDER / "folder.pt2").mkdir()
    (FOLDER / "text.pt2").write_text("hello, I am no model\n" * 100)
    (FOLDER / "pickle.pt2").write_bytes(b"\x80\x02}q\x00.")
    os.mkfifo(FOLDER / "pipe.pt2")
    cases += [("a folder", FOLDER / "folder.pt2"), ("text", FOLDER / "text.pt2"), ("a bare pickle", FOLDER / "pickle.pt2"),
              ("a pipe", FOLDER / "pipe.pt2"), ("a device", pathlib.Path("/dev/zero")), ("nothing", FOLDER / "gone.pt2")]
    if os.geteuid() != 0:
        (FOLDER / "locked.pt2").write_bytes(pt2.original)
        (FOLDER / "locked.pt2").chmod(0)
        cases.append(("no permission", FOLDER / "locked.pt2"))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (name, path), wrong in zip(cases, pool.map(lambda c: fault(c[0], c[1], [["info"], ["run"]]), cases)):
            if wrong:
                failed += 1
                print(f"{name}: {wrong}", flush=True)
    print(f"{len(cases) - failed} of {len(cases)} broken files are refused as they should be")
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    finally:
        shutil.rmtree(FOLDER)
