# SPDX-License-Identifier: GPL-3.0-or-later
# Pruning: a parameter becomes NAME_orig, a mask NAME_mask is kept beside it, and a hook multiplies both before every call.
import numbers
import torch


class BasePruningMethod:
    def __call__(self, module, inputs):
        setattr(module, self._tensor_name, self.apply_mask(module))

    def compute_mask(self, t, default_mask):
        raise NotImplementedError

    def apply_mask(self, module):
        if self._tensor_name is None:
            raise AssertionError(f'Module {module} has to be pruned')
        mask, original = (getattr(module, self._tensor_name + end) for end in ('_mask', '_orig'))
        return mask.to(dtype=original.dtype) * original

    @classmethod
    def apply(cls, module, name, *args, importance_scores=None, **kwargs):
        method = cls(*args, **kwargs)
        method._tensor_name = name
        earlier = [key for key, hook in module._forward_pre_hooks.items() if _prunes(hook, name)]
        if len(earlier) > 1:
            raise AssertionError(f'Avoid adding multiple pruning hooks to the same tensor {name} of module {module}. Use a '
                                 'PruningContainer.')
        for key in earlier:
            before = module._forward_pre_hooks.pop(key)
            container = before if isinstance(before, PruningContainer) else PruningContainer(before)
            container.add_pruning_method(method)
            method = container
        original = getattr(module, name)
        scores = original if importance_scores is None else importance_scores
        if scores.shape != original.shape:
            raise AssertionError(f'importance_scores should have the same shape as parameter {name} of {module}, got '
                                 f'{scores.shape} vs {original.shape}')
        if earlier:
            mask = method.compute_mask(scores, default_mask=getattr(module, name + '_mask').detach().clone())
        else:
            mask = method.compute_mask(scores, default_mask=torch.ones_like(original))
            del module._parameters[name]
            module.register_parameter(name + '_orig', original)
        module.register_buffer(name + '_mask', mask)
        setattr(module, name, method.apply_mask(module))
        module.register_forward_pre_hook(method)
        return method

    def prune(self, t, default_mask=None, importance_scores=None):
        scores = t if importance_scores is None else importance_scores
        if scores.shape != t.shape:
            raise AssertionError(f'importance_scores should have the same shape as tensor t, got {scores.shape} vs {t.shape}')
        return t * self.compute_mask(scores, default_mask=torch.ones_like(t) if default_mask is None else default_mask)

    def remove(self, module):
        name = self._tensor_name
        if name is None:
            raise AssertionError(f'Module {module} has to be pruned before pruning can be removed')
        pruned = self.apply_mask(module)
        if hasattr(module, name):
            delattr(module, name)
        original = module._parameters.pop(name + '_orig')
        original.data = pruned.data
        del module._buffers[name + '_mask']
        setattr(module, name, original)


def _prunes(hook, name):
    return isinstance(hook, BasePruningMethod) and hook._tensor_name == name


class PruningContainer(BasePruningMethod):
    def __init__(self, *args):
        self._pruning_methods = ()
        if len(args) == 1:
            self._tensor_name = args[0]._tensor_name
        for method in args:
            self.add_pruning_method(method)

    def add_pruning_method(self, method):
        if method is not None and not isinstance(method, BasePruningMethod):
            raise TypeError(f'{type(method)} is not a BasePruningMethod subclass')
        if method is not None and self._tensor_name != method._tensor_name:
            raise ValueError(f"Can only add pruning methods acting on the parameter named '{self._tensor_name}' to "
                             f"PruningContainer {self}. Found '{method._tensor_name}'")
        self._pruning_methods += (method,)

    def __len__(self):
        return len(self._pruning_methods)

    def __iter__(self):
        return iter(self._pruning_methods)

    def __getitem__(self, idx):
        return self._pruning_methods[idx]

    def compute_mask(self, t, default_mask):
        # The last method chooses among what the others have left.
        method = self._pruning_methods[-1]
        mask = default_mask.to(dtype=t.dtype)
        if method.PRUNING_TYPE == 'unstructured':
            left = default_mask == 1
        elif method.PRUNING_TYPE == 'structured':
            dim = method.dim + t.dim() if method.dim < 0 else method.dim
            if dim < 0:
                raise IndexError(f'Index is out of bounds for tensor with dimensions {t.dim()}')
            rest = [each for each in range(t.dim()) if each != dim]
            left = (slice(None),) * dim + (default_mask.sum(dim=rest) != 0,)
        elif method.PRUNING_TYPE == 'global':
            left = (slice(None),) * t.dim()
        else:
            raise ValueError(f'Unrecognized PRUNING_TYPE {method.PRUNING_TYPE}')
        mask[left] = method.compute_mask(t[left], default_mask=default_mask[left]).to(dtype=mask.dtype)
        return mask


class Identity(BasePruningMethod):
    PRUNING_TYPE = 'unstructured'

    def compute_mask(self, t, default_mask):
        return default_mask


