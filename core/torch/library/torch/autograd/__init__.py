# SPDX-License-Identifier: GPL-3.0-or-later
# torch.autograd: only what runs forwards.
from .grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled, set_multithreading_enabled
from .._removed import refused_gradient
from . import forward_ad, function, functional, grad_mode, graph, profiler
from .function import Function

backward = refused_gradient('torch.autograd.backward')
grad = refused_gradient('torch.autograd.grad')
gradcheck = refused_gradient('torch.autograd.gradcheck')
gradgradcheck = refused_gradient('torch.autograd.gradgradcheck')


def Variable(data, requires_grad=False):
    return data


class set_detect_anomaly:
    # Of the backward pass, which does not run.
    def __init__(self, mode=True, check_nan=True):
        self.mode, self.check_nan = mode, check_nan

    def __enter__(self):
        return None

    def __exit__(self, exc_type, exc_value, traceback):
        return None


class detect_anomaly(set_detect_anomaly):
    def __init__(self, check_nan=True):
        super().__init__(True, check_nan)
