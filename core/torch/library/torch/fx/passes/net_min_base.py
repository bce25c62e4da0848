# SPDX-License-Identifier: GPL-3.0-or-later
# _MinimizerBase: finds the nodes of a model whose parts give something else, or fail, when they are run in another way. How it goes
# through the nodes is in _minimizer_traversals.py.
from dataclasses import dataclass
import torch
import torch.fx
from torch.fx.node import map_arg
from ._minimizer_traversals import (FxNetMinimizerBadModuleError, FxNetMinimizerResultMismatchError, FxNetMinimizerRunFuncError,
                                    _Traversals)
from .shape_prop import ShapeProp
from .split_utils import split_by_tags
from .tools_common import CALLABLE_NODE_OPS, FxNetAccFusionsFinder, Names, NodeList, NodeSet, TensorOrTensors, Tensors

__all__ = ['FxNetMinimizerBadModuleError', 'FxNetMinimizerRunFuncError', 'FxNetMinimizerResultMismatchError']


@dataclass
class _MinimizerSettingBase:
    accumulate_error: bool = False  # the other way gets its own results for inputs, not those of the first
    traverse_method: str = 'sequential'
    find_all: bool = False
    return_intermediate: bool = False  # run_nodes gives what each node gives
    all_outputs: bool = False  # all results of a part are compared, not only its last node's

    def __str__(self):
        return 'FX Minimizer Settings:\n' + ''.join(f'\t{name}: {value}\n' for name, value in vars(self).items())


