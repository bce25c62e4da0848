# SPDX-License-Identifier: GPL-3.0-or-later
# Tensors of a model that lie over the same memory, and tensors of other layouts: they are so in every file.
import torch
from torch import nn


class Views(nn.Module):
    """What `write` does to one tensor is seen through the others."""

    def __init__(self, tensors, write, constants=()):
        super().__init__()
        for name, tensor in tensors.items():
            if name in constants:
                setattr(self, name, tensor)
            else:
                self.register_buffer(name, tensor)
        self.names, self.write = list(tensors), write

    def forward(self, x):
        self.write(self, x)
        return [getattr(self, name) for name in self.names]


def plain_view():
    a = torch.zeros(2)
    return Views({"a": a, "b": a.view(2)}, lambda m, x: m.a.add_(x))


def transposed():
    a = torch.arange(4.0).reshape(2, 2)
    return Views({"a": a, "b": a.t()}, lambda m, x: m.b.add_(x))


def rows_that_overlap():
    a = torch.arange(5.0)
    return Views({"a": a[:3], "b": a[2:], "c": a[1:4]}, lambda m, x: m.b.mul_(x.sum()))


def interleaved():
    a = torch.arange(8.0)
    return Views({"a": a[::2], "b": a[1::2], "c": a[1:3]}, lambda m, x: m.c.sub_(x))


def expanded():
    a = torch.ones(1)
    return Views({"a": a.expand(3, 2), "b": a}, lambda m, x: m.b.add_(x[1]))


def other_dtype():
    a = torch.zeros(4, dtype=torch.int32)
    return Views({"a": a, "b": a.view(torch.float32), "c": a.view(torch.uint8)[3:6]}, lambda m, x: m.b[1:3].copy_(x))


def complex_parts():
    a = torch.tensor([1 + 2j, 3 - 1j])
    return Views({"a": a, "b": a.conj(), "c": a.real, "d": torch.view_as_real(a), "e": a.conj().imag}, lambda m, x: m.d.add_(1))


def constants():
    a = torch.zeros(2)
    return Views({"a": a, "b": a[:1]}, lambda m, x: m.a.add_(x), constants={"b"})


def one_tensor_twice():
    a = torch.zeros(2)
    return Views({"a": a, "b": a}, lambda m, x: m.a.add_(x))


def lone_conjugate():
    return Views({"a": torch.tensor([1 + 2j, 3 - 1j]).conj(), "b": torch.tensor([2 - 1j]).conj().imag}, lambda m, x: None)


class Across(nn.Module):
    """Memory that parts of the tree share: a table of all, a parameter of a layer, a buffer below."""

    def __init__(self):
        super().__init__()
        flat = torch.arange(6.0)
        self.register_buffer("flat", flat, persistent=False)
        self.linear = nn.Linear(2, 2)
        self.linear.weight = nn.Parameter(flat[:4].view(2, 2), requires_grad=False)
        self.linear.bias = nn.Parameter(flat[4:], requires_grad=False)
        self.inner = nn.Module()
        self.inner.register_buffer("last", flat[3:5])

    def forward(self, x):
        self.inner.last.add_(x)
        return self.linear(x), self.flat, self.inner.last


def across():
    return Across()


class Sparse(nn.Module):
    def __init__(self, tensor, multiply=True):
        super().__init__()
        self.register_buffer("a", tensor)
        self.multiply = multiply

    def forward(self, x):
        return self.a @ x[:, None] if self.multiply else (x, self.a)


def dense(rows=4, columns=2):
    out = torch.zeros(rows, columns)
    out[0, 1], out[2, 0], out[3, 1] = 1.5, -2.0, 4.0
    return out


def coo():
    return Sparse(dense().to_sparse())


def coo_not_coalesced():
    return Sparse(torch.sparse_coo_tensor([[0, 0, 1], [1, 1, 0]], [1.0, 2.0, 3.0], (2, 2)))


def coo_hybrid():
    return Sparse(torch.sparse_coo_tensor([[0, 3]], [[1.0, 2.0], [3.0, 4.0]], (4, 2)), False)


def coo_without_values():
    return Sparse(torch.sparse_coo_tensor(size=(3, 2)))


def csr():
    return Sparse(dense().to_sparse_csr())


def csr_of_int32():
    return Sparse(torch.sparse_csr_tensor(torch.tensor([0, 1, 2], dtype=torch.int32), torch.tensor([1, 0], dtype=torch.int32), torch.tensor([2.0, 3.0]), (2, 2)), False)


def csc():
    return Sparse(dense().to_sparse_csc(), False)


def bsr():
    return Sparse(dense().to_sparse_bsr((2, 1)), False)


def bsc():
    return Sparse(dense().to_sparse_bsc((1, 2)), False)


def csr_batched():
    return Sparse(torch.stack([torch.eye(2), torch.eye(2) * 3]).to_sparse_csr(), False)


def csr_of_bfloat16():
    return Sparse(dense().bfloat16().to_sparse_csr(), False)


CASES = [plain_view, transposed, rows_that_overlap, interleaved, expanded, other_dtype, complex_parts, constants, one_tensor_twice, lone_conjugate,
         across, coo, coo_not_coalesced, coo_hybrid, coo_without_values, csr, csr_of_int32, csc, bsr, bsc, csr_batched, csr_of_bfloat16]


def inputs():
    return [torch.tensor([1.0, -2.0])]
