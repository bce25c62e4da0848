# SPDX-License-Identifier: GPL-3.0-or-later
# Multi-head attention.
import math
import warnings

import torch
from torch import Tensor
from torch._C._nn import linear, scaled_dot_product_attention
from .activations import dropout, softmax
from .sampling import pad


def _require(condition, message):
    if not condition:
        raise AssertionError(message)


def _none_or_dtype(input: Tensor | None) -> int | None:
    if input is None:
        return None
    if isinstance(input, torch.Tensor):
        return input.dtype
    raise RuntimeError('input to _none_or_dtype() must be None or torch.Tensor')


def _canonical_mask(mask: Tensor | None, mask_name: str, other_type: int | None, other_name: str, target_type: int,
                    check_other: bool = True) -> Tensor | None:
    # A mask to be added to scores: a boolean one forbids where it is true.
    if mask is None:
        return None
    is_float = torch.is_floating_point(mask)
    _require(mask.dtype == torch.bool or is_float, f'only bool and floating types of {mask_name} are supported')
    if check_other and other_type is not None and mask.dtype != other_type:
        warnings.warn(f'{mask_name} and {other_name} of different types are deprecated')
    return mask if is_float else torch.zeros_like(mask, dtype=target_type).masked_fill_(mask, float('-inf'))


def _mha_shape_check(query: Tensor, key: Tensor, value: Tensor, key_padding_mask: Tensor | None,
                     attn_mask: Tensor | None, num_heads: int):
    dims = query.dim()
    _require(dims in (2, 3), f'query should be unbatched 2D or batched 3D tensor but received {dims}-D query tensor')
    is_batched = dims == 3
    given = f'For {"batched" if is_batched else "unbatched"} ({dims}-D) `query`, expected '
    _require(key.dim() == dims and value.dim() == dims,
             f'{given}`key` and `value` to be {dims}-D but found {key.dim()}-D and {value.dim()}-D tensors '
             'respectively')
    if key_padding_mask is not None:
        _require(key_padding_mask.dim() == dims - 1,
                 f'{given}`key_padding_mask` to be `None` or {dims - 1}-D but found {key_padding_mask.dim()}-D tensor '
                 'instead')
    if attn_mask is not None:
        _require(attn_mask.dim() in (2, 3),
                 f'{given}`attn_mask` to be `None`, 2-D or 3-D but found {attn_mask.dim()}-D tensor instead')
        if not is_batched and attn_mask.dim() == 3:
            shape = (num_heads, query.shape[0], key.shape[0])
            _require(attn_mask.shape == shape, f'Expected `attn_mask` shape to be {shape} but got {attn_mask.shape}')
    return is_batched


def _in_projection_packed(q: Tensor, k: Tensor, v: Tensor, w: Tensor, b: Tensor | None = None) -> list[Tensor]:
    # The packed weight holds the projections of query, key and value one below the other.
    size = q.size(-1)
    if k is v and q is k:
        parts = linear(q, w, b).unflatten(-1, (3, size)).unsqueeze(0).transpose(0, -2).squeeze(-2).contiguous()
        return parts[0], parts[1], parts[2]
    if k is v:
        w_query, w_rest = w.split([size, size * 2])
        b_query, b_rest = (None, None) if b is None else b.split([size, size * 2])
        query = linear(q, w_query, b_query)
        rest = linear(k, w_rest, b_rest).unflatten(-1, (2, size)).unsqueeze(0).transpose(0, -2).squeeze(-2).contiguous()
        return query, rest[0], rest[1]
    weights = w.chunk(3)
    biases = (None, None, None) if b is None else b.chunk(3)
    return linear(q, weights[0], biases[0]), linear(k, weights[1], biases[1]), linear(v, weights[2], biases[2])


def _in_projection(q: Tensor, k: Tensor, v: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, b_q: Tensor | None = None,
                   b_k: Tensor | None = None, b_v: Tensor | None = None) -> tuple[Tensor, Tensor, Tensor]:
    size = q.size(-1)
    for name, weight, features in (('query', w_q, size), ('key', w_k, k.size(-1)), ('value', w_v, v.size(-1))):
        _require(weight.shape == (size, features),
                 f'expecting {name} weights shape of {(size, features)}, but got {weight.shape}')
    for name, bias in (('query', b_q), ('key', b_k), ('value', b_v)):
        _require(bias is None or bias.shape == (size,),
                 f'expecting {name} bias shape of {(size,)}, but got {bias is not None and bias.shape}')
    return linear(q, w_q, b_q), linear(k, w_k, b_k), linear(v, w_v, b_v)


