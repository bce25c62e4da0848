# SPDX-License-Identifier: GPL-3.0-or-later
# Cases of algebra, shapes, made tensors, reductions and indexing: each case yields functions with their arguments.
import torch
import torch.nn.functional as F
from of_losses import aten, gradient, leaf, x


def case_addmm():
    for k in ({}, {'beta': 2}, {'alpha': 2}, {'beta': 0.5, 'alpha': 2}, {'beta': 0}):
        yield lambda c, a, b: torch.addmm(c, a, b, **k), (x(4, 4), x(4, 6), x(6, 4))
        yield lambda c, a, b: torch.addmv(c, a, b, **k), (x(4), x(4, 6), x(6))
        yield lambda c, a, b: torch.baddbmm(c, a, b, **k), (x(2, 4, 4), x(2, 4, 6), x(2, 6, 4))
        yield lambda c, a, b: torch.addr(c, a, b, **k), (x(4, 6), x(4), x(6))
        yield lambda c, a, b: torch.addbmm(c, a, b, **k), (x(4, 4), x(2, 4, 6), x(2, 6, 4))
    yield lambda c, a, b: torch.addmm(c, a, b), (x(4, dtype=torch.bfloat16), x(4, 6, dtype=torch.bfloat16),
                                                 x(6, 4, dtype=torch.bfloat16))
    for dtype in (torch.bfloat16, torch.int64):
        for k in ({}, {'beta': 2}, {'alpha': 3}, {'beta': 0}):
            yield lambda c, a, b: torch.baddbmm(c, a, b, **k), (x(2, 4, 4, dtype=dtype), x(2, 4, 6, dtype=dtype),
                                                         x(2, 6, 4, dtype=dtype))
            yield lambda c, a, b: torch.addr(c, a, b, **k), (x(4, 6, dtype=dtype), x(4, dtype=dtype), x(6, dtype=dtype))
    yield lambda a, b: torch.mv(a, b), (x(4, 6), x(6))
    yield lambda a, b: torch.dot(a, b), (x(6), x(6))
    yield lambda a, b: torch.vdot(a, b), (x(6), x(6))
    yield lambda a, b: torch.outer(a, b), (x(4), x(6))
    yield lambda a, b: torch.cross(a, b, dim=1), (x(4, 3), x(4, 3))
    yield lambda a, b: torch.linalg.cross(a, b), (x(4, 3), x(4, 3))
    yield gradient(lambda a, w, b: F.linear(a, w, b), leaf(4, 6), leaf(3, 6), leaf(3))
    yield gradient(lambda a, w, b: F.linear(a, w, b), leaf(2, 4, 6), leaf(3, 6), leaf(3))
    yield gradient(lambda a, w: F.linear(a, w), leaf(2, 4, 6), leaf(3, 6))
    yield gradient(lambda a, w: F.linear(a, w), leaf(6), leaf(3, 6))
    yield gradient(torch.matmul, leaf(6), leaf(6))
    yield gradient(torch.matmul, leaf(2, 4, 6), leaf(6))
    yield gradient(torch.bmm, leaf(2, 4, 6), leaf(2, 6, 3))
    yield gradient(lambda a, b: torch.einsum('bij,bkj->bik', a, b), leaf(2, 4, 6), leaf(2, 3, 6))


def case_transposes():
    yield lambda a: a.t(), (x(),)
    yield lambda a: a.t(), (x(6),)
    yield lambda a: a.T, (x(),)
    yield lambda a: a.mT, (x(2, 3, 4),)
    for dims in ((0, 1), (-1, -2), (0, -1), (1, 1), (2, 0)):
        yield lambda a: a.transpose(*dims), (x(2, 3, 4),)
    yield lambda a: a.transpose(0, 1), (x(4, 6),)
    yield lambda a: a.transpose(0, 0), (x(6),)
    yield lambda a: a.permute(2, 0, 1), (x(2, 3, 4),)
    yield lambda a: a.movedim(0, 2), (x(2, 3, 4),)
    yield gradient(lambda a: a.transpose(0, 1) * 2, leaf())
    yield gradient(lambda a: a.t() * 2, leaf())


