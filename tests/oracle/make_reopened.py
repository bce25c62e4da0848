# SPDX-License-Identifier: GPL-3.0-or-later
"""Saves traced modules in each form that torch.fx and torch.save have, and says what torch's own load makes of them.

    make_reopened.py FOLDER

expected.json: for each file or folder the text and code of the graph, whether there are inputs and outputs beside it (files of torch.save),
for a file of modules the source that defines its classes, and how many operators work in place.
"""

import importlib
import json
import math
import operator
import pathlib
import sys
import warnings

import torch
import torch.fx
import torch.package
from torch import nn
from torch.fx.experimental.proxy_tensor import make_fx
from torch.nn import functional as F

warnings.simplefilter("ignore")
FOLDER = pathlib.Path(sys.argv[1])
FORMS = {"zip": {}, "legacy": {"_use_new_zipfile_serialization": False}}

SOURCE = '''
import enum
import math
from collections import namedtuple
from dataclasses import dataclass, field
import torch
import torch.nn as nn
import torch.nn.functional as F


class Block(nn.Module):
    """A residual block with a choice."""

    def __init__(self, width, inner=8, activation=F.gelu, scale=None):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, inner)
        self.down = nn.Linear(inner, width, bias=False)
        self.activation = activation
        self.scale = math.sqrt(width) if scale is None else scale
        self.register_buffer("mask", torch.arange(width) % 2 == 0)

    def forward(self, x):
        y = self.down(self.activation(self.up(self.norm(x)))) / self.scale
        if self.training:
            y = F.dropout(y, 0.1, self.training)
        return x + torch.where(self.mask, y, -y)


class Net(nn.Module):
    def __init__(self, width=4, depth=2):
        super().__init__()
        self.blocks = nn.ModuleList(Block(width, inner=6 + i) for i in range(depth))
        self.heads = nn.ModuleDict({"a": nn.Linear(width, 3), "b": nn.Sequential(nn.Linear(width, 2), nn.Tanh())})
        self.bias = nn.Parameter(torch.randn(width))
        self.sizes = {"depth": depth, "names": ["a", "b"]}
        self.heads["c"] = self.heads["a"]

    def forward(self, x):
        for block in self.blocks:
            x = block(x) + self.bias
        out = {name: self.heads[name](x) for name in self.sizes["names"]}
        return out["a"], out["b"].flip(-1) if self.sizes["depth"] > 1 else out["b"], self.heads["c"](x)


class Configured(nn.Module):
    """With functions of torch and objects of a class within the class."""

    @dataclass
    class Config:
        width: int = 4
        names: list = field(default_factory=lambda: ["a", "b"])

        class Kind(enum.Enum):
            NARROW = 1
            WIDE = 2

    def __init__(self, config=None):
        super().__init__()
        self.config = config or self.Config()
        self.kind = self.Config.Kind.WIDE
        self.act, self.merge = torch.relu, torch.addcmul
        self.lin = nn.Linear(self.config.width, self.config.width)

    def forward(self, x):
        y = self.act(self.lin(x)) * len(self.config.names)
        if self.kind is self.Config.Kind.WIDE:
            y = self.merge(x, y, y, value=0.5)
        return y


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(10, 4)
        self.rnn = nn.LSTM(4, 3, num_layers=2, batch_first=True, bidirectional=True)
        self.attention = nn.MultiheadAttention(6, 2, batch_first=True)

    def forward(self, x):
        y, (h, c) = self.rnn(self.embed(x))
        z, _ = self.attention(y, y, y, need_weights=False)
        return z.mean(1) + h[-1].sum() * c[0].max()
'''


