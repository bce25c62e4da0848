# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the models of the folder clean_passes for check_clean_passes.py.

    make_clean_models.py FOLDER

Of each: NAME.inputs.pt with its arguments, of those in DYNAMIC others of other sizes in NAME.other.pt, NAME.state.pt, and as torch.export has it NAME.exported.pt2 and NAME.decomposed.pt2; of those in
TRAINED once more in training mode, as NAME_training.
"""

import pathlib
import sys
import warnings

warnings.filterwarnings("ignore")
sys.dont_write_bytecode = True
import torch

sys.path.insert(0, str(pathlib.Path(__file__).parent / "clean_passes"))
import models


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in models.MODELS:
        for suffix in ("", "_training") if name in models.TRAINED else ("",):
            module, args = models.built(name)
            if suffix:
                module.train()
            torch.save(list(args.values()), folder / f"{name}{suffix}.inputs.pt")
            torch.save(module.state_dict(), folder / f"{name}{suffix}.state.pt")
            sizes = {each: {0: torch.export.Dim.AUTO} for each in models.DYNAMIC.get(name, ())}
            if sizes and not suffix:
                torch.save([torch.cat([value, value + 1]) for value in args.values()], folder / f"{name}.other.pt")
            program = torch.export.export(module, tuple(args.values()), dynamic_shapes=sizes or None)
            torch.export.save(program, folder / f"{name}{suffix}.exported.pt2")
            torch.export.save(program.run_decompositions(), folder / f"{name}{suffix}.decomposed.pt2")


if __name__ == "__main__":
    main()