def _checked_attn_mask(mask, batch, num_heads, target_length, source_length):
    if mask is None:
        return None
    if mask.dim() not in (2, 3):
        raise RuntimeError(f"attn_mask's dimension {mask.dim()} is not supported")
    shape = (target_length, source_length)
    if mask.dim() == 3:
        shape = (batch * num_heads, *shape)
    if mask.shape != shape:
        raise RuntimeError(f'The shape of the {mask.dim()}D attn_mask is {mask.shape}, but should be {shape}.')
    return mask.unsqueeze(0) if mask.dim() == 2 else mask


def _heads_of(name, projected, given, batch_heads, head_dim):
    # What is attended to, one matrix for each head of each sample; the caller may give it ready-made.
    if given is None:
        return projected.view(projected.shape[0], batch_heads, head_dim).transpose(0, 1)
    for dim, size in ((0, batch_heads), (2, head_dim)):
        _require(given.size(dim) == size, f'expecting {name}.size({dim}) of {size}, but got {given.size(dim)}')
    return given


def _merged_mask(attn_mask, key_padding_mask, batch, num_heads, source_length):
    if key_padding_mask is None:
        return attn_mask
    for dim, size in ((0, batch), (1, source_length)):
        _require(key_padding_mask.shape[dim] == size,
                 f'Expected key_padded_mask.shape[{dim}] to be {size}, but got {key_padding_mask.shape[dim]}')
    padding = key_padding_mask.view(batch, 1, 1, source_length).expand(-1, num_heads, -1, -1)
    padding = padding.reshape(batch * num_heads, 1, source_length)
    return padding if attn_mask is None else attn_mask + padding


def _weighted_values(q, k, v, mask, dropout_p):
    # Attention by its formula, because its weights are wanted too.
    scores = q * math.sqrt(1.0 / float(q.shape[2]))
    keys = k.transpose(-2, -1)
    weights = torch.bmm(scores, keys) if mask is None else torch.baddbmm(mask, scores, keys)
    weights = softmax(weights, dim=-1)
    if dropout_p > 0.0:
        weights = dropout(weights, p=dropout_p)
    return torch.bmm(weights, v), weights


def _one_more_key(mask):
    return None if mask is None else pad(mask, (0, 1))