def case_squeezes():
    yield lambda a: a.squeeze(), (x(1, 3, 1, 4),)
    yield lambda a: a.squeeze(0), (x(1, 3, 1, 4),)
    yield lambda a: a.squeeze(1), (x(1, 3, 1, 4),)
    yield lambda a: a.squeeze(-2), (x(1, 3, 1, 4),)
    yield lambda a: a.squeeze((0, 2)), (x(1, 3, 1, 4),)
    yield lambda a: a.squeeze(), (x(3, 4),)
    yield lambda a: a.sum().squeeze(), (x(3, 4),)
    yield lambda a: a.sum().squeeze(0), (x(3, 4),)
    yield gradient(lambda a: a.squeeze(0), leaf(1, 3, 4))
    yield gradient(lambda a: a.squeeze(), leaf(1, 3, 4))
    yield lambda a: aten.squeeze_copy(a), (x(1, 3, 1, 4),)
    yield lambda a: aten.squeeze_copy(a, 1), (x(1, 3, 1, 4),)
    yield lambda a: aten.squeeze_copy(a, -2), (x(1, 3, 1, 4),)
    yield lambda a: a.clone().squeeze_(0), (x(1, 3, 1, 4),)
    yield lambda a: a.clone().t_(), (x(),)


def case_splits():
    yield lambda a: torch.split(a, 2), (x(4, 6),)
    yield lambda a: torch.split(a, 4, 1), (x(4, 6),)
    yield lambda a: torch.split(a, 4, -1), (x(4, 6),)
    yield lambda a: torch.split(a, 8, -1), (x(4, 6),)
    yield lambda a: torch.split(a, [2, 4], 1), (x(4, 6),)
    yield lambda a: a.chunk(2, -1), (x(4, 6),)
    yield lambda a: a.chunk(4, 1), (x(4, 6),)
    yield lambda a: a.unbind(0), (x(4, 6),)
    yield lambda a: a.unbind(1), (x(4, 6),)
    yield lambda a: a.unbind(-1), (x(2, 2, 2),)
    yield lambda a: a.tensor_split(3, 1), (x(4, 6),)
    yield lambda a: torch.unsafe_split(a, 2), (x(4, 6),)
    yield lambda a: torch.unsafe_split(a, 4, -1), (x(4, 6),)
    yield lambda a: torch.unsafe_chunk(a, 2, 1), (x(4, 6),)
    yield lambda a: torch.unsafe_split_with_sizes(a, [2, 4], 1), (x(4, 6),)
    yield gradient(lambda a: a.chunk(2, 1)[0], leaf())
    yield gradient(lambda a: sum(a.split([2, 4], 1)[1:]), leaf())
    yield gradient(lambda a: a.unbind(0)[1], leaf())


def case_stack():
    for dim in (0, 1, -1, 2):
        yield lambda a, b: torch.stack([a, b], dim), (x(), x())
    yield lambda a: torch.stack([a, a, a]), (x(),)
    yield lambda a, b: torch.stack([a, b]), (x(), x(dtype=torch.bfloat16))
    yield lambda a: torch.stack([a.sum(), a.mean()]), (x(),)
    yield lambda a, b: torch.hstack([a, b]), (x(), x())
    yield lambda a, b: torch.vstack([a, b]), (x(), x())
    yield lambda a, b: torch.dstack([a, b]), (x(), x())
    yield lambda a, b: torch.cat([a, b], -1), (x(), x())
    yield lambda a, b: torch.column_stack([a, b]), (x(), x())
    yield lambda a, b: torch.block_diag(a, b), (x(), x())
    yield gradient(lambda a, b: torch.stack([a, b], 1), leaf(), leaf())
    yield gradient(lambda a, b: torch.cat([a, b], 1), leaf(), leaf())


