# SPDX-License-Identifier: GPL-3.0-or-later
# pickle within one program: what is dumped is copied and kept, and its bytes are the key to it. Bytes of any other origin are
# refused, as nothing of a file is run.
import copy

HIGHEST_PROTOCOL = 5
DEFAULT_PROTOCOL = 4
_HEAD = b'\x80\x04fxscope '
_kept = {}


class PickleError(Exception):
    pass


class PicklingError(PickleError):
    pass


class UnpicklingError(PickleError):
    pass


def dumps(obj, protocol=None, *, fix_imports=True, buffer_callback=None):
    data = _HEAD + str(len(_kept)).encode() + b'.'
    _kept[data] = copy.deepcopy(obj)
    return data


def loads(data, /, *, fix_imports=True, encoding='ASCII', errors='strict', buffers=None):
    data = bytes(data)
    if data not in _kept:
        raise UnpicklingError('these bytes were not pickled by this program; a traced program reads no files')
    return copy.deepcopy(_kept[data])


def dump(obj, file, protocol=None, *, fix_imports=True, buffer_callback=None):
    file.write(dumps(obj, protocol))


def load(file, *, fix_imports=True, encoding='ASCII', errors='strict', buffers=None):
    head = file.read(len(_HEAD))
    rest = b''
    while head == _HEAD and not rest.endswith(b'.'):
        more = file.read(1)
        if not more:
            break
        rest += more
    return loads(head + rest)


class Pickler:
    def __init__(self, file, protocol=None, *, fix_imports=True, buffer_callback=None):
        self._file = file

    def dump(self, obj):
        dump(obj, self._file)


class Unpickler:
    def __init__(self, file, *, fix_imports=True, encoding='ASCII', errors='strict', buffers=None):
        self._file = file

    def load(self):
        return load(self._file)
