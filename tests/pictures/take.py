#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""take.py BUILD FOLDER: builds what takes pictures, makes twelve models, and takes pictures of the window with each.

Each is opened, shown whole and run, light and dark, at 1600x1000 and 900x600, and once more at twice the scale. FOLDER/index.html
shows them all.
"""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys

import torch

TESTS = pathlib.Path(__file__).resolve().parent.parent
SOURCES = TESTS / "oracle" / "sources" / "models"


def source(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


class Lstm(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = torch.nn.Embedding(50, 16)
        self.lstm = torch.nn.LSTM(16, 32, num_layers=2, batch_first=True)
        self.head = torch.nn.Linear(32, 50)

    def forward(self, tokens):
        states, _ = self.lstm(self.embed(tokens))
        return self.head(states)


# Name, source, what makes the model, its inputs.
MODELS = [
    ("resnet", "resnet_bottleneck", "resnext()", "torch.randn(1, 3, 32, 32)"),
    ("vgg", "vgg", None, None),
    ("densenet", "densenet", None, None),
    ("vit", "vit", "ViT(image_size=16, patch_size=8, dim=8, depth=12, heads=2)", "torch.randn(2, 3, 16, 16)"),
    ("gpt2", "gpt", "GPT(GPTConfig(n_layer=12))", "torch.randint(0, 17, (2, 6))"),
    ("t5", "t5", None, None),
    ("unet", "unet", None, None),
    ("diffusion", "diffusion_block", None, None),
    ("experts", "mixture_of_experts", None, None),
    ("layers48", "gpt", "GPT(GPTConfig(n_layer=48))", "torch.randint(0, 17, (2, 6))"),
]


def first_case(path):
    for line in path.read_text().splitlines():
        if line.startswith("# case: "):
            return json.loads(line[len("# case: "):])
    raise SystemExit(f"{path} has no case")


def make_models(folder):
    for name, stem, expression, inputs in MODELS:
        path = SOURCES / f"{stem}.py"
        case = first_case(path)
        scope = {**vars(source(path)), "torch": torch}
        model = eval(expression or case["expr"], scope).eval()
        example = eval(f"({inputs or case['inputs']},)", scope)
        torch.export.save(torch.export.export(model, example), folder / f"{name}.pt2")
        yield folder / f"{name}.pt2"
    torch.export.save(torch.export.export(Lstm().eval(), (torch.randint(0, 50, (2, 7)),)), folder / "lstm.pt2")
    yield folder / "lstm.pt2"
    chain = source(TESTS / "bench" / "chain.py").Chain(20_000)
    torch.save(torch.fx.symbolic_trace(chain), folder / "flat20000.pt")
    yield folder / "flat20000.pt"


def main():
    build, folder = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    subprocess.run(["cmake", "--build", build, "--target", "fxscope_pictures"], check=True)
    models = folder / "models"
    models.mkdir(parents=True, exist_ok=True)
    made = [str(path) for path in make_models(models)]
    for scale in "1", "2":
        shots = folder / f"x{scale}"
        shots.mkdir(exist_ok=True)
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": scale}
        subprocess.run([build / "bin" / "fxscope_pictures", shots, *made], env=environment, check=True)
    rows = "".join(f'<h3>{path.relative_to(folder)}</h3><img src="{path.relative_to(folder)}" width="100%">\n'
                   for path in sorted(folder.glob("x*/*.png")))
    (folder / "index.html").write_text(f"<!doctype html><meta charset=utf-8><title>fxscope</title>\n{rows}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main()