def case_made_like():
    for dtype in (torch.float32, torch.int64, torch.bool):
        a = x(dtype=dtype)
        yield lambda a: torch.zeros_like(a), (a,)
        yield lambda a: torch.ones_like(a), (a,)
        yield lambda a: torch.full_like(a, 2), (a,)
        yield lambda a: torch.zeros_like(a, dtype=torch.int32), (a,)
        yield lambda a: torch.ones_like(a, dtype=torch.bool), (a,)
        yield lambda a: a.new_zeros(2, 3), (a,)
        yield lambda a: a.new_ones((2, 3)), (a,)
        yield lambda a: a.new_full((2, 3), 7), (a,)
        yield lambda a: a.new_full((2, 3), 7.5), (a,)
    yield lambda a: a.new_zeros(2, 3, dtype=torch.int64), (x(),)
    yield lambda a: a.new_ones(2, dtype=torch.int64), (x(),)
    yield lambda a: a.new_full((2, 3), 7, dtype=torch.int64), (x(),)
    yield lambda a: a.new_empty(2, 3).fill_(0), (x(),)
    yield lambda a: a.new_empty((2, 3), dtype=torch.int64).fill_(0), (x(),)
    yield lambda a: torch.empty_like(a).fill_(0), (x(),)
    yield lambda a: torch.empty_like(a, dtype=torch.int64), (x(),)
    yield lambda a: torch.zeros_like(a, memory_format=torch.contiguous_format), (x(),)
    yield lambda a: torch.empty_like(a, memory_format=torch.contiguous_format), (x(),)
    yield lambda a: torch.empty_like(a), (x().t(),)
    yield lambda a: aten.zeros_like(a), (x(),)
    yield lambda a: aten.ones_like(a), (x(),)
    yield lambda a: aten.empty_like(a), (x(),)
    yield lambda a: aten.new_zeros(a, [2]), (x(),)
    yield lambda a: aten.new_empty(a, [2]), (x(),)
    yield lambda a: torch.rand_like(a), (x(),)
    yield lambda a: torch.randn_like(a), (x(),)


def case_made():
    yield lambda a: torch.zeros(2, 3) + a.sum(), (x(),)
    yield lambda a: torch.ones(2, 3) + a.sum(), (x(),)
    yield lambda a: torch.ones(2, 3, dtype=torch.int64) + a.sum(), (x(),)
    yield lambda a: torch.zeros((2, 3), dtype=torch.bool) + a.sum(), (x(),)
    yield lambda a: torch.zeros(()) + a.sum(), (x(),)
    yield lambda a: torch.full((2, 3), 1.5) + a.sum(), (x(),)
    yield lambda a: torch.empty(2).fill_(0) + a.sum(), (x(),)
    for args in ((4,), (1, 4), (1, 7, 2), (4.0,), (0.0, 1.0, 0.25), (0, 4.5)):
        yield lambda a: torch.arange(*args) + a.sum(), (x(),)
    yield lambda a: torch.arange(4, dtype=torch.float32) + a.sum(), (x(),)
    yield lambda a: torch.arange(1, 4, dtype=torch.float32, device=a.device) + a.sum(), (x(),)
    yield lambda a: torch.linspace(0, 1, 5) + a.sum(), (x(),)
    yield lambda a: torch.linspace(-1, 2.5, 6, dtype=torch.float64) + a.sum(), (x(),)
    yield lambda a: torch.linspace(-1, 2, 1) + a.sum(), (x(),)
    yield lambda a: torch.linspace(0, 8, 5, dtype=torch.int64) + a.sum(), (x(),)
    yield lambda a: torch.logspace(0, 1, 5) + a.sum(), (x(),)
    yield lambda a: torch.eye(3) + a.sum(), (x(),)
    yield lambda a: torch.eye(3, 4) + a.sum(), (x(),)
    yield lambda a: torch.eye(3, 4, dtype=torch.int64) + a.sum(), (x(),)
    yield lambda a: torch.eye(3, dtype=torch.bool, device='cpu'), (x(),)
    yield lambda a: torch.hann_window(6) * a, (x(),)
    yield lambda a: torch.hann_window(6, False) * a, (x(),)
    yield lambda a: torch.tensor([1.0, 2]) + a.sum(), (x(),)


