# SPDX-License-Identifier: GPL-3.0-or-later
# Networks written as words: "ir_r2_k3_s2_e4_c16" is an inverted block twice, kernel 3, stride 2, widened by 4, 16 channels.
import re
from copy import deepcopy
from typing import Any, Dict, List

from torch import nn

from .._builder import assemble
from .._registry import register
from ..layers.activations import make_act
from ..layers.conv import make_conv
from ..layers.pool import PoolHead

_WORD = re.compile(
    r"^(?P<kind>ds|ir|cn)(?=_)(?P<options>(?:_(?:[rksc]\d+|e\d+(?:\.\d+)?|se[\d.]+|n[a-z]+|noskip))+)$"
)
_OPTION = re.compile(r"_(?P<key>noskip|se|[rksecn])(?P<value>[\d.]*|[a-z]+)(?=_|$)")
_ACTS = {"re": "relu", "sw": "swish", "tg": "tanh_gate"}


def decode(word: str) -> List[Dict[str, Any]]:
    whole = _WORD.match(word)
    if whole is None:
        raise ValueError(f"cannot read block {word!r}")
    told: Dict[str, str] = {m["key"]: m.group("value") for m in _OPTION.finditer(whole["options"])}
    block = dict(
        kind=whole.group("kind"), kernel=int(told["k"]), stride=int(told.get("s") or 1), outside=int(told["c"]),
        widen=float(told.get("e", 1)), squeeze=float(told.get("se", 0.0)),
        act=_ACTS.get(told.get("n")), skip="noskip" not in told,
    )
    return [deepcopy(block) if not step else {**block, "stride": 1} for step in range(int(told.get("r", 1)))]


class Weigh(nn.Module):
    def __init__(self, width: int, ratio: float):
        super().__init__()
        inner = max(1, round(width * ratio))
        self.reduce, self.expand = nn.Conv2d(width, inner, 1), nn.Conv2d(inner, width, 1)

    def forward(self, x):
        weight = self.expand(self.reduce(x.mean((2, 3), keepdim=True)).relu())
        return x * weight.sigmoid()


class WordBlock(nn.Module):
    def __init__(self, kind, inside, outside, kernel, stride, widen, squeeze, act, skip, padding):
        super().__init__()
        inner = int(inside * widen) if kind == "ir" else inside
        self.skip = skip and stride == 1 and inside == outside
        steps: Dict[str, nn.Module] = {}
        if kind == "cn":
            steps["conv"] = make_conv(inside, outside, kernel, padding, stride=stride)
        else:
            if inner != inside:
                steps["widen"] = make_conv(inside, inner, 1, padding)
                steps["norm0"], steps["act0"] = nn.BatchNorm2d(inner), make_act(act)
            steps["each"] = make_conv(inner, inner, kernel, padding, stride=stride, depthwise=True)
            steps["norm1"], steps["act1"] = nn.BatchNorm2d(inner), make_act(act, inplace=True)
            if squeeze:
                steps["weigh"] = Weigh(inner, squeeze)
            steps["narrow"] = make_conv(inner, outside, 1)
        steps["norm2"] = nn.BatchNorm2d(outside)
        for name, module in steps.items():
            self.add_module(name, module)
        self.order = list(steps)

    def forward(self, x):
        kept = x
        for name in self.order:
            x = self._modules[name](x)
        return kept + x if self.skip else x


class Worded(nn.Module):
    def __init__(self, words: List[List[str]], classes: int = 4, act: str = "re", padding: str = ""):
        super().__init__()
        stages, inside = [], 4
        self.stem = make_conv(3, inside, 3, padding, stride=2)
        for stage in words:
            blocks: List[nn.Module] = []
            for told in (b for word in stage for b in decode(word)):
                told["act"] = told["act"] or _ACTS[act]
                blocks += [WordBlock(inside=inside, padding=padding, **told)]
                inside = told["outside"]
            stages.append(nn.Sequential(*blocks))
        self.blocks = nn.Sequential(*stages)
        self.head = PoolHead(inside, classes)

    def forward(self, x):
        return self.head(self.blocks(self.stem(x)))


@register
def worded_small(pretrained=False, **kwargs):
    words = [["ds_r1_k3_s1_c4_noskip"], ["ir_r2_k3_s2_e2_c6"], ["cn_r1_k1_s1_c8"]]
    return assemble(Worded, "worded_small", pretrained, words=words, **kwargs)


@register
def worded_same(pretrained=False, **kwargs):
    words = [["ir_r1_k3_s2_e1.5_c4_se0.25_ntg"], ["ir_r2_k5_s1_e2_c6_nsw"]]
    return assemble(Worded, "worded_same", pretrained, words=words, padding="same", **kwargs)
