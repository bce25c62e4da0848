# SPDX-License-Identifier: GPL-3.0-or-later
# Transformers: layers of attention and feed-forward blocks, stacks of them, and both stacks together.
import copy
import warnings
import torch
from torch import Tensor
from torch.nn import functional as F
from torch.nn.init import xavier_uniform_
from .activation import GELU, MultiheadAttention, ReLU
from .container import ModuleList
from .dropout import Dropout
from .linear import Linear
from .module import Module
from .normalization import LayerNorm

__all__ = ['Transformer', 'TransformerEncoder', 'TransformerDecoder', 'TransformerEncoderLayer', 'TransformerDecoderLayer']


def _generate_square_subsequent_mask(sz, device=None, dtype=None):
    return torch.triu(torch.full((sz, sz), float('-inf'), dtype=dtype, device=device), diagonal=1)


def _get_seq_len(src, batch_first):
    if src.is_nested:
        return None
    size = src.size()
    return size[0] if len(size) == 2 else size[1 if batch_first else 0]


def _get_clones(module, N):
    return ModuleList([copy.deepcopy(module) for _ in range(N)])


def _get_activation_fn(activation):
    known = {'relu': F.relu, 'gelu': F.gelu}
    if activation not in known:
        raise RuntimeError(f'activation should be relu/gelu, not {activation}')
    return known[activation]


def _detect_is_causal_mask(mask, is_causal=None, size=None):
    if is_causal is None and mask is not None:
        length = mask.size(-2) if size is None else size
        causal = _generate_square_subsequent_mask(length, device=mask.device, dtype=mask.dtype)
        return mask.size() == causal.size() and bool((mask == causal).all())
    return is_causal is True


def _masks(mask, mask_name, padding, padding_name, dtype):
    # Both masks as numbers to be added, or None.
    padding = F._canonical_mask(mask=padding, mask_name=padding_name, other_type=F._none_or_dtype(mask), other_name=mask_name,
                                target_type=dtype)
    mask = F._canonical_mask(mask=mask, mask_name=mask_name, other_type=None, other_name='', target_type=dtype,
                             check_other=False)
    return mask, padding


def _some_grad(*tensors):
    return torch.is_grad_enabled() and any(tensor.requires_grad for tensor in tensors)


class Transformer(Module):
    def __init__(self, d_model=512, nhead=8, num_encoder_layers=6, num_decoder_layers=6, dim_feedforward=2048, dropout=0.1,
                 activation=F.relu, custom_encoder=None, custom_decoder=None, layer_norm_eps=1e-5, batch_first=False,
                 norm_first=False, bias=True, device=None, dtype=None):
        super().__init__()
        shared = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias, device,
                  dtype)

        def stack(kind, layer, count):
            layer = layer(*shared)
            return kind(layer, count, LayerNorm(d_model, eps=layer_norm_eps, bias=bias, device=device, dtype=dtype))

        self.encoder = stack(TransformerEncoder, TransformerEncoderLayer, num_encoder_layers) \
            if custom_encoder is None else custom_encoder
        self.decoder = stack(TransformerDecoder, TransformerDecoderLayer, num_decoder_layers) \
            if custom_decoder is None else custom_decoder
        self._reset_parameters()
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first

    def forward(self, src: Tensor, tgt: Tensor, src_mask: Tensor | None = None, tgt_mask: Tensor | None = None,
                memory_mask: Tensor | None = None, src_key_padding_mask: Tensor | None = None,
                tgt_key_padding_mask: Tensor | None = None, memory_key_padding_mask: Tensor | None = None,
                src_is_causal: bool | None = None, tgt_is_causal: bool | None = None, memory_is_causal: bool = False) -> Tensor:
        batched = src.dim() == 3
        side = 0 if self.batch_first else 1
        if src.size(side) != tgt.size(side) and batched:
            raise RuntimeError('the batch number of src and tgt must be equal')
        if src.size(-1) != self.d_model or tgt.size(-1) != self.d_model:
            raise RuntimeError('the feature number of src and tgt must be equal to d_model')
        memory = self.encoder(src, mask=src_mask, src_key_padding_mask=src_key_padding_mask, is_causal=src_is_causal)
        return self.decoder(tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask, tgt_key_padding_mask=tgt_key_padding_mask,
                            memory_key_padding_mask=memory_key_padding_mask, tgt_is_causal=tgt_is_causal,
                            memory_is_causal=memory_is_causal)

    @staticmethod
    def generate_square_subsequent_mask(sz, device=None, dtype=None):
        return _generate_square_subsequent_mask(sz, device, dtype)

    def _reset_parameters(self):
        for param in self.parameters():
            if param.dim() > 1:
                xavier_uniform_(param)


