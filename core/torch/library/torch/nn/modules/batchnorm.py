# SPDX-License-Identifier: GPL-3.0-or-later
# Batch normalization, and the base of it and of instance normalization.
import torch
from torch import Tensor
from torch.nn import functional as F, init
from torch.nn.parameter import Parameter, UninitializedBuffer, UninitializedParameter
from .lazy import LazyModuleMixin
from .module import Module
from .utils import _fields, _wanted_dims

__all__ = ['BatchNorm1d', 'LazyBatchNorm1d', 'BatchNorm2d', 'LazyBatchNorm2d', 'BatchNorm3d', 'LazyBatchNorm3d',
           'SyncBatchNorm']


class _NormBase(Module):
    __constants__ = ['track_running_stats', 'momentum', 'eps', 'num_features', 'affine']
    _version = 2

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None, *,
                 bias=True):
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        options = {'device': device, 'dtype': dtype}
        for name, wanted in (('weight', affine), ('bias', affine and bias)):
            self.register_parameter(name, Parameter(torch.empty(num_features, **options)) if wanted else None)
        tracked = [None, None, None]
        if track_running_stats:
            tracked = [torch.zeros(num_features, **options), torch.ones(num_features, **options),
                       torch.tensor(0, dtype=torch.long, device=device)]
        for name, buffer in zip(('running_mean', 'running_var', 'num_batches_tracked'), tracked):
            self.register_buffer(name, buffer)
        self.reset_parameters()

    def reset_running_stats(self):
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self):
        self.reset_running_stats()
        if self.affine:
            init.ones_(self.weight)
            if self.bias is not None:
                init.zeros_(self.bias)

    def _check_input_dim(self, input):
        raise NotImplementedError

    def extra_repr(self):
        return (f'{self.num_features}, {_fields(self, "eps", "momentum", "affine")}, bias={self.bias is not None}, '
                f'track_running_stats={self.track_running_stats}')

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        # Before version 2 nobody counted the batches.
        key = prefix + 'num_batches_tracked'
        if self.track_running_stats and (local_metadata.get('version') or 0) < 2 and key not in state_dict:
            own = self.num_batches_tracked
            known = own is not None and own.device.type != 'meta'
            state_dict[key] = own if known else torch.tensor(0, dtype=torch.long)
        super()._load_from_state_dict(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)


class _BatchNorm(_NormBase):
    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None, *,
                 bias=True):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def _normalized(self, input):
        share = 0.0 if self.momentum is None else self.momentum
        if self.training and self.track_running_stats and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:
                share = 1.0 / float(self.num_batches_tracked)
        from_batch = self.training or self.running_mean is None and self.running_var is None
        kept = not self.training or self.track_running_stats
        return F.batch_norm(input, self.running_mean if kept else None, self.running_var if kept else None, self.weight,
                            self.bias, from_batch, share, self.eps)

    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        return self._normalized(input)


class _LazyNormBase(LazyModuleMixin, _NormBase):
    def __init__(self, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None, *, bias=True):
        super().__init__(0, eps, momentum, False, False, device, dtype, bias=False)
        self.affine = affine
        self.track_running_stats = track_running_stats
        if affine:
            self.weight = UninitializedParameter(device=device, dtype=dtype)
            if bias:
                self.bias = UninitializedParameter(device=device, dtype=dtype)
        if track_running_stats:
            self.running_mean = UninitializedBuffer(device=device, dtype=dtype)
            self.running_var = UninitializedBuffer(device=device, dtype=dtype)
            self.num_batches_tracked = torch.tensor(0, dtype=torch.long, device=device)

    def reset_parameters(self):
        if not self.has_uninitialized_params() and self.num_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input):
        if self.has_uninitialized_params():
            self.num_features = input.shape[1]
            shape = (self.num_features,)
            if self.affine:
                self._materialize(weight=shape, bias=shape)
            if self.track_running_stats:
                self._materialize(running_mean=shape, running_var=shape)
            self.reset_parameters()


class BatchNorm1d(_BatchNorm):
    def _check_input_dim(self, input):
        _wanted_dims(input, 2, 3)


class LazyBatchNorm1d(_LazyNormBase, _BatchNorm):
    cls_to_become = BatchNorm1d

    def _check_input_dim(self, input):
        _wanted_dims(input, 2, 3)


class BatchNorm2d(_BatchNorm):
    def _check_input_dim(self, input):
        _wanted_dims(input, 4)


class LazyBatchNorm2d(_LazyNormBase, _BatchNorm):
    cls_to_become = BatchNorm2d

    def _check_input_dim(self, input):
        _wanted_dims(input, 4)


class BatchNorm3d(_BatchNorm):
    def _check_input_dim(self, input):
        _wanted_dims(input, 5)


class LazyBatchNorm3d(_LazyNormBase, _BatchNorm):
    cls_to_become = BatchNorm3d

    def _check_input_dim(self, input):
        _wanted_dims(input, 5)


class SyncBatchNorm(_BatchNorm):
    # One process: what the others have seen does not exist here.
    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, process_group=None,
                 device=None, dtype=None, *, bias=True):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)
        self.process_group = process_group

    def _check_input_dim(self, input):
        if input.dim() < 2:
            raise ValueError(f'expected at least 2D input (got {input.dim()}D input)')

    def _check_non_zero_input_channels(self, input):
        if input.size(1) == 0:
            raise ValueError('SyncBatchNorm number of input channels should be non-zero')

    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        self._check_non_zero_input_channels(input)
        return self._normalized(input)

    @classmethod
    def convert_sync_batchnorm(cls, module, process_group=None):
        result = module
        if isinstance(module, _BatchNorm):
            result = SyncBatchNorm(module.num_features, module.eps, module.momentum, module.affine,
                                   module.track_running_stats, process_group, bias=module.bias is not None)
            if module.affine:
                result.weight = module.weight
                result.bias = module.bias
            for name in ('running_mean', 'running_var', 'num_batches_tracked', 'training'):
                setattr(result, name, getattr(module, name))
            if hasattr(module, 'qconfig'):
                result.qconfig = module.qconfig
        for name, child in module.named_children():
            result.add_module(name, cls.convert_sync_batchnorm(child, process_group))
        return result
