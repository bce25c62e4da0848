# SPDX-License-Identifier: GPL-3.0-or-later
# GraphModules that are saved, opened and saved again, and models for the same by other ways.
import collections
import dataclasses
import json
import math
import operator
import zipfile

import torch
import torch.fx
import torch.nn as nn
import torch.nn.functional as F

CASES = {}
EXPORTED = {}
REFUSED = {}


@dataclasses.dataclass
class Case:
    build: object
    inputs: tuple
    needs_source: bool = False


def case(*inputs, needs_source=False):
    def register(function):
        CASES[function.__name__] = Case(function, inputs, needs_source)
        return function

    return register


def randn(*size, seed=0):
    return torch.randn(*size, generator=torch.Generator().manual_seed(seed))


class Net(nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.conv = nn.Conv2d(2, width, 3, padding=1, stride=2, padding_mode="reflect")
        self.norm = nn.BatchNorm2d(width)
        self.scale = nn.Parameter(torch.ones(width, 1, 1))
        self.register_buffer("shift", randn(width, 1, 1), persistent=False)
        self.act = nn.Sequential(nn.ReLU(inplace=True), nn.Dropout(0.25), nn.LeakyReLU(0.2))
        self.head = nn.Linear(width, 2)

    def forward(self, x):
        y = self.act(self.norm(self.conv(x))) * self.scale + self.shift
        y = F.adaptive_avg_pool2d(y, 1).flatten(1)
        return {"out": self.head(y), "size": [y.size(0), y.shape[1]]}


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(5, 4, padding_idx=0)
        self.head = nn.Linear(4, 5, bias=False)
        self.head.weight = self.tokens.weight
        self.again = self.head

    def forward(self, ids):
        return self.again(self.head(self.tokens(ids)) @ self.tokens.weight)


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(3, 4, num_layers=2, bidirectional=True, batch_first=True)
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)
        self.norm = nn.LayerNorm(8)

    def forward(self, x):
        y, (h, c) = self.lstm(x)
        return self.norm(y + self.attention(y, y, y)[0]), h


class Arithmetic(nn.Module):
    def forward(self, x, factor: float = 2.0, *rest, key=None):
        y = -x ** 2 // factor + math.pi
        return y.to(torch.float64), float("inf"), operator.add(x, x.shape[0]), torch.where(x > 0, x, x.new_tensor(0.0)), slice(1, None), x[..., None]


class Frozen(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 3)
        self.lin.bias.requires_grad_(False)
        self.none = nn.Linear(3, 3, bias=False)
        self.small = nn.Parameter(randn(3).to(torch.bfloat16), requires_grad=False)

    def forward(self, x):
        return self.none(self.lin(x)) + self.small.float()


class Block(nn.Module):
    """A class that the reader of the file has to import."""

    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 3)
        self.times = 2

    def forward(self, x):
        return self.lin(x) * self.times


