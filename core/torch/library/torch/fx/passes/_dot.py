# SPDX-License-Identifier: GPL-3.0-or-later
# Graphs in Graphviz's language, as the package pydot keeps them: what FxGraphDrawer gives. Every text is quoted when it is
# written, so that no name of a model says anything to Graphviz. Pictures are drawn by _svg.py.
import re

from torch.fx.passes import _svg

_WHOLE = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_SPECIAL = re.compile(r'\\[^"]|\\|"')


def quoted(value):
    """As a string of DOT; one that is quoted already stays. Escapes such as \\l are kept: labels have them."""
    text = str(value)
    if _WHOLE.fullmatch(text):
        return text

    def escaped(found):
        return found[0] if len(found[0]) == 2 else '\\' + found[0]

    return '"' + _SPECIAL.sub(escaped, text.replace('\r', '\\r').replace('\n', '\\n')) + '"'


class _Element:
    def __init__(self, attributes):
        self._attributes = dict(attributes)

    def get_attributes(self):
        return self._attributes

    def get(self, name):
        return self._attributes.get(name)

    def set(self, name, value):
        self._attributes[name] = value

    def get_label(self):
        return self.get('label')

    def set_label(self, label):
        self.set('label', label)

    def _bracketed(self):
        pairs = ', '.join(f'{name}={quoted(value)}' for name, value in self._attributes.items())
        return f' [{pairs}]' if pairs else ''

    def __str__(self):
        return self.to_string()


class Node(_Element):
    def __init__(self, name='', **attributes):
        super().__init__(attributes)
        self._name = name

    def get_name(self):
        return self._name

    def to_string(self):
        return quoted(self._name) + self._bracketed() + ';'


class Edge(_Element):
    def __init__(self, src='', dst='', **attributes):
        super().__init__(attributes)
        self._ends = src, dst

    def get_source(self):
        return self._ends[0]

    def get_destination(self):
        return self._ends[1]

    def to_string(self):
        return ' -> '.join(map(quoted, self._ends)) + self._bracketed() + ';'


class _Graph(_Element):
    def __init__(self, kind, name, attributes):
        super().__init__(attributes)
        self._kind, self._name = kind, name
        self._nodes, self._edges, self._parts = [], [], []

    def get_name(self):
        return self._name

    def add_node(self, node):
        self._nodes.append(node)

    def add_edge(self, edge):
        self._edges.append(edge)

    def add_subgraph(self, part):
        self._parts.append(part)

    def get_node(self, name):
        return [node for node in self._nodes if node.get_name() == name]

    def get_nodes(self):
        return list(self._nodes)

    def get_edges(self):
        return list(self._edges)

    def get_subgraphs(self):
        return list(self._parts)

    get_node_list, get_edge_list, get_subgraph_list = get_nodes, get_edges, get_subgraphs

    def to_string(self):
        lines = [f'{name}={quoted(value)};' for name, value in self._attributes.items()]
        lines += [element.to_string().rstrip('\n') for element in self._nodes + self._parts + self._edges]
        return f'{self._kind} {quoted(self._name)} {{\n' + ''.join(line + '\n' for line in lines) + '}\n'


class Cluster(_Graph):
    def __init__(self, graph_name='subG', **attributes):
        super().__init__('subgraph', f'cluster_{graph_name}', attributes)


class Dot(_Graph):
    def __init__(self, graph_name='G', **attributes):
        super().__init__('digraph', graph_name, attributes)

    def create_dot(self, prog=None):
        return self.to_string().encode()

    create_raw = create_dot

    def write_raw(self, path, prog=None):
        with open(path, 'w') as file:
            file.write(self.to_string())
        return True

    write_dot = write_raw

    def create_svg(self, prog=None):
        return _svg.drawn(self).encode()

    def write_svg(self, path, prog=None):
        with open(path, 'w') as file:
            file.write(_svg.drawn(self))
        return True

    def create(self, prog=None, format='ps', encoding=None):
        return getattr(self, f'create_{format}')(prog)

    def write(self, path, prog=None, format='raw', encoding=None):
        return getattr(self, f'write_{format}')(path, prog)

    def __getattr__(self, name):
        if name.startswith(('create_', 'write_')):
            raise RuntimeError(f'{name}: a program draws SVG alone here; `fxscope draw MODEL -o PICTURE` draws a model as PNG '
                               'and PDF, too')
        raise AttributeError(f"'Dot' object has no attribute {name!r}")