class Functions(nn.Module):
    """Every kind of call, and what code says in its own way."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(2, 3, 3, padding=1)
        self.norm = nn.BatchNorm2d(3)
        self.drop = nn.Dropout(0.5)
        self.table = nn.Parameter(torch.randn(3, 1, 1))
        self.register_buffer("shift", torch.randn(3, 1, 1))

    def forward(self, x, scale: float = 2.0, *rest, y=3, **more):
        z = F.relu(self.norm(self.conv(x)), inplace=True)
        z = torch.cat([z, z.flip(0)], dim=1)[:, :3] * self.table + self.shift
        z = F.softmax(z.view(z.shape[0], 3, -1), dim=-1).transpose(1, 2).contiguous()
        w = F.max_pool2d(x, 2) + y
        first, second = torch.split(z, 2, dim=1)[:2]
        return {"out": (first @ second.transpose(-1, -2)).sum((1, 2), keepdim=True), "rest": [w.mean(), z.size(), z.dtype is None],
                "scaled": self.drop(z.to(torch.float64)) * scale, "slice": x[..., ::2, None], "const": torch.ones(2, dtype=torch.int64) + 1}


class Constants(nn.Module):
    def __init__(self):
        super().__init__()
        self.plain = torch.arange(6.0).reshape(2, 3)
        self.inner = nn.Module()
        self.inner.deep = nn.Module()
        self.inner.deep.weight = nn.Parameter(torch.randn(3, 3))

    def forward(self, x):
        return x @ self.inner.deep.weight + self.plain + torch.tensor([1.0, 2.0, 3.0]) + float("inf") * (x > 100)


class Ordered(nn.Module):
    """Called in another order than made; what is deep comes first, and one is not called."""

    def __init__(self):
        super().__init__()
        self.unused, self.last, self.first = nn.Linear(2, 2), nn.Linear(3, 3), nn.Sequential(nn.Linear(3, 3), nn.Tanh())
        self.weight = nn.Parameter(torch.ones(3))
        self.deep = nn.ModuleDict({"b": nn.ModuleList([nn.ReLU()]), "a": nn.Identity()})

    def forward(self, x):
        return self.last(self.deep["a"](self.deep["b"][0](self.first(x)))) * self.weight * self.last.weight.sum()


class Typed(nn.Module):
    def forward(self, x: torch.Tensor, n: int = 3) -> torch.Tensor:
        torch._assert(x.dim() == 2, "two dimensions")
        return torch.nn.functional.pad(x, (1, 1), value=float("-inf")).clamp(min=-1e30, max=None).to(device=torch.device("cpu")) * n


class Nested(nn.Module):
    def forward(self, x, y):
        return {"sum": x["a"] + x["b"][0], "rest": [y, (x["a"],)]}


def keeping_all():
    """A module that the graph does not call, and that the file holds all the same."""
    module = torch.fx.symbolic_trace(Ordered())
    module.add_submodule("spare", nn.Sequential(nn.Linear(1, 1)))
    return module


def inplace():
    """x += 1; x *= y; x @= ... as torch.fx writes them."""
    graph = torch.fx.Graph()
    x, y = graph.placeholder("x"), graph.placeholder("y")
    z = graph.call_function(torch.clone, (x,))
    for op in (operator.iadd, operator.imul, operator.isub, operator.itruediv, operator.ipow):
        z = graph.call_function(op, (z, y))
    graph.output(z)
    return torch.fx.GraphModule(nn.Module(), graph)


def written():
    """x[i] = y, x |= y, sizes of tensors, buffers that are written and tensors that each run makes, as the graphs of
    torch.compile have them; tracing takes none of these."""
    root = nn.Module()
    root.register_buffer("count", torch.zeros((), dtype=torch.int64))
    graph = torch.fx.Graph()
    x, y = graph.placeholder("x"), graph.placeholder("y")
    count, ones = graph.get_attr("count"), graph.call_function(torch.ones, (3,))
    graph.call_method("add_", (count, 1))
    graph.call_method("mul_", (ones, count))
    z = graph.call_function(torch.clone, (x,))
    graph.call_function(operator.setitem, (z, (Ellipsis, 0), 7))
    for op in (operator.ior, operator.iand, operator.ixor, operator.ilshift):
        z = graph.call_function(op, (z, x))
    zeros = graph.call_function(torch.zeros, (y, 3))
    graph.call_function(operator.setitem, (zeros, slice(1, None), z))
    graph.output((z, zeros, count, ones))
    return torch.fx.GraphModule(root, graph)


class Wrapped(nn.Module):
    """Functions that code has to wrap once more."""

    def forward(self, x):
        return abs(x) * math.sqrt(x.size(1)) + math.pow(x.size(0), 2)


def renamed():
    """Names that code cannot keep: keywords, builtins, doubles."""
    traced = torch.fx.symbolic_trace(Typed())
    for node, name in zip(traced.graph.nodes, ("x", "n", "len_1", "class_1", "a", "a_5", "self_1", "b", "c")):
        node._rename(name)
    traced.recompile()
    return traced


def nested_graphs():
    inner = torch.fx.symbolic_trace(nn.Sequential(nn.Linear(3, 3), nn.ReLU()))
    outer = nn.Module()
    outer.first, outer.second = inner, nn.Sequential(nn.Linear(3, 2), inner if False else nn.Tanh())
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    graph.output(graph.call_module("second", (graph.call_module("first", (x,)),)))
    return torch.fx.GraphModule(outer, graph, class_name="Outer")


def plain(value):
    """Outputs as torch.load reads them with weights_only, flat."""
    return [leaf for leaf in torch.utils._pytree.tree_leaves(value) if isinstance(leaf, torch.Tensor)]


def write(expected, name, reloaded, inputs, **more):
    entry = {"graph": str(reloaded.graph), "code": reloaded.code, "inplace": 0, **more}
    entry["modules"] = [path for path, _ in reloaded.named_modules(remove_duplicate=False)]
    if inputs is not None:
        (FOLDER / name).parent.mkdir(exist_ok=True)
        torch.save(list(inputs), FOLDER / f"{name}.inputs")
        torch.manual_seed(1)
        with torch.no_grad():
            torch.save(plain(reloaded.eval()(*inputs)), FOLDER / f"{name}.outputs")
        entry["runs"] = True
    expected[name] = entry


PACKAGE = {
    "__init__.py": "from .layers import Dropping, Net\nfrom .layers.depth import drop_rows\n",
    "layers/__init__.py": "from .depth import Dropping, Net, drop_rows\n",
    "layers/helpers.py": "def survival(p):\n    return 1.0 - p\n",
    "layers/depth.py": """
