# SPDX-License-Identifier: GPL-3.0-or-later
# Faster inference: batch normalization folded into the layer before it, no dropout, and MKLDNN's own layout of tensors where
# enough calls in a row know it.
import copy
import logging
import operator
import time
from collections import defaultdict
import torch
import torch.fx as fx
import torch.nn as nn
import torch.nn.functional as F
import torch.utils.mkldnn as mkldnn
from torch.fx.node import Argument, Target
from torch.fx.passes.shape_prop import ShapeProp
from torch.nn.utils.fusion import fuse_conv_bn_eval, fuse_linear_bn_eval

__all__ = ['matches_module_pattern', 'replace_node_module', 'fuse', 'remove_dropout', 'extract_subgraph', 'modules_to_mkldnn',
           'reset_modules', 'MklSubgraph', 'gen_mkl_autotuner', 'use_mkl_length', 'UnionFind', 'optimize_for_inference']


def _parent_name(target):
    parent, _, name = target.rpartition('.')
    return parent, name


def _text_target(node):
    if not isinstance(node.target, str):
        raise AssertionError(f'Expected str target, got {type(node.target)}')
    return node.target


def matches_module_pattern(pattern, node, modules):
    if len(node.args) == 0:
        return False

    def calls(caller, kind):
        return (isinstance(caller, fx.Node) and caller.op == 'call_module' and isinstance(caller.target, str)
                and caller.target in modules and type(modules[caller.target]) is kind)

    return all(calls(caller, kind) for kind, caller in zip(pattern, (node.args[0], node)))


def replace_node_module(node, modules, new_module):
    target = _text_target(node)
    parent, name = _parent_name(target)
    modules[target] = new_module
    setattr(modules[parent], name, new_module)


def fuse(model, inplace=False, no_trace=False):
    pairs = [(nn.Conv1d, nn.BatchNorm1d, fuse_conv_bn_eval), (nn.Conv2d, nn.BatchNorm2d, fuse_conv_bn_eval),
             (nn.Conv3d, nn.BatchNorm3d, fuse_conv_bn_eval), (nn.Linear, nn.BatchNorm1d, fuse_linear_bn_eval)]
    if not inplace:
        model = copy.deepcopy(model)
    traced = model if no_trace and isinstance(model, fx.GraphModule) else fx.symbolic_trace(model)
    modules = dict(traced.named_modules())
    graph = copy.deepcopy(traced.graph)
    for first, second, fold in pairs:
        for node in graph.nodes:
            if not matches_module_pattern((first, second), node, modules):
                continue
            source = node.args[0]
            # Nobody else may read what the first layer gives, and the second must know its means.
            if len(source.users) > 1 or not modules[node.target].track_running_stats:
                continue
            replace_node_module(source, modules, fold(modules[source.target], modules[node.target]))
            node.replace_all_uses_with(source)
            graph.erase_node(node)
    return fx.GraphModule(traced, graph)


def remove_dropout(model):
    class DropoutRemover(fx.Transformer):
        def call_module(self, target, args, kwargs):
            if not isinstance(self.submodules[target], nn.Dropout):
                return super().call_module(target, args, kwargs)
            if len(args) != 1:
                raise AssertionError(f'Expected 1 arg for Dropout, got {len(args)}')
            return args[0]

    return DropoutRemover(fx.symbolic_trace(model)).transform()


def extract_subgraph(orig_module, nodes, inputs, outputs):
    graph = fx.Graph()
    copies = {}
    for source in inputs:
        copies[source] = graph.placeholder(source.name)
    for node in nodes:
        copies[node] = graph.node_copy(node, lambda n: copies[n])
    graph.output([copies[output] for output in outputs])
    graph.lint()
    return fx.GraphModule(orig_module, graph)