def case_triangles():
    for dtype in (torch.float32, torch.int64, torch.bool):
        for k in (0, 1, -1):
            yield lambda a: torch.tril(a, k), (x(dtype=dtype),)
            yield lambda a: torch.triu(a, k), (x(dtype=dtype),)
    yield lambda a: torch.tril(a), (x(2, 3, 3),)
    yield lambda a: a.clone().tril_(), (x(),)
    yield lambda a: torch.tril(a), (x().t(),)
    yield lambda a: torch.triu(a, 1), (x(2, 3, 4).transpose(1, 2),)
    yield lambda a: torch.tril(a), (x(dtype=torch.bool).t(),)
    yield lambda a: a.t().tril_(), (x(),)
    yield lambda a: a.clone().triu_(1), (x(),)
    yield lambda a: torch.tril_indices(3, 3).sum() + a, (x(),)
    yield gradient(lambda a: torch.tril(a), leaf())
    yield gradient(lambda a: torch.triu(a, 1), leaf())
    yield lambda a: torch.triu(torch.full((3, 3), float('-inf')), 1) + a.sum(), (x(),)
    yield gradient(lambda a: torch.trace(a), leaf())
    yield lambda a: torch.trace(a), (x(dtype=torch.int64),)
    yield gradient(lambda a: torch.diag(a), leaf(4, 4))
    yield gradient(lambda a: torch.diag(a), leaf(4))
    yield lambda a: torch.diag_embed(a), (x(),)
    yield lambda a: torch.diag_embed(a, 1, 0, 2), (x(),)
    yield gradient(lambda a: torch.diagonal(a), leaf())
    yield gradient(lambda a: torch.diagonal(a, 1, 0, 1), leaf())


def case_statistics():
    for dtype in (torch.float32, torch.bfloat16):
        a = x(dtype=dtype)
        for op in (torch.std, torch.var, torch.std_mean, torch.var_mean):
            yield lambda a: op(a), (a,)
            yield lambda a: op(a, 1), (a,)
            yield lambda a: op(a, -1, keepdim=True), (a,)
            yield lambda a: op(a, (0, 1), unbiased=False), (a,)
            yield lambda a: op(a, 1, correction=0), (a,)
            yield lambda a: op(a, 1, correction=2, keepdim=True), (a,)
            yield lambda a: op(a, unbiased=False), (a,)
    yield lambda a: aten.std(a, [1], correction=None), (x(),)
    yield lambda a: aten.std.correction(a), (x(),)
    yield lambda a: aten.std_mean.correction(a), (x(),)
    yield lambda a: aten.var_mean.correction(a, [1]), (x(),)
    yield gradient(lambda a: a.std(1), leaf())
    yield gradient(lambda a: a.var(1), leaf())


def case_sums():
    yield lambda a: a.sum(), (x(),)
    yield lambda a: a.sum(dtype=torch.float64), (x(),)
    yield lambda a: a.sum(1), (x(),)
    yield lambda a: a.mean(), (x(),)
    yield lambda a: a.sum(), (x(dtype=torch.bool),)
    yield lambda a: a.nansum(), (x(),)
    yield lambda a: a.nansum(1, True), (x(),)
    yield lambda a: a.nansum(1, dtype=torch.float64), (x(),)
    yield lambda a: a.nansum(), (x(dtype=torch.int64),)
    yield lambda a: a.logsumexp(1), (x(),)
    yield lambda a: a.logsumexp(-1, True), (x(),)
    yield lambda a: a.logsumexp((0, 1)), (x(),)
    yield lambda a: a.logsumexp(0), (x(dtype=torch.bfloat16),)
    yield lambda a: a.logsumexp(0), (x(dtype=torch.int64),)
    yield gradient(lambda a: a.logsumexp(1), leaf())
    yield gradient(lambda a: a.cumsum(1), leaf())
    yield gradient(lambda a: a.prod(1), leaf())
    yield gradient(lambda a: a.max(1)[0], leaf())
    yield gradient(lambda a: a.amax(1), leaf())
    yield lambda a: a.aminmax(), (x(),)
    yield lambda a: a.aminmax(dim=1), (x(),)
    yield lambda a: a.aminmax(dim=-1, keepdim=True), (x(),)
    yield lambda a: a.count_nonzero(), (x(),)
    yield lambda a: a.count_nonzero(1), (x(),)
    yield lambda a: a.count_nonzero((0, 1)), (x(dtype=torch.int64),)
    yield lambda a: a.count_nonzero(1), (x(dtype=torch.bool),)
    for dtype in (torch.float32, torch.bool, torch.int64):
        yield lambda a: a.all(), (x(dtype=dtype),)
        yield lambda a: a.all(1), (x(dtype=dtype),)
        yield lambda a: a.all(-1, True), (x(dtype=dtype),)
        yield lambda a: a.all((0, 1)), (x(dtype=dtype),)
        yield lambda a: a.any(), (x(dtype=dtype),)
        yield lambda a: a.any(1), (x(dtype=dtype),)