import torch
from torch import Tensor, nn
from .helpers import survival


def drop_rows(input: Tensor, p: float, training: bool = True) -> Tensor:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"a probability lies between 0 and 1, not at {p}")
    if not training or p == 0.0:
        return input * survival(p)
    rows = [input.shape[0]] + [1] * (input.ndim - 1)
    return input * torch.empty(rows, dtype=input.dtype).bernoulli_(survival(p)).div_(survival(p))


torch.fx.wrap("drop_rows")


class Dropping(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, x):
        return drop_rows(x, self.p, self.training)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear, self.drop = nn.Linear(3, 4), Dropping(0.25)

    def forward(self, x):
        return self.drop(self.linear(x))
""",
}


def package_files(expected):
    """Files that name functions and classes of a package, which is in a folder of packages."""
    for name, text in PACKAGE.items():
        file = FOLDER / "packages" / "stored_package" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    sys.path.insert(0, str(FOLDER / "packages"))
    package = importlib.import_module("stored_package")
    net, row = package.Net().eval(), torch.randn(2, 3)
    for name, module, kind in (("packaged", torch.fx.symbolic_trace(net), "graph"), ("packaged_module", net, "module")):
        torch.save(module, FOLDER / f"{name}.zip.pt")
        loaded = torch.load(FOLDER / f"{name}.zip.pt", weights_only=False)
        write(expected, f"{name}.zip.pt", loaded if kind == "graph" else torch.fx.symbolic_trace(loaded), (row,), kind=kind, packages="packages")


def graph_files(expected):
    image, row = torch.randn(2, 2, 4, 4), torch.randn(2, 3)
    concrete = {"x": {"a": torch.fx.PH, "b": [torch.fx.PH]}, "y": torch.fx.PH}
    cases = {
        "functions": (torch.fx.symbolic_trace(Functions()), (image,)),
        "constants": (torch.fx.symbolic_trace(Constants()), (row,)),
        "ordered": (torch.fx.symbolic_trace(Ordered()), (row,)),
        "kept": (keeping_all(), (row,)),
        "typed": (torch.fx.symbolic_trace(Typed()), (row,)),
        "renamed": (renamed(), (row,)),
        "nested": (torch.fx.symbolic_trace(Nested(), concrete_args=concrete), None),
        "graphs": (nested_graphs(), (row,)),
        "sequential": (torch.fx.symbolic_trace(nn.Sequential(nn.Linear(3, 4), nn.Sequential(nn.ReLU(), nn.Linear(4, 2)))), (row,)),
        "operators": (make_fx(decomposed)(torch.randn(3, 4), torch.randn(4, 4)), (torch.randn(3, 4), torch.randn(4, 4))),
        "concrete": (torch.fx.symbolic_trace(Typed(), concrete_args={"n": 4}), None),
        "wrapped": (torch.fx.symbolic_trace(Wrapped()), (row,)),
        "evaluated": (torch.fx.symbolic_trace(Functions().eval()), (image,)),
    }
    if "reopened_source" in sys.modules:
        source = sys.modules["reopened_source"]
        cases["net"] = (torch.fx.symbolic_trace(source.Net()), (torch.randn(2, 4),))
        cases["net_leaves"] = (torch.fx.GraphModule(root := source.Net(), Leaves().trace(root)), None)
    for name, (module, inputs) in cases.items():
        for form, options in FORMS.items():
            file = f"{name}.{form}.pt"
            torch.save(module, FOLDER / file, **options)
            write(expected, file, torch.load(FOLDER / file, weights_only=False), inputs, kind="graph")
    # Of these torch itself cannot load what it saved.
    torch.save(make_fx(Branches())(torch.randn(3)), FOLDER / "branches.pt")
    # torch.load would turn x += y into x + y (pytorch issue 198077); what was saved is what we show.
    saved = inplace()
    torch.save(saved, FOLDER / "inplace.pt")
    assert "iadd" in saved.code and "iadd" not in torch.load(FOLDER / "inplace.pt", weights_only=False).code
    write(expected, "inplace.pt", saved, (torch.rand(3) + 1, torch.tensor([2.0, 3.0, 1.0])), kind="graph", inplace=5)


def decomposed(x, w):
    y = F.linear(x, w).relu_()
    y.add_(1)
    a, b = torch.split(y, 2, dim=-1)
    return torch.softmax(a, -1), b.mean(), torch.topk(y, 2)[1]


class Branches(nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x - 1, (x,))


class Leaves(torch.fx.Tracer):
    """Blocks of the user's own stay calls."""

    def is_leaf_module(self, module, path):
        return type(module).__name__ == "Block" or super().is_leaf_module(module, path)


