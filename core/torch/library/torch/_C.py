# SPDX-License-Identifier: GPL-3.0-or-later
# What of PyTorch's C++ side models call as they are made, beside what core/torch has of it.

def _log_api_usage_once(event):
    pass


def _log_api_usage_metadata(event, metadata_map):
    pass


def __getattr__(name):
    if name in ('_has_torch_function', '_has_torch_function_unary', '_has_torch_function_variadic',
                'DisableTorchFunctionSubclass'):
        from . import overrides
        return getattr(overrides, name.removeprefix('_'))
    if name == '_disabled_torch_function_impl':
        return _disabled_torch_function_impl
    if name == 'DispatchKey':
        from ._operator_enums import DispatchKey
        return DispatchKey
    raise AttributeError(f"module 'torch._C' has no attribute '{name}'")
