# SPDX-License-Identifier: GPL-3.0-or-later
# Keeping gradients small, by their norm or by their values.
import warnings
import torch

__all__ = ['clip_grad_norm', 'clip_grad_norm_', 'clip_grad_value_']


def _listed(tensors):
    return [tensors] if isinstance(tensors, torch.Tensor) else list(tensors)


def _grads(parameters):
    return [param.grad for param in _listed(parameters) if param.grad is not None]


def _get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    tensors = _listed(tensors)
    norm_type = float(norm_type)
    if not tensors:
        return torch.tensor(0.0)
    with torch.no_grad():
        norms = [torch.linalg.vector_norm(tensor, norm_type).to(tensors[0].device) for tensor in tensors]
        total = torch.linalg.vector_norm(torch.stack(norms), norm_type)
    if error_if_nonfinite and not torch.isfinite(total):
        raise RuntimeError(f'The total norm of order {norm_type} for gradients from `parameters` is non-finite, so it cannot be '
                           'clipped. To disable this error and scale the gradients by the non-finite norm anyway, set '
                           '`error_if_nonfinite=False`')
    return total


def _clip_grads_with_norm_(parameters, max_norm, total_norm, foreach=None):
    grads = _grads(parameters)
    with torch.no_grad():
        factor = torch.clamp(float(max_norm) / (total_norm + 1e-6), max=1.0)
        for grad in grads:
            grad.mul_(factor.to(grad.device))


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    parameters = _listed(parameters)
    total = _get_total_norm(_grads(parameters), norm_type, error_if_nonfinite, foreach)
    _clip_grads_with_norm_(parameters, max_norm, total, foreach)
    return total


def clip_grad_norm(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    warnings.warn('`torch.nn.utils.clip_grad_norm` is now deprecated in favor of `torch.nn.utils.clip_grad_norm_`.',
                  FutureWarning, stacklevel=2)
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite, foreach)


def clip_grad_value_(parameters, clip_value, foreach=None):
    with torch.no_grad():
        for grad in _grads(parameters):
            grad.clamp_(min=-float(clip_value), max=float(clip_value))
