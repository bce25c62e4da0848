# SPDX-License-Identifier: GPL-3.0-or-later
# torch.nn.attention.flex_attention: attention with user functions that modify and mask the scores. Materializes all scores, as
# PyTorch does without torch.compile. A call with traced values is recorded only if it is wrapped (torch.fx.wrap).
import functools
import inspect
import math
import operator
from typing import NamedTuple, Optional

import torch
from torch._outside import outside

__getattr__ = outside(__name__)

_DEFAULT_SPARSE_BLOCK_SIZE = 128
_LARGE_SPARSE_BLOCK_SIZE = 1 << 30


class AuxRequest(NamedTuple):
    lse: bool = False
    max_scores: bool = False


class AuxOutput(NamedTuple):
    lse: Optional[torch.Tensor] = None
    max_scores: Optional[torch.Tensor] = None


def noop_mask(batch, head, token_q, token_kv):
    return batch.new_ones(size=(), dtype=torch.bool, device=batch.device)


def _sliced_mask(batch, head, token_q, token_kv):
    raise RuntimeError('Cannot use mask_mod from a sliced BlockMask. When you slice a BlockMask using [], the mask_mod attribute is reset. '
                       "You must set it from the original BlockMask's mask_mod.")


def or_masks(*mask_mods):
    _require_callables(mask_mods)

    def or_mask(b, h, q_idx, kv_idx):
        return functools.reduce(operator.or_, (mask(b, h, q_idx, kv_idx) for mask in mask_mods), b.new_zeros((), dtype=torch.bool))

    return or_mask


def and_masks(*mask_mods):
    _require_callables(mask_mods)

    def and_mask(b, h, q_idx, kv_idx):
        return functools.reduce(operator.and_, (mask(b, h, q_idx, kv_idx) for mask in mask_mods), b.new_ones((), dtype=torch.bool))

    return and_mask


def _require_callables(mask_mods):
    if not all(callable(each) for each in mask_mods):
        raise RuntimeError(f'All inputs should be callable mask_mods: {mask_mods}')


def _takes_score(function):
    count = sum(parameter.default is inspect.Parameter.empty for parameter in inspect.signature(function).parameters.values())
    if count not in (4, 5):
        raise AssertionError(f'Expected 4 or 5 positional args, got {count}')
    return count == 5


def _mapped(function, prefix):
    """Maps the function over batch, head, query and key."""
    for axis in (3, 2, 1, 0):
        function = torch.vmap(function, in_dims=prefix + tuple(0 if each == axis else None for each in range(4)))
    return function


def _places(sizes, device):
    return [torch.arange(0, size, device=device) for size in sizes]


def create_mask(mod_fn, B, H, Q_LEN, KV_LEN, device=None):
    device = device or torch.accelerator.current_accelerator() or 'cpu'
    sizes = (1 if B is None else B, 1 if H is None else H, Q_LEN, KV_LEN)
    if not _takes_score(mod_fn):
        return _mapped(mod_fn, ())(*_places(sizes, device))
    scores = _mapped(mod_fn, (0,))(torch.zeros(sizes, device=device), *_places(sizes, device))
    return torch.where(torch.isneginf(scores), False, True)


def _in_order(dense):
    """Number of blocks of each row, and their indices, present ones first."""
    dense = dense.to(torch.int32)
    return dense.sum(dim=-1).to(torch.int32), torch.argsort(dense, dim=-1, descending=True, stable=True).to(torch.int32)


def _dense(counts, indices, columns):
    dense = indices.new_zeros(*indices.shape[:-1], columns + 1, dtype=torch.int32)
    isThere = torch.arange(indices.shape[-1], device=indices.device) < counts.unsqueeze(-1)
    return dense.scatter(-1, torch.where(isThere, indices, columns).long(), 1)[..., :columns].contiguous()


def _transposed(counts, indices):
    return _in_order(_dense(counts, indices, indices.shape[-1]).transpose(-2, -1))


