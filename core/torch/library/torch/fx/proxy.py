# SPDX-License-Identifier: GPL-3.0-or-later
# The names of torch.fx.proxy that model source mentions.
TraceError = _fx_trace_error
Proxy = _fx_proxy
from torch.fx._tracer import TracerBase
