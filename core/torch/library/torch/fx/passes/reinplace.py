# SPDX-License-Identifier: GPL-3.0-or-later
# reinplace: calls of functional ATen operators become calls of those that write into their first argument, where nobody reads that
# afterwards; a scatter into a view becomes a copy into the view.
# Which tensors share memory is seen by running the graph on copies of the sample inputs.
import itertools
import operator
from collections import defaultdict
from enum import Enum
import torch
import torch.fx
from torch.fx import Node
from torch.fx.node import map_arg
from torch.utils import _pytree as pytree

__all__ = ['reinplace']


class _ViewType(Enum):
    NonView = 0
    SingleOutputView = 1
    MultiOutputView = 2


def _is_operator(target):
    return not isinstance(target, str) and hasattr(target, '_schema') and hasattr(target, 'overloadpacket')


def _get_view_type(tgt):
    arguments = tgt._schema.arguments if _is_operator(tgt) else []
    alias = arguments[0].alias_info if len(arguments) > 0 else None
    if alias is None or alias.is_write:
        return _ViewType.NonView
    return _ViewType.MultiOutputView if '*' in alias.after_set else _ViewType.SingleOutputView


def _is_view_op(tgt):
    return _get_view_type(tgt) != _ViewType.NonView


def _storage(tensor):
    # What is the same for tensors that lie in the same bytes.
    storage = tensor.untyped_storage()
    return storage._cdata if hasattr(storage, '_cdata') else id(storage)


def _storages(value):
    return {_storage(leaf) for leaf in pytree.tree_leaves(value) if isinstance(leaf, torch.Tensor)}


def _copied(value):
    # A tensor of the same sizes, strides and offset in bytes of its own.
    if not isinstance(value, torch.Tensor):
        return value
    value = value.detach()
    count = value.untyped_storage().nbytes() // value.element_size()
    return value.as_strided((count,), (1,), 0).clone().as_strided(value.size(), value.stride(), value.storage_offset())


def _outline(value):
    if isinstance(value, torch.Tensor):
        return torch.empty_strided(value.size(), value.stride(), dtype=value.dtype, device='meta')
    return value


class _FunctionalizationMetadataProp(torch.fx.Interpreter):
    # For each node: its value, its number, and the node that it is a view of. node.meta keeps the last two, and the value's sizes.
    def run_node(self, node):
        self.node_counter += 1
        result = super().run_node(node)
        self.values[node] = result
        node.meta['fake_result'] = pytree.tree_map(_outline, result)
        node.meta['node_idx'] = self.node_counter
        if node.op == 'call_function':
            kind = _get_view_type(node.target)
            if kind == _ViewType.SingleOutputView:
                self._view(node, node.args[0])
            elif kind == _ViewType.MultiOutputView:
                self.multi_output_view_nodes[node] = node.args[0]
            elif node.target is operator.getitem and self.multi_output_view_nodes.get(node.args[0]) is not None:
                self._view(node, self.multi_output_view_nodes[node.args[0]])
        if 'view_of' in node.meta:
            for value in (result, self.values[node.meta['view_of']]):
                if not isinstance(value, torch.Tensor):
                    raise AssertionError('Expected FakeTensor in fake_result')
            if _storages(result) != _storages(self.values[node.meta['view_of']]):
                raise AssertionError('view_storage != base_storage')
        return result

    def _view(self, node, base):
        if not isinstance(base, Node):
            raise AssertionError(f'Expected Node, got {type(base)}')
        node.meta['view_of'] = base

    def propagate(self, *args):
        self.multi_output_view_nodes = {}
        self.node_counter = -1
        self.values = {}
        random_state = torch.get_rng_state()
        with torch.no_grad():
            result = super().run(*map(_copied, args))
        torch.set_rng_state(random_state)
        return result


def _schemas_match(functional_schema, inplace_schema):
    ours, theirs = functional_schema.arguments, inplace_schema.arguments
    if theirs[0].alias_info is None or not theirs[0].alias_info.is_write:
        raise AssertionError('First argument of inplace op must be mutable')
    if any(argument.alias_info is not None for argument in theirs[1:]):
        raise AssertionError('Remaining arguments of inplace op must not be mutable')
    return (inplace_schema.name == functional_schema.name + '_' and len(ours) == len(theirs)
            and all(a.type == b.type for a, b in zip(ours, theirs)))


def _maybe_get_inplace_op(op):
    if not _is_operator(op) or _is_view_op(op):
        return None
    namespace, name = op._schema.name.split('::')
    packet = getattr(getattr(torch.ops, namespace), name + '_', None)
    if packet is None:
        return None
    overloads = [getattr(packet, overload) for overload in packet.overloads()]
    matching = [overload for overload in overloads if _schemas_match(op._schema, overload._schema)]
    if len(matching) > 1:
        raise AssertionError(f'Expected exactly 1 matching inplace overload, got {len(matching)}')
    return matching[0] if matching else None


_VIEW_INVERSE_MAP = {
    torch.ops.aten.diagonal_scatter.default: torch.ops.aten.diagonal.default,
    torch.ops.aten.select_scatter.default: torch.ops.aten.select.int,
    torch.ops.aten.slice_scatter.default: torch.ops.aten.slice.Tensor,
    torch.ops.aten.as_strided_scatter.default: torch.ops.aten.as_strided.default,
}


