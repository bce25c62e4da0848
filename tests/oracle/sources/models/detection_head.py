# SPDX-License-Identifier: GPL-3.0-or-later
# Anchors, a pyramid of features as list, and boxes decoded from offsets.
# case: {"expr": "Detector(anchors=3)", "inputs": "torch.randn(1, 3, 32, 32)"}

import torch
from torch import nn
import torch.nn.functional as F


class FPN(nn.Module):
    def __init__(self, channels, out):
        super().__init__()
        self.inner = nn.ModuleList()
        self.layer = nn.ModuleList()
        for c in channels:
            self.inner.append(nn.Conv2d(c, out, 1))
            self.layer.append(nn.Conv2d(out, out, 3, padding=1))

    def forward(self, xs):
        last = self.inner[-1](xs[-1])
        results = [self.layer[-1](last)]
        for idx in range(len(xs) - 2, -1, -1):
            lateral = self.inner[idx](xs[idx])
            top_down = F.interpolate(last, size=lateral.shape[-2:], mode="nearest")
            last = lateral + top_down
            results.insert(0, self.layer[idx](last))
        return results


class Head(nn.Module):
    def __init__(self, channels, anchors, classes):
        super().__init__()
        self.cls = nn.Conv2d(channels, anchors * classes, 3, padding=1)
        self.box = nn.Conv2d(channels, anchors * 4, 3, padding=1)
        self.classes = classes

    def flatten(self, layer, n):
        b = layer.shape[0]
        layer = layer.reshape(b, -1, n, layer.shape[2], layer.shape[3])
        return layer.permute(0, 3, 4, 1, 2).reshape(b, -1, n)

    def forward(self, features):
        cls = [self.flatten(self.cls(f), self.classes) for f in features]
        box = [self.flatten(self.box(f), 4) for f in features]
        return torch.cat(cls, dim=1), torch.cat(box, dim=1)


class Detector(nn.Module):
    def __init__(self, anchors, classes=2):
        super().__init__()
        self.body = nn.ModuleList([nn.Conv2d(3, 4, 3, 2, 1), nn.Conv2d(4, 6, 3, 2, 1), nn.Conv2d(6, 8, 3, 2, 1)])
        self.fpn = FPN([4, 6, 8], 5)
        self.head = Head(5, anchors, classes)

    def forward(self, x):
        features = []
        for stage in self.body:
            x = stage(x).relu()
            features.append(x)
        scores, deltas = self.head(self.fpn(features))
        dx, dy, dw, dh = deltas.unbind(-1)
        boxes = torch.stack([dx, dy, dx + dw.exp(), dy + dh.clamp(max=4.0).exp()], dim=-1)
        return {"scores": scores.sigmoid().max(-1).values, "labels": scores.argmax(-1), "boxes": boxes}
