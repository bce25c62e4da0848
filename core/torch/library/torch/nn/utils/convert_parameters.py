# SPDX-License-Identifier: GPL-3.0-or-later
# All parameters as one vector, and back.
import torch


def _check_param_device(param, old_param_device):
    place = param.get_device() if param.device.type == 'cuda' else -1
    if old_param_device is not None and place != old_param_device:
        raise TypeError('Found two parameters on different devices, this is currently not supported.')
    return place


def parameters_to_vector(parameters):
    place = None
    parts = []
    for param in parameters:
        place = _check_param_device(param, place)
        parts.append(param.view(-1))
    return torch.cat(parts)


def vector_to_parameters(vec, parameters):
    if not isinstance(vec, torch.Tensor):
        raise TypeError(f'expected torch.Tensor, but got: {type(vec).__name__}')
    place = None
    start = 0
    for param in parameters:
        place = _check_param_device(param, place)
        param.data = vec[start:start + param.numel()].view_as(param).data
        start += param.numel()