class _Amount(BasePruningMethod):
    PRUNING_TYPE = 'unstructured'

    def __init__(self, amount):
        if not isinstance(amount, numbers.Real):
            raise TypeError(f'Invalid type for amount: {amount}. Must be int or float.')
        if amount < 0 or not isinstance(amount, numbers.Integral) and float(amount) > 1.0:
            raise ValueError(f'amount={amount} should either be a float in the range [0, 1] or a non-negative integer')
        self.amount = amount

    def _count(self, size):
        count = self.amount if isinstance(self.amount, numbers.Integral) else round(self.amount * size)
        if isinstance(count, numbers.Integral) and count > size:
            raise ValueError(f'amount={count} should be smaller than the number of parameters to prune={size}')
        return count

    def _without(self, t, default_mask, scores, largest):
        count = self._count(t.nelement())
        mask = default_mask.clone(memory_format=torch.contiguous_format)
        if count != 0:
            mask.view(-1)[torch.topk(scores(t).view(-1), k=count, largest=largest).indices] = 0
        return mask


class RandomUnstructured(_Amount):
    def compute_mask(self, t, default_mask):
        return self._without(t, default_mask, torch.rand_like, True)


class L1Unstructured(_Amount):
    def compute_mask(self, t, default_mask):
        return self._without(t, default_mask, torch.abs, False)


class _Structured(_Amount):
    PRUNING_TYPE = 'structured'

    def _size(self, t):
        if len(t.shape) <= 1:
            raise ValueError('Structured pruning can only be applied to multidimensional tensors. Found tensor of shape '
                             f'{t.shape} with {len(t.shape)} dims')
        if self.dim >= t.dim():
            raise IndexError(f'Invalid index {self.dim} for tensor of size {t.shape}')
        return t.shape[self.dim]

    def _keeping(self, t, default_mask, kept):
        mask = torch.zeros_like(t)
        dim = self.dim + t.dim() if self.dim < 0 else self.dim
        mask[(slice(None),) * dim + (kept,)] = 1
        return mask * default_mask.to(dtype=mask.dtype)


class RandomStructured(_Structured):
    def __init__(self, amount, dim=-1):
        super().__init__(amount)
        self.dim = dim

    def compute_mask(self, t, default_mask):
        size = self._size(t)
        count = self._count(size)
        if count == 0:
            return default_mask
        chances = torch.rand(size)
        return self._keeping(t, default_mask, chances > torch.kthvalue(chances, k=count).values)


class LnStructured(_Structured):
    def __init__(self, amount, n, dim=-1):
        super().__init__(amount)
        self.n = n
        self.dim = dim

    def compute_mask(self, t, default_mask):
        size = self._size(t)
        count = self._count(size)
        rest = list(range(t.dim()))
        del rest[self.dim]
        kept = torch.topk(torch.norm(t, p=self.n, dim=rest), k=size - count, largest=True).indices
        return default_mask if count == 0 else self._keeping(t, default_mask, kept)


class CustomFromMask(BasePruningMethod):
    PRUNING_TYPE = 'global'

    def __init__(self, mask):
        self.mask = mask

    def compute_mask(self, t, default_mask):
        if default_mask.shape != self.mask.shape:
            raise AssertionError(f'default_mask shape {default_mask.shape} must match self.mask shape {self.mask.shape}')
        return default_mask * self.mask.to(dtype=default_mask.dtype)


def identity(module, name):
    Identity.apply(module, name)
    return module


def random_unstructured(module, name, amount):
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(module, name, amount, importance_scores=None):
    L1Unstructured.apply(module, name, amount, importance_scores=importance_scores)
    return module


def random_structured(module, name, amount, dim):
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(module, name, amount, n, dim, importance_scores=None):
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def custom_from_mask(module, name, mask):
    CustomFromMask.apply(module, name, mask)
    return module


def global_unstructured(parameters, pruning_method, importance_scores=None, **kwargs):
    scores = {} if importance_scores is None else importance_scores
    if not isinstance(scores, dict):
        raise TypeError('global_unstructured(): importance_scores must be of type dict')
    method = pruning_method(**kwargs)
    if method.PRUNING_TYPE != 'unstructured':
        raise TypeError('Only "unstructured" PRUNING_TYPE supported for the `pruning_method`. Found method '
                        f'{pruning_method} of type {method.PRUNING_TYPE}')
    method._tensor_name = 'temp'
    values = [getattr(module, name) for module, name in parameters]
    given = [scores.get(place, value) for place, value in zip(parameters, values)]
    masks = [getattr(module, name + '_mask', torch.ones_like(value)) for (module, name), value in zip(parameters, values)]
    as_one = torch.nn.utils.parameters_to_vector
    mask, start = PruningContainer(method).compute_mask(as_one(given), as_one(masks)), 0
    for (module, name), value in zip(parameters, values):
        custom_from_mask(module, name, mask=mask[start:start + value.numel()].view_as(value))
        start += value.numel()


def remove(module, name):
    for key, hook in list(module._forward_pre_hooks.items()):
        if _prunes(hook, name):
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed")


def is_pruned(module):
    return any(isinstance(hook, BasePruningMethod) for _, part in module.named_modules()
               for hook in part._forward_pre_hooks.values())
