# SPDX-License-Identifier: GPL-3.0-or-later
# torch.autograd.function: operators of a source's own, of which the forward is run.
import functools


class _Context:
    # What a Function's forward is given: it may keep anything on it.
    needs_input_grad = ()
    saved_tensors = ()

    def save_for_backward(self, *tensors):
        self.saved_tensors = tensors

    def save_for_forward(self, *tensors):
        return None

    def mark_non_differentiable(self, *tensors):
        return None

    def mark_dirty(self, *tensors):
        return None

    def set_materialize_grads(self, value):
        return None


class Function:
    @classmethod
    def apply(cls, *args, **kwargs):
        if not hasattr(cls, 'setup_context'):
            return cls.forward(_Context(), *args, **kwargs)
        output = cls.forward(*args, **kwargs)
        cls.setup_context(_Context(), args, output)
        return output


class InplaceFunction(Function):
    pass


FunctionCtx = _Context


def once_differentiable(fn):
    # Of a backward, which does not run.
    return fn
