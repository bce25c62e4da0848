# SPDX-License-Identifier: GPL-3.0-or-later
# A network from a tree of JSON, with builders by name.
# case: {"expr": "Model.from_config(CONFIG)", "inputs": "torch.randn(2, 3, 8, 8)"}
# case: {"expr": "Model.from_config({**CONFIG, 'neck': None, 'head': {'type': 'linear', 'bias': False}})", "inputs": "torch.randn(2, 3, 8, 8)"}
import copy
import json
import string
import textwrap
from collections import ChainMap, Counter, defaultdict, deque
from typing import Dict, List, TypedDict

import torch
from torch import nn

CONFIG = json.loads("""{
  "backbone": [{"type": "conv", "out": 4, "k": 3}, {"type": "act", "name": "relu6"}, {"type": "pool", "k": 2},
               {"type": "conv", "out": 6, "k": 1, "repeat": 2}],
  "neck": {"type": "fpn", "out": 5},
  "head": {"type": "linear", "bias": true}
}""")

BUILDERS = defaultdict(dict)


def builder(group, name=None):
    def deco(fn):
        BUILDERS[group][name or fn.__name__.rstrip("_")] = fn
        return fn
    return deco


@builder("layer")
def conv(cin, *, out, k, **_):
    return nn.Conv2d(cin, out, k, padding=k // 2), out


@builder("layer", "act")
def activation(cin, *, name, **_):
    table = {n.lower(): getattr(nn, n) for n in ("ReLU", "ReLU6", "GELU")}
    return table[name](), cin


@builder("layer")
def pool(cin, *, k, **_):
    return nn.AvgPool2d(k, ceil_mode=True, count_include_pad=False), cin


class FPN(nn.Module):
    def __init__(self, ins: List[int], out: int):
        super().__init__()
        self.lateral = nn.ModuleDict({string.ascii_lowercase[i]: nn.Conv2d(c, out, 1) for i, c in enumerate(ins)})

    def forward(self, feats: Dict[str, torch.Tensor]):
        return {k: self.lateral[k](v) for k, v in feats.items() if k in self.lateral}


class Model(nn.Module):
    def __init__(self, backbone, neck, head):
        super().__init__()
        self.stages, self.neck, self.head = backbone, neck, head

    @classmethod
    def from_config(cls, cfg):
        cfg = copy.deepcopy(cfg)
        cin, counts, widths = 3, Counter(), deque(maxlen=8)
        stages = nn.ModuleDict()
        for entry in cfg["backbone"]:
            kind = entry.pop("type")
            for _ in range(entry.get("repeat", 1)):
                layer, cin = BUILDERS["layer"][kind](cin, **entry)
                counts[kind] += 1
                stages[f"{kind}{counts[kind]:02d}"] = layer
                widths.append(cin)
        neck_cfg = cfg.get("neck") or {}
        neck = FPN([w for w, n in zip(widths, stages) if n.startswith("conv")], neck_cfg["out"]) if neck_cfg else None
        merged = ChainMap({"features": neck_cfg.get("out", cin)}, cfg["head"])
        head = nn.Linear(merged["features"], 2, bias=merged["bias"])
        return cls(stages, neck, head)

    def forward(self, x):
        feats = {}
        for name, stage in self.stages.items():
            x = stage(x)
            if name.startswith("conv"):
                feats[string.ascii_lowercase[len(feats)]] = x
        if self.neck is not None:
            outs = self.neck(feats)
            x = outs[max(outs)]
        pooled = nn.functional.adaptive_avg_pool2d(x, (1, 1)).squeeze(-1).squeeze(-1)
        return {"logits": self.head(pooled), "n": len(feats), **{f"feat_{k}": v.mean() for k, v in feats.items()}}
