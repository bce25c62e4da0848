# SPDX-License-Identifier: GPL-3.0-or-later
# torch.distributed as models ask for it: one process, and no group of others.
from .._outside import outside


def is_available():
    return True


def is_initialized():
    return False


def is_torchelastic_launched():
    return False


def _no_group(name):
    def call(*args, **kwargs):
        raise ValueError(f'Default process group has not been initialized, please make sure to call init_process_group: '
                         f'{name}() is of a single process here')

    return call


get_rank = _no_group('get_rank')
get_world_size = _no_group('get_world_size')


_other = outside(__name__)


def __getattr__(name):
    # What needs other processes says so; classes may be mentioned.
    return _no_group(name) if name[0].islower() else _other(name)
