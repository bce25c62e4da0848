# SPDX-License-Identifier: GPL-3.0-or-later
# The base class of all modules: registering, walking, modes, state and printing.
# Hooks are in _hooks.py, loading in _state.py, moving to another device or dtype in _moving.py.
import itertools
import warnings
from collections import OrderedDict
import torch
from torch.nn.parameter import Buffer, Parameter, is_lazy
from ._hooks import (EveryModule, RemovableHandle, add_hook, call_with_hooks, offered,
                     register_module_backward_hook, register_module_buffer_registration_hook, register_module_forward_hook,
                     register_module_forward_pre_hook, register_module_full_backward_hook,
                     register_module_full_backward_pre_hook, register_module_module_registration_hook,
                     register_module_parameter_registration_hook)
from ._moving import apply_to_own, moved, parse_to
from ._state import EXTRA, _IncompatibleKeys, load_own, load_tree

__all__ = ['register_module_forward_pre_hook', 'register_module_forward_hook', 'register_module_full_backward_pre_hook',
           'register_module_backward_hook', 'register_module_full_backward_hook', 'register_module_buffer_registration_hook',
           'register_module_module_registration_hook', 'register_module_parameter_registration_hook', 'Module']


_KINDS = {torch.float32: 'Float', torch.float64: 'Double', torch.float16: 'Half', torch.bfloat16: 'BFloat16',
          torch.uint8: 'Byte', torch.int8: 'Char', torch.int16: 'Short', torch.int32: 'Int', torch.int64: 'Long',
          torch.bool: 'Bool', torch.complex64: 'ComplexFloat', torch.complex128: 'ComplexDouble'}


def _typename(value):
    if isinstance(value, torch.Tensor):
        return ('torch.cuda.' if value.is_cuda else 'torch.') + _KINDS.get(value.dtype, '') + 'Tensor'
    named = value if hasattr(value, '__qualname__') else type(value)
    home = getattr(named, '__module__', None) or ''
    return named.__qualname__ if home in ('', 'builtins') else f'{home}.{named.__qualname__}'


def _addindent(text, spaces):
    first, *rest = text.split('\n')
    return '\n'.join([first] + [' ' * spaces + line if line.strip() else '' for line in rest])


def _check_name(kind, name, owner, table):
    if not isinstance(name, str):
        raise TypeError(f'{kind} name should be a string. Got {_typename(name)}')
    if '.' in name:
        raise KeyError(f'{kind} name can\'t contain "."' + (f', got: {name}' if kind == 'module' else ''))
    if name == '':
        raise KeyError(f'{kind} name can\'t be empty string ""')
    if hasattr(owner, name) and name not in table:
        raise KeyError(f"attribute '{name}' already exists")


def _forward_unimplemented(self, *input):
    raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')


