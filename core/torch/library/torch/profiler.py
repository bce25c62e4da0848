# SPDX-License-Identifier: GPL-3.0-or-later
# torch.profiler: what models use of it in their forward.
from ._outside import outside
from .autograd.profiler import profile, record_function

__getattr__ = outside(__name__)
