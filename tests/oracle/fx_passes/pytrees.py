# SPDX-License-Identifier: GPL-3.0-or-later
# Graphs whose arguments were nested: their codegen, their specs, and what runs, copies or transforms them. Readable code.
# case: nested_run f run_nested
# case: nested_made_by_hand f made_by_hand
# case: nested_readable f readable
# case: codegen_of_its_own f own_codegen
# case: numbered_lines f numbered_lines
# case: registered_class f registered_class

import collections
import copy

import torch
import torch.fx
import torch.fx._pytree as fx_pytree
import torch.utils._pytree as pytree
from torch.fx import PH, CodeGen, Graph, GraphModule, Interpreter, Transformer, symbolic_trace
from torch.fx.graph import _BoxedCodeGen, _PyTreeCodeGen, _PyTreeInfo

INPUTS = (torch.tensor([1.0, -2.0]),)
Pair = collections.namedtuple("Pair", "left right")


def f(x):
    return torch.relu(x) + 1


def nested(inp):
    return {"r": inp["a"] + inp["b"][0]}


def make():
    return symbolic_trace(nested, concrete_args={"inp": {"a": PH, "b": [PH]}})


def run_nested(gm):
    g = make()
    given = {"a": 1, "b": [2]}
    print(g(given), Interpreter(g).run(given))
    print(g.graph.process_inputs(given), g.graph.process_outputs([3]), g.graph.process_outputs(3))
    print(g._in_spec, g._out_spec, sep="\n")
    print(type(g.graph._codegen).__name__, isinstance(g.graph._codegen, CodeGen), g.graph._codegen.pytree_info.orig_args)
    for other in (Transformer(g).transform(), copy.deepcopy(g), GraphModule(g, copy.deepcopy(g.graph))):
        print(other.code, other(given), type(other.graph._codegen).__name__)
    g.graph.set_codegen(CodeGen())
    g.recompile()
    print(g.code, g(1, 2))
    g = make()
    g.graph._codegen = CodeGen()
    g.recompile()
    print(g.code, g(1, 2), g.graph.process_inputs(1, 2))


class Net(torch.nn.Module):
    def forward(self, x, pair):
        return Pair(x * pair.left, [pair.right, (x,)])


def made_by_hand(gm):
    g = symbolic_trace(Net(), concrete_args={"pair": Pair(PH, PH)})
    print(g(2, Pair(3, 4)), Interpreter(g).run(2, Pair(3, 4)), g._in_spec, g._out_spec)
    leaves, spec = pytree.tree_flatten((1, [2, {"k": 3}]))
    info = _PyTreeInfo(["x", "rest"], spec, None)
    graph = Graph()
    x, y, z = [graph.placeholder(name) for name in "xyz"]
    graph.output(graph.call_function(sum, ([x, y, z],)))
    graph.set_codegen(_PyTreeCodeGen(info))
    g = GraphModule({}, graph)
    print(g.code, g(1, [2, {"k": 3}]), info)
    _, out = pytree.tree_flatten({"sum": 0})
    graph._codegen.pytree_info = info._replace(out_spec=out)
    g.recompile()
    print(g.code, g(1, [2, {"k": 3}]), Interpreter(g).run(1, [2, {"k": 3}]))
    _, both = pytree.tree_flatten(((1,), {"k": 2, "l": [3]}))
    graph.set_codegen(_PyTreeCodeGen(_PyTreeInfo(["x", "k", "l"], both, None)))
    g.recompile()
    print(g.code, g(1, 2, [3]), both.num_nodes, both == copy.deepcopy(both), both.child(1).context)
    try:
        g.graph.set_codegen(_PyTreeCodeGen(_PyTreeInfo(["x"], spec, spec)))
        g.graph.process_outputs([1])
    except ValueError as error:
        print(error)