def case_norms():
    for p in (2, 1, 0, 3, float('inf'), -float('inf'), 2.5):
        yield lambda a: torch.norm(a, p), (x(),)
        yield lambda a: torch.norm(a, p, 1), (x(),)
        yield lambda a: torch.linalg.vector_norm(a, p), (x(),)
    yield lambda a: a.norm(), (x(),)
    yield lambda a: a.norm(dim=1, keepdim=True), (x(),)
    yield lambda a: a.norm(2, dim=(0, 1)), (x(),)
    yield lambda a: a.norm(2, 1, dtype=torch.float64), (x(),)
    yield lambda a: a.norm(p='fro'), (x(),)
    yield lambda a: a.norm(2, 1), (x(dtype=torch.bfloat16),)
    yield lambda a: aten.norm(a), (x(),)
    yield lambda a: aten.norm.Scalar(a, 3), (x(),)
    yield lambda a: aten.norm.ScalarOpt_dim(a, None, [1]), (x(),)
    yield lambda a: aten.norm.ScalarOpt_dim(a, 2, [1], True), (x(),)
    yield lambda a: aten.norm.ScalarOpt_dtype(a, 2, dtype=torch.float64), (x(),)
    yield lambda a: aten.norm.ScalarOpt_dim_dtype(a, 2, [1], False, dtype=torch.float64), (x(),)
    yield gradient(lambda a: a.norm(), leaf())
    yield gradient(lambda a: a.norm(dim=1), leaf())
    yield gradient(lambda a: F.normalize(a), leaf())
    yield lambda a: torch.renorm(a, 2, 0, 1.5), (x(),)
    yield lambda a: torch.renorm(a, 1, 1, 5), (x(),)


def case_indexing():
    i = torch.tensor([0, 2])
    for dim in (0, 1, -1):
        s = x(2, 6) if dim == 0 else x(4, 2)
        yield lambda a, i, s: torch.index_add(a, dim, i, s), (x(), i, s)
        yield lambda a, i, s: torch.index_add(a, dim, i, s, alpha=2), (x(), i, s)
        yield lambda a, i, s: torch.index_copy(a, dim, i, s), (x(), i, s)
        yield lambda a, i: torch.index_fill(a, dim, i, 2), (x(), i)
        yield lambda a, i: torch.index_fill(a, dim, i, 2.5), (x(), i)
        yield lambda a, i: torch.index_fill(a, dim, i, a.sum()), (x(), i)
        yield lambda a, i: torch.index_select(a, dim, i), (x(), i)
        yield lambda a, i, s: a.clone().index_add_(dim, i, s), (x(), i, s)
        yield lambda a, i, s: a.clone().index_copy_(dim, i, s), (x(), i, s)
        yield lambda a, i: a.clone().index_fill_(dim, i, 2), (x(), i)
        yield lambda a, i: a.clone().index_fill_(dim, i, a.sum()), (x(), i)
        yield lambda a: torch.select_scatter(a, a.sum(dim), dim, 1), (x(),)
        yield lambda a: torch.slice_scatter(a, a.narrow(dim, 0, 2), dim, 0, 2), (x(),)
        yield gradient(lambda a: a.select(dim, 1), leaf())
        yield gradient(lambda a: a.narrow(dim, 1, 2), leaf())
    yield gradient(lambda a: a[1:, ::2], leaf())
    yield gradient(lambda a: a[-1], leaf())
    yield gradient(lambda a, i: a[i], leaf(), i)
    yield gradient(lambda a, i: a[:, i], leaf(), i)
    yield gradient(lambda a, i: a.index_select(1, i), leaf(), i)
    yield gradient(lambda a, i: a.gather(1, i), leaf(), i.expand(4, 2))
    yield gradient(lambda a: a.unfold(1, 3, 2), leaf())
    yield gradient(lambda a: a.unfold(0, 2, 1), leaf())
    yield lambda a, i: torch.take(a, i), (x(), i)
    yield lambda a, i: aten._unsafe_index(a, [None, i]), (x(), i)
    yield lambda a, i: aten._unsafe_index_put(a, [i], a[:2]), (x(), i)
    yield lambda a, i: aten._unsafe_index_put(a, [i], a[:2], True), (x(), i)
    yield lambda a, i: torch.isin(a, i), (x(dtype=torch.int64), i)
    yield lambda a, i: torch.isin(a, i, invert=True), (x(dtype=torch.int64), torch.arange(30))
    yield lambda a: torch.isin(a, 2), (x(dtype=torch.int64),)
    yield lambda a, i: torch.index_add(a, 0, i, a[:2]), (x(dtype=torch.int64), i)
    yield lambda a, i: torch.index_add(a, 0, i, a[:2]), (x(6), i)


