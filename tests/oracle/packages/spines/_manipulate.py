# SPDX-License-Identifier: GPL-3.0-or-later
# Walks over a network: its modules in order, its parameters in groups, its layers with or without their memory.
import math
import re
from collections import defaultdict
from itertools import chain
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple, Union

import torch
import torch.utils.checkpoint
from torch import nn
from torch.utils.checkpoint import checkpoint as _checkpoint

__all__ = ["walk", "apply_named", "seeded", "groups_of", "checkpointed"]


def walk(module: nn.Module, name: str = "", depth_first: bool = True) -> Iterator[Tuple[str, nn.Module]]:
    if not depth_first and name:
        yield name, module
    for child, inner in module.named_children():
        yield from walk(inner, ".".join((name, child)) if name else child, depth_first)
    if depth_first and name:
        yield name, module


def apply_named(fn: Callable[..., None], module: nn.Module, name: str = "") -> nn.Module:
    for path, inner in walk(module, name):
        fn(module=inner, name=path)
    return module


def seeded(module: nn.Module) -> nn.Module:
    """Numbers that need no chance, each by its place."""
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(torch.linspace(-0.5, 0.5, parameter.numel()).reshape(parameter.shape))
    return module


def groups_of(names: List[str], patterns: Tuple[Tuple[str, Optional[Tuple[int, ...]]], ...]) -> Dict[Tuple, List[str]]:
    """Names that match the same pattern with the same numbers in it stand together, in the order of the patterns."""
    compiled = [(re.compile(pattern), order) for pattern, order in patterns]
    found: Dict[Tuple, List[str]] = defaultdict(list)
    for name in names:
        for rank, (pattern, order) in enumerate(compiled):
            match = pattern.match(name)
            if match:
                numbers = tuple(map(float, chain.from_iterable(filter(None, [match.groups()]))))
                found[(rank, *numbers) if order is None else order].append(name)
                break
        else:
            found[(float("inf"),)].append(name)
    return {key: found[key] for key in sorted(found, key=lambda k: tuple(-1.0 if math.isnan(n) else n for n in k))}


def checkpointed(layers: Union[nn.Sequential, List[nn.Module]], x: torch.Tensor, every: int = 1, **kwargs: Any) -> torch.Tensor:
    steps = list(layers)
    for start in range(0, len(steps), every):
        part = nn.Sequential(*steps[start : start + every])
        x = _checkpoint(part, x, use_reentrant=False, **kwargs)
    return x