mkldnn_supported = [nn.Conv2d, nn.Linear, nn.BatchNorm2d, nn.ReLU, nn.MaxPool2d, nn.AvgPool2d, nn.AdaptiveAvgPool2d, torch.relu,
                    torch.transpose, torch.sigmoid, F.relu, F.avg_pool2d, F.adaptive_avg_pool2d]
# These may have a number for an argument: they are taken where an argument is MKLDNN's already.
mkldnn_supported_unknown = [operator.add, operator.mul]


mkldnn_map = {nn.Conv2d: mkldnn.MkldnnConv2d, nn.Linear: mkldnn.MkldnnLinear,
              nn.BatchNorm2d: lambda module, dtype: mkldnn.MkldnnBatchNorm(module)}


def modules_to_mkldnn(nodes, modules):
    old_modules = {}
    for node in nodes:
        if node.op != 'call_module':
            continue
        module = modules[_text_target(node)]
        if type(module) not in mkldnn_map:
            continue
        made = mkldnn_map[type(module)](module, torch.float)
        if not isinstance(made, nn.Module):
            raise AssertionError(f'Expected nn.Module, got {type(made)}')
        old_modules[made] = copy.deepcopy(module)
        replace_node_module(node, modules, made)
    return old_modules


def reset_modules(nodes, modules, old_modules):
    for node in nodes:
        if node.op == 'call_module':
            module = modules[_text_target(node)]
            if module in old_modules:
                replace_node_module(node, modules, old_modules[module])


class MklSubgraph:
    def __init__(self, fx_graph):
        self.fx_graph = fx_graph
        self.nodes = []
        self.start_nodes = []
        self.end_nodes = []


def gen_mkl_autotuner(example_inputs, iters=10, warmup=1):
    fx_model = None
    old_modules = None

    def seconds(f):
        for _ in range(warmup):
            f()
        begin = time.time()
        for _ in range(iters):
            f()
        return time.time() - begin

    def use_mkl_heuristic(graph):
        nonlocal fx_model, old_modules
        if fx_model is None:
            fx_model = graph.fx_graph.owning_module
            if fx_model is None:
                raise AssertionError('fx_graph.owning_module must not be None')
            old_modules = graph.fx_graph.old_modules
            ShapeProp(fx_model).propagate(example_inputs)
        samples = [torch.randn(node.shape) for node in graph.start_nodes]
        outputs = [node.args[0] for node in graph.end_nodes]
        part = extract_subgraph(fx_model, graph.nodes, graph.start_nodes, outputs)
        with_mkl = seconds(lambda: [value.to_dense() for value in part(*[sample.to_mkldnn() for sample in samples])])
        reset_modules(part.graph.nodes, dict(part.named_modules()), old_modules)
        without = seconds(lambda: part(*samples))
        return with_mkl < without

    return use_mkl_heuristic


def use_mkl_length(graph):
    return len(graph.nodes) > 2


class UnionFind:
    def __init__(self, n):
        self.parent = [None] * n
        self.size = [0] * n

    def make_set(self, v):
        self.parent[v] = v
        self.size[v] = 1

    def find(self, v):
        above = self.parent[v]
        if above == v:
            return v
        if above is None:
            raise AssertionError('Parent is None')
        self.parent[v] = self.find(above)
        return self.parent[v]

    def join(self, a, b):
        a, b = self.find(a), self.find(b)
        if a == b:
            return a
        if self.size[a] < self.size[b]:
            a, b = b, a
        self.parent[b] = a
        self.size[a] += self.size[b]


def _is_method(node, name):
    return node.op == 'call_method' and node.target == name


def _knows_layout(node, modules):
    if node.op == 'call_module':
        module = modules[node.target]
        if type(module) not in mkldnn_supported:
            return False
        sample = next(module.parameters(), None)
        if sample is not None and sample.dtype != torch.float:
            raise AssertionError('this pass is only for torch.float modules')
        if sample is not None and sample.device != torch.device('cpu'):
            raise AssertionError('this pass is only for CPU modules')
        return True
    if node.op != 'call_function':
        return False
    if node.target in mkldnn_supported:
        return True
    return node.target in mkldnn_supported_unknown and any(arg.target == 'to_dense' for arg in node.args)


