# SPDX-License-Identifier: GPL-3.0-or-later
# Binds the arguments of functions that the library makes at run time (named tuples' __new__, dataclasses' __init__)
# to their parameters, with the errors of a call.


def bind(where, parameters, defaults, args, kwargs, keyword_only=()):
    """The values by name. `self` is counted among the arguments, as Python counts it."""
    values = dict(zip(parameters, args))
    for name, value in kwargs.items():
        if name in values:
            raise TypeError(f"{where}() got multiple values for argument {name!r}")
        if name not in parameters and name not in keyword_only:
            raise TypeError(f"{where}() got an unexpected keyword argument {name!r}")
        values[name] = value
    if len(args) > len(parameters):
        _refuse_count(where, parameters, defaults, args, [name for name in keyword_only if name in values])
    _require(where, "positional", [name for name in parameters if name not in values and name not in defaults])
    _require(where, "keyword-only", [name for name in keyword_only if name not in values and name not in defaults])
    return values


def _refuse_count(where, parameters, defaults, args, keywords):
    most, given = len(parameters) + 1, len(args) + 1
    least = most - sum(1 for name in parameters if name in defaults)
    takes = f"from {least} to {most}" if least != most else str(most)
    plural = "" if takes == "1" else "s"
    also = f" positional argument{'s' if given != 1 else ''} (and {len(keywords)} keyword-only argument" \
           f"{'s' if len(keywords) != 1 else ''})" if keywords else ""
    verb = "was" if given == 1 and not keywords else "were"
    raise TypeError(f"{where}() takes {takes} positional argument{plural} but {given}{also} {verb} given")


def _require(where, kind, names):
    if names:
        quoted = [repr(name) for name in names]
        text = quoted[-1]
        if len(names) == 2:
            text = f"{quoted[0]} and {quoted[1]}"
        elif len(names) > 2:
            text = f"{', '.join(quoted[:-1])}, and {quoted[-1]}"
        plural = "" if len(names) == 1 else "s"
        raise TypeError(f"{where}() missing {len(names)} required {kind} argument{plural}: {text}")
