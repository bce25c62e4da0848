# SPDX-License-Identifier: GPL-3.0-or-later
# FakeTensor: a tensor on the meta device that says which device it stands for, as FakeTensorProp notes it and a mode's
# from_tensor() gives it. What is computed with one outside of FakeTensorProp and ShapeProp is a tensor on meta like others, and
# what is made while a mode is entered has its data.
import torch

__all__ = ['FakeTensor', 'FakeTensorMode', 'UnsupportedFakeTensorException', 'DynamicOutputShapeException',
           'DataDependentOutputException', 'is_fake', 'maybe_get_fake_mode', 'unset_fake_temporarily']

_META = torch.device('meta')


class UnsupportedFakeTensorException(RuntimeError):
    pass


class DynamicOutputShapeException(RuntimeError):
    def __init__(self, func):
        super().__init__(func)
        self.func = func


class DataDependentOutputException(RuntimeError):
    def __init__(self, func):
        super().__init__(func)
        self.func = func


def is_fake(x):
    return isinstance(x, torch.Tensor) and hasattr(x, 'fake_device')


def maybe_get_fake_mode(t):
    return t.fake_mode if is_fake(t) else None


def device_of(tensor):
    return tensor.fake_device if is_fake(tensor) else tensor.device


def _text(tensor):
    device = '' if tensor.fake_device.type == 'cpu' else f"device='{tensor.fake_device}', "
    dtype = '' if tensor.dtype == torch.get_default_dtype() else f', dtype={tensor.dtype}'
    grad = ', requires_grad=True' if tensor.requires_grad else ''
    return f'FakeTensor(..., {device}size={tuple(tensor.shape)}{dtype}{grad})'


class _Fakes(type):
    def __instancecheck__(cls, instance):
        return is_fake(instance)


class FakeTensor(metaclass=_Fakes):
    def __new__(cls, fake_mode, elem, device, constant=None, real_tensor=None):
        if elem.device != _META:
            raise AssertionError(elem.device.type)
        made = elem  # it is told apart from others by what is set here
        made.device = made.fake_device = torch.device(device)
        made.is_meta, made.is_cpu, made.is_cuda = (made.fake_device.type == kind for kind in ('meta', 'cpu', 'cuda'))
        made.fake_mode, made.constant, made.real_tensor = fake_mode, constant, real_tensor
        made._fx_text = _text
        return made

    @staticmethod
    def from_tensor(t, fake_mode):
        return fake_mode.from_tensor(t)


class FakeTensorMode:
    def __init__(self, *, allow_fallback_kernels=True, allow_non_fake_inputs=False, shape_env=None, static_shapes=None, export=False):
        self.allow_fallback_kernels = allow_fallback_kernels
        self.allow_non_fake_inputs = allow_non_fake_inputs
        self.shape_env = shape_env
        self.static_shapes = shape_env is None if static_shapes is None else static_shapes
        self.export = export
        self.epoch = 0

    def from_tensor(self, tensor, *, static_shapes=None, source=None, symbolic_context=None, trace=True):
        empty = tensor.detach().to(_META)
        empty.requires_grad = tensor.requires_grad
        return FakeTensor(self, empty, device_of(tensor))

    def reset_nt_tensor_id_counter(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *args):
        pass


class unset_fake_temporarily:
    def __enter__(self):
        return None

    def __exit__(self, *args):
        pass
