# SPDX-License-Identifier: GPL-3.0-or-later
"""Captures models with `fxscope apply MODEL capture`, forwards and with their gradients, and compares the graphs with what make_fx records of
the same models; then runs what was captured, which must give what the model gives.

    check_capture.py FORKED_CLI [PART_OF_A_NAME]

A node must have the name, the target and the arguments of Python's. Where make_fx has attributes of its own (_param_constant0) the pass has
the model's paths, each read once, and what autograd keeps by detach is the tensor itself.
"""

import pathlib
import re
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")
sys.dont_write_bytecode = True
import torch
import torch.fx
from torch._decomp import core_aten_decompositions
from torch.fx.experimental.proxy_tensor import make_fx

sys.path[:0] = [str(pathlib.Path(__file__).parents[1] / "support"), str(pathlib.Path(__file__).parent / "captured")]
from commands import Commands
import models

# Of a graph's text, what is not told of one run alone.
RANDOM = re.compile("dropout|bernoulli|rand")


def joint(module, count):
    """The module with its gradients: of its only result with respect to its parameters, weighted by tangents where it is no loss."""
    names = [name for name, parameter in module.named_parameters() if parameter.requires_grad]

    def step(*values):
        inputs, tangents = values[:count], values[count:]
        result = module(*inputs)
        outputs = [result] if isinstance(result, torch.Tensor) else list(result)
        tangents = tangents or (torch.ones_like(outputs[0], memory_format=torch.preserve_format, pin_memory=None),)
        found = torch.autograd.grad(outputs, [dict(module.named_parameters())[name] for name in names], tangents, allow_unused=True)
        return result, dict(zip(names, found))

    return step


class Functional:
    """A module that runs on its tensors wrapped by LibTorch's functionalization; what was written is copied back at the end."""

    def __init__(self, module):
        self.module = module
        self.state = dict([*module.named_parameters(), *module.named_buffers()])

    def run(self, step, values):
        # As torch.export has it: batch norm by the operator whose schema says that it writes.
        library = torch.library.Library("aten", "IMPL", "Functionalize")

        def batch_norm(input, weight, bias, mean, variance, training, momentum, eps):
            if mean is None:
                return torch.ops.aten._native_batch_norm_legit.no_stats(input, weight, bias, training, momentum, eps)
            if not training:
                return torch.ops.aten._native_batch_norm_legit_no_training(input, weight, bias, mean, variance, momentum, eps)
            return torch.ops.aten._native_batch_norm_legit(input, weight, bias, mean, variance, training, momentum, eps)

        library.impl("native_batch_norm", batch_norm)
        pairs = [(tensor, torch._to_functional_tensor(tensor)) for tensor in self.state.values()]
        for tensor, wrapper in pairs:
            wrapper.requires_grad_(tensor.requires_grad)
        named = {name: wrapper for name, (_, wrapper) in zip(self.state, pairs)}
        inputs = [torch._to_functional_tensor(value) for value in values]
        torch._enable_functionalization(reapply_views=True)
        try:
            with torch.nn.utils.stateless._reparametrize_module(self.module, named, tie_weights=True):
                out = step(*inputs)
        finally:
            torch._disable_functionalization()
            library._destroy()
        out = torch.utils._pytree.tree_map(self.plain, out)
        with torch.no_grad():
            for tensor, wrapper in [*pairs, *zip(values, inputs)]:
                value = self.plain(wrapper)
                if value is not tensor:
                    tensor.copy_(value)
        return out

    @staticmethod
    def plain(value):
        if not isinstance(value, torch.Tensor) or not torch._is_functional_tensor(value):
            return value
        torch._sync(value)
        return torch._from_functional_tensor(value)


