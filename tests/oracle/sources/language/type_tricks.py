# SPDX-License-Identifier: GPL-3.0-or-later
# Generics, protocols, overloads, type variables, new types, abstract generic modules.
# case: {"expr": "Net()", "inputs": "torch.randn(2, 3)"}

from typing import Any, Generic, Iterable, NewType, Protocol, TypedDict, TypeVar, overload

import torch
from torch import Tensor, nn

T = TypeVar("T")
M = TypeVar("M", bound=nn.Module)
Size = NewType("Size", int)


class HasScale(Protocol):
    scale: float

    def apply_scale(self, x: Tensor) -> Tensor: ...


class Batch(TypedDict, total=False):
    x: Tensor
    mask: Tensor


class Holder(Generic[T]):
    def __init__(self, item: T) -> None:
        self.item = item

    def get(self) -> T:
        return self.item


@overload
def twice(x: int) -> int: ...
@overload
def twice(x: Tensor) -> Tensor: ...
def twice(x):
    return x * 2


def first(items: "Iterable[T]") -> T:
    return next(iter(items))


class Net(nn.Module, Generic[M]):
    scale: float = 2.0
    holder: Holder[float]

    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(Size(3), Size(2))
        self.holder = Holder[float](0.25)

    def apply_scale(self, x: Tensor) -> Tensor:
        return x * self.scale

    def forward(self, x: Tensor, options: Any = None) -> Batch:
        y = self.apply_scale(self.fc(x)) * self.holder.get()
        batch: Batch = {"x": twice(y), "mask": y > 0}
        return Batch(x=first([batch["x"], y]), mask=batch["mask"])
