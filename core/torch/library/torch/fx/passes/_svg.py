# SPDX-License-Identifier: GPL-3.0-or-later
# A graph of _dot.py as a picture: records of text, placed by fxscope's own layout. What a model says stands in it as text.
import re

_LETTER, _LINE, _PAD = 6.7, 15, 8
_CONTROL = re.compile('[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff]|[\ud800-\udfff]')
# Colours that Graphviz has by other names than SVG.
_COLORS = {'cadetblue1': '#98f5ff', 'darkolivegreen1': '#caff70', 'darkseagreen1': '#c1ffc1', 'khaki1': '#fff68f',
           'lavenderblush1': '#fff0f5', 'lemonchiffon1': '#fffacd', 'mistyrose1': '#ffe4e1', 'mistyrose2': '#eed5d2',
           'paleturquoise2': '#aeeeee', 'peachpuff1': '#ffdab9', 'thistle1': '#ffe1ff', 'thistle3': '#cdb5cd',
           'wheat1': '#ffe7ba', 'yellow2': '#eeee00'}
_NAME = re.compile(r'[A-Za-z]+|#[0-9A-Fa-f]{6}')


def _escaped(text):
    text = _CONTROL.sub('\ufffd', str(text))
    return text.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;').replace('"', '&quot;')


def _color(value, otherwise):
    name = str(value).strip('"').lower()
    name = _COLORS.get(name, name)
    return name if _NAME.fullmatch(name) else otherwise


def _fields(label, is_record):
    """The lines of each field of a record, whatever its braces; of other shapes all lines are one field."""
    fields, line = [[]], ''
    parts = re.findall(r'\\.|[^\\]|\\$', label, re.DOTALL)
    for part in parts:
        if is_record and part == '|':
            fields[-1].append(line)
            fields.append([])
            line = ''
        elif part in ('\\n', '\\l', '\\r', '\n'):
            fields[-1].append(line)
            line = ''
        elif not (is_record and part in ('{', '}')):
            line += part[-1]
    fields[-1].append(line)
    return [[text for text in field if text.strip()] for field in fields]


class _Box:
    def __init__(self, node, border=None):
        label = node.get('label')
        shape = str(node.get('shape') or '').strip('"')
        fields = _fields(str(node.get_name() if label is None else label), shape in ('record', 'Mrecord'))
        self.name, self.border = node.get_name(), border
        self.fields = [field for field in fields if field] or [[str(node.get_name())]]
        self.fill = _color(node.get('fillcolor'), 'white')
        self.color = _color(node.get('fontcolor'), 'black')
        self.width = max(len(line) for field in self.fields for line in field) * _LETTER + 2 * _PAD
        self.height = sum(map(self._height, self.fields))

    def _height(self, field):
        return len(field) * _LINE + _PAD

    def lines(self, center):
        left, top = center[0] - self.width / 2, center[1] - self.height / 2
        stroke = f'stroke="{self.border}" stroke-width="2.5"' if self.border else 'stroke="#555555"'
        yield f'<g class="node"><title>{_escaped(self.name)}</title>'
        yield (f'<rect x="{left:.1f}" y="{top:.1f}" width="{self.width:.1f}" height="{self.height:.1f}" rx="6" '
               f'fill="{self.fill}" {stroke}/>')
        at = top
        for number, field in enumerate(self.fields):
            if number:
                yield f'<path d="M{left:.1f},{at:.1f} h{self.width:.1f}" stroke="#555555" stroke-opacity="0.4"/>'
            for line in field:
                at += _LINE
                yield f'<text x="{center[0]:.1f}" y="{at:.1f}" fill="{self.color}">{_escaped(line)}</text>'
            at += _PAD
        yield '</g>'


def _boxes(graph):
    for node in graph.get_nodes():
        yield _Box(node)
    for part in graph.get_subgraphs():  # a frame around what is far apart would hold others, too
        for node in part.get_nodes():
            yield _Box(node, _color(part.get('color'), 'black'))


def drawn(graph):
    """The picture of a graph, as the text of an SVG file."""
    from torch.fx import _layout  # of programs that are passes

    boxes = list(_boxes(graph))
    places = {box.name: place for place, box in enumerate(boxes)}
    ends = []
    for edge in graph.get_edges():
        for name in (edge.get_source(), edge.get_destination()):
            if name not in places:  # Graphviz, too, makes what an edge alone names
                places[name] = len(boxes)
                boxes.append(_Box(_Named(name)))
        ends.append((places[edge.get_source()], places[edge.get_destination()]))
    width, height, centers, paths = _layout.place([(box.width, box.height) for box in boxes], ends)
    margin = 12
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width + 2 * margin:.0f}" height="{height + 2 * margin:.0f}" '
             f'viewBox="{-margin} {-margin} {width + 2 * margin:.1f} {height + 2 * margin:.1f}">',
             f'<title>{_escaped(graph.get_name())}</title>',
             f'<rect x="{-margin}" y="{-margin}" width="100%" height="100%" fill="white"/>',
             '<g font-family="monospace" font-size="11" text-anchor="middle">']
    for path in paths:
        if path:
            (x, y), *rest = path
            curve = ' '.join(f'{a:.1f},{b:.1f}' for a, b in rest)
            lines.append(f'<path class="edge" d="M{x:.1f},{y:.1f} C{curve}" fill="none" stroke="#555555"/>')
            x, y = rest[-1]  # which is reached from above
            lines.append(f'<path d="M{x:.1f},{y:.1f} l-4,-8 h8 z" fill="#555555"/>')
    for box, center in zip(boxes, centers):
        lines += box.lines(center)
    return '\n'.join(lines) + '\n</g>\n</svg>\n'


class _Named:
    def __init__(self, name):
        self._name = name

    def get_name(self):
        return self._name

    def get(self, attribute):
        return None
