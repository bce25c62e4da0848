# SPDX-License-Identifier: GPL-3.0-or-later
"""Splits models with `fxscope apply MODEL split`, and with what torch.fx has for it; the parts, their text and code must be the same.

    check_split_passes.py FORKED_CLI FOLDER [PART_OF_A_NAME]

FOLDER is what make_clean_models.py wrote; split_passes/split_models.py has some more. Models are traced, exported, and exported and
decomposed. Compared are split_module, split_by_tags, CapabilityBasedPartitioner and _SplitterBase; what is split must compute the same,
and so must what merge-parts makes of it, which has the calls that there were.

Other than torch.fx, split_module here leaves the graph the structure of its inputs and outputs, and no split renames what a model is called
with: torch.fx gives inputs the names of their nodes, such as `input_1` for `input`.
"""

import contextlib
import io
import json
import pathlib
import re
import sys
import tempfile
import warnings
import zlib

warnings.filterwarnings("ignore")
sys.dont_write_bytecode = True
import torch
import torch.ao.quantization.backend_config.utils
from torch.ao.quantization.backend_config import get_native_backend_config
from torch.fx.experimental import optimization
from torch.fx.node import _get_qualified_name
from torch.fx.passes.infra.partitioner import CapabilityBasedPartitioner
from torch.fx.passes.operator_support import OperatorSupport
from torch.fx.passes.split_module import split_module
from torch.fx.passes.split_utils import split_by_tags
from torch.fx.passes.splitter_base import _SplitterBase, _SplitterSettingBase
from torch.fx.passes.tools_common import get_node_target
from torch.utils._pytree import tree_leaves

HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE.parent / "support"), str(HERE / "clean_passes"), str(HERE / "split_passes")]
import models
import split_models
from commands import Commands

CALLS = ("call_function", "call_method", "call_module")
VARIANTS = [
    ([], {}),
    (["--keep-original-order"], {"keep_original_order": True}),
    (["--keep-original-node-name"], {"keep_original_node_name": True}),
    (["--no-keep-original-input-name"], {"keep_original_input_name": False}),
    (["--tuple-return", "--affix", "pp"], {"tuple_return": True, "partition_affix": "pp"}),
]


SUPPORT = """from torch.fx.passes.operator_support import OperatorSupport

class Ops(OperatorSupport):
    def __init__(self):
        super().__init__({})
"""


class Table(OperatorSupport):
    """As OperatorSupport, but for calls alone."""

    def is_node_supported(self, submodules, node):
        return node.op in CALLS and super().is_node_supported(submodules, node)


def calls_of(gm):
    return [node for node in gm.graph.nodes if node.op in CALLS]


def shares(gm, count):
    """The number of the part of each call, where each part has the same share."""
    calls = calls_of(gm)
    found = [min(count - 1, int((place + 0.5) / len(calls) * count)) for place in range(len(calls))]
    numbers = {share: number for number, share in enumerate(dict.fromkeys(found))}
    return {node: numbers[share] for node, share in zip(calls, found)}


def table_of(gm):
    """About two thirds of what the model calls."""
    targets = {get_node_target(dict(gm.named_modules()), node) for node in calls_of(gm)}
    return {target: None for target in sorted(targets) if zlib.crc32(target.encode()) % 3}


def with_inputs_of(gm, made):
    made.graph._codegen = gm.graph._codegen
    for before, after in zip(gm.graph.find_nodes(op="placeholder"), made.graph.find_nodes(op="placeholder")):
        after.target = before.target
    return made


def printed(gm):
    """The text of the graph, and the code of it and of each graph below."""
    gm.recompile()
    parts = {name: module for name, module in gm.named_children() if isinstance(module, torch.fx.GraphModule)}
    called = [node.target for node in gm.graph.nodes if node.op == "call_module" and node.target in parts]
    return {"graph": str(gm.graph), "code": gm.code, **{f"{name} code": parts[name].code for name in called}}