def multi_head_attention_forward(query: Tensor, key: Tensor, value: Tensor, embed_dim_to_check: int, num_heads: int,
                                 in_proj_weight: Tensor | None, in_proj_bias: Tensor | None, bias_k: Tensor | None,
                                 bias_v: Tensor | None, add_zero_attn: bool, dropout_p: float, out_proj_weight: Tensor,
                                 out_proj_bias: Tensor | None, training: bool = True,
                                 key_padding_mask: Tensor | None = None, need_weights: bool = True,
                                 attn_mask: Tensor | None = None, use_separate_proj_weight: bool = False,
                                 q_proj_weight: Tensor | None = None, k_proj_weight: Tensor | None = None,
                                 v_proj_weight: Tensor | None = None, static_k: Tensor | None = None,
                                 static_v: Tensor | None = None, average_attn_weights: bool = True,
                                 is_causal: bool = False) -> tuple[Tensor, Tensor | None]:
    is_batched = _mha_shape_check(query, key, value, key_padding_mask, attn_mask, num_heads)
    if not is_batched:
        query, key, value = query.unsqueeze(1), key.unsqueeze(1), value.unsqueeze(1)
        key_padding_mask = None if key_padding_mask is None else key_padding_mask.unsqueeze(0)
    target_length, batch, embed_dim = query.shape
    source_length = key.shape[0]
    key_padding_mask = _canonical_mask(key_padding_mask, 'key_padding_mask', _none_or_dtype(attn_mask), 'attn_mask',
                                       query.dtype)
    if is_causal and attn_mask is None:
        raise RuntimeError('Need attn_mask if specifying the is_causal hint. You may use the Transformer module method '
                           '`generate_square_subsequent_mask` to create this mask.')
    if is_causal and key_padding_mask is None and not need_weights:
        attn_mask = None  # the hint says what it holds
    else:
        attn_mask = _canonical_mask(attn_mask, 'attn_mask', None, '', query.dtype, check_other=False)
        is_causal = is_causal and key_padding_mask is None
    _require(embed_dim == embed_dim_to_check,
             f'was expecting embedding dimension of {embed_dim_to_check}, but got {embed_dim}')
    head_dim = embed_dim // num_heads
    _require(head_dim * num_heads == embed_dim, f'embed_dim {embed_dim} not divisible by num_heads {num_heads}')
    if use_separate_proj_weight:
        _require(key.shape[:2] == value.shape[:2],
                 f"key's sequence and batch dims {key.shape[:2]} do not match value's {value.shape[:2]}")
        for name, weight in (('q', q_proj_weight), ('k', k_proj_weight), ('v', v_proj_weight)):
            _require(weight is not None, f'use_separate_proj_weight is True but {name}_proj_weight is None')
        biases = (None, None, None) if in_proj_bias is None else in_proj_bias.chunk(3)
        q, k, v = _in_projection(query, key, value, q_proj_weight, k_proj_weight, v_proj_weight, *biases)
    else:
        _require(key.shape == value.shape, f'key shape {key.shape} does not match value shape {value.shape}')
        _require(in_proj_weight is not None, 'use_separate_proj_weight is False but in_proj_weight is None')
        q, k, v = _in_projection_packed(query, key, value, in_proj_weight, in_proj_bias)

    attn_mask = _checked_attn_mask(attn_mask, batch, num_heads, target_length, source_length)
    if bias_k is not None and bias_v is not None:
        _require(static_k is None, 'bias cannot be added to static key.')
        _require(static_v is None, 'bias cannot be added to static value.')
        k = torch.cat([k, bias_k.repeat(1, batch, 1)])
        v = torch.cat([v, bias_v.repeat(1, batch, 1)])
        attn_mask, key_padding_mask = _one_more_key(attn_mask), _one_more_key(key_padding_mask)
    else:
        _require(bias_k is None, 'bias_k is set but bias_v is None')
        _require(bias_v is None, 'bias_v is set but bias_k is None')

    batch_heads = batch * num_heads
    q = q.view(target_length, batch_heads, head_dim).transpose(0, 1)
    k = _heads_of('static_k', k, static_k, batch_heads, head_dim)
    v = _heads_of('static_v', v, static_v, batch_heads, head_dim)
    if add_zero_attn:
        shape = (batch_heads, 1, head_dim)
        k = torch.cat([k, torch.zeros(shape, dtype=k.dtype, device=k.device)], dim=1)
        v = torch.cat([v, torch.zeros(shape, dtype=v.dtype, device=v.device)], dim=1)
        attn_mask, key_padding_mask = _one_more_key(attn_mask), _one_more_key(key_padding_mask)
    source_length = k.size(1)
    attn_mask = _merged_mask(attn_mask, key_padding_mask, batch, num_heads, source_length)
    dropout_p = dropout_p if training else 0.0

    weights = None
    if need_weights:
        _require(not is_causal or attn_mask is not None, 'FIXME: is_causal not implemented for need_weights')
        output, weights = _weighted_values(q, k, v, attn_mask, dropout_p)
        output = output.transpose(0, 1).reshape(target_length * batch, embed_dim)
    else:
        if attn_mask is not None and attn_mask.size(0) == 1 and attn_mask.dim() == 3:
            attn_mask = attn_mask.unsqueeze(0)
        elif attn_mask is not None:
            attn_mask = attn_mask.view(batch, num_heads, -1, source_length)
        q, k, v = (part.view(batch, num_heads, part.size(1), head_dim) for part in (q, k, v))
        output = scaled_dot_product_attention(q, k, v, attn_mask, dropout_p, is_causal)
        output = output.permute(2, 0, 1, 3).reshape(batch * target_length, embed_dim)
    output = linear(output, out_proj_weight, out_proj_bias)
    output = output.view(target_length, batch, output.size(1))
    if weights is not None:
        weights = weights.view(batch, num_heads, target_length, source_length)
        weights = weights.mean(dim=1) if average_attn_weights else weights
        weights = weights if is_batched else weights.squeeze(0)
    return output if is_batched else output.squeeze(1), weights
