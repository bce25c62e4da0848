# SPDX-License-Identifier: GPL-3.0-or-later
# Python's gc: there is nothing to collect.

DEBUG_STATS, DEBUG_COLLECTABLE, DEBUG_UNCOLLECTABLE, DEBUG_SAVEALL, DEBUG_LEAK = 1, 2, 4, 32, 38
garbage, callbacks = [], []
_state = {"enabled": True}


def collect(generation=2):
    return 0


def enable():
    _state["enabled"] = True


def disable():
    _state["enabled"] = False


def isenabled():
    return _state["enabled"]


def get_threshold():
    return 700, 10, 10


def get_count():
    return 0, 0, 0


def set_threshold(*thresholds):
    pass


freeze = unfreeze = set_debug = set_threshold


def get_objects(generation=None):
    return []


def get_referrers(*objs):
    return []


get_referents = get_referrers


def is_tracked(obj):
    return False