class Blocks(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()

    def forward(self, x):
        return self.block(x)


@torch.fx.wrap
def helper(x, times):
    return x * times if times > 1 else x


class Wrapped(nn.Module):
    def forward(self, x):
        return helper(x, 3) + math.floor(2.5)


@case(randn(2, 2, 6, 6))
def net():
    return torch.fx.symbolic_trace(Net())


@case(randn(2, 2, 6, 6))
def net_eval():
    return torch.fx.symbolic_trace(Net().eval())


@case(torch.tensor([[1, 0, 4]]))
def tied():
    return torch.fx.symbolic_trace(Tied())


@case(randn(2, 5, 3))
def recurrent():
    return torch.fx.symbolic_trace(Recurrent())


@case(randn(3))
def frozen():
    return torch.fx.symbolic_trace(Frozen())


@case(randn(3))
def operators():
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    graph.output(graph.call_function(torch.ops.aten.add.Tensor, (x, graph.call_function(torch.ops.aten.relu.default, (x,))), {"alpha": 2}))
    return torch.fx.GraphModule(nn.Module(), graph)


@case(randn(3))
def nested():
    outer = nn.Module()
    outer.inner, outer.other = torch.fx.symbolic_trace(Frozen()), torch.fx.symbolic_trace(Frozen())
    outer.other.lin = outer.inner.lin
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    graph.output(graph.call_module("other", (graph.call_module("inner", (x,)),)))
    return torch.fx.GraphModule(outer, graph)


@case(randn(3))
def plain_attributes():
    module = nn.Module()
    module.sizes, module.constant, module.text = [1, 2], randn(3, seed=2), "a'b\n\"c"
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    graph.output((graph.call_method("add", (x, graph.get_attr("constant"))), graph.get_attr("sizes"), graph.get_attr("text")))
    return torch.fx.GraphModule(module, graph)


@case()
def no_inputs():
    graph = torch.fx.Graph()
    graph.output(graph.call_function(torch.arange, (3,), {"dtype": torch.int64, "device": torch.device("cpu")}))
    return torch.fx.GraphModule(nn.Module(), graph)


@case(randn(3))
def empty():
    graph = torch.fx.Graph()
    graph.placeholder("x")
    graph.output(None)
    return torch.fx.GraphModule(nn.Module(), graph)


@case(randn(3), needs_source=True)
def own_class():
    class Leaves(torch.fx.Tracer):
        def is_leaf_module(self, module, name):
            return isinstance(module, Block)

    model = Blocks()
    graph = Leaves().trace(model)
    graph._tracer_cls = torch.fx.Tracer
    return torch.fx.GraphModule(model, graph)


TRACED = {
    "Net()": (randn(2, 2, 6, 6),),
    "Tied()": (torch.tensor([[1, 0, 4]]),),
    "Recurrent()": (randn(2, 5, 3),),
    "Frozen()": (randn(3),),
    "Wrapped()": (randn(3),),
    "Arithmetic()": (randn(3),),
    "nn.Sequential(nn.GroupNorm(2, 4), nn.Conv1d(4, 6, 3), nn.PReLU(), nn.Upsample(scale_factor=2))": (randn(2, 4, 8),),
}

# Layers of torch.nn, each by itself.
LAYERS = {
    "nn.Bilinear(3, 4, 5)": (randn(2, 3), randn(2, 4)),
    "nn.Conv3d(2, 4, 3, stride=2, padding='valid', groups=2)": (randn(1, 2, 5, 5, 5),),
    "nn.ConvTranspose2d(2, 3, 3, output_padding=1, stride=2)": (randn(1, 2, 4, 4),),
    "nn.InstanceNorm1d(3, affine=True, track_running_stats=True)": (randn(2, 3, 5),),
    "nn.RMSNorm(4)": (randn(2, 4),),
    "nn.LocalResponseNorm(2)": (randn(1, 4, 3),),
    "nn.EmbeddingBag(7, 3, mode='sum')": (torch.tensor([[1, 2], [3, 4]]),),
    "nn.GRU(3, 4)": (randn(5, 2, 3),),
    "nn.RNNCell(3, 4)": (randn(2, 3),),
    "nn.LSTMCell(3, 4, bias=False)": (randn(2, 3),),
    "nn.MaxPool2d(2, return_indices=True, ceil_mode=True)": (randn(1, 1, 5, 5),),
    "nn.FractionalMaxPool2d(2, output_size=2, _random_samples=randn(1, 1, 2).sigmoid())": (randn(1, 1, 5, 5),),
    "nn.AdaptiveAvgPool3d((2, None, 1))": (randn(1, 1, 4, 4, 4),),
    "nn.LPPool1d(2, 3)": (randn(1, 2, 7).abs(),),
    "nn.ReflectionPad2d((1, 2, 0, 1))": (randn(1, 1, 4, 4),),
    "nn.ConstantPad1d(2, 0.5)": (randn(1, 4),),
    "nn.Threshold(0.1, 20.0)": (randn(4),),
    "nn.Hardtanh(-2, 2)": (randn(4),),
    "nn.GELU(approximate='tanh')": (randn(4),),
    "nn.Softmax(dim=-1)": (randn(2, 3),),
    "nn.RReLU()": (randn(4),),
    "nn.PixelShuffle(2)": (randn(1, 4, 2, 2),),
    "nn.Unflatten(1, (2, 3))": (randn(2, 6),),
    "nn.CosineSimilarity(dim=1)": (randn(2, 3), randn(2, 3, seed=1)),
    "nn.PairwiseDistance(keepdim=True)": (randn(2, 3), randn(2, 3, seed=1)),
    "nn.CrossEntropyLoss(weight=torch.ones(3), label_smoothing=0.1)": (randn(2, 3), torch.tensor([0, 2])),
    "nn.TripletMarginLoss(margin=2.0)": (randn(2, 3), randn(2, 3, seed=1), randn(2, 3, seed=2)),
    "nn.Identity()": (randn(2),),
    "nn.TransformerEncoderLayer(8, 2, 16, batch_first=True, activation=F.gelu)": (randn(2, 3, 8),),
    "nn.TransformerDecoderLayer(8, 2, 16)": (randn(3, 2, 8), randn(4, 2, 8, seed=1)),
}


class Holder(nn.Module):
    """Calls a layer, which stays one node."""

    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(self, x):
        return self.layer(x)


class HolderOfTwo(Holder):
    def forward(self, x, y):
        return self.layer(x, y)


class HolderOfThree(Holder):
    def forward(self, x, y, z):
        return self.layer(x, y, z)


for _text, _inputs in LAYERS.items():
    TRACED[f"{(Holder, HolderOfTwo, HolderOfThree)[len(_inputs) - 1].__name__}({_text})"] = _inputs


def exported(function):
    EXPORTED[function.__name__] = function
    return function


@exported
def classifier():
    return Net().eval(), (randn(2, 2, 6, 6),), {}


@exported
def nested_values():
    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("seen", torch.zeros(2))

        def forward(self, given, *, scale):
            a, (b, c) = given["a"], given["b"]
            self.seen.add_(b)
            return {"sum": (a + b) * scale, "more": [c * self.seen, (a, 3, None)]}

    return Model(), ({"a": randn(2), "b": [randn(2, seed=1), randn(2, seed=2)]},), {"scale": torch.tensor(2.0)}


def refused(function):
    REFUSED[function.__name__] = function
    return function


@refused
def a_class_that_nobody_knows(commands, folder):
    torch.save(own_class(), folder / "model.pt")
    return (folder / "model.pt",), "graph_modules.Block"


@refused
def nested_graphs(commands, folder):
    class Model(nn.Module):
        def forward(self, x):
            return torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x - 1, (x,))

    torch.export.save(torch.export.export(Model(), (torch.ones(2),)), folder / "model.pt2")
    return (folder / "model.pt2",), "hands a graph on"


