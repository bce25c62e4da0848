# SPDX-License-Identifier: GPL-3.0-or-later
"""The models that the oracle exports: each varies something that a reader or an interpreter can get wrong.

A row is made by @case(name, args, ...) over a function that gives a torch.nn.Module.
"""

import collections
import dataclasses
import math
from typing import NamedTuple

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.export import Dim

CASES = {}


@dataclasses.dataclass
class Case:
    name: str
    build: object
    args: tuple
    kwargs: dict
    dynamic: object = None
    decompose: bool = False
    strict: bool = False
    runs: bool = True  # whether fxscope is expected to run it
    clobbers: bool = False  # torch.fx's own code overwrites a parameter; its Interpreter does not


def case(name, *args, dynamic=None, decompose=False, strict=False, runs=True, clobbers=False, **kwargs):
    def register(build):
        CASES[name] = Case(name, build, args, kwargs, dynamic, decompose, strict, runs, clobbers)
        return build

    return register


def module(forward, **attributes):
    """A module whose forward is a plain function of (self, ...)."""

    class M(nn.Module):
        def __init__(self):
            super().__init__()
            for key, value in attributes.items():
                if isinstance(value, torch.Tensor) and not isinstance(value, nn.Parameter):
                    self.register_buffer(key, value)
                else:
                    setattr(self, key, value)

    M.forward = forward
    return M()


def randn(*size, seed=0, dtype=torch.float32):
    return torch.randn(*size, generator=torch.Generator().manual_seed(seed)).to(dtype)


# --- Ordinary networks


