# SPDX-License-Identifier: GPL-3.0-or-later
# Moving a module's tensors to another device or dtype, in place where their storage allows it.
import torch
from torch.nn.parameter import Parameter, is_lazy


def parse_to(values, named):
    # The forms of .to(): (tensor), (dtype, non_blocking), (device, dtype, non_blocking), each by name too.
    device, dtype, layout = named.get('device'), named.get('dtype'), named.get('memory_format')
    non_blocking = named.get('non_blocking', False)
    like = named.get('tensor')
    rest = list(values)
    if rest and isinstance(rest[0], torch.Tensor):
        like = rest.pop(0)
    if like is not None:
        device, dtype = like.device, like.dtype
    elif rest:
        if not isinstance(rest[0], torch.dtype):
            device = rest.pop(0)
        if rest and (rest[0] is None or isinstance(rest[0], torch.dtype)):
            dtype = rest.pop(0)
    if rest:
        non_blocking = rest[0]
    return None if device is None else torch.device(device), dtype, non_blocking, layout


def moved(value, device, dtype, non_blocking, layout):
    options = {'non_blocking': non_blocking}
    if device is not None:
        options['device'] = device
    if dtype is not None and (value.is_floating_point() or value.is_complex()):
        options['dtype'] = dtype
    if layout is not None and value.dim() in (4, 5):
        options['memory_format'] = layout
    try:
        return value.to(**options)
    except NotImplementedError as problem:
        if str(problem) != 'Cannot copy out of meta tensor; no data!':
            raise
        raise NotImplementedError(f'{problem} Please use torch.nn.Module.to_empty() instead of torch.nn.Module.to() when moving '
                                  'module from meta to a different device.') from None


def apply_to_own(module, fn):
    for name, param in module._parameters.items():
        if is_lazy(param):
            param._moved(fn)
        elif param is not None:
            with torch.no_grad():
                value = fn(param)
                grad = None if param.grad is None else fn(param.grad)
            if torch._has_compatible_shallow_copy_type(param, value):
                param.data = value
            else:
                param = Parameter(value, param.requires_grad)
                module._parameters[name] = param
            if grad is not None:
                param.grad = grad
    for name, value in module._buffers.items():
        if is_lazy(value):
            value._moved(fn)
        elif value is not None:
            module._buffers[name] = fn(value)