@refused
def a_structure_of_another_class(commands, folder):
    class Model(nn.Module):
        def forward(self, x):
            return collections.OrderedDict(a=x + 1)

    torch.export.save(torch.export.export(Model(), (torch.ones(2),)), folder / "model.pt2")
    return (folder / "model.pt2",), "which a graph cannot make; export a folder"


@refused
def an_attribute_of_another_class(commands, folder):
    (folder / "cuts.py").write_text("import torch\n\n\nclass Cut(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
                                    "        self.part = slice(0, 1)\n\n    def forward(self, x):\n        return x[self.part]\n\n\n"
                                    "class Model(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.cut = Cut()\n\n"
                                    "    def forward(self, x):\n        return self.cut(x)\n")
    return (f"{folder}/cuts.py:Model()", "--leaf", "Cut"), "'part', which such a file cannot hold; save an .fxg"


@refused
def a_function_of_the_system(commands, folder):
    class Model(nn.Module):
        def forward(self, x):
            return x.relu()

    file = folder / "model.pt2"
    torch.export.save(torch.export.export(Model(), (torch.ones(2),)), folder / "sound.pt2")
    with zipfile.ZipFile(folder / "sound.pt2") as old, zipfile.ZipFile(file, "w") as new:
        for item in old.infolist():
            new.writestr(item, old.read(item).replace(b"torch.ops.aten.relu.default", b"os.system"))
    return (file,), "os.system"


def with_class(commands, folder, name):
    """An .fxg whose layer is of another class."""
    file = folder / "changed.fxg"
    torch.save(torch.fx.symbolic_trace(Frozen()), folder / "model.pt")
    assert not commands("export", folder / "model.pt", folder / "model.fxg").code
    with zipfile.ZipFile(folder / "model.fxg") as old, zipfile.ZipFile(file, "w") as new:
        for item in old.infolist():
            new.writestr(item, old.read(item).replace(b"torch.nn.modules.linear.Linear", json.dumps(name)[1:-1].encode()))
    return (file,), "is of the class"


@refused
def a_class_that_is_a_command(commands, folder):
    return with_class(commands, folder, "os.system")


@refused
def a_class_of_several_lines(commands, folder):
    """Names stand on lines of their own in a pickle: what follows one would be read as the next."""
    return with_class(commands, folder, "torch.ops.a\nb\ncposix\nsystem\n(X\x04\x00\x00\x00true.tR.c")
