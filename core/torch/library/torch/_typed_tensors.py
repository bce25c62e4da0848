# SPDX-License-Identifier: GPL-3.0-or-later
# torch.FloatTensor and its like: how tensors of a type were made before there was `dtype`.
import torch


class _TypedTensors(type):
    def __new__(meta, name, bases, members):
        return super().__new__(meta, name, bases, {'__module__': 'torch', **members})

    def __instancecheck__(cls, instance):
        return isinstance(instance, torch.Tensor) and instance.dtype == cls.dtype

    def __repr__(cls):
        return f"<class 'torch.{cls.__name__}'>"


class _Typed(metaclass=_TypedTensors):
    dtype = None

    def __new__(cls, *args):
        if len(args) == 1 and isinstance(args[0], torch.Tensor):
            given = args[0]
            if given.dtype != cls.dtype:
                raise TypeError(f'expected {cls.__name__} (got {given.type()})')
            return given.detach()
        if len(args) == 1 and isinstance(args[0], (list, tuple)) and not isinstance(args[0], torch.Size):
            return torch.tensor(args[0], dtype=cls.dtype)
        sizes = args[0] if len(args) == 1 and isinstance(args[0], torch.Size) else args
        return torch.empty(tuple(sizes) if sizes else (0,), dtype=cls.dtype)


class FloatTensor(_Typed):
    dtype = torch.float32


class DoubleTensor(_Typed):
    dtype = torch.float64


class HalfTensor(_Typed):
    dtype = torch.float16


class BFloat16Tensor(_Typed):
    dtype = torch.bfloat16


class ByteTensor(_Typed):
    dtype = torch.uint8


class CharTensor(_Typed):
    dtype = torch.int8


class ShortTensor(_Typed):
    dtype = torch.int16


class IntTensor(_Typed):
    dtype = torch.int32


class LongTensor(_Typed):
    dtype = torch.int64


class BoolTensor(_Typed):
    dtype = torch.bool