def _insert_conversions(graph, modules):
    for node in list(graph.nodes):
        if not _knows_layout(node, modules):
            continue
        with graph.inserting_before(node):
            node.args = fx.map_arg(node.args, lambda n: graph.call_method('to_mkldnn', (n,)))
        with graph.inserting_after(node):
            dense = graph.create_node('call_method', 'to_dense', (node,))
            node.replace_all_uses_with(dense)
            dense.args = (node,)


def _drop_round_trips(graph):
    # a -> to_dense -> to_mkldnn -> b  becomes  a -> b
    for node in graph.nodes:
        if not _is_method(node, 'to_dense'):
            continue
        for user in list(node.users):
            if _is_method(user, 'to_mkldnn'):
                user.replace_all_uses_with(node.args[0])
                graph.erase_node(user)
        if len(node.users) == 0:
            graph.erase_node(node)


def _mkl_subgraphs(graph):
    # Colours flow from each to_mkldnn to the calls behind it; colours that meet are one from there on.
    sets = UnionFind(len(graph.nodes))
    start, inner, end = {}, {}, {}

    def color(node):
        if node in inner:
            return sets.find(inner[node])
        return sets.find(start[node]) if node in start else None

    for place, node in enumerate(graph.nodes):
        if _is_method(node, 'to_mkldnn'):
            start[node] = place
            sets.make_set(place)
        elif _is_method(node, 'to_dense'):
            end[node] = color(node.args[0])
            if end[node] is None:
                raise AssertionError('Expected color for to_dense input')
        else:
            colors = sorted(c for c in map(color, node.all_input_nodes) if c is not None)
            if colors:
                inner[node] = colors[0]
                for other in colors[1:]:
                    sets.join(colors[0], other)

    found = defaultdict(lambda: MklSubgraph(graph))
    for node in graph.nodes:
        for colors, name in ((inner, 'nodes'), (start, 'start_nodes'), (end, 'end_nodes')):
            if node in colors:
                getattr(found[sets.find(colors[node])], name).append(node)
    return found.values()


def optimize_for_inference(model, pass_config=None, tracer=fx.Tracer):
    config = {'conv_bn_fuse': True, 'remove_dropout': True, 'mkldnn_layout_optimize': {'heuristic': use_mkl_length}}
    config.update({} if pass_config is None else pass_config)
    if config['conv_bn_fuse']:
        model = fuse(model)
    if config['remove_dropout']:
        model = remove_dropout(model)
    layout = config['mkldnn_layout_optimize']
    if layout is False:
        return model
    if not isinstance(layout, dict):
        raise RuntimeError('mkldnn_layout_optimize config is not a dict')
    if 'heuristic' not in layout:
        raise RuntimeError('Heuristic not found in mkldnn_layout_optimize config')

    cur_tracer = tracer()
    graph = cur_tracer.trace(copy.deepcopy(model))
    fx.GraphModule(cur_tracer.root, graph)
    modules = dict(model.named_modules())
    _insert_conversions(graph, modules)
    old_modules = modules_to_mkldnn(list(graph.nodes), modules)
    graph.old_modules = old_modules
    _drop_round_trips(graph)
    for part in _mkl_subgraphs(graph):
        if layout['heuristic'](part):
            continue
        for node in part.start_nodes + part.end_nodes:
            node.replace_all_uses_with(node.args[0])
            graph.erase_node(node)
        reset_modules(part.nodes, modules, old_modules)

    conversions = sum(node.target in ('to_mkldnn', 'to_dense') for node in graph.nodes)
    logging.getLogger(__name__).info('mkldnn conversions: %s', conversions)
    graph.lint()
    return fx.GraphModule(model, graph)
