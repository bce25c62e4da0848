#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs our text of torch's Python functions under CPython beside PyTorch's own: results, errors and whether there was a
# warning must be equal in every call of library_function_cases.txt, and every function must be called.
# Usage: check_library_functions.py core/torch/library/torch
import builtins
import importlib
import inspect
import pathlib
import sys
import types
import warnings

import torch
import torch.masked
import torch.signal.windows
import torch.utils.checkpoint


# Where each function is one of the tables; the other modules only answer for what is not here.
TABLED = ("F", "fn", "T", "w", "m")


def load(folder):
    """Our modules under names of their own, so that PyTorch's stay what they are."""
    for name, part in (("ours", ""), ("ours.nn", "nn")):
        package = types.ModuleType(name)
        package.__path__ = [str(folder / part)]
        sys.modules[name] = package
    builtins._default_dtype = torch.get_default_dtype  # which the evaluator supplies
    # What names that are not here stand for is the evaluator's own.
    refusal = sys.modules["_refusal"] = types.ModuleType("_refusal")
    refusal.refuse = lambda module, reason: lambda name: type(name, (), {"__module__": module})
    exec((folder / "__init__.py").read_text(), vars(sys.modules["ours"]))
    names = {"F": ".nn.functional", "fn": ".functional", "T": "._tensor", "top": "", "w": ".signal.windows",
             "m": ".masked", "sp": ".sparse", "jit": ".jit", "ckpt": ".utils.checkpoint", "cuda": ".cuda",
             "comp": ".compiler"}
    return {short: importlib.import_module(f"ours{name}") for short, name in names.items()}


def random_tensor(*sizes):
    return torch.randn(sizes)


def ints(high, *sizes):
    return torch.randint(0, high, sizes)


def chances(*sizes):
    return torch.rand(sizes) * 0.9 + 0.05


def outcome(case, modules):
    """The value or the error, and whether something was warned of."""
    torch.manual_seed(0)
    names = {"t": random_tensor, "i": ints, "c": chances, "torch": torch, **modules}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = eval(case, names)
        except Exception as error:
            value = f"{type(error).__name__}: {error}"
    return value, bool(caught)


def same(ours, theirs):
    if isinstance(theirs, torch.Tensor):
        return (isinstance(ours, torch.Tensor) and ours.dtype == theirs.dtype and ours.shape == theirs.shape
                and torch.equal(torch.nan_to_num(ours.to_dense()), torch.nan_to_num(theirs.to_dense())))
    if isinstance(theirs, (tuple, list)):
        return isinstance(ours, (tuple, list)) and len(ours) == len(theirs) and all(map(same, ours, theirs))
    return type(ours) is type(theirs) and ours == theirs


def is_ours(value):
    """A function that is not there only to refuse, and none of torch.overrides, which sources/language has."""
    elsewhere = "ours._removed", "ours.overrides", "torch.overrides"
    return isinstance(value, types.FunctionType) and value.__module__ not in elsewhere


def uncalled(cases, modules):
    """Functions of ours that no case calls, and public names of PyTorch's that ours lack."""
    text = "\n".join(cases)
    for short in TABLED:
        for name, value in vars(modules[short]).items():
            is_function = is_ours(value) and not name.startswith("_")
            if is_function and f"{short}.{name}(" not in text:
                yield f"no case calls {short}.{name}"
    for name, value in vars(torch.nn.functional).items():
        known = isinstance(value, (types.FunctionType, types.BuiltinFunctionType)) and not name.startswith("_")
        helper = "torch_function" in name or name == "boolean_dispatch"
        if known and not helper and not hasattr(modules["F"], name):
            yield f"torch.nn.functional.{name} is not among ours"


def parameters(function):
    return [(p.name, p.kind, repr(p.default)) for p in inspect.signature(function).parameters.values()]


def other_signatures(modules, theirs):
    """Functions whose parameters or defaults differ from PyTorch's; a chooser takes anything in both."""
    for short in TABLED:
        for name, value in vars(modules[short]).items():
            real = getattr(theirs[short], name, None)
            if not is_ours(value) or not isinstance(real, types.FunctionType):
                continue
            if isinstance(inspect.unwrap(real), types.MethodDescriptorType):
                continue  # around a method in C, which has no signature
            known, ours = parameters(inspect.unwrap(real)), parameters(value)
            if known != ours and [p[0] for p in known] != ["args", "kwargs"]:
                yield f"{short}.{name}: PyTorch takes {known}, ours {ours}"


def main(folder):
    torch.set_warn_always(True)
    modules = load(pathlib.Path(folder).absolute())
    modules["F"].ScalingType = torch.nn.functional.ScalingType
    theirs = {"F": torch.nn.functional, "fn": torch.functional, "T": torch.Tensor, "top": torch,
              "w": torch.signal.windows, "m": torch.masked, "sp": torch.sparse, "jit": torch.jit,
              "ckpt": torch.utils.checkpoint, "cuda": torch.cuda, "comp": torch.compiler}
    lines = (pathlib.Path(__file__).parent / "library_function_cases.txt").read_text().splitlines()
    cases = [line for line in lines if line and not line.startswith("#")]
    faults = [*uncalled(cases, modules), *other_signatures(modules, theirs)]
    for case in cases:
        our_value, we_warn = outcome(case, modules)
        their_value, they_warn = outcome(case, theirs)
        if not same(our_value, their_value) or we_warn != they_warn:
            faults.append(f"{case}\n  PyTorch gives {str(their_value)[:300]}{' and warns' * they_warn}\n"
                          f"  ours gives    {str(our_value)[:300]}{' and warns' * we_warn}")
    if faults:
        sys.exit("\n".join(faults))
    print(f"{len(cases)} calls give what PyTorch gives")


if __name__ == "__main__":
    main(*sys.argv[1:])
