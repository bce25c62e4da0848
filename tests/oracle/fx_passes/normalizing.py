# SPDX-License-Identifier: GPL-3.0-or-later
# Graphs written otherwise: arguments by name, types, constants folded, multiplications merged, nothing twice, in place, in order.
# case: normalize_args Net() normalize
# case: normalize_operators functions normalize_operators
# case: annotate_types Net() annotate_types
# case: annotate_functions functions annotate_functions
# case: annotate_items Pair() annotate_items
# case: fold_weights Net() fold
# case: fold_skipping Net() fold_skipping
# case: merge_products products merge
# case: cse_operators operators cse
# case: reinplace_operators operators in_place
# case: sort_again operators sort_again
# case: gradual_types Layers() gradual
# case: observed_pass Net() observed

from typing import List, Tuple

import torch
import torch.fx
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor
from torch.fx.experimental.const_fold import split_const_subgraphs
from torch.fx.experimental.graph_gradual_typechecker import GraphTypeChecker, Refine
from torch.fx.experimental.merge_matmul import merge_matmul
from torch.fx.experimental.normalize import NormalizeArgs, NormalizeOperators
from torch.fx.experimental.schema_type_annotation import AnnotateTypesWithSchema
from torch.fx.experimental.unify_refinements import infer_symbolic_types
from torch.fx.passes.annotate_getitem_nodes import annotate_getitem_nodes
from torch.fx.passes.dialect.common.cse_pass import CSEPass, get_CSE_banned_ops
from torch.fx.passes.graph_transform_observer import GraphTransformObserver
from torch.fx.passes.reinplace import reinplace
from torch.fx.passes.tools_common import legalize_graph, stable_topological_sort
from torch.fx.tensor_type import Dyn, TensorType

ROWS = torch.linspace(-1, 1, 24).reshape(4, 6)
INPUTS = {"Net()": (ROWS,), "functions": (ROWS,), "Pair()": ((ROWS, [2, 3]),), "products": (ROWS, torch.linspace(0, 1, 24).reshape(6, 4)),
          "operators": (ROWS,), "Layers()": (torch.linspace(-1, 1, 64).reshape(2, 2, 4, 4),)}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = nn.Linear(6, 4), nn.Linear(6, 4, bias=False)
        self.scale, self.rate = nn.Parameter(torch.linspace(0, 1, 4)), nn.Parameter(torch.ones(4))
        self.register_buffer("shift", torch.full((4,), 0.25))

    def forward(self, x: Tensor):
        weight = torch.sigmoid(self.scale) * self.rate + self.shift
        y = torch.add(self.one(x), self.two(input=x), alpha=2) * weight
        return F.layer_norm(y, [4]), (self.shift + 1).sum(), torch.nn.functional.gelu(y, approximate="tanh")


class Pair(nn.Module):
    def forward(self, pair: Tuple[Tensor, List[int]]):
        return pair[0] * pair[1][1]


