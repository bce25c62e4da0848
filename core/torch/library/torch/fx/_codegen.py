# SPDX-License-Identifier: GPL-3.0-or-later
# CodeGen: how the function that computes a graph begins and ends, and what its arguments and results are to who calls it.
# The lines between are core/codegen's; _code.py puts the two together.
import typing

import torch.utils._pytree as pytree


class PythonCode:
    def __init__(self, src, globals, _lineno_map=None, _prologue_start=0):
        self.src = src
        self.globals = globals
        self._lines = _lineno_map  # or a function that gives it: few ask
        self._prologue_start = _prologue_start

    @property
    def _lineno_map(self):
        if callable(self._lines):
            self._lines = self._lines()
        return self._lines


class CodeGen:
    _body_transformer = None

    def __init__(self):
        self._body_transformer = None
        self._func_name = 'forward'

    @staticmethod
    def _lines(items, descriptions, repr_fn):
        notes = [''] * len(items) if descriptions is None else [f'  # {text}' for text in descriptions]
        marks = '()' if isinstance(items, tuple) else '[]'
        return marks[0] + '\n' + ''.join([f'    {repr_fn(item)},{note}\n' for item, note in zip(items, notes)]) + marks[1]

    @staticmethod
    def _argument_line(text):
        name, sign, comment = text.partition('#')
        return f'    {name.rstrip()},  # {comment.lstrip()}\n' if sign else f'    {text},\n'

    def gen_fn_def(self, free_vars, maybe_return_annotation, *, expanded_def=False):
        if not free_vars or free_vars[0] != 'self':
            free_vars.insert(0, 'self')
        inner = '\n' + ''.join([self._argument_line(name) for name in free_vars]) if expanded_def else ', '.join(free_vars)
        return f'def {self._func_name}({inner}){maybe_return_annotation}:'

    def generate_output(self, output_args, *, descs=None, repr_fn=None):
        repr_fn = repr_fn or repr
        if descs is not None and isinstance(output_args, (list, tuple)):
            return 'return ' + self._lines(output_args, descs, repr_fn)
        return f'return {repr_fn(output_args)}'

    def process_inputs(self, *args):
        return args

    def process_outputs(self, outputs):
        return outputs

    def additional_globals(self):
        return []


class _BoxedCodeGen(CodeGen):
    # Called with one list, which it empties.
    def gen_fn_def(self, free_vars, maybe_return_annotation, *, expanded_def=False):
        names = [name.split(':')[0].split('=')[0].strip() for name in free_vars if name != 'self']
        lines = [f'def {self._func_name}(self, args_list){maybe_return_annotation}:']
        if names:
            lines += ['    args_iter = iter(args_list)', *[f'    {name} = next(args_iter)' for name in names],
                      '    args_list.clear()']
        return '\n'.join(lines)


class _PyTreeInfo(typing.NamedTuple):
    orig_args: list
    in_spec: pytree.TreeSpec
    out_spec: pytree.TreeSpec


class _PyTreeCodeGen(CodeGen):
    # Called as what was traced: nested arguments are taken apart, and the results put together.
    def __init__(self, pytree_info):
        super().__init__()
        self.pytree_info = pytree_info

    def process_inputs(self, *inputs):
        return pytree.arg_tree_leaves(*inputs)

    def process_outputs(self, out):
        if self.pytree_info is None or self.pytree_info.out_spec is None:
            return out
        return pytree.tree_unflatten(out if isinstance(out, (list, tuple)) else [out], self.pytree_info.out_spec)

    def _format_annotations(self, free_vars, expanded_def):
        annotated = [name for name in free_vars if ':' in name]
        if not annotated:
            return ''
        if expanded_def:
            return '\n    ' + '\n    '.join(annotated)
        return '\n    ' + ''.join([name + '; ' for name in annotated]) + '\n'

    def gen_var_bindings(self, fn_args, free_vars, expanded_def):
        spec = self.pytree_info.in_spec
        given = f"[{', '.join(fn_args)}]"
        kinds = [child.type for child in spec.children()]
        if spec.type is tuple and kinds == [tuple, dict]:
            names = self.pytree_info.orig_args
            count = spec.child(0).num_children
            keywords = [f"'{key}':{name}" for key, name in zip(spec.child(1).context, names[count:])]
            given = f"([{', '.join(names[:count])}], {{{', '.join(keywords)}}})"
        bare = [name.split(':')[0].split('#')[0] for name in free_vars]
        return (self._format_annotations(free_vars, expanded_def)
                + f"\n    {', '.join(bare)}, = fx_pytree.tree_flatten_spec({given}, self._in_spec)")

    def gen_fn_def(self, free_vars, maybe_return_annotation, *, expanded_def=False):
        if self.pytree_info is None:
            return super().gen_fn_def(free_vars, maybe_return_annotation, expanded_def=expanded_def)
        fn_args = self.pytree_info.orig_args
        if fn_args and fn_args[0] == 'self':
            free_vars.insert(0, 'self')
        definition = super().gen_fn_def(list(fn_args), maybe_return_annotation, expanded_def=expanded_def)
        return definition + self.gen_var_bindings(fn_args, free_vars, expanded_def) if free_vars else definition

    def generate_output(self, output_args, *, descs=None, repr_fn=None):
        if not self.pytree_info or not self.pytree_info.out_spec:
            return super().generate_output(output_args, descs=descs, repr_fn=repr_fn)
        repr_fn = repr_fn or repr
        is_listed = descs is not None and isinstance(output_args, (list, tuple))
        text = self._lines(output_args, descs, repr_fn) if is_listed else repr_fn(output_args)
        return f"return pytree.tree_unflatten({text}, self._out_spec)"


for _class in (PythonCode, CodeGen, _BoxedCodeGen, _PyTreeInfo, _PyTreeCodeGen):
    _class.__module__ = 'torch.fx.graph'
