# SPDX-License-Identifier: GPL-3.0-or-later
# Lists and dicts as arguments of nodes: a graph is told of a change only where the whole argument is set.
from torch.utils._pytree import register_pytree_node


def _refuse(kind):
    def refuse(self, *args, **kwargs):
        raise TypeError(
            f"'{kind}' object does not support mutation. If you are attempting to modify the kwargs or args of a "
            'torch.fx.Node object,\ninstead create a new copy of it and assign the copy to the node:\n\n'
            '    new_args = ...  # copy and mutate args\n    node.args = new_args')

    return refuse


class immutable_list(list):
    __delitem__ = __iadd__ = __imul__ = __setitem__ = append = clear = extend = insert = pop = remove = reverse = sort = \
        _refuse('immutable_list')

    def __hash__(self):
        return hash(tuple(self))

    def __reduce__(self):
        return immutable_list, (tuple(self),)

    def __deepcopy__(self, memo):
        import copy
        return immutable_list([copy.deepcopy(item, memo) for item in self])


class immutable_dict(dict):
    __delitem__ = __ior__ = __setitem__ = clear = pop = popitem = setdefault = update = _refuse('immutable_dict')

    def __hash__(self):
        return hash(frozenset(self.items()))

    def __reduce__(self):
        return immutable_dict, (tuple(self.items()),)

    def __deepcopy__(self, memo):
        import copy
        return immutable_dict([(key, copy.deepcopy(value, memo)) for key, value in self.items()])


register_pytree_node(immutable_list, lambda value: (list(value), None), lambda values, _: immutable_list(values))
register_pytree_node(immutable_dict, lambda value: (list(value.values()), list(value)),
                     lambda values, keys: immutable_dict(zip(keys, values)))
