# SPDX-License-Identifier: GPL-3.0-or-later
# Graph: a list of nodes, over the work that core/fxpython does; and what turns it into code.
import builtins
import contextlib
import copy
import math
import re
import typing
import warnings

import torch
from torch.utils._dtype_abbrs import dtype_abbrs

from . import _graphs
from ._codegen import CodeGen, PythonCode, _BoxedCodeGen, _PyTreeCodeGen, _PyTreeInfo
from ._names import _FindNodesLookupTable, _GraphNamespace, _Namespace
from .immutable_collections import immutable_dict
from .node import Argument, Node, Target, _get_qualified_name, _hooks, _legal_ops, _type_repr, map_arg

_origin_type_map = {list: typing.List, dict: typing.Dict, set: typing.Set, frozenset: typing.FrozenSet, tuple: typing.Tuple}


class _CustomBuiltin(typing.NamedTuple):
    # What generated code may name: the statement that imports it, and itself.
    import_str: str
    obj: typing.Any


_custom_builtins = {}
_illegal_names = {name: getattr(builtins, name) for name in dir(builtins)}


def _register_custom_builtin(name, import_str, obj):
    _custom_builtins[name] = _CustomBuiltin(import_str, obj)
    _illegal_names[name] = obj


def _register_custom_builtins():
    import torch.fx._pytree as fx_pytree
    import torch.utils._pytree as pytree
    _register_custom_builtin('inf', 'from math import inf', math.inf)
    _register_custom_builtin('nan', 'from math import nan', math.nan)
    _register_custom_builtin('NoneType', 'NoneType = type(None)', type(None))
    _register_custom_builtin('torch', 'import torch', torch)
    _register_custom_builtin('device', 'from torch import device', torch.device)
    _register_custom_builtin('fx_pytree', 'import torch.fx._pytree as fx_pytree', fx_pytree)
    _register_custom_builtin('pytree', 'import torch.utils._pytree as pytree', pytree)


_register_custom_builtins()


def _format_target(base, target):
    for part in target.split('.'):
        base = f'{base}.{part}' if part.isidentifier() else f'getattr({base}, "{part}")'
    return base


def _is_from_torch(obj):
    name = getattr(obj, '__module__', None)
    if name is not None:
        return name.partition('.')[0] == 'torch' and not name.startswith('torch._dynamo.') and not name.startswith('torch._inductor.')
    return obj is not torch and getattr(torch, getattr(obj, '__name__', ''), None) is obj


def _is_magic(x):
    return x.startswith('__') and x.endswith('__')


def _snake_case(text):
    return re.sub('(?<=[a-z])([A-Z])', r'_\1', text).lower()


class _InsertPoint:
    def __init__(self, graph, node, is_after):
        self._graph = graph
        self._before = _graphs.set_insert_point(graph, node, is_after)

    def __enter__(self):
        pass

    def __exit__(self, type, value, tb):
        _graphs.set_insert_point(self._graph, *self._before)


class _node_list:
    def __init__(self, graph, direction='_next'):
        assert direction in ('_next', '_prev'), f"direction must be '_next' or '_prev', got {direction}"
        self.graph = graph
        self.direction = direction

    def __len__(self):
        return _graphs.size(self.graph)

    def __iter__(self):
        return _graphs.nodes(self.graph, self.direction == '_prev')

    def __reversed__(self):
        return _node_list(self.graph, '_next' if self.direction == '_prev' else '_prev')


