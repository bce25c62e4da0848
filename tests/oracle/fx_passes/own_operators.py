# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that a program defines itself by torch.library: their schemas, what does their work, gradients, and graphs that call them.

# case: own_custom_op Net() custom_ops
# case: own_traced Net() traced
# case: own_replaced Net() replaced
# case: own_library Net() by_library
# case: own_gradients Net() gradients
# case: own_schemas Net() schemas
# case: own_recorded Net() recorded
# case: own_refused Net() refused
# case: own_functionalized Net() functionalized
# case: own_functionalized_results Net() functionalized_results
# case: own_functionalized_lists Net() functionalized_lists
# case: own_functionalized_out Net() functionalized_out
# case: own_functionalized_graph Net() functionalized_graph
"""

from collections.abc import Sequence
from typing import List, Optional, Tuple

import torch
import torch.fx
from torch import nn
from torch.fx.experimental.proxy_tensor import make_fx


class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x * 2 + 1)


@torch.library.custom_op("owned::scaled", mutates_args=())
def scaled(x: torch.Tensor, factor: float = 2.0, times: int = 1) -> torch.Tensor:
    print("scaled", tuple(x.shape), factor, times)
    return x * factor ** times


@scaled.register_fake
def _(x, factor=2.0, times=1):
    return torch.empty_like(x)


@torch.library.custom_op("owned::add_into", mutates_args={"out"})
def add_into(x: torch.Tensor, out: torch.Tensor) -> None:
    out.add_(x)


@torch.library.custom_op("owned::halves", mutates_args=())
def halves(x: torch.Tensor, parts: Sequence[int], bias: Optional[torch.Tensor] = None) -> Tuple[torch.Tensor, torch.Tensor]:
    return x[:parts[0]].clone(), x[parts[1]:] + (0 if bias is None else bias)


def custom_ops(gm):
    x = torch.arange(4.0)
    print(scaled, scaled(x), scaled(x, 3.0), scaled(x, times=2), torch.ops.owned.scaled(x, 0.5), torch.ops.owned.scaled.default(x))
    print(torch.ops.owned.scaled.default, torch.ops.owned.scaled.default._schema, torch.ops.owned.halves.default._schema)
    out = torch.zeros(4)
    print(add_into(x, out), out, torch.ops.owned.add_into.default._schema)
    print(halves(x, [1, 2]), halves(x, (1, 3), torch.ones(1)))


def traced(gm):
    def f(x):
        first, second = halves(scaled(x, 3.0), [1, 1])
        return first + second

    made = torch.fx.symbolic_trace(f)
    print(made.graph)
    print(made.code)
    print(made(torch.arange(2.0)))


def replaced(gm):
    for node in list(gm.graph.nodes):
        if node.op == "call_function" and node.target is torch.relu:
            with gm.graph.inserting_after(node):
                new = gm.graph.call_function(torch.ops.owned.scaled.default, node.args, {"times": 3})
            node.replace_all_uses_with(new)
            gm.graph.erase_node(node)
    gm.recompile()
    print(gm.code, gm(torch.ones(1)))
    print([node.target is torch.ops.owned.scaled.default for node in gm.graph.nodes])


def by_library(gm):
    library = torch.library.Library("others", "DEF")
    print(library.define("twice(Tensor x, *, bool negative=False) -> Tensor"), library)
    library.define("only_on_cpu.here(Tensor x) -> Tensor")
    library.impl("twice", lambda x, negative=False: x * (-2 if negative else 2), "CompositeExplicitAutograd")
    library.impl("only_on_cpu.here", torch.neg, "CPU")
    x = torch.ones(2)
    print(torch.ops.others.twice(x), torch.ops.others.twice(x, negative=True), torch.ops.others.only_on_cpu.here(x))
    print(torch.ops.others.only_on_cpu.here._schema)

    @torch.library.impl(library, "thrice")
    def thrice(x):
        return x * 3

    library.define("thrice(Tensor x) -> Tensor")
    print(torch.ops.others.thrice(x))
    torch.library.define("others::whole", "(Tensor x) -> Tensor")

    @torch.library.impl("others::whole", "cpu")
    def whole(x):
        return x.floor()

    print(torch.ops.others.whole(x * 1.5))


@torch.library.custom_op("owned::cube", mutates_args=())
def cube(x: torch.Tensor) -> torch.Tensor:
    return x ** 3


def gradients(gm):
    def remember(ctx, inputs, output):
        ctx.save_for_backward(inputs[0])

    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * 3 * x ** 2

    cube.register_autograd(backward, setup_context=remember)
    x = torch.arange(3.0, requires_grad=True)
    cube(x).sum().backward()
    print(x.grad, cube(x.detach()).requires_grad, cube(x).requires_grad)
    with torch.no_grad():
        print(cube(x))


def schemas(gm):
    def f(x: torch.Tensor, y: Optional[torch.Tensor], n: int, scale: float = 1.5, *, names: List[int] = None, flag: bool = True,
          kind: torch.dtype = torch.float32, text: str = "a") -> Tuple[torch.Tensor, int]:
        pass

    def g(xs: List[torch.Tensor], where: torch.device) -> List[torch.Tensor]:
        pass

    def h(x: torch.Tensor) -> None:
        pass

    for function, mutated in ((f, ()), (g, ()), (h, ["x"]), (h, "unknown")):
        print(torch.library.infer_schema(function, mutates_args=mutated))


def recorded(gm):
    def f(x):
        return scaled(x, 4.0).sin() + 1

    print(make_fx(f)(torch.ones(2)).code)
    print(make_fx(f, tracing_mode="symbolic")(torch.ones(2, 3)).code)


def refused(gm):
    def untyped(x):
        return x

    for work in (lambda: torch.library.Library("prim", "DEF"), lambda: torch.library.Library("one", "SOME"),
                 lambda: torch.library.infer_schema(untyped, mutates_args=()),
                 lambda: torch.library.define("nameless", "(Tensor x) -> Tensor"),
                 lambda: torch.library.Library("two", "DEF").impl("two", 3)):
        try:
            print(work())
        except Exception as error:
            print(type(error).__name__, str(error).split("\n")[0])


@torch.library.custom_op("owned::added", mutates_args={"out"})
def added(x: torch.Tensor, out: torch.Tensor) -> torch.Tensor:
    out.add_(x)
    return x * 2


@torch.library.custom_op("owned::added_twice", mutates_args={"out", "more"})
def added_twice(x: torch.Tensor, out: torch.Tensor, more: Optional[torch.Tensor] = None) -> Tuple[torch.Tensor, torch.Tensor]:
    out.add_(x)
    if more is not None:
        more.sub_(x)
    return x * 2, x - 1


@torch.library.custom_op("owned::added_to_all", mutates_args={"outs"})
def added_to_all(outs: List[torch.Tensor], x: torch.Tensor) -> None:
    for out in outs:
        out.add_(x)


def functionalized(gm):
    hop, op = torch.ops.higher_order, torch.ops.owned.add_into.default
    x, out = torch.arange(4.0), torch.zeros(4)
    print(hop.auto_functionalized(op, x=x, out=out), out)
    print(hop.auto_functionalized_v2(op, x=x, _out_base_index=0, _out_alias=True, _all_bases=[out]), out)
    print(hop.auto_functionalized_v2(op, x=x[:2], _out_base_index=0, _out_size=(2,), _out_stride=(1,), _out_storage_offset=1, _all_bases=[out]), out)
    print(hop.auto_functionalized_v2(op, x=x[:2], _out_base_index=0, _out_slice_dim=0, _out_slice_start=2, _out_slice_end=4, _all_bases=[out]), out)


def functionalized_results(gm):
    hop, ops = torch.ops.higher_order, torch.ops.owned
    x, out, more = torch.arange(4.0), torch.zeros(4), torch.ones(4)
    print(hop.auto_functionalized(ops.added.default, x=x, out=out), out)
    print(hop.auto_functionalized_v2(ops.added.default, x=x, _out_base_index=0, _out_alias=True, _all_bases=[out]), out)
    print(hop.auto_functionalized_v2(ops.added_twice.default, x=x, _out_base_index=0, _out_alias=True, _more_base_index=None, _all_bases=[out]))
    print(hop.auto_functionalized_v2(ops.added_twice.default, x=x, _out_base_index=1, _out_alias=True, _more_base_index=0, _more_alias=True,
                                     _all_bases=[more, out]), out, more)


def functionalized_lists(gm):
    hop, op = torch.ops.higher_order, torch.ops.owned.added_to_all.default
    x, outs = torch.ones(2), [torch.zeros(2), torch.arange(4.0)]
    print(hop.auto_functionalized(op, outs=outs[:1], x=x), outs)
    print(hop.auto_functionalized_v2(op, x=x, _outs_length=2, _outs_0_base_index=0, _outs_0_alias=True, _outs_1_base_index=1,
                                     _outs_1_slice_dim=0, _outs_1_slice_start=1, _outs_1_slice_end=3, _all_bases=outs), outs)


def functionalized_out(gm):
    library = torch.library.Library("owned_out", "DEF")
    library.define("doubled(Tensor x, *, Tensor(a!) out) -> Tensor(a!)", tags=torch.Tag.out)
    library.impl("doubled", lambda x, *, out: out.copy_(x * 2), "CompositeExplicitAutograd")
    result = torch.ops.higher_order.auto_functionalized_v2(
        torch.ops.owned_out.doubled.default, x=torch.arange(4.0).view(2, 2), _out_size=(2, 2), _out_stride=(1, 2), _out_dtype=torch.float64,
        _out_device=torch.device("cpu"), _all_bases=[])
    print(result, result.stride())


def functionalized_graph(gm):
    g = torch.fx.Graph()
    a, b = g.placeholder("a"), g.placeholder("b")
    g.output(g.call_function(torch.ops.higher_order.auto_functionalized_v2, (torch.ops.owned.add_into.default,),
                             {"x": a, "_out_base_index": 0, "_out_alias": True, "_all_bases": [b]}))
    x, out = torch.arange(4.0), torch.zeros(4)
    made = torch.fx.GraphModule(nn.Module(), g)
    print(g, made(x, out), out)
