# SPDX-License-Identifier: GPL-3.0-or-later
# What PyTorch does in Python, above autograd, where sizes are symbols: other operators than those that ATen's own functions call.
import itertools

import torch

aten = torch.ops.aten
rules = {}


def _rule(*overloads):
    def register(function):
        rules.update(dict.fromkeys(overloads, function))
        return function
    return register


def _product(sizes):
    out = 1
    for size in sizes:
        out = out * size
    return out


def _is_folded(a, b):
    # Whether the batch of the larger one becomes rows of a matrix.
    large, small = (a, b) if a.dim() >= b.dim() else (b, a)
    if large.dim() < 3 or small.dim() > 2:
        return False
    if small.requires_grad:
        return True
    if a.dim() == 2:
        return False
    if _product(large.shape) == 0:
        return True
    strides = [1]
    for size in reversed(large.shape[1:]):
        strides.append(size * strides[-1])
    return all(size == 1 or has == dense for has, dense, size in zip(large.stride(), reversed(strides), large.shape))


def _folded(a, b):
    is_turned = b.dim() > a.dim()
    rows = b.mT if is_turned else a
    other = b if not is_turned else a.t() if a.dim() == 2 else a
    sizes = list(rows.shape[:-1])
    count = _product(sizes)
    if other.dim() == 2:
        sizes.append(other.shape[1])
    matrix = rows.reshape(count, rows.shape[-1])
    if other.dim() == 1:
        return aten._unsafe_view.default(matrix.mv(other), sizes)
    out = aten._unsafe_view.default(matrix.mm(other), sizes)
    return out.mT.contiguous() if is_turned else out


@_rule(aten.matmul.default)
def matmul(a, b):
    dims = a.dim(), b.dim()
    if 0 in dims:
        raise RuntimeError('both arguments to matmul need to be at least 1D, but they are {}D and {}D'.format(*dims))
    if dims == (1, 1):
        return torch.dot(a, b)
    if dims == (2, 1):
        return torch.mv(a, b)
    if dims == (1, 2):
        return torch.squeeze(torch.mm(torch.unsqueeze(a, 0), b), 0)
    if dims == (2, 2):
        return torch.mm(a, b)
    if _is_folded(a, b):
        return _folded(a, b)
    rows = a.size(-2) if dims[0] > 1 else 1
    inner = a.size(-1)
    batch_a = a.shape[:-2]
    other_inner = b.size(-2) if dims[1] > 1 else b.size(-1)
    columns = b.size(-1) if dims[1] > 1 else 1
    batch_b = [b.size(i) for i in range(dims[1] - 2)]
    if dims == (3, 3) and batch_a[0] != batch_b[0]:
        if batch_a[0] == 1 and a.requires_grad:
            return matmul(a.squeeze(0), b)
        if batch_b[0] == 1 and b.requires_grad:
            return matmul(a, b.squeeze(0))
    batch = list(torch.broadcast_shapes(batch_a, batch_b))
    count = _product(batch)
    left = a.expand([*batch, rows, inner]).reshape(count, rows, inner)
    if dims[1] == 1:
        right = b.expand([*batch, other_inner]).reshape(count, other_inner).unsqueeze(2)
        return left.bmm(right).squeeze(-1).view([*batch, rows])
    right = b.expand([*batch, other_inner, columns]).reshape(count, other_inner, columns)
    return left.bmm(right).view([*batch, *([rows] if dims[0] > 1 else []), columns])


@_rule(aten.dropout.default)
def dropout(x, p, train):
    return aten.native_dropout.default(x, p, train)[0] if train and p != 0 else x.clone()


@_rule(aten.one_hot.default)
def one_hot(x, num_classes=-1):
    if num_classes == -1:
        num_classes = x.max().item() + 1
    else:
        torch._assert_async((x >= 0).all(), 'one_hot: Class values must be non-negative.')
        torch._assert_async((x < num_classes).all(), 'one_hot: Class values must be smaller than num_classes.')
    return (x.unsqueeze(-1) == torch.arange(num_classes, dtype=x.dtype, device=x.device)).to(torch.int64)


def _made_size(sizes, output_size, factors):
    # The sizes of what is to be made.
    if output_size is not None:
        return output_size
    if any(factor != int(factor) for factor in factors):
        raise NotImplementedError('not supported: a symbolic size times a factor that is no whole number; use size=')
    return [size * int(factor) for size, factor in zip(sizes[2:], factors)]


def _nearest(x, output_size, factors, shift):
    sizes = _made_size(x.shape, output_size, factors)
    rank = len(sizes)
    places = []
    for each in range(rank):
        size = x.shape[each + 2]
        step = size / (size * factors[each]) if factors else size / sizes[each]
        place = ((torch.arange(sizes[each], dtype=torch.float32, device=x.device) + shift) * step).to(torch.int64)
        for _ in range(rank - 1 - each):
            place = place.unsqueeze(-1)
        places.append(place)
    return aten._unsafe_index.Tensor(x, [None, None] + places)


@_rule(aten.upsample_nearest1d.vec, aten.upsample_nearest2d.vec, aten.upsample_nearest3d.vec)
def upsample_nearest(x, output_size, scale_factors):
    return _nearest(x, output_size, scale_factors, 0.0)


@_rule(aten._upsample_nearest_exact1d.vec, aten._upsample_nearest_exact2d.vec, aten._upsample_nearest_exact3d.vec)
def upsample_nearest_exact(x, output_size, scale_factors):
    return _nearest(x, output_size, scale_factors, 0.5)


def _places(x, size, made, factor, align_corners, dims_after):
    # Where the made ones lie between those that are there: how far along, the one before and the one after.
    if align_corners:
        step = (size - 1.0) / (made - 1.0) if made > 1 else 0
    else:
        step = 1.0 / factor if factor else size / made
    along = torch.arange(made, device=x.device).to(x.dtype)
    along = (step * along if align_corners else step * (along + 0.5) - 0.5).clamp(min=0.0)
    along = along.reshape(along.shape[0], *[1] * dims_after)
    first = along.to(torch.int64)
    return along, first, (first + 1).clamp(max=size - 1)


@_rule(aten.upsample_linear1d.vec, aten.upsample_bilinear2d.vec, aten.upsample_trilinear3d.vec)
def upsample_linear(x, output_size, align_corners, scale_factors):
    sizes = _made_size(x.shape, output_size, scale_factors)
    return linear_of(x, sizes, align_corners, scale_factors or [None] * len(sizes))


def linear_of(x, sizes, align_corners, factors):
    rank = len(sizes)
    places = [_places(x, size, made, factor, align_corners, rank - 1 - each)
              for each, (size, made, factor) in enumerate(zip(x.shape[2:], sizes, factors))]
    corners = [aten._unsafe_index.Tensor(x, [None, None] + [places[each][1 + side] for each, side in enumerate(sides)])
               for sides in itertools.product((0, 1), repeat=rank)]
    for along, first, _ in reversed(places):
        share = (along - first).clamp(0.0, 1.0)
        corners = [low + torch.mul(high - low, share) for low, high in zip(corners[::2], corners[1::2])]
    return corners[0]
