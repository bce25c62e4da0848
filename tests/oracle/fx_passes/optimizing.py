# SPDX-License-Identifier: GPL-3.0-or-later
# Faster inference: torch.fx.experimental.optimization and the layers of torch.utils.mkldnn.
# case: optimize_images Images() optimize
# case: optimize_rows Rows() optimize
# case: optimize_settings Images() optimize_settings
# case: mkldnn_layers Images() mkldnn_layers
# case: optimization_parts Images() parts

import torch
import torch.fx
import torch.nn as nn
import torch.nn.functional as F
from torch.fx.experimental import optimization
from torch.utils import mkldnn

INPUTS = {"Images()": (torch.linspace(-1, 1, 200).reshape(1, 2, 10, 10),), "Rows()": (torch.linspace(-1, 1, 12).reshape(2, 6),)}


def stirred(norm):
    norm.running_mean.copy_(torch.linspace(-0.5, 0.5, norm.num_features))
    norm.running_var.copy_(torch.linspace(0.5, 2, norm.num_features))
    return norm


class Images(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(2, 4, 3, padding=1), stirred(nn.BatchNorm2d(4)), nn.ReLU(), nn.Dropout(0.3))
        self.again = nn.Conv2d(4, 4, 3, padding=1, bias=False)
        self.norm = stirred(nn.BatchNorm2d(4))
        self.pool, self.head = nn.AdaptiveAvgPool2d((1, 1)), nn.Linear(4, 3)

    def forward(self, x):
        y = self.body(x)
        y = torch.relu(self.norm(self.again(y))) + y
        return self.head(torch.flatten(self.pool(y), 1)).tanh()


class Rows(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two, self.norm = nn.Linear(6, 8), nn.Linear(8, 8, bias=False), stirred(nn.BatchNorm1d(8))

    def forward(self, x):
        return F.softmax(self.norm(self.two(F.relu(self.one(x)))), dim=1) * 2 + torch.sigmoid(x).sum()


def kinds(gm):
    print([(name, type(module).__name__) for name, module in gm.named_modules() if name])


def optimize(gm):
    out = optimization.optimize_for_inference(gm)
    kinds(out)
    return out


def optimize_settings(gm):
    print(optimization.optimize_for_inference(gm, {"mkldnn_layout_optimize": False}).code)
    never = {"conv_bn_fuse": False, "remove_dropout": False, "mkldnn_layout_optimize": {"heuristic": lambda part: False}}
    print(optimization.optimize_for_inference(gm, never).code)
    kinds(optimization.optimize_for_inference(gm, never))
    for layout in (True, {}):
        try:
            optimization.optimize_for_inference(gm, {"mkldnn_layout_optimize": layout})
        except RuntimeError as error:
            print(error)
    return optimization.optimize_for_inference(gm, never | {"mkldnn_layout_optimize": {"heuristic": lambda part: True}})


def close(one, other):
    return torch.allclose(one, other, atol=1e-5)


def mkldnn_layers(gm):
    layers = (nn.Linear(4, 3), nn.Linear(4, 3, bias=False), nn.PReLU())
    x = torch.linspace(-1, 1, 8).reshape(2, 4)
    for layer in layers:
        made = mkldnn.to_mkldnn(layer)
        print(type(made).__name__, made.weight.is_mkldnn, made.weight.layout, made.training)
        print(close(made(x), layer(x)), close(made(x.to_mkldnn()).to_dense(), layer(x)), made(x.to_mkldnn()).is_mkldnn)
    images = torch.linspace(0, 1, 48).reshape(1, 3, 4, 4)
    for layer, value in ((nn.Conv1d(3, 2, 2, padding=1), images[0]), (nn.Conv2d(3, 3, 3, stride=2, groups=3), images),
                         (nn.Conv3d(3, 2, 1, bias=False), images[..., None]), (stirred(nn.BatchNorm2d(3)).eval(), images)):
        if value.dim() == 3:
            value = value.reshape(1, 3, 16)
        made = mkldnn.to_mkldnn(layer)
        print(type(made).__name__, close(made(value.to_mkldnn()).to_dense(), layer(value)))
    for wrong in (nn.BatchNorm2d(3), nn.BatchNorm2d(3, affine=False).eval(), nn.BatchNorm2d(3, track_running_stats=False).eval()):
        try:
            mkldnn.to_mkldnn(wrong)
        except AssertionError as error:
            print(error)
    try:
        mkldnn.to_mkldnn(nn.Linear(2, 2), torch.double)
    except AssertionError as error:
        print(error)
    model = nn.Sequential(nn.Linear(4, 4), nn.Sequential(nn.ReLU(), nn.Linear(4, 2)))
    expected = model(x)
    print(close(mkldnn.to_mkldnn(model)(x), expected))
    kinds(model)
    print(mkldnn.to_mkldnn(nn.Linear(4, 4), torch.bfloat16).weight.to_dense().dtype)


def parts(gm):
    nodes = list(gm.graph.nodes)
    part = optimization.extract_subgraph(gm, nodes[2:5], [nodes[1]], [nodes[3], nodes[4]])
    print(part.code)
    sets = optimization.UnionFind(4)
    for number in range(4):
        sets.make_set(number)
    sets.join(0, 1)
    sets.join(3, 2)
    sets.join(0, 3)
    print([sets.find(number) for number in range(4)], sets.size)
    modules = dict(gm.named_modules())
    print([node.name for node in nodes if optimization.matches_module_pattern((nn.Conv2d, nn.BatchNorm2d), node, modules)])
    graph = torch.fx.Tracer().trace(gm)
    old = optimization.modules_to_mkldnn(list(graph.nodes), modules)
    print([type(module).__name__ for module in old], [type(module).__name__ for module in old.values()])
    kinds(gm)
    optimization.reset_modules(list(graph.nodes), modules, old)
    kinds(gm)
    return optimization.remove_dropout(optimization.fuse(gm))
