# SPDX-License-Identifier: GPL-3.0-or-later
# Activations, softmax, PReLU and multi-head attention.
import warnings
import torch
from torch import Tensor
from torch.nn import functional as F, init as initial
from torch.nn.parameter import Parameter
from .linear import NonDynamicallyQuantizableLinear
from .module import Module
from .utils import _fields

__all__ = ['Threshold', 'ReLU', 'RReLU', 'Hardtanh', 'ReLU6', 'Sigmoid', 'Hardsigmoid', 'Tanh', 'SiLU', 'Mish', 'Hardswish',
           'ELU', 'CELU', 'SELU', 'GLU', 'GELU', 'Hardshrink', 'LeakyReLU', 'LogSigmoid', 'Softplus', 'Softshrink',
           'MultiheadAttention', 'PReLU', 'Softsign', 'Tanhshrink', 'Softmin', 'Softmax', 'Softmax2d', 'LogSoftmax']


class _Activation(Module):
    # Prints the fields named in _shown, and inplace where it is set.
    _shown = ()
    _inplace_shown = False

    def extra_repr(self):
        parts = [_fields(self, *self._shown)] if self._shown else []
        if self._inplace_shown and self.inplace:
            parts.append('inplace=True')
        return ', '.join(parts)


class Threshold(_Activation):
    __constants__ = ['threshold', 'value', 'inplace']
    _shown = ('threshold', 'value')
    _inplace_shown = True

    def __init__(self, threshold, value, inplace=False):
        super().__init__()
        self.threshold = threshold
        self.value = value
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.threshold(input, self.threshold, self.value, self.inplace)


class ReLU(_Activation):
    __constants__ = ['inplace']
    _inplace_shown = True

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.relu(input, inplace=self.inplace)


class RReLU(_Activation):
    __constants__ = ['lower', 'upper', 'inplace']
    _shown = ('lower', 'upper')
    _inplace_shown = True

    def __init__(self, lower=1.0 / 8, upper=1.0 / 3, inplace=False):
        super().__init__()
        self.lower = lower
        self.upper = upper
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)


class Hardtanh(_Activation):
    __constants__ = ['min_val', 'max_val', 'inplace']
    _shown = ('min_val', 'max_val')
    _inplace_shown = True

    def __init__(self, min_val=-1.0, max_val=1.0, inplace=False, min_value=None, max_value=None):
        super().__init__()
        self.min_val = self._renamed('min', min_val, min_value)
        self.max_val = self._renamed('max', max_val, max_value)
        self.inplace = inplace
        if self.max_val <= self.min_val:
            raise AssertionError(f'max_val ({self.max_val}) must be greater than min_val ({self.min_val})')

    def _renamed(self, end, value, old):
        if old is None:
            return value
        warnings.warn(f'keyword argument `{end}_value` is deprecated and renamed to `{end}_val`', FutureWarning, stacklevel=3)
        return old

    def forward(self, input: Tensor) -> Tensor:
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)


class ReLU6(Hardtanh):
    _shown = ()

    def __init__(self, inplace=False):
        super().__init__(0.0, 6.0, inplace)


class Sigmoid(_Activation):
    def forward(self, input: Tensor) -> Tensor:
        return torch.sigmoid(input)


class Hardsigmoid(_Activation):
    __constants__ = ['inplace']

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.hardsigmoid(input, self.inplace)


class Tanh(_Activation):
    def forward(self, input: Tensor) -> Tensor:
        return torch.tanh(input)


class SiLU(_Activation):
    __constants__ = ['inplace']
    _inplace_shown = True

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.silu(input, inplace=self.inplace)


class Mish(_Activation):
    __constants__ = ['inplace']
    _inplace_shown = True

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.mish(input, inplace=self.inplace)


class Hardswish(_Activation):
    __constants__ = ['inplace']

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.hardswish(input, self.inplace)


