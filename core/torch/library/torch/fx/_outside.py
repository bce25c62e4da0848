# SPDX-License-Identifier: GPL-3.0-or-later
# What sources import of torch.fx beside the model: classes that may be mentioned and derived from, but not made.


def _class(module, name):
    def __init__(self, *args, **kwargs):
        raise NotImplementedError(f'not supported: {module}.{name} in a source; passes, patterns and runs are commands here')

    return type(name, (), {'__init__': __init__, '__module__': module})


def outside(module):
    # The module's __getattr__.
    def __getattr__(name):
        if name.startswith('__'):
            raise AttributeError(f'module {module!r} has no attribute {name!r}')
        return _class(module, name)

    return __getattr__
