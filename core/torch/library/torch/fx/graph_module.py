# SPDX-License-Identifier: GPL-3.0-or-later
# GraphModule: a module whose forward is the code of its graph.
import contextlib
import copy
import itertools
import linecache
import sys

import torch
from _native import _innermost_file

from . import _graphs
from .graph import Graph, PythonCode, _BoxedCodeGen, _PyTreeCodeGen
from .node import Node

_EVAL_CACHE = itertools.count()


def _compiled_forward(src, globals, number, co_fields):
    key = f'<eval_with_key>.{number}'
    if co_fields:
        key += f" from {co_fields['co_filename']}:{co_fields['co_firstlineno']} in {co_fields['co_name']}"
    names = {'__name__': key, **globals}
    _graphs.run(src, key, names)
    linecache.cache[key] = len(src), None, src.splitlines(True), key
    return names['forward']


def _forward_from_src(src, globals, co_fields=None):
    return _compiled_forward(src, globals, next(_EVAL_CACHE), co_fields)


class _LateForward:
    # Compiled when somebody asks for it: passes recompile many a graph that they never run.
    def __init__(self, code, co_fields=None):
        self._code = code
        self._number = next(_EVAL_CACHE)
        self._co_fields = co_fields

    def __get__(self, instance, owner):
        code = self._code()
        forward = _compiled_forward(code.src, code.globals, self._number, self._co_fields)
        for base in owner.__mro__:
            if base.__dict__.get('forward') is self:
                base.forward = forward
        return getattr(owner if instance is None else instance, 'forward')


def _point_at_generated_line(error):
    if 'eval_with_key' not in _innermost_file(error.__traceback__):
        return
    import traceback
    frame = traceback.extract_tb(error.__traceback__)[-1]
    number, lines = frame.lineno, linecache.getlines(frame.filename)
    print('\n'.join([traceback.format_exc(),
                     f"Call using an FX-traced Module, line {number} of the traced Module's generated forward function:",
                     ''.join(lines[number - 2:number]), '~' * len(frame.line) + '~~~ <--- HERE',
                     '\n'.join(lines[number:number + 2])]), file=sys.stderr)


def _owner_of(module, target, creates=False):
    """The module that holds the last part of a path, and that part; none where the path breaks off."""
    *prefix, field = target.split('.')
    for item in prefix:
        found = getattr(module, item, None)
        if found is None:
            if not creates:
                return None, field
            found = torch.nn.Module()
            setattr(module, item, found)
        module = found
    return module, field


def _copy_attr(from_module, to_module, target):
    *prefix, field = target.split('.')
    source, at = from_module, to_module
    for item in prefix:
        source, made = getattr(source, item), getattr(at, item, None)
        if source is made:
            return  # with one of its parents
        if made is None:
            made = torch.nn.Module()
            setattr(at, item, made)
        at = made
    found = getattr(source, field)
    if isinstance(found, torch.Tensor) and not isinstance(found, torch.nn.Parameter):
        at.register_buffer(field, found, persistent=field not in getattr(source, '_non_persistent_buffers_set', ()))
    else:
        setattr(at, field, found)


def _assign_attr(from_obj, to_module, target):
    owner, field = _owner_of(to_module, target, creates=True)
    if isinstance(from_obj, torch.Tensor) and not isinstance(from_obj, torch.nn.Parameter):
        owner.register_buffer(field, from_obj)
    else:
        setattr(owner, field, from_obj)


def _get_attr(model, attr_name):
    for item in attr_name.split('.'):
        model = getattr(model, item)
    return model


def _del_attr(model, attr_name):
    owner, field = _owner_of(model, attr_name)
    return delattr(owner, field)


def _has_attr(model, attr_name):
    owner, field = _owner_of(model, attr_name)
    return owner is not None and hasattr(owner, field)


class _CodeOnlyModule(torch.nn.Module):
    def __init__(self, body):
        super().__init__()
        self.__dict__ = body