class ELU(_Activation):
    __constants__ = ['alpha', 'inplace']
    _shown = ('alpha',)
    _inplace_shown = True

    def __init__(self, alpha=1.0, inplace=False):
        super().__init__()
        self.alpha = alpha
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.elu(input, self.alpha, self.inplace)


class CELU(_Activation):
    __constants__ = ['alpha', 'inplace']
    _shown = ('alpha',)
    _inplace_shown = True

    def __init__(self, alpha=1.0, inplace=False):
        super().__init__()
        self.alpha = alpha
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.celu(input, self.alpha, self.inplace)


class SELU(_Activation):
    __constants__ = ['inplace']
    _inplace_shown = True

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.selu(input, self.inplace)


class GLU(_Activation):
    __constants__ = ['dim']
    _shown = ('dim',)

    def __init__(self, dim=-1):
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        return F.glu(input, self.dim)


class GELU(_Activation):
    __constants__ = ['approximate']

    def __init__(self, approximate='none'):
        super().__init__()
        self.approximate = approximate

    def forward(self, input: Tensor) -> Tensor:
        return F.gelu(input, approximate=self.approximate)

    def extra_repr(self):
        return f'approximate={self.approximate!r}'


class Hardshrink(_Activation):
    __constants__ = ['lambd']

    def __init__(self, lambd=0.5):
        super().__init__()
        self.lambd = lambd

    def forward(self, input: Tensor) -> Tensor:
        return F.hardshrink(input, self.lambd)

    def extra_repr(self):
        return str(self.lambd)


class LeakyReLU(_Activation):
    __constants__ = ['inplace', 'negative_slope']
    _shown = ('negative_slope',)
    _inplace_shown = True

    def __init__(self, negative_slope=0.01, inplace=False):
        super().__init__()
        self.negative_slope = negative_slope
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.leaky_relu(input, self.negative_slope, self.inplace)


class LogSigmoid(_Activation):
    def forward(self, input: Tensor) -> Tensor:
        return F.logsigmoid(input)


class Softplus(_Activation):
    __constants__ = ['beta', 'threshold']
    _shown = ('beta', 'threshold')

    def __init__(self, beta=1.0, threshold=20.0):
        super().__init__()
        self.beta = beta
        self.threshold = threshold

    def forward(self, input: Tensor) -> Tensor:
        return F.softplus(input, self.beta, self.threshold)


class Softshrink(_Activation):
    __constants__ = ['lambd']

    def __init__(self, lambd=0.5):
        super().__init__()
        self.lambd = lambd

    def forward(self, input: Tensor) -> Tensor:
        return F.softshrink(input, self.lambd)

    def extra_repr(self):
        return str(self.lambd)