def plainly(traced, module, names):
    """The graph of make_fx as the pass writes it."""
    paths = {id(tensor): path for path, tensor in [*module.named_parameters(), *module.named_buffers()]}
    graph, known, attributes = torch.fx.Graph(), {}, {}
    for node in traced.graph.nodes:
        if node.op == "placeholder":
            known[node] = graph.placeholder(names.pop(0))
        elif node.op == "get_attr":
            path = paths.get(id(getattr(traced, node.target)), node.target)
            if path not in attributes:
                attributes[path] = graph.get_attr(path)
            known[node] = attributes[path]
        elif node.target is torch.ops.aten.detach.default or node.target is torch.ops.aten.alias.default:
            known[node] = known[node.args[0]]
        elif node.op == "output":
            graph.output(torch.fx.map_arg(node.args[0], lambda n: known[n]))
        else:
            args, kwargs = torch.fx.map_arg((node.args, node.kwargs), lambda n: known[n])
            name = node.target.overloadpacket.__name__ if hasattr(node.target, "overloadpacket") else node.target.__name__
            known[node] = graph.create_node("call_function", node.target, args, kwargs, name=graph._target_to_str(name))
    return str(graph)


def expected(name, backward, level, functional):
    table = core_aten_decompositions() if level == "core-aten" else None
    module, args = models.MODELS[name]()
    module = torch.fx.symbolic_trace(module) # which is what the pass is given
    names = list(args)
    values = [args[each] for each in names]

    def called(step):
        return (lambda *given: Functional(module).run(step, given)) if functional else step

    if not backward:
        with torch.no_grad():
            return plainly(make_fx(called(module), table, pre_dispatch=level == "composite")(*values), module, names)
    result = module(*values)
    outputs = [result] if isinstance(result, torch.Tensor) else list(result)
    tangents = [] if len(outputs) == 1 and outputs[0].numel() == 1 else [torch.ones_like(each) for each in outputs]
    names += [f"tangents_{number + 1}" for number in range(len(tangents))]
    step = joint(module, len(values))
    if not tangents:
        original, torch.ones_like = torch.ones_like, lambda tensor, **_: torch.ops.aten.ones_like.default(
            tensor, memory_format=torch.preserve_format)
        try:
            return plainly(make_fx(called(step), table)(*values), module, names)
        finally:
            torch.ones_like = original
    return plainly(make_fx(called(step), table)(*values, *tangents), module, names)


def main():
    program, *wanted = sys.argv[1:]
    commands = Commands(program)
    failures = []
    source = pathlib.Path(models.__file__)
    with tempfile.TemporaryDirectory() as scratch:
        for name in models.MODELS:
            if wanted and wanted[0] not in name:
                continue
            module, args = models.MODELS[name]()
            inputs = pathlib.Path(scratch, "inputs.pt")
            torch.save(args, inputs)
            state = pathlib.Path(scratch, "state.pt")
            torch.save(module.state_dict(), state)
            model = [f"{source}:build('{name}')", "--state", state, "--inputs", inputs]
            model += ["--train"] if module.training else ["--eval"]
            original = commands("run", *model, "--seed", "0")
            for options in (["--level", "composite"], [], ["--level", "core-aten"], ["--backward"], ["--backward", "--level", "core-aten"],
                            ["--functional"], ["--functional", "--backward"]):
                case = f"{name} {' '.join(options)}".strip()
                out = pathlib.Path(scratch, "captured.fxg")
                done = commands("apply", *model, "--seed", "0", "-o", out, "capture", *options)
                if done.code:
                    failures.append(f"{case}: {done.err.strip()}")
                    continue
                torch.manual_seed(0)
                text = commands("graph", out).out.strip()
                level = options[options.index("--level") + 1] if "--level" in options else "aten"
                wants = expected(name, "--backward" in options, level, "--functional" in options).strip()
                if text != wants:
                    ours, theirs = text.split("\n"), wants.split("\n")
                    at = next((i for i, (a, b) in enumerate(zip(ours, theirs)) if a != b), min(len(ours), len(theirs)))
                    failures.append(f"{case}: line {at + 1}\n  here:  {'; '.join(ours[at:at + 1])}\n  there: {'; '.join(theirs[at:at + 1])}")
                if RANDOM.search(text) or "--backward" in options:
                    continue
                captured = commands("run", out, "--inputs", inputs, "--seed", "0")
                if captured[:2] != original[:2]:
                    failures.append(f"{case}: runs otherwise than the model: {captured.err or captured.out[:300]}")
    for failure in failures:
        print(failure)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
