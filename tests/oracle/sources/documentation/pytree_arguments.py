# SPDX-License-Identifier: GPL-3.0-or-later
# A dictionary of inputs opened by placeholders inside concrete_args.
# case: {"expr": "f", "concrete": {"x": "{'a': PH, 'b': PH, 'c': PH}"}, "inputs": "{'a': 1, 'b': 2, 'c': 4}"}
# case: {"expr": "f", "fails": "error"}

def f(x):
    out = 0
    for v in x.values():
        out += v
    return out
