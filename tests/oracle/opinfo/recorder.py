# SPDX-License-Identifier: GPL-3.0-or-later
"""Records calls as graphs of torch.fx, with what the real torch.fx.Interpreter gives for them."""

import json
import random
import re

import numpy
import torch
import torch.fx

from described import ByteFile, Tensors, Unrepresentable, encode, qualified_name, storage_bytes

# Functions whose results are not the same bits each time: memory as it is found, and LAPACK's gelsy, which PyTorch
# gives a permutation that it has not filled.
UNINITIALISED = {"empty", "empty_like", "empty_strided", "empty_permuted", "new_empty", "new_empty_strided"}
UNSTABLE = {"linalg_lstsq"}
SEED = 42  # what the database itself uses for random operators


def seed_all():
    torch.manual_seed(0)
    numpy.random.seed(0)
    random.seed(0)


def is_tensor_method(function):
    return callable(function) and getattr(torch.Tensor, getattr(function, "__name__", ""), None) is function


def forms(op):
    """(name, how it is called): each takes the sample's input and its further arguments."""
    out = [("function", op.op)]
    for name, function in (("method", op.method_variant), ("inplace", op.inplace_variant),
                           ("operator", op.operator_variant), ("inplace_operator", op.inplace_operator_variant)):
        if function is not None:
            out.append((name, function))
    return out


def called(function, first, args, kwargs):
    # With a Proxy for self, a method is looked up on it.
    if is_tensor_method(function) and isinstance(first, torch.fx.Proxy):
        return getattr(first, function.__name__)(*args, **kwargs)
    return function(first, *args, **kwargs)


