# SPDX-License-Identifier: GPL-3.0-or-later
# weakref, where nothing is ever collected while it is asked for: references hold what they refer to.


class ref:
    def __init__(self, object, callback=None):
        self._object = object
        self.__callback__ = callback

    def __call__(self):
        return self._object

    def __eq__(self, other):
        return isinstance(other, ref) and self._object == other._object

    def __hash__(self):
        return hash(self._object)


ReferenceType = ref


class WeakMethod(ref):
    pass


def proxy(object, callback=None):
    return object


class WeakValueDictionary(dict):
    pass


class WeakKeyDictionary(dict):
    pass


class WeakSet(set):
    pass


def finalize(obj, func, *args, **kwargs):
    return lambda: func(*args, **kwargs)
