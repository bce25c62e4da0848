# SPDX-License-Identifier: GPL-3.0-or-later
"""Saves modules, GraphModules and state_dicts with the real torch in every form that torch.save has, and says what is in them.

    make_torch_files.py FOLDER

expected.json: for each file its modules in order, each with class, mode, tensors (role, dtype, shape, stride, bytes, ties) and plain
attributes; for GraphModules the code; for state_dicts the names.
"""

import json
import pathlib
import struct
import sys
import warnings

import torch
import torch.fx
import torch.utils._pytree as pytree

warnings.simplefilter("ignore")
FOLDER = pathlib.Path(sys.argv[1])
FORMS = {"zip": {}, "legacy": {"_use_new_zipfile_serialization": False}, "zip4": {"pickle_protocol": 4},
         "legacy5": {"_use_new_zipfile_serialization": False, "pickle_protocol": 5}}


class Settings:
    """A plain object that a module may keep."""

    def __init__(self):
        self.width = 4


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(3, 4)
        self.seq = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.Sequential(torch.nn.ReLU(inplace=True), torch.nn.BatchNorm2d(4)))
        self.again = self.lin
        self.tied = torch.nn.Linear(3, 4, bias=False)
        self.tied.weight = self.lin.weight
        self.missing = None
        self.register_module("nobody", None)
        self.register_buffer("steps", torch.arange(4), persistent=False)
        self.register_buffer("none", None)
        self.register_parameter("free", None)
        self.frozen = torch.nn.Parameter(torch.randn(2, 2, dtype=torch.float64), requires_grad=False)
        self.plain = torch.randn(3)
        self.cells = torch.nn.ModuleList(torch.nn.Linear(2, 2) for _ in range(2))
        self.by_name = torch.nn.ModuleDict({"a": torch.nn.Tanh(), "b": torch.nn.Dropout(0.25)})
        self.scales = torch.nn.ParameterList([torch.ones(2), torch.zeros(3)])
        self.text, self.number, self.real, self.flag = "it's\n\u00e9", 1 << 40, 1e-7, True
        self.nested = {"a": [1, (2.5, None)], "b": {}}
        self.dtype, self.size, self.where = torch.float16, torch.Size([1, 2]), torch.device("cuda", 1)
        self.settings = Settings()
        self.seq.eval()

    def forward(self, x):
        return self.tied(x) + self.lin(x) * self.frozen.sum()


class Views(torch.nn.Module):
    """Tensors that share storages, and every dtype."""

    def __init__(self):
        super().__init__()
        base = torch.arange(60, dtype=torch.float32).reshape(5, 12)
        for name, view in (("base", base), ("rows", base[1:3]), ("columns", base[:, 2:9:3]), ("turned", base.t()), ("one", base[3, 4]),
                           ("wide", base[:, :1].expand(5, 7)), ("empty", base[5:]), ("last", torch.zeros(2, 3, 4, 5).contiguous(memory_format=torch.channels_last)),
                           ("nothing", torch.empty(0)), ("no_rows", torch.empty(0, 3))):
            self.register_buffer(name, view)
        for dtype in (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.float32, torch.float64, torch.bfloat16,
                      torch.bool, torch.complex64, torch.complex128, torch.complex32, torch.uint16, torch.uint32, torch.uint64,
                      torch.float8_e4m3fn, torch.float8_e5m2, torch.float8_e4m3fnuz, torch.float8_e5m2fnuz):
            bytes_ = torch.arange(1, 1 + 3 * dtype.itemsize, dtype=torch.uint8)
            self.register_buffer("of_" + str(dtype)[6:], (bytes_ % 2).bool()[:3] if dtype == torch.bool else bytes_.view(dtype))

    def forward(self, x):
        return x + self.rows


class Nested(torch.nn.Module):
    def forward(self, x, y):
        return {"sum": x["a"] + x["b"][0], "rest": [y, (x["a"],)]}


def roles(module):
    for name, tensor in module._parameters.items():
        yield name, tensor, "parameter"
    for name, tensor in module._buffers.items():
        yield name, tensor, "transient" if name in module._non_persistent_buffers_set else "buffer"
    for name, value in vars(module).items():
        if isinstance(value, torch.Tensor):
            yield name, value, "constant"


def raw(tensor):
    plain = tensor.detach().resolve_conj().resolve_neg()
    row_major = torch.empty(plain.shape, dtype=plain.dtype).copy_(plain).reshape(-1)
    return row_major.view(torch.uint8).numpy().tobytes().hex()


def described(tensor):
    return {"dtype": str(tensor.dtype), "shape": list(tensor.shape), "stride": list(tensor.stride()), "grad": tensor.requires_grad, "bytes": raw(tensor)}


