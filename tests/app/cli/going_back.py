# SPDX-License-Identifier: GPL-3.0-or-later
"""Going back in runs of modules with hooks, which may hold state and write anything. Arguments: the program forked_cli."""

import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "support"))
from commands import Commands

# spectral_norm keeps the vectors of its power iteration in buffers, which a hook of torch writes in training mode.
NORMALIZED = """import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.layer = torch.nn.utils.spectral_norm(torch.nn.Linear(4, 4))

    def forward(self, x):
        return self.layer(x).relu().sum()
"""
# Nothing can be copied into the input of the hook, as its rows lie in one place.
HOOKED = """import torch

def hook(module, inputs, output):
    return output

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.act = torch.nn.ReLU()
        self.act.register_forward_hook(hook)

    def forward(self, a):
        x = torch.exp(a)
        z = self.act(a.expand(3, 4))
        return torch.tanh(z) + x
"""


def main(forked_cli):
    commands, failures = Commands(forked_cli), []

    def check(holds, what):
        if not holds:
            failures.append(what)

    with tempfile.TemporaryDirectory() as folder:
        def debug(source, *lines, options=()):
            file = pathlib.Path(folder) / "net.py"
            file.write_text(source)
            done = commands("debug", f"{file}:Net()", *options, text="".join(line + "\n" for line in lines))
            check(done.code == 0, f"{lines}: exit status {done.code}: {done.err}")
            return [block.partition("\n")[2] for block in done.out.split("(fx) ")[1:]]

        runs = debug(NORMALIZED, "c", "run", "c", "run", "c", options=("--train", "--input", "x=torch.ones(2, 4)"))
        check(runs[0].startswith("finished: ") and runs[0] == runs[2] == runs[4], f"a run changes the model: {runs}")
        back = debug(NORMALIZED, "until relu", "p layer", "rs", "s", "p layer", options=("--train", "--input", "x=torch.ones(2, 4)"))
        check(back[1] == back[4], f"a layer that runs again gives another value: {back}")

        on = ("--input", "a=torch.ones(1, 4)")
        end = debug(HOOKED, "c", options=on)[0]
        back = debug(HOOKED, "until tanh", "rs", "rs", "rs", "c", options=on)
        check("> exp" in back[3] and back[4] == end, f"three steps back: {back}")
        back = debug(HOOKED, "until tanh", "b exp", "rc", "c", options=on)
        check("stopped at breakpoint 1: exp" in back[2] and back[3] == end, f"back to a breakpoint: {back}")
        # The search looks at tanh, where the breakpoint does not stop, and goes on over the hook.
        back = debug(HOOKED, "b tanh, False", "until add", "rc", "s", "c", options=on)
        check("> exp" in back[2] and "act changes state of its own" in back[2] and "> expand" in back[3] and back[4] == end,
              f"past a breakpoint that does not stop: {back}")
    print("\n".join(failures) or "as expected")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