class Graph:
    def __init__(self, owning_module=None, tracer_cls=None, tracer_extras=None):
        _graphs.attach(self)
        self._set_up(owning_module, tracer_cls, tracer_extras)

    def _set_up(self, owning_module=None, tracer_cls=None, tracer_extras=None):
        self._owning_module = owning_module
        self._tracer_cls = tracer_cls
        self._tracer_extras = tracer_extras
        self._codegen = CodeGen()
        self._told_info = None
        self._co_fields = {}
        self._used_names = {}
        self._graph_namespace = _GraphNamespace(self)
        self._find_nodes_lookup_table = _FindNodesLookupTable(self)

    @staticmethod
    def _of(handle):
        # The Graph of what was traced or opened.
        graph = Graph.__new__(Graph)
        _graphs.attach(graph, handle)
        graph._set_up()
        graph._ask_signature()
        return graph

    def _ask_signature(self):
        """The codegen of what was traced or opened with nested arguments."""
        signature = _graphs.signature(self)
        if signature is not None:
            from torch.utils._pytree import tree_structure
            names, inputs, outputs = signature
            self._told_info = _PyTreeInfo(names, tree_structure(inputs[0]), tree_structure(outputs[0]) if outputs else None)
            self._codegen = _PyTreeCodeGen(self._told_info)

    def _tell_signature(self):
        """The graph below knows how it is called as the codegen has it."""
        info = getattr(self._codegen, 'pytree_info', None)
        if info is not self._told_info:
            _graphs.set_signature(self, *(info or (None, None, None)))
            self._told_info = info

    @property
    def owning_module(self):
        return self._owning_module

    @owning_module.setter
    def owning_module(self, mod):
        self._owning_module = mod

    @property
    def nodes(self):
        return _node_list(self)

    @property
    def _root(self):
        return _graphs.end(self)

    @property
    def _len(self):
        return _graphs.size(self)

    def output_node(self):
        node = next(iter(reversed(self.nodes)))
        assert node.op == 'output', f'Expected output node, got op={node.op}'
        return node

    def find_nodes(self, *, op, target=None, sort=True):
        assert op != 'call_function' or target is not None, 'target must not be None for call_function op'
        return _graphs.find(self, op, target, sort)

    def create_node(self, op, target, args=None, kwargs=None, name=None, type_expr=None):
        if args and not isinstance(args, tuple):
            raise AssertionError(f'args must be a tuple, got {type(args)}')
        if kwargs and not isinstance(kwargs, dict):
            raise AssertionError(f'kwargs must be a dict, got {type(kwargs)}')
        assert op in _legal_ops and op != 'root', f"op '{op}' is not in _legal_ops"
        if op == 'call_function':
            if not callable(target):
                self._refuse_target(name, target, 'Callable')
        elif not isinstance(target, str):
            self._refuse_target(name, target, 'str')
        node = _graphs.create(self, op, target, args or (), kwargs or {}, name, type_expr)
        if self._owning_module is not None:
            for hook in getattr(self._owning_module, '_create_node_hooks', None) or ():
                hook(node)
        return node

    def _refuse_target(self, name, target, expected):
        name = self._graph_namespace.create_name(self._target_to_str(target) if name is None else name, None)
        raise ValueError(f"Node [graph = {self}, name = '{name}'] target {target} has type {torch.typename(target)} "
                         f'but a {expected} is expected')

    def _target_to_str(self, target):
        if callable(target):
            return _snake_case(target.__name__)
        assert isinstance(target, str), f'Expected target to be str, got {type(target)}'
        return _snake_case(target[2:-2] if _is_magic(target) else target)

    def erase_node(self, to_erase):
        users = to_erase.users
        if len(users) > 0:
            raise RuntimeError(f'Tried to erase Node {to_erase} but it still had {len(users)} users in the graph: {users}!')
        if to_erase.graph != self:
            raise RuntimeError(f'Attempting to remove {to_erase} from wrong graph!')
        if to_erase._erased:
            warnings.warn(f'erase_node({to_erase}) on an already erased node')
            return
        for hook in _hooks(self, '_erase_node_hooks'):
            hook(to_erase)
        _graphs.erase(self, to_erase)

    def inserting_before(self, n=None):
        if n is None:
            return self.inserting_after(self._root)
        assert n.graph == self, 'Node to insert before is not in graph.'
        return _InsertPoint(self, n if n.op != 'root' else None, n.op == 'root')

    def inserting_after(self, n=None):
        if n is None:
            return self.inserting_before(self._root)
        assert n.graph == self, 'Node to insert after is not in graph.'
        return _InsertPoint(self, n if n.op != 'root' else None, n.op != 'root')

    def placeholder(self, name, type_expr=None, default_value=...):
        import inspect
        is_given = default_value is not ... and default_value is not inspect.Signature.empty
        return self.create_node('placeholder', name, args=(default_value,) if is_given else (), type_expr=type_expr)

    def get_attr(self, qualified_name, type_expr=None):
        if self.owning_module is not None and not self._is_registered(qualified_name):
            warnings.warn('Attempted to insert a get_attr Node with no underlying reference in the owning GraphModule! '
                          'Call GraphModule.add_submodule to add the necessary submodule, GraphModule.add_parameter to '
                          'add the necessary Parameter, or nn.Module.register_buffer to add the necessary buffer',
                          stacklevel=2)
        return self.create_node('get_attr', qualified_name, type_expr=type_expr)

    def _is_registered(self, qualified_name):
        module_path, _, name = qualified_name.rpartition('.')
        try:
            owner = self.owning_module.get_submodule(module_path)
        except AttributeError:
            warnings.warn(f'Failed to fetch module {module_path}!')
            return False
        found = getattr(owner, name, None)
        return isinstance(found, (torch.nn.Module, torch.nn.Parameter)) or name in owner._buffers

    def call_module(self, module_name, args=None, kwargs=None, type_expr=None):
        if self.owning_module and self.owning_module.get_submodule(module_name) is None:
            warnings.warn('Attempted to insert a call_module Node with no underlying reference in the owning GraphModule! '
                          'Call GraphModule.add_submodule to add the necessary submodule')
        return self.create_node('call_module', module_name, args, kwargs, type_expr=type_expr)

    def call_method(self, method_name, args=None, kwargs=None, type_expr=None):
        return self.create_node('call_method', method_name, args, kwargs, type_expr=type_expr)

    def call_function(self, the_function, args=None, kwargs=None, type_expr=None, name=None):
        return self.create_node('call_function', the_function, args, kwargs, name=name, type_expr=type_expr)

    def _create_measure(self, operator, tensor_node, *args):
        node = self.call_function(operator, (tensor_node, *args))
        key = next((key for key in ('val', 'example_value') if key in tensor_node.meta), None)
        if key is not None and tensor_node.meta[key] is not None:
            node.meta[key] = getattr(tensor_node.meta[key], operator.__name__.split('.')[0][len('sym_'):])(*args)
        return node

    def create_size_node(self, tensor_node, dim):
        return self._create_measure(torch.ops.aten.sym_size.int, tensor_node, dim)

    def create_stride_node(self, tensor_node, dim):
        return self._create_measure(torch.ops.aten.sym_stride.int, tensor_node, dim)

    def create_storage_offset_node(self, tensor_node):
        return self._create_measure(torch.ops.aten.sym_storage_offset.default, tensor_node)

    def materialize_symint(self, value):
        return self.materialize_symints([value])[0]

    def materialize_symints(self, values):
        from ._symbolic_nodes import nodes_of
        return nodes_of(self, values)

    def output(self, result, type_expr=None):
        return self.create_node(op='output', target='output', args=(result,), type_expr=type_expr)

    def node_copy(self, node, arg_transform=lambda x: x):
        args = map_arg(node.args, arg_transform)
        kwargs = map_arg(node.kwargs, arg_transform)
        assert isinstance(args, tuple), f'Expected args to be tuple, got {type(args)}'
        assert isinstance(kwargs, dict), f'Expected kwargs to be dict, got {type(kwargs)}'
        _graphs.learn(node.graph, self)
        made = self.create_node(node.op, node.target, args, kwargs, node.name, node.type)
        made.meta = copy.copy(node.meta)
        if made.meta.get('is_wrapped'):
            _graphs.mark_wrapped(made)
        return made

    def graph_copy(self, g, val_map, return_output_node=False):
        for node in g.nodes:
            if node in val_map:
                continue
            if node.op == 'output':
                result = map_arg(node.args[0], lambda n: val_map[n])
                return (result, node) if return_output_node else result
            val_map[node] = self.node_copy(node, lambda n: val_map[n])
        return None

    def __deepcopy__(self, memo=None):
        memo = memo if memo else {}
        made = Graph(tracer_cls=self._tracer_cls)
        result = made.graph_copy(self, val_map=memo, return_output_node=True)
        made._codegen = copy.deepcopy(self._codegen)
        _graphs.copy_signature(self, made)
        made._told_info = self._told_info and getattr(made._codegen, 'pytree_info', None)
        if result is not None:
            value, old = result
            made.output(value, type_expr=old.type).meta = copy.copy(old.meta)
        return made

    def process_inputs(self, *args):
        return self._codegen.process_inputs(*args)

    def process_outputs(self, out):
        return self._codegen.process_outputs(out)

    @property
    def _is_plainly_written(self):
        # By our own code alone, which gives text that can be read.
        return type(self._codegen) in (CodeGen, _PyTreeCodeGen) and self._codegen._body_transformer is None

    def set_codegen(self, codegen):
        self._codegen = codegen
        self._tell_signature()

    def on_generate_code(self, make_transformer):
        before = self._codegen._body_transformer
        self._codegen._body_transformer = make_transformer(before)

        @contextlib.contextmanager
        def restored():
            try:
                yield
            finally:
                self._codegen._body_transformer = before

        return restored()

    def python_code(self, root_module='self', *, verbose=False, include_stride=False, include_device=False, colored=False,
                    expanded_def=False, record_func=False, additional_meta=None):
        from ._code import python_code
        return python_code(self, verbose, include_stride, include_device, expanded_def, additional_meta)

    def __str__(self):
        return _graphs.text(self)

    def print_tabular(self):
        print(_graphs.tabular_text(self), end='')

    def lint(self):
        for node in self._find_nodes_lookup_table.left_out():
            raise RuntimeError(f"Node '{node}' is not added to the side table")
        fault = _graphs.first_fault(self)
        if fault is not None:
            node, read = fault
            if read is None:
                raise RuntimeError(f'Node redefined name {node.name}!')
            raise RuntimeError(f"Argument '{read}' of Node '{node}' was used before it has been defined! Please check that "
                               f'Nodes in the graph are topologically ordered\n{self}')
        if self.owning_module:
            for node in self.nodes:
                if node.op in ('get_attr', 'call_module'):
                    self._check_target(node)

    def _check_target(self, node):
        at = self.owning_module
        atoms = node.target.split('.')
        for i, atom in enumerate(atoms):
            found = getattr(at, atom, None)
            place = '.'.join(atoms[:i])
            if found is None:
                raise RuntimeError(f'Node {node} target {node.target} references nonexistent attribute {atom} of {place}')
            if node.op == 'call_module' and not isinstance(found, torch.nn.Module):
                raise RuntimeError(f'Node {node} target {node.target} {atom} of {place} does not reference an nn.Module')
            at = found

    def eliminate_dead_code(self, is_impure_node=None):
        self.lint()
        changed = False
        for node in reversed(self.nodes):
            is_impure = node.is_impure() if is_impure_node is None else is_impure_node(node)
            if not is_impure and len(node.users) == 0:
                self.erase_node(node)
                changed = True
        if self.owning_module is not None:
            read = [node.target for node in self.find_nodes(op='get_attr')]
            for name, child in self.owning_module.named_children():
                if name in read and isinstance(child, torch.fx.GraphModule):
                    changed |= child.graph.eliminate_dead_code()
                    child.recompile()
        return changed


