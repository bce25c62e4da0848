# SPDX-License-Identifier: GPL-3.0-or-later
# torch.utils._python_dispatch: modes that see each operator that LibTorch calls below autograd.
from torch.fx import _graphs
from .._outside import outside

__getattr__ = outside(__name__)


class TorchDispatchMode:
    def __init__(self, _dispatch_key=None):
        pass

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        raise NotImplementedError

    def __enter__(self):
        self.__dict__.setdefault('_entered', []).append(_graphs.enter_dispatch_mode(self))
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        _graphs.leave_dispatch_mode(self._entered.pop())

    @classmethod
    def push(cls, *args, **kwargs):
        return cls(*args, **kwargs)
