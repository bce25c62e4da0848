# SPDX-License-Identifier: GPL-3.0-or-later
# A class whose construction is recorded, since its metaclass asks for that.
# case: {"expr": "use_tensor_pair_ctor"}

import torch
import torch.fx


class TensorPair(metaclass=torch.fx.ProxyableClassMeta):
    def __init__(self, left, right):
        self.left, self.right = left, right

    def add(self, other):
        return TensorPair(self.left + other.left, self.right + other.right)

    def mul(self, other):
        return TensorPair(self.left * other.left, self.right * other.right)


def use_tensor_pair_ctor(x: TensorPair, y: torch.Tensor):
    s = x.add(TensorPair(y, y))
    return s.mul(x)
