# SPDX-License-Identifier: GPL-3.0-or-later
# Where generated code finds wrap.
from torch.fx import PH, ProxyableClassMeta, wrap
from torch.fx._tracer import Tracer, symbolic_trace


@wrap
def _assert_is_none(value, msg):
    assert value is None, msg
