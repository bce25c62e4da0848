# SPDX-License-Identifier: GPL-3.0-or-later
# Annotations of every kind stay on placeholders and on the result.
# case: {"expr": "plain", "inputs": "torch.ones(2), 3"}
# case: {"expr": "typed", "inputs": "torch.ones(2), [torch.ones(2)], None"}
# case: {"expr": "builtin_generics", "inputs": "[torch.ones(2)], {'a': torch.ones(2)}"}
# case: {"expr": "strings", "inputs": "torch.ones(2), torch.ones(2)"}
# case: {"expr": "unions", "inputs": "torch.ones(2), 2"}
# case: {"expr": "pairs", "inputs": "torch.ones(2)"}
# case: {"expr": "empty", "inputs": "torch.ones(2)"}
# case: {"expr": "devices", "inputs": "torch.ones(2)"}
# case: {"expr": "named", "inputs": "{'a': [torch.ones(2)]}"}
# case: {"expr": "nested", "inputs": "{'b': torch.ones(2)}"}
# case: {"expr": "Net()", "inputs": "torch.ones(2, 3), None"}

from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

import torch
from torch import nn, Tensor


def plain(x: torch.Tensor, n: int) -> torch.Tensor:
    return x * n


def typed(x: Tensor, xs: List[Tensor], extra: Optional[int] = None) -> Union[Tensor, None]:
    return x + xs[0]


def builtin_generics(xs: list[Tensor], table: dict[str, Tensor]) -> list[Tensor]:
    return [xs[0] + table["a"]]


def strings(x: "Tensor", y: "torch.Tensor") -> "Tensor":
    return x - y


def unions(x: Tensor, n: int | float) -> Tensor | None:
    return x * n


def pairs(x: Any) -> Tuple[Tensor, Tensor]:
    return x, -x


def empty(x: Tensor, y: Tuple[()] = (), z: tuple[()] = ()) -> Tuple[()]:
    return ()


def devices(x: Tensor, where: torch.device = torch.device("cpu"), kind: torch.dtype = None) -> Dict[str, Tuple[torch.device, Optional[Tensor]]]:
    return {"x": x.to(where)}


class Outputs(NamedTuple):
    logits: Tensor
    aux: Optional[Tensor] = None


def named(x: Optional[Dict[str, List[Tensor]]]) -> Outputs:
    return Outputs(x["a"][0], None)


def nested(x: Dict[str, Optional[Tensor]]) -> Dict[str, Union[int, List[Optional[Outputs]]]]:
    return {"a": x["b"]}


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc: nn.Module = nn.Linear(3, 2)
        self.after: Callable[[Tensor], Tensor] = torch.sigmoid

    def forward(self, x: Tensor, sizes: Optional[Sequence[int]] = None) -> Dict[str, Tensor]:
        y: Tensor = self.fc(x)
        return {"y": self.after(y)}
