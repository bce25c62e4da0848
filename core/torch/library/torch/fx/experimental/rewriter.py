# SPDX-License-Identifier: GPL-3.0-or-later
# RewritingTracer: a Tracer that records the asserts and annotated assignments of what it traces.
import copy

import torch
from torch.fx import _graphs
from torch.fx._symbolic_trace import Tracer


class AST_Rewriter:
    def rewrite(self, fn):
        return _graphs.recording_asserts(fn)


class RewritingTracer(Tracer):
    def trace(self, root, concrete_args=None):
        return super().trace(_rewrite(root), concrete_args)


def _rewrite(fn):
    if not isinstance(fn, torch.nn.Module):
        return AST_Rewriter().rewrite(fn)

    class RewrittenModule(torch.nn.Module):
        def __init__(self, orig):
            super().__init__()
            for name, value in orig.__dict__.items():
                self.__dict__[name] = copy.copy(_rewrite(value) if isinstance(value, torch.nn.Module) else value)

    RewrittenModule.forward = AST_Rewriter().rewrite(fn.forward)
    return RewrittenModule(fn)
