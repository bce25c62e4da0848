# SPDX-License-Identifier: GPL-3.0-or-later
# MetaTracer: each node is run on the meta device as soon as it is recorded, so that sizes and dtypes are at hand while
# tracing. `fxscope --tracer meta` is the same for whole models, and knows more (core/trace/meta_tracer.h).
import builtins
import functools
import warnings

import torch
import torch.fx
from torch.fx.node import map_aggregate

__all__ = ['embedding_override', 'functional_relu_override', 'gen_constructor_wrapper', 'manual_meta_overrides', 'MetaAttribute',
           'MetaDeviceAttribute', 'MetaProxy', 'MetaTracer', 'nn_layernorm_override', 'proxys_to_metas', 'symbolic_trace',
           'torch_abs_override', 'torch_nn_relu_override', 'torch_relu_override', 'torch_where_override']


def embedding_override(self, input):
    return torch.empty(*input.shape, self.weight.shape[-1], device='meta')


def nn_layernorm_override(self, input):
    return input


def torch_relu_override(x):
    return x


def torch_nn_relu_override(self, x):
    return x


def functional_relu_override(x, inplace=False):
    if inplace:
        raise AssertionError("don't support inplace functional.relu for metatensor analysis")
    return x


def torch_where_override(condition, x, y):
    # The sum has the shape that the three have together.
    return sum((value.to(device='meta') for value in (x, y)), condition.to(device='meta'))


def torch_abs_override(input, *, out=None):
    if out is not None:
        raise AssertionError("Don't support in-place abs for MetaTensor analysis")
    return input


manual_meta_overrides = {torch.nn.Embedding: embedding_override, torch.nn.LayerNorm: nn_layernorm_override,
                         torch.relu: torch_relu_override, torch.nn.functional.relu: functional_relu_override,
                         torch.nn.ReLU: torch_nn_relu_override, torch.where: torch_where_override, torch.abs: torch_abs_override}


def gen_constructor_wrapper(target):
    """(a function that is recorded where a traced value is among its arguments, the function itself)"""
    @functools.wraps(target)
    def wrapper(*args, **kwargs):
        proxies = []

        def seen(value):
            if isinstance(value, torch.fx.Proxy):
                proxies.append(value)

        map_aggregate((args, kwargs), seen)
        return proxies[-1].tracer.create_proxy('call_function', target, args, kwargs) if proxies else target(*args, **kwargs)

    return wrapper, target


class MetaProxy(torch.fx.Proxy):
    def install_tensor_meta(self, tensor_meta):
        self._tensor_meta = tensor_meta

    def _known(self):
        return getattr(self, '_tensor_meta', None)

    def _attribute(self, name):
        if self._known() is not None:
            return getattr(self._known(), name)
        return self.tracer.create_proxy('call_function', builtins.getattr, (self, name), {})

    def size(self, dim=None):
        more = (dim,) if dim else ()
        if self._known() is not None:
            return self._known().size(*more)
        return self.tracer.create_proxy('call_method', 'size', (self, *more), {})

    def dim(self):
        if self._known() is not None:
            return self._known().dim()
        return self.tracer.create_proxy('call_method', 'dim', (self,), {})

    @property
    def shape(self):
        return self._attribute('shape')

    @property
    def dtype(self):
        return self._attribute('dtype')

    @property
    def device(self):
        # Nodes may ask for it; while they are run it is the meta device.
        return MetaDeviceAttribute(self, 'device')

    def __getattr__(self, k):
        if k == '_tensor_meta':
            return self.__getattribute__(k)
        return MetaAttribute(self, k)


class MetaAttribute(MetaProxy):
    def __init__(self, root, attr):
        self.root = root
        self.attr = attr
        self.tracer = root.tracer
        self._node = None

    @property
    def node(self):
        # Most attributes are methods that are called: a node of its own is made when one is asked for.
        if self._node is None:
            self._node = self.tracer.create_proxy('call_function', builtins.getattr, (self.root, self.attr), {}).node
        return self._node

    def __call__(self, *args, **kwargs):
        return self.tracer.create_proxy('call_method', self.attr, (self.root, *args), kwargs)


class MetaDeviceAttribute(MetaAttribute):
    pass


def proxys_to_metas(v):
    if isinstance(v, MetaDeviceAttribute):
        return 'meta'
    if not isinstance(v, torch.fx.Proxy):
        return v
    if not isinstance(v, MetaProxy):
        raise AssertionError(f'Expected MetaProxy but got {type(v)}')
    if not hasattr(v, '_tensor_meta'):
        raise AssertionError('MetaProxy does not have an associated meta')
    return v._tensor_meta


