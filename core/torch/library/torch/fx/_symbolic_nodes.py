# SPDX-License-Identifier: GPL-3.0-or-later
# The nodes that compute a symbolic number from the inputs of a graph.
import torch

from .proxy import GraphAppendingTracer, Proxy


class _Symbols:
    # The proxy of each symbol: an input that is this number, or the size of one.
    def __init__(self, graph):
        self._graph = graph
        self._tracer = GraphAppendingTracer(graph)
        self._known = {}
        self._sizes = {}
        for node in graph.find_nodes(op='placeholder'):
            value = node.meta.get('val', node.meta.get('example_value'))
            if isinstance(value, torch.SymInt):
                self._known.setdefault(str(value), Proxy(node, self._tracer))
            elif isinstance(value, torch.Tensor):
                for dim, size in enumerate(value.shape):
                    self._sizes.setdefault(str(size), (node, dim))

    def of(self, names):
        """In the order of the inputs."""
        return [name for name in (*self._known, *self._sizes) if name in names]

    def __getitem__(self, name):
        if name not in self._known:
            if name not in self._sizes:
                raise RuntimeError(f'no input of the graph gives the symbol {name}')
            self._known[name] = Proxy(self._graph.create_size_node(*self._sizes[name]), self._tracer)
        return self._known[name]


def _marked(proxy, value):
    proxy.node.meta['val'] = value
    return proxy.node


def nodes_of(graph, values):
    symbols = _Symbols(graph)
    made = {}
    for value in values:
        text = str(value)
        if isinstance(value, torch.SymInt) and text not in made:
            names = {name: symbols[name] for name in symbols.of(set(map(str, value.node.expr.free_symbols)))}
            made[text] = _marked(eval(text, names), value)
    return [made[str(value)] if isinstance(value, torch.SymInt) else value for value in values]
