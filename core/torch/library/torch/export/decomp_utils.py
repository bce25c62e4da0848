# SPDX-License-Identifier: GPL-3.0-or-later
# The table of torch.export.default_decompositions(): rules of the core set, and operators that are made of others, which go by
# their parts unless they are taken out.
import torch
from torch._decomp import core_aten_decompositions


class CustomDecompTable(dict):
    def __init__(self):
        super().__init__(core_aten_decompositions())
        self.kept = set()

    def _by_parts(self, key):
        if not isinstance(key, torch._ops.OpOverload) or super().__contains__(key) or key in self.kept:
            return None
        return key.decompose if key._can_decompose() else None

    def __contains__(self, key):
        return super().__contains__(key) or self._by_parts(key) is not None

    def __getitem__(self, key):
        if super().__contains__(key):
            return super().__getitem__(key)
        parts = self._by_parts(key)
        if parts is None:
            raise KeyError(key)
        return parts

    def get(self, key, default=None):
        return self[key] if key in self else default

    def __setitem__(self, key, value):
        self.kept.discard(key)
        super().__setitem__(key, value)

    def __delitem__(self, key):
        self.pop(key)

    def update(self, other):
        for key, value in other.items():
            self[key] = value

    def pop(self, key, *default):
        if key not in self:
            if default:
                return default[0]
            raise KeyError(key)
        found = self[key]
        if super().__contains__(key):
            super().__delitem__(key)
        self.kept.add(key)
        return found

    def copy(self):
        out = CustomDecompTable()
        out.clear()
        dict.update(out, self)
        out.kept = set(self.kept)
        return out

    def materialize(self):
        return dict(self.items())
