# SPDX-License-Identifier: GPL-3.0-or-later
# torch.autograd: only what runs forwards.
from .grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled, set_multithreading_enabled
from .._removed import refused_gradient
from . import grad_mode, profiler

backward = refused_gradient('torch.autograd.backward')
grad = refused_gradient('torch.autograd.grad')
gradcheck = refused_gradient('torch.autograd.gradcheck')
gradgradcheck = refused_gradient('torch.autograd.gradgradcheck')


class _Context:
    # What a Function's forward is given: it may keep anything on it.
    needs_input_grad = ()
    saved_tensors = ()

    def save_for_backward(self, *tensors):
        self.saved_tensors = tensors

    def mark_non_differentiable(self, *tensors):
        return None

    def mark_dirty(self, *tensors):
        return None

    def set_materialize_grads(self, value):
        return None


class Function:
    @classmethod
    def apply(cls, *args, **kwargs):
        return cls.forward(_Context(), *args, **kwargs)


def Variable(data, requires_grad=False):
    return data
