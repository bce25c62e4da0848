# SPDX-License-Identifier: GPL-3.0-or-later
# torch.nested: tensors of different sizes in one, in the strided layout of LibTorch and in the jagged one.
import torch

from ._jagged import NestedTensor, of_parts


def _is_jagged(layout):
    if layout is not None and layout is not torch.strided and layout is not torch.jagged:
        raise RuntimeError(f'Specified layout is unsupported for nested tensors: {layout}')
    return layout is torch.jagged


def nested_tensor(tensor_list, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    is_jagged = _is_jagged(layout)
    if not isinstance(tensor_list, (list, tuple)):
        raise TypeError('Only lists (List[Tensor] and List[List...[Scalar]]) are accepted in nested_tensor')
    parts = [part.detach().clone() if isinstance(part, torch.Tensor) else torch.tensor(part) for part in tensor_list]
    if parts and dtype is None:
        dtype = parts[0].dtype
    parts = [part.to(dtype=dtype, device=device) for part in parts]
    if is_jagged:
        out = of_parts(parts)
        out.values().requires_grad_(requires_grad)
        return out
    out = torch._nested_tensor_from_tensor_list(parts)
    return out.requires_grad_(requires_grad)


def as_nested_tensor(ts, dtype=None, device=None, layout=None):
    is_jagged = _is_jagged(layout)
    if isinstance(ts, NestedTensor):
        return ts.to(device=device, dtype=dtype)
    if not isinstance(ts, (torch.Tensor, list, tuple)) or not all(isinstance(t, torch.Tensor) for t in ts):
        raise TypeError('as_nested_tensor(): Expected first argument to be a tensor or a list / tuple of tensors ')
    if isinstance(ts, torch.Tensor):
        if ts.is_nested:
            return ts.to(device=device, dtype=dtype)
        if ts.dim() < 2:
            raise RuntimeError('as_nested_tensor(): Expected tensor argument to have dim() > 1')
        ts = ts.unbind()
    if is_jagged:
        return of_parts([part.to(dtype=dtype, device=device) for part in ts])
    return torch._nested_tensor_from_tensor_list(list(ts), dtype, None, device, None)


def to_padded_tensor(input, padding, output_size=None, out=None):
    if out is not None:
        raise RuntimeError('to_padded_tensor() has no out= here')
    return input.to_padded_tensor(padding, output_size)


def nested_tensor_from_jagged(values, offsets=None, lengths=None, jagged_dim=None, min_seqlen=None, max_seqlen=None):
    from torch.fx._symbolic_trace import is_fx_tracing
    if is_fx_tracing():
        raise RuntimeError('torch.nested.nested_tensor_from_jagged does not support tracing with fx.symbolic_trace. Use fx.wrap to wrap the '
                           'function that calls nested_tensor_from_jagged.')
    if offsets is None:
        if lengths is None:
            raise RuntimeError('nested_tensor_from_jagged(): At least one of offsets or lengths is required.')
        offsets, lengths = torch.nn.functional.pad(lengths.cumsum(0), (1, 0)), None
    if jagged_dim is not None and jagged_dim < 1:
        raise ValueError(f'Expected jagged_dim >=1, but got {jagged_dim}.')
    if jagged_dim not in (None, 1):
        raise NotImplementedError(f'not supported: torch.nested.nested_tensor_from_jagged with jagged_dim={jagged_dim}')
    return NestedTensor(values, offsets, lengths, max_seqlen)


def masked_select(tensor, mask):
    counts = mask.expand(tensor.shape).sum(dim=tensor.ndim - 1).view(-1)
    return NestedTensor(tensor.masked_select(mask), torch.nn.functional.pad(counts.cumsum(dim=0), (1, 0)))


def narrow(tensor, dim, start, length, layout=torch.strided):
    if _is_jagged(layout):
        raise NotImplementedError('not supported: torch.nested.narrow with layout=torch.jagged')
    if not isinstance(start, int) or not isinstance(length, int):
        raise RuntimeError('start and length must be integers for the strided layout NT impl')
    return as_nested_tensor(torch.unbind(torch.narrow(tensor, dim, start, length)), layout=torch.strided)
