# SPDX-License-Identifier: GPL-3.0-or-later
"""What a script finds wrong, told at its end."""

import sys

import torch


class Failures(list):
    def check(self, what, holds, *told):
        if not holds:
            self.append(f"{what}: {told}")

    def same(self, what, got, expected):
        self.check(what, isinstance(got, torch.Tensor) and torch.equal(got, expected), got, expected)

    def end_after(self, parts):
        for part in parts:
            try:
                part()
            except Exception as error:  # told with what else is wrong
                self.append(f"{part.__name__}: {type(error).__name__}: {error}")
        print("\n".join(self) or "all as PyTorch has it")
        sys.exit(bool(self))
