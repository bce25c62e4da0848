# SPDX-License-Identifier: GPL-3.0-or-later
# Python's pprint, as far as a line holds: repr with the keys of dicts in order.


def _text(value):
    if type(value) is dict:
        try:
            items = sorted(value.items(), key=lambda pair: pair[0])
        except TypeError:
            items = list(value.items())
        return "{" + ", ".join(f"{_text(key)}: {_text(item)}" for key, item in items) + "}"
    if type(value) is list:
        return "[" + ", ".join(map(_text, value)) + "]"
    if type(value) is tuple:
        return "(" + ", ".join(map(_text, value)) + (",)" if len(value) == 1 else ")")
    return repr(value)


def pformat(object, *args, **kwargs):
    return _text(object) if kwargs.get("sort_dicts", True) else repr(object)


def pprint(object, *args, **kwargs):
    print(pformat(object, **kwargs))


def pp(object, *args, **kwargs):
    pprint(object, sort_dicts=False)