class BlockMask:
    def __init__(self, seq_lengths, kv_num_blocks, kv_indices, full_kv_num_blocks, full_kv_indices, q_num_blocks, q_indices, full_q_num_blocks,
                 full_q_indices, BLOCK_SIZE=(_DEFAULT_SPARSE_BLOCK_SIZE, _DEFAULT_SPARSE_BLOCK_SIZE), mask_mod=noop_mask):
        if kv_indices.dim() < 2:
            raise RuntimeError('BlockMask must have at least 2 dimensions')
        for one, other, name in ((full_kv_num_blocks, full_kv_indices, 'kv'), (full_q_num_blocks, full_q_indices, 'q')):
            if (one is None) != (other is None):
                raise AssertionError(f'full_{name}_num_blocks and full_{name}_indices must be both provided or omitted')
        self.seq_lengths, self.BLOCK_SIZE, self.mask_mod = seq_lengths, BLOCK_SIZE, mask_mod
        self.kv_num_blocks, self.kv_indices = kv_num_blocks, kv_indices
        self.full_kv_num_blocks, self.full_kv_indices = full_kv_num_blocks, full_kv_indices
        self.q_num_blocks, self.q_indices = q_num_blocks, q_indices
        self.full_q_num_blocks, self.full_q_indices = full_q_num_blocks, full_q_indices

    @classmethod
    def from_kv_blocks(cls, kv_num_blocks, kv_indices, full_kv_num_blocks=None, full_kv_indices=None, BLOCK_SIZE=_DEFAULT_SPARSE_BLOCK_SIZE,
                       mask_mod=None, seq_lengths=None, compute_q_blocks=True):
        if kv_indices.dim() < 2:
            raise RuntimeError('BlockMask must have at least 2 dimensions')
        q = full_q = (None, None)
        if compute_q_blocks:
            q = _transposed(kv_num_blocks, kv_indices)
            full_q = full_q if full_kv_num_blocks is None else _transposed(full_kv_num_blocks, full_kv_indices)
        block = (BLOCK_SIZE, BLOCK_SIZE) if isinstance(BLOCK_SIZE, int) else BLOCK_SIZE
        if seq_lengths is None:
            seq_lengths = (kv_indices.shape[-2] * block[0], kv_indices.shape[-1] * block[1])
        return cls(seq_lengths, kv_num_blocks, kv_indices, full_kv_num_blocks, full_kv_indices, *q, *full_q, block, mask_mod or noop_mask)

    @property
    def shape(self):
        return tuple(self.kv_indices.shape[:-2]) + tuple(self.seq_lengths)

    def numel(self):
        return math.prod(self.shape)

    def sparsity(self):
        computed = self.kv_num_blocks.sum()
        if self.full_kv_num_blocks is not None:
            computed += self.full_kv_num_blocks.sum()
        return 100 * (1 - computed.item() * self.BLOCK_SIZE[0] * self.BLOCK_SIZE[1] / self.numel())

    def to_dense(self):
        dense = _dense(self.kv_num_blocks, self.kv_indices, self.kv_indices.shape[-1])
        if self.full_kv_num_blocks is None:
            return dense
        return dense | _dense(self.full_kv_num_blocks, self.full_kv_indices, self.full_kv_indices.shape[-1])

    def _each(self, change):
        made = BlockMask.__new__(BlockMask)
        for name, value in self.__dict__.items():
            setattr(made, name, change(value) if isinstance(value, torch.Tensor) else value)
        return made

    def to(self, device):
        return self._each(lambda tensor: tensor.to(device))

    def __getitem__(self, index):
        index = index if isinstance(index, tuple) else (index,)
        index = tuple(slice(each, each + 1 or None) if isinstance(each, int) else each for each in index)
        parts = [None if each is None else each[index]
                 for each in (self.kv_num_blocks, self.kv_indices, self.full_kv_num_blocks, self.full_kv_indices)]
        return BlockMask.from_kv_blocks(*parts, BLOCK_SIZE=self.BLOCK_SIZE, mask_mod=_sliced_mask, seq_lengths=self.seq_lengths,
                                        compute_q_blocks=self.q_indices is not None)

    def __repr__(self):
        tensors = ('kv_num_blocks', 'kv_indices', 'full_kv_num_blocks', 'full_kv_indices', 'q_num_blocks', 'q_indices', 'full_q_num_blocks',
                   'full_q_indices')
        lines = [f'    {name}={None if (tensor := getattr(self, name)) is None else tensor.shape},\n' for name in tensors]
        return (f'BlockMask(\n{"".join(lines)}    BLOCK_SIZE={self.BLOCK_SIZE},\n    shape={self.shape},\n'
                f'    sparsity={self.sparsity():.2f}%,\n    mask_mod={getattr(self.mask_mod, "__name__", self.mask_mod)}\n)')


def create_block_mask(mask_mod, B, H, Q_LEN, KV_LEN, device=None, BLOCK_SIZE=_DEFAULT_SPARSE_BLOCK_SIZE, _compile=False,
                      separate_full_blocks=True):
    if _takes_score(mask_mod):
        raise AssertionError(f'create-block_mask requires a mask_mod function! Got {mask_mod}')
    rows, columns = (BLOCK_SIZE, BLOCK_SIZE) if isinstance(BLOCK_SIZE, int) else BLOCK_SIZE
    mask = create_mask(mask_mod, B, H, Q_LEN, KV_LEN, device)
    mask = torch.nn.functional.pad(mask, (0, -mask.shape[-1] % columns, 0, -mask.shape[-2] % rows))
    counts = mask.unflatten(-1, (-1, columns)).unflatten(-3, (-1, rows)).sum(dim=[-3, -1])
    is_full = counts == rows * columns
    partial = (counts > 0) & ~is_full if separate_full_blocks else counts > 0
    return BlockMask.from_kv_blocks(*_in_order(partial), *(_in_order(is_full) if separate_full_blocks else (None, None)),
                                    BLOCK_SIZE=(rows, columns), mask_mod=mask_mod, seq_lengths=(Q_LEN, KV_LEN))


