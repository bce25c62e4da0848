# SPDX-License-Identifier: GPL-3.0-or-later
# torch.nested: tensors of several sizes in one, in the layout that the engine has. The jagged one is a class of Python.
import torch


def _refuse_jagged(layout):
    if layout is torch.jagged:
        raise RuntimeError('nested tensors of layout torch.jagged are not supported: they are a class of Python. Leave the '
                           'layout out, or run this in Python')
    if layout is not None and layout is not torch.strided:
        raise RuntimeError(f'Specified layout is unsupported for nested tensors: {layout}')


def nested_tensor(tensor_list, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    _refuse_jagged(layout)
    if not isinstance(tensor_list, (list, tuple)):
        raise TypeError('Only lists (List[Tensor] and List[List...[Scalar]]) are accepted in nested_tensor')
    parts = [part.detach().clone() if isinstance(part, torch.Tensor) else torch.tensor(part) for part in tensor_list]
    if parts and dtype is None:
        dtype = parts[0].dtype
    out = torch._nested_tensor_from_tensor_list([part.to(dtype=dtype, device=device) for part in parts])
    return out.requires_grad_(requires_grad)


def as_nested_tensor(ts, dtype=None, device=None, layout=None):
    _refuse_jagged(layout)
    if not isinstance(ts, (torch.Tensor, list, tuple)) or not all(isinstance(t, torch.Tensor) for t in ts):
        raise TypeError('as_nested_tensor(): Expected first argument to be a tensor or a list / tuple of tensors ')
    if isinstance(ts, torch.Tensor):
        if ts.is_nested:
            return ts.to(device=device, dtype=dtype)
        if ts.dim() < 2:
            raise RuntimeError('as_nested_tensor(): Expected tensor argument to have dim() > 1')
        ts = ts.unbind()
    return torch._nested_tensor_from_tensor_list(list(ts), dtype, None, device, None)


def to_padded_tensor(input, padding, output_size=None, out=None):
    if out is not None:
        raise RuntimeError('to_padded_tensor() has no out= here')
    return input.to_padded_tensor(padding, output_size)


def nested_tensor_from_jagged(values, offsets=None, lengths=None, jagged_dim=None, min_seqlen=None, max_seqlen=None):
    _refuse_jagged(torch.jagged)


def masked_select(tensor, mask):
    _refuse_jagged(torch.jagged)


def narrow(tensor, dim, start, length, layout=torch.strided):
    _refuse_jagged(layout)
    if not isinstance(start, int) or not isinstance(length, int):
        raise RuntimeError('start and length must be integers for the strided layout NT impl')
    return as_nested_tensor(torch.unbind(torch.narrow(tensor, dim, start, length)), layout=torch.strided)
