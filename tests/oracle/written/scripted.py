# SPDX-License-Identifier: GPL-3.0-or-later
# What of the models that are written as TorchScript is not as before, and why; and models for it alone.
import torch
import torch.nn as nn

import graph_modules

# Read again, their graphs say the same in other words.
OTHER_GRAPHS = {
    "Wrapped()",  # the function is entered
    "transformer", "transformer_dynamic", "transformer_decomposed",  # a tied weight has the name that comes first
    "lstm", "gru_bidirectional", "optional_tensors", "empty_tensors", "indexing",  # what depends on no input is computed
    "dtypes", "unbacked", "masked", "asserts", "unicode_strings",  # checks of the inputs are no part of the graph
    "symbolic",  # sym_max is max
    "written_special_numbers", "written_no_inputs",  # what depends on no input is computed
    "written_nonzero",  # checks
    "written_state_of_caller",  # takes its nested input apart
    "odd_names",  # an input called "_"
    "numbers_first",  # a number on the left of a tensor is on its right
    # A branch takes what it reads in the order of reading, in a tuple.
    "cond", "cond_negative", "cond_decomposed", "cond_tuple", "while_loop", "written_cond_of_buffers", "written_loop",
}
# Those that have no form in TorchScript, and what is said of them.
REFUSED = {
    "Net()": "output: a dict has values of types Tensor and List[int]",
    "Arithmetic()": "input '*rest': is a variable number of arguments",
    "nested_inputs": "input 0: is a list or dict of values of several types",
    "written_nested_outputs": "input 0: is a list or dict of values of several types",
    "written_ordered": "'collections.OrderedDict', which a graph cannot make",
    "ordered_dict": "'collections.OrderedDict', which a graph cannot make",
    "named_tuple": "'fxscope.Pair', which a graph cannot make",
    "named_submodules": "has the attribute '0-first', whose name TorchScript does not take",
    "map": "calls torch.ops.higher_order.map_impl",
    "scan": "calls torch.ops.higher_order.scan",
    "scan_reverse": "calls torch.ops.higher_order.scan",
    "associative_scan": "calls torch._functorch.predispatch.lazy_load_decompositions",
    "no_grad": "calls torch.ops.higher_order.wrap_with_set_grad_enabled",
    "autocast": "calls torch.ops.higher_order.wrap_with_autocast",
    "custom_op": "torch.ops.fxscope_test.twice.default",
    "vmap": "vmap",
}
FROZEN = {}
UNWRITABLE = {}
# Attention without gradients lays its result out otherwise, so that the mask of the dropout falls elsewhere: it is written all the same.
NOISY = """
import torch
from torch import nn


class Noisy(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)

    def forward(self, x):
        return torch.nn.functional.dropout(self.attention(x, x, x)[0], training=True)
"""


def frozen(function):
    FROZEN[function.__name__] = function
    return function


def unwritable(function):
    UNWRITABLE[function.__name__] = function
    return function


@frozen
def images():
    layers = nn.Conv2d(2, 4, 3, bias=False), nn.BatchNorm2d(4), nn.ReLU(), nn.Dropout(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 3)
    return nn.Sequential(*layers).eval(), (graph_modules.randn(2, 2, 6, 6),)


@frozen
def words():
    return nn.TransformerEncoderLayer(8, 2, 16, batch_first=True).eval(), (graph_modules.randn(2, 3, 8),)


@unwritable
def training_mode_frozen(folder):
    torch.save(torch.fx.symbolic_trace(nn.Sequential(nn.Linear(2, 2), nn.Dropout())), folder / "model.pt")
    return (folder / "model.pt", "--freeze"), "is in training mode, and a frozen program has no modes"


@unwritable
def no_graph(folder):
    torch.save(nn.Linear(2, 2).state_dict(), folder / "state.pt")
    return (folder / "state.pt",), "has no graph"