reflectable_magic_methods = {'add': '{} + {}', 'sub': '{} - {}', 'mul': '{} * {}', 'floordiv': '{} // {}',
                             'truediv': '{} / {}', 'div': '{} / {}', 'mod': '{} % {}', 'pow': '{} ** {}',
                             'lshift': '{} << {}', 'rshift': '{} >> {}', 'and_': '{} & {}', 'or_': '{} | {}',
                             'xor': '{} ^ {}', 'getitem': '{}[{}]', 'matmul': '{} @ {}'}
magic_methods = {'eq': '{} == {}', 'ne': '{} != {}', 'lt': '{} < {}', 'gt': '{} > {}', 'le': '{} <= {}', 'ge': '{} >= {}',
                 'pos': '+{}', 'neg': '-{}', 'invert': '~{}', **reflectable_magic_methods}
inplace_methods = {'iadd': '{} += {}', 'iand': '{} &= {}', 'ifloordiv': '{} //= {}', 'ilshift': '{} <<= {}',
                   'imod': '{} %= {}', 'imul': '{} *= {}', 'imatmul': '{} @= {}', 'ior': '{} |= {}', 'ipow': '{} **= {}',
                   'irshift': '{} >>= {}', 'isub': '{} -= {}', 'itruediv': '{} /= {}', 'ixor': '{} ^= {}',
                   'setitem': '{}[{}] = {}'}
