# SPDX-License-Identifier: GPL-3.0-or-later
"""Graphs that would read or write outside of their tensors through operators that trust their arguments. Each ends in one
line that names the operator, before memory is touched; Allowed* give what PyTorch gives."""
import torch

aten, inductor = torch.ops.aten, torch.ops.inductor


class ReinterpretRead(torch.nn.Module):
    said = "inductor::_reinterpret_tensor"

    def forward(self, x):
        return inductor._reinterpret_tensor(x, [64], [1], 1000).clone()


class ReinterpretNegative(torch.nn.Module):
    said = "inductor::_reinterpret_tensor"

    def forward(self, x):
        return inductor._reinterpret_tensor(x, [8], [1], 2 ** 62 - 8).clone()


class ReinterpretWrite(torch.nn.Module):
    said = "inductor::_reinterpret_tensor"

    def forward(self, x):
        y = x.clone()
        inductor._reinterpret_tensor(y, [8], [1], 4).fill_(0)
        return y


class ReshapeAlias(torch.nn.Module):
    said = "aten::_reshape_alias"

    def forward(self, x):
        return aten._reshape_alias(x, [64], [1]).clone()


class AllocFromPool(torch.nn.Module):
    said = "inductor::_alloc_from_pool"

    def forward(self, x):
        return inductor._alloc_from_pool(x, 4096, torch.float32, [8], [1]).clone()


class SparseUnsafe(torch.nn.Module):
    said = "aten::_sparse_coo_tensor_unsafe"

    def __init__(self):
        super().__init__()
        self.register_buffer("indices", torch.tensor([[0, 1 << 40]]))

    def forward(self, x):
        return aten._sparse_coo_tensor_unsafe(self.indices, x[:2], [4]).to_dense()


class NestedView(torch.nn.Module):
    said = "aten::_nested_view_from_buffer"

    def __init__(self):
        super().__init__()
        self.register_buffer("sizes", torch.tensor([[1 << 20]]))
        self.register_buffer("ones", torch.tensor([[1]]))
        self.register_buffer("zero", torch.tensor([0]))

    def forward(self, x):
        return aten._nested_view_from_buffer(x, self.sizes, self.ones, self.zero).sum()


class BagsOfEmbeddings(torch.nn.Module):
    said = "aten::_embedding_bag"

    def __init__(self):
        super().__init__()
        self.register_buffer("indices", torch.tensor([0, 1, 2]))
        self.register_buffer("offsets", torch.tensor([0, -1000000, 2]))

    def forward(self, x):
        return torch.nn.functional.embedding_bag(self.indices, x[:, None], self.offsets)


class LossOfSequences(torch.nn.Module):
    said = "aten::_ctc_loss"

    def __init__(self):
        super().__init__()
        self.register_buffer("targets", torch.tensor([[1000000]]))

    def forward(self, x):
        return torch.nn.functional.ctc_loss(x.reshape(1, 1, 4), self.targets, (1,), (1,))


class PoolingBackward(torch.nn.Module):
    said = "aten::max_pool2d_with_indices_backward"

    def __init__(self):
        super().__init__()
        self.register_buffer("indices", torch.full((1, 1, 1), 1 << 40))

    def forward(self, x):
        return aten.max_pool2d_with_indices_backward(x.reshape(1, 2, 2)[:, :1, :1], x.reshape(1, 2, 2), [2, 2], [2, 2], [0, 0],
                                                     [1, 1], False, self.indices)


class PackedSequence(torch.nn.Module):
    said = "aten::_pad_packed_sequence"

    def __init__(self):
        super().__init__()
        self.register_buffer("sizes", torch.tensor([2, -1000000]))

    def forward(self, x):
        return aten._pad_packed_sequence(x[:, None], self.sizes, False, 0.0, 2)


class Addresses(torch.nn.Module):
    said = "data_ptr"

    def forward(self, x):
        return x + x.data_ptr()


class AllowedView(torch.nn.Module):
    said = ""

    def forward(self, x):
        return aten._reshape_alias(x, [2, 2], [2, 1]) + inductor._reinterpret_tensor(x, [2, 2], [1, 2], 0)


class AllowedBags(torch.nn.Module):
    said = ""

    def __init__(self):
        super().__init__()
        self.register_buffer("indices", torch.tensor([0, 1, 2]))
        self.register_buffer("offsets", torch.tensor([0, 0, 2]))

    def forward(self, x):
        return torch.nn.functional.embedding_bag(self.indices, x[:, None], self.offsets)
