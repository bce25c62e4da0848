# SPDX-License-Identifier: GPL-3.0-or-later
# The parts that networks are put together of.
from .activations import Act, GateAct, make_act
from .attention import Attention, RelativeAttention, cut_windows, join_windows
from .conv import SameConv, make_conv, pad_same
from .norm import ChannelNorm, NormAct, make_norm
from .pool import Layout, Pool, pooled