def _print_readable(module, module_name, print_output=True, include_stride=False, include_device=False, colored=False,
                    expanded_def=False, additional_meta=None):
    def indent(text):
        first, *others = text.split('\n')
        return '\n'.join([first] + ['    ' + line if line.strip() else '' for line in others])

    src = module.graph.python_code('self', verbose=True, include_stride=include_stride, include_device=include_device,
                                   expanded_def=expanded_def, additional_meta=additional_meta).src
    text = indent(f'class {module_name}(torch.nn.Module):\n' + src.lstrip('\n'))
    inner = [''] + [_print_readable(child, name, False, include_stride, include_device, additional_meta=additional_meta)
                    for name, child in module.named_children() if isinstance(child, GraphModule)]
    text += indent('\n'.join(inner))
    if print_output:
        print(text)
    return text


class GraphModule(torch.nn.Module):
    def __new__(cls, *args, **kwargs):
        # Each has a class of its own, as each has a forward of its own.
        for base in cls.__mro__:
            if base.__qualname__.split('.')[-1] != 'GraphModuleImpl':
                cls = base
                break

        class GraphModuleImpl(cls):
            pass

        return super().__new__(GraphModuleImpl)

    def __init__(self, root, graph, class_name='GraphModule'):
        super().__init__()
        self.__class__.__name__ = class_name
        targets = [node.target for node in graph.nodes if node.op in ('get_attr', 'call_module')]
        if isinstance(root, torch.nn.Module):
            if hasattr(root, 'training'):
                self.training = root.training
            if isinstance(root, _CodeOnlyModule):
                for table in (root.named_children(), root.named_buffers(), root.named_parameters()):
                    for name, _ in table:
                        _copy_attr(root, self, name)
            for target in targets:
                _copy_attr(root, self, target)
        elif isinstance(root, dict):
            for node in graph.nodes:
                if node.op in ('get_attr', 'call_module') and node.target not in root:
                    raise RuntimeError(f'Node {node} referenced target {node.target} but that target was not provided in '
                                       '``root``!')
            for target in sorted(targets, key=lambda t: t.count('.')):
                _assign_attr(root[target], self, target)
        else:
            raise RuntimeError(f'Unsupported type {root} passed for root!')
        self.graph = graph
        self._set_up()

    def _set_up(self):
        tracer = self._graph._tracer_cls
        self._tracer_cls = tracer if tracer and '<locals>' not in tracer.__qualname__ else None
        self._tracer_extras = self._graph._tracer_extras or {}
        self.meta = {}
        self._replace_hooks = []
        self._create_node_hooks = []
        self._erase_node_hooks = []
        self._deepcopy_hooks = []
        self.shape_env = None

    @property
    def _boxed_call(self):
        return isinstance(self._graph._codegen, _BoxedCodeGen)

    def __call__(self, *args, **kwargs):
        try:
            return super().__call__(*args, **kwargs)
        except Exception as error:
            _point_at_generated_line(error)
            raise

    @property
    def graph(self):
        return self._graph

    @graph.setter
    def graph(self, g):
        assert isinstance(g, Graph), f'Expected a Graph instance, but got {type(g)}'
        self._graph = g
        g.owning_module = self
        self.recompile()

    @property
    def _last_code(self):
        # Of an opened module it is written when it is asked for, as it was opened.
        if self._written is None:
            from ._code import python_code
            self._written = python_code(self._graph, as_opened=True)
        return self._written

    @property
    def code(self):
        return self._last_code.src

    @property
    def _code(self):
        return self._last_code.src

    @property
    def _lineno_map(self):
        return self._last_code._lineno_map

    @property
    def _prologue_start(self):
        return self._last_code._prologue_start

    def _write_code(self):
        if isinstance(self._graph._codegen, _PyTreeCodeGen):
            _, self._in_spec, self._out_spec = self._graph._codegen.pytree_info
        self._written = self._graph.python_code('self')
        return self._written

    def recompile(self):
        code = self._write_code()
        co_fields = getattr(self._graph, '_co_fields', {})
        type(self).forward = (_LateForward(lambda: code, co_fields) if self._graph._is_plainly_written else
                              _forward_from_src(code.src, code.globals, co_fields))
        for child in self.children():
            if isinstance(child, GraphModule):
                child.recompile()
        return code

    def to_folder(self, folder, module_name='FxModule'):
        from ._folders import write_folder
        write_folder(self, folder, module_name)

    def add_submodule(self, target, m):
        *prefix, field = target.split('.')
        at = self
        for item in prefix:
            found = getattr(at, item, None)
            if found is None:
                found = torch.nn.Module()
                setattr(at, item, found)
            if not isinstance(found, torch.nn.Module):
                return False
            at = found
        at.add_module(field, m)
        return True

    def delete_submodule(self, target):
        at, field = _owner_of(self, target)
        if not isinstance(at, torch.nn.Module) or not isinstance(getattr(at, field, None), torch.nn.Module):
            return False
        delattr(at, field)
        return True

    def delete_all_unused_submodules(self):
        used = set()
        for node in self.graph.nodes:
            if node.op not in ('call_module', 'get_attr'):
                continue
            atoms = node.target.split('.')
            used.update('.'.join(atoms[:i + 1]) for i in range(len(atoms)))
            if node.op == 'call_module':
                try:
                    called = self.get_submodule(node.target)
                except AttributeError:
                    continue
                used.update(f'{node.target}.{name}' for name, _ in called.named_modules() if name)
        for name in [name for name, _ in self.named_modules() if name not in used]:
            self.delete_submodule(name)

    def _deepcopy_init(self):
        return GraphModule.__init__

    def __deepcopy__(self, memo):
        made = type(self).__new__(type(self))
        memo[id(self)] = made
        kept = {name: value for name, value in self.__dict__.items() if name != '_written'}
        body = _CodeOnlyModule(copy.deepcopy(kept, memo))
        self._deepcopy_init()(made, body, body.__dict__['_graph'])
        for name in ('_state_dict_hooks', '_load_state_dict_pre_hooks', '_load_state_dict_post_hooks', '_replace_hooks',
                     '_create_node_hooks', '_erase_node_hooks', '_deepcopy_hooks'):
            if name in self.__dict__:
                setattr(made, name, copy.deepcopy(self.__dict__[name], memo))
        made.meta = copy.deepcopy(getattr(self, 'meta', {}), memo)
        for hook in self._deepcopy_hooks:
            hook(made)
        return made

    def __copy__(self):
        made = GraphModule(self, self.graph)
        made.meta = getattr(self, 'meta', {})
        return made

    def _replicate_for_data_parallel(self):
        made = self.__copy__()
        made._is_replica = True
        return made

    def print_readable(self, print_output=True, include_stride=False, include_device=False, colored=False, *,
                       fast_sympy_print=False, expanded_def=False, additional_meta=None):
        return _print_readable(self, self._get_name(), print_output, include_stride, include_device, colored,
                               expanded_def, additional_meta)

    def __str__(self):
        return '\n'.join([super().__str__(), self.code,
                          '# To see more debug info, please use `graph_module.print_readable()`'])

    @contextlib.contextmanager
    def _set_replace_hook(self, f):
        self._register_replace_node_hook(f)
        try:
            yield
        finally:
            self._unregister_replace_node_hook(f)


def _add_hooks():
    for kind in ('replace_node', 'create_node', 'erase_node', 'deepcopy'):
        table = {'replace_node': '_replace_hooks', 'deepcopy': '_deepcopy_hooks'}.get(kind, f'_{kind}_hooks')

        def register(self, f, table=table):
            assert callable(f), 'create_node hook must be a callable.'
            getattr(self, table).append(f)

        def unregister(self, f, table=table):
            assert callable(f), 'create_node hook must be a callable.'
            getattr(self, table).remove(f)

        setattr(GraphModule, f'_register_{kind}_hook', register)
        setattr(GraphModule, f'_unregister_{kind}_hook', unregister)


_add_hooks()


def reduce_graph_module(body, import_block):
    raise NotImplementedError('not supported: pickled GraphModules within a pass; open the file itself')
