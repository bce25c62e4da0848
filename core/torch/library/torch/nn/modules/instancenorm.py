# SPDX-License-Identifier: GPL-3.0-or-later
# Instance normalization over 1, 2 and 3 dimensions.
import warnings
from torch import Tensor
from torch.nn import functional as F
from .batchnorm import _LazyNormBase, _NormBase
from .utils import _wanted_dims

__all__ = ['InstanceNorm1d', 'InstanceNorm2d', 'InstanceNorm3d', 'LazyInstanceNorm1d', 'LazyInstanceNorm2d',
           'LazyInstanceNorm3d']


class _InstanceNorm(_NormBase):
    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=False, track_running_stats=False, device=None, dtype=None, *,
                 bias=True):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def _get_no_batch_dim(self):
        raise NotImplementedError

    def _check_input_dim(self, input):
        single = self._get_no_batch_dim()
        if input.dim() not in (single, single + 1):
            raise ValueError(f'expected {single}D or {single + 1}D input (got {input.dim()}D input)')

    def _handle_no_batch_input(self, input):
        return self._apply_instance_norm(input.unsqueeze(0)).squeeze(0)

    def _apply_instance_norm(self, input):
        return F.instance_norm(input, self.running_mean, self.running_var, self.weight, self.bias,
                               self.training or not self.track_running_stats,
                               0.0 if self.momentum is None else self.momentum, self.eps)

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        if local_metadata.get('version') is None and not self.track_running_stats:
            found = [prefix + name for name in ('running_mean', 'running_var') if prefix + name in state_dict]
            if found:
                names = ' and '.join(f'"{key}"' for key in found)
                kind = type(self).__name__
                error_msgs.append(
                    f'Unexpected running stats buffer(s) {names} for {kind} with track_running_stats=False. If state_dict is a '
                    f'checkpoint saved before 0.4.0, this may be expected because {kind} does not track running stats by '
                    'default since 0.4.0. Please remove these keys from state_dict. If the running stats are actually needed, '
                    f'instead set track_running_stats=True in {kind} to enable them. See the documentation of {kind} for '
                    'details.')
            for key in found:
                state_dict.pop(key)
        super()._load_from_state_dict(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)

    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        dim = input.dim() - self._get_no_batch_dim()
        if input.size(dim) != self.num_features:
            if self.affine:
                raise ValueError(f"expected input's size at dim={dim} to match num_features ({self.num_features}), but got: "
                                 f'{input.size(dim)}.')
            warnings.warn(f"input's size at dim={dim} does not match num_features. You can silence this warning by not passing "
                          'in num_features, which is not used because affine=False', stacklevel=2)
        if input.dim() == self._get_no_batch_dim():
            return self._handle_no_batch_input(input)
        return self._apply_instance_norm(input)


class InstanceNorm1d(_InstanceNorm):
    def _get_no_batch_dim(self):
        return 2


class LazyInstanceNorm1d(_LazyNormBase, _InstanceNorm):
    cls_to_become = InstanceNorm1d

    def _get_no_batch_dim(self):
        return 2


class InstanceNorm2d(_InstanceNorm):
    def _get_no_batch_dim(self):
        return 3


class LazyInstanceNorm2d(_LazyNormBase, _InstanceNorm):
    cls_to_become = InstanceNorm2d

    def _get_no_batch_dim(self):
        return 3


class InstanceNorm3d(_InstanceNorm):
    def _get_no_batch_dim(self):
        return 4


class LazyInstanceNorm3d(_LazyNormBase, _InstanceNorm):
    cls_to_become = InstanceNorm3d

    def _get_no_batch_dim(self):
        return 4