def case_rolls():
    yield lambda a: torch.roll(a, 1), (x(),)
    yield lambda a: torch.roll(a, 1, 0), (x(),)
    yield lambda a: torch.roll(a, -2, 1), (x(),)
    yield lambda a: torch.roll(a, (1, 2), (0, 1)), (x(),)
    yield lambda a: torch.roll(a, (-1, -2), (1, 2)), (x(2, 4, 6),)
    yield lambda a: torch.roll(a, 0, 0), (x(),)
    yield lambda a: torch.roll(a, 1, 0), (x(6),)
    yield gradient(lambda a: torch.roll(a, 1, 0), leaf())
    for k in (0, 1, 2, 3, -1):
        yield lambda a: torch.rot90(a, k), (x(),)
    yield lambda a: torch.rot90(a, 1, (1, 2)), (x(2, 3, 4),)
    yield lambda a: torch.flip(a, (0,)), (x(),)
    yield lambda a: F.pixel_shuffle(a, 2), (x(1, 8, 2, 3),)
    yield lambda a: F.pixel_unshuffle(a, 2), (x(1, 2, 4, 6),)
    yield lambda a: F.pixel_shuffle(a, 2), (x(8, 2, 3),)
    yield gradient(lambda a: F.pixel_shuffle(a, 2), leaf(1, 8, 2, 3))
    yield gradient(lambda a: F.pixel_unshuffle(a, 2), leaf(1, 2, 4, 6))
    yield lambda a: F.channel_shuffle(a, 2), (x(1, 8, 2, 3),)
    yield lambda a: aten.channel_shuffle(a, 2), (x(1, 8, 2, 3),)


def case_pads():
    yield gradient(lambda a: F.pad(a, (1, 2), mode='reflect'), leaf(2, 3, 6))
    yield gradient(lambda a: F.pad(a, (1, 2), mode='reflect'), leaf(3, 6))
    yield gradient(lambda a: F.pad(a, (1, 2, 1, 0), mode='reflect'), leaf(2, 3, 4, 6))
    yield gradient(lambda a: F.pad(a, (1, 2, 1, 0), mode='reflect'), leaf(3, 4, 6))
    yield gradient(lambda a: F.pad(a, (1, 1, 1, 1, 1, 1), mode='reflect'), leaf(1, 2, 3, 3, 3))
    yield gradient(lambda a: F.pad(a, (1, 2), mode='replicate'), leaf(2, 3, 6))
    yield gradient(lambda a: F.pad(a, (1, 2, 1, 0), mode='replicate'), leaf(2, 3, 4, 6))
    yield gradient(lambda a: F.pad(a, (1, 1, 1, 1, 1, 1), mode='replicate'), leaf(1, 2, 3, 3, 3))
    yield gradient(lambda a: F.pad(a, (1, 2, 1, 0), mode='circular'), leaf(2, 3, 4, 6))
    yield gradient(lambda a: F.pad(a, (1, 2, 1, 0)), leaf(2, 3, 4, 6))


def case_patches():
    yield gradient(lambda a: F.unfold(a, 2), leaf(1, 2, 4, 4))
    yield gradient(lambda a: F.unfold(a, (2, 3), 1, 1, 2), leaf(1, 2, 4, 6))
    yield gradient(lambda a: F.fold(a, (4, 4), 2), leaf(1, 8, 9))
    yield gradient(lambda a: F.fold(a, (4, 4), 2, 1, 0, 2), leaf(1, 8, 4))
    yield gradient(lambda a: F.fold(a, (4, 4), 2, 1, 1, 1), leaf(1, 8, 25))


