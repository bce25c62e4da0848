# SPDX-License-Identifier: GPL-3.0-or-later
# FxGraphDrawer: the graph of a module, and those of the GraphModules that it calls, as graphs for Graphviz. PyTorch takes the
# package pydot for them; _dot.py is in its place.
import hashlib
import re
from itertools import chain

import torch
from torch.fx.graph_module import GraphModule
from torch.fx.node import _format_arg, _get_qualified_name
from torch.fx.operator_schemas import normalize_function
from torch.fx.passes import _dot
from torch.fx.passes.shape_prop import TensorMetadata

__all__ = ['FxGraphDrawer']

HAS_PYDOT = True

_COLORS = {'placeholder': '"AliceBlue"', 'call_module': 'LemonChiffon1', 'get_param': 'Yellow2', 'get_attr': 'LightGrey',
           'output': 'PowderBlue'}
# Of calls of functions and methods, by what is called.
_CALL_COLORS = ('CadetBlue1 Coral DarkOliveGreen1 DarkSeaGreen1 GhostWhite Khaki1 LavenderBlush1 LightSkyBlue MistyRose1 MistyRose2 '
                'PaleTurquoise2 PeachPuff1 Salmon Thistle1 Thistle3 Wheat1').split()
_PER_TENSOR = torch.per_tensor_affine, torch.per_tensor_symmetric
_PER_CHANNEL = torch.per_channel_affine, torch.per_channel_symmetric, torch.per_channel_affine_float_qparams
_FRAME = re.compile(r'File "(.+)", line (\d+), in (.+)')


def _braced(text):
    """Braces are fields of a record, unless they are escaped."""
    return text.replace('{', r'\{').replace('}', r'\}')


def _fields(pairs):
    return ''.join(f'|{name}={value}\\n' for name, value in pairs)


def _innermost_line(trace):
    """(file, line, code) of the last frame of a stack trace that has its code."""
    lines = [line.strip() for line in trace.strip().split('\n')]
    for frame, code in reversed(list(zip(lines, lines[1:]))):
        if found := _FRAME.fullmatch(frame):
            return found[1], found[2], code
    return None


def _quantizer_fields(meta):
    if meta.qparams is None:
        raise AssertionError('qparams is None for quantized tensor')
    if 'qscheme' not in meta.qparams:
        raise AssertionError('qscheme not in qparams')
    scheme = meta.qparams['qscheme']
    if scheme in _PER_TENSOR:
        names = {'q_scale': 'scale', 'q_zero_point': 'zero_point'}
    elif scheme in _PER_CHANNEL:
        names = {'q_per_channel_scale': 'scale', 'q_per_channel_zero_point': 'zero_point', 'q_per_channel_axis': 'axis'}
    else:
        raise RuntimeError(f'Unsupported qscheme: {scheme}')
    return [(shown, meta.qparams[name]) for shown, name in names.items()] + [('qscheme', scheme)]