def _why_not_nested(layer):
    # Why batches of unequal lengths cannot be run without their padding; empty where they can.
    name = 'encoder_layer'
    if not isinstance(layer, TransformerEncoderLayer):
        return f'{name} was not TransformerEncoderLayer'
    attention = layer.self_attn
    reasons = [(layer.norm_first, '.norm_first was True'),
               (not attention.batch_first, '.self_attn.batch_first was not True(use batch_first for better inference '
                                           'performance)'),
               (not attention._qkv_same_embed_dim, '.self_attn._qkv_same_embed_dim was not True'),
               (attention.in_proj_bias is None, '.self_attn was passed bias=False'),
               (not layer.activation_relu_or_gelu, '.activation_relu_or_gelu was not True'),
               (layer.norm1.eps != layer.norm2.eps, f'.norm1.eps was not equal to {name}.norm2.eps'),
               (attention.num_heads % 2 == 1, '.self_attn.num_heads is odd')]
    for holds, words in reasons:
        if holds:
            return name + words
    return ''


class TransformerEncoder(Module):
    __constants__ = ['norm']

    def __init__(self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True):
        super().__init__()
        self.layers = _get_clones(encoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm
        self.enable_nested_tensor = enable_nested_tensor
        self.use_nested_tensor = enable_nested_tensor
        self.mask_check = mask_check
        why_not = _why_not_nested(encoder_layer)
        if enable_nested_tensor and why_not:
            warnings.warn(f'enable_nested_tensor is True, but self.use_nested_tensor is False because {why_not}', stacklevel=2)
            self.use_nested_tensor = False

    def _drops_padding(self, src, mask, padding):
        first = self.layers[0]
        if not self.use_nested_tensor or first.training or src.dim() != 3 or padding is None:
            return False
        if self.mask_check and not torch._nested_tensor_from_mask_left_aligned(src, padding.logical_not()):
            return False
        return not src.is_nested and mask is None and not _some_grad(src, *first._fast_tensors())

    def forward(self, src: Tensor, mask: Tensor | None = None, src_key_padding_mask: Tensor | None = None,
                is_causal: bool | None = None) -> Tensor:
        mask, padding = _masks(mask, 'mask', src_key_padding_mask, 'src_key_padding_mask', src.dtype)
        nested = self._drops_padding(src, mask, padding)
        output = src
        if nested:
            output = torch._nested_tensor_from_mask(src, padding.logical_not(), mask_check=False)
            padding = None
        is_causal = _detect_is_causal_mask(mask, is_causal, _get_seq_len(src, self.layers[0].self_attn.batch_first))
        for layer in self.layers:
            output = layer(output, src_mask=mask, is_causal=is_causal, src_key_padding_mask=padding)
        if nested:
            output = output.to_padded_tensor(0.0, src.size())
        return output if self.norm is None else self.norm(output)


class TransformerDecoder(Module):
    __constants__ = ['norm']

    def __init__(self, decoder_layer, num_layers, norm=None):
        super().__init__()
        self.layers = _get_clones(decoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    def forward(self, tgt: Tensor, memory: Tensor, tgt_mask: Tensor | None = None, memory_mask: Tensor | None = None,
                tgt_key_padding_mask: Tensor | None = None, memory_key_padding_mask: Tensor | None = None,
                tgt_is_causal: bool | None = None, memory_is_causal: bool = False) -> Tensor:
        output = tgt
        length = _get_seq_len(tgt, self.layers[0].self_attn.batch_first)
        tgt_is_causal = _detect_is_causal_mask(tgt_mask, tgt_is_causal, length)
        for layer in self.layers:
            output = layer(output, memory, tgt_mask=tgt_mask, memory_mask=memory_mask, tgt_key_padding_mask=tgt_key_padding_mask,
                           memory_key_padding_mask=memory_key_padding_mask, tgt_is_causal=tgt_is_causal,
                           memory_is_causal=memory_is_causal)
        return output if self.norm is None else self.norm(output)


class TransformerEncoderLayer(Module):
    __constants__ = ['norm_first']

    def __init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=F.relu, layer_norm_eps=1e-5,
                 batch_first=False, norm_first=False, bias=True, device=None, dtype=None):
        super().__init__()
        made = {'bias': bias, 'device': device, 'dtype': dtype}
        self.self_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, **made)
        self.linear1 = Linear(d_model, dim_feedforward, **made)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, **made)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, **made)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, **made)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        if isinstance(activation, str):
            activation = _get_activation_fn(activation)
        self.activation_relu_or_gelu = 0
        for number, function, module in ((1, F.relu, ReLU), (2, F.gelu, GELU)):
            if activation is function or isinstance(activation, module):
                self.activation_relu_or_gelu = number
        self.activation = activation

    def __setstate__(self, state):
        super().__setstate__(state)
        if not hasattr(self, 'activation'):
            self.activation = F.relu

    def _fast_tensors(self):
        found = [self.self_attn.in_proj_weight, self.self_attn.in_proj_bias]
        for layer in (self.self_attn.out_proj, self.norm1, self.norm2, self.linear1, self.linear2):
            found += [layer.weight, layer.bias]
        return found

    def _goes_fast(self, src, mask, padding):
        if src.dim() != 3 or self.training:
            return False
        attention = self.self_attn
        if not attention.batch_first or attention.in_proj_bias is None or not attention._qkv_same_embed_dim:
            return False
        if not self.activation_relu_or_gelu or self.norm1.eps != self.norm2.eps or attention.num_heads % 2 == 1:
            return False
        if src.is_nested and not (padding is None and mask is None):
            return False
        if any(module._forward_hooks or module._forward_pre_hooks for module in self.modules()):
            return False
        return not _some_grad(src, *self._fast_tensors())

    def forward(self, src: Tensor, src_mask: Tensor | None = None, src_key_padding_mask: Tensor | None = None,
                is_causal: bool = False) -> Tensor:
        mask, padding = _masks(src_mask, 'src_mask', src_key_padding_mask, 'src_key_padding_mask', src.dtype)
        if self._goes_fast(src, mask, padding):
            attention = self.self_attn
            merged, kind = attention.merge_masks(mask, padding, src)
            in_weight, in_bias, out_weight, out_bias, *others = self._fast_tensors()
            return torch._transformer_encoder_layer_fwd(
                src, attention.embed_dim, attention.num_heads, in_weight, in_bias, out_weight, out_bias,
                self.activation_relu_or_gelu == 2, self.norm_first, self.norm1.eps, *others, merged, kind)
        x = src
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), mask, padding, is_causal=is_causal)
            return x + self._ff_block(self.norm2(x))
        x = self.norm1(x + self._sa_block(x, mask, padding, is_causal=is_causal))
        return self.norm2(x + self._ff_block(x))

    def _sa_block(self, x, attn_mask, key_padding_mask, is_causal=False):
        seen = self.self_attn(x, x, x, attn_mask=attn_mask, key_padding_mask=key_padding_mask, need_weights=False,
                              is_causal=is_causal)
        return self.dropout1(seen[0])

    def _ff_block(self, x):
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))


