# SPDX-License-Identifier: GPL-3.0-or-later
# What model sources do apart from tensors.

# --- config_driven_layers
cfgs = {"A": [64, "M", 128, "M"], "B": [64, 64, "M"]}
def make_layers(cfg, batch_norm=False):
    layers, c = [], 3
    for v in cfg:
        if v == "M":
            layers += [("pool", 2, 2)]
        else:
            conv = ("conv", c, v, {"kernel_size": 3, "padding": 1})
            layers += [conv, ("bn", v), "relu"] if batch_norm else [conv, "relu"]
            c = v
    return layers
print(make_layers(cfgs["A"]), len(make_layers(cfgs["B"], batch_norm=True)))

# --- ntuple_helpers
from itertools import repeat
import collections.abc
def _ntuple(n):
    def parse(x):
        if isinstance(x, collections.abc.Iterable) and not isinstance(x, str):
            return tuple(x)
        return tuple(repeat(x, n))
    return parse
to_2tuple = _ntuple(2)
print(to_2tuple(3), to_2tuple((1, 2)), to_2tuple([4]), to_2tuple("a"), _ntuple(3)(None))

# --- make_divisible_and_round_filters
import math
def make_divisible(v, divisor=8, min_value=None, round_limit=0.9):
    min_value = min_value or divisor
    new_v = max(min_value, int(v + divisor / 2) // divisor * divisor)
    if new_v < round_limit * v:
        new_v += divisor
    return new_v
def round_repeats(r, m): return int(math.ceil(r * m))
print([make_divisible(c * w) for c in (16, 24, 40, 3) for w in (0.35, 1.0, 1.4)], [round_repeats(r, 1.1) for r in (1, 2, 5)])

# --- decode_block_strings
def decode(s):
    parts = s.split("_")
    kind, opts = parts[0], {}
    for op in parts[1:]:
        for i, ch in enumerate(op):
            if ch.isdigit():
                opts[op[:i]] = float(op[i:]) if "." in op else int(op[i:])
                break
        else:
            opts[op] = True
    return kind, opts
print([decode(s) for s in ("ir_r2_k3_s2_e6_c24", "ds_r1_k3_s1_e1_c16_se0.25_noskip")])

# --- module_registry_with_attributes
from collections import OrderedDict
class Module:
    def __init__(self):
        object.__setattr__(self, "_modules", OrderedDict())
        object.__setattr__(self, "training", True)
    def __setattr__(self, k, v):
        if isinstance(v, Module): self._modules[k] = v
        else: object.__setattr__(self, k, v)
    def __getattr__(self, k):
        if "_modules" in self.__dict__ and k in self._modules: return self._modules[k]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{k}'")
    def named_modules(self, prefix=""):
        yield prefix, self
        for n, m in self._modules.items():
            yield from m.named_modules(prefix + ("." if prefix else "") + n)
    def children(self):
        for _, m in self._modules.items(): yield m
    def train(self, mode=True):
        self.training = mode
        for c in self.children(): c.train(mode)
        return self
    def eval(self): return self.train(False)
    def apply(self, fn):
        for c in self.children(): c.apply(fn)
        fn(self)
        return self
    def __call__(self, *a, **k): return self.forward(*a, **k)
class Scale(Module):
    def __init__(self, s):
        super().__init__()
        self.s = s
    def forward(self, x): return x * self.s
class Block(Module):
    def __init__(self):
        super().__init__()
        self.a = Scale(2)
        self.b = Scale(3)
    def forward(self, x): return self.b(self.a(x)) + x
class Net(Module):
    def __init__(self, n):
        super().__init__()
        for i in range(n): setattr(self, f"block{i}", Block())
    def forward(self, x):
        for m in self.children(): x = m(x)
        return x
net = Net(2)
print(net(1), [n for n, _ in net.named_modules()], net.eval().block1.a.training, net.block0.b.s)
seen = []
net.apply(lambda m: seen.append(type(m).__name__))
print(seen)

# --- flatten_and_unflatten_nested_state
def flatten(d, prefix=""):
    out = {}
    for k, v in d.items():
        key = f"{prefix}{k}"
        out.update(flatten(v, key + ".")) if isinstance(v, dict) else out.__setitem__(key, v)
    return out
def unflatten(f):
    root = {}
    for k, v in f.items():
        *path, last = k.split(".")
        node = root
        for p in path: node = node.setdefault(p, {})
        node[last] = v
    return root
s = {"layer": {"0": {"w": 1, "b": 2}, "1": {"w": 3}}, "head": 4}
f = flatten(s)
print(f, unflatten(f) == s, [k for k in f if k.endswith(".w")], {k.replace("layer.", "blocks."): v for k, v in f.items()})

# --- conv_output_arithmetic
def out(size, k, s=1, p=0, d=1): return (size + 2 * p - d * (k - 1) - 1) // s + 1
h = 224
for k, s, p in [(7, 2, 3), (3, 2, 1), (3, 1, 1), (1, 1, 0)]:
    h = out(h, k, s, p)
    print(h, end=" ")
print(out(28, 2, 2), [out(n, 3, 2, 1) for n in range(1, 8)])

# --- config_class_with_defaults_and_overrides
class Config:
    hidden = 8
    def __init__(self, **kwargs):
        for k, v in kwargs.items():
            if not hasattr(type(self), k) and k not in ("extra",):
                raise TypeError(f"unknown option {k!r}")
            setattr(self, k, v)
    @classmethod
    def from_dict(cls, d): return cls(**{k: v for k, v in d.items() if not k.startswith("_")})
    def to_dict(self): return {k: getattr(self, k) for k in dir(self) if not k.startswith("_") and not callable(getattr(self, k))}
print(Config(hidden=16).to_dict(), Config.from_dict({"_v": 1, "extra": [1]}).to_dict())
try:
    Config(hiden=1)
except TypeError as e:
    print(e)

# --- activation_table_and_strings
ACT2FN = {"relu": lambda x: max(x, 0), "id": lambda x: x, "sq": lambda x: x * x}
def get(name):
    if callable(name): return name
    try:
        return ACT2FN[name.lower()]
    except KeyError:
        raise ValueError(f"unknown activation {name!r}, choose from {sorted(ACT2FN)}") from None
print(get("ReLU")(-3), get(abs)(-2), get("sq")(4))
try:
    get("tanh")
except ValueError as e:
    print(e)

# --- drop_path_rates_and_schedules
depths, rate = [2, 2, 6], 0.2
total = sum(depths)
dpr = [rate * i / (total - 1) for i in range(total)]
cur, stages = 0, []
for d in depths:
    stages.append([round(x, 3) for x in dpr[cur:cur + d]])
    cur += d
print(stages, [2 ** i * 96 for i in range(4)], [int(96 * 2 ** (i / 2)) for i in range(3)])

# --- attention_head_checks
def split(dim, heads):
    assert dim % heads == 0, f"dim {dim} must be divisible by heads {heads}"
    return heads, dim // heads, (dim // heads) ** -0.5
print(split(64, 4))
try:
    split(10, 3)
except AssertionError as e:
    print("AssertionError:", e)

# --- lazy_properties_and_builder_chains
class Builder:
    def __init__(self): self._steps = []
    def __getattr__(self, name):
        if name.startswith("_"): raise AttributeError(name)
        def add(*a, **k):
            self._steps.append((name, a, k))
            return self
        return add
    def build(self): return " -> ".join(f"{n}{a}" for n, a, _ in self._steps)
print(Builder().conv(3, 64).relu().pool(2).build())

# --- bidirectional_parameter_names
from itertools import product
names = []
for layer, d in product(range(2), ("", "_reverse")):
    for kind in ("weight_ih", "weight_hh", "bias_ih"):
        names.append(f"{kind}_l{layer}{d}")
print(names)

# --- typed_outputs_and_optional_returns
from typing import NamedTuple, Optional, Tuple, Union
from dataclasses import dataclass
class Out(NamedTuple):
    logits: list
    aux: Optional[list] = None
@dataclass
class ModelOutput:
    last: float
    states: Optional[Tuple[float, ...]] = None
    def __getitem__(self, k): return self.to_tuple()[k] if isinstance(k, int) else getattr(self, k)
    def to_tuple(self): return tuple(v for v in (self.last, self.states) if v is not None)
def forward(x, return_dict: bool = True) -> Union[Out, ModelOutput]:
    return ModelOutput(x, (x, x * 2)) if return_dict else Out([x])
o = forward(1.5)
print(o, o[0], o["states"], forward(2, False), forward(2, False)._replace(aux=[1]), len(o.to_tuple()))

# --- beam_search_in_plain_python
import math
probs = {"a": {"a": 0.1, "b": 0.9}, "b": {"a": 0.5, "b": 0.5}}
beams = [(0.0, ["a"])]
for _ in range(3):
    cand = [(s + math.log(p), seq + [t]) for s, seq in beams for t, p in probs[seq[-1]].items()]
    beams = sorted(cand, key=lambda b: -b[0])[:2]
print([("".join(q), round(s, 4)) for s, q in beams])

# --- tokenizer_and_vocab
text = "the cat the dog a cat"
vocab = {w: i for i, w in enumerate(dict.fromkeys(text.split()))}
inv = {i: w for w, i in vocab.items()}
ids = [vocab[w] for w in text.split()]
pad = max(map(len, [ids, ids[:2]]))
batch = [s + [-1] * (pad - len(s)) for s in (ids, ids[:2])]
mask = [[int(t >= 0) for t in row] for row in batch]
print(vocab, ids, " ".join(inv[i] for i in ids[:3]), batch, mask)

# --- matrix_class_with_operators
class Matrix:
    def __init__(self, rows): self.rows = [list(r) for r in rows]
    @classmethod
    def eye(cls, n): return cls([[int(i == j) for j in range(n)] for i in range(n)])
    @property
    def shape(self): return len(self.rows), len(self.rows[0])
    @property
    def T(self): return Matrix(zip(*self.rows))
    def __matmul__(self, o): return Matrix([[sum(a * b for a, b in zip(r, c)) for c in o.T.rows] for r in self.rows])
    def __add__(self, o): return Matrix([[a + b for a, b in zip(r, s)] for r, s in zip(self.rows, o.rows)])
    def __mul__(self, k): return Matrix([[a * k for a in r] for r in self.rows])
    __rmul__ = __mul__
    def __getitem__(self, key):
        if isinstance(key, tuple):
            r, c = key
            rows = self.rows[r] if isinstance(r, slice) else [self.rows[r]]
            out = [row[c] if isinstance(c, slice) else [row[c]] for row in rows]
            return out[0][0] if not isinstance(r, slice) and not isinstance(c, slice) else Matrix(out)
        return self.rows[key]
    def __eq__(self, o): return self.rows == o.rows
    def __repr__(self): return f"Matrix({self.rows})"
m = Matrix([[1, 2], [3, 4]])
print(m @ m, m.T, 2 * m + Matrix.eye(2), m[0, 1], m[:, 1], m[1], m[:1, :], m.shape, m == m.T.T)

# --- autograd_in_fifteen_lines
class Var:
    def __init__(self, v, parents=()): self.v, self.parents, self.grad = v, parents, 0.0
    def __add__(self, o): return Var(self.v + o.v, [(self, 1.0), (o, 1.0)])
    def __mul__(self, o): return Var(self.v * o.v, [(self, o.v), (o, self.v)])
    def backward(self, g=1.0):
        self.grad += g
        for p, local in self.parents: p.backward(g * local)
x, y = Var(3.0), Var(4.0)
z = x * y + x * x
z.backward()
print(z.v, x.grad, y.grad)

# --- topological_sort_of_a_graph
graph = {"out": ["add"], "add": ["conv", "x"], "conv": ["x", "w"], "x": [], "w": []}
def order(g):
    seen, out = set(), []
    def visit(n):
        if n in seen: return
        seen.add(n)
        for d in g[n]: visit(d)
        out.append(n)
    for n in g: visit(n)
    return out
print(order(graph))

# --- fizzbuzz_primes_and_sorting_by_hand
print(" ".join("FizzBuzz"[i * i % 3 * 4:8 - -i ** 4 % 5] or str(i) for i in range(1, 16)))
print([n for n in range(2, 40) if all(n % d for d in range(2, int(n ** 0.5) + 1))])
def quick(l):
    if len(l) < 2: return l
    p, *rest = l
    return quick([x for x in rest if x < p]) + [p] + quick([x for x in rest if x >= p])
print(quick([3, 6, 1, 8, 2, 9, 2]), (lambda f, n: f(f, n))(lambda f, n: 1 if n < 2 else n * f(f, n - 1), 6))

# --- docstrings_and_comments
def f():
    """First line.

    More.
    """
    # a comment
    return 1  # another
class A:
    'short'
    def m(self):
        u"unicode doc"
print(repr(f.__doc__), A.__doc__, A.m.__doc__, (lambda: 0).__doc__)
