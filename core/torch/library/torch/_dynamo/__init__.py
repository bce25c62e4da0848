# SPDX-License-Identifier: GPL-3.0-or-later
# torch._dynamo: what sources decorate with, which changes nothing here.
from ..compiler import allow_in_graph, disable, is_compiling
from .._outside import outside

__getattr__ = outside(__name__)