class FxGraphDrawer:
    """FxGraphDrawer(gm, "name").get_dot_graph().to_string() is the graph in Graphviz's language."""

    def __init__(self, graph_module, name, ignore_getattr=False, ignore_parameters_and_buffers=False, skip_node_names_in_args=True,
                 parse_stack_trace=False, dot_graph_shape=None, normalize_args=False):
        self._name = name
        self.dot_graph_shape = 'record' if dot_graph_shape is None else dot_graph_shape
        self.normalize_args = normalize_args
        how = ignore_getattr, ignore_parameters_and_buffers, skip_node_names_in_args, parse_stack_trace
        self._dot_graphs = {name: self._to_dot(graph_module, name, *how)}
        for node in graph_module.graph.nodes:
            if node.op == 'call_module' and isinstance(leaf := self._get_leaf_node(graph_module, node), GraphModule):
                self._dot_graphs[f'{name}_{node.target}'] = self._to_dot(leaf, f'{name}_{node.target}', *how)

    def get_dot_graph(self, submod_name=None):
        return self.get_main_dot_graph() if submod_name is None else self.get_submod_dot_graph(submod_name)

    def get_main_dot_graph(self):
        return self._dot_graphs[self._name]

    def get_submod_dot_graph(self, submod_name):
        return self._dot_graphs[f'{self._name}_{submod_name}']

    def get_all_dot_graphs(self):
        return self._dot_graphs

    def _style(self, color):
        return {'shape': self.dot_graph_shape, 'fillcolor': color, 'style': '"filled,rounded"', 'fontcolor': '#000000'}

    def _get_node_style(self, node):
        color = _COLORS.get(node.op)
        if color is None:
            name = node._pretty_print_target(node.target)
            color = _CALL_COLORS[int(hashlib.md5(name.encode(), usedforsecurity=False).hexdigest()[:8], 16) % len(_CALL_COLORS)]
        return self._style(color)

    def _get_leaf_node(self, module, node):
        if not isinstance(node.target, str):
            raise AssertionError(f'Expected str target, got {type(node.target)}')
        found = module
        for name in node.target.split('.'):
            if not hasattr(found, name):
                raise RuntimeError(f'{found} does not have attribute {name}!')
            found = getattr(found, name)
        return found

    def _typename(self, target):
        if isinstance(target, torch.nn.Module):
            return _braced(torch.typename(target))
        return _braced(target if isinstance(target, str) else _get_qualified_name(target))

    def _shorten_file_name(self, full_file_name, truncate_to_last_n=2):
        return '/'.join(full_file_name.split('/')[-truncate_to_last_n:])

    def _arguments_of(self, node):
        if self.normalize_args:
            try:
                args, kwargs = normalize_function(node.target, node.args, node.kwargs, normalize_to_only_use_kwargs=True)
                return args, kwargs
            except Exception:
                pass  # what has several overloads, or none, is shown as it is written
        return node.args, node.kwargs

    def _arguments_label(self, prefix, texts, suffix, skip_node_names_in_args):
        if skip_node_names_in_args:
            texts = [text for text in texts if '%' not in text]
        if not texts:
            return ''
        label = prefix + r',\n'.join(texts) + suffix
        if len(texts) == 1:
            label = label.replace(r'\l', '').replace(r'\n', '')
        return _braced(label)

    def _call_label(self, node, skip_node_names_in_args):
        args, kwargs = self._arguments_of(node)
        label = f'|target={self._typename(node.target)}\\n'
        label += self._arguments_label(r'|args=(\l', [_format_arg(arg, max_list_len=8) for arg in args], r',\n)\l',
                                       skip_node_names_in_args)
        label += self._arguments_label(r'|kwargs={\l', [f'{name}: {_format_arg(arg, max_list_len=8)}' for name, arg in kwargs.items()],
                                       r',\n}\l', skip_node_names_in_args)
        return label + f'|num_users={len(node.users)}\\n'

    def _get_node_label(self, module, node, skip_node_names_in_args, parse_stack_trace):
        label = f'{{name=%{node.name}|op_code={node.op}\n'
        if node.op == 'call_module':
            leaf = self._get_leaf_node(module, node)
            constants = [f'{name}: {getattr(leaf, name)}' for name in getattr(leaf, '__constants__', ())]
            label += f'\\n{self._typename(leaf)}\\n|' + r'\n'.join(constants) + r'\n'
        else:
            label += self._call_label(node, skip_node_names_in_args)
        label += self._tensor_meta_to_label(node.meta.get('tensor_meta'))
        if (buffer := node.meta.get('buf_meta')) is not None:
            label += _fields([('buf', buffer.name), ('n_origin', buffer.n_origin)])
        if parse_stack_trace and node.stack_trace is not None and (found := _innermost_line(node.stack_trace)) is not None:
            file, line, code = found
            label += _fields([('file', f'{self._shorten_file_name(file)}:{line} {code}')])
        return label + '}'

    def _tensor_meta_to_label(self, tm):
        if tm is None:
            return ''
        if isinstance(tm, TensorMetadata):
            return self._stringify_tensor_meta(tm)
        if isinstance(tm, (list, tuple, dict)):
            return ''.join(map(self._tensor_meta_to_label, tm.values() if isinstance(tm, dict) else tm))
        raise RuntimeError(f'Unsupported tensor meta type {type(tm)}')

    def _stringify_tensor_meta(self, tm):
        fields = [('dtype', tm.dtype), ('shape', tuple(tm.shape)), ('requires_grad', tm.requires_grad), ('stride', tm.stride)]
        return _fields(fields + (_quantizer_fields(tm) if tm.is_quantized else []))

    def _get_tensor_label(self, t):
        return f'{t.dtype}{list(t.shape)}\\n'

    def _add_weights(self, dot, node, leaf):
        for name, tensor in chain(leaf.named_parameters(), leaf.named_buffers()):
            name = f'{node.name}.{name}'
            kind = f'{name}|op_code=get_parameter' if isinstance(tensor, torch.nn.Parameter) else r'buffer\l'
            # The fields of a record in the order in which PyTorch gives them.
            style = {key: self._style('Salmon')[key] for key in ('fillcolor', 'style', 'fontcolor', 'shape')}
            dot.add_node(_dot.Node(name, label='{' + kind + self._get_tensor_label(tensor) + '}', **style))
            dot.add_edge(_dot.Edge(name, node.name))

    def _to_dot(self, graph_module, name, ignore_getattr, ignore_parameters_and_buffers, skip_node_names_in_args, parse_stack_trace):
        dot = _dot.Dot(name, rankdir='TB')
        nodes = [node for node in graph_module.graph.nodes if not (ignore_getattr and node.op == 'get_attr')]
        clusters = {}
        for node in nodes:
            label = self._get_node_label(graph_module, node, skip_node_names_in_args, parse_stack_trace)
            place = dot
            buffer = node.meta.get('buf_meta')
            if buffer is not None and buffer.n_origin > 1:
                if buffer.name not in clusters:
                    clusters[buffer.name] = _dot.Cluster(buffer.name, label=buffer.name)
                place = clusters[buffer.name]
            place.add_node(_dot.Node(node.name, label=label, **self._get_node_style(node)))
            if node.op == 'call_module' and not ignore_parameters_and_buffers:
                leaf = self._get_leaf_node(graph_module, node)
                if not isinstance(leaf, GraphModule):
                    self._add_weights(dot, node, leaf)
        for cluster in clusters.values():
            cluster.set('color', 'royalblue')
            cluster.set('penwidth', '2')
            dot.add_subgraph(cluster)
        for node in nodes:
            for user in node.users:
                dot.add_edge(_dot.Edge(node.name, user.name))
        return dot
