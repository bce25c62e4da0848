# SPDX-License-Identifier: GPL-3.0-or-later
"""What nodes say of themselves: arguments by name, types, sizes, settings; and the graph as text for Graphviz, or as a picture."""
import copy

import torch
from torch.fx import Graph, Interpreter
from torch.fx.experimental import meta_tracer
from torch.fx.experimental.graph_gradual_typechecker import GraphTypeChecker, Refine
from torch.fx.experimental.normalize import NormalizeArgs
from torch.fx.experimental.schema_type_annotation import AnnotateTypesWithSchema
from torch.fx.experimental.unify_refinements import infer_symbolic_types
from torch.fx.passes.annotate_getitem_nodes import annotate_getitem_nodes
from torch.fx.passes.graph_drawer import FxGraphDrawer
from torch.fx.passes.graph_manipulation import get_size_of_all_nodes
from torch.fx.passes.param_fetch import lift_lowering_attrs_to_nodes
from torch.fx.tensor_type import Dyn, TensorType


def annotate_getitem(graph: Graph):
    """Give what is taken out of a tuple or a list the type that it has there, where the annotation of that says it."""
    annotate_getitem_nodes(graph)


def normalize_arguments(gm: torch.fx.GraphModule, by_name: bool = True):
    """Give the arguments of functions and modules by their names, with defaults; without by-name by position where they can be."""
    return NormalizeArgs(gm, normalize_to_only_use_kwargs=by_name).transform()


def annotate_by_schema(gm: torch.fx.GraphModule, functions: bool = True, modules: bool = True, attributes: bool = True):
    """Give nodes the types that functions, modules and attributes say they return."""
    return AnnotateTypesWithSchema(gm, functions, modules, attributes).transform()


class RetraceOnMeta(Interpreter):
    """Trace the model again with the sizes of its inputs known, which become constants in it."""

    def run(self, *args):
        names = [node.target for node in self.module.graph.nodes if node.op == "placeholder"]
        examples = {name: value.to("meta") for name, value in zip(names, args) if isinstance(value, torch.Tensor)}
        graph = meta_tracer.MetaTracer().trace(copy.deepcopy(self.module).to("meta"), examples)
        return torch.fx.GraphModule(self.module, graph, type(self.module).__name__)


class NodeSizes(Interpreter):
    """Run the model, and print for each node how many bytes its weights and its result take."""

    def run(self, *args):
        get_size_of_all_nodes(self.module, list(args))
        for node in self.module.graph.nodes:
            if hasattr(node, "size_bytes"):
                print(f"{node.name:<24} {node.size_bytes.total_size - node.size_bytes.output_size:>12} {node.size_bytes.output_size:>12}")


class CheckTypes(Interpreter):
    """Check the shapes of inputs, layers and operators against each other, and note what is found as types of the nodes.

    With any-batch the first size of each input may be any.
    """

    def __init__(self, gm, any_batch: bool = False, symbolic: bool = False):
        super().__init__(gm)
        self._any_batch, self._symbolic = any_batch, symbolic

    def run(self, *args):
        given, before = iter(args), {node: node.type for node in self.module.graph.nodes}
        for node in self.module.graph.nodes:
            if node.op == "placeholder":
                sizes = tuple(next(given).shape)
                node.type = TensorType((Dyn, *sizes[1:]) if self._any_batch else sizes)
        GraphTypeChecker({}, self.module).type_check()
        if self._symbolic:
            infer_symbolic_types(self.module)
        else:
            Refine(self.module).refine()
        for node in self.module.graph.nodes:
            print(f"{node.name}: {node.type}")
            node.type = before[node]  # types of this kind are no code


def lowering_attributes(gm: torch.fx.GraphModule):
    """Print what a lowering takes from each layer: its class, its weights and its settings."""
    lift_lowering_attrs_to_nodes(gm)
    for node in gm.graph.nodes:
        for name, value in getattr(node, "attrs_for_lowering", {}).items():
            print(f"{node.name}.{name}: {list(value.shape) if isinstance(value, torch.Tensor) else value}")


def draw(gm: torch.fx.GraphModule, name: str = "graph", parameters: bool = True, arguments: bool = False, svg: bool = False):
    """Print the graph for Graphviz, as FxGraphDrawer has it; with arguments also which nodes a call names, with svg as a picture."""
    drawer = FxGraphDrawer(gm, name, ignore_parameters_and_buffers=not parameters, skip_node_names_in_args=not arguments)
    if svg:
        print(drawer.get_dot_graph().create_svg().decode())
    else:
        for graph in drawer.get_all_dot_graphs().values():
            print(graph.to_string())
