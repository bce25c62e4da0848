# SPDX-License-Identifier: GPL-3.0-or-later
# Convolution and batch normalisation become one convolution, as the tutorial writes it.
# case: fuse_tutorial M() fuse
# case: fuse_plain_pair Pair() fuse
# case: fuse_many_users Shared() fuse
# case: fuse_library M() fuse_by_library

import copy
from typing import Any, Dict, Iterable, Tuple

import torch
import torch.fx as fx
import torch.nn as nn
from torch.fx.experimental import optimization

IMAGE = torch.linspace(-1, 1, 50).reshape(1, 1, 5, 10)
INPUTS = {"M()": (IMAGE,), "Pair()": (IMAGE,), "Shared()": (IMAGE,)}


def shaken(bn):
    bn.running_mean.copy_(torch.linspace(-1, 1, bn.num_features))
    bn.running_var.copy_(torch.linspace(0.5, 2, bn.num_features))
    return bn


class WrappedBatchNorm(nn.Module):
    def __init__(self):
        super().__init__()
        self.mod = shaken(nn.BatchNorm2d(1))

    def forward(self, x):
        return self.mod(x)


class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 1, 1)
        self.bn1 = shaken(nn.BatchNorm2d(1))
        self.conv2 = nn.Conv2d(1, 1, 1)
        self.nested = nn.Sequential(shaken(nn.BatchNorm2d(1)), nn.Conv2d(1, 1, 1))
        self.wrapped = WrappedBatchNorm()

    def forward(self, x):
        x = self.conv1(x)
        x = self.bn1(x)
        x = self.conv2(x)
        x = self.nested(x)
        x = self.wrapped(x)
        return x


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv2d(1, 3, 3, bias=False), shaken(nn.BatchNorm2d(3, affine=False)), nn.ReLU())

    def forward(self, x):
        return self.layers(x)


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3)
        self.bn = shaken(nn.BatchNorm2d(2))

    def forward(self, x):
        y = self.conv(x)
        return self.bn(y) + y


def fuse_conv_bn_eval(conv, bn):
    assert not (conv.training or bn.training), "Fusion only for eval!"
    fused_conv = copy.deepcopy(conv)
    fused_conv.weight, fused_conv.bias = fuse_conv_bn_weights(
        fused_conv.weight, fused_conv.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias)
    return fused_conv


def fuse_conv_bn_weights(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b):
    if conv_b is None:
        conv_b = torch.zeros_like(bn_rm)
    if bn_w is None:
        bn_w = torch.ones_like(bn_rm)
    if bn_b is None:
        bn_b = torch.zeros_like(bn_rm)
    bn_var_rsqrt = torch.rsqrt(bn_rv + bn_eps)
    conv_w = conv_w * (bn_w * bn_var_rsqrt).reshape([-1] + [1] * (len(conv_w.shape) - 1))
    conv_b = (conv_b - bn_rm) * bn_var_rsqrt * bn_w + bn_b
    return torch.nn.Parameter(conv_w), torch.nn.Parameter(conv_b)


def _parent_name(target: str) -> Tuple[str, str]:
    *parent, name = target.rsplit(".", 1)
    return parent[0] if parent else "", name


def replace_node_module(node: fx.Node, modules: Dict[str, Any], new_module: torch.nn.Module):
    assert isinstance(node.target, str)
    parent_name, name = _parent_name(node.target)
    setattr(modules[parent_name], name, new_module)


def matches(pattern: Iterable[type], node: fx.Node, modules: Dict[str, Any]):
    if len(node.args) == 0:
        return False
    for expected_type, current_node in zip(pattern, (node.args[0], node)):
        if not isinstance(current_node, fx.Node) or current_node.op != "call_module":
            return False
        if current_node.target not in modules or type(modules[current_node.target]) is not expected_type:
            return False
    return True


def fuse(fx_model: torch.nn.Module) -> torch.nn.Module:
    before = fx_model(IMAGE)
    modules = dict(fx_model.named_modules())
    new_graph = copy.deepcopy(fx_model.graph)
    for node in new_graph.nodes:
        if matches((nn.Conv2d, nn.BatchNorm2d), node, modules):
            if len(node.args[0].users) > 1:
                print("not fused:", node)
                continue
            conv = modules[node.args[0].target]
            bn = modules[node.target]
            replace_node_module(node.args[0], modules, fuse_conv_bn_eval(conv, bn))
            node.replace_all_uses_with(node.args[0])
            new_graph.erase_node(node)
    fused = fx.GraphModule(fx_model, new_graph)
    print(fused.code)
    print(fused)
    print([n for n, _ in fused.named_buffers()], torch.allclose(before, fused(IMAGE), atol=1e-6))
    return fused


def fuse_by_library(gm):
    fused = optimization.fuse(gm)
    print(fused.code, torch.allclose(gm(IMAGE), fused(IMAGE), atol=1e-6))
    return fused
