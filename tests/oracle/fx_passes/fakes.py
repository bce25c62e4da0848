# SPDX-License-Identifier: GPL-3.0-or-later
# Values without data: FakeTensorProp, ShapeProp with a fake mode, and FakeTensor itself.
# case: fake_values Net() values
# case: fake_shapes Net() shapes
# case: fake_tensors Net() tensors
# case: fake_functions functions several

import torch
import torch.fx
import torch.nn as nn
from torch._subclasses import FakeTensor, FakeTensorMode
from torch.fx.passes.fake_tensor_prop import FakeTensorProp
from torch.fx.passes.shape_prop import ShapeProp

INPUTS = {"Net()": (torch.ones(2, 3, 5, 5),), "functions": (torch.ones(2, 3), torch.arange(3))}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.head = nn.Conv2d(3, 4, 3), nn.Linear(4, 2)
        self.scale = nn.Parameter(torch.ones(2))
        self.register_buffer("steps", torch.zeros(1, dtype=torch.int64))

    def forward(self, x):
        y = torch.relu(self.conv(x)).mean((2, 3))
        left, right = torch.chunk(self.head(y) * self.scale, 2, dim=1)
        return {"sum": left + right, "steps": self.steps + 1}, y.shape[0], y.argmax(1)


def functions(x, n):
    y = torch.zeros(x.shape[1], dtype=torch.float64, device="cpu") + n
    return y.to(torch.float16), (x > 0).to("cpu"), x.t().contiguous().sum(), torch.ones(2, device=x.device).tolist


def told(value):
    if isinstance(value, FakeTensor):
        return f"{value} {value.device} {value.fake_device} {value.stride()} {value.is_meta} {value.numel()}"
    return type(value).__name__ if not isinstance(value, (tuple, list, dict)) else [told(one) for one in value]


def notes(gm):
    for node in gm.graph.nodes:
        print(node.name, told(node.meta.get("val")), "tensor_meta" in node.meta)


def values(gm):
    mode = FakeTensorMode(allow_non_fake_inputs=True)
    result = FakeTensorProp(gm, mode).propagate_dont_convert_inputs(mode.from_tensor(torch.ones(4, 3, 9, 9)))
    print(result[0]["sum"].shape, result[0]["sum"].device, mode.epoch)
    result = FakeTensorProp(gm, mode).propagate(*INPUTS["Net()"])
    print(result[0]["sum"].shape, result[1], isinstance(result[2], FakeTensor), isinstance(result[2], torch.Tensor))
    notes(gm)
    val = list(gm.graph.nodes)[-2].meta["val"]
    print(val.fake_mode is mode)
    return gm


def shapes(gm):
    with FakeTensorMode(allow_non_fake_inputs=True) as mode:
        ShapeProp(gm, fake_mode=mode).propagate(*INPUTS["Net()"])
    for node in gm.graph.nodes:
        print(node.name, node.meta.get("tensor_meta"))


def tensors(gm):
    mode = FakeTensorMode()
    for tensor in (torch.ones(2, 3), torch.ones(2, 3).t(), torch.arange(3), torch.ones(1, requires_grad=True), torch.ones(1) > 0,
                   torch.empty(2, 0, dtype=torch.float64)):
        fake = mode.from_tensor(tensor)
        print(repr(fake), [fake], fake.shape, fake.stride(), fake.dtype, fake.device, fake.requires_grad, fake.is_cpu, fake.layout)
        print(isinstance(fake, FakeTensor), isinstance(tensor, FakeTensor), mode.from_tensor(fake) is fake, fake.fake_mode is mode)


def several(gm):
    list(gm.graph.nodes)[-1].args = (list(gm.graph.nodes)[-1].args[0][:3],)
    gm.graph.eliminate_dead_code()
    gm.recompile()
    print(FakeTensorProp(gm, FakeTensorMode(allow_non_fake_inputs=True)).propagate(*INPUTS["functions"]))
    notes(gm)
    return gm
