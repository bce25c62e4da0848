# SPDX-License-Identifier: GPL-3.0-or-later
"""What core/torch/bind/call_facts.cpp says of classes of torch.nn and of functions, held against PyTorch.

    check_call_facts.py FORKED_CLI

Each class is called twice on one input, in training and in evaluation mode. Where the pass cse takes the two calls for one, PyTorch must
give the same twice, take no random numbers and leave the state as it is. Of each function the result is written into: where cse takes
relu of its input before and after that for one, PyTorch must have given it memory of its own.
"""

import inspect
import pathlib
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")
sys.dont_write_bytecode = True
import torch
from torch import nn

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from commands import Commands

# Constructor arguments by class; the input's shape by the number of dimensions that the end of the name tells.
MADE = {
    "BatchNorm": "4", "SyncBatchNorm": "4", "InstanceNorm": "4, track_running_stats=True", "Conv": "4, 4, 1", "ConvTranspose": "4, 4, 1",
    "Dropout": "0.5", "AlphaDropout": "0.5", "FeatureAlphaDropout": "0.5", "Linear": "8, 8", "LayerNorm": "8", "RMSNorm": "8", "GroupNorm": "2, 4",
    "MaxPool": "2", "AvgPool": "2", "LPPool": "2, 2", "AdaptiveAvgPool": "2", "AdaptiveMaxPool": "2", "FractionalMaxPool": "2, output_ratio=0.5",
    "ReflectionPad": "1", "ReplicationPad": "1", "ZeroPad": "1", "ConstantPad": "1, 0.5", "CircularPad": "1", "PixelShuffle": "2",
    "PixelUnshuffle": "2", "ChannelShuffle": "2", "Upsample": "scale_factor=2", "UpsamplingNearest": "scale_factor=2",
    "UpsamplingBilinear": "scale_factor=2", "LocalResponseNorm": "2", "CrossMapLRN": "2", "Threshold": "0.1, 0.0", "Hardtanh": "", "RReLU": "",
    "Flatten": "", "Unflatten": "1, (2, 2)", "Unfold": "2", "Identity": "", "Softmax": "1", "LogSoftmax": "1", "Softmin": "1", "GLU": "1",
    "LSTM": "8, 4, 2, dropout=0.5", "GRU": "8, 4, 2, dropout=0.5", "RNN": "8, 4, 2, dropout=0.5",
    "TransformerEncoderLayer": "8, 2", "Bilinear": None,
}
SHAPES = {1: (2, 4, 8), 2: (2, 4, 8, 8), 3: (2, 4, 8, 8, 8)}
BY_NAME = {"SyncBatchNorm": 2, "GroupNorm": 1, "PixelShuffle": 2, "PixelUnshuffle": 2, "ChannelShuffle": 2, "Upsample": 2, "Unfold": 2,
           "Softmax2d": 2, "LocalResponseNorm": 2}
# Classes of other inputs, with the expression of each; those not named here or below are abstract, or hold other modules.
OTHERS = {
    "Embedding": ("5, 3", "indices"), "Embedding max_norm": ("5, 3, max_norm=0.1", "indices"), "EmbeddingBag": ("5, 3", "indices"),
    "EmbeddingBag max_norm": ("5, 3, max_norm=0.1", "indices"), "Bilinear": ("8, 8, 2", "x1, x1"), "CosineSimilarity": ("", "x1, x1 + 1"),
    "PairwiseDistance": ("", "x1, x1 + 1"), "MSELoss": ("", "x1, x1 + 1"), "L1Loss": ("", "x1, x1 + 1"), "SmoothL1Loss": ("", "x1, x1 + 1"),
    "HuberLoss": ("", "x1, x1 + 1"), "KLDivLoss": ("", "x1, x1 + 1"), "CrossEntropyLoss": ("", "x1, x1 + 1"),
    "TripletMarginWithDistanceLoss": ("distance_function=noisy", "x1, x1 + 1, x1 + 2"), "BCEWithLogitsLoss": ("", "x1, x1"), "SoftMarginLoss": ("", "x1, x1"),
}


def made(name):
    """The arguments of the class and the dimensions of its input; None where the class is not called here."""
    stem = name[:-2] if name[-2:] in ("1d", "2d", "3d") else name
    if name in ("Softmax2d", "Dropout1d", "Dropout2d", "Dropout3d"):
        return ("" if name == "Softmax2d" else "0.5"), int(name[-2])
    if stem not in MADE and not issubclass(getattr(nn, name), nn.Module):
        return None
    if getattr(nn, name).__module__ == "torch.nn.modules.activation" and stem not in MADE and name != "MultiheadAttention":
        return "", 1
    if MADE.get(stem) is None or name.startswith("Lazy"):
        return None
    return MADE[stem], int(name[-2]) if stem != name else BY_NAME.get(name, 1)


def rows():
    for name, cls in sorted(vars(nn).items()):
        if inspect.isclass(cls) and issubclass(cls, nn.Module) and cls.__module__.startswith("torch.nn.modules.") and (one := made(name)):
            yield f"nn.{name}({one[0]})", f"x{one[1]}"
    for name, (arguments, given) in OTHERS.items():
        yield f"nn.{name.split()[0]}({arguments})", given


