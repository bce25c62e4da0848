# SPDX-License-Identifier: GPL-3.0-or-later
# torch._higher_order_ops. The operators are values of torch.ops.higher_order; ._bodies says what they compute.
from .cond import cond
from .while_loop import while_loop
