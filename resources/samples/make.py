# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports the sample models: make.py FOLDER."""

import logging
import pathlib
import sys
import warnings

warnings.filterwarnings("ignore")
import torch

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import models

logging.disable(logging.WARNING)


def samples():
    yield "resnet", models.ResNet().eval(), (torch.randn(1, 3, 64, 64),), None
    tokens = torch.randint(0, 256, (1, 32))
    yield "transformer", models.Transformer().eval(), (tokens,), None
    batch = torch.export.Dim("batch", min=1, max=1024)
    yield "control_flow", models.ControlFlow(), (torch.randn(4, 8), torch.tensor(3)), ({0: batch}, None)


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(0)
    for name, model, inputs, shapes in samples():
        program = torch.export.export(model, inputs, dynamic_shapes=shapes, strict=False)
        torch.export.save(program, folder / f"{name}.pt2")
