# SPDX-License-Identifier: GPL-3.0-or-later
# Several nodes that become one: by patterns of replace_pattern, by hand into modules and functions, and into a submodule of their own.
# case: fuse_linear_relu Net() fuse_linear_relu
# case: fuse_add_mul arithmetic fuse_fma
# case: fuse_gelu gelu_by_hand fuse_gelu
# case: fuse_gelu_builtin gelu_by_hand fuse_gelu --builtin True
# case: fuse_attention attention fuse_attention
# case: fuse_silu gated fuse_silu
# case: fuse_pad_conv Conv() fuse_pad
# case: fuse_siblings Siblings() fuse_siblings
# case: outline_calls Net() outline
# case: inline_child Outer() inline_child
# case: unfuse_linear Net() unfuse

import math
import operator

import torch
import torch.fx
import torch.nn as nn
import torch.nn.functional as F
from torch.fx import GraphModule, replace_pattern

ROW = torch.linspace(-1, 1, 6).reshape(2, 3)
INPUTS = {"Net()": (ROW,), "arithmetic": (ROW, ROW * 2, ROW + 1), "gelu_by_hand": (ROW,), "attention": (ROW, ROW, ROW + 1), "gated": (ROW,),
          "Conv()": (torch.ones(1, 1, 4, 4),), "Siblings()": (ROW,), "Outer()": (ROW,)}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.act1 = nn.Linear(3, 3), nn.ReLU()
        self.fc2, self.act2 = nn.Linear(3, 3), nn.ReLU()

    def forward(self, x):
        return self.act2(self.fc2(self.act1(self.fc1(x))))


class LinearReLU(nn.Sequential):
    def __init__(self, linear, relu):
        super().__init__(linear, relu)


def arithmetic(x, y, z):
    return (x * y + z) * (z * x + y)


def gelu_by_hand(x):
    return 0.5 * x * (1.0 + torch.erf(x / 1.4142135623730951))


def attention(q, k, v):
    weights = torch.softmax(torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(3), dim=-1)
    return torch.matmul(weights, v)


def gated(x):
    a = x * torch.sigmoid(x)
    return a * torch.sigmoid(a) + torch.sigmoid(x) * x


class Conv(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 1, 3)

    def forward(self, x):
        return self.conv(F.pad(x, (1, 1, 1, 1)))