def _get_all_later_node_usages(tensor_aliases, op_index):
    # Views do not count: who reads them does.
    found = set()
    for alias in tensor_aliases:
        for user in alias.users:
            if user.meta.get('node_idx', -1) <= op_index:
                continue
            if user in tensor_aliases and (_is_operator(user.target) or user.target is operator.getitem):
                continue
            found.add(user)
    return found


def _same_place(a, b):
    return a.size() == b.size() and a.stride() == b.stride() and a.storage_offset() == b.storage_offset()


def _get_view_inverse_node_usages(later_node_usages, self_aliases, values):
    # The scatters that put a view back to where one of the aliases was taken from.
    found = set()
    for node in sorted(later_node_usages, key=lambda n: n.meta['node_idx']):
        if node.target not in _VIEW_INVERSE_MAP:
            continue
        for name, argument in (('base', node.args[0]), ('mutated_view', node.args[1])):
            if not isinstance(argument, Node):
                raise AssertionError(f'Expected Node for {name}, got {type(argument)}')
        for alias in self_aliases:
            base = alias.meta.get('view_of')
            if base is None:
                continue
            try:
                again = _VIEW_INVERSE_MAP[node.target](values[base], *node.args[2:], **node.kwargs)
                if _same_place(values[base], values[node.args[0]]) and _same_place(again, values[alias]):
                    found.add(node)
            except Exception:
                continue
    return found


def _fits(node, value, result):
    # Whether the result has the place that the argument has.
    olds, news = pytree.tree_leaves(value), pytree.tree_leaves(result)
    if len(olds) != len(news) or node.target == torch.ops.aten.resize.default:
        return True
    return all(old.numel() == new.numel() and old.dtype == new.dtype and torch._debug_has_internal_overlap(old) != 1
               for old, new in zip(olds, news))


def _takes_tensor_first(target):
    return _is_operator(target) and len(target._schema.arguments) > 0 and str(target._schema.arguments[0].type) == 'Tensor'


class _Reinplacer:
    def __init__(self, gm, values):
        self.gm = gm
        self.values = values
        self.inputs = {_storage(values[node]) for node in gm.graph.nodes
                       if node.op == 'placeholder' and isinstance(values[node], torch.Tensor)}
        self.nodes_of = defaultdict(set)  # a storage -> the nodes whose values lie in it
        for node in gm.graph.nodes:
            for storage in _storages(values.get(node)):
                self.nodes_of[storage].add(node)
        self.dropped = set()

    def _join(self, a, b):
        self.nodes_of[a].update(self.nodes_of[b])
        self.nodes_of[b].update(self.nodes_of[a])

    def visit(self, node):
        if node.op != 'call_function' or not _takes_tensor_first(node.target):
            return
        source = node.args[0]
        if not _fits(node, self.values[source], self.values[node]):
            return
        storage = _storage(self.values[source])
        if storage in self.inputs or sum(argument is source for argument in node.args) > 1:
            return
        aliases = self.nodes_of[storage]
        later = _get_all_later_node_usages(aliases, node.meta['node_idx'])
        undone = _get_view_inverse_node_usages(later, aliases, self.values)
        if later - undone:
            return
        if node.target in _VIEW_INVERSE_MAP and node not in self.dropped:
            self._copy_into_view(node, source)
        else:
            inplace = _maybe_get_inplace_op(node.target)
            if inplace is None:
                return
            node.target = inplace
        self._join(storage, _storage(self.values[node]))
        self.dropped |= undone
        for old in itertools.chain([node], undone):
            self._read_argument(old, node)

    def _copy_into_view(self, node, source):
        #   before  b = slice_scatter(a, part, ...)
        #   after   view = slice(a, ...)   view.copy_(part)
        graph = self.gm.graph
        with graph.inserting_before(node):
            view = graph.create_node('call_function', _VIEW_INVERSE_MAP[node.target], (source,) + tuple(node.args[2:]), node.kwargs)
            graph.create_node('call_function', torch.ops.aten.copy_.default, (view, node.args[1]), {})
        self.dropped.add(node)

    def _read_argument(self, old, node):
        # Who reads `old` after `node` reads its argument, which is written by then.
        new = old.args[0]
        if not isinstance(new, Node):
            raise AssertionError(f'Expected Node, got {type(new)}')
        for user in [user for user in old.users if user.meta['node_idx'] > node.meta['node_idx']]:
            user.args = map_arg(user.args, lambda a: new if a == old else a)
            user.kwargs = map_arg(user.kwargs, lambda a: new if a == old else a)
            old_storages, user_storages = _storages(self.values[old]), _storages(self.values[user])
            if len(old_storages) == 1 and old_storages == user_storages:
                # A view of the old value is one of the new value now.
                new_storages = _storages(self.values[new])
                if len(new_storages) != 1:
                    raise AssertionError(f'Expected 1 storage, got {len(new_storages)}')
                self._join(*user_storages, *new_storages)


def reinplace(gm, *sample_args):
    propagation = _FunctionalizationMetadataProp(gm)
    propagation.propagate(*sample_args)
    work = _Reinplacer(gm, propagation.values)
    for node in gm.graph.nodes:
        work.visit(node)
    for node in work.dropped:
        gm.graph.erase_node(node)
    gm.recompile()
    return gm