class PReLU(_Activation):
    __constants__ = ['num_parameters']
    _shown = ('num_parameters',)

    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        super().__init__()
        self.num_parameters = num_parameters
        self.init = init
        self.weight = Parameter(torch.empty(num_parameters, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self):
        initial.constant_(self.weight, self.init)

    def forward(self, input: Tensor) -> Tensor:
        return F.prelu(input, self.weight)


class Softsign(_Activation):
    def forward(self, input: Tensor) -> Tensor:
        return F.softsign(input)


class Tanhshrink(_Activation):
    def forward(self, input: Tensor) -> Tensor:
        return F.tanhshrink(input)


class Softmin(_Activation):
    __constants__ = ['dim']
    _shown = ('dim',)

    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        return F.softmin(input, self.dim, _stacklevel=5)


class Softmax(_Activation):
    __constants__ = ['dim']
    _shown = ('dim',)

    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        return F.softmax(input, self.dim, _stacklevel=5)


class Softmax2d(_Activation):
    def forward(self, input: Tensor) -> Tensor:
        if input.dim() not in (3, 4):
            raise ValueError(f'Softmax2d: expected input to be 3D or 4D, got {input.dim()}D instead')
        return F.softmax(input, -3, _stacklevel=5)


class LogSoftmax(_Activation):
    __constants__ = ['dim']
    _shown = ('dim',)

    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        return F.log_softmax(input, self.dim, _stacklevel=5)


class MultiheadAttention(Module):
    __constants__ = ['batch_first']

    def __init__(self, embed_dim, num_heads, dropout=0.0, bias=True, add_bias_kv=False, add_zero_attn=False, kdim=None,
                 vdim=None, batch_first=False, device=None, dtype=None):
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(f'embed_dim and num_heads must be greater than 0, got embed_dim={embed_dim} and '
                             f'num_heads={num_heads} instead')
        super().__init__()
        self.embed_dim = embed_dim
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self._qkv_same_embed_dim = self.kdim == embed_dim and self.vdim == embed_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.head_dim = embed_dim // num_heads
        if self.head_dim * num_heads != embed_dim:
            raise AssertionError('embed_dim must be divisible by num_heads')

        def own(name, *shape):
            self.register_parameter(name, Parameter(torch.empty(shape, device=device, dtype=dtype)) if shape else None)

        if self._qkv_same_embed_dim:
            own('in_proj_weight', 3 * embed_dim, embed_dim)
            for name in ('q_proj_weight', 'k_proj_weight', 'v_proj_weight'):
                own(name)
        else:
            own('q_proj_weight', embed_dim, embed_dim)
            own('k_proj_weight', embed_dim, self.kdim)
            own('v_proj_weight', embed_dim, self.vdim)
            own('in_proj_weight')
        own('in_proj_bias', *([3 * embed_dim] if bias else []))
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias=bias, device=device, dtype=dtype)
        if add_bias_kv:
            own('bias_k', 1, 1, embed_dim)
            own('bias_v', 1, 1, embed_dim)
        else:
            self.bias_k = self.bias_v = None
        self.add_zero_attn = add_zero_attn
        self._reset_parameters()

    def _reset_parameters(self):
        for name in ('in_proj_weight', 'q_proj_weight', 'k_proj_weight', 'v_proj_weight'):
            if getattr(self, name) is not None:
                initial.xavier_uniform_(getattr(self, name))
        if self.in_proj_bias is not None:
            initial.constant_(self.in_proj_bias, 0.0)
            initial.constant_(self.out_proj.bias, 0.0)
        if self.bias_k is not None:
            initial.xavier_normal_(self.bias_k)
        if self.bias_v is not None:
            initial.xavier_normal_(self.bias_v)

    def __setstate__(self, state):
        state.setdefault('_qkv_same_embed_dim', True)
        super().__setstate__(state)

    def _why_not_fast(self, query, key, value, is_batched, key_padding_mask, attn_mask, floating):
        # The first reason against the fused kernel; empty where there is none.
        if not is_batched:
            return f'input not batched; expected query.dim() of 3 but got {query.dim()}'
        if query is not key or key is not value:
            return 'non-self attention was used (query, key, and value are not the same Tensor)'
        for name in ('in_proj_bias', 'in_proj_weight'):
            own = getattr(self, name)
            if own is None and name == 'in_proj_weight':
                return 'in_proj_weight was None'
            if own is not None and query.dtype != own.dtype:
                return f"dtypes of query ({query.dtype}) and self.{name} ({own.dtype}) don't match"
        if self.training:
            return 'training is enabled'
        if self.num_heads % 2 != 0:
            return 'self.num_heads is not even'
        if not self.batch_first:
            return 'batch_first was not True'
        if self.bias_k is not None:
            return 'self.bias_k was not None'
        if self.bias_v is not None:
            return 'self.bias_v was not None'
        if self.add_zero_attn:
            return 'add_zero_attn was enabled'
        if not self._qkv_same_embed_dim:
            return '_qkv_same_embed_dim was not True'
        if query.is_nested and (key_padding_mask is not None or attn_mask is not None):
            return 'supplying both src_key_padding_mask and src_mask at the same time ' + ' ' * 32 + 'is not supported with ' \
                'NestedTensor input'
        if floating:
            return 'floating-point masks are not supported for fast path.'
        if torch.is_grad_enabled() and any(tensor is not None and tensor.requires_grad for tensor in (
                query, self.in_proj_weight, self.in_proj_bias, self.out_proj.weight, self.out_proj.bias)):
            return 'grad is enabled and at least one of query or the input/output projection weights or biases requires_grad'
        return ''

    def forward(self, query: Tensor, key: Tensor, value: Tensor, key_padding_mask: Tensor | None = None,
                need_weights: bool = True, attn_mask: Tensor | None = None, average_attn_weights: bool = True,
                is_causal: bool = False) -> tuple[Tensor, Tensor | None]:
        floating = any(mask is not None and torch.is_floating_point(mask) for mask in (attn_mask, key_padding_mask))
        is_batched = query.dim() == 3
        key_padding_mask = F._canonical_mask(mask=key_padding_mask, mask_name='key_padding_mask',
                                             other_type=F._none_or_dtype(attn_mask), other_name='attn_mask',
                                             target_type=query.dtype)
        attn_mask = F._canonical_mask(mask=attn_mask, mask_name='attn_mask', other_type=None, other_name='',
                                      target_type=query.dtype, check_other=False)
        why_not = self._why_not_fast(query, key, value, is_batched, key_padding_mask, attn_mask, floating)
        if not why_not:
            mask, kind = self.merge_masks(attn_mask, key_padding_mask, query)
            if self.in_proj_bias is not None:
                return torch._native_multi_head_attention(
                    query, key, value, self.embed_dim, self.num_heads, self.in_proj_weight, self.in_proj_bias,
                    self.out_proj.weight, self.out_proj.bias, mask, need_weights, average_attn_weights, kind)
        if query.is_nested or key.is_nested or value.is_nested:
            raise AssertionError('MultiheadAttention does not support NestedTensor outside of its fast path. '
                                 f'The fast path was not hit because {why_not}')
        swapped = self.batch_first and is_batched
        if swapped:
            # One tensor in two places stays one tensor.
            same_key, same_value = query is key, key is value
            query = query.transpose(1, 0)
            key = query if same_key and same_value else key.transpose(1, 0)
            value = key if same_value else value.transpose(1, 0)
        own_weights = {}
        if not self._qkv_same_embed_dim:
            own_weights = {'use_separate_proj_weight': True, 'q_proj_weight': self.q_proj_weight,
                           'k_proj_weight': self.k_proj_weight, 'v_proj_weight': self.v_proj_weight}
        output, weights = F.multi_head_attention_forward(
            query, key, value, self.embed_dim, self.num_heads, self.in_proj_weight, self.in_proj_bias, self.bias_k, self.bias_v,
            self.add_zero_attn, self.dropout, self.out_proj.weight, self.out_proj.bias, training=self.training,
            key_padding_mask=key_padding_mask, need_weights=need_weights, attn_mask=attn_mask, **own_weights,
            average_attn_weights=average_attn_weights, is_causal=is_causal)
        return output.transpose(1, 0) if swapped else output, weights

    def merge_masks(self, attn_mask, key_padding_mask, query):
        # One mask and its kind: 1 padding of the keys, 2 also of the attention.
        if attn_mask is None:
            return key_padding_mask, None if key_padding_mask is None else 1
        batch, length, _ = query.shape
        if attn_mask.dim() == 3:
            merged = attn_mask.view(batch, -1, length, length)
        else:
            merged = attn_mask.view(1, 1, length, length).expand(batch, self.num_heads, -1, -1)
        if key_padding_mask is not None:
            merged = merged + key_padding_mask.view(batch, 1, 1, length).expand(-1, self.num_heads, -1, -1)
        return merged, 2
