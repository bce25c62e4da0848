# SPDX-License-Identifier: GPL-3.0-or-later
# What nodes that are made now are told beside their call: the meta of the node that they come from, annotations of the
# program, and their provenance. A Tracer reads it from here; Interpreter and annotate() write it.
import contextlib
import copy
import functools
import threading
import traceback
from enum import Enum

import torch

__all__ = ['annotate', 'annotate_fn', 'preserve_node_meta', 'has_preserved_node_meta', 'set_stack_trace',
           'set_grad_fn_seq_nr', 'reset_grad_fn_seq_nr', 'format_stack', 'set_current_meta', 'get_current_meta',
           'NodeSource', 'NodeSourceAction', 'get_graph_provenance_json', 'set_current_replay_node',
           'get_current_replay_node']

current_meta = {}
current_replay_node = None
should_preserve_node_meta = False
_should_preserve_node_meta = False  # the same for 'seq_nr' alone
_region = threading.local()
GRADIENT_ACC_SPECIAL_STACK = 'Gradient addition node due to multiple use of tensor around:'
MEMORY_BUDGET_ANNOTATION_KEY = '_region_activation_memory_budget'


class NodeSourceAction(Enum):
    CREATE = 'create'
    REPLACE = 'replace'


class NodeSource:
    """Where a node comes from: a node of an earlier graph, the pass that went over it, and that node's own sources."""

    class NodeInfo:
        def __init__(self, name, target, graph_id):
            self.name, self.target, self.graph_id = name, target, graph_id

    def __init__(self, node, pass_name='', action=None):
        self.pass_name = pass_name
        if action is None:
            action = []
        elif not isinstance(action, list):
            action = [action]
        for one in action:
            if not isinstance(one, NodeSourceAction):
                raise AssertionError(f'Expected NodeSourceAction, got {type(one)}')
        self.action = action
        self.node_info = None
        self.from_node = []
        if node:
            self.node_info = self.NodeInfo(node.name, str(node.target), id(node.graph))
            self.from_node = copy.deepcopy(node.meta.get('from_node', []))
        self._action_string = self._dict = None

    def _of_node(self, name, otherwise):
        return getattr(self.node_info, name) if self.node_info else otherwise

    @property
    def name(self):
        return self._of_node('name', '')

    @property
    def target(self):
        return self._of_node('target', '')

    @property
    def graph_id(self):
        return self._of_node('graph_id', -1)

    def __repr__(self):
        return self.print_readable()

    def _get_action_string(self):
        if self._action_string is None:
            self._action_string = '+'.join([one.name.lower() for one in self.action])
        return self._action_string

    def print_readable(self, indent=0):
        if indent > 9:
            return ''
        line = (f'(name={self.name}, pass_name={self.pass_name}, action={self._get_action_string()}, '
                f'graph_id={self.graph_id})\n')
        return '    ' * indent + line + ''.join([source.print_readable(indent + 1) for source in self.from_node])

    def to_dict(self):
        if self._dict is None:
            self._dict = {'name': self.name, 'target': self.target, 'graph_id': self.graph_id,
                          'pass_name': self.pass_name, 'action': self._get_action_string(),
                          'from_node': [source.to_dict() for source in self.from_node]}
        return self._dict

    def __eq__(self, other):
        return isinstance(other, NodeSource) and self.to_dict() == other.to_dict()

    def __hash__(self):
        def frozen(value):
            if isinstance(value, dict):
                return tuple(sorted((key, frozen(item)) for key, item in value.items()))
            return tuple(map(frozen, value)) if isinstance(value, list) else value

        return hash(frozen(self.to_dict()))

    @classmethod
    def _from_dict(cls, d):
        if d is None:
            return None
        if not isinstance(d, dict):
            raise AssertionError(f'Expected a dict, got {type(d)}')
        source = NodeSource.__new__(NodeSource)
        source._action_string = source._dict = None
        source.pass_name = d.get('pass_name', '')
        known = NodeSourceAction.__members__
        words = [word.upper() for word in d.get('action', '').split('+')]
        source.action = [known[word] for word in words if word in known]
        source.node_info = None
        if 'name' in d and 'target' in d and 'graph_id' in d:
            source.node_info = NodeSource.NodeInfo(d['name'], d['target'], d['graph_id'])
        made = [cls._from_dict(item) for item in d.get('from_node') or []]
        source.from_node = [item for item in made if item is not None]
        return source


@contextlib.contextmanager
def preserve_node_meta(enable=True):
    global should_preserve_node_meta, current_meta
    saved = should_preserve_node_meta, current_meta.copy()
    try:
        should_preserve_node_meta = enable
        yield
    finally:
        should_preserve_node_meta, current_meta = saved


def has_preserved_node_meta():
    return should_preserve_node_meta


@contextlib.contextmanager
def _preserve_node_seq_nr(preserve_seq_nr=True):
    global _should_preserve_node_meta
    saved = _should_preserve_node_meta
    try:
        _should_preserve_node_meta = preserve_seq_nr
        yield
    finally:
        _should_preserve_node_meta = saved


def _is_preserving_node_seq_nr():
    return _should_preserve_node_meta


def set_stack_trace(stack):
    if not should_preserve_node_meta:
        return
    if stack:
        current_meta['stack_trace'] = ''.join(stack)
    else:
        current_meta.pop('stack_trace', None)


def format_stack():
    if should_preserve_node_meta:
        return [current_meta.get('stack_trace', '')]
    return traceback.format_list(traceback.extract_stack()[:-1])


@contextlib.contextmanager
def annotate(annotation_dict):
    outer = current_meta.get('custom')
    saved = copy.copy(outer)
    try:
        if outer is None:
            current_meta['custom'] = {}
        current_meta['custom'].update(annotation_dict)
        yield
    finally:
        if outer is None:
            del current_meta['custom']
        else:
            current_meta['custom'] = saved


