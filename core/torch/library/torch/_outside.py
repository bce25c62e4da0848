# SPDX-License-Identifier: GPL-3.0-or-later
# The text of each module of PyTorch's that has nothing to run here: training, data, files, other processes. What a source
# imports of it may be mentioned and derived from, but not called.


def outside(module):
    # The module's __getattr__.
    def __getattr__(name):
        if name.startswith('__'):
            raise AttributeError(f'module {module!r} has no attribute {name!r}')

        def __init__(self, *args, **kwargs):
            raise NotImplementedError(f'{module}.{name} is not supported: graphs are captured and run here; use it in Python')

        return type(name, (), {'__init__': __init__, '__module__': module})

    return __getattr__


__getattr__ = outside(__name__)