def readable(gm):
    gm, g = copy.deepcopy(gm), make()
    g.print_readable()
    for number, node in enumerate(gm.graph.nodes):
        node.meta.update(seq_nr=number, desc=f"value {number}", val=torch.ones(2, number + 1))
    gm.graph.output_node().args = ([gm.graph.output_node().args[0]],)
    gm.graph.output_node().meta["desc"] = ["the sum"]
    gm.print_readable(expanded_def=True)
    gm.print_readable(additional_meta=["seq_nr", "none"])
    print(gm.graph.python_code("self", verbose=True, include_stride=True, include_device=True).src)
    g.print_readable(expanded_def=True)
    g = symbolic_trace(nested, concrete_args={"inp": {"a": PH, "b": [PH]}})
    for node in g.graph.nodes:
        node.meta["val"] = torch.ones(2)
    g.print_readable()
    text = gm.print_readable(print_output=False)
    print(len(text))


class Doubled(_PyTreeCodeGen):
    def gen_fn_def(self, free_vars, maybe_return_annotation, *, expanded_def=False):
        print(free_vars)
        return super().gen_fn_def(free_vars, maybe_return_annotation) + "\n    # doubled"

    def generate_output(self, output_args, *, descs=None, repr_fn=None):
        return "# the end\n" + super().generate_output(output_args)


class Counted(CodeGen):
    def gen_fn_def(self, free_vars, maybe_return_annotation, *, expanded_def=False):
        return super().gen_fn_def([name + "=0" for name in free_vars], " -> int")

    def additional_globals(self):
        return [("answer", 42)]


def own_codegen(gm):
    g = make()
    g.graph.set_codegen(Doubled(g.graph._codegen.pytree_info))
    g.recompile()
    print(g.code, g({"a": 1, "b": [2]}))
    gm.graph.set_codegen(Counted())
    code = gm.recompile()
    print(gm.code, gm(torch.ones(1)), code.globals["answer"])
    gm.graph.set_codegen(_BoxedCodeGen())
    gm.recompile()
    args = [torch.ones(1)]
    print(gm.code, gm(args), args)
    gm.graph.set_codegen(CodeGen())
    gm.recompile()
    print(gm.code)


def numbered_lines(gm):
    gm = copy.deepcopy(gm)
    print(gm._lineno_map, gm._prologue_start)
    code = make().recompile()
    print(code._lineno_map, code._prologue_start, code.globals["torch"] is torch)
    gm.graph.on_generate_code(lambda _: lambda body: ["print(1)\n", *body])
    code = gm.graph.python_code("self", verbose=True)
    print(code.src, code._lineno_map, code._prologue_start)


class Sides:
    """What a program registers; `name` is no child."""
    def __init__(self, left, right, name="s"):
        self.left, self.right, self.name = left, right, name


def registered_class(gm):
    pytree.register_pytree_node(Sides, lambda sides: ([sides.left, sides.right], sides.name),
                                lambda children, name: Sides(*children, name))
    fx_pytree.register_pytree_flatten_spec(Sides, lambda sides, spec: [sides.left, sides.right])

    def add(x):
        return x.left + x.right

    def add_all(x):
        return sum(x.left.values()) + x.right

    for function, given, value in ((add, Sides(PH, PH), Sides(1, 2)), (add, Sides(PH, 3), Sides(1, 3)),
                                   (add_all, Sides({"a": PH, "b": PH}, PH, "n"), Sides({"a": 1, "b": 2}, 3, "n"))):
        g = symbolic_trace(function, concrete_args={"x": given})
        print(g.code, [node.name for node in g.graph.nodes], g(value), Interpreter(g).run(value))
        print(g.graph.process_inputs(value), g._in_spec)
        print(copy.deepcopy(g)(value), Transformer(g).transform()(value))
        again = symbolic_trace(symbolic_trace(g), concrete_args={"x": given})
        print(again.code, again(value))
    try:
        symbolic_trace(add, concrete_args={"x": Sides(PH, 3)})(Sides(1, 4))
    except AssertionError as error:
        print(error)
