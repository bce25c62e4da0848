# SPDX-License-Identifier: GPL-3.0-or-later
# Loading a state_dict into a module tree: what matches, what is missing, and the words for it.
import warnings
from collections import OrderedDict, namedtuple
import torch
from torch.nn.parameter import Parameter, is_lazy

EXTRA = '_extra_state'


class _IncompatibleKeys(namedtuple('IncompatibleKeys', ['missing_keys', 'unexpected_keys'])):
    __slots__ = ()

    def __repr__(self):
        if self.missing_keys or self.unexpected_keys:
            return super().__repr__()
        return '<All keys matched successfully>'

    __str__ = __repr__


def _put(module, name, key, own, given, assign, errors):
    if len(own.shape) == 0 and len(given.shape) == 1 and given.shape[0] == 1:
        given = given[0]
    if given.shape != own.shape:
        errors.append(f'size mismatch for {key}: copying a param with shape {given.shape} from checkpoint, '
                      f'the shape in current model is {own.shape}.')
        return
    if own.is_meta and not given.is_meta and not assign:
        warnings.warn(f'for {key}: copying from a non-meta parameter in the checkpoint to a meta parameter in the current '
                      'model, which is a no-op. (Did you mean to pass `assign=True` to assign items in the state '
                      'dictionary to their corresponding key in the module instead of copying them in place?)', stacklevel=2)
    try:
        with torch.no_grad():
            if not assign:
                own.copy_(given)
            elif isinstance(own, Parameter):
                if isinstance(given, Parameter):
                    given.requires_grad_(own.requires_grad)
                else:
                    given = Parameter(given, requires_grad=own.requires_grad)
                setattr(module, name, given)
            else:
                setattr(module, name, given)
    except Exception as problem:
        errors.append(f'While copying the parameter named "{key}", whose dimensions in the model are {own.size()} and whose '
                      f'dimensions in the checkpoint are {given.size()}, an exception occurred : {problem.args}.')


def load_own(module, state, prefix, metadata, strict, missing, unexpected, errors, has_extra):
    own = {name: value for name, value in module._parameters.items() if value is not None}
    for name, value in module._buffers.items():
        if value is not None and name not in module._non_persistent_buffers_set:
            own[name] = value
    assign = metadata.get('assign_to_params_buffers', False)
    for name, value in own.items():
        key = prefix + name
        if key not in state:
            if strict:
                missing.append(key)
        elif is_lazy(state[key]):
            if not is_lazy(value):
                state[key].shape
        elif not isinstance(state[key], torch.Tensor):
            errors.append(f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object from '
                          f'checkpoint but received {type(state[key])}')
        else:
            _put(module, name, key, value, state[key], assign, errors)
    extra = prefix + EXTRA
    if has_extra:
        if extra in state:
            module.set_extra_state(state[extra])
        elif strict:
            missing.append(extra)
    elif strict and extra in state:
        unexpected.append(extra)
    if strict:
        for key in state:
            if key.startswith(prefix) and key != extra:
                first, dot, rest = key[len(prefix):].partition('.')
                if first not in (module._modules if dot else own):
                    unexpected.append(key)


def _by_child(state, prefix):
    """The entries of each child, whose name follows the prefix in its keys."""
    parts = {}
    for key, value in state.items():
        name, dot, rest = key[len(prefix):].partition('.')
        if dot and key.startswith(prefix):
            parts.setdefault(name, {})[key] = value
    return parts


def load_tree(root, state_dict, strict, assign):
    missing, unexpected, errors = [], [], []
    metadata = getattr(state_dict, '_metadata', None)
    copied = OrderedDict(state_dict)
    if metadata is not None:
        copied._metadata = metadata

    def load(module, state, prefix):
        local = {} if metadata is None else metadata.get(prefix[:-1], {})
        if assign:
            local['assign_to_params_buffers'] = assign
        module._load_from_state_dict(state, prefix, local, True, missing, unexpected, errors)
        parts = _by_child(state, prefix)
        for name, child in module._modules.items():
            if child is not None:
                load(child, parts.get(name, {}), prefix + name + '.')
        keys = _IncompatibleKeys(missing, unexpected)
        for hook in module._load_state_dict_post_hooks.values():
            if hook(module, keys) is not None:
                raise AssertionError('Hooks registered with ``register_load_state_dict_post_hook`` are not expected to return '
                                     'new values, if incompatible_keys need to be modified, it should be done inplace.')

    load(root, copied, '')
    if strict:
        said = []
        for word, keys in (('Missing', missing), ('Unexpected', unexpected)):
            if keys:
                names = ', '.join(f'"{key}"' for key in keys)
                said.append(f'{word} key(s) in state_dict: {names}. ')
        errors = said + errors
    if errors:
        lines = '\n\t'.join(errors)
        raise RuntimeError(f'Error(s) in loading state_dict for {type(root).__name__}:\n\t{lines}')
    return _IncompatibleKeys(missing, unexpected)
