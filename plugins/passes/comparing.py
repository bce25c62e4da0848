# SPDX-License-Identifier: GPL-3.0-or-later
"""Which nodes do not stand another way of computing: torch.fx's minimizer over two runs of the same parts."""
import copy

import torch
from torch.fx import Interpreter
from torch.fx.passes.net_min_base import FxNetMinimizerRunFuncError, _MinimizerBase, _MinimizerSettingBase
from torch.utils._pytree import tree_map


def _cast(value, dtype):
    return tree_map(lambda one: one.to(dtype) if isinstance(one, torch.Tensor) and one.is_floating_point() else one, value)


class _InDtype(_MinimizerBase):
    """Part by part as it is, and with all that is floating point in another dtype."""

    def __init__(self, module, inputs, dtype, tolerance, mode):
        super().__init__(module, inputs, self._compare, _MinimizerSettingBase(traverse_method=mode))
        self._dtype, self._tolerance = dtype, tolerance

    def _compare(self, expected, got, names):
        same = torch.zeros(())  # of two infinities there is no difference
        difference = torch.where(expected == got, same, (expected - got).abs().float()).max().item()
        return difference, difference <= self._tolerance

    def run_a(self, mod, inputs, report_idx=-1):
        return mod(*inputs)

    def run_b(self, mod, inputs, report_idx=-1):
        try:
            return _cast(copy.deepcopy(mod).to(self._dtype)(*_cast(inputs, self._dtype)), torch.float32)
        except RuntimeError as error:
            raise FxNetMinimizerRunFuncError(str(error)) from error


class FindInaccurate(Interpreter):
    """Run the model part by part in another dtype, and print which nodes then differ by more than a tolerance.

    The mode is how parts are chosen: sequential (one by one), binary (halves), accumulate (from the first to each).
    """

    def __init__(self, gm, dtype: str = "bfloat16", tolerance: float = 0.01, mode: str = "sequential"):
        super().__init__(gm)
        if mode not in ("sequential", "binary", "accumulate"):
            raise ValueError(f"{mode} is none of sequential, binary, accumulate")
        self._settings = getattr(torch, dtype), tolerance, mode

    def run(self, *args):
        with torch.no_grad():
            found = _InDtype(copy.deepcopy(self.module), args, *self._settings).minimize()
        print("differing:", ", ".join(node.name for node in self.module.graph.nodes if node.name in {one.name for one in found}) or "none")
