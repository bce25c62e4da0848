# SPDX-License-Identifier: GPL-3.0-or-later
# _SplitterBase: cuts a graph into parts that run on an accelerator, and parts that do not. Which nodes an accelerator takes is found in
# _splitter_nodes.py; what the previews report is in _splitter_reports.py.
import copy
import os
from collections import defaultdict
from dataclasses import dataclass
from typing import Any, NamedTuple, Optional
import torch
from torch.fx.passes.graph_manipulation import get_size_of_node
from ._splitter_nodes import DUMP_PREFIX, TRACKER_MODE, FxNetAccNodesFinder, NodeEvent, NodeEventTracker
from ._splitter_reports import _Reports
from .operator_support import OperatorSupportBase, get_node_target
from .shape_prop import ShapeProp
from .split_utils import move_non_tensor_nodes_on_boundary, split_by_tags
from .tools_common import CALLABLE_NODE_OPS, FxNetAccFusionsFinder, NodeList, NodeSet, Tensors, is_node_output_tensor

__all__ = ['FxNetAccNodesFinder', 'FxNetSplitterInternalError', 'Subgraph', 'SplitResult', 'generate_inputs_for_submodules', 'NodeEvent',
           'NodeEventTracker']

DEFAULT_MIN_ACC_MODULE_SIZE = 1
DEFAULT_SKIP_FUSION = False
DEFAULT_ALLOW_NON_TENSOR = False


class _SplitterSettingBase:
    # PyTorch also looks for these on the command line of the program; there is none here.
    def __init__(self, min_acc_module_size=DEFAULT_MIN_ACC_MODULE_SIZE, skip_fusion=DEFAULT_SKIP_FUSION,
                 allow_non_tensor=DEFAULT_ALLOW_NON_TENSOR, max_acc_splits=-1, move_non_tensor_nodes_on_boundary=False):
        self.min_acc_module_size = min_acc_module_size
        self.skip_fusion = skip_fusion
        self.allow_non_tensor = allow_non_tensor
        self.max_acc_splits = max_acc_splits
        self.move_non_tensor_nodes_on_boundary = move_non_tensor_nodes_on_boundary


class FxNetSplitterInternalError(Exception):
    pass


@dataclass
class Subgraph:
    is_acc: bool
    nodes: NodeList
    device_ordinal: Optional[int] = None


class SplitResult(NamedTuple):
    split_module: torch.fx.GraphModule
    submodule_inputs: dict[str, Any]
    non_acc_submodule_prefix: str


def generate_inputs_for_submodules(model, inputs, target_submodules, deepcopy=False):
    # What the submodules get when the model is called with the inputs.
    found, handles = {}, []
    names = {module: name for name, module in model.named_modules()}

    def keep(module, given):
        found[names[module]] = copy.deepcopy(given) if deepcopy else given

    for name, module in model.named_modules():
        if name in target_submodules:
            handles.append(module.register_forward_pre_hook(keep))
    try:
        with torch.no_grad():
            model(*inputs)
    finally:
        for handle in handles:
            handle.remove()
    return found