class AllLeaves(torch.fx.Tracer):
    def is_leaf_module(self, module, path):
        return True


def folders(expected):
    """What to_folder wrote, traced as torch.fx reloads a GraphModule: all modules are leaves."""
    module = written()
    module.to_folder(FOLDER / "folder_written", "Saved")
    write(expected, "folder_written", module, (torch.arange(6).reshape(2, 3), torch.tensor(3)), kind="folder", inplace=4)
    sys.path.insert(0, str(FOLDER))
    row = torch.randn(2, 3)
    for name, module, inputs in (("folder_functions", torch.fx.symbolic_trace(Functions()), (torch.randn(2, 2, 4, 4),)),
                                 ("folder_constants", torch.fx.symbolic_trace(Constants()), (row,)),
                                 ("folder_pickled", torch.fx.GraphModule(root := nn.Sequential(nn.Linear(3, 3), nn.Sequential(nn.LayerNorm(3), nn.Tanh())),
                                                                         AllLeaves().trace(root)), (row,))):
        module.to_folder(FOLDER / name, "Saved")
        with warnings.catch_warnings():
            model = importlib.import_module(name).Saved()
        graph = AllLeaves().trace(model)
        write(expected, name, torch.fx.GraphModule(model, graph), inputs, kind="folder")


def module_files(expected):
    """Whole modules: of torch.nn alone, and with a source."""
    source = sys.modules["reopened_source"]
    row = torch.randn(2, 3)
    for name, module, inputs, file in (
            ("linear", nn.Linear(3, 2), (row,), None),
            ("nests", nn.Sequential(nn.Linear(3, 4), nn.Sequential(nn.ReLU(), nn.BatchNorm1d(4)), nn.Linear(4, 2, bias=False)), (row,), None),
            ("net_module", source.Net(depth=3).eval(), (torch.randn(2, 4),), "reopened_source.py"),
            ("training", source.Net(depth=1), None, "reopened_source.py"),
            ("configured", source.Configured(), (torch.randn(2, 4),), "reopened_source.py"),
            ("recurrent", source.Recurrent().eval(), (torch.randint(0, 10, (2, 5)),), "reopened_source.py"),
            ("wrapped_graph", nn.Sequential(torch.fx.symbolic_trace(nn.Sequential(nn.Linear(3, 3), nn.ReLU())), nn.Linear(3, 1)), (row,), None)):
        for form, options in FORMS.items():
            path = f"{name}.{form}.pt"
            torch.save(module, FOLDER / path, **options)
            reloaded = torch.load(FOLDER / path, weights_only=False)
            write(expected, path, torch.fx.symbolic_trace(reloaded), inputs, kind="module", **({"source": file} if file else {}))