class TransformerDecoderLayer(Module):
    __constants__ = ['norm_first']

    def __init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=F.relu, layer_norm_eps=1e-5,
                 batch_first=False, norm_first=False, bias=True, device=None, dtype=None):
        super().__init__()
        made = {'bias': bias, 'device': device, 'dtype': dtype}
        self.self_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, **made)
        self.multihead_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, **made)
        self.linear1 = Linear(d_model, dim_feedforward, **made)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, **made)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, **made)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, **made)
        self.norm3 = LayerNorm(d_model, eps=layer_norm_eps, **made)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.dropout3 = Dropout(dropout)
        self.activation = _get_activation_fn(activation) if isinstance(activation, str) else activation

    def __setstate__(self, state):
        state.setdefault('activation', F.relu)
        super().__setstate__(state)

    def forward(self, tgt: Tensor, memory: Tensor, tgt_mask: Tensor | None = None, memory_mask: Tensor | None = None,
                tgt_key_padding_mask: Tensor | None = None, memory_key_padding_mask: Tensor | None = None,
                tgt_is_causal: bool = False, memory_is_causal: bool = False) -> Tensor:
        own = (tgt_mask, tgt_key_padding_mask, tgt_is_causal)
        other = (memory, memory_mask, memory_key_padding_mask, memory_is_causal)
        x = tgt
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), *own)
            x = x + self._mha_block(self.norm2(x), *other)
            return x + self._ff_block(self.norm3(x))
        x = self.norm1(x + self._sa_block(x, *own))
        x = self.norm2(x + self._mha_block(x, *other))
        return self.norm3(x + self._ff_block(x))

    def _sa_block(self, x, attn_mask, key_padding_mask, is_causal=False):
        seen = self.self_attn(x, x, x, attn_mask=attn_mask, key_padding_mask=key_padding_mask, is_causal=is_causal,
                              need_weights=False)
        return self.dropout1(seen[0])

    def _mha_block(self, x, mem, attn_mask, key_padding_mask, is_causal=False):
        seen = self.multihead_attn(x, mem, mem, attn_mask=attn_mask, key_padding_mask=key_padding_mask, is_causal=is_causal,
                                   need_weights=False)
        return self.dropout2(seen[0])

    def _ff_block(self, x):
        return self.dropout3(self.linear2(self.dropout(self.activation(self.linear1(x)))))
