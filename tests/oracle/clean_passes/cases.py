# SPDX-License-Identifier: GPL-3.0-or-later
# The passes that check_clean_passes.py applies, and what torch.fx makes of the same model.
import dataclasses
import re
import typing

import torch
import torch.nn as nn
from torch.fx.experimental import const_fold, merge_matmul, optimization
from torch.fx.experimental.normalize import NormalizeArgs, NormalizeOperators
from torch.fx.experimental.schema_type_annotation import AnnotateTypesWithSchema
from torch.fx.passes.dialect.common.cse_pass import CSEPass, get_CSE_banned_ops
from torch.fx.passes.reinplace import reinplace

import models

ALL = ("traced", "exported", "decomposed")
SOME = ("branches1", "branches3", "functions", "tied", "partly_training", "operators", "decoder", "unet", "mobile", "recurrent", "experts", "vision")


@dataclasses.dataclass
class Case:
    words: list
    forms: tuple = ALL
    oracle: typing.Callable = None  # of a GraphModule: what torch.fx makes of it
    oracle_forms: tuple = ("traced",)
    shown: typing.Callable = str  # what of a graph's text is compared
    is_training: bool = False  # the model is in training mode before, and computes what it does in evaluation mode after
    tolerance: float = 0.0  # relative, of the values
    is_idempotent: bool = True
    has_state: bool = True  # whether the state is compared, too
    differs: dict = dataclasses.field(default_factory=dict)  # models for which torch.fx does something else: the reason
    models: tuple = ()  # parts of their names; none: all
    is_for_all_sizes: bool = True  # what comes out takes inputs of other sizes, too
    runs: bool = True  # whether the values are compared
    refuses: dict = dataclasses.field(default_factory=dict)  # by name and form: what it says
    skips: dict = dataclasses.field(default_factory=dict)  # by name and form: why the values are not the same

    @property
    def name(self):
        return " ".join(self.words)

    def expected(self, name, form, words):
        """The text of the graph and the state that torch.fx leaves; none where it has no such pass."""
        if self.oracle is None or form not in self.oracle_forms or name in self.differs or f"{name} {form}" in self.differs:
            return None
        if form == "traced":
            given = torch.fx.symbolic_trace(models.build(name))
        else:
            program = torch.export.load(words[0])
            given = program.graph_module if form == "lifted" else program.module(check_guards=False)
        result = self.oracle(given)
        return str(result.graph), result.state_dict() if self.has_state else None


def targets(text):
    """What the calls of a graph call, in order."""
    found = (each.replace(".", "_") for each in re.findall(r"= call_\w+\[target=(.*?)\]", text))
    return "\n".join(each for each in found if each != "operator_getitem" and "_neg" not in each) # which nobody reads


def merged(text):
    """What the calls of a graph call, but for what takes results apart, which torch.fx has a function of its own for, and puts elsewhere."""
    return "\n".join(sorted(each for each in targets(text).split("\n") if "split" not in each and each != "size"))


def renamed(text):
    """The text with each node named by its place, as a trace anew gives other numbers to names."""
    names = re.findall(r"%(\w+) :", text)
    places = {name: f"n{place}" for place, name in enumerate(names)}
    text = re.sub(r"%(\w+)", lambda found: "%" + places.get(found[1], found[1]), text)
    return re.sub(r"return (.*)", lambda found: "return " + re.sub(r"\w+", lambda each: places.get(each[0], each[0]), found[1]), text)


def without_dead_code(gm):
    gm.graph.eliminate_dead_code()
    return gm


def without_leaves(gm):
    """Traced through all modules but those that ask for the number of dimensions; batch normalisations do so only to check it."""

    class Tracer(torch.fx.Tracer):
        def is_leaf_module(self, module, path):
            return isinstance(module, nn.modules.instancenorm._InstanceNorm) or module.training

    norms = nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d
    checks = [norm._check_input_dim for norm in norms]
    for norm in norms:
        norm._check_input_dim = lambda self, input: None
    try:
        return torch.fx.GraphModule(gm, Tracer().trace(gm))
    finally:
        for norm, check in zip(norms, checks):
            norm._check_input_dim = check


def reinplaced(gm):
    args = [node.meta["val"] for node in gm.graph.nodes if node.op == "placeholder"]
    sizes = ([size if isinstance(size, int) else size.node.hint for size in value.shape] for value in args)
    return reinplace(gm, *(torch.zeros(size, dtype=value.dtype) for size, value in zip(sizes, args)))


THEIRS_FOLDS_TWICE = "torch.fx folds into the one layer once for each call, which changes what it computes"
THEIRS_LEAVES = "torch.fx leaves these alone"
THEIRS_REFUSES = "torch.fx fails"
READS = "a tensor that is read already is read once more, or is not"
WRITES = {"layers decomposed": "is a view that the graph writes into"}

