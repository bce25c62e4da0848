# SPDX-License-Identifier: GPL-3.0-or-later
# The text of each module of PyTorch's that has nothing to run here: training, data, files, other processes. What a source
# imports of it may be mentioned and derived from, but not called.

from _refusal import refuse


def outside(module):
    """The module's __getattr__."""
    return refuse(module, 'graphs are captured and run here; use it in Python')


__getattr__ = outside(__name__)
