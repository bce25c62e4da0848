# SPDX-License-Identifier: GPL-3.0-or-later
# Containers filled, changed and emptied on the way.
# case: {"expr": "forward", "inputs": "torch.ones(3)"}

import copy

import torch


def forward(x):
    cache = {}
    cache["a"] = x + 1
    cache.update(b=x + 2, c=x + 3)
    cache.setdefault("d", []).append(cache.pop("b"))
    items = [x]
    items += [x * 2]
    items.insert(0, x * 3)
    items.extend(cache[k] for k in ("a", "c"))
    items.reverse()
    del items[1]
    shallow = copy.copy(items)
    shallow.append(None)
    merged = cache | {"e": items[0]}
    first, *_ = sorted(merged)
    pairs = list(zip(merged, range(3)))
    merged.pop("c", None)
    indices = [i for i, v in enumerate(items) if v is not x]
    return items[-1], merged["d"][0], first, pairs, indices, len(shallow), items[::-1][0], any([]), all([1]), (x,) * 2
