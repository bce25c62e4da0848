# SPDX-License-Identifier: GPL-3.0-or-later
# torch.autograd.function: operators of a source's own, with their gradients.
import functools

import torch


class _Context:
    # What a Function's forward and backward are given: they may keep anything on it.
    needs_input_grad = ()
    saved_tensors = ()
    _materializes = True
    _without_gradient = ()

    def save_for_backward(self, *tensors):
        self.saved_tensors = tensors

    def save_for_forward(self, *tensors):
        return None

    def mark_non_differentiable(self, *tensors):
        self._without_gradient = tensors

    def mark_dirty(self, *tensors):
        return None

    def set_materialize_grads(self, value):
        self._materializes = value


def _is_traced(value):
    return type(value).__module__.startswith('torch.fx')


class Function:
    @classmethod
    def apply(cls, *args, **kwargs):
        ctx = _Context()
        ctx.needs_input_grad = tuple([isinstance(arg, torch.Tensor) and arg.requires_grad for arg in args])
        if not torch.is_grad_enabled() or not any(ctx.needs_input_grad) or any(_is_traced(arg) for arg in args):
            return cls._forward(ctx, args, kwargs)
        with torch.no_grad():
            output = cls._forward(ctx, args, kwargs)
        return cls._with_gradient(ctx, args, output)

    @classmethod
    def _forward(cls, ctx, args, kwargs):
        if not hasattr(cls, 'setup_context'):
            return cls.forward(ctx, *args, **kwargs)
        output = cls.forward(*args, **kwargs)
        cls.setup_context(ctx, args, output)
        return output

    @classmethod
    def _with_gradient(cls, ctx, args, output):
        parts = output if isinstance(output, tuple) else (output,)
        attached = [isinstance(part, torch.Tensor) and not any(part is other for other in ctx._without_gradient)
                    for part in parts]

        def backward(grads):
            grads = iter(grads)
            grads = [next(grads) if is_attached else None for is_attached in attached]
            if ctx._materializes:
                grads = [torch.zeros_like(part) if grad is None and isinstance(part, torch.Tensor) else grad
                         for grad, part in zip(grads, parts)]
            found = cls.backward(ctx, *grads)
            found = found if isinstance(found, tuple) else (found,)
            return tuple([grad for grad, arg in zip(found, args) if isinstance(arg, torch.Tensor)])

        made = iter(_attach_backward(tuple([arg for arg in args if isinstance(arg, torch.Tensor)]),
                                     tuple([part for part, is_attached in zip(parts, attached) if is_attached]), backward))
        parts = tuple([next(made) if is_attached else part for part, is_attached in zip(parts, attached)])
        return parts if isinstance(output, tuple) else parts[0]


class InplaceFunction(Function):
    pass


FunctionCtx = _Context


def once_differentiable(fn):
    # Its own gradient is not asked for.
    return fn