def annotate_fn(annotation_dict):
    def decorator(func):
        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            with annotate(annotation_dict):
                return func(*args, **kwargs)

        return wrapper

    return decorator


def _get_memory_budget_annotation(node):
    custom = node.meta.get('custom')
    return custom.get(MEMORY_BUDGET_ANNOTATION_KEY) if isinstance(custom, dict) else None


def _mark_autograd_backward():
    current_meta['autograd_backward'] = True


def _reset_autograd_backward():
    current_meta.pop('autograd_backward', None)


@contextlib.contextmanager
def _set_autograd_backward(enable=True):
    was_set = 'autograd_backward' in current_meta
    saved = current_meta.get('autograd_backward', False)
    if enable:
        _mark_autograd_backward()
    try:
        yield
    finally:
        if was_set:
            current_meta['autograd_backward'] = saved
        else:
            _reset_autograd_backward()


def set_grad_fn_seq_nr(seq_nr):
    if should_preserve_node_meta:
        current_meta['grad_fn_seq_nr'] = [*current_meta.get('grad_fn_seq_nr', []), seq_nr]
        current_meta['in_grad_fn'] = current_meta.get('in_grad_fn', 0) + 1


def reset_grad_fn_seq_nr():
    if not should_preserve_node_meta:
        return
    level = current_meta.get('in_grad_fn', 0)
    if level <= 0:
        raise AssertionError(f'Expected current_level > 0, got {level}')
    if level == 1:
        del current_meta['in_grad_fn'], current_meta['grad_fn_seq_nr']
    else:
        current_meta['in_grad_fn'] = level - 1
        current_meta['grad_fn_seq_nr'] = current_meta['grad_fn_seq_nr'][:-1]


@contextlib.contextmanager
def set_current_meta(node, pass_name=''):
    global current_meta
    if not (should_preserve_node_meta and node.meta):
        yield
        return
    saved = current_meta
    try:
        current_meta = node.meta.copy()
        # the source holds what the node itself came from
        current_meta['from_node'] = [NodeSource(node, pass_name, NodeSourceAction.CREATE)]
        yield
    finally:
        current_meta = saved


def get_current_meta():
    return current_meta


_COPIED = ('nn_module_stack', 'torch_fn', 'source_fn_stack', 'original_aten', 'recompute', 'ac_graph_id', 'has_backward_hook',
           'from_node', 'quantization_tag', '_numeric_debug_handle', 'custom', 'partitioner_tag')


def _seq_nr():
    if current_meta.get('in_grad_fn', 0) > 0:
        number = current_meta['grad_fn_seq_nr'][-1]
    elif _should_preserve_node_meta:
        return current_meta.get('seq_nr')
    else:
        number = torch.autograd._get_sequence_nr() - 1
    if current_replay_node is not None:
        number = current_replay_node.meta.get('seq_nr', number)
    return number


def _tell(node):
    """What a tracer puts on each node that it makes while meta is preserved, in place of the stack of modules."""
    node.meta.pop('nn_module_stack', None)
    stack = current_meta.get('stack_trace')
    if stack:
        node.stack_trace = stack
        if GRADIENT_ACC_SPECIAL_STACK in stack:
            node.meta['is_gradient_acc'] = node.meta['autograd_backward'] = True
    for field in _COPIED:
        if field in current_meta:
            node.meta[field] = copy.copy(current_meta[field])
    number = _seq_nr()
    if number is not None:
        node.meta['seq_nr'] = number
    if current_replay_node is not None:
        node.meta['is_functional_regenerated'] = True
        for field in ('custom', 'stack_trace'):
            if field in current_replay_node.meta:
                node.meta[field] = current_replay_node.meta[field]
    if current_meta.get('autograd_backward', False):
        node.meta['autograd_backward'] = True


@contextlib.contextmanager
def set_current_replay_node(node):
    global current_replay_node
    saved = current_replay_node
    try:
        current_replay_node = node
        yield
    finally:
        current_replay_node = saved


def get_current_replay_node():
    return current_replay_node


@contextlib.contextmanager
def _set_regional_inductor_subgraph_name(name):
    saved = _get_regional_inductor_subgraph_name()
    try:
        _region.value = name
        yield
    finally:
        _region.value = saved


def _get_regional_inductor_subgraph_name():
    return getattr(_region, 'value', None)


def get_graph_provenance_json(graph):
    try:
        return {node.name: [source.to_dict() for source in node.meta.get('from_node', [])]
                for node in graph.nodes if node.op == 'call_function'}
    except Exception:
        # only for debugging: what is wrong in a meta stops no program
        return {}


def _get_custom_metadata(gm):
    from torch.fx.graph_module import GraphModule

    if not isinstance(gm, GraphModule):
        raise AssertionError(f'Expected GraphModule, got {type(gm)}')

    def notes(module):
        found = []
        for node in module.graph.nodes:
            if node.meta.get('custom', None):
                found.append((node.op, node.name, node.meta['custom']))
            inner = getattr(module, node.target) if node.op == 'get_attr' else None
            if isinstance(inner, GraphModule):
                found.append(notes(inner))
        return found

    return '\n'.join(map(str, notes(gm)))


def _get_ordered_seq_nr_groups(gm):
    groups = {}
    for module in gm if isinstance(gm, list) else [gm]:
        for node in module.graph.nodes:
            number = node.meta.get('seq_nr')
            if node.op == 'call_function' and number is not None:
                groups.setdefault(number, []).append(node.name)
    return [sorted(groups[number]) for number in sorted(groups)]
