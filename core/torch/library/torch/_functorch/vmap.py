# SPDX-License-Identifier: GPL-3.0-or-later
# torch.vmap: its arguments get a hidden dimension, over which the engine maps every operator.
import functools

import torch
from torch.utils._pytree import tree_flatten, tree_unflatten


def _name_of(func):
    if hasattr(func, '__name__'):
        return func.__name__
    return f'functools.partial({_name_of(func.func)}, ...)' if isinstance(func, functools.partial) else repr(func)


def _spread(dims, tree):
    """For each leaf of the tree its entry in `dims`, which may stop above it; None where they do not fit."""
    if dims is None or isinstance(dims, int):
        return [dims] * len(tree_flatten(tree)[0])
    if not isinstance(tree, (tuple, list, dict)) or type(dims) is not type(tree) or len(dims) != len(tree):
        return None
    keys = list(tree) if isinstance(tree, dict) else range(len(tree))
    if isinstance(tree, dict) and set(dims) != set(tree):
        return None
    parts = [_spread(dims[key], tree[key]) for key in keys]
    return None if None in parts else [dim for part in parts for dim in part]


def _checked_inputs(func, in_dims, args):
    call = f'vmap({_name_of(func)}, in_dims={in_dims}, ...)(<inputs>)'
    if not isinstance(in_dims, (int, tuple)):
        raise ValueError(f'{call}: expected `in_dims` to be int or a (potentially nested) tuple matching the structure of '
                         f'inputs, got: {type(in_dims)}.')
    if not args:
        raise ValueError(f'vmap({_name_of(func)})(<inputs>): got no inputs. There is nothing to map over')
    leaves, spec = tree_flatten(args)
    dims = _spread(in_dims, args)
    if dims is None:
        raise ValueError(f'{call}: in_dims is not compatible with the structure of `inputs`.')
    for place, (leaf, dim) in enumerate(zip(leaves, dims)):
        if dim is not None and not isinstance(dim, int):
            raise ValueError(f'{call}: Got in_dim={dim} for an input but in_dim must be either an integer dimension or None.')
        if dim is not None and not isinstance(leaf, torch.Tensor):
            raise ValueError(f'{call}: Got in_dim={dim} for an input but the input is of type {type(leaf)}. We cannot vmap '
                             'over non-Tensor arguments, please use None as the respective in_dim')
        if dim is not None and not -leaf.dim() <= dim < leaf.dim():
            raise ValueError(f'{call}: Got in_dim={dim} for some input, but that input is a Tensor of dimensionality '
                             f'{leaf.dim()} so expected in_dim to satisfy -{leaf.dim()} <= in_dim < {leaf.dim()}.')
        if dim is not None and dim < 0:
            dims[place] = dim + leaf.dim()
    return leaves, spec, dims


def _mapped_size(leaves, dims):
    sizes = [leaf.size(dim) for leaf, dim in zip(leaves, dims) if dim is not None]
    if not sizes:
        raise ValueError('vmap got no dimension to map over: each of in_dims is None')
    if any(size != sizes[0] for size in sizes):
        raise ValueError('vmap: Expected all tensors to have the same size in the mapped dimension, got sizes '
                         f'{sizes} for the mapped dimension')
    return sizes[0]


def _taken_out(func, out, out_dim, level, size):
    if out_dim is None:
        return out
    if not isinstance(out, torch.Tensor):
        raise ValueError(f'vmap({_name_of(func)}, ...): `{_name_of(func)}` must only return Tensors, got type {type(out)}. '
                         'Did you mean to set out_dims= to None for output?')
    return _remove_batch_dim(out, level, size, out_dim)


def _out_dims(func, out_dims, outputs):
    dims = _spread(out_dims, outputs)
    if dims is None and isinstance(outputs, (tuple, list)) and isinstance(out_dims, (tuple, list)):
        dims = _spread(type(outputs)(out_dims), outputs)
    if dims is None and isinstance(outputs, torch.Tensor) and isinstance(out_dims, tuple) and len(out_dims) == 1:
        dims = list(out_dims)
    if dims is None:
        raise ValueError(f'vmap({_name_of(func)}, ..., out_dims={out_dims})(<inputs>): out_dims is not compatible with the '
                         'structure of `outputs`.')
    return dims


def _mapped(func, leaves, spec, dims, size, out_dims, randomness, kwargs):
    level = _vmap_increment_nesting(size, randomness)
    try:
        hidden = [leaf if dim is None else _add_batch_dim(leaf, dim, level)
                  for leaf, dim in zip(leaves, dims)]
        outputs = func(*tree_unflatten(hidden, spec), **kwargs)
        flat, out_spec = tree_flatten(outputs)
        shown = [_taken_out(func, out, dim, level, size)
                 for out, dim in zip(flat, _out_dims(func, out_dims, outputs))]
        return tree_unflatten(shown, out_spec)
    finally:
        _vmap_decrement_nesting()


def _in_chunks(func, leaves, spec, dims, size, out_dims, randomness, chunk_size, kwargs):
    flat_chunks = []
    for start in range(0, size, chunk_size):
        length = min(chunk_size, size - start)
        part = [leaf if dim is None else leaf.narrow(dim, start, length) for leaf, dim in zip(leaves, dims)]
        outputs = _mapped(func, part, spec, dims, length, out_dims, randomness, kwargs)
        flat, out_spec = tree_flatten(outputs)
        flat_chunks.append(flat)
        shown_dims = _out_dims(func, out_dims, outputs)
    joined = [parts[0] if dim is None else torch.cat(parts, dim) for parts, dim in zip(zip(*flat_chunks), shown_dims)]
    return tree_unflatten(joined, out_spec)


def vmap(func, in_dims=0, out_dims=0, randomness='error', *, chunk_size=None):
    if randomness not in ('error', 'different', 'same'):
        raise RuntimeError(f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}")
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError(f'vmap: chunk_size should be None or greater than 0. (got {chunk_size})')

    def wrapped(*args, **kwargs):
        if not all(dim is None or isinstance(dim, int) for dim in tree_flatten(out_dims)[0]):
            raise ValueError(f'vmap({_name_of(func)}, ..., out_dims={out_dims}): `out_dims` must be an int, None or a python '
                             'collection of ints representing where in the outputs the vmapped dimension should appear.')
        leaves, spec, dims = _checked_inputs(func, in_dims, args)
        size = _mapped_size(leaves, dims)
        if chunk_size is not None and chunk_size < size:
            return _in_chunks(func, leaves, spec, dims, size, out_dims, randomness, chunk_size, kwargs)
        return _mapped(func, leaves, spec, dims, size, out_dims, randomness, kwargs)

    return functools.wraps(func)(wrapped) if hasattr(func, '__name__') else wrapped
