# SPDX-License-Identifier: GPL-3.0-or-later
# Arithmetic as modules, so that what it gives can be observed and then quantized.
import torch
from .utils import OutputRange

__all__ = ['FloatFunctional', 'FXFloatFunctional', 'QFunctional']


class FXFloatFunctional(torch.nn.Module):
    def forward(self, x):
        raise RuntimeError("FloatFunctional is not intended to use the 'forward'. Please use the underlying operation")

    def _observed(self, result):
        return result

    def add(self, x, y):
        return self._observed(torch.add(x, y))

    def add_scalar(self, x, y):
        return torch.add(x, y)

    def mul(self, x, y):
        return self._observed(torch.mul(x, y))

    def mul_scalar(self, x, y):
        return torch.mul(x, y)

    def cat(self, x, dim=0):
        return self._observed(torch.cat(x, dim=dim))

    def add_relu(self, x, y):
        return self._observed(torch.nn.functional.relu(torch.add(x, y)))

    def matmul(self, x, y):
        return self._observed(torch.matmul(x, y))


class FloatFunctional(FXFloatFunctional):
    def __init__(self):
        super().__init__()
        self.activation_post_process = torch.nn.Identity()

    def _observed(self, result):
        return self.activation_post_process(result)


class QFunctional(OutputRange, torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 1.0
        self.zero_point = 0
        self.activation_post_process = torch.nn.Identity()

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        super()._save_to_state_dict(destination, prefix, keep_vars)
        self._save_range(destination, prefix)

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, *reports):
        self._load_range(state_dict, prefix)
        super()._load_from_state_dict(state_dict, prefix, local_metadata, False, *reports)

    def extra_repr(self):
        return f'scale={self.scale}, zero_point={self.zero_point}'

    def forward(self, x):
        raise RuntimeError("Functional is not intended to use the 'forward'. Please use the underlying operation")

    def _ranged(self, operator, *args, **kwargs):
        return self.activation_post_process(operator(*args, scale=self.scale, zero_point=self.zero_point, **kwargs))

    def add(self, x, y):
        return self._ranged(torch.ops.quantized.add, x, y)

    def add_scalar(self, x, y):
        return torch.ops.quantized.add_scalar(x, y)

    def mul(self, x, y):
        return self._ranged(torch.ops.quantized.mul, x, y)

    def mul_scalar(self, x, y):
        return torch.ops.quantized.mul_scalar(x, y)

    def cat(self, x, dim=0):
        return self._ranged(torch.ops.quantized.cat, x, dim=dim)

    def add_relu(self, x, y):
        return self._ranged(torch.ops.quantized.add_relu, x, y)

    def matmul(self, x, y):
        return torch.ops.quantized.matmul(x, y, scale=self.scale, zero_point=self.zero_point)
