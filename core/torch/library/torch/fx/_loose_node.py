# SPDX-License-Identifier: GPL-3.0-or-later
# A Node that a program has made by itself: it stands in no graph until it is put beside one that does. Until then those it
# reads do not know of it.
from . import _graphs
from .node import Node, _legal_ops, map_arg

_FIELDS = 'op', 'name', 'target', 'args', 'kwargs', 'type', 'meta'


def _mapped(given):
    return map_arg(given, lambda node: node)


class LooseNode(Node):
    op = target = args = kwargs = name = type = meta = graph = None
    _erased = False

    @classmethod
    def begin(cls, node, graph, name, op, target, args, kwargs, return_type):
        assert op in _legal_ops, f"op '{op}' is not in _legal_ops"
        given = op, name, target, _mapped(args), _mapped(kwargs), return_type, {}
        node.__dict__.update(dict(zip(_FIELDS, given)), graph=graph)
        node.__class__ = cls

    @property
    def users(self):
        return {}

    @property
    def next(self):
        return self

    prev = _next = _prev = next

    @property
    def _args(self):
        return self.args

    @property
    def _kwargs(self):
        return self.kwargs

    @property
    def all_input_nodes(self):
        found = {}
        map_arg((self.args, self.kwargs), lambda node: found.setdefault(node))
        return list(found)

    @property
    def _input_nodes(self):
        return dict.fromkeys(self.all_input_nodes)

    def replace_input_with(self, old_input, new_input):
        self.args, self.kwargs = (map_arg(given, lambda node: new_input if node is old_input else node)
                                  for given in (self.args, self.kwargs))

    def format_node(self, *args, **kwargs):
        typed = '' if self.type is None else f'{_graphs.annotation(self.type)} '
        if self.op == 'output':
            return f'return {self.args[0]}'
        target = self.target if isinstance(self.target, str) else self._pretty_print_target(self.target)
        call = '' if self.op in ('placeholder', 'get_attr') else \
            f'(args = {self._told(self.args)}, kwargs = {self._told(self.kwargs)})'
        return f'%{self.name} : {typed}[num_users=0] = {self.op}[target={target}]{call}'

    @staticmethod
    def _told(given):
        from .node import _format_arg
        return _format_arg(given)

    def put(self, beside, is_after):
        graph = beside.graph
        assert graph is self.graph, 'Attempting to move a Node into a different Graph'
        values = {key: self.__dict__.pop(key) for key in (*_FIELDS, 'graph')}
        anchor = None if beside.op == 'root' else beside
        before = _graphs.set_insert_point(graph, anchor, is_after if anchor is not None else not is_after)
        _graphs.create_as(graph, *[values[key] for key in ('op', 'target', 'args', 'kwargs', 'name', 'type')], self)
        _graphs.set_insert_point(graph, *before)
        self.__class__ = Node
        self.meta = values['meta']
        graph._find_nodes_lookup_table.leave_out(self)

    def __repr__(self):
        return self._repr_fn(self) if self._repr_fn else self.name