CASES = [
    Case(["fuse"], oracle=lambda gm: optimization.fuse(gm, no_trace=True), tolerance=1e-4,
         differs={"shared": THEIRS_FOLDS_TWICE, "shared_otherwise": THEIRS_FOLDS_TWICE,
                  "weight_read": "torch.fx reads the folded weight where the graph has the other",
                  "transposed": THEIRS_LEAVES, "transposed2d": THEIRS_LEAVES, "transposed3d": THEIRS_LEAVES,
                  "functions": THEIRS_LEAVES, "functions_shared": THEIRS_LEAVES,
                  "one_feature": "torch.fx gives the layer a bias of one number, ours has one for each feature",
                  "partly_training": THEIRS_REFUSES},
         skips={"wide_linear traced": "the shape is not known, as for torch.fx, and a warning says so"}),
    Case(["shape-prop", "fuse"], forms=("traced",), tolerance=1e-4, is_idempotent=False, models=("linear", "conv1d", "functions")),
    Case(["cse"], oracle=lambda gm: CSEPass(get_CSE_banned_ops())(gm).graph_module, oracle_forms=ALL, has_state=False, models=SOME,
         differs={"unet traced": THEIRS_REFUSES, "vision traced": THEIRS_REFUSES}),
    Case(["cse", "--attributes", "--pure", "all"], models=("branches1", "branches3", "functions", "tied")),
    Case(["const-fold"], oracle=const_fold.split_const_subgraphs, oracle_forms=ALL, shown=targets, has_state=False, models=SOME,
         differs={"partly_training decomposed": "torch.fx folds a count that the graph writes into afterwards"}),
    Case(["const-fold", "--max-bytes", "20"], models=("branches",)),
    Case(["remove-dropout"], forms=("traced", "exported"), oracle=optimization.remove_dropout, tolerance=1e-6, models=("branches",),
         differs={name: "torch.fx leaves functions and other classes alone" for name in ("branches2", "branches6", "layers")}),
    Case(["eval-mode"], is_training=True, tolerance=1e-5),
    Case(["dead-code"], oracle=without_dead_code, oracle_forms=ALL, models=("branches1", "tied")),
    Case(["normalize", "--no-operators"], oracle=lambda gm: NormalizeArgs(gm).transform(), models=SOME),
    Case(["normalize", "--no-operators", "--arguments", "positional"],
         oracle=lambda gm: NormalizeArgs(gm, normalize_to_only_use_kwargs=False).transform(), models=SOME),
    Case(["normalize", "--methods"], models=SOME),
    Case(["normalize", "--arguments", "as-written"], forms=("traced",), models=("operators",), has_state=False,
         oracle=lambda gm: NormalizeOperators(gm, annotate_functionals=False, annotate_modules=False, annotate_get_attrs=False).transform()),
    Case(["annotate-types"], oracle=lambda gm: AnnotateTypesWithSchema(gm).transform(), models=SOME),
    Case(["annotate-types", "--values"], models=("branches1", "operators")),
    Case(["inline-modules"], forms=("traced",), oracle=without_leaves, shown=renamed, tolerance=1e-6, has_state=False,
         differs={"conv2d": "torch.fx records the other padding as a call of its own", "tied": "torch.fx reads tied weights under one name",
                  "decoder": "torch.fx reads tied weights under one name", "shared": READS, "weight_read": READS,
                  "recurrent": THEIRS_REFUSES, "vision": THEIRS_REFUSES},
         models=SOME + ("conv2d", "layers")),
    Case(["to-aten"], forms=("traced",), is_for_all_sizes=False, tolerance=1e-5, is_idempotent=False, models=SOME),
    Case(["to-aten", "--core"], forms=("traced",), is_for_all_sizes=False, tolerance=1e-5, is_idempotent=False, models=("branches1",)),
    Case(["shape-prop", "merge-matmul"], tolerance=1e-5, is_idempotent=False, models=("products",), oracle=merge_matmul.merge_matmul,
         shown=merged, has_state=False, differs={"products3": "torch.fx merges no product of three dimensions, and fails on what it makes"}),
    Case(["shape-prop", "reinplace"], tolerance=1e-6, is_idempotent=False, models=SOME + ("products",)),
    Case(["reinplace"], forms=("lifted",), oracle=reinplaced, oracle_forms=("lifted",), shown=targets, has_state=False, runs=False, models=SOME + ("products",),
         differs={"conv2d": THEIRS_REFUSES, "layers": THEIRS_REFUSES, "recurrent": "a part of a value whose other parts were read before stays as it is"}),
    Case(["shape-prop", "channels-last"], tolerance=1e-5, is_idempotent=False, models=SOME + ("conv3d",), refuses=WRITES),
    Case(["channels-last", "--restore-outputs"], tolerance=1e-5, models=("branches1", "conv2d"), refuses=WRITES),
    Case(["fuse-attention", "--always"], forms=("traced", "exported"), tolerance=1e-5, is_for_all_sizes=False, models=("decoder", "products3", "vision")),
    Case(["lower", "--always"], tolerance=1e-4),
    Case(["cast"], tolerance=5e-2, is_idempotent=False, models=SOME),
    Case(["cast", "--dtype", "float64"], tolerance=1e-4, is_idempotent=False, models=SOME + ("layers",)),
]
