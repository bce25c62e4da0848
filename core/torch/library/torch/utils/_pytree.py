# SPDX-License-Identifier: GPL-3.0-or-later
# Nested lists, tuples and dicts taken apart and put together again, as far as saved code and models ask for it.
from collections import OrderedDict, namedtuple


class TreeSpec:
    def __init__(self, type, context, children):
        self.type, self._context, self._children = type, context, list(children)

    @property
    def context(self):
        return self._context

    @property
    def num_leaves(self):
        return sum(child.num_leaves for child in self._children)

    @property
    def num_nodes(self):
        return 1 + sum(child.num_nodes for child in self._children)

    @property
    def num_children(self):
        return len(self._children)

    def is_leaf(self):
        return False

    def children(self):
        return list(self._children)

    def child(self, index):
        return self._children[index]

    def __repr__(self, indent=0):
        between = ',\n' + ' ' * (indent + 2)
        inner = between.join([child.__repr__(indent + 2) for child in self._children])
        return f'TreeSpec({self.type.__name__}, {self._context}, [{inner}])'

    def __setstate__(self, state):
        # Of older pickles a dict of the fields, of newer ones the fields in order.
        if isinstance(state, (list, tuple)):
            state = dict(zip(('type', '_context', '_children'), state))
        self.type = state.get('type')
        self._context = state.get('_context', state.get('context'))
        self._children = list(state.get('_children', state.get('children_specs', ())))

    def __eq__(self, other):
        return (isinstance(other, TreeSpec) and self.is_leaf() == other.is_leaf() and self.type == other.type
                and self._context == other._context and self._children == other._children)


class LeafSpec(TreeSpec):
    def __init__(self):
        super().__init__(None, None, ())

    @property
    def num_leaves(self):
        return 1

    def __repr__(self, indent=0):
        return '*'

    def is_leaf(self):
        return True


def _is_named_tuple(value):
    return isinstance(value, tuple) and (hasattr(type(value), '_fields') or type(value).__module__ == 'torch.return_types')


# How values of classes that programs bring along are taken apart and put together.
_REGISTERED = {}


def register_pytree_node(cls, flatten_fn, unflatten_fn, *, serialized_type_name=None, to_dumpable_context=None,
                         from_dumpable_context=None, flatten_with_keys_fn=None):
    if cls in _REGISTERED:
        raise ValueError(f'{cls} is already registered as pytree node. Overwriting is not supported.')
    _REGISTERED[cls] = flatten_fn, unflatten_fn


_register_pytree_node = register_pytree_node


class MappingKey:
    def __init__(self, key):
        self.key = key

    def __str__(self):
        return f'[{self.key!r}]'

    def __repr__(self):
        return f'MappingKey(key={self.key!r})'

    def __eq__(self, other):
        return isinstance(other, MappingKey) and self.key == other.key

    def __hash__(self):
        return hash((self.key,))

    def get(self, mapping):
        return mapping[self.key]


def _dict_flatten(d):
    return list(d.values()), list(d)


def _dict_unflatten(values, context):
    return dict(zip(context, values))


def _dict_flatten_with_keys(d):
    return [(MappingKey(key), value) for key, value in d.items()], list(d)


def _registered_parts(value):
    # The children, and what the class needs beside them; None of another class.
    if type(value) not in _REGISTERED:
        return None
    children, context = _REGISTERED[type(value)][0](value)
    return list(children), context


def _registered_from(cls, children, context):
    return _REGISTERED[cls][1](children, context)


def _parts(tree):
    # The class, what it needs beside its children, and the children; None for a leaf.
    if type(tree) in _REGISTERED:
        children, context = _registered_parts(tree)
        return type(tree), context, children
    if _is_named_tuple(tree):
        is_own = _is_named_tuple_class(type(tree))
        return namedtuple if is_own else type(tree), type(tree) if is_own else None, list(tree)
    for known in (list, tuple):
        if type(tree) is known:
            return known, None, list(tree)
    for known in (dict, OrderedDict):
        if type(tree) is known:
            return known, list(tree), list(tree.values())
    return None


def tree_flatten(tree, is_leaf=None):
    parts = None if is_leaf is not None and is_leaf(tree) else _parts(tree)
    if parts is None:
        return [tree], LeafSpec()
    leaves, specs = [], []
    for child in parts[2]:
        below, spec = tree_flatten(child, is_leaf)
        leaves += below
        specs.append(spec)
    return leaves, TreeSpec(parts[0], parts[1], specs)


