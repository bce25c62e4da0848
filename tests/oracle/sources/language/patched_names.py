# SPDX-License-Identifier: GPL-3.0-or-later
# torch.fx's own patcher, descriptors of Tensor, and cells of closures, used by a source.
# case: {"expr": "patched", "inputs": "torch.ones(2)"}
# case: {"expr": "patched_twice", "inputs": "torch.ones(2)"}
# case: {"expr": "patched_and_failed", "inputs": "torch.ones(2)"}
# case: {"expr": "patched_again", "inputs": "torch.ones(2)"}
# case: {"expr": "descriptors", "inputs": "torch.ones(2)"}
# case: {"expr": "cells", "inputs": "torch.ones(2)"}
# case: {"expr": "prepared", "inputs": "torch.ones(2)"}

import torch
from torch.fx._symbolic_trace import _Patcher


def scaled(x):
    return x * 2


def shifted(x):
    return x + 2


class Layer:
    def apply(self, x):
        return x - 1


def patched(x):
    with _Patcher() as patcher:
        patcher.patch(globals(), "scaled", shifted)
        patcher.patch_method(Layer, "apply", lambda self, y: y / 2)
        names = {"f": scaled}
        patcher.patch(names, "len", shifted)
        inside = scaled(x) + Layer().apply(x)
        told = patcher.visit_once(Layer), patcher.visit_once(Layer), len(patcher.patches_made), sorted(names)
    return inside, scaled(x), Layer().apply(x), told, sorted(names)


class Lower(Layer):
    pass


def patched_twice(x):
    """What is patched last is taken back first; an inherited method is the class's own while it is patched."""
    names = {"f": scaled}
    with _Patcher() as patcher:
        patcher.patch(names, "f", shifted)
        patcher.patch(names, "f", lambda y: y / 4, deduplicate=False)
        patcher.patch(names, "len", shifted)
        patcher.patch(names, "len", scaled, deduplicate=False)
        patcher.patch_method(Lower, "apply", lambda self, y: y * 7, deduplicate=False)
        inside = names["f"](x) + names["len"](x) + Lower().apply(x) + Layer().apply(x)
        told = len(patcher.patches_made), [type(patch).__name__ for patch in patcher.patches_made], "apply" in vars(Lower)
    return inside, names["f"](x), sorted(names), told, "apply" in vars(Lower), Lower().apply(x)


def patched_and_failed(x):
    names = {"f": scaled}
    try:
        with _Patcher() as patcher:
            patcher.patch(names, "f", shifted)
            patcher.patch_method(Layer, "apply", lambda self, y: y * 7)
            raise ValueError(str(names["f"] is shifted))
    except ValueError as error:
        text = str(error)
    return names["f"](x), Layer().apply(x), text, patcher.patches_made


def patched_again(x):
    names = {"f": scaled}
    with _Patcher() as patcher:
        patcher.patch(names, "f", shifted)
        patcher.patch_method(Layer, "apply", lambda self, y: y * 7)
        first = names["f"](x) + Layer().apply(x)
        patcher.revert_all_patches()
        second = names["f"](x) + Layer().apply(x)
        patcher.reapply_all_patches()
        third = names["f"](x) + Layer().apply(x)
    return first, second, third, names["f"](x) + Layer().apply(x)


def descriptors(x):
    y = torch.ones(3, 2)
    return (x, tuple(torch.Tensor.shape.__get__(y)), torch.Tensor.ndim.__get__(y), torch.Tensor.dtype.__get__(y),
            torch.Tensor.add is torch.Tensor.add, torch.Tensor.T.__get__(y).shape[0], callable(torch.Tensor.shape))


def cells(x):
    factor, shift = 3, [1]

    def inner(y):
        return y * factor + shift[0]

    values = dict(zip(inner.__code__.co_freevars, (cell.cell_contents for cell in inner.__closure__)))
    inner.__closure__[0].cell_contents = 4
    return inner(x), values, descriptors.__closure__


class Meta(type):
    @classmethod
    def __prepare__(mcs, name, bases, **options):
        return {"scale": options.get("scale", 2), "name_of": name}

    def __new__(mcs, name, bases, names, **options):
        return super().__new__(mcs, name, bases, dict(names))


class Made(metaclass=Meta, scale=5):
    twice = scale * 2


class Derived(Made):
    pass


def prepared(x):
    return x * Made.scale, Made.twice, Derived.name_of, Made.__subclasses__()[0].__name__
