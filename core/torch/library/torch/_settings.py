# SPDX-License-Identifier: GPL-3.0-or-later
# What PyTorch's settings are for a program that runs here. How many threads work, and on which device, fxscope is told.
import torch

# What is only remembered.
_state = {'deterministic': False, 'warn_only': False, 'matmul_precision': 'highest'}


def _keep(what, asked, kept):
    if asked != kept:
        raise RuntimeError(f'the {what} stays {kept} here')


def set_num_threads(int):
    return None


def set_num_interop_threads(int):
    return None


def set_flush_denormal(mode):
    # Whether the machine can; nothing is changed.
    return False


def get_default_device():
    return torch.device('cpu')


def set_default_device(device):
    _keep('default device', torch.device('cpu' if device is None else device), get_default_device())


def get_default_dtype():
    return _default_dtype()


def set_default_dtype(d, /):
    _keep('default dtype', d, get_default_dtype())


def set_default_tensor_type(t, /):
    _keep('default tensor type', t if isinstance(t, str) else torch.typename(t), torch.empty(0).type())


def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None):
    # How tensors are printed is a setting of fxscope.
    return None


def get_deterministic_debug_mode():
    return 0


def set_deterministic_debug_mode(debug_mode):
    asked = debug_mode if isinstance(debug_mode, int) else ('default', 'warn', 'error').index(debug_mode)
    _keep('debug mode of determinism', asked, 0)


def is_warn_always_enabled():
    return False


def set_warn_always(b, /):
    return None


def is_anomaly_enabled():
    return False


def is_anomaly_check_nan_enabled():
    return True


def set_anomaly_enabled(mode, check_nan=True):
    return None


def compiled_with_cxx11_abi():
    return True


def use_deterministic_algorithms(mode, *, warn_only=False):
    if not isinstance(mode, bool):
        raise TypeError(f"_set_deterministic_algorithms(): argument 'mode' (position 1) must be bool, not "
                        f'{type(mode).__name__}')
    _state['deterministic'], _state['warn_only'] = mode, warn_only


def are_deterministic_algorithms_enabled():
    return _state['deterministic']


def is_deterministic_algorithms_warn_only_enabled():
    return _state['warn_only']


def set_float32_matmul_precision(precision):
    if precision in ('highest', 'high', 'medium'):
        _state['matmul_precision'] = precision


def get_float32_matmul_precision():
    return _state['matmul_precision']
