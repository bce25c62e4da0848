# SPDX-License-Identifier: GPL-3.0-or-later
# torch.fx._symbolic_trace._Patcher: other functions in the place of names of a module or methods of a class, for a while.
# Our own tracer patches by core/trace/wrapped_functions.h.
import builtins
import contextlib
from collections import namedtuple

_Place = namedtuple('_PatchedFn', ['frame_dict', 'fn_name', 'orig_fn', 'new_fn'])


class _PatchedFn(_Place):
    def revert(self):
        raise NotImplementedError

    def patch(self):
        raise NotImplementedError


class _PatchedFnSetItem(_PatchedFn):
    def revert(self):
        self.frame_dict[self.fn_name] = self.orig_fn

    def patch(self):
        self.frame_dict[self.fn_name] = self.new_fn


class _PatchedFnDel(_PatchedFnSetItem):
    def revert(self):
        del self.frame_dict[self.fn_name]


class _PatchedFnSetAttr(_PatchedFn):
    def revert(self):
        setattr(self.frame_dict, self.fn_name, self.orig_fn)

    def patch(self):
        setattr(self.frame_dict, self.fn_name, self.new_fn)


class _Patcher:
    def __init__(self):
        super().__init__()
        self.patches_made, self.visited = [], set()

    def _put(self, made, deduplicate):
        # PyTorch looks for the mark under another name, so that a second patch of a name stands over the first.
        made.new_fn.__fx_already_patched = deduplicate
        self.patches_made.append(made)
        made.patch()

    def patch(self, frame_dict, name, new_fn, deduplicate=True):
        is_builtin = name not in frame_dict and hasattr(builtins, name)
        kind = _PatchedFnDel if is_builtin else _PatchedFnSetItem
        self._put(kind(frame_dict, name, None if is_builtin else frame_dict[name], new_fn), deduplicate)

    def patch_method(self, cls, name, new_fn, deduplicate=True):
        self._put(_PatchedFnSetAttr(cls, name, getattr(cls, name), new_fn), deduplicate)

    def visit_once(self, thing):
        known = id(thing) in self.visited
        self.visited.add(id(thing))
        return not known

    def revert_all_patches(self):
        for patch in self.patches_made:
            patch.revert()
        return self.patches_made

    def reapply_all_patches(self):
        for patch in self.patches_made:
            patch.patch()
        return self.patches_made

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        while self.patches_made:
            self.patches_made.pop().revert()
        self.visited.clear()


CURRENT_PATCHER = None


@contextlib.contextmanager
def _new_patcher():
    global CURRENT_PATCHER
    before, CURRENT_PATCHER = CURRENT_PATCHER, _Patcher()
    try:
        yield CURRENT_PATCHER
    finally:
        CURRENT_PATCHER.revert_all_patches()
        CURRENT_PATCHER = before


@contextlib.contextmanager
def _maybe_revert_all_patches():
    patcher = CURRENT_PATCHER
    if patcher is not None:
        patcher.revert_all_patches()
    try:
        yield
    finally:
        if patcher is not None:
            patcher.reapply_all_patches()
