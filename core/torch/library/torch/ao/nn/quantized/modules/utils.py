# SPDX-License-Identifier: GPL-3.0-or-later
# Weights that operators want packed: a module holds them as they are, and packs them when it first runs.
import torch


class WeightedQuantizedModule(torch.nn.Module):
    pass


class Packing:
    # Its class says how: _pack(weight, bias), and _unpack(state), which gives them.
    def _hold(self, weight, bias=None):
        fields = self.__dict__
        fields['held_weight'] = weight.detach()
        fields['held_bias'] = None if bias is None else bias.detach()
        fields['_made'] = []

    def _packed(self):
        made = self.__dict__.setdefault('_made', [])
        if not made:
            made.append(self._pack(self.held_weight, self.held_bias))
        return made[0]

    def _take_packed(self, packed):
        self._hold(*self._unpack(packed.__getstate__()[0]))
        self._made.append(packed)

    def _weight_bias(self):
        return self.held_weight, self.held_bias

    def weight(self):
        return self.held_weight

    def bias(self):
        return self.held_bias


def take(state, prefix, *names):
    return [state.pop(prefix + name) for name in names]


class OutputRange:
    # scale and zero_point of the result: numbers that a state_dict holds as tensors.
    def _save_range(self, destination, prefix):
        destination[prefix + 'scale'] = torch.tensor(self.scale)
        destination[prefix + 'zero_point'] = torch.tensor(self.zero_point)

    def _load_range(self, state, prefix):
        scale, zero_point = take(state, prefix, 'scale', 'zero_point')
        self.scale, self.zero_point = float(scale), int(zero_point)


def shown_without(module, *hidden):
    # repr() of a module without its children of some classes.
    extra = module.extra_repr()
    shown = torch.nn.Module()
    shown._get_name = module._get_name
    shown.extra_repr = lambda: extra
    for name, child in module._modules.items():
        if not isinstance(child, hidden):
            shown.add_module(name, child)
    return repr(shown)


def empty_rows(count, width, dtype):
    return torch._empty_per_channel_affine_quantized([count, width], scales=torch.ones(count), zero_points=torch.zeros(count),
                                                     axis=0, dtype=dtype)
