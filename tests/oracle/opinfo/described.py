# SPDX-License-Identifier: GPL-3.0-or-later
"""Values as JSON, with the bytes of tensors in a file beside it: what recorded_sample.h reads."""

import dataclasses
import math

import torch
from torch.fx.node import _get_qualified_name as qualified_name

COMPRESSED = {torch.sparse_csr: ("crow_indices", "col_indices"), torch.sparse_bsr: ("crow_indices", "col_indices"),
              torch.sparse_csc: ("ccol_indices", "row_indices"), torch.sparse_bsc: ("ccol_indices", "row_indices")}
ALIGNMENT = 64


class Unrepresentable(Exception):
    """A value of a kind that a graph cannot hold or a file cannot keep."""


def storage_bytes(storage):
    whole = torch.empty(0, dtype=torch.uint8).set_(storage, 0, (storage.nbytes(),), (1,))
    return whole.numpy().tobytes()


class ByteFile:
    """Where the bytes of storages go."""

    def __init__(self, path):
        self.file = open(path, "wb")
        self.size = 0

    def write(self, storage):
        """The place of the bytes: [offset, count]."""
        count = storage.nbytes()
        place = [self.size, count]
        if count:
            self.file.write(storage_bytes(storage))
            self.file.write(bytes(-count % ALIGNMENT))
        self.size += count + -count % ALIGNMENT
        return place


class Tensors:
    """The tensors of one sample, each described once; those that share memory share a storage."""

    def __init__(self, file):
        self.file, self.storages, self.tensors = file, [], []
        self.objects = []  # what `tensors` describes
        self._storage_index, self._tensor_index = {}, {}
        self._kept_storages = []

    def index(self, tensor):
        known = self._tensor_index.get(id(tensor))
        if known is None:
            described = self._describe(tensor)
            known = self._tensor_index[id(tensor)] = len(self.tensors)
            self.tensors.append(described)
            self.objects.append(tensor)  # an id is only unique while its object lives
        return known

    def _storage(self, tensor):
        storage = tensor.untyped_storage()
        key = storage._cdata
        if key not in self._storage_index:
            self._kept_storages.append(storage)
            self._storage_index[key] = len(self.storages)
            self.storages.append(self.file.write(storage))
        return self._storage_index[key]

    def _describe(self, tensor):
        if type(tensor) not in (torch.Tensor, torch.nn.Parameter) or tensor.is_nested or tensor.is_mkldnn:
            raise Unrepresentable(f"a tensor of class {type(tensor).__name__}")
        dtype, shape = str(tensor.dtype)[6:], list(tensor.shape)
        out = {"dtype": dtype, "shape": shape}
        if tensor.layout == torch.sparse_coo:
            return out | {"layout": "sparse_coo", "coalesced": tensor.is_coalesced(),
                          "parts": [self.index(tensor._indices()), self.index(tensor._values())]}
        if tensor.layout in COMPRESSED:
            return out | {"layout": str(tensor.layout)[6:],
                          "parts": [self.index(getattr(tensor, name)()) for name in COMPRESSED[tensor.layout]]
                          + [self.index(tensor.values())]}
        if tensor.layout != torch.strided or tensor.is_quantized:
            raise Unrepresentable(f"a tensor of layout {tensor.layout}")
        if tensor.device.type == "meta":
            return out | {"device": "meta", "stride": list(tensor.stride())}
        if tensor.device.type != "cpu":
            raise Unrepresentable(f"a tensor on {tensor.device}")
        return out | {"storage": self._storage(tensor), "offset": tensor.storage_offset(),
                      "stride": list(tensor.stride()), "conj": tensor.is_conj(), "neg": tensor.is_neg(),
                      "requires_grad": tensor.is_leaf and tensor.requires_grad}

    def rebuilt(self):
        """Fresh tensors as the description has them, in memory of their own."""
        storages = [storage.clone() for storage in self._kept_storages]
        out = []
        for entry in self.tensors:
            dtype = getattr(torch, entry["dtype"])
            if "parts" in entry:
                parts = [out[i] for i in entry["parts"]]
                if entry["layout"] == "sparse_coo":
                    out.append(torch.sparse_coo_tensor(*parts, entry["shape"])._coalesced_(entry["coalesced"]))
                else:
                    out.append(torch.sparse_compressed_tensor(*parts, entry["shape"],
                                                              layout=getattr(torch, entry["layout"])))
            elif entry.get("device") == "meta":
                out.append(torch.empty_strided(entry["shape"], entry["stride"], dtype=dtype, device="meta"))
            else:
                tensor = torch.empty(0, dtype=dtype)
                tensor.set_(storages[entry["storage"]], entry["offset"], entry["shape"], entry["stride"])
                if entry["conj"]:
                    tensor = torch._conj(tensor)
                if entry["neg"]:
                    tensor = torch._neg_view(tensor)
                out.append(tensor.requires_grad_(entry["requires_grad"]))
        return out


def number(value):
    return value if math.isfinite(value) else {"float": "nan" if value != value else "inf" if value > 0 else "-inf"}


def encode(value, node_of):
    """The value as core/io/argument_json.h writes arguments. `node_of` gives the index of a leaf that is a
    tensor or a node of the graph."""
    def items(values):
        return [encode(item, node_of) for item in values]

    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, (torch.fx.Node, torch.Tensor)):
        return {"node": node_of(value)}
    if type(value) is int:
        if not -2**63 <= value < 2**63:
            raise Unrepresentable("an int of more than 64 bits")
        return value
    if type(value) is float:
        return number(value)
    if type(value) is complex:
        return {"complex": [number(value.real), number(value.imag)]}
    if value is Ellipsis:
        return {"ellipsis": True}
    if isinstance(value, torch.dtype):
        return {"dtype": str(value)}
    if isinstance(value, torch.device):
        return {"device": str(value)}
    if isinstance(value, torch.layout):
        return {"layout": str(value)}
    if isinstance(value, torch.memory_format):
        return {"memory_format": str(value)}
    if isinstance(value, slice):
        return {"slice": items([value.start, value.stop, value.step])}
    if isinstance(value, range):
        return {"range": [value.start, value.stop, value.step]}
    if isinstance(value, tuple):
        kind = type(value)
        if kind.__module__ == "torch.return_types" or hasattr(kind, "_fields"):
            return {"named_tuple": [f"{kind.__module__}.{kind.__qualname__}", items(value)]}
        return {"tuple": items(value)}
    if isinstance(value, list):
        return {"list": items(value)}
    if isinstance(value, dict):
        return {"dict": [[encode(key, node_of), encode(item, node_of)] for key, item in value.items()]}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = [getattr(value, field.name) for field in dataclasses.fields(value)]
        return {"named_tuple": [f"{type(value).__module__}.{type(value).__qualname__}", items(fields)]}
    if callable(value) and hasattr(value, "__name__"):
        return {"function": qualified_name(value)}
    raise Unrepresentable(f"a value of class {type(value).__name__}")
