# SPDX-License-Identifier: GPL-3.0-or-later
# Hooks: the handle that takes one away again, the tables for all modules, and the call of a module that has some.
import warnings


class RemovableHandle:
    next_id = 0

    def __init__(self, table, others=()):
        self.tables = (table, *others)
        self.id = RemovableHandle.next_id
        RemovableHandle.next_id += 1

    def remove(self):
        for table in self.tables:
            table.pop(self.id, None)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, place):
        self.remove()


def add_hook(table, hook, marks=(), others=(), prepend=False):
    # marks: tables in which the hook is ticked off; others: tables to be cleaned with it.
    handle = RemovableHandle(table, (*marks, *others))
    table[handle.id] = hook
    for mark in marks:
        mark[handle.id] = True
    if prepend:
        later = [(key, value) for key, value in table.items() if key != handle.id]
        for key, value in later:
            del table[key]
            table[key] = value
    return handle


def restore_hook(register, hook, key, **options):
    # Registers a hook under the key that it had when the model was recorded, which its handle may hold.
    later = max(RemovableHandle.next_id, key + 1)
    RemovableHandle.next_id = key
    register(hook, **options)
    RemovableHandle.next_id = later


class EveryModule:
    # The tables that hold for all modules.
    buffers, parameters, modules = {}, {}, {}
    pre, post, always, post_kwargs = {}, {}, {}, {}
    backward_pre, backward = {}, {}
    full_backward = None


def register_module_buffer_registration_hook(hook):
    return add_hook(EveryModule.buffers, hook)


def register_module_module_registration_hook(hook):
    return add_hook(EveryModule.modules, hook)


def register_module_parameter_registration_hook(hook):
    return add_hook(EveryModule.parameters, hook)


def register_module_forward_pre_hook(hook):
    return add_hook(EveryModule.pre, hook)


def register_module_forward_hook(hook, *, with_kwargs=False, always_call=False):
    marks = [EveryModule.post_kwargs] * with_kwargs + [EveryModule.always] * always_call
    return add_hook(EveryModule.post, hook, marks)


def _global_backward(hook, full):
    if EveryModule.full_backward is (not full):
        raise RuntimeError('Cannot use both regular backward hooks and full backward hooks as a global Module hook. '
                           'Please use only one of them.')
    EveryModule.full_backward = full
    return add_hook(EveryModule.backward, hook)


def register_module_backward_hook(hook):
    return _global_backward(hook, False)


def register_module_full_backward_pre_hook(hook):
    return add_hook(EveryModule.backward_pre, hook)


def register_module_full_backward_hook(hook):
    return _global_backward(hook, True)


def offered(hooks, module, name, value):
    # What registration hooks make of a value.
    for hook in hooks.values():
        other = hook(module, name, value)
        if other is not None:
            value = other
    return value


def call_with_hooks(module, args, kwargs):
    result = None
    done = set()

    def after(key, hook, named):
        nonlocal result
        done.add(key)
        changed = hook(module, args, kwargs, result) if key in named else hook(module, args, result)
        if changed is not None:
            result = changed

    own, own_always, own_named = module._forward_hooks, module._forward_hooks_always_called, module._forward_hooks_with_kwargs
    try:
        for key, hook in [*EveryModule.pre.items(), *module._forward_pre_hooks.items()]:
            if key in module._forward_pre_hooks_with_kwargs:
                changed = hook(module, args, kwargs)
                if changed is not None:
                    if not (isinstance(changed, tuple) and len(changed) == 2):
                        raise RuntimeError('forward pre-hook must return None or a tuple of (new_args, new_kwargs), '
                                           f'but got {changed}.')
                    args, kwargs = changed
            else:
                changed = hook(module, args)
                if changed is not None:
                    args = changed if isinstance(changed, tuple) else (changed,)
        result = module.forward(*args, **kwargs)
        for key, hook in [*EveryModule.post.items(), *own.items()]:
            after(key, hook, EveryModule.post_kwargs if key in EveryModule.post else own_named)
        return result
    except Exception:
        waiting = [(key, hook, {}, 'global module') for key, hook in EveryModule.post.items() if key in EveryModule.always]
        waiting += [(key, hook, own_named, 'module') for key, hook in own.items() if key in own_always]
        for key, hook, named, whose in waiting:
            if key not in done:
                try:
                    after(key, hook, named)
                except Exception as silenced:
                    warnings.warn(f'{whose} forward hook with ``always_call=True`` raised an exception that was silenced '
                                  f'as another error was raised in forward: {silenced}', stacklevel=2)
        raise
