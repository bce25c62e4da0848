# SPDX-License-Identifier: GPL-3.0-or-later
# Small helpers of torch.fx: the code of a graph for a log, and what stands around a node.


class _LazyText:
    def __init__(self, make):
        self._make = make

    def __str__(self):
        return self._make()


def lazy_format_graph_code(name, gm, maybe_id=None, **kwargs):
    title = name if maybe_id is None else f'{name} {maybe_id}'
    kwargs.setdefault('print_output', False)

    def make():
        return _format_graph_code(f'===== {title} =====\n', gm.forward.__code__.co_filename, gm.print_readable(**kwargs))

    return _LazyText(make)


def _format_graph_code(name, filename, graph_str):
    return f'TRACED GRAPH\n {name} {filename} {graph_str}\n'


def first_call_function_nn_module_stack(graph):
    for node in graph.nodes:
        if node.op == 'call_function' and 'nn_module_stack' in node.meta:
            return node.meta['nn_module_stack']
    return None


def get_node_context(node, num_nodes=2):
    lines = []
    for _ in range(num_nodes):
        lines.append(str(node.format_node()))
        if node.op == 'root':
            break
        node = node.prev
    return '\n'.join(reversed(lines))
