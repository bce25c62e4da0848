# SPDX-License-Identifier: GPL-3.0-or-later
# The methods of torch.Tensor that are Python: each function is the method of its name, with the tensor in front.
import warnings

import torch
from torch import _VF
from ._removed import eig, lstsq, refused_gradient, solve, storage, symeig


def split(self, split_size, dim=0):
    if isinstance(split_size, torch.Tensor) and split_size.numel() == 1:
        split_size = int(split_size)
    if isinstance(split_size, (int, torch.SymInt)):
        return _VF.split(self, split_size, dim)
    return _VF.split_with_sizes(self, split_size, dim)


def norm(self, p='fro', dim=None, keepdim=False, dtype=None):
    return torch.norm(self, p, dim, keepdim, dtype=dtype)


def unique(self, sorted=True, return_inverse=False, return_counts=False, dim=None):
    return torch.unique(self, sorted=sorted, return_inverse=return_inverse, return_counts=return_counts, dim=dim)


def unique_consecutive(self, return_inverse=False, return_counts=False, dim=None):
    return torch.unique_consecutive(self, return_inverse=return_inverse, return_counts=return_counts, dim=dim)


def stft(self, n_fft, hop_length=None, win_length=None, window=None, center=True, pad_mode='reflect',
         normalized=False, onesided=None, return_complex=None, align_to_window=None):
    return torch.stft(self, n_fft, hop_length, win_length, window, center, pad_mode, normalized, onesided,
                      return_complex=return_complex, align_to_window=align_to_window)


def istft(self, n_fft, hop_length=None, win_length=None, window=None, center=True, normalized=False, onesided=None,
          length=None, return_complex=False):
    return torch.istft(self, n_fft, hop_length, win_length, window, center, normalized, onesided, length,
                       return_complex=return_complex)


def lu(self, pivot=True, get_infos=False):
    results = torch._lu_with_info(self, pivot=pivot, check_errors=not get_infos)
    return results if get_infos else (results[0], results[1])


def unflatten(self, dim, sizes):
    if not sizes:
        raise RuntimeError('unflatten: sizes must be non-empty')
    return torch.unflatten(self, dim, sizes)


def resize(self, *sizes):
    warnings.warn('resize without an underscore is deprecated')
    sizes = sizes[0] if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)) else sizes
    return self.contiguous().view(sizes)


def resize_as(self, tensor):
    return resize(self, tensor.size())


def to_sparse_coo(self):
    return self.to_sparse()


def is_shared(self):
    return False


def share_memory_(self):
    # No other process reads it.
    return self


def dim_order(self, *, ambiguity_check=False):
    strides = self.stride()
    if ambiguity_check is True and (1 in self.shape or any(one == next for one, next in zip(strides, strides[1:]))):
        raise RuntimeError('The tensor does not have unique dim order, or cannot map to exact one of the given memory '
                           'formats.')
    return tuple(sorted(range(self.dim()), key=lambda dim: -strides[dim]))


def register_hook(self, hook):
    if not self.requires_grad:
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    from torch.nn.modules._hooks import RemovableHandle
    hooks = getattr(self, '_hooks_of_gradient', None)
    if hooks is None:
        hooks = self._hooks_of_gradient = {}
        _attach_hook(self, lambda gradient: _through(hooks, gradient))
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    return handle


def _through(hooks, gradient):
    for hook in list(hooks.values()):
        changed = hook(gradient)
        if changed is not None:
            if not isinstance(changed, torch.Tensor):
                raise TypeError(f"expected Variable, but hook returned '{type(changed).__name__}'")
            gradient = changed
    return gradient


def register_post_accumulate_grad_hook(self, hook):
    if not self.requires_grad:
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    if self.grad_fn is not None:
        raise RuntimeError('post accumulate grad hooks cannot be registered on non-leaf tensors')
    refused_gradient('register_post_accumulate_grad_hook')()


def backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
    torch.autograd.backward(self, gradient, retain_graph, create_graph, inputs=inputs)


reinforce = refused_gradient('reinforce')


_typed_storage = storage_type = storage


def module_load(self, other, assign=False):
    return other.detach() if assign else self.copy_(other).detach()


def __format__(self, format_spec):
    if self.dim() == 0 and not self.is_meta:
        return self.item().__format__(format_spec)
    return object.__format__(self, format_spec)


def __repr__(self, *, tensor_contents=None):
    return repr(self)


def __hash__(self):
    return id(self)


def __pow__(self, exponent):
    return torch.pow(self, exponent)


def __ipow__(self, exponent):
    return self.pow_(exponent)


def __deepcopy__(self, memo):
    if not self.is_leaf:
        raise RuntimeError('Only tensors that the user made, the leaves of the graph of gradients, can be deep-copied')
    if id(self) not in memo:
        memo[id(self)] = self.detach().clone().requires_grad_(self.requires_grad)
    return memo[id(self)]


def __len__(self):
    if self.dim() == 0:
        raise TypeError('len() of a 0-d tensor')
    return self.shape[0]


def __iter__(self):
    if self.dim() == 0:
        raise TypeError('iteration over a 0-d tensor')
    return iter(self.unbind(0))


def __contains__(self, element, /):
    if isinstance(element, (torch.Tensor, int, float, complex, bool)):
        return bool((element == self).any().item())
    raise RuntimeError('Tensor.__contains__ only supports Tensor or scalar, but you passed in a '
                       f'{type(element)}.')


def __reversed__(self):
    return self if self.dim() == 0 else self.flip(0)


def __rsub__(self, other):
    return torch.rsub(self, other)


def __rdiv__(self, other):
    return self.reciprocal() * other


__rtruediv__ = __rdiv__


def __rmod__(self, other):
    return torch.remainder(other, self)


def __rpow__(self, other):
    return torch.pow(other, self)


def __floordiv__(self, other):
    return torch.floor_divide(self, other)


def __rfloordiv__(self, other):
    return torch.floor_divide(other, self)


def __rlshift__(self, other):
    return torch.bitwise_left_shift(other, self)


def __rrshift__(self, other):
    return torch.bitwise_right_shift(other, self)


def __rmatmul__(self, other):
    return torch.matmul(other, self)


def _converted(result, cls):
    if isinstance(result, torch.Tensor) and not isinstance(result, cls):
        return _as_subclass(result, cls)
    if isinstance(result, (tuple, list)):
        return type(result)(_converted(item, cls) for item in result)
    return result


def __torch_function__(cls, func, types, args=(), kwargs=None):
    if not all(issubclass(cls, other) for other in types):
        return NotImplemented
    from .overrides import DisableTorchFunctionSubclass

    with DisableTorchFunctionSubclass():
        result = func(*args, **({} if kwargs is None else kwargs))
    # Methods whose results are no tensors of the class's own (get_default_nowrap_functions of torch/overrides.py).
    if cls is torch.Tensor or getattr(func, '__name__', None) in ('_base', 'grad', '_grad'):
        return result
    return _converted(result, cls)
