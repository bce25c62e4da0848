# SPDX-License-Identifier: GPL-3.0-or-later
# FxGraphDrawer: what it says of each node and edge. The package pydot, which it wants, need not be there: a small one is given.
# case: draw_modules Net() draw
# case: draw_functions functions draw_functions
# case: draw_clusters functions draw_clusters
# case: draw_quoting functions draw_quoting

import sys
import types

import torch
import torch.fx
import torch.nn as nn


class Element:
    def __init__(self, *names, **attributes):
        self.names, self.attributes, self.parts = names, attributes, []

    def get_name(self):
        return self.names[0]

    def get_source(self):
        return self.names[0]

    def get_destination(self):
        return self.names[1]

    def get_attributes(self):
        return self.attributes

    def set(self, name, value):
        self.attributes[name] = value

    def add_node(self, part):
        self.parts.append(("node", part))

    def add_edge(self, part):
        self.parts.append(("edge", part))

    def add_subgraph(self, part):
        self.parts.append(("cluster", part))

    def get_nodes(self):
        return [part for kind, part in self.parts if kind == "node"]

    def get_edges(self):
        return [part for kind, part in self.parts if kind == "edge"]

    def get_subgraphs(self):
        return [part for kind, part in self.parts if kind == "cluster"]


sys.modules["pydot"] = types.ModuleType("pydot")
for name in ("Dot", "Node", "Edge", "Cluster"):
    setattr(sys.modules["pydot"], name, Element)

sys.modules.pop("torch.fx.passes.graph_drawer", None)  # made before there was a pydot
from torch.fx.passes.graph_drawer import FxGraphDrawer  # noqa: E402
from torch.fx.passes.shape_prop import ShapeProp  # noqa: E402

INPUTS = {"Net()": (torch.linspace(-1, 1, 100).reshape(2, 2, 5, 5),), "functions": (torch.ones(2, 3), torch.ones(2, 3))}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(2, 3, 3, padding=1)
        self.norm = nn.BatchNorm2d(3)
        self.act = nn.LeakyReLU(0.2)
        self.tail = nn.Sequential(nn.MaxPool2d(2), nn.Flatten(1), nn.Linear(12, 4), nn.Dropout(0.3))
        self.scale = nn.Parameter(torch.ones(4))

    def forward(self, x):
        return self.tail(self.act(self.norm(self.conv(x)))) * self.scale


def functions(x, y):
    left, right = torch.split(x, [1, 1], dim=0)
    z = torch.cat([left, right], 0).reshape((2, 3)) + 0.5
    return {"a": torch.clamp(z, min=0, max=2).permute(1, 0), "b": torch.add(x, y, alpha=2)}, z.sum(dim=[0, 1], keepdim=True)


def told(graph):
    for node in graph.get_nodes():
        print(node.get_name(), node.get_attributes())
    for part in graph.get_subgraphs():
        print("cluster", part.get_attributes(), [node.get_name() for node in part.get_nodes()])
    print([(edge.get_source(), edge.get_destination()) for edge in graph.get_edges()])


def draw(gm):
    told(FxGraphDrawer(gm, "net").get_dot_graph())
    told(FxGraphDrawer(gm, "net", ignore_getattr=True, ignore_parameters_and_buffers=True, dot_graph_shape="box").get_main_dot_graph())
    ShapeProp(gm).propagate(*INPUTS["Net()"])
    graph = torch.fx.Graph()
    graph.output((graph.call_module("part", (graph.placeholder("image"),)), graph.get_attr("scale")))
    parts = torch.fx.GraphModule({"part": gm, "scale": gm.scale}, graph)
    drawer = FxGraphDrawer(parts, "all")
    print(list(drawer.get_all_dot_graphs()))
    told(drawer.get_dot_graph())
    told(drawer.get_submod_dot_graph("part"))


def draw_functions(gm):
    for node in gm.graph.nodes:
        node.meta.pop("stack_trace", None)
    told(FxGraphDrawer(gm, "f").get_dot_graph())
    ShapeProp(gm).propagate(*INPUTS["functions"])
    list(gm.graph.nodes)[3].meta["stack_trace"] = 'File "/home/me/nets/small.py", line 12, in forward\n    return self.act(x)\n'
    told(FxGraphDrawer(gm, "f", skip_node_names_in_args=False, parse_stack_trace=True).get_dot_graph())
    told(FxGraphDrawer(gm, "f", normalize_args=True).get_dot_graph())


def draw_clusters(gm):
    for place, node in enumerate(gm.graph.nodes):
        node.meta["buf_meta"] = types.SimpleNamespace(name=f"buf{place // 3}", n_origin=place // 3)
    told(FxGraphDrawer(gm, "f").get_dot_graph())
    graph = torch.fx.Graph()
    graph.output(graph.call_function(torch.cat, ([graph.placeholder("x")] * 12, 0)))
    told(FxGraphDrawer(torch.fx.GraphModule({}, graph), "long", skip_node_names_in_args=False).get_dot_graph())
    for meta in ("a string", 3):
        list(gm.graph.nodes)[0].meta["tensor_meta"] = meta
        try:
            FxGraphDrawer(gm, "f")
        except RuntimeError as error:
            print(error)


def draw_quoting(gm):
    # Names and texts of a model say nothing to Graphviz: a name with quotes is one name.
    graph = torch.fx.Graph()
    x = graph.placeholder('x"]; evil [label="')
    graph.output(graph.call_method("split", (x, 'a "quoted" \\ {text}\n', "end\\")))
    try:
        made = torch.fx.GraphModule({}, graph)
    except SyntaxError:
        made = types.SimpleNamespace(graph=graph)
    told(FxGraphDrawer(made, 'g"').get_dot_graph())
