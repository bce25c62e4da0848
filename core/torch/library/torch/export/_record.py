# SPDX-License-Identifier: GPL-3.0-or-later
# What a .pt2 says beside its graph (core/io/pt2/pt2_record.h), as ExportedProgram has it.
import dataclasses
import json

import torch.utils._pytree as pytree
from torch.fx.experimental.sym_node import Symbol
from torch.utils._sympy.numbers import int_oo
from torch.utils._sympy.value_ranges import ValueRanges

from .graph_signature import ConstantArgument, SymBoolArgument, SymFloatArgument, SymIntArgument, TensorArgument


@dataclasses.dataclass
class ModuleCallSignature:
    inputs: list
    outputs: list
    in_spec: object
    out_spec: object
    forward_arg_names: object = None


@dataclasses.dataclass
class ModuleCallEntry:
    fqn: str
    signature: object = None


_NAMED = {'as_tensor': TensorArgument, 'as_sym_int': SymIntArgument, 'as_sym_float': SymFloatArgument, 'as_sym_bool': SymBoolArgument}


def _argument(given):
    kind, value = next(iter(given.items()))
    if kind not in _NAMED:
        return ConstantArgument(name='', value=None if kind == 'as_none' else value)
    while not isinstance(value.get('name', value.get('as_name')), str):  # a symbol is written one level deeper
        value = next(iter(value.values()))
    return _NAMED[kind](value.get('name', value.get('as_name')))


def _entry(given):
    told = given.get('signature')
    if told is None:
        return ModuleCallEntry(given['fqn'])
    return ModuleCallEntry(given['fqn'], ModuleCallSignature(
        [_argument(each) for each in told['inputs']], [_argument(each) for each in told['outputs']],
        pytree.treespec_loads(told['in_spec']), pytree.treespec_loads(told['out_spec']), told.get('forward_arg_names')))


class Record:
    def __init__(self, text, examples):
        told = json.loads(text) if text else {}
        self.dialect = told.get('dialect', 'TRAINING')
        self.module_call_graph = [_entry(each) for each in told.get('calls', [])]
        self.range_constraints = {}
        for name, ends in (told.get('ranges') or {}).items():
            least, most = ends.get('min_val'), ends.get('max_val')
            self.range_constraints[Symbol(name)] = ValueRanges(-int_oo if least is None else least, int_oo if most is None else most)
        root = next((entry.signature for entry in self.module_call_graph if entry.fqn == ''), None)
        self.in_spec, self.out_spec = (root.in_spec, root.out_spec) if root else (None, None)
        is_given = examples is not None and self.in_spec is not None
        self.example_inputs = pytree.tree_unflatten(examples, self.in_spec) if is_given else None

    def set_example_inputs(self, value):
        if value is not None:
            self._check(value)
        self.example_inputs = value

    def _check(self, value):
        is_pair = isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], tuple) and isinstance(value[1], dict)
        if not is_pair:
            raise ValueError('Example inputs should be a tuple containing example arguments (as a tuple), and example kwargs (as a '
                             'dictionary).')
        expected = self.in_spec.child(1).context
        if set(value[1]) != set(expected):
            raise ValueError(f'Ran into a kwarg keyword mismatch: Got the following keywords {list(value[1])} but expected {expected}')
        received = pytree.tree_structure((value[0], {name: value[1][name] for name in expected}))
        if received != self.in_spec:
            raise ValueError(f'Trying to flatten user inputs with exported input tree spec: \n{self.in_spec}\nbut actually got inputs '
                             f'with tree spec of: \n{received}.\nPlease check that the inputs have the same number and type of args and '
                             'kwargs as the ones you used when tracing.')