def tree(root):
    """Each module once, with the path under which it is first met."""
    owners, out = {}, []
    for path, module in root.named_modules():
        tensors = []
        for name, tensor, role in roles(module):
            entry = {"name": name, "role": role}
            if tensor is not None:
                first = owners.setdefault(id(tensor), f"{path}.{name}")
                entry |= described(tensor) | {"first": first}
            tensors.append(entry)
        hidden = ("_", "training")
        values = {key: repr(value) for key, value in vars(module).items()
                  if not key.startswith(hidden) and isinstance(value, (str, int, float, bool, dict, list, torch.dtype, type(None))) and key not in ("meta", "shape_env")}
        name = type(module)
        out.append({"path": path, "type": "GraphModule" if isinstance(module, torch.fx.GraphModule) else f"{name.__module__}.{name.__qualname__}",
                    "training": module.training, "children": [key for key, child in module._modules.items() if child is not None],
                    "tensors": tensors, "values": values})
    return out


def save(name, value, expected, what, forms=FORMS):
    for form, options in forms.items():
        file = f"{name}.{form}.pt"
        torch.save(value, FOLDER / file, **options)
        expected[file] = {"form": "legacy form" if form.startswith("legacy") else "zip form", **what}


def state(entries, ties=(), **more):
    return {"kind": "state_dict", "entries": [{"name": name, **described(tensor)} for name, tensor in entries.items()], "ties": list(ties), **more}


def safetensors(path, entries):
    header, data = {}, b""
    codes = {torch.float32: "F32", torch.int64: "I64", torch.bfloat16: "BF16"}
    for name, tensor in entries.items():
        content = bytes.fromhex(raw(tensor))
        header[name] = {"dtype": codes[tensor.dtype], "shape": list(tensor.shape), "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(0)
    expected = {}
    net, views = Net(), Views()
    for name, module in (("net", net), ("views", views), ("linear", torch.nn.Linear(2, 3)), ("sequential", torch.nn.Sequential())):
        save(name, module, expected, {"kind": "module", "tree": tree(module)})
    concrete = {"x": {"a": torch.fx.PH, "b": [torch.fx.PH]}, "y": torch.fx.PH}
    for name, traced in (("graph", torch.fx.symbolic_trace(net)), ("graph_views", torch.fx.symbolic_trace(views)),
                         ("graph_nested", torch.fx.symbolic_trace(Nested(), concrete_args=concrete))):
        what = {"kind": "module", "tree": tree(traced), "code": traced.code, "tracer": "torch.fx._symbolic_trace.Tracer"}
        if name == "graph_nested":
            what["specs"] = [pytree.treespec_dumps(traced._in_spec), pytree.treespec_dumps(traced._out_spec)]
        save(name, traced, expected, what)
    weights = net.state_dict()
    ties = [["lin.weight", "again.weight", "tied.weight"], ["lin.bias", "again.bias"]]
    save("state", weights, expected, state(weights, ties, modules=[path for path, _ in net.named_modules(remove_duplicate=False)]))
    save("state_plain", dict(weights), expected, state(weights, ties))
    save("views_state", views.state_dict(), expected, state(views.state_dict()))
    optimizer = torch.optim.Adam(net.parameters())
    net(torch.randn(2, 3)).sum().backward()
    optimizer.step()
    weights = net.state_dict()
    for key in ("state_dict", "model", "model_state_dict", "weights_of_mine"):
        checkpoint = {"epoch": 3, "optimizer": optimizer.state_dict(), key: weights, "best": torch.tensor(0.5), "args": {"lr": 0.1}}
        save(f"checkpoint_{key}", checkpoint, expected, state(weights, ties, key=key), {"zip": {}})
    wrapped = torch.nn.Module()
    wrapped.module = net
    save("wrapped", wrapped.state_dict(), expected, state(wrapped.state_dict(), [["module." + n for n in tie] for tie in ties], prefix="module."))
    odd = {"conjugate": torch.tensor([1 + 2j, 3 - 4j]).conj(), "negative": torch.tensor([1 + 2j]).conj().imag, "half": torch.randn(2, 3).half()}
    save("bits", odd, expected, state(odd))
    others = {"weight": torch.ones(2), "extra._extra_state": {"scale": 2.0}, "name": "x"}
    save("others", others, expected, state({"weight": others["weight"]}, others=["extra._extra_state", "name"]))
    flat = {"a.weight": torch.randn(3, 2), "a.bias": torch.arange(3), "b": torch.randn(2).bfloat16()}
    safetensors(FOLDER / "flat.safetensors", flat)
    expected["flat.safetensors"] = state(flat) | {"form": "safetensors"}
    for name, value in (("tensor", torch.ones(2)), ("numbers", [1, 2, 3]), ("settings", {"lr": 0.1}), ("object", Settings())):
        save(name, value, expected, {"kind": "none"}, {"zip": {}, "legacy": FORMS["legacy"]})
    (FOLDER / "expected.json").write_text(json.dumps(expected, indent=1))


if __name__ == "__main__":
    main()