class Block(nn.Module):
    def __init__(self, c, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(c, c * stride, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(c * stride)
        self.conv2 = nn.Conv2d(c * stride, c * stride, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(c * stride)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = nn.Sequential(nn.Conv2d(c, c * stride, 1, stride), nn.BatchNorm2d(c * stride)) if stride > 1 else None

    def forward(self, x):
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        out += x if self.downsample is None else self.downsample(x)
        return self.relu(out)


class ResNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 7, 2, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(3, 2, 1))
        self.layer1 = nn.Sequential(Block(8), Block(8))
        self.layer2 = nn.Sequential(Block(8, 2), Block(16))
        self.fc = nn.Linear(16, 10)

    def forward(self, x):
        x = self.layer2(self.layer1(self.stem(x)))
        return self.fc(torch.flatten(F.adaptive_avg_pool2d(x, 1), 1))


case("resnet", randn(2, 3, 32, 32), dynamic=({0: Dim.DYNAMIC},))(lambda: ResNet().eval())
case("resnet_decomposed", randn(1, 3, 32, 32), decompose=True)(lambda: ResNet().eval())
case("resnet_train", randn(2, 3, 32, 32))(lambda: ResNet().train())
case("resnet_train_decomposed", randn(2, 3, 32, 32), decompose=True)(lambda: ResNet().train())


class Attention(nn.Module):
    def __init__(self, d=16, heads=4):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(d, 3 * d)
        self.proj = nn.Linear(d, d)

    def forward(self, x, mask):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        return self.proj(F.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(1, 2).reshape(b, t, d))


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.attn = Attention()
        self.norm1, self.norm2 = nn.LayerNorm(16), nn.LayerNorm(16)
        self.mlp = nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.Dropout(0.1), nn.Linear(32, 16))

    def forward(self, x, mask):
        x = x + self.attn(self.norm1(x), mask)
        return x + self.mlp(self.norm2(x))


class Transformer(nn.Module):
    def __init__(self, layers=3):
        super().__init__()
        self.embed = nn.Embedding(50, 16)
        self.position = nn.Parameter(randn(32, 16, seed=4))
        self.layers = nn.ModuleList(Layer() for _ in range(layers))
        self.head = nn.Linear(16, 50, bias=False)
        self.head.weight = self.embed.weight  # tied

    def forward(self, ids):
        t = ids.shape[1]
        x = self.embed(ids) + self.position[:t]
        mask = torch.ones(t, t, dtype=torch.bool, device=ids.device).tril()
        for layer in self.layers:
            x = layer(x, mask)
        return self.head(x)


TOKENS = torch.randint(0, 50, (2, 7), generator=torch.Generator().manual_seed(1))
case("transformer", TOKENS)(lambda: Transformer().eval())
case("transformer_dynamic", TOKENS, dynamic=({0: Dim.DYNAMIC, 1: Dim("t", min=3, max=32)},))(lambda: Transformer().eval())
case("transformer_decomposed", TOKENS, decompose=True)(lambda: Transformer().eval())
case("encoder_layer", randn(4, 2, 16))(lambda: nn.TransformerEncoderLayer(16, 4, 32).eval())
case("lstm", randn(5, 2, 6))(lambda: nn.LSTM(6, 4, num_layers=2).eval())
case("gru_bidirectional", randn(5, 2, 6))(lambda: nn.GRU(6, 4, bidirectional=True).eval())
case("conv_transpose", randn(1, 4, 8, 8))(lambda: nn.Sequential(nn.ConvTranspose2d(4, 2, 3, 2), nn.InstanceNorm2d(2), nn.PixelUnshuffle(1)).eval())
case("group_norm_pool", randn(2, 6, 9, 9))(lambda: nn.Sequential(nn.GroupNorm(3, 6), nn.SiLU(), nn.AvgPool2d(2), nn.Hardswish()).eval())
case("embedding_bag", torch.tensor([1, 2, 4, 5, 4, 3]), torch.tensor([0, 3]))(lambda: nn.EmbeddingBag(10, 3).eval())
case("channels_last", randn(1, 4, 6, 6).to(memory_format=torch.channels_last))(
    lambda: module(lambda self, x: self.conv(x).contiguous(memory_format=torch.contiguous_format), conv=nn.Conv2d(4, 4, 3).to(memory_format=torch.channels_last)))


# --- State: buffers, constants, ties


def _counter(self, x):
    self.count.add_(1)
    self.total = self.total + x.sum()
    return x * self.count, self.total


case("mutated_buffers", randn(3))(lambda: module(_counter, count=torch.zeros(()), total=torch.zeros(())))
case("mutated_buffers_decomposed", randn(3), decompose=True)(lambda: module(_counter, count=torch.zeros(()), total=torch.zeros(())))


class Transient(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("scratch", randn(4, seed=2), persistent=False)
        self.const = randn(4, seed=3)
        self.tag = "not a tensor"

    def forward(self, x):
        return x * self.scratch + self.const + torch.tensor([1.0, 2.0, 3.0, 4.0])


case("constants", randn(4))(Transient)
case("constants_decomposed", randn(4), decompose=True)(Transient)


class Views(nn.Module):
    def __init__(self):
        super().__init__()
        base = randn(4, 4, seed=5)
        self.register_buffer("a", base)
        self.register_buffer("b", base[1:3].t())

    def forward(self, x):
        return x @ self.a, x @ self.b


case("aliased_buffers", randn(3, 4))(Views)
case("input_mutation", randn(3))(lambda: module(lambda self, x: (x.add_(1), x * 2)[1]))
case("input_mutation_decomposed", randn(3), decompose=True)(lambda: module(lambda self, x: (x.add_(1), x * 2)[1]))
case("one_module_twice", randn(2, 4))(lambda: module(lambda self, x: self.lin(torch.relu(self.lin(x))), lin=nn.Linear(4, 4)))
case("unused_parameter", randn(2))(lambda: module(lambda self, x: x + 1, w=nn.Parameter(randn(3))))
case("half_weights", randn(2, 4, dtype=torch.bfloat16))(lambda: nn.Linear(4, 3).bfloat16())


# --- Inputs and outputs of all shapes


class Pair(NamedTuple):
    left: torch.Tensor
    right: torch.Tensor


torch.utils._pytree._register_namedtuple(Pair, serialized_type_name="fxscope.Pair")

case("nested_inputs", {"a": randn(2), "b": [randn(2, seed=1), (randn(2, seed=2),)]}, flag=randn(2, seed=3))(
    lambda: module(lambda self, d, *, flag: {"sum": d["a"] + d["b"][0], "rest": [d["b"][1][0], (flag,)]}))
case("ordered_dict", collections.OrderedDict(z=randn(2), a=randn(2, seed=1)))(lambda: module(lambda self, d: collections.OrderedDict(q=d["a"], p=d["z"])))
case("named_tuple", Pair(randn(2), randn(2, seed=1)))(lambda: module(lambda self, p: Pair(p.right, p.left * 2)))
case("keywords", randn(2), scale=randn(2, seed=1), bias=randn(2, seed=2))(lambda: module(lambda self, x, bias=None, scale=None: x * scale + bias))
case("none_and_numbers", randn(2), None, 3, 2.5, True, "add")(
    lambda: module(lambda self, x, n, i, f, b, s: x * i + f if b and s == "add" and n is None else x))
case("varargs", randn(2), randn(2, seed=1), randn(2, seed=2), k=randn(2, seed=3))(
    lambda: module(lambda self, *xs, **kw: sum(xs[1:], xs[0]) + kw["k"]))
case("constant_outputs", randn(2))(lambda: module(lambda self, x: (x, 3, None, 2.5, True)))
case("input_is_output", randn(2))(lambda: module(lambda self, x: x))
case("same_output_twice", randn(2))(lambda: module(lambda self, x: (lambda y: (y, y, [y]))(x + 1)))
case("no_inputs")(lambda: module(lambda self: self.w * 2, w=nn.Parameter(randn(3))))
case("no_output", randn(2))(lambda: module(lambda self, x: None))
case("reserved_names", randn(2), randn(2, seed=1), randn(2, seed=2), clobbers=True)(
    lambda: module(lambda self, input, list, input_1: (input + list, input_1 * input)))


def _odd(self, for_, add, _, __x__):
    sum_1 = for_ + add
    return torch.add(sum_1, _).sum() + __x__.max()


case("odd_names", randn(2), randn(2, seed=1), randn(2, seed=2), randn(2, seed=3))(lambda: module(_odd))


# --- Arguments of all kinds


def _many_results(self, x):
    values, indices = torch.topk(x, 2, dim=1)
    a, b = x.split([1, 3], dim=1)
    c = torch.unbind(x, 0)
    mean, var = torch.var_mean(x, dim=(0,), keepdim=True)
    q = torch.linalg.qr(x)
    s = x.sort(descending=True, stable=True)
    return values, indices, a, b, c[1], mean, var, q.R, s.values


case("many_results", randn(3, 4))(lambda: module(_many_results))
case("many_results_decomposed", randn(3, 4), decompose=True)(lambda: module(_many_results))
case("unused_results", randn(3, 4))(lambda: module(lambda self, x: torch.topk(x, 2)[1] + torch.max(x, 1, keepdim=True)[1]))


def _indexing(self, x, i):
    y = x[i, None, ..., 1:3]
    z = x[:, [0, 2]]
    w = x.clone()
    w[0, 1:] = 7.0
    w[i] = x[i] * 2
    return y, z, w, x[x > 0], x[..., -1], x[::2]


case("indexing", randn(3, 4), torch.tensor([0, 2]))(lambda: module(_indexing))


def _numbers_first(self, x):
    """What the overloads for tensors take of Python's numbers."""
    aten = torch.ops.aten
    return aten.sub.Tensor(4, x), aten.sub.Tensor(4, x, alpha=2), aten.add.Tensor(4, x), aten.mul.Tensor(2, x)


case("numbers_first", randn(3, 4))(lambda: module(_numbers_first))


def _dtypes(self, x):
    return (
        x.to(torch.float16), x.to(torch.complex64) * 2j, x > 0, x.to(torch.uint8), x.double(), x.to(torch.bfloat16),
        torch.full((2,), math.inf), torch.full((2,), -math.inf), torch.tensor(math.nan), x.to(torch.int8).to(torch.int64),
        torch.zeros(2, dtype=torch.float8_e4m3fn), torch.empty_like(x, memory_format=torch.preserve_format).fill_(1e-5),
        torch.arange(0, 1e17, 5e16), torch.full((1,), 123456789.0), x.to(torch.uint16),
    )


case("dtypes", randn(4).abs())(lambda: module(_dtypes))


def _strings(self, x, y):
    a = torch.einsum("bi,ij->bj", x, y)
    b = torch.div(x, 3, rounding_mode="floor")
    c = F.interpolate(x[None, None], scale_factor=2.0, mode="bilinear", align_corners=False)
    d = F.pad(x, (1, 2), mode="constant", value=0.5)
    e = F.gelu(x, approximate="tanh")
    return a, b, c, d, e, torch.searchsorted(y[0].sort().values, x, side="right")


case("strings", randn(2, 3), randn(3, 3, seed=1))(lambda: module(_strings))
case("optional_tensors", randn(2, 3, 4))(lambda: module(lambda self, x: (F.layer_norm(x, (4,)), torch.clamp(x, min=torch.tensor(0.0)), F.batch_norm(x, torch.zeros(3), torch.ones(3)))))
case("lists_of_lists", randn(2, 3))(lambda: module(lambda self, x: (torch.block_diag(x, x), torch.cartesian_prod(x[0], x[1]), torch.stack([torch.cat([x, x]), torch.cat([x, x * 2])]))))
case("in_place_chain", randn(4))(lambda: module(lambda self, x: x.clone().mul_(2).add_(1, alpha=3).clamp_(min=0).sqrt_()))
case("empty_tensors", randn(0, 3))(lambda: module(lambda self, x: (x.sum(), x + 1, torch.zeros(2, 0))))
case("scalars", torch.tensor(2.0), torch.tensor(3))(lambda: module(lambda self, x, n: (x * n, n // 2, x ** 2, -n, 1 / x, n % 2)))
case("named_submodules", randn(2, 4))(lambda: nn.Sequential(collections.OrderedDict([("0-first", nn.Linear(4, 4)), ("für", nn.ReLU()), ("last.one".replace(".", "-"), nn.Linear(4, 2))])))


# --- Dynamic shapes


def _symbolic(self, x, y):
    n, m = x.shape
    a = x.view(n * 2, -1)
    b = torch.cat([x, x])[: n // 2 + 1]
    c = torch.zeros(n % 3 + 1, max(m, 2))
    d = y.nonzero()
    return a, b, c, d, d.shape[0] + 1, n * m - 1, y.sum().item() * 2.0, (n + m) / 2


case("symbolic", randn(4, 6), torch.ones(5), dynamic=({0: Dim.DYNAMIC, 1: Dim("w", min=4, max=64)}, {0: Dim.DYNAMIC}))(lambda: module(_symbolic))
case("derived_dims", randn(4), randn(5, seed=1), dynamic=({0: Dim("k", min=2)}, {0: Dim("k", min=2) + 1}))(lambda: module(lambda self, x, y: x + y[1:]))


def _unbacked(self, x, n):
    k = n.item()
    torch._check(k >= 1)
    torch._check(k <= x.shape[0])
    return x[:k] * 2, torch.arange(k), torch.full((k, 2), 1.5)


case("unbacked", randn(6), torch.tensor(3))(lambda: module(_unbacked))
case("int_input", randn(6), 4, dynamic=({0: Dim.DYNAMIC}, Dim.DYNAMIC))(lambda: module(lambda self, x, n: x.new_zeros(n) + x.sum() * n))
case("masked", randn(6))(lambda: module(lambda self, x: (lambda y: y.sum() + y.shape[0])(x[x > 0])))


# --- Nested graphs


def _cond(self, x):
    def yes(x):
        return self.lin(x).sin(), x.shape[0]

    def no(x):
        return torch.cond(x.mean() > 1, lambda x: x.exp(), lambda x: x.cos(), (self.lin(x),)), x.shape[0] + 1

    return torch.cond(x.sum() > 0, lambda x: yes(x)[0], lambda x: no(x)[0], (x,)) * 2


case("cond", randn(2, 4))(lambda: module(_cond, lin=nn.Linear(4, 4)))
case("cond_negative", -randn(2, 4).abs())(lambda: module(_cond, lin=nn.Linear(4, 4)))
case("cond_decomposed", randn(2, 4), decompose=True)(lambda: module(_cond, lin=nn.Linear(4, 4)))
case("cond_tuple", randn(3))(lambda: module(lambda self, x: torch.cond(x.sum() > 0, lambda x: (x + 1, x * 2), lambda x: (x - 1, x / 2), (x,))))


def _map(self, xs, y):
    from torch._higher_order_ops.map import map as fx_map

    return fx_map(lambda x, y: x * y + 1, xs, y)


case("map", randn(4, 3), randn(3, seed=1))(lambda: module(_map))


def _while(self, n, x):
    from torch._higher_order_ops import while_loop

    return while_loop(lambda n, x: n < 5, lambda n, x: (n + 1, x * 1.5 + self.w), (n, x))


case("while_loop", torch.tensor(0), randn(3))(lambda: module(_while, w=nn.Parameter(randn(3, seed=2))))


def _scan(self, init, xs):
    from torch._higher_order_ops.scan import scan

    return scan(lambda c, x: (c + x, c * x), init, xs)


case("scan", randn(3), randn(4, 3, seed=1))(lambda: module(_scan))
case("scan_reverse", randn(3), randn(4, 3, seed=1))(
    lambda: module(lambda self, i, xs: __import__("torch._higher_order_ops.scan", fromlist=["scan"]).scan(lambda c, x: (c * 0.5 + x, c.sin()), i, xs, reverse=True)))


def _associative(self, xs):
    from torch._higher_order_ops.associative_scan import associative_scan

    return associative_scan(lambda a, b: a * 0.5 + b, xs, dim=0, combine_mode="generic")


case("associative_scan", randn(5, 2))(lambda: module(_associative))


def _no_grad(self, x):
    y = self.lin(x)
    with torch.no_grad():
        z = self.lin(y).relu()
    return y + z


case("no_grad", randn(2, 4))(lambda: module(_no_grad, lin=nn.Linear(4, 4)))


def _autocast(self, x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = self.lin(x)
    return y.float() + x


case("autocast", randn(2, 4))(lambda: module(_autocast, lin=nn.Linear(4, 4)))
case("checkpoint", randn(2, 4))(
    lambda: module(lambda self, x: torch.utils.checkpoint.checkpoint(lambda t: self.lin(t).relu(), x, use_reentrant=False), lin=nn.Linear(4, 4)))


# --- Odds and ends


@torch.library.custom_op("fxscope_test::twice", mutates_args=())
def twice(x: torch.Tensor, times: int = 2) -> torch.Tensor:
    return x * times


@twice.register_fake
def _(x, times=2):
    return torch.empty_like(x)


case("custom_op", randn(2), runs=False)(lambda: module(lambda self, x: torch.ops.fxscope_test.twice(x, 3) + 1))
case("random", randn(2, 3))(lambda: module(lambda self, x: F.dropout(x, 0.5, training=True) + torch.randn(3) * torch.rand_like(x)))
case("dead_code_decomposed", randn(2, 3), decompose=True)(lambda: module(lambda self, x: (x.sin(), x.cos())[1]))
case("asserts", randn(2, 3))(lambda: module(lambda self, x: (torch._assert(x.shape[0] == 2, "two"), torch._assert_async((x.sum() == x.sum()), "same"), x + 1)[2]))
case("vmap", randn(3, 4))(lambda: module(lambda self, x: torch.vmap(lambda r: r.sum() * r)(x)))
case("unicode_strings", randn(2))(lambda: module(lambda self, x: (torch._assert_async(x.sum() > -1e9, "größer als 'nichts' \"oder\"\n\tneu \u200b"), x)[1]))
case("deep_chain", randn(2))(lambda: nn.Sequential(*[m for i in range(60) for m in (nn.Linear(2, 2), nn.Tanh())]))
case("repeated_blocks", randn(2, 8))(lambda: nn.Sequential(*[nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Sequential(nn.Linear(8, 8), nn.Sigmoid())) for _ in range(12)]))