class MetaTracer(torch.fx.Tracer):
    allow_insert_stateless_mods = True
    _TORCH_METHODS_TO_PATCH = ['arange', 'zeros', 'ones', 'full_like', 'eye']

    def create_proxy(self, kind, target, args, kwargs, name=None, type_expr=None, proxy_factory_fn=None):
        made = super().create_proxy(kind, target, args, kwargs, name, type_expr, proxy_factory_fn)
        if kind == 'placeholder' and target in self.meta_args:
            made.install_tensor_meta(self.meta_args[target])
            return made
        if target in self.orig_fns and 'device' in kwargs:
            kwargs['device'] = 'meta'
        if kind in ('placeholder', 'output'):
            return made
        try:
            found = self._run_on_meta(kind, target, map_aggregate(args, proxys_to_metas), map_aggregate(kwargs, proxys_to_metas))
            if not isinstance(made, torch.fx.Proxy):
                raise AssertionError("Don't support composite output yet")
            made.install_tensor_meta(found)
        except Exception as error:
            warnings.warn(f'Could not compute metadata for {kind} target {target}: {error}')
        return made

    def _run_on_meta(self, kind, target, args, kwargs):
        if kind == 'call_function':
            return manual_meta_overrides.get(target, target)(*args, **kwargs)
        if kind == 'call_method':
            return getattr(args[0], target)(*args[1:], **kwargs)
        self._disable_module_getattr = True
        try:
            if kind == 'get_attr':
                found = self.root
                for part in target.split('.'):
                    found = getattr(found, part)
                if not isinstance(found, torch.Tensor):
                    raise AssertionError(f'Expected Tensor, got {type(found)}')
                return found.to(device='meta')
            if not hasattr(self, 'orig_forward'):
                raise AssertionError('orig_forward not set for call_module')
            module = self.root.get_submodule(target)
            if type(module) in manual_meta_overrides:
                return manual_meta_overrides[type(module)](module, *args, **kwargs)
            return self.orig_forward(*args, **kwargs)
        finally:
            self._disable_module_getattr = False

    def getattr(self, attr, attr_val, parameter_proxy_cache):
        if getattr(self, '_disable_module_getattr', False):
            return attr_val
        return super().getattr(attr, attr_val, parameter_proxy_cache)

    def call_module(self, m, forward, args, kwargs):
        self.orig_forward = forward
        return super().call_module(m, forward, args, kwargs)

    def _insert_module_as_submodule(self, mod):
        """The name under which a module that was made while tracing is known from now on."""
        kind, number = type(mod).__name__.lower(), 0
        path = f'{kind}_{number}'
        while hasattr(self.root, path):
            path = f'{kind}_{number}'
            number += 1
        self.root.add_module(path, mod)
        return path

    def path_of_module(self, mod):
        try:
            return super().path_of_module(mod)
        except NameError:
            if not self.allow_insert_stateless_mods or [*mod.parameters(), *mod.buffers()]:
                raise
            self.prev_module = self._insert_module_as_submodule(mod)
            return self.prev_module

    def proxy(self, node):
        return MetaProxy(node, self)

    def trace(self, root, meta_args, concrete_args=None):
        if not isinstance(meta_args, dict):
            raise AssertionError(f'Expected dict for meta_args, got {type(meta_args)}')
        self.meta_args = meta_args
        self.patched_torch_methods = {name: gen_constructor_wrapper(getattr(torch, name)) for name in self._TORCH_METHODS_TO_PATCH}
        self.orig_fns = {target for _, target in self.patched_torch_methods.values()}
        for name, (wrapper, _) in self.patched_torch_methods.items():
            setattr(torch, name, wrapper)
        try:
            graph = super().trace(root, concrete_args)
            graph._tracer_extras = {'meta_args': meta_args}
            return graph
        finally:
            for name, (_, target) in self.patched_torch_methods.items():
                setattr(torch, name, target)


def symbolic_trace(root, meta_args=None, concrete_args=None):
    tracer = MetaTracer()
    graph = tracer.trace(root, meta_args, concrete_args)
    name = type(root).__name__ if isinstance(root, torch.nn.Module) else root.__name__
    return torch.fx.GraphModule(tracer.root, graph, name)
