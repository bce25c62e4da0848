# SPDX-License-Identifier: GPL-3.0-or-later
# Functions that PyTorch has only to say what to use instead, and those that reach out of the program: files and gradients.
import builtins
import pickle


def _removed(name, instead):
    def call(*args, **kwargs):
        raise RuntimeError(f'This function was deprecated since version 1.9 and is now removed. {name} is now {instead}.')
    return call


eig = _removed('torch.eig', 'torch.linalg.eig, which gives complex tensors')
lstsq = _removed('torch.lstsq', 'torch.linalg.lstsq, which takes its arguments in the other order')
matrix_rank = _removed('torch.matrix_rank', 'torch.linalg.matrix_rank')
solve = _removed('torch.solve', 'torch.linalg.solve, which takes its arguments in the other order')
symeig = _removed('torch.symeig', 'torch.linalg.eigh, which reads the lower triangle')


def _refused(name, why):
    def call(*args, **kwargs):
        raise RuntimeError(f'{name}() is not supported: {why}')
    return call


def _refused_file(name):
    return _refused(name, 'a program touches no files here')


def refused_gradient(name):
    return _refused(name, 'graphs are run here, not trained; run this in Python')


def _own_file(path, mode, name):
    """One that the program has in memory."""
    import _files
    if not _files.owns(path):
        raise RuntimeError(f'{name}() is not supported: a program touches no files here; a buffer such as io.BytesIO will do')
    return open(path, mode)


def save(obj, f, pickle_module=None, pickle_protocol=2, _use_new_zipfile_serialization=True, _disable_byteorder_record=False):
    if hasattr(f, 'write'):
        pickle.dump(obj, f)
        return
    with _own_file(f, 'wb', 'torch.save') as opened:
        pickle.dump(obj, opened)


def _mapped(value, device):
    """Moves loaded tensors to the device that torch.load was given."""
    if device is None or callable(device) or isinstance(device, dict) or str(device) == 'cpu':
        return value
    from torch.utils._pytree import tree_map
    return tree_map(lambda leaf: leaf.to(device) if hasattr(leaf, 'device') else leaf, value)


def load(f, map_location=None, pickle_module=None, *, weights_only=None, mmap=None, **pickle_load_args):
    if hasattr(f, 'read'):
        return pickle.load(f)
    import _files
    if hasattr(builtins, '_load_beside') and not _files.owns(f):  # of a source that is traced
        import os
        return _mapped(builtins._load_beside(os.fspath(f)), map_location)
    with _own_file(f, 'rb', 'torch.load') as opened:
        return pickle.load(opened)


from_dlpack = _refused('torch.from_dlpack', 'memory of other programs cannot be read')
to_dlpack = _refused('torch.to_dlpack', 'memory cannot be handed to other programs')
lobpcg = _refused('torch.lobpcg', 'its iterations are not written here; torch.linalg.eigh() gives all eigenvalues')
from_file = _refused_file('torch.from_file')
storage = _refused('storage', 'a typed storage is no class here; untyped_storage() gives the bytes')
