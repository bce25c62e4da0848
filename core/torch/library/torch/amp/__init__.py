# SPDX-License-Identifier: GPL-3.0-or-later
# torch.amp: autocast, and marks for its autograd functions, which change nothing here.
from .._grad_mode import autocast


def custom_fwd(fwd=None, *, device_type=None, cast_inputs=None):
    return (lambda function: function) if fwd is None else fwd


def custom_bwd(bwd=None, *, device_type=None):
    return (lambda function: function) if bwd is None else bwd


def is_autocast_available(device_type):
    return device_type in ('cpu', 'cuda')
