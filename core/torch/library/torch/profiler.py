# SPDX-License-Identifier: GPL-3.0-or-later
# torch.profiler: what models use of it in their forward.
from .autograd.profiler import record_function