def _check_inputs(query, key, value, enable_gqa):
    if query.is_nested or key.is_nested or value.is_nested:
        raise NotImplementedError('flex_attention does not support NestedTensor inputs, including torch.compile(flex_attention) with jagged '
                                  'NestedTensor inputs. Convert inputs to dense tensors before calling flex_attention.')
    if query.device != key.device or query.device != value.device:
        raise ValueError('Expected query, key, and value to have the same device type, but got query.device: '
                         f'{query.device}, key.device: {key.device}, and value.device: {value.device} instead.')
    if query.dim() < 2 or key.dim() < 2 or value.dim() < 2:
        raise ValueError('Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: '
                         f'{query.dim()}, key.dim: {key.dim()} and value.dim: {value.dim()} instead.')
    if query.size(-1) != key.size(-1):
        raise ValueError('Expect query and key/value to have the same embedding dimension '
                         f'but got E={query.size(-1)} and E={key.size(-1)}.')
    if query.device.type == 'cpu' and (query.requires_grad or key.requires_grad or value.requires_grad):
        raise NotImplementedError('FlexAttention does not support backward on CPU. Please set the input requires_grad to False or use another '
                                  'device.')
    if query.dim() != 4 or key.dim() != 4 or value.dim() != 4:
        raise NotImplementedError('NYI: query, key, and value must be 4D tensors')
    if not enable_gqa and query.size(-3) != key.size(-3):
        raise ValueError('Expect query and key/value to have the same number of heads '
                         f'but got Hq={query.size(-3)} and Hkv={key.size(-3)}. Try setting enable_gqa=True for GQA.')
    if enable_gqa and query.size(1) % key.size(1) != 0:
        raise ValueError('Expect number of query heads to be a multiple of kv heads for GQA '
                         f'but got Hq={query.size(1)} and Hkv={key.size(1)}.')


def _check_mask(query, key, block_mask):
    rows, columns = block_mask.shape[-2:]
    if query.size(-2) == rows and key.size(-2) == columns:
        return
    start = f'block_mask was created for block_mask.shape={block_mask.shape} but got q_len={query.size(-2)} and kv_len={key.size(-2)}. '
    if query.size(-2) > rows or key.size(-2) > columns:
        raise ValueError(start + "As the block mask was created for a smaller length than you're using it for, you likely need to create a new "
                         'block mask.')
    raise ValueError(start + "As the block mask was created for a larger length than you're using it for, you can either 1. create a new block mask "
                     "with the correct length, or 2. 'adjust' the existing block mask to the correct length by calling block_mask._adjust(q_len, "
                     "kv_len). This essentially 'crops' the block mask to the upper left corner, which does not work for all mask_mods!")


def flex_attention(query, key, value, score_mod=None, block_mask=None, scale=None, enable_gqa=False, return_lse=False, kernel_options=None, *,
                   return_aux=None):
    _check_inputs(query, key, value, enable_gqa)
    if query.size(0) != key.size(0) and block_mask is None:
        raise ValueError('Expect query and key/value to have the same batch size, or non-none block_mask, but got block_mask=None, '
                         f'Bq={query.size(0)}, and Bkv={key.size(0)}.')
    if block_mask is not None:
        _check_mask(query, key, block_mask)
    if return_lse and return_aux is not None:
        raise ValueError('Cannot specify both return_lse and return_aux. return_lse is deprecated, please use return_aux=AuxRequest(lse=True) '
                         'instead.')
    if return_aux is not None and return_aux.max_scores and query.device.type == 'cpu':
        raise NotImplementedError('Returning max scores is not supported on CPU/MPS.')
    out, lse, most = _attention(query, key, value, score_mod, noop_mask if block_mask is None else block_mask.mask_mod,
                                1.0 / math.sqrt(query.size(-1)) if scale is None else scale)
    if return_aux is not None:
        return out, AuxOutput(lse if return_aux.lse else None, most if return_aux.max_scores else None)
    return (out, lse) if return_lse else out


def _attention(query, key, value, score_mod, mask_mod, scale):
    groups = query.size(1) // key.size(1)
    value, key = (torch.repeat_interleave(each, groups, dim=1) for each in (value, key))
    key, value = (each.expand(query.size(0), *each.shape[1:]) for each in (key, value))
    wide = torch.float64 if query.dtype == torch.float64 else torch.float32
    scores = (query.to(wide) @ key.to(wide).transpose(-2, -1) * scale).to(wide)
    places = _places(scores.shape, scores.device)
    changed = scores if score_mod is None else _mapped(score_mod, (0,))(scores, *places)
    scores = torch.where(_mapped(mask_mod, ())(*places), changed, torch.tensor(-float('inf'), dtype=wide, device=scores.device))
    # Converted to base 2, as kernels have it, and back: the same rounding as PyTorch.
    lse = torch.where(torch.all(scores == -float('inf'), dim=-1), -float('inf'), scores.logsumexp(dim=-1)) / math.log(2) * math.log(2.0)
    most = torch.max(scores, dim=-1)[0] / math.log(2) * math.log(2.0)
    return torch._safe_softmax(scores, dim=-1).to(query.dtype) @ value.to(query.dtype), lse, most
