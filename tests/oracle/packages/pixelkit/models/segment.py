# SPDX-License-Identifier: GPL-3.0-or-later
# A label for each pixel: any network that can be cut by layer names, with a head on one or two of the cuts.
from collections import OrderedDict
from typing import Any, Dict, Optional

from torch import Tensor, nn
from torch.nn import functional as F

from .registry import register
from .resnet import resnet_micro


class LayerTap(nn.ModuleDict):
    """Runs the children of a network one by one and keeps what some of them give."""

    _version = 3
    __annotations__ = {"wanted": Dict[str, str]}

    def __init__(self, network: nn.Module, wanted: Dict[str, str]) -> None:
        children = OrderedDict(network.named_children())
        missing = [name for name in wanted if name not in children]
        if missing:
            raise ValueError(f"the network has no layer {missing[0]}")
        last = max(list(children).index(name) for name in wanted)
        super().__init__({name: child for number, (name, child) in enumerate(children.items()) if number <= last})
        self.wanted = wanted

    def forward(self, x):
        out = OrderedDict()
        for name in self.keys():
            x = self[name](x)
            if (key := self.wanted.get(name)) is not None:
                out.update({key: x})
        return out


class PixelHead(nn.Sequential):
    def __init__(self, inside: int, classes: int) -> None:
        inner = max(2, inside // 2)
        layers = [nn.Conv2d(inside, inner, 3, padding=1, bias=False), nn.BatchNorm2d(inner), nn.ReLU()]
        layers.append(nn.Conv2d(inner, classes, 1))
        super().__init__(*layers)


class Segmenter(nn.Module):
    __constants__ = ["side"]

    def __init__(self, tap: nn.Module, head: nn.Module, side: Optional[nn.Module] = None):
        super().__init__()
        self.tap, self.head, self.side = tap, head, side

    def forward(self, x: Tensor) -> Dict[str, Tensor]:
        size = x.shape[-2:]
        features = self.tap(x)
        result = OrderedDict()
        result["pixels"] = F.interpolate(self.head(features["out"]), size=size, mode="bilinear", align_corners=False)
        if self.side is not None:
            result["side"] = F.interpolate(self.side(features["side"]), size=size, mode="nearest")
        return result


@register("segmenter")
def segmenter(*, classes: int = 2, side: Optional[bool] = None, **options: Any) -> Segmenter:
    network = resnet_micro(**options)
    wanted = {"stage2": "out"}
    if side:
        wanted["stage1"] = "side"
    tap = LayerTap(network, wanted=wanted)
    return Segmenter(tap, PixelHead(8, classes), PixelHead(4, classes) if side else None)
