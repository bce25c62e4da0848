# SPDX-License-Identifier: GPL-3.0-or-later
# Loading a state_dict into many layers: buffers, deep trees, lists of parameters, tied weights, other tensors.
# case: {"expr": "counted", "inputs": "torch.ones(1)"}
# case: {"expr": "buffered", "inputs": "torch.ones(1)"}
# case: {"expr": "deep", "inputs": "torch.ones(1)"}
# case: {"expr": "listed", "inputs": "torch.ones(1)"}
# case: {"expr": "tied", "inputs": "torch.ones(1)"}
# case: {"expr": "assigned", "inputs": "torch.ones(1)"}
# case: {"expr": "refused", "inputs": "torch.ones(1)"}

import torch
from torch import nn

net = nn.Sequential(*[nn.Linear(1, 1) for _ in range(2000)])
state = {name: torch.full_like(value, 2.0) for name, value in net.state_dict().items()}
found = net.load_state_dict(state)
wrong = net.load_state_dict({**state, "5.other": torch.ones(1), "9999.weight": torch.ones(1)}, strict=False)
del state["7.bias"]
lacking = net.load_state_dict(state, strict=False)


def counted(x):
    return x + net[1999].weight.item() + len(state), str(found), wrong.unexpected_keys, lacking.missing_keys


def buffered(x):
    norms = nn.Sequential(*[nn.BatchNorm1d(1) for _ in range(500)])
    own = {name: value + 3 for name, value in norms.state_dict().items()}
    loaded = norms.load_state_dict(own)
    del own["499.num_batches_tracked"], own["3.running_mean"]
    rest = norms.load_state_dict(own, strict=False)
    last = norms[499]
    return (x + last.running_mean.item() + last.running_var.item(), last.num_batches_tracked.item(), str(loaded), rest.missing_keys,
            [name for name, _ in last.named_buffers()])


def deep(x):
    top = nn.Linear(1, 1)
    for _ in range(40):
        outer = nn.Module()
        outer.inner, outer.w = top, nn.Parameter(torch.zeros(1))
        top = outer
    own = {name: torch.full_like(value, 4.0) for name, value in top.state_dict().items()}
    names = list(own)
    loaded = top.load_state_dict(own)
    return x + top.get_submodule(".".join(["inner"] * 40)).bias.item() + top.get_parameter("inner.inner.w").item(), names[0], names[-1], str(loaded)


def listed(x):
    holder = nn.Module()
    holder.many = nn.ParameterList([nn.Parameter(torch.zeros(1)) for _ in range(2000)])
    holder.named = nn.ParameterDict({"a": nn.Parameter(torch.zeros(1)), "b": nn.Parameter(torch.zeros(1))})
    own = {name: torch.full_like(value, 5.0) for name, value in holder.state_dict().items()}
    loaded = holder.load_state_dict(own)
    return x + holder.many[1999].item() + holder.named["b"].item(), len(own), str(loaded)


def tied(x):
    pair = nn.Sequential(nn.Linear(1, 1), nn.Linear(1, 1))
    pair[1].weight = pair[0].weight
    own = {name: torch.full_like(value, float(i)) for i, (name, value) in enumerate(pair.state_dict().items())}
    loaded = pair.load_state_dict(own)
    return x + pair[0].weight.item(), pair[0].weight is pair[1].weight, list(own), str(loaded)


def assigned(x):
    layer = nn.Linear(1, 1)
    before = layer.weight
    own = {"weight": torch.full((1, 1), 6.0, dtype=torch.float64), "bias": nn.Parameter(torch.ones(1), requires_grad=False)}
    layer.load_state_dict(own)
    kept = layer.weight is before, layer.weight.dtype, layer.bias.requires_grad
    layer.load_state_dict(own, assign=True)
    return (x + layer.weight.item(), kept, layer.weight is before, layer.weight.dtype, isinstance(layer.weight, nn.Parameter),
            layer.weight.requires_grad, layer.bias is own["bias"], layer.bias.requires_grad)


def refused(x):
    few = nn.Sequential(*[nn.Linear(1, 1) for _ in range(500)])
    own = dict(few.state_dict())
    texts = []
    for change in ({"0.weight": torch.ones(2, 1)}, {"1.bias": torch.ones(3), "2.bias": torch.ones(4)}, {"3.weight": 3}, {"x": torch.ones(1)}, {"4.x.y": torch.ones(1)}):
        try:
            few.load_state_dict({**own, **change})
        except (RuntimeError, TypeError) as error:
            texts.append(f"{type(error).__name__}: {error}")
    try:
        few.load_state_dict({})
    except RuntimeError as error:
        texts.append(f"{len(str(error))} {str(error)[:300]} {str(error)[-100:]}")
    try:
        few.load_state_dict([1])
    except TypeError as error:
        texts.append(str(error))
    return x, texts
