# SPDX-License-Identifier: GPL-3.0-or-later
# Where generated code finds wrap.
from torch.fx import PH, ProxyableClassMeta, wrap
from torch.fx._tracer import Tracer, symbolic_trace
