# SPDX-License-Identifier: GPL-3.0-or-later
# CSEPass: of calls that are the same the first stays, and the others' users read it.
import torch
from torch.fx import Graph, GraphModule, Node
from torch.fx.node import Target
from torch.fx.passes.infra.pass_base import PassBase, PassResult
from torch.utils._pytree import tree_flatten

aten = torch.ops.aten

# What gives something else with each call.
rand_ops = {
    aten.dropout, aten._fused_dropout, aten._standard_gamma, aten.bernoulli, aten.multinomial, aten.native_dropout, aten.normal,
    aten.poisson, aten.binomial, aten.rrelu, aten.rand_like, aten.rand, aten.randint, aten.randn, aten.randperm,
}

# What writes its first argument.
inplace_ops = {aten.add_, aten.sub_, aten.mul_, aten.div_, aten.pow_, aten.lerp_, aten.relu_, aten.sigmoid_, aten.tanh_}


def get_CSE_banned_ops():
    return rand_ops | inplace_ops


class CSEPass(PassBase):
    def __init__(self, banned_ops=None):
        self.banned_ops = set() if banned_ops is None else banned_ops
        super().__init__()

    def _stays(self, node):
        if node.op in ('placeholder', 'output', 'get_attr'):
            return True
        return getattr(node.target, 'overloadpacket', node.target) in self.banned_ops

    def call(self, graph_module):
        graph = Graph()
        copies = {}  # old node -> the node that stands for it now
        first = {}  # (target, hash of its arguments) -> the first such call, and all that makes it what it is

        def flat(arguments):
            leaves, spec = tree_flatten(arguments)
            return tuple(copies.get(leaf, leaf) if isinstance(leaf, Node) else leaf for leaf in leaves), spec

        modified = False
        for node in graph_module.graph.nodes:
            if self._stays(node):
                copies[node] = graph.node_copy(node, lambda n: copies[n])
                continue
            args, kwargs = flat(node.args), flat(node.kwargs)
            call = (node.target, args, kwargs)
            key = (node.target, hash((args[0], kwargs[0])))
            known = first.get(key)
            if known is not None and known[1] == call:
                copies[node] = known[0]
                modified = True
                continue
            copies[node] = graph.node_copy(node, lambda n: copies[n])
            if known is None:
                first[key] = (copies[node], call)
        if not modified:
            return PassResult(graph_module, False)
        return PassResult(GraphModule(graph_module, graph), True)