class _SplitterBase(_Reports):
    # Bytes per second between the accelerator and the rest.
    PCIe_BW = 100 * 2**30

    def __init__(self, module, sample_input, operator_support, settings, non_acc_submodule_name='_run_on_cpu_', return_tuple=False,
                 nodes_finder=None):
        if not isinstance(module, torch.fx.GraphModule):
            raise AssertionError(f'Expected GraphModule, got {type(module)}')
        self.module = module
        ShapeProp(module).propagate(*sample_input)
        self.settings = settings
        self.operator_support = operator_support
        self.sample_input = sample_input
        if nodes_finder is None:
            nodes_finder = FxNetAccNodesFinder(module, operator_support, settings.allow_non_tensor)
        self.acc_nodes = nodes_finder()
        self.fusions = {}
        if not settings.skip_fusion:
            self.fusions = FxNetAccFusionsFinder(module, self.acc_nodes)()
            self._merge_overlapping_fusions()
        self.deps = self.find_deps()
        self.update_deps_for_fusions()
        self.non_acc_submodule_name = non_acc_submodule_name
        self._node_submodule_map = {}
        self._return_tuple = return_tuple
        self.tags = []

    def get_node_submodule_map(self):
        return self._node_submodule_map

    def _calls(self):
        return [node for node in self.module.graph.nodes if node.op in CALLABLE_NODE_OPS]

    def find_deps(self):
        deps = defaultdict(set)
        for node in self._calls():
            for user in node.users:
                if user.op != 'output':
                    deps[user].add(node)
        return deps

    def update_deps_for_fusions(self):
        # What stays together waits for the same nodes, and who waits for one of it waits for all.
        for node, fusion in self.fusions.items():
            for other in fusion:
                self.deps[node].update(self.deps[other] - fusion)
                for user in other.users:
                    if user not in fusion:
                        self.deps[user].add(node)

    def _merge_overlapping_fusions(self):
        if os.environ.get('_SPLITTER_MERGE_OVERLAPPING_FUSIONS', '0') != '1' or not self.fusions:
            return
        groups = list({id(group): group for group in self.fusions.values()}.values())
        merged = []
        for group in groups:
            touched = [other for other in merged if other & group]
            merged = [other for other in merged if not other & group] + [set(group).union(*touched)]
        if len(merged) == len(groups):
            return
        for group in merged:
            self.fusions.update(dict.fromkeys(group, group))

    def _lower_model_to_backend(self, mod, inputs):
        return mod

    def _find_culprit(self, mod, inputs):
        return 'Unable to find a culprit because _find_culprit() function is not implemented.'

    def find_reverse_deps(self, tag_id=None):
        result = defaultdict(set)
        for node in self._calls():
            for user in node.users:
                if user.op in CALLABLE_NODE_OPS and (tag_id is None or int(user.tag.split('_')[-1]) < tag_id):
                    result[node].add(user)
        return result

    def update_reverse_deps_for_fusions(self, deps):
        done = set()
        for node, fusion in self.fusions.items():
            if node in done:
                continue
            users = set().union(*(deps[n] for n in fusion)) - fusion
            for n in fusion:
                deps[n] = users
                for arg in n.all_input_nodes:
                    if arg not in fusion:
                        deps[arg].update(fusion)
                done.add(n)

    def find_parent_nodes_of_subgraph(self, tag):
        return {arg for node in self._calls() if node.tag == tag for arg in node.all_input_nodes
                if arg.op in CALLABLE_NODE_OPS and arg.tag != tag}

    def extend_acc_subgraph(self, tag):
        # Nodes before the part go into it, as long as nobody else waits for them.
        deps = self.find_reverse_deps(tag_id=int(tag.rsplit('_', maxsplit=1)[-1]))
        self.update_reverse_deps_for_fusions(deps)
        parents = self.find_parent_nodes_of_subgraph(tag)
        visited = set()
        while parents:
            node = next((n for n in parents if deps[n] <= visited and n in self.acc_nodes), None)
            if node is None:
                break
            node.tag = tag
            parents.remove(node)
            visited.add(node)
            parents.update(n for n in self.fusions.get(node, ()) if n not in visited)
            parents.update(arg for arg in node.all_input_nodes if arg.op in CALLABLE_NODE_OPS and arg not in visited)

    def starter_nodes(self):
        # The nodes that read inputs and weights, or nothing.
        cpu, acc = set(), set()
        for node in self.module.graph.nodes:
            starters = []
            if node.op == 'call_function' and len(node.all_input_nodes) == 0:
                starters = [node]
            elif node.op in ('placeholder', 'get_attr'):
                starters = node.users
            for starter in starters:
                (acc if starter in self.acc_nodes else cpu).add(starter)
        return cpu, acc

    def put_nodes_into_subgraphs(self):
        cpu, acc = self.starter_nodes()
        visited = set()
        on_acc = not any(len(self.deps[n]) == 0 for n in cpu)
        nodes, subgraphs = [], []
        while cpu or acc:
            waiting = acc if on_acc else cpu
            node = next((n for n in waiting if self.deps[n] <= visited), None)
            if node is None:
                # Nothing more for this side: the other one goes on.
                if not nodes:
                    raise FxNetSplitterInternalError("Subgraph can't be empty")
                subgraphs.append(Subgraph(is_acc=on_acc, nodes=nodes))
                on_acc, nodes = not on_acc, []
                continue
            waiting.remove(node)
            visited.add(node)
            nodes.append(node)
            if node in self.fusions:
                (acc if node in self.acc_nodes else cpu).update(self.fusions[node] - visited)
            for user in node.users:
                if user.op in CALLABLE_NODE_OPS:
                    (acc if user in self.acc_nodes else cpu).add(user)
        if nodes:
            subgraphs.append(Subgraph(is_acc=on_acc, nodes=nodes))
        if not subgraphs:
            raise FxNetSplitterInternalError("Couldn't create subgraphs")
        return subgraphs

    def remove_small_acc_subgraphs(self, subgraphs):
        result = []
        smallest = self.settings.min_acc_module_size
        for subgraph in subgraphs:
            if subgraph.is_acc and len(subgraph.nodes) >= smallest:
                result.append(subgraph)
                continue
            if subgraph.is_acc:
                print("Eliminating acc subgraph because it's smaller than the threshold: "
                      f'{len(subgraph.nodes)} < {smallest}')
                joins = bool(result)
                subgraph.is_acc = joins
            else:
                joins = bool(result) and not result[-1].is_acc
            if joins:
                result[-1].nodes.extend(subgraph.nodes)
            else:
                result.append(subgraph)
        return result

    def _name(self, is_acc, number):
        return f'_run_on_acc_{number}' if is_acc else f'{self.non_acc_submodule_name}{number}'

    def tag(self, subgraphs):
        self.tags = []
        for subgraph in subgraphs:
            tag = self._name(subgraph.is_acc, len(self.tags))
            self.tags.append(tag)
            for node in subgraph.nodes:
                if hasattr(node, 'tag'):
                    raise FxNetSplitterInternalError(f'Node {node} was already tagged')
                node.tag = tag
                self._node_submodule_map[node.name] = tag

    def split(self, remove_tag=False):
        result = split_by_tags(self.module, self.tags, return_tuple=self._return_tuple)
        for node in self.module.graph.nodes if remove_tag else ():
            if hasattr(node, 'tag'):
                del node.tag
        return result

    def __call__(self):
        subgraphs = self.put_nodes_into_subgraphs()
        if self.settings.move_non_tensor_nodes_on_boundary:
            move_non_tensor_nodes_on_boundary(subgraphs)
        subgraphs = self.remove_small_acc_subgraphs(subgraphs)
        acc = sum(bool(s.is_acc) for s in subgraphs)
        print(f'Got {acc} acc subgraphs and {len(subgraphs) - acc} non-acc subgraphs')
        self.tag(subgraphs)
        return self.split()

    def generate_split_results(self):
        split = self()
        names = [name for name, _ in split.named_children()]
        if 0 < self.settings.max_acc_splits < len(names):
            raise ValueError('Cannot fulfill max_acc_splits limit. This may cause split fragmentation and '
                             'result in performance issues.')
        return SplitResult(split, generate_inputs_for_submodules(split, self.sample_input, names), self.non_acc_submodule_name)