class Module:
    dump_patches = False
    _version = 1
    call_super_init = False
    _compiled_call_impl = None

    def __init__(self, *args, **kwargs):
        if not self.call_super_init:
            if kwargs:
                raise TypeError(f"{type(self).__name__}.__init__() got an unexpected keyword argument '{next(iter(kwargs))}'")
            if args:
                raise TypeError(f'{type(self).__name__}.__init__() takes 1 positional argument but {len(args) + 1} were given')
        self.__dict__.update(
            training=True, _parameters={}, _buffers={}, _non_persistent_buffers_set=set(),
            _backward_pre_hooks=OrderedDict(), _backward_hooks=OrderedDict(), _is_full_backward_hook=None,
            _forward_hooks=OrderedDict(), _forward_hooks_with_kwargs=OrderedDict(), _forward_hooks_always_called=OrderedDict(),
            _forward_pre_hooks=OrderedDict(), _forward_pre_hooks_with_kwargs=OrderedDict(),
            _state_dict_hooks=OrderedDict(), _state_dict_pre_hooks=OrderedDict(),
            _load_state_dict_pre_hooks=OrderedDict(), _load_state_dict_post_hooks=OrderedDict(), _modules={})
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    forward = _forward_unimplemented

    # Calling

    def _call_impl(self, *args, **kwargs):
        if self._forward_pre_hooks or self._forward_hooks or EveryModule.pre or EveryModule.post:
            return call_with_hooks(self, args, kwargs)
        return self.forward(*args, **kwargs)

    __call__ = _call_impl

    # Attributes

    def __getattr__(self, name):
        fields = self.__dict__
        for table in ('_parameters', '_buffers', '_modules'):
            if table in fields and name in fields[table]:
                return fields[table][name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name, value):
        fields = self.__dict__
        started = '_modules' in fields
        if isinstance(value, Parameter):
            if not started:
                raise AttributeError('cannot assign parameters before Module.__init__() call')
            self._forget(name, fields, self._buffers, self._modules)
            self.register_parameter(name, value)
        elif started and name in fields['_parameters']:
            if value is not None:
                raise TypeError(f"cannot assign '{_typename(value)}' as parameter '{name}' (torch.nn.Parameter or None expected)")
            self.register_parameter(name, None)
        elif isinstance(value, Module):
            if not started:
                raise AttributeError('cannot assign module before Module.__init__() call')
            self._forget(name, fields, self._parameters, self._buffers)
            self._modules[name] = offered(EveryModule.modules, self, name, value)
        elif started and name in fields['_modules']:
            if value is not None:
                raise TypeError(f"cannot assign '{_typename(value)}' as child module '{name}' (torch.nn.Module or None expected)")
            self._modules[name] = offered(EveryModule.modules, self, name, None)
        elif isinstance(value, Buffer) or started and name in fields['_buffers']:
            if value is not None and not (isinstance(value, torch.Tensor) or hasattr(value, '__torch_function__') or is_lazy(value)):
                raise TypeError(f"cannot assign '{_typename(value)}' as buffer '{name}' "
                                '(torch.nn.Buffer, torch.Tensor or None expected)')
            lasting = value.persistent if isinstance(value, Buffer) else name not in self._non_persistent_buffers_set
            self.register_buffer(name, value, lasting)
        else:
            super().__setattr__(name, value)

    def _forget(self, name, *tables):
        for table in tables:
            if name in table:
                del table[name]
        self._non_persistent_buffers_set.discard(name)

    def __delattr__(self, name):
        for table in (self._parameters, self._buffers, self._modules):
            if name in table:
                del table[name]
                if table is self._buffers:
                    self._non_persistent_buffers_set.discard(name)
                return
        super().__delattr__(name)

    def __dir__(self):
        names = dir(type(self)) + list(self.__dict__)
        for table in (self._parameters, self._modules, self._buffers):
            names += list(table)
        return sorted(name for name in names if not name[0].isdigit())

    def register_buffer(self, name, tensor, persistent=True):
        if '_buffers' not in self.__dict__:
            raise AttributeError('cannot assign buffer before Module.__init__() call')
        _check_name('buffer', name, self, self._buffers)
        if tensor is not None and not (isinstance(tensor, torch.Tensor) or hasattr(tensor, '__torch_function__') or is_lazy(tensor)):
            raise TypeError(f"cannot assign '{_typename(tensor)}' object to buffer '{name}' (torch Tensor or None required)")
        self._buffers[name] = offered(EveryModule.buffers, self, name, tensor)
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def register_parameter(self, name, param):
        if '_parameters' not in self.__dict__:
            raise AttributeError('cannot assign parameter before Module.__init__() call')
        _check_name('parameter', name, self, self._parameters)
        if param is None:
            self._parameters[name] = None
            return
        if not isinstance(param, Parameter):
            raise TypeError(f"cannot assign '{_typename(param)}' object to parameter '{name}' "
                            '(torch.nn.Parameter or None required)')
        if getattr(param, 'grad_fn', None) is not None:
            raise ValueError(f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be created "
                             f"explicitly. To express '{name}' as a function of another Tensor, compute the value in the "
                             'forward() method.')
        self._parameters[name] = offered(EveryModule.parameters, self, name, param)

    def add_module(self, name, module):
        if module is not None and not isinstance(module, Module):
            raise TypeError(f'{_typename(module)} is not a Module subclass')
        _check_name('module', name, self, self._modules)
        self._modules[name] = offered(EveryModule.modules, self, name, module)

    def register_module(self, name, module):
        self.add_module(name, module)

    def _lookup(self, name):
        if not hasattr(self, name):
            raise AttributeError(f'{self._get_name()} has no attribute `{name}`')
        return getattr(self, name)

    def get_submodule(self, target):
        found = self
        for name in target.split('.') if target else ():
            found = found._lookup(name)
            if not isinstance(found, Module):
                raise AttributeError(f'`{name}` is not an nn.Module')
        return found

    def set_submodule(self, target, module, strict=False):
        if target == '':
            raise ValueError('Cannot set the submodule without a target name!')
        if not isinstance(module, Module):
            raise ValueError(f'`module` is not an nn.Module, found {type(module)}')
        path, _, name = target.rpartition('.')
        parent = self.get_submodule(path)
        if strict or hasattr(parent, name):
            parent.get_submodule(name)
        setattr(parent, name, module)

    def get_parameter(self, target):
        path, _, name = target.rpartition('.')
        found = self.get_submodule(path)._lookup(name)
        if not isinstance(found, Parameter):
            raise AttributeError(f'`{name}` is not an nn.Parameter')
        return found

    def get_buffer(self, target):
        path, _, name = target.rpartition('.')
        owner = self.get_submodule(path)
        found = owner._lookup(name)
        if name not in owner._buffers:
            raise AttributeError(f'`{name}` is not a buffer')
        return found

    def get_extra_state(self):
        raise RuntimeError('Reached a code path in Module.get_extra_state() that should never be called. Please file an issue at '
                           'https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml to report this bug.')

    def set_extra_state(self, state):
        raise RuntimeError('Reached a code path in Module.set_extra_state() that should never be called. Please file an issue at '
                           'https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml to report this bug.')

    # Walking

    def named_modules(self, memo=None, prefix='', remove_duplicate=True):
        seen = set() if memo is None else memo
        waiting = [(prefix, self)]
        while waiting:
            path, module = waiting.pop()
            if module in seen:
                continue
            if remove_duplicate:
                seen.add(module)
            yield path, module
            start = path + '.' if path else ''
            below = [(start + name, child) for name, child in module._modules.items() if child is not None]
            waiting += below[::-1]

    def modules(self, remove_duplicate=True):
        for _, module in self.named_modules(remove_duplicate=remove_duplicate):
            yield module

    def named_children(self):
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self):
        for _, module in self.named_children():
            yield module

    def _named_members(self, get_members_fn, prefix='', recurse=True, remove_duplicate=True):
        seen = set()
        owners = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate) if recurse else [(prefix, self)]
        for path, owner in owners:
            for name, value in get_members_fn(owner):
                if value is None or id(value) in seen:
                    continue
                if remove_duplicate:
                    seen.add(id(value))
                yield path + '.' + name if path else name, value

    def named_parameters(self, prefix='', recurse=True, remove_duplicate=True):
        return self._named_members(lambda module: module._parameters.items(), prefix, recurse, remove_duplicate)

    def parameters(self, recurse=True):
        for _, value in self.named_parameters(recurse=recurse):
            yield value

    def named_buffers(self, prefix='', recurse=True, remove_duplicate=True):
        return self._named_members(lambda module: module._buffers.items(), prefix, recurse, remove_duplicate)

    def buffers(self, recurse=True):
        for _, value in self.named_buffers(recurse=recurse):
            yield value

    def apply(self, fn):
        for child in self.children():
            child.apply(fn)
        fn(self)
        return self

    # Modes

    def train(self, mode=True):
        if not isinstance(mode, bool):
            raise ValueError('training mode is expected to be boolean')
        self.training = mode
        for child in self.children():
            child.train(mode)
        return self

    def eval(self):
        return self.train(False)

    def requires_grad_(self, requires_grad=True):
        for param in self.parameters():
            param.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none=True):
        for param in self.parameters():
            if param.grad is not None:
                param.grad = None if set_to_none else torch.zeros_like(param.grad)

    def compile(self, *args, **kwargs):
        pass

    # Moving

    def _apply(self, fn, recurse=True):
        if recurse:
            for child in self.children():
                child._apply(fn)
        apply_to_own(self, fn)
        return self

    def to(self, *args, **kwargs):
        device, dtype, non_blocking, layout = parse_to(args, kwargs)
        if dtype is not None:
            if not (dtype.is_floating_point or dtype.is_complex):
                raise TypeError('nn.Module.to only accepts floating point or complex dtypes, but got desired '
                                f'dtype={dtype}')
            if dtype.is_complex:
                warnings.warn('Complex modules are a new feature under active development whose design may change, and some '
                              'modules might not work as expected when using complex tensors as parameters or buffers. Please '
                              'file an issue at https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml if a '
                              'complex module does not work as expected.', stacklevel=2)
        return self._apply(lambda value: moved(value, device, dtype, non_blocking, layout))

    def to_empty(self, *, device, recurse=True):
        return self._apply(lambda value: torch.empty_like(value, device=device), recurse=recurse)

    def cpu(self):
        return self._apply(lambda value: value.cpu())

    def cuda(self, device=None):
        return self._apply(lambda value: value.cuda(device))

    def xpu(self, device=None):
        return self._apply(lambda value: value.xpu(device))

    def type(self, dst_type):
        return self._apply(lambda value: value.type(dst_type))

    def _floating(self, dtype):
        return self._apply(lambda value: value.to(dtype) if value.is_floating_point() else value)

    def float(self):
        return self._floating(torch.float32)

    def double(self):
        return self._floating(torch.float64)

    def half(self):
        return self._floating(torch.float16)

    def bfloat16(self):
        return self._floating(torch.bfloat16)

    def share_memory(self):
        return self._apply(lambda value: value.share_memory_())

    # Hooks

    def register_forward_pre_hook(self, hook, *, prepend=False, with_kwargs=False):
        named = [self._forward_pre_hooks_with_kwargs]
        return add_hook(self._forward_pre_hooks, hook, named if with_kwargs else (), named, prepend)

    def register_forward_hook(self, hook, *, prepend=False, with_kwargs=False, always_call=False):
        marks = [self._forward_hooks_with_kwargs] * with_kwargs + [self._forward_hooks_always_called] * always_call
        return add_hook(self._forward_hooks, hook, marks, (), prepend)

    def register_full_backward_pre_hook(self, hook, prepend=False):
        return add_hook(self._backward_pre_hooks, hook, (), (), prepend)

    def register_backward_hook(self, hook):
        return self._add_backward(hook, False, False)

    def register_full_backward_hook(self, hook, prepend=False):
        return self._add_backward(hook, True, prepend)

    def _add_backward(self, hook, full, prepend):
        if self._is_full_backward_hook is (not full):
            raise RuntimeError('Cannot use both regular backward hooks and full backward hooks on a single Module. '
                               'Please use only one of them.')
        self._is_full_backward_hook = full
        return add_hook(self._backward_hooks, hook, (), (), prepend)

    def _register_state_dict_hook(self, hook):
        if getattr(hook, '_from_public_api', False):
            raise RuntimeError('Cannot register the same function as the state dict post hook that was previously registered '
                               'via register_state_dict_post_hook')
        return add_hook(self._state_dict_hooks, hook)

    def register_state_dict_post_hook(self, hook):
        hook._from_public_api = True
        return add_hook(self._state_dict_hooks, hook)

    def register_state_dict_pre_hook(self, hook):
        return add_hook(self._state_dict_pre_hooks, hook)

    def _register_load_state_dict_pre_hook(self, hook, with_module=False):
        return add_hook(self._load_state_dict_pre_hooks, (lambda *state: hook(self, *state)) if with_module else hook)

    def register_load_state_dict_pre_hook(self, hook):
        return self._register_load_state_dict_pre_hook(hook, with_module=True)

    def register_load_state_dict_post_hook(self, hook):
        return add_hook(self._load_state_dict_post_hooks, hook)

    # State

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        for name, value in itertools.chain(self._parameters.items(), self._buffers.items()):
            if value is not None and (name in self._parameters or name not in self._non_persistent_buffers_set):
                destination[prefix + name] = value if keep_vars or is_lazy(value) else value.detach()
        if type(self).get_extra_state is not Module.get_extra_state:
            destination[prefix + EXTRA] = self.get_extra_state()

    def state_dict(self, *args, destination=None, prefix='', keep_vars=False):
        if args:
            warnings.warn('Positional args are being deprecated, use kwargs instead. Refer to '
                          'https://pytorch.org/docs/main/generated/torch.nn.Module.html#torch.nn.Module.state_dict '
                          'for details.', FutureWarning, stacklevel=2)
            given = [*args, '', False][:3] if len(args) == 1 else [*args, False][:3]
            destination = given[0] if destination is None else destination
            prefix = prefix or given[1]
            keep_vars = keep_vars or given[2]
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        metadata = {'version': self._version}
        if hasattr(destination, '_metadata'):
            destination._metadata[prefix[:-1]] = metadata
        for hook in self._state_dict_pre_hooks.values():
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, child in self._modules.items():
            if child is not None:
                child.state_dict(destination=destination, prefix=prefix + name + '.', keep_vars=keep_vars)
        for hook in self._state_dict_hooks.values():
            changed = hook(self, destination, prefix, metadata)
            if changed is not None:
                if getattr(hook, '_from_public_api', False):
                    raise RuntimeError('state_dict post-hook must return None')
                destination = changed
        return destination

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        for hook in self._load_state_dict_pre_hooks.values():
            hook(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
        load_own(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs,
                 type(self).set_extra_state is not Module.set_extra_state)

    def load_state_dict(self, state_dict, strict=True, assign=False):
        if not (isinstance(state_dict, dict) or hasattr(state_dict, 'keys')):
            raise TypeError(f'Expected state_dict to be dict-like, got {type(state_dict)}.')
        return load_tree(self, state_dict, strict, assign)

    def __setstate__(self, state):
        self.__dict__.update(state)
        for name in ('_forward_pre_hooks', '_forward_pre_hooks_with_kwargs', '_forward_hooks', '_forward_hooks_with_kwargs',
                     '_forward_hooks_always_called', '_state_dict_hooks', '_state_dict_pre_hooks',
                     '_load_state_dict_pre_hooks', '_load_state_dict_post_hooks', '_backward_hooks', '_backward_pre_hooks'):
            if name not in self.__dict__:
                self.__dict__[name] = OrderedDict()
        self.__dict__.setdefault('_non_persistent_buffers_set', set())
        self.__dict__.setdefault('_is_full_backward_hook', None)

    # Printing

    def _get_name(self):
        return type(self).__name__

    def extra_repr(self):
        return ''

    def __repr__(self):
        extra = self.extra_repr()
        own = extra.split('\n') if extra else []
        below = [f'({name}): ' + _addindent(repr(child), 2) for name, child in self._modules.items()]
        if len(own) == 1 and not below:
            return f'{self._get_name()}({extra})'
        lines = ''.join('\n  ' + line for line in own + below)
        return f'{self._get_name()}({lines}\n)' if lines else f'{self._get_name()}()'