class Splits:
    """What torch.fx makes of a model, and the words that ask for it here."""

    def __init__(self, gm, inputs, index, folder):
        self.gm, self.inputs, self.index, self.folder = gm, inputs, index, folder

    def split_module(self):
        words, options = VARIANTS[self.index % len(VARIANTS)]
        number = shares(self.gm, 3)
        made = split_module(self.gm, None, number.__getitem__, **options)
        return ["split", "--by", "size", "--parts", 3, *words], made

    def split_by_tags(self):
        tags = [f"part_{chr(97 + number)}" for number in range(4)]
        for node, number in shares(self.gm, 4).items():
            node.tag = tags[number]
        used = list(dict.fromkeys(node.tag for node in calls_of(self.gm)))
        rules = ",".join(f"{node.name}={node.tag}" for node in calls_of(self.gm))
        return ["tag-nodes", "--tags", rules, "split", "--by", "tag"], split_by_tags(self.gm, used)

    def table(self):
        """As a file of each kind in turn."""
        table = table_of(self.gm)
        kind = ("json", "yaml", "py")[self.index // 2 % 3]
        self.file = pathlib.Path(self.folder, f"ops.{kind}")
        self.file.write_text({"json": json.dumps(table), "yaml": "".join(f"{target}:\n" for target in table), "py": SUPPORT.format(table)}[kind])
        if kind == "py":
            self.file = f"{self.file}:Ops"
        return Table(table)

    def capability(self):
        single = self.index % 2 == 0 or not any(node.op == "call_function" for node in calls_of(self.gm))
        skips = self.index % 3 == 1
        made = CapabilityBasedPartitioner(self.gm, self.table(), allows_single_node_partition=single,
                                          skip_horizontal_fusion=skips).partition_and_fuse()
        return ["split", "--by", "support", "--support", self.file, *["--allows-single-node-partition"] * single,
                *["--skip-horizontal-fusion"] * skips], made

    def accelerator(self):
        settings = _SplitterSettingBase(min_acc_module_size=1 + self.index % 3, skip_fusion=self.index % 2 == 0,
                                        allow_non_tensor=self.index % 5 == 0)
        with contextlib.redirect_stdout(io.StringIO()):
            made = _SplitterBase(self.gm, self.inputs, self.table(), settings)()
        return ["shape-prop", "split", "--by", "support", "--support", self.file, "--accelerator", "--min-acc-module-size", settings.min_acc_module_size,
                *["--skip-fusion"] * settings.skip_fusion, *["--allow-non-tensor"] * settings.allow_non_tensor], made


KINDS = ("split_module", "split_by_tags", "capability", "accelerator")


class Checker:
    def __init__(self, commands, folder):
        self.commands, self.folder, self.failures, self.count, self.parts = commands, folder, [], 0, dict.fromkeys(KINDS, 0)
        self.wanted = {}  # what a form of a model computes, by its words

    def run(self, *words):
        done = self.commands(*words)
        if done.code:
            raise RuntimeError(f"{words[0]}: {done.err.strip()}")
        return done

    def values(self, words, inputs):
        out = pathlib.Path(self.folder, "values.pt")
        self.run("run", *words, "--inputs", inputs, "--seed", 0, "--save", out)
        return torch.load(out)

    def check(self, kind, words, gm, inputs, index):
        asked, made = getattr(Splits(gm, torch.load(inputs), index, self.folder), kind)()
        calls = len(calls_of(gm)) if kind != "capability" else None
        split, merged = pathlib.Path(self.folder, "split.fxg"), pathlib.Path(self.folder, "merged.fxg")
        self.run("apply", *words, "--inputs", inputs, "-o", split, *asked)
        theirs = printed(with_inputs_of(gm, made))
        self.parts[kind] += len(theirs) - 2
        own, *parts = re.split(r"^# (\S+)\n", self.run("code", split, "--all").out, flags=re.M)
        printed_here = {"graph": self.run("graph", split).out, "code": own,
                        **{f"{name} code": text for name, text in zip(parts[::2], parts[1::2])}}
        for what, text in theirs.items():
            ours = printed_here.get(what, "")
            if ours.strip() != text.strip():
                pairs = zip([*ours.strip().split("\n"), ""], [*text.strip().split("\n"), ""])
                yield f"{what}\n  here:  %s\n  there: %s" % next((a, b) for a, b in pairs if a != b)
        self.run("apply", split, "merge-parts", "-o", merged)
        key = tuple(map(str, words))
        if key not in self.wanted:
            self.wanted[key] = tree_leaves(self.values(words, inputs))
        # Each kind of split runs for some models, what is merged for the others.
        ones, others = tree_leaves(self.values([split if index % 2 else merged], inputs)), self.wanted[key]
        slack = 1e-6 if inputs.name.split(".")[0] in models.ALIGNED else 0
        if len(ones) != len(others) or not all(torch.allclose(torch.as_tensor(a), torch.as_tensor(b), rtol=slack, atol=slack, equal_nan=True)
                                               for a, b in zip(ones, others)):
            yield "computes something else " + ("split" if index % 2 else "merged")
        text = self.run("graph", merged).out
        if "submod_" in text or "fused_" in text or "_run_on_" in text:
            yield "has parts when they are merged"
        if calls is not None and text.count(" = call_") != calls:
            yield f"has {text.count(' = call_')} calls when merged, not {calls}"

    def check_model(self, name, form, words, load, inputs, index, kinds):
        for kind in kinds:
            self.count += 1
            try:
                found = list(self.check(kind, words, load(), inputs, index))
            except Exception as error:
                found = [f"{type(error).__name__}: {error}"]
            self.failures += [f"{name} {form} {kind}: {text}" for text in found]


def all_models(data, folder):
    for name in models.MODELS:
        yield name, "traced", [f"{pathlib.Path(models.__file__)}:build('{name}')", "--state", data / f"{name}.state.pt"], (
            lambda: torch.fx.symbolic_trace(models.build(name))), data / f"{name}.inputs.pt"
        for form in ("exported", "decomposed"):
            file = data / f"{name}.{form}.pt2"
            yield name, form, [file], lambda: torch.export.load(file).module(check_guards=False), data / f"{name}.inputs.pt"
    for name, make in split_models.MODELS.items():
        inputs, file = pathlib.Path(folder, f"{name}.inputs.pt"), pathlib.Path(folder, f"{name}.pt2")
        module, args = split_models.build(name), make()[1]
        torch.save(args, inputs)
        yield name, "traced", [f"{pathlib.Path(split_models.__file__)}:build('{name}')"], (
            lambda: torch.fx.symbolic_trace(split_models.build(name))), inputs
        torch.export.save(torch.export.export(module, tuple(args)), file)
        yield name, "exported", [file], lambda: torch.export.load(file).module(check_guards=False), inputs


def quantizable():
    """What torch.ao's native backend takes and gives in int8, by itself."""
    for pattern, config in get_native_backend_config()._pattern_complex_format_to_config.items():
        if isinstance(pattern, tuple) or not any(each.input_dtype == each.output_dtype == torch.quint8 for each in config.dtype_configs):
            continue
        yield (pattern if isinstance(pattern, str) else f"{pattern.__module__}.{pattern.__name__}" if isinstance(pattern, type)
               else _get_qualified_name(pattern))


def onednn():
    for each in optimization.mkldnn_supported + optimization.mkldnn_supported_unknown:
        yield f"{each.__module__}.{each.__name__}" if isinstance(each, type) else _get_qualified_name(each)


def check_tables():
    text = (HERE.parents[1] / "core/passes/split/support_tables.cpp").read_text()
    for name, wanted in (("kQuantizableTargets", quantizable()), ("kOnednnTargets", onednn())):
        words = "".join(text.split(f"{name} =")[1].split(";")[0].split('"')[1::2]).split()
        if sorted(words) != sorted(set(wanted)):
            yield f"{name}: {sorted(set(words) ^ set(wanted))}"


def main():
    program, data, wanted = sys.argv[1], pathlib.Path(sys.argv[2]), "".join(sys.argv[3:])
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(Commands(program, OMP_NUM_THREADS="1"), folder)
        for index, (name, form, words, load, inputs) in enumerate(all_models(data, folder)):
            kinds = KINDS if form == "traced" or name in split_models.MODELS else [KINDS[index % 4]]
            if name == "silent":  # torch.fx's splitter makes a part of the output, and by no tags there are no parts
                kinds = ["split_module", "capability"]
            kinds = [kind for kind in kinds if wanted in f"{name} {form} {kind}"]
            checker.check_model(name, form, words, load, inputs, index, kinds)
    if not wanted:
        checker.failures += check_tables()
        checker.failures += [f"{kind}: has made few parts" for kind, count in checker.parts.items() if count < 50]
    for failure in checker.failures:
        print(failure)
    print(f"{checker.count} cases, {len(checker.failures)} failures")
    sys.exit(1 if checker.failures or not checker.count else 0)


if __name__ == "__main__":
    main()