def with_leaves(value, leaf):
    if isinstance(value, torch.Tensor):
        return leaf(value)
    if isinstance(value, (list, tuple)):
        items = [with_leaves(item, leaf) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    if isinstance(value, dict):
        return {key: with_leaves(item, leaf) for key, item in value.items()}
    if isinstance(value, slice):
        return slice(*(with_leaves(item, leaf) for item in (value.start, value.stop, value.step)))
    return value


class Call:
    """A function with the arguments of a sample, whose tensors are the inputs of a graph."""

    def __init__(self, function, sample, tensors):
        self.function, self.tensors = function, tensors
        self.inputs = []  # by index among the tensors
        self.values = [with_leaves(value, self._enter) for value in (sample.input, sample.args, sample.kwargs)]

    def _enter(self, tensor):
        index = self.tensors.index(tensor)
        if index not in self.inputs:
            self.inputs.append(index)
        return tensor

    def arguments(self, inputs):
        """The sample's input, positional and named arguments, with these in place of its tensors."""
        return (with_leaves(value, lambda tensor: inputs[self.inputs.index(self.tensors.index(tensor))])
                for value in self.values)

    def traced(self):
        """The module and graph that the tracer records; where it runs the call instead, a node that calls it."""
        try:
            tracer, graph = self._traced()
            if any(node.op.startswith("call") for node in graph.nodes):
                return tracer.root, graph
        except Exception as error:
            refusal = f"torch.fx refuses to trace it: {error}".split("\n")[0]
        else:
            refusal = "torch.fx runs it while it traces"
        if not wrapped_name(self.function):
            raise Unrepresentable(refusal)
        graph = torch.fx.Graph()
        first, args, kwargs = self.arguments([graph.placeholder(f"x{i}") for i in range(len(self.inputs))])
        graph.output(graph.call_function(self.function, (first, *args), kwargs))
        return torch.nn.Module(), graph

    def _traced(self, patched=()):
        tracer = torch.fx.Tracer()
        body = lambda proxies: called(self.function, *self.arguments(proxies))
        try:
            return tracer, tracer.trace(function_of(len(self.inputs), body))
        except TypeError as error:
            # The database writes torch.Tensor.normal_(x) for x.normal_(), which only a Tensor takes.
            name = re.match(r"descriptor '(\w+)' for 'torch._C.TensorBase' objects doesn't apply to a 'Proxy'", str(error))
            if not name or name[1] in patched:
                raise
            setattr(torch.Tensor, name[1], lambda x, *args, **kwargs: getattr(x, name[1])(*args, **kwargs))
            try:
                return self._traced((*patched, name[1]))
            finally:
                delattr(torch.Tensor, name[1])


def function_of(count, body):
    """A function of so many parameters: the tracer reads the signature."""
    names = ", ".join(f"x{i}" for i in range(count))
    scope = {"body": body}
    exec(f"def forward({names}): return body([{names}])", scope)
    return scope["forward"]


class Recorder:
    """Graphs of one operator with one dtype."""

    def __init__(self, folder, stem, header):
        self.lines = open(folder / f"{stem}.jsonl", "w")
        self.bytes = ByteFile(folder / f"{stem}.bin")
        self.skipped = {}
        print(json.dumps(header), file=self.lines)

    def close(self):
        print(json.dumps({"skipped": self.skipped}), file=self.lines)
        self.lines.close()
        self.bytes.file.close()

    def skip(self, reason):
        self.skipped[reason] = self.skipped.get(reason, 0) + 1

    def record(self, number, form, function, sample):
        """Adds the graph of one call, unless it is one that nobody could record or write down."""
        try:
            tensors = Tensors(self.bytes)
            call = Call(function, sample, tensors)
            self.write(number, form, tensors, call.inputs, *call.traced())
        except Unrepresentable as reason:
            self.skip(str(reason))

    def write(self, number, form, tensors, given, root, graph, modules=(), saved=None):
        """Runs the graph and adds it. `modules`: the tree below its root, as written by modules.py; or `saved`: a file
        that has it."""
        nodes = list(graph.nodes)
        place = {node: at for at, node in enumerate(nodes)}
        constants = []

        def encoded(node):
            target = node.target if isinstance(node.target, str) else qualified_name(node.target)
            if node.op == "get_attr" and not modules:
                constants.append([node.target, tensors.index(getattr(root, node.target))])
            return [node.op, node.name, target.replace("_operator.", "operator."),
                    [encode(arg, place.__getitem__) for arg in node.args],
                    [[key, encode(arg, place.__getitem__)] for key, arg in node.kwargs.items()]]

        row = {"sample": number, "form": form, "nodes": [encoded(node) for node in nodes], "constants": constants,
               "inputs": given, "modules": list(modules), "saved": saved.name if saved else "", "compares": comparison(nodes)}
        inputs = tensors.rebuilt()
        for name, index in constants:
            setattr(root, name, inputs[index])
        row["storages"], row["tensors"] = tensors.storages, tensors.tensors
        torch.manual_seed(SEED)
        try:
            with torch.inference_mode():
                result = torch.fx.Interpreter(root, graph=graph).run(*(inputs[i] for i in given))
        except Exception as error:
            row["error"] = [type(error).__name__, str(error)]
        else:
            after = Tensors(self.bytes)
            row["result"] = encode(result, after.index)
            before = tensors.rebuilt()
            row["mutated"] = [[i, after.index(inputs[i])] for i in given if is_changed(inputs[i], before[i])]
            row["aliases"] = aliases(after.objects, [inputs[i] for i in given])
            row["result_storages"], row["result_tensors"] = after.storages, after.tensors
        if "error" in row and form != "error":
            row["form"] = "error"
        print(json.dumps(row), file=self.lines)


def aliases(results, inputs):
    """[result, input] for each result that lies in the memory of an input; both by index."""
    def memory(tensor):
        plain = tensor.layout == torch.strided and not tensor.is_meta and tensor.untyped_storage().nbytes()
        return tensor.untyped_storage()._cdata if plain else None

    places = {memory(tensor): i for i, tensor in reversed(list(enumerate(inputs)))}
    return [[i, places[memory(tensor)]] for i, tensor in enumerate(results)
            if memory(tensor) is not None and memory(tensor) in places]


def comparison(nodes):
    names = {getattr(node.target, "__name__", node.target) for node in nodes}
    return "shape" if names & UNINITIALISED else "about" if names & UNSTABLE else "bits"


def is_changed(now, before):
    if now.layout != torch.strided or now.is_meta:
        return False
    return now.shape != before.shape or now.stride() != before.stride() or bytes_of(now) != bytes_of(before)


def bytes_of(tensor):
    return storage_bytes(tensor.untyped_storage())


def wrapped_name(function):
    try:
        name = qualified_name(function)
    except Exception:
        return None
    return name if name.startswith("torch.") and "<lambda>" not in name and not name.startswith("torch.testing") else None
