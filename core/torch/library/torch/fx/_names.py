# SPDX-License-Identifier: GPL-3.0-or-later
# Names that are given once, by the rules of core/ir/names.h: a table of a program's own, and that of a graph; and nodes by what
# they call.
import builtins

from . import _graphs


class _Namespace:
    def __init__(self):
        self._obj_to_name = {}
        self._used_names = set()
        self._table = _graphs.name_table()

    def _new(self, candidate, is_own):
        name = _graphs.create_name(self._table, candidate, is_own)
        self._used_names.add(name)
        return name

    def create_name(self, candidate, obj):
        if obj is not None and obj in self._obj_to_name:
            return self._obj_to_name[obj]
        name = self._new(candidate, obj is not None and getattr(builtins, candidate, None) is obj)
        if obj is not None:
            self._obj_to_name[obj] = name
        return name

    def associate_name_with_obj(self, name, obj):
        if self._obj_to_name.setdefault(obj, name) is not name:
            raise AssertionError('obj is already associated')

    def _rename_object(self, obj, name):
        if obj not in self._obj_to_name:
            raise AssertionError(f'Object {obj} is not in _obj_to_name')
        self._obj_to_name[obj] = name
        self._used_names.add(name)


class _GraphNamespace(_Namespace):
    # The names of a graph's nodes are those of the graph below.
    def __init__(self, graph):
        self._graph = graph
        self._obj_to_name = {}

    @property
    def _used_names(self):
        return {node.name for node in self._graph.nodes}

    def _new(self, candidate, is_own):
        return _graphs.take_name(self._graph, candidate)


class _FindNodesLookupTable:
    def __init__(self, graph):
        self._graph = graph
        self._left_out = set()  # nodes that programs made by themselves

    def __contains__(self, node):
        return node.graph is self._graph and not node._erased and node not in self._left_out

    def leave_out(self, node):
        self._left_out.add(node)

    def left_out(self):
        return [node for node in self._graph.nodes if node in self._left_out] if self._left_out else ()

    def insert(self, node):
        self._left_out.discard(node)

    def find_nodes(self, *, op, target=None):
        return self._graph.find_nodes(op=op, target=target, sort=False)
