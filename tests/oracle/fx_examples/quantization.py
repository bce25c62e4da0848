# SPDX-License-Identifier: GPL-3.0-or-later
# The three steps of quantization after training: observers are put in, data goes through, scales are put into the graph.
# case: prepare_observers Net() prepare
# case: calibrate_observers Net() calibrate
# case: convert_weights Net() convert
# case: fake_quantize_aware Net() prepare_qat

import torch
import torch.fx as fx
import torch.nn as nn
import torch.nn.functional as F

DATA = [torch.linspace(-1, 1, 8).reshape(2, 4), torch.linspace(0, 3, 8).reshape(2, 4)]
INPUTS = (DATA[0],)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(4, 3)
        self.fc2 = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc2(F.relu(self.fc1(x))) + 1


class MinMaxObserver(nn.Module):
    def __init__(self):
        super().__init__()
        self.low, self.high = float("inf"), float("-inf")

    def forward(self, x):
        self.low = min(self.low, x.min().item())
        self.high = max(self.high, x.max().item())
        return x

    def scale_zeropoint(self):
        scale = (self.high - self.low) / 255
        return scale, round(-self.low / scale)

    def extra_repr(self):
        return f"low={self.low:.3f}, high={self.high:.3f}"


def observed(gm, make):
    for node in list(gm.graph.nodes):
        if node.op in ("call_module", "placeholder") or node.target is F.relu:
            name = f"{node.name}_observer"
            gm.add_module(name, make())
            with gm.graph.inserting_after(node):
                new = gm.graph.call_module(name, (node,))
                node.replace_all_uses_with(new)
                new.args = (node,)
    gm.graph.lint()
    gm.recompile()


def prepare(gm):
    observed(gm, MinMaxObserver)
    print(gm.code)


def calibrate(gm):
    observed(gm, MinMaxObserver)
    for batch in DATA:
        gm(batch)
    for name, module in gm.named_children():
        print(name, module)


def convert(gm):
    observed(gm, MinMaxObserver)
    for batch in DATA:
        gm(batch)
    modules = dict(gm.named_modules())
    for node in gm.graph.nodes:
        if node.op == "call_module" and isinstance(modules[node.target], MinMaxObserver):
            scale, zero_point = modules[node.target].scale_zeropoint()
            with gm.graph.inserting_before(node):
                values = (node.args[0], round(scale, 4), zero_point, torch.quint8)
                quantized = gm.graph.call_function(torch.quantize_per_tensor, values)
                node.replace_all_uses_with(gm.graph.call_method("dequantize", (quantized,)))
            gm.graph.erase_node(node)
        elif node.op == "call_module":
            weight = modules[node.target].weight
            step = weight.abs().max() / 127
            with torch.no_grad():
                weight.copy_(torch.round(weight / step) * step)
    gm.delete_all_unused_submodules()
    gm.graph.lint()
    gm.recompile()
    print(gm)
    return gm


def prepare_qat(gm):
    for node in gm.graph.find_nodes(op="call_module"):
        with gm.graph.inserting_after(node):
            new = gm.graph.call_function(torch.fake_quantize_per_tensor_affine, (node, 0.05, 0, -128), {"quant_max": 127})
        node.replace_all_uses_with(new, delete_user_cb=lambda user, new=new: user != new)
    gm.recompile()
    print(gm.code, gm(DATA[1]))
