# SPDX-License-Identifier: GPL-3.0-or-later
# What PyTorch's settings are for a program that runs here. How many threads work, and on which device, fxscope is told.
import torch


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
    return torch.empty(0).dtype


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


def get_autocast_dtype(device_type):
    return torch.bfloat16 if device_type == 'cpu' else torch.float16


def get_autocast_cpu_dtype():
    return get_autocast_dtype('cpu')


def get_autocast_gpu_dtype():
    return get_autocast_dtype('cuda')


def is_autocast_cache_enabled():
    return True


def clear_autocast_cache():
    return None