def _put_together(spec, children):
    if spec.type in _REGISTERED:
        return _registered_from(spec.type, children, spec._context)
    if isinstance(spec.type, type) and issubclass(spec.type, dict):
        return spec.type(zip(spec._context, children))
    if spec.type is namedtuple:
        return spec._context(*children)
    return spec.type(children)


def _is_named_tuple_class(kind):
    return isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, '_fields')


def tree_unflatten(leaves, treespec):
    leaves = list(leaves)
    if len(leaves) != treespec.num_leaves:
        raise ValueError(f'{len(leaves)} leaves do not fit a tree of {treespec.num_leaves}')
    return _unflatten(iter(leaves), treespec)


def _unflatten(leaves, spec):
    if spec.is_leaf():
        return next(leaves)
    return _put_together(spec, [_unflatten(leaves, child) for child in spec._children])


def tree_leaves(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[0]


def arg_tree_leaves(*args, **kwargs):
    return tree_leaves((args, kwargs))


def tree_structure(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[1]


def tree_map(func, tree, *rests, is_leaf=None):
    leaves, spec = tree_flatten(tree, is_leaf)
    others = [tree_flatten(rest, is_leaf)[0] for rest in rests]
    return tree_unflatten([func(*group) for group in zip(leaves, *others)], spec)


def tree_map_only(kind, func, tree, is_leaf=None):
    return tree_map(lambda leaf: func(leaf) if isinstance(leaf, kind) else leaf, tree, is_leaf=is_leaf)


def tree_all(pred, tree, is_leaf=None):
    return all(pred(leaf) for leaf in tree_leaves(tree, is_leaf))


def tree_any(pred, tree, is_leaf=None):
    return any(pred(leaf) for leaf in tree_leaves(tree, is_leaf))


# Specs as text: JSON, [version, {"type": ..., "context": JSON again, "children_spec": [...]}].

_WORDS = {'null': None, 'true': True, 'false': False}
_ESCAPES = {'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f', '"': '"', '\\': '\\', '/': '/'}


class _Json:
    def __init__(self, text):
        self.text, self.at = text, 0

    def fail(self):
        raise ValueError(f'a tree spec is no JSON at {self.at}')

    def peek(self):
        while self.at < len(self.text) and self.text[self.at] in ' \n\t\r':
            self.at += 1
        return self.text[self.at:self.at + 1]

    def take(self, wanted):
        if self.peek() != wanted:
            self.fail()
        self.at += 1

    def items(self, end, read):
        self.at += 1
        found = []
        while self.peek() != end:
            if found:
                self.take(',')
            found.append(read())
        self.at += 1
        return found

    def entry(self):
        key = self.value()
        self.take(':')
        return key, self.value()

    def value(self):
        first = self.peek()
        if first == '[':
            return self.items(']', self.value)
        if first == '{':
            return dict(self.items('}', self.entry))
        if first == '"':
            return self.string()
        start = self.at
        while self.at < len(self.text) and self.text[self.at] not in ',]} \n\t\r':
            self.at += 1
        word = self.text[start:self.at]
        if word in _WORDS:
            return _WORDS[word]
        if not word:
            self.fail()
        return float(word) if '.' in word or 'e' in word else int(word)

    def string(self):
        parts = []
        self.at += 1
        while True:
            letter = self.text[self.at:self.at + 1]
            self.at += 1
            if letter == '"':
                return ''.join(parts)
            if letter == '\\':
                kind = self.text[self.at:self.at + 1]
                self.at += 1
                if kind == 'u':
                    parts.append(chr(int(self.text[self.at:self.at + 4], 16)))
                    self.at += 4
                else:
                    parts.append(_ESCAPES[kind])
            elif letter:
                parts.append(letter)
            else:
                self.fail()


_KINDS = {'builtins.tuple': tuple, 'builtins.list': list, 'builtins.dict': dict, 'collections.OrderedDict': OrderedDict}


def _spec_of(parts):
    if parts['type'] is None:
        return LeafSpec()
    if parts['type'] not in _KINDS:
        raise NotImplementedError(f"a tree spec of {parts['type']} cannot be read here")
    kind, context = _KINDS[parts['type']], parts['context']
    if isinstance(context, str):
        context = _Json(context).value()
    if issubclass(kind, dict):
        context = list(context or ())
    return TreeSpec(kind, context, [_spec_of(child) for child in parts['children_spec']])


def treespec_loads(serialized):
    version, parts = _Json(serialized).value()
    if version != 1:
        raise ValueError(f'a tree spec of version {version} is not known')
    return _spec_of(parts)
