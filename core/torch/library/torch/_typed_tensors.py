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
        is_array = len(args) == 1 and hasattr(args[0], '__array__')
        if is_array or len(args) == 1 and isinstance(args[0], (list, tuple)) and not isinstance(args[0], torch.Size):
            return torch.tensor(args[0], dtype=cls.dtype)
        sizes = args[0] if len(args) == 1 and isinstance(args[0], torch.Size) else args
        return torch.empty(tuple(sizes) if sizes else (0,), dtype=cls.dtype)


def _typed(name, dtype):
    return _TypedTensors(name, (_Typed,), {'dtype': dtype})


FloatTensor = _typed('FloatTensor', torch.float32)
DoubleTensor = _typed('DoubleTensor', torch.float64)
HalfTensor = _typed('HalfTensor', torch.float16)
BFloat16Tensor = _typed('BFloat16Tensor', torch.bfloat16)
ByteTensor = _typed('ByteTensor', torch.uint8)
CharTensor = _typed('CharTensor', torch.int8)
ShortTensor = _typed('ShortTensor', torch.int16)
IntTensor = _typed('IntTensor', torch.int32)
LongTensor = _typed('LongTensor', torch.int64)
BoolTensor = _typed('BoolTensor', torch.bool)
