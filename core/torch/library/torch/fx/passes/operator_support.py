# SPDX-License-Identifier: GPL-3.0-or-later
# Which nodes a backend can take, as objects that are asked node by node and can be combined.
import abc
from collections.abc import Callable, Mapping, Sequence
from typing import Optional

import torch
from torch.fx.node import Node
from torch.fx.passes.shape_prop import TensorMetadata
from torch.fx.passes.tools_common import CALLABLE_NODE_OPS, get_node_target

__all__ = ['OperatorSupportBase', 'OperatorSupport', 'create_op_support', 'chain', 'OpSupports', 'any_chain']

TargetTypeName = str
SupportedArgumentDTypes = Optional[tuple[Sequence[Sequence[torch.dtype]], dict[str, Sequence[torch.dtype]]]]
SupportDict = Mapping[TargetTypeName, SupportedArgumentDTypes]
IsNodeSupported = Callable[[Mapping[str, torch.nn.Module], Node], bool]


class OperatorSupportBase(abc.ABC):
    @abc.abstractmethod
    def is_node_supported(self, submodules, node):
        raise NotImplementedError


class OperatorSupport(OperatorSupportBase):
    """By a dict from names of targets, as get_node_target gives them, to the dtypes of args and of kwargs; None is any."""

    def __init__(self, support_dict=None):
        self._support_dict = support_dict or {}

    def is_node_supported(self, submodules, node):
        if node.op not in CALLABLE_NODE_OPS:
            return True
        target = get_node_target(submodules, node)
        if target not in self._support_dict:
            return False
        rule = self._support_dict[target]
        if rule is None:
            return True
        args_dtypes, kwargs_dtypes = rule
        for arg, dtypes in zip(node.args, args_dtypes):
            if dtypes is not None and not self._fits(arg, dtypes):
                return False
        return all(self._fits(node.kwargs[name], dtypes) for name, dtypes in kwargs_dtypes.items() if name in node.kwargs)

    @staticmethod
    def _fits(arg, dtypes):
        return not isinstance(arg, Node) or _get_arg_dtype(arg) in dtypes


def create_op_support(is_node_supported):
    class FunctionalOperatorSupport(OperatorSupportBase):
        def is_node_supported(self, submodules, node):
            return is_node_supported(submodules, node)

    return FunctionalOperatorSupport()


def chain(*op_support):
    def _chain(submods, node):
        return all(one.is_node_supported(submods, node) for one in op_support)

    return create_op_support(_chain)


def any_chain(*op_support):
    def _any_chain(submods, node):
        return any(one.is_node_supported(submods, node) for one in op_support)

    return create_op_support(_any_chain)


class OpSupports:
    @classmethod
    def decline_if_input_dtype(cls, dtype):
        def _decline_if_input_dtype(submodules, node):
            return all(_get_arg_dtype(arg) != dtype for arg in node.all_input_nodes)

        return create_op_support(_decline_if_input_dtype)

    @classmethod
    def decline_if_node_in_names(cls, disallow_set):
        def _decline_if_node_in_names(submodules, node):
            return node.name not in disallow_set

        return create_op_support(_decline_if_node_in_names)


def _get_arg_dtype(arg):
    if not isinstance(arg, Node):
        raise AssertionError(f'Expected torch.fx.Node, got {type(arg)}')
    tensor_meta = arg.meta.get('tensor_meta')
    return tensor_meta.dtype if isinstance(tensor_meta, TensorMetadata) else arg.meta['type']
