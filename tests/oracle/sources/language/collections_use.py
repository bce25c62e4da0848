# SPDX-License-Identifier: GPL-3.0-or-later
# deque, defaultdict, OrderedDict, Counter and ChainMap around traced values.
# case: {"expr": "forward", "inputs": "torch.ones(3)"}

from collections import Counter, OrderedDict, defaultdict, deque

import torch


def forward(x):
    queue = deque([x], maxlen=3)
    for i in range(4):
        queue.append(queue[-1] + i)
    table = defaultdict(list)
    for i, item in enumerate(queue):
        table[i % 2].append(item)
    ordered = OrderedDict()
    ordered["b"] = table[0][0]
    ordered["a"] = table[1][0]
    ordered.move_to_end("b")
    counts = Counter("abracadabra")
    y = x * counts["a"] + counts.most_common(1)[0][1]
    queue.appendleft(y)
    queue.rotate(1)
    last = queue.pop()
    return list(ordered.items()), last, y, dict(table), sorted(counts.items())
