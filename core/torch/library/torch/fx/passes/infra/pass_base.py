# SPDX-License-Identifier: GPL-3.0-or-later
# A pass as a class: call() is the pass; requires() and ensures() look at the module before and after it.
import abc
from collections import namedtuple

__all__ = ['PassResult', 'PassBase']


class PassResult(namedtuple('PassResult', ['graph_module', 'modified'])):
    __slots__ = ()

    def __new__(cls, graph_module, modified):
        return super().__new__(cls, graph_module, modified)


class PassBase(abc.ABC):
    def __call__(self, graph_module):
        self.requires(graph_module)
        result = self.call(graph_module)
        self.ensures(graph_module)
        return result

    @abc.abstractmethod
    def call(self, graph_module):
        pass

    def requires(self, graph_module):
        pass

    def ensures(self, graph_module):
        pass