def case_resizing():
    for mode in ('nearest', 'nearest-exact', 'bilinear', 'bicubic', 'area'):
        yield gradient(lambda a: F.interpolate(a, scale_factor=2, mode=mode), leaf(1, 2, 3, 4))
        yield gradient(lambda a: F.interpolate(a, size=(5, 5), mode=mode), leaf(1, 2, 3, 4))
    yield gradient(lambda a: F.interpolate(a, scale_factor=2, mode='bilinear', align_corners=True), leaf(1, 2, 3, 4))
    yield gradient(lambda a: F.interpolate(a, scale_factor=2), leaf(1, 2, 3))
    yield gradient(lambda a: F.interpolate(a, scale_factor=2, mode='linear'), leaf(1, 2, 3))
    yield gradient(lambda a: F.interpolate(a, scale_factor=2), leaf(1, 1, 2, 2, 3))
    yield gradient(lambda a, g: F.grid_sample(a, g, align_corners=False), leaf(1, 2, 3, 4), x(1, 2, 2, 2))
    yield gradient(lambda t: F.affine_grid(t, (1, 2, 3, 4), align_corners=False), leaf(1, 2, 3))


def case_pools():
    yield gradient(lambda a: F.max_pool2d(a, 2), leaf(1, 2, 4, 4))
    yield gradient(lambda a: F.avg_pool2d(a, 2), leaf(1, 2, 4, 4))
    yield gradient(lambda a: F.avg_pool1d(a, 2), leaf(1, 2, 4))
    yield gradient(lambda a: F.max_pool1d(a, 2), leaf(1, 2, 4))
    yield gradient(lambda a: F.adaptive_avg_pool2d(a, 1), leaf(1, 2, 4, 4))
    yield gradient(lambda a: F.adaptive_avg_pool2d(a, 2), leaf(1, 2, 4, 4))
    yield gradient(lambda a: F.adaptive_max_pool2d(a, 2), leaf(1, 2, 4, 4))
    yield gradient(lambda a: F.lp_pool2d(a, 2, 2), leaf(1, 2, 4, 4))
    yield lambda a: F.max_unpool2d(*F.max_pool2d(a, 2, return_indices=True), 2), (x(1, 2, 4, 4),)


def case_convolutions():
    yield gradient(lambda a, w, b: F.conv2d(a, w, b), leaf(1, 2, 4, 4), leaf(3, 2, 2, 2), leaf(3))
    yield gradient(lambda a, w, b: F.conv1d(a, w, b, padding=1), leaf(1, 2, 4), leaf(3, 2, 2), leaf(3))
    yield gradient(lambda a, w, b: F.conv_transpose2d(a, w, b), leaf(1, 2, 4, 4), leaf(2, 3, 2, 2), leaf(3))
    yield gradient(lambda a, w: F.conv2d(a, w, padding='same'), leaf(1, 2, 4, 4), leaf(3, 2, 3, 3))


def case_models():
    lstm, gru, rnn = torch.nn.LSTM(3, 4), torch.nn.GRU(3, 4), torch.nn.RNN(3, 4)
    for module in (lstm, gru, rnn):
        yield lambda a: module(a)[0], (x(2, 1, 3),)
    yield gradient(lambda a: lstm(a)[0], leaf(2, 1, 3))
    yield gradient(lambda a: gru(a)[0], leaf(2, 1, 3))
    cell = torch.nn.LSTMCell(3, 4)
    yield gradient(lambda a: cell(a)[0], leaf(2, 3))
    layer = torch.nn.TransformerEncoderLayer(8, 2, 16, 0.0, batch_first=True)
    yield gradient(lambda a: layer(a), leaf(1, 3, 8))
    still = torch.nn.TransformerEncoderLayer(8, 2, 16, 0.0, activation='gelu', norm_first=True).eval()
    yield gradient(lambda a: still(a), leaf(3, 1, 8))
    attention = torch.nn.MultiheadAttention(8, 2)
    yield gradient(lambda a: attention(a, a, a)[0], leaf(3, 1, 8))
