# SPDX-License-Identifier: GPL-3.0-or-later
# What splitter_base.py reports before it splits: the kinds of nodes that an accelerator takes, and how the parts would do.
from collections import defaultdict
import torch
from torch.fx.node import map_arg
from torch.fx.passes.graph_manipulation import get_size_of_node
from .operator_support import get_node_target
from .shape_prop import ShapeProp
from .tools_common import CALLABLE_NODE_OPS, is_node_output_tensor


def _dtype_of(value):
    return getattr(value.meta.get('tensor_meta'), 'dtype', None) if isinstance(value, torch.fx.Node) else None


def _dtypes(node):
    positional = [_dtype_of(value) for value in node.args]
    while positional and positional[-1] is None:
        positional.pop()
    named = tuple((name, _dtype_of(value)) for name, value in node.kwargs.items() if isinstance(value, torch.fx.Node))
    return tuple(positional), named


def _inputs_of(main, part, inputs):
    found = None

    def keep(module, given):
        nonlocal found
        found = given

    handle = part.register_forward_pre_hook(keep)
    main(*inputs)
    handle.remove()
    if found is None:
        raise AssertionError('Forward pre-hook did not capture inputs')
    return found


class _Reports:
    def node_support_preview(self, dump_graph=False):
        submodules = dict(self.module.named_modules())
        supported, unsupported = defaultdict(set), defaultdict(set)
        for node in self.module.graph.nodes:
            if node.op in CALLABLE_NODE_OPS:
                target = get_node_target(submodules, node)
                kinds = supported if self.operator_support.is_node_supported(submodules, node) else unsupported
                kinds[target].add(_dtypes(node))
        report = ''
        for word, kinds in (('Supported', supported), ('Unsupported', unsupported)):
            report += f'\n{word} node types in the model:\n'
            for target, dtypes in kinds.items():
                report += ''.join(f'{target}: ({positional}, {dict(named)})\n' for positional, named in dtypes)
        print(report)
        return report

    def _counted(self, when, subgraphs):
        acc = sum(bool(part.is_acc) for part in subgraphs)
        return (f'{when} removing small acc subgraphs, total {len(subgraphs)} subgraphs are created: {acc} acc subgraphs and '
                f'{len(subgraphs) - acc} cpu subgraphs.\n')

    def _sizes(self, part):
        # What is said of the inputs and outputs of a part, and how many bytes they have.
        totals, said = {'Input': 0, 'Output': 0}, {'Input': '', 'Output': ''}

        def look(kind, node):
            if is_node_output_tensor(node):
                totals[kind] += get_size_of_node(part, node)[0]
            else:
                said[kind] += f'{kind} {node.name} is not a tensor, this might cause problems during lowering!\n'

        for node in part.graph.nodes:
            if node.op == 'placeholder':
                look('Input', node)
            if node.op == 'output':
                map_arg(node.args, lambda n: look('Output', n))
        text = f"Checking inputs...\n{said['Input']}Checking outputs...\n{said['Output']}"
        return text, totals['Input'], totals['Output']

    def _lowered(self, part, inputs):
        try:
            lowered = self._lower_model_to_backend(part, inputs)
        except RuntimeError:
            return 'Run into an error during lowering!\n' + self._find_culprit(part, inputs)
        try:
            lowered(*inputs)
        except RuntimeError:
            return 'Run into an error during inference!\n' + self._find_culprit(part, inputs)
        return 'Lowering and running succeed!\n'

    def split_preview(self, dump_graph=False):
        subgraphs = self.put_nodes_into_subgraphs()
        report = self._counted('Before', subgraphs)
        subgraphs = self.remove_small_acc_subgraphs(subgraphs)
        report += self._counted('After', subgraphs)
        for i, part in enumerate(subgraphs):
            report += f'{self._name(part.is_acc, i)}: {len(part.nodes)} node(s)\n'
        self.tag(subgraphs)
        split = self.split(remove_tag=True)
        split.eval()

        max_qps, bottleneck = self.PCIe_BW, ''
        for node in split.graph.nodes:
            if node.op != 'call_module' or 'acc' not in node.target:
                continue
            part = getattr(split, node.target)
            inputs = _inputs_of(split, part, self.sample_input)
            ShapeProp(part).propagate(*inputs)
            text, taken, given = self._sizes(part)
            qps = self.PCIe_BW / max(taken, given)
            if qps < max_qps:
                max_qps, bottleneck = qps, node.target
            report += (f'\nProcessing acc submodule {node.target}\n{text}Total input size in bytes is {taken}, total output size in '
                       f'bytes is {given}, theoretical max qps (bounds by PCIe bandwidth) for this submodule is {qps}.\n')
            report += self._lowered(part, inputs)
        report += f'\nTheoretical max qps (bounds by PCIe bandwidth) for this model is {max_qps}, bottleneck is submodule {bottleneck}.'
        print(report)
        return report