class Siblings(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(3, 2), nn.Linear(3, 2), nn.Linear(3, 2)

    def forward(self, x):
        return self.q(x) + self.k(x) * self.v(x)


class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.child = torch.fx.symbolic_trace(Siblings())
        self.last = nn.Linear(2, 1)

    def forward(self, x):
        return self.last(self.child(x))


def fuse_linear_relu(gm):
    modules = dict(gm.named_modules())
    for node in gm.graph.nodes:
        if node.op == "call_module" and isinstance(modules[node.target], nn.ReLU):
            before = node.args[0]
            if before.op == "call_module" and isinstance(modules[before.target], nn.Linear) and len(before.users) == 1:
                gm.set_submodule(before.target, LinearReLU(modules[before.target], modules[node.target]))
                node.replace_all_uses_with(before)
                gm.graph.erase_node(node)
                print("fused", before, node)
    gm.delete_all_unused_submodules()
    gm.recompile()
    return torch.fx.symbolic_trace(gm)


def fuse_fma(gm):
    matches = replace_pattern(gm, lambda a, b, c: a * b + c, lambda a, b, c: torch.addcmul(c, a, b))
    print([match.anchor.name for match in matches])


def fuse_gelu(gm, builtin=False):
    def pattern(x):
        return 0.5 * x * (1.0 + torch.erf(x / 1.4142135623730951))

    replace_pattern(gm, pattern, F.gelu if builtin else lambda x: F.gelu(x))
    gm.graph.lint()


def fuse_attention(gm):
    def pattern(q, k, v, scale):
        return torch.matmul(torch.softmax(torch.matmul(q, k.transpose(-2, -1)) / scale, dim=-1), v)

    def replacement(q, k, v, scale):
        return F.scaled_dot_product_attention(q, k, v, scale=1 / scale)

    print(len(replace_pattern(gm, pattern, replacement)))
    literal = math.sqrt(3)
    print(len(replace_pattern(gm, lambda q, k, v: torch.matmul(torch.softmax(torch.matmul(q, k.transpose(-2, -1)) / literal, dim=-1), v),
                              lambda q, k, v: F.scaled_dot_product_attention(q, k, v, scale=1 / literal))))


def fuse_silu(gm):
    for pattern in (lambda x: x * torch.sigmoid(x), lambda x: torch.sigmoid(x) * x):
        print([str(match.nodes_map[match.anchor]) for match in replace_pattern(gm, pattern, lambda x: F.silu(x))])


def fuse_pad(gm):
    for node in gm.graph.find_nodes(op="call_module"):
        pad = node.args[0]
        if pad.target in (F.pad, torch._C._nn.pad) and pad.args[1][0] == pad.args[1][-1]:
            conv = gm.get_submodule(node.target)
            conv.padding = (pad.args[1][0],) * 2
            conv._reversed_padding_repeated_twice = [*pad.args[1]]
            node.args = (pad.args[0],)
            gm.graph.erase_node(pad)
    gm.recompile()
    print(gm)


def fuse_siblings(gm: GraphModule):
    groups = {}
    for node in gm.graph.find_nodes(op="call_module"):
        groups.setdefault(node.args, []).append(node)
    for args, nodes in groups.items():
        linears = [gm.get_submodule(n.target) for n in nodes]
        fused = nn.Linear(linears[0].in_features, sum(m.out_features for m in linears))
        with torch.no_grad():
            fused.weight.copy_(torch.cat([m.weight for m in linears]))
            fused.bias.copy_(torch.cat([m.bias for m in linears]))
        name = "_".join(n.target for n in nodes)
        gm.add_submodule(name, fused)
        with gm.graph.inserting_before(nodes[0]):
            call = gm.graph.call_module(name, args)
            parts = gm.graph.call_method("split", (call, [m.out_features for m in linears]), {"dim": -1})
            for index, node in enumerate(nodes):
                node.replace_all_uses_with(gm.graph.call_function(operator.getitem, (parts, index)))
        for node in nodes:
            gm.graph.erase_node(node)
            gm.delete_submodule(node.target)
    before = torch.fx.symbolic_trace(Siblings())
    gm.graph.lint()
    gm.recompile()
    print(gm.code, type(before(ROW)).__name__, gm(ROW).shape)


def outline(gm):
    nodes = gm.graph.find_nodes(op="call_module")[:2]
    inner = torch.fx.Graph()
    env = {nodes[0].args[0]: inner.placeholder("value")}
    for node in nodes:
        env[node] = inner.node_copy(node, lambda n: env[n])
    inner.output(env[nodes[-1]])
    gm.add_submodule("part", GraphModule(gm, inner, "Part"))
    with gm.graph.inserting_before(nodes[0]):
        call = gm.graph.call_module("part", nodes[0].args)
    nodes[-1].replace_all_uses_with(call)
    for node in reversed(nodes):
        gm.graph.erase_node(node)
        gm.delete_submodule(node.target)
    gm.graph.lint()
    gm.recompile()
    print(gm, type(gm.part).__name__)
    return GraphModule(gm, torch.fx.Tracer().trace(gm))


def inline_child(gm):
    print(gm.graph)

    class Keep(torch.fx.Tracer):
        def is_leaf_module(self, m, name):
            return isinstance(m, GraphModule) or super().is_leaf_module(m, name)

    torch.manual_seed(0)
    root = Outer()
    kept = GraphModule(root, Keep().trace(root))
    print(kept.graph)
    for node in kept.graph.find_nodes(op="call_module", target="child"):
        child = kept.get_submodule(node.target)
        env = dict(zip(child.graph.find_nodes(op="placeholder"), node.args))
        with kept.graph.inserting_before(node):
            for inner in child.graph.nodes:
                if inner.op == "call_module":
                    env[inner] = kept.graph.call_module(f"{node.target}.{inner.target}", torch.fx.map_arg(inner.args, env.__getitem__))
                elif inner.op not in ("placeholder", "output"):
                    env[inner] = kept.graph.node_copy(inner, env.__getitem__)
        node.replace_all_uses_with(env[child.graph.output_node().args[0]])
        kept.graph.erase_node(node)
    kept.graph.lint()
    kept.recompile()
    print(kept.code, str(kept.graph) == str(gm.graph))
    return kept


def unfuse(gm):
    for node in gm.graph.find_nodes(op="call_module"):
        if isinstance(gm.get_submodule(node.target), nn.Linear):
            with gm.graph.inserting_before(node):
                weight = gm.graph.get_attr(f"{node.target}.weight")
                bias = gm.graph.get_attr(f"{node.target}.bias")
                product = gm.graph.call_function(torch.matmul, (node.args[0], gm.graph.call_method("t", (weight,))))
                node.replace_all_uses_with(gm.graph.call_function(torch.add, (product, bias)))
            gm.graph.erase_node(node)
    gm.graph.lint()
    gm.recompile()
    print(gm.code)
