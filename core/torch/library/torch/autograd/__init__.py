# SPDX-License-Identifier: GPL-3.0-or-later
# torch.autograd: gradients by LibTorch's engine (core/torch/host/gradients.cpp).
import warnings

import torch
from .grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled, set_multithreading_enabled
from .._removed import refused_gradient
from . import forward_ad, function, functional, grad_mode, graph, profiler
from .function import Function

gradcheck = refused_gradient('torch.autograd.gradcheck')
gradgradcheck = refused_gradient('torch.autograd.gradgradcheck')


def _get_sequence_nr():
    return _sequence_number()


def _as_tuple(value, length=None):
    if value is None:
        return (None,) * length
    return (value,) if isinstance(value, torch.Tensor) else tuple(value)


def _make_grads(outputs, grads):
    out = []
    for output, grad in zip(outputs, grads):
        if grad is None and output.requires_grad:
            if output.numel() != 1:
                raise RuntimeError('grad can be implicitly created only for scalar outputs')
            if not output.dtype.is_floating_point:
                raise RuntimeError(f'grad can be implicitly created only for real scalar outputs but got {output.dtype}')
            grad = torch.ones_like(output, memory_format=torch.preserve_format)
        elif grad is not None and not isinstance(grad, torch.Tensor):
            raise TypeError('gradients can be either Tensors or None, but got ' + type(grad).__name__)
        out.append(grad)
    return tuple(out)


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False, grad_variables=None, inputs=None):
    if grad_variables is not None:
        warnings.warn('`grad_variables` is deprecated. Use `grad_tensors` instead.', FutureWarning, stacklevel=2)
        if grad_tensors is not None:
            raise RuntimeError('`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. '
                               'Please only use `grad_tensors`.')
        grad_tensors = grad_variables
    tensors = _as_tuple(tensors)
    grads = _make_grads(tensors, _as_tuple(grad_tensors, len(tensors)))
    keeps = create_graph if retain_graph is None else retain_graph
    if inputs is None:
        _run_backward(tensors, grads, keeps, create_graph, None, False)
        return
    inputs = _as_tuple(inputs)
    if not inputs:
        raise RuntimeError('`inputs` argument to `backward()` cannot be empty.')
    for tensor, gradient in zip(inputs, _run_backward(tensors, grads, keeps, create_graph, inputs, True)):
        if gradient is not None:
            tensor.grad = gradient if tensor.grad is None else tensor.grad + gradient


def grad(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, only_inputs=True, allow_unused=None,
         is_grads_batched=False, materialize_grads=False):
    if materialize_grads and allow_unused is False:
        raise ValueError('Expected allow_unused to be True or not passed when materialize_grads=True, but got: '
                         'allow_unused=False.')
    if is_grads_batched:
        raise NotImplementedError('torch.autograd.grad() of batches of gradients is not supported here')
    allow_unused = materialize_grads if allow_unused is None else allow_unused
    names = list(inputs) if isinstance(inputs, dict) else None
    inputs = _as_tuple(inputs.values() if names is not None else inputs)
    outputs = _as_tuple(outputs)
    grads = _make_grads(outputs, _as_tuple(grad_outputs, len(outputs)))
    keeps = create_graph if retain_graph is None else retain_graph
    found = _run_backward(outputs, grads, keeps, create_graph, inputs, True)
    if not allow_unused and any(gradient is None for gradient in found):
        unused = [gradient is None for gradient in found].index(True)
        if not inputs[unused].requires_grad:
            raise RuntimeError('One of the differentiated Tensors does not require grad')
        raise RuntimeError(f'The differentiated Tensor at index {unused} appears to not have been used in the graph. Set '
                           'allow_unused=True if this is the desired behavior.')
    if materialize_grads:
        found = tuple(torch.zeros_like(tensor, requires_grad=create_graph) if gradient is None else gradient
                      for tensor, gradient in zip(inputs, found))
    return found if names is None else dict(zip(names, found))


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