class Layers(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.norm, self.head = nn.Conv2d(2, 3, 3), nn.BatchNorm2d(3), nn.Linear(6, 4)
        self.act, self.pool = nn.ReLU(), nn.AdaptiveAvgPool2d((1, 2))

    def forward(self, x):
        y = self.act(self.norm(self.conv(x)))
        return self.head(torch.flatten(self.pool(y + y), 1))


def functions(x):
    y = F.relu(x) + F.dropout(x, 0.3, False) - F.softmax(x, 1)
    return y.add(x), torch.mul(y, other=2), torch.cat((y, x), dim=1), F.pad(y, (1, 1)), torch.max(y, 1)[0], F.tanhshrink(y)


def products(x, w):
    left, right = torch.matmul(x, w), torch.matmul(x + 1, w)
    return left + right, torch.matmul(torch.relu(x), w), torch.matmul(left, x)


def operators(x):
    ops = torch.ops.aten
    y = ops.add.Tensor(x, 1)
    z = ops.mul.Tensor(ops.sin.default(x), ops.sin.default(x))
    noise = ops.mul.Tensor(ops.zeros_like.default(x), ops.zeros_like.default(x))
    view = ops.view.default(ops.add.Tensor(x, 1), [24])
    return ops.relu.default(ops.add.Tensor(y, 2)), ops.neg.default(z), noise, ops.mul.Tensor(view, 2)


def types(gm):
    print([(node.name, node.type) for node in gm.graph.nodes])


def normalize(gm):
    print(NormalizeArgs(gm, normalize_to_only_use_kwargs=False).transform().code)
    first = list(gm.graph.nodes)[-2]
    print(first.normalized_arguments(gm), first.normalized_arguments(gm, normalize_to_only_use_kwargs=True))
    return NormalizeArgs(gm).transform()


def normalize_operators(gm):
    print(NormalizeOperators(gm).transform().code)
    return NormalizeArgs(gm).transform()


def annotate_types(gm):
    for settings in ({"annotate_functionals": False}, {"annotate_modules": False}, {"annotate_get_attrs": False}, {}):
        made = AnnotateTypesWithSchema(gm, **settings).transform()
        types(made)
    return made


def annotate_functions(gm):
    made = AnnotateTypesWithSchema(gm).transform()
    types(made)
    print(made.code)


def annotate_items(gm):
    annotate_getitem_nodes(gm.graph)
    types(gm)


def folded(gm, **settings):
    made = split_const_subgraphs(gm, **settings)
    print(type(made).__name__, made.fx_const_folded_attrs_name, made.has_folding_been_run)
    print(made.graph)
    if made.const_subgraph_module is not None:
        print(made.const_subgraph_module.graph)
    print([tuple(out.shape) for out in made(*INPUTS["Net()"])], made.has_folding_been_run)
    return made


def fold(gm):
    folded(gm)


def fold_skipping(gm):
    folded(gm, skip_folding_node_fn=lambda node: node.target is torch.sigmoid)
    folded(gm, skip_folding_node_fn=lambda node: True)


def merge(gm):
    return merge_matmul(gm)


def cse(gm):
    result = CSEPass()(gm)
    print(result.modified, len(get_CSE_banned_ops()) > 3)
    print(CSEPass(banned_ops=[torch.ops.aten.sin.default])(gm).graph_module.graph)
    return result.graph_module


def in_place(gm):
    made = reinplace(gm, ROWS.clone())
    made.recompile()
    return made


def sort_again(gm):
    nodes = list(gm.graph.nodes)
    nodes[0].prepend(nodes[4])
    nodes[2].append(nodes[1])
    for sort in (stable_topological_sort, legalize_graph):
        print([node.name for node in sort(gm).graph.nodes])
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    one = graph.call_function(torch.relu, (x,))
    two = graph.call_function(torch.neg, (one,))
    graph.output(two)
    one.args = (two,)
    for sort in (stable_topological_sort, legalize_graph):
        try:
            sort(torch.fx.GraphModule({}, graph))
        except (AssertionError, RuntimeError) as error:
            print(type(error).__name__, error)
    return gm


def gradual(gm):
    x = next(iter(gm.graph.nodes))
    for sizes in ((2, 2, 4, 4), (Dyn, 2, 4, 4), (2, Dyn, Dyn, Dyn)):
        for node in gm.graph.nodes:
            node.type = None
        x.type = TensorType(sizes)
        print(GraphTypeChecker({}, gm).type_check())
        types(gm)
        Refine(gm).refine()
        types(gm)
        infer_symbolic_types(gm)
        types(gm)
    x.type = TensorType((2, 3, 4, 4))
    try:
        GraphTypeChecker({}, gm).type_check()
    except TypeError as error:
        print(error)
    for node in gm.graph.nodes:
        node.type = None


def observed(gm):
    def change(graph):
        for node in list(graph.nodes):
            if node.target is torch.add:
                with graph.inserting_after(node):
                    fresh = graph.call_function(torch.sub, node.args)
                node.replace_all_uses_with(fresh)
                graph.erase_node(node)

    watching = GraphTransformObserver(gm, "swap")
    watching.apply_graph_pass(change)
    with GraphTransformObserver(gm, "more") as watching:
        gm.graph.lint()
    print(watching.passname, [(node.name, [source.pass_name for source in node.meta.get("from_node", ())]) for node in gm.graph.nodes])
    gm.recompile()
    return gm
