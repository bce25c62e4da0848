# SPDX-License-Identifier: GPL-3.0-or-later
"""Modules and tensors named by Python's keywords: torch.fx writes `self.if.weight`, which is no Python; our folder works.

    export_keywords.py FXSCOPE
"""

import subprocess
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")
import torch


class Keywords(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.branches = torch.nn.ModuleDict({"if": torch.nn.Linear(3, 3), "else": torch.nn.BatchNorm1d(3)})
        self.register_buffer("class", torch.randn(3))

    def forward(self, x):
        return self.branches["else"](self.branches["if"](x)) + getattr(self, "class")


def main():
    torch.manual_seed(0)
    model, x = Keywords(), torch.randn(4, 3)
    with tempfile.TemporaryDirectory() as folder:
        torch.export.save(torch.export.export(model, (x,)), f"{folder}/model.pt2")
        subprocess.check_call([sys.argv[1], "export", f"{folder}/model.pt2", f"{folder}/exported", "--name", "Net"])
        sys.path.insert(0, folder)
        from exported import Net

        ours = Net()
        assert torch.equal(ours(x), model(x)), "another result"
        ours, expected = dict(ours.named_buffers()), dict(model.named_buffers())
        for name in ("branches.else.running_mean", "class"):
            assert torch.equal(ours[name], expected[name]), name


if __name__ == "__main__":
    main()