class _MinimizerBase(_Traversals):
    def __init__(self, module, sample_input, compare_fn, settings, module_exporter=None, exclusion_fn=None):
        if not isinstance(module, torch.fx.GraphModule):
            raise AssertionError(f'Expected GraphModule, got {type(module)}')
        self.module = module
        self.sample_input = sample_input
        self.compare_fn = compare_fn
        self.module_exporter = module_exporter
        self.settings = settings
        self.exclusion_fn = exclusion_fn
        self.a_outputs = {}  # what run_a gave, by the names of nodes
        self.b_outputs = {}
        self.results = {}
        self.reports = []
        self.iteration = 0

        calls = {node for node in module.graph.nodes if node.op in CALLABLE_NODE_OPS}
        self.run_shape_prop()
        self.fusions = FxNetAccFusionsFinder(module, calls)()
        inputs = _placeholders(module)
        if len(inputs) != len(sample_input):
            raise AssertionError(f'Placeholder count ({len(inputs)}) does not match sample_input count ({len(sample_input)})')
        self.a_outputs.update(zip(inputs, sample_input))
        self.b_outputs.update(zip(inputs, sample_input))

    def run_shape_prop(self):
        ShapeProp(self.module).propagate(*self.sample_input)

    def run_a(self, mod, inputs, report_idx=-1):
        raise RuntimeError('run_a() is not implemented.')

    def run_b(self, mod, inputs, report_idx=-1):
        raise RuntimeError('run_b() is not implemented.')

    def _store_outputs(self, a_result, b_result, submodule):
        given = next(node for node in submodule.graph.nodes if node.op == 'output').args[0]
        if isinstance(given, torch.fx.Node):
            given, a_result, b_result = (given,), (a_result,), (b_result,)
        for i, node in enumerate(given):
            self.a_outputs[node.name] = a_result[i]
            self.b_outputs[node.name] = b_result[i]

    def _get_submod_inputs(self, main_module, submod_path):
        submodule = getattr(main_module, submod_path)
        names = _placeholders(submodule)
        if set(names) <= self.a_outputs.keys():
            a_input = [self.a_outputs[name] for name in names]
            b_input = [self.b_outputs[name] for name in names]
        else:
            if self.settings.accumulate_error:
                print(f"Can't find previous stored outputs named {names}!")
            a_input = []

            def keep(module, inputs):
                nonlocal a_input
                a_input = inputs

            handle = submodule.register_forward_pre_hook(keep)
            main_module(*self.sample_input)
            handle.remove()
            b_input = a_input
        return (a_input, b_input) if self.settings.accumulate_error else (a_input, a_input)

    def _tag_nodes(self, selected_nodes):
        # The selected nodes are one part, what depends on them the part after it, the rest the part before.
        for node in self.module.graph.nodes:
            if node.op not in CALLABLE_NODE_OPS:
                continue
            if node in selected_nodes:
                node.tag = 'minimize'
            elif any(n.tag in ('minimize', 'main_1') for n in node.all_input_nodes if n.op in CALLABLE_NODE_OPS):
                node.tag = 'main_1'
            else:
                node.tag = 'main_0'

    def _build_submodule(self, nodes):
        self._tag_nodes(nodes)
        split = split_by_tags(self.module, ['main_0', 'minimize', 'main_1'])
        found = [name for name, _ in split.named_children() if 'minimize' in name]
        if len(found) > 1:
            raise FxNetMinimizerBadModuleError(f'Expected only one minimize submodule with nodes {nodes}')
        if not found:
            raise FxNetMinimizerBadModuleError(f'Minimize submodule was not found with nodes {nodes}')
        return split, found[0]

    def _give_only(self, submodule, names):
        graph = submodule.graph
        nodes = []
        for node in graph.nodes:
            if node.op == 'output':
                graph.erase_node(node)
            if node.name in names:
                nodes.append(node)
        graph.output(nodes[0] if len(nodes) == 1 else tuple(nodes))
        graph.lint()
        submodule.recompile()

    def _export(self, result_key, a_input, b_input, submodule):
        # Of several results the name of the first.
        if isinstance(result_key, tuple):
            result_key = result_key[-1]
        if isinstance(result_key, tuple):
            result_key = str(result_key[0])
        self.module_exporter(a_input, submodule, result_key + '_cpu')
        self.module_exporter(b_input, submodule, result_key + '_acc')
        return result_key

    def _run_and_compare(self, split_module, submod_name, output_names, report_idx=-1):
        submodule = getattr(split_module, submod_name)
        a_input, b_input = self._get_submod_inputs(split_module, submod_name)
        if len(self.reports) == 0:
            self.reports.append([])
            self.iteration = 1
        report = self.reports[report_idx if report_idx >= 0 else self.iteration - 1]
        report.append('Run and compare ...')
        if output_names and not self.settings.all_outputs:
            self._give_only(submodule, output_names)
        for node in submodule.graph.nodes:
            if node.op == 'output':
                result_key = map_arg(node.args, lambda n: n.name)

        try:
            a_result = self.run_a(submodule, a_input, report_idx)
            b_result = self.run_b(submodule, b_input, report_idx)
            self._store_outputs(a_result, b_result, submodule)
        except Exception as e:
            words = f'Exception raised when running {submod_name}: {e}'
            report.append(words)
            raise FxNetMinimizerRunFuncError(words)

        names = [str(name) for name in result_key] if output_names is None else output_names
        accuracy, matches = self.compare_fn(a_result, b_result, names)
        self.results[result_key] = accuracy
        report.append(f'Numerical accuracy = {accuracy}')
        if not matches:
            report.append(f'Result mismatch for {result_key}')
            if self.module_exporter:
                result_key = self._export(result_key, a_input, b_input, submodule)
            raise FxNetMinimizerResultMismatchError(f'Result mismatch for {result_key}')

    def _collect_nodes(self, start, end):
        found = []
        inside = start is None
        for node in self.module.graph.nodes:
            if node.op not in CALLABLE_NODE_OPS:
                continue
            inside = inside or node.name == start
            if inside:
                found.append(node)
            if node.name == end:
                break
        return found

    def run_nodes(self, start=None, end=None):
        nodes = self._collect_nodes(start, end)
        chosen = set(nodes).union(*(self.fusions[node] for node in nodes if node in self.fusions))
        names = [node.name for node in nodes] if self.settings.return_intermediate else []
        try:
            split, name = self._build_submodule(chosen)
            self._run_and_compare(split, name, names)
        except (FxNetMinimizerRunFuncError, FxNetMinimizerResultMismatchError) as e:
            print(e)

    def print_report(self, report):
        for i, line in enumerate(report):
            print(' . ' + line if i > 0 else line)

    def print_reports(self):
        for report in self.reports:
            self.print_report(report)

    def minimize(self, start=None, end=None, skip_nodes=None, find_last_node=None):
        print(self.settings)
        print(self.module.graph)
        nodes = self._collect_nodes(start, end)
        method = self.settings.traverse_method
        if method == 'sequential':
            return self._sequential_traverse(nodes)
        if method == 'binary':
            return self._binary_traverse(nodes)
        if method == 'accumulate':
            return self._accumulate_traverse(nodes)
        if method == 'skip':
            if skip_nodes is None:
                raise RuntimeError("'skip_nodes' can't be None when 'traverse_method' is 'skip'.")
            return self._skip_traverse(nodes, skip_nodes)
        if method == 'defined':
            return self._defined_traverse(nodes)
        if method == 'block':
            return self._block_traverse(nodes, find_last_node)
        raise RuntimeError(f'Unknown traverse method {method}!')


def _placeholders(module):
    return [node.name for node in module.graph.nodes if node.op == 'placeholder']
