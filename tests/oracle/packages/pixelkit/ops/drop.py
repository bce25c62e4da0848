# SPDX-License-Identifier: GPL-3.0-or-later
# Leaves out a whole branch now and then while a network learns. A tracer keeps the function as one call.
import torch
import torch.fx
from torch import Tensor, nn

from .._utils import describe_use

torch.fx.wrap("drop_path")


def drop_path(x: Tensor, chance: float, by: str = "row", training: bool = True) -> Tensor:
    if not torch.jit.is_scripting() and not torch.jit.is_tracing():
        describe_use(drop_path)
    if chance < 0.0 or chance > 1.0:
        raise ValueError(f"chance is {chance}, not from 0 to 1")
    if by not in ["row", "batch"]:
        raise ValueError(f"by is {by!r}, not 'row' or 'batch'")
    if not training or chance == 0.0:
        return x
    keep = 1.0 - chance
    shape = [x.shape[0]] + [1] * (x.ndim - 1) if by == "row" else [1] * x.ndim
    mask = torch.empty(shape, dtype=x.dtype, device=x.device).bernoulli_(keep)
    if keep > 0.0:
        mask.div_(keep)
    return x * mask


class DropPath(nn.Module):
    def __init__(self, chance: float, by: str = "row") -> None:
        super().__init__()
        describe_use(self)
        self.chance = chance
        self.by = by

    def forward(self, x: Tensor) -> Tensor:
        return drop_path(x, self.chance, self.by, self.training)

    def __repr__(self) -> str:
        return f"{self.__class__.__name__}(chance={self.chance}, by={self.by})"