# Calls of x; the first tensor of what they give is written into.
CALLS = [f"torch.{name}" for name in (
    "atleast_1d(x)", "atleast_2d(x)", "atleast_3d(x)", "broadcast_tensors(x, x)[0]", "cartesian_prod(x[0, 0])", "meshgrid(x[0, 0])[0]",
    "einsum('abc->bac', x)", "unsafe_chunk(x, 2)[0]", "unsafe_split(x, 1)[0]", "real(x)", "ops.aten._unsafe_view.default(x, [8, 8])",
    "reshape(x, (8, 8))", "flatten(x)", "ops.aten.lift.default(x)", "nn.functional.dropout(x, training=False)", "cat([x])", "stack([x])",
    "tile(x, (1,))", "roll(x, 0)", "hstack([x])", "nan_to_num(x)", "softmax(x, 0)", "diff(x, n=0)", "flip(x, [])", "tril(x, 100)",
    "linalg.matrix_power(x[0][:, :4], 1)", "nn.functional.pad(x, (0, 0))", "nn.functional.pixel_shuffle(x, 1)", "clone(x)")]
CALLS += [f"x.{name}" for name in ("type_as(x)", "to_dense()", "sum_to_size(2, 4, 8)", "contiguous()", "float()", "cpu()", "data", "T", "mT", "view(8, 8)",
                                   "expand(2, 4, 8)", "repeat(1, 1, 1)", "clip(-9, 9)", "abs()", "conj_physical()")]


NOISY = "def noisy(a, b):\n    return (a - b).abs().sum(1) * torch.rand(())\n"
exec(NOISY)
INPUTS = {f"x{n}": f"torch.arange({torch.Size(shape).numel()}.0).reshape{shape} / 100" for n, shape in SHAPES.items()}
INPUTS["indices"] = "torch.tensor([[1, 2], [3, 4]])"


def same(a, b):
    if isinstance(a, (tuple, list)):
        return all(map(same, a, b))
    return a is b is None or torch.equal(a, b)


def is_pure(module, given):
    """Two calls give the same and change nothing."""
    state = {key: value.clone() for key, value in module.state_dict().items()}
    torch.manual_seed(3)
    numbers = torch.get_rng_state()
    with torch.no_grad():
        equal = same(module(*given), module(*given))
    kept = all(torch.equal(value, module.state_dict()[key]) for key, value in state.items())
    return equal and kept and torch.equal(numbers, torch.get_rng_state())


def shares(call):
    x = torch.arange(64.0).reshape(2, 4, 8)
    return eval(call).untyped_storage().data_ptr() == x.untyped_storage().data_ptr()


def check_calls(commands, folder, failures):
    source, out = folder / "calls.py", folder / "calls.fxg"
    lines = "".join(f"        y{i} = {call.replace('x', f'x{i}') if call[0] == 'x' else call.replace('(x', f'(x{i}').replace(' x', f' x{i}').replace('[x', f'[x{i}')}\n"
                    f"        a{i} = torch.relu(x{i})\n        y{i}.add_(1)\n        b{i} = torch.relu(x{i})\n" for i, call in enumerate(CALLS))
    names = ", ".join(f"x{i}" for i in range(len(CALLS)))
    results = ", ".join(f"a{i}, b{i}" for i in range(len(CALLS)))
    source.write_text(f"import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, {names}):\n{lines}        return {results}\n")
    done = commands("apply", f"{source}:Net()", "-o", out, "cse")
    if done.code:
        sys.exit(done.err)
    graph, merged, sharing = commands("graph", out).out, 0, 0
    for i, call in enumerate(CALLS):
        is_merged = graph.count(f"call_function[target=torch.relu](args = (%x{i},)") == 1
        merged, sharing = merged + is_merged, sharing + shares(call)
        if is_merged and shares(call):
            failures.append(f"{call}: cse takes what it gives for new memory, which is its input's")
    if merged < 12 or sharing < 18:
        failures.append(f"only {merged} calls with new memory, {sharing} with that of the input")


def main(forked_cli):
    commands, failures, impure, merged = Commands(forked_cli), [], 0, 0
    values = {name: eval(text) for name, text in INPUTS.items()}
    all_rows = list(dict.fromkeys(rows()))
    with tempfile.TemporaryDirectory() as folder:
        check_calls(commands, pathlib.Path(folder), failures)
        source = pathlib.Path(folder) / "net.py"
        init = "".join(f"        self.m{i} = {text}\n" for i, (text, _) in enumerate(all_rows))
        calls = ", ".join(f"self.m{i}({given})" for i, (_, given) in enumerate(all_rows) for _ in range(2))
        source.write_text(f"import torch\nfrom torch import nn\n\n\n{NOISY}\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n{init}\n"
                          f"    def forward(self, {', '.join(INPUTS)}):\n        return {calls}\n")
        for mode in ("train", "eval"):
            out = pathlib.Path(folder) / f"{mode}.fxg"
            done = commands("apply", f"{source}:Net()", f"--{mode}", "-o", out, "cse")
            if done.code:
                sys.exit(done.err)
            graph = commands("graph", out).out
            for i, (text, given) in enumerate(all_rows):
                is_merged = graph.count(f"call_module[target=m{i}]") == 1
                module = eval(text).train(mode == "train")
                pure = is_pure(module, eval(f"({given},)", {**values, "torch": torch}))
                impure, merged = impure + (not pure), merged + is_merged
                if is_merged and not pure:
                    failures.append(f"{mode} {text}: cse takes two calls for one, which PyTorch gives another result or state")
    if len(all_rows) < 90 or impure < 20 or merged < 120:
        failures.append(f"only {len(all_rows)} classes, {impure} impure, {merged} merged")
    print("\n".join(failures) or f"{len(all_rows)} classes, {impure} impure, {merged} merged")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
