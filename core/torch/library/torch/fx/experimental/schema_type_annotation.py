# SPDX-License-Identifier: GPL-3.0-or-later
# Types of nodes from the annotations of what they call, and of the attributes that they read.
import inspect
import torch
import torch.fx
from torch._jit_internal import boolean_dispatched
from torch.fx import Transformer

__all__ = ['AnnotateTypesWithSchema']


class AnnotateTypesWithSchema(Transformer):
    def __init__(self, module, annotate_functionals=True, annotate_modules=True, annotate_get_attrs=True):
        super().__init__(module)
        self.annotate_functionals = annotate_functionals
        self.annotate_modules = annotate_modules
        self.annotate_get_attrs = annotate_get_attrs

    def _typed(self, proxy, known):
        # A type that the node has already stays.
        proxy.node.type = proxy.node.type if proxy.node.type else known
        return proxy

    def call_function(self, target, args, kwargs):
        known = None
        if self.annotate_functionals and target.__module__ == 'torch.nn.functional':
            described = target
            if target in boolean_dispatched:
                # One of two functions, by a bool that the graph may not know: they must say the same.
                both = boolean_dispatched[target]
                described = both['if_true']
                if inspect.signature(described).return_annotation != inspect.signature(both['if_false']).return_annotation:
                    return super().call_function(target, args, kwargs)
            known = self._extract_python_return_type(described)
        return self._typed(super().call_function(target, args, kwargs), known)

    def _text(self, target):
        if not isinstance(target, str):
            raise AssertionError(f'Expected str target, got {type(target)}')

    def call_module(self, target, args, kwargs):
        known = None
        self._text(target)
        cls = self.fetch_attr(target).__class__
        if self.annotate_modules and hasattr(cls, '__name__') and getattr(torch.nn, cls.__name__, None) == cls:
            known = self._extract_python_return_type(self.fetch_attr(target).forward)
        return self._typed(super().call_module(target, args, kwargs), known)

    def get_attr(self, target, args, kwargs):
        proxy = super().get_attr(target, args, kwargs)
        if not self.annotate_get_attrs:
            return proxy
        self._text(target)
        value = self.module
        atoms = target.split('.')
        for i, atom in enumerate(atoms):
            if not hasattr(value, atom):
                raise RuntimeError(f"Node referenced nonextent target {'.'.join(atoms[:i])}!")
            value = getattr(value, atom)
        known = _type_of(value)
        return proxy if known is None else self._typed(proxy, known)

    def _extract_python_return_type(self, target):
        if not callable(target):
            raise AssertionError(f'Expected callable target, got {type(target)}')
        try:
            said = inspect.signature(target).return_annotation
        except (ValueError, TypeError):
            return None
        return None if said is inspect.Signature.empty else said


def _type_of(value):
    # What TorchScript would infer, for what a graph reads: tensors, and plain values.
    if isinstance(value, torch.Tensor):
        return torch.Tensor
    for kind in (bool, int, float, complex, str, torch.device):
        if isinstance(value, kind):
            return kind
    return type(None) if value is None else None
