# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls operators with arguments out of range, in children whose tensors lie between pages that nothing may touch
(guard_pages.c), with the checks of fxscope before the kernels (core/torch/bind/operator_bounds.h) or without them.

    try_operators.py GUARD_PAGES LIBFXCORE|- [--random] [NAME...]

Without NAME: the calls of operator_cases.py, each with one argument after the other replaced by what does not fit. With
--random: arguments made from the schema of each operator with such a name. Fails where memory is read or written outside
of a tensor. That a kernel divides by zero or reads address 0 is told, and ends a process, but reaches no memory.
"""

import collections
import ctypes
import math
import mmap
import os
import pathlib
import random
import resource
import select
import signal
import struct
import sys
import warnings

HERE = pathlib.Path(__file__).parent

warnings.filterwarnings("ignore")
if os.environ.get("LD_PRELOAD") != sys.argv[1]:
    os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "LD_PRELOAD": sys.argv[1], "OMP_NUM_THREADS": "1"})
import torch

NUMBERS = [-1, -2, 0, 3, 7, 33, 1000, -1000, 1 << 20, -(1 << 20), (1 << 31) - 1, 1 << 33, 1 << 40, -(1 << 62), (1 << 63) - 1]
FLOATS = [0.0, -1.0, 0.5, 3.3, 1e-9, 1e-300, 1e30, 1e300, math.inf, -math.inf, math.nan]
INTEGERS = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8)
SECONDS = 5  # that one call may take
now = mmap.mmap(-1, 8)  # the call that a child is at
guard = ctypes.CDLL(sys.argv[1])


def copied(value):
    if isinstance(value, torch.Tensor):
        return value.detach().clone()
    if isinstance(value, (list, tuple)):
        return [copied(item) for item in value]
    return {key: copied(item) for key, item in value.items()} if isinstance(value, dict) else value


def is_plain(tensor):
    return tensor.layout == torch.strided and not tensor.is_quantized and not tensor.is_nested


def other_tensors(tensor):
    """What a tensor is replaced by: (words, function that makes it)."""
    if tensor.dtype in INTEGERS and tensor.numel():
        limits = torch.iinfo(tensor.dtype)
        for number in NUMBERS:
            number = max(limits.min, min(limits.max, number))
            yield f"of {number}", lambda number=number: torch.full(tensor.shape, number, dtype=tensor.dtype)
            for at in (0, -1):
                def with_one(number=number, at=at):
                    changed = tensor.clone(memory_format=torch.contiguous_format)
                    changed.view(-1)[at] = number
                    return changed
                yield f"with [{at}] = {number}", with_one
    for axis, size in enumerate(tensor.shape):
        for words, length in (("1", 1), ("half", size // 2), ("0", 0)):
            if length < size:
                yield f"with {words} of axis {axis}", lambda axis=axis, length=length: tensor.narrow(axis, 0, length).clone()
        if tensor.numel():
            yield f"three times along {axis}", lambda axis=axis: torch.cat([tensor] * 3, axis)
    yield "of no axis", lambda: torch.zeros((), dtype=tensor.dtype)
    yield "of nothing", lambda: torch.zeros(0, dtype=tensor.dtype)
    yield "of one axis", lambda: tensor.reshape(-1).clone()
    yield "of one axis more", lambda: tensor.unsqueeze(0).clone()
    for dtype in (torch.float32, torch.float64, torch.int64, torch.uint8):
        yield f"of {dtype}", lambda dtype=dtype: tensor.to(dtype)


def others(value):
    if isinstance(value, bool):
        yield "turned", lambda: not value
    elif isinstance(value, int):
        for number in NUMBERS:
            yield str(number), lambda number=number: number
    elif isinstance(value, float):
        for number in FLOATS:
            yield str(number), lambda number=number: number
    elif isinstance(value, (list, tuple)):
        yield "[]", lambda: []
        if value:
            yield "shorter", lambda: copied(value[:-1])
            yield "longer", lambda: copied([*value, value[-1]])
    elif isinstance(value, torch.Tensor):
        yield "None", lambda: None
        if is_plain(value):
            yield from other_tensors(value)


def places(value, path=()):
    yield path, value
    for key, item in (enumerate(value) if isinstance(value, (list, tuple)) else value.items() if isinstance(value, dict) else ()):
        yield from places(item, (*path, key))


def replaced(value, path, fresh):
    if not path:
        return fresh()
    value = list(value) if isinstance(value, tuple) else value
    value[path[0]] = replaced(value[path[0]], path[1:], fresh)
    return value


def changed_calls(args, kwargs):
    """(words, function that gives args and kwargs), the call itself first."""
    call = [list(args), kwargs]
    yield "as it is", lambda: copied(call)
    for path, value in places(call):
        if path and path != (0,) and path != (1,):
            for words, fresh in others(value):
                yield f"{path[1:]} {words}", lambda path=path, fresh=fresh: replaced(copied(call), path, fresh)


def random_tensor(chance):
    shape = [chance.choice([0, 1, 2, 3, 4, 8]) for _ in range(chance.randint(0, 5))]
    dtype = chance.choice([torch.float32] * 6 + [torch.int64] * 4 + [torch.int32, torch.uint8, torch.bool, torch.float64])
    tensor = (torch.randn(shape) * 3).to(dtype)
    if dtype == torch.int64 and tensor.numel() and chance.random() < 0.5:
        tensor.view(-1)[chance.randrange(tensor.numel())] = chance.choice(NUMBERS)
    return tensor


def random_value(kind, chance):
    name = kind.kind()
    if name == "OptionalType":
        return None if chance.random() < 0.5 else random_value(kind.getElementType(), chance)
    if name == "ListType":
        return [random_value(kind.getElementType(), chance) for _ in range(chance.choice([0, 1, 2, 2, 3]))]
    makers = {"TensorType": lambda: random_tensor(chance), "BoolType": lambda: chance.random() < 0.5,
              "IntType": lambda: chance.choice([0, 1, 2, 3, *NUMBERS]), "SymIntType": lambda: chance.choice([0, 1, 2, 3, *NUMBERS]),
              "FloatType": lambda: chance.choice([1.0, *FLOATS]), "NumberType": lambda: chance.choice([0, 1, 2.5, 1 << 40]),
              "StringType": lambda: chance.choice(["", "mean", "sum", "none", "max"]), "DeviceObjType": lambda: torch.device("cpu"),
              "ScalarTypeType": lambda: torch.float32, "LayoutType": lambda: torch.strided, "MemoryFormatType": lambda: torch.contiguous_format,
              "GeneratorType": lambda: None}
    return makers[name]()


def random_calls(op, count=200):
    def made(seed):
        chance, args, kwargs = random.Random(f"{op}{seed}"), [], {}
        for argument in op._schema.arguments:
            value = random_value(argument.type, chance)
            kwargs[argument.name] = value
        return args, kwargs
    made(0)
    return [(f"random call {seed}", lambda seed=seed: made(seed)) for seed in range(count)]


def run_child(op, calls, first, errors):
    os.dup2(errors, 2)
    os.dup2(errors, 1)
    resource.setrlimit(resource.RLIMIT_DATA, (6 << 30, 6 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    guard.guardMemory()
    with torch.no_grad():
        for at in range(first, len(calls)):
            struct.pack_into("q", now, 0, at)
            try:
                args, kwargs = calls[at][1]()
                result = op(*args, **kwargs)
                for item in result if isinstance(result, (list, tuple)) else [result]:
                    if isinstance(item, torch.Tensor) and is_plain(item) and item.numel() < 1 << 16:
                        item.sum()  # a view is read here
            except Exception:
                pass
            args = kwargs = result = item = None
    os._exit(0)


def faults_of(op, calls):
    """(what, words) of each call that ended its process."""
    first = 0
    while first < len(calls):
        ours, theirs = os.pipe()
        child = os.fork()
        if child == 0:
            run_child(op, calls, first, theirs)
        os.close(theirs)
        at, watched = first, os.pidfd_open(child)
        while not select.select([watched], [], [], SECONDS)[0]:
            reached = struct.unpack_from("q", now)[0]
            if reached == at:
                os.kill(child, signal.SIGKILL)
            at = reached
        os.close(watched)
        at, status = struct.unpack_from("q", now)[0], os.waitpid(child, 0)[1]
        os.set_blocking(ours, False)
        said = os.read(ours, 1 << 16).decode(errors="replace") if status else ""
        os.close(ours)
        if status == 0:
            return
        words = [line.split(" ", 1)[1] for line in said.splitlines() if line.startswith("FAULT ")]
        yield words[0] if words else f"status {status}", calls[at][0]
        first = at + 1


def operators(names):
    for name in torch._C._dispatch_get_all_op_names():
        space, _, own = name.partition("::")
        packet, _, overload = own.partition(".")
        if any(each in name for each in names) and space not in ("c10d", "_c10d_functional", "symm_mem", "_dtensor"):
            yield getattr(getattr(getattr(torch.ops, space), packet), overload or "default")


def checked_at_calls():
    """Operators that TorchOperator::call checks and the dispatcher does not: tst_operator_bounds.cpp calls those."""
    table = HERE.parent.parent / "core" / "torch" / "tables" / "operator_bounds.txt"
    rows = [line.split() for line in table.read_text().splitlines() if line.startswith("= ")]
    return {row[1] for row in rows if row[2] == "call"}


def main(words):
    is_random = "--random" in words
    library, *names = [word for word in words if word != "--random"]
    torch.set_num_threads(1)
    torch.manual_seed(0)
    calls = collections.defaultdict(list)
    if is_random:
        for op in operators(names):
            try:
                calls[op] = random_calls(op)
            except (KeyError, RuntimeError):
                print(f"{op}: no arguments can be made for it")
    else:
        import operator_cases
        for op, args, kwargs in operator_cases.cases():
            if any(each in str(op) for each in names or [""]):
                calls[op] += changed_calls(args, kwargs)
    if library != "-":
        ctypes.CDLL(library)
        apart = checked_at_calls()
        calls = {op: each for op, each in calls.items() if str(op).replace(".", "::", 1) not in apart}
    bad = 0
    for op, each in calls.items():
        for what, words in faults_of(op, each):
            isBad = "outside" in what or "beside" in what
            bad += isBad
            print("FAULT" if isBad else "note", f"{op} {words}: {what}", flush=True)
    print(f"{sum(map(len, calls.values()))} calls of {len(calls)} operators")
    sys.exit(f"{bad} reach outside of their tensors" if bad else 0)


if __name__ == "__main__":
    main(sys.argv[2:])