INTERNED = """
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 4)

    def forward(self, x):
        return self.linear(x).relu()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()

    def forward(self, x):
        return self.block(x) + 1
"""


def traced_of(module):
    return module if isinstance(module, torch.fx.GraphModule) else torch.fx.symbolic_trace(module)


def holding_itself(net, graph):
    """Checkpoints, and modules with attributes, that hold themselves."""
    whole, listed, deep = {"model": net, "epoch": 3}, {"model": net}, {"gm": graph}
    whole["self"] = whole
    listed["list"] = [listed]
    listed["list"].append(listed["list"])
    deep["in"] = {"out": [deep]}
    looped = nn.Sequential(nn.Linear(3, 2))
    looped.own, looped.table, looped.modules_of = [1], {"a": 2}, [looped]
    looped.own.append(looped.own)
    looped.table["own"] = (looped.own, looped.table)
    looped.checkpoint = {"net": looped}
    return ("itself", whole, ["model", None]), ("in_a_list", listed, ["model", None]), ("graph_itself", deep, ["gm", None]), ("looped", {"net": looped}, ["net", None])


def entries(expected):
    """Checkpoints with modules among their entries: FILE:ENTRY, and of the only one FILE."""
    row = torch.randn(2, 3)
    net, graph = nn.Sequential(nn.Linear(3, 4), nn.ReLU()), torch.fx.symbolic_trace(nn.Sequential(nn.Linear(3, 2), nn.Tanh()))
    for form, options in FORMS.items():
        for name, saved, keys in (("checkpoint", {"model": net, "epoch": 3}, ["model", None]), ("graph_entry", {"gm": graph, "w": torch.ones(1)}, ["gm", None]),
                                  ("two_entries", {"nets": [net, graph], "ema": {"model.x": graph}, "step": 1}, ["nets.0", "nets.1", "ema.model.x"]),
                                  ("in_tuple", (net, {"lr": 0.1}), ["0", None]),
                                  ("beside_state", {"state_dict": net.state_dict(), "criterion": net}, ["criterion"]),
                                  *holding_itself(net, graph)):
            file = f"{name}.{form}.pt"
            torch.save(saved, FOLDER / file, **options)
            loaded = torch.load(FOLDER / file, weights_only=False)
            for key in keys:
                value = loaded
                for part in ["ema", "model.x"] if key == "ema.model.x" else (key or keys[0]).split("."):
                    value = value[int(part) if isinstance(value, (list, tuple)) else part]
                write(expected, f"{file}:{key}" if key else file, traced_of(value), (row,), kind="graph")


def packages(expected):
    """Archives of torch.package: GraphModules, and modules of a class that came along."""
    (FOLDER / "interned_net.py").write_text(INTERNED)
    interned, row = importlib.import_module("interned_net"), torch.randn(2, 3)
    objects = {"graph.pkl": torch.fx.symbolic_trace(interned.Net()), "net.pkl": interned.Net(), "parts.pkl": {"a": torch.fx.symbolic_trace(nn.Linear(3, 2)), "b": nn.Linear(3, 1)}}
    for name, keys in (("package_graph.pt", ["graph.pkl"]), ("package_net.pt", ["net.pkl"]), ("package_all.pt", list(objects))):
        with torch.package.PackageExporter(FOLDER / name) as exporter:
            exporter.extern("torch.**")
            exporter.intern("interned_net")
            for key in keys:
                exporter.save_pickle("model", key, objects[key])
            exporter.save_text("model", "notes.txt", "about the model")
        importer = torch.package.PackageImporter(FOLDER / name)
        for key in keys:
            loaded = importer.load_pickle("model", key)
            path = f"{name}:model/{key}" if len(keys) > 1 else name
            for part, module in loaded.items() if isinstance(loaded, dict) else [(None, loaded)]:
                write(expected, f"{path}:{part}" if part else path, traced_of(module), (row,), kind="graph")


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(0)
    (FOLDER / "reopened_source.py").write_text(SOURCE)
    sys.path.insert(0, str(FOLDER))
    importlib.import_module("reopened_source")
    expected = {}
    graph_files(expected)
    module_files(expected)
    package_files(expected)
    folders(expected)
    entries(expected)
    packages(expected)
    (FOLDER / "expected.json").write_text(json.dumps(expected, indent=1))


if __name__ == "__main__":
    main()
