# SPDX-License-Identifier: GPL-3.0-or-later
# Parameters and buffers: tensors with a marker that the evaluator keeps (_make_parameter, _is_parameter), and their shapeless kin.
import torch


class _ParameterMeta(type):
    def __instancecheck__(cls, value):
        return _is_parameter(value) or isinstance(value, UninitializedParameter)


class Parameter(metaclass=_ParameterMeta):
    def __new__(cls, data=None, requires_grad=True):
        return _make_parameter(torch.empty(0) if data is None else data, requires_grad)


class _BufferMeta(type):
    def __instancecheck__(cls, value):
        return getattr(value, '_is_buffer', False) is True


class Buffer(metaclass=_BufferMeta):
    def __new__(cls, data=None, *, persistent=True):
        data = torch.empty(0) if data is None else data
        made = data.detach().requires_grad_(data.requires_grad)
        made._is_buffer = True
        made.persistent = persistent
        return made


class UninitializedTensorMixin:
    # Not a tensor: it knows only what the tensor will be made of. materialize() gives that tensor to whoever holds this.
    def __init__(self, requires_grad, device, dtype):
        probe = torch.empty(0, device=device, dtype=dtype)
        self.requires_grad = requires_grad
        self.device = probe.device
        self.dtype = probe.dtype
        self.grad = None
        self.is_meta = probe.is_meta

    def _moved(self, fn):
        probe = fn(torch.empty(0, device=self.device, dtype=self.dtype))
        self.device = probe.device
        self.dtype = probe.dtype

    def is_floating_point(self):
        return self.dtype.is_floating_point

    @property
    def shape(self):
        raise RuntimeError("Can't access the shape of an uninitialized parameter or buffer. This error usually happens in "
                           "`load_state_dict` when trying to load an uninitialized parameter into an initialized one. Call "
                           "`forward` to initialize the parameters before accessing their attributes.")

    def requires_grad_(self, requires_grad=True):
        self.requires_grad = requires_grad
        return self

    def share_memory_(self):
        raise RuntimeError("Can't share memory on an uninitialized parameter or buffer. Call `forward` to initialize the "
                           "parameters before calling `module.share_memory()`.")

    def __repr__(self):
        return f'<{type(self).__name__}>'


class UninitializedParameter(UninitializedTensorMixin):
    def __init__(self, requires_grad=True, device=None, dtype=None):
        super().__init__(requires_grad, device, dtype)

    def materialize(self, shape, device=None, dtype=None):
        data = torch.empty(shape, device=device or self.device, dtype=dtype or self.dtype)
        return Parameter(data, self.requires_grad)


class UninitializedBuffer(UninitializedTensorMixin):
    def __init__(self, requires_grad=False, device=None, dtype=None, persistent=True):
        super().__init__(requires_grad, device, dtype)
        self.persistent = persistent
        self._is_buffer = True

    def materialize(self, shape, device=None, dtype=None):
        return torch.empty(shape, device=device or self.device, dtype=dtype or self.dtype)


def is_lazy(param):
    return isinstance(param, UninitializedTensorMixin)
