# SPDX-License-Identifier: GPL-3.0-or-later
# Layers whose weights are in the layout of MKLDNN. What a model holds of them are tensors as others are, which can be saved;
# they are brought into the layout when they are first read, as those of torch.ao.nn.quantized are packed.
import torch
from torch.nn.modules.module import Module


def _converted(name):
    """The attribute `name`: the buffer of that name in the layout."""
    def read(self):
        held = self.__dict__['_buffers'].get(name)
        if held is None:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        made = self.__dict__.setdefault('_made', {})
        if name not in made:
            made[name] = self._convert(name, held.to_mkldnn())
        return made[name]

    return property(read)


class _Layer(Module):
    def _hold(self, name, tensor, dtype=None):
        tensor = tensor.detach()
        # What the dtype will leave of it.
        self.register_buffer(name, tensor if dtype is None else tensor.to_mkldnn(dtype).to_dense())

    def _hold_bias(self, dense_module):
        bias = dense_module.bias
        self._hold('bias', torch.zeros([dense_module.weight.size(0)], dtype=torch.float) if bias is None else bias)

    def _convert(self, name, tensor):
        return tensor

    def __getstate__(self):
        return {name: value for name, value in self.__dict__.items() if name != '_made'}

    def _in_layout(self, x, compute):
        """What is computed in the layout, of a tensor in it or not, which the result then is, too."""
        return compute(x) if x.is_mkldnn else compute(x.to_mkldnn()).to_dense()


class MkldnnLinear(_Layer):
    weight, bias = _converted('weight'), _converted('bias')

    def __init__(self, dense_module, dtype):
        super().__init__()
        self._hold('weight', dense_module.weight, dtype)
        self._hold_bias(dense_module)

    def forward(self, x):
        return self._in_layout(x, lambda x: torch._C._nn.mkldnn_linear(x, self.weight, self.bias))


class _MkldnnConvNd(_Layer):
    __constants__ = ['stride', 'padding', 'dilation', 'groups']
    weight, bias = _converted('weight'), _converted('bias')
    _reorder = None

    def __init__(self, dense_module, dtype):
        super().__init__()
        self.stride = dense_module.stride
        self.padding = dense_module.padding
        self.dilation = dense_module.dilation
        self.groups = dense_module.groups
        self._hold_bias(dense_module)
        self._hold('weight', dense_module.weight, dtype)

    def _convert(self, name, tensor):
        if name != 'weight' or self._reorder is None:
            return tensor
        return getattr(torch._C._nn, self._reorder)(tensor, self.padding, self.stride, self.dilation, self.groups)

    def forward(self, x):
        return torch.mkldnn_convolution(x, self.weight, self.bias, self.padding, self.stride, self.dilation, self.groups)


class MkldnnConv1d(_MkldnnConvNd):
    pass


class MkldnnConv2d(_MkldnnConvNd):
    _reorder = 'mkldnn_reorder_conv2d_weight'


class MkldnnConv3d(_MkldnnConvNd):
    _reorder = 'mkldnn_reorder_conv3d_weight'


class MkldnnBatchNorm(_Layer):
    __constants__ = ['exponential_average_factor', 'eps']
    weight, bias = _converted('weight'), _converted('bias')
    running_mean, running_var = _converted('running_mean'), _converted('running_var')

    def __init__(self, dense_module):
        super().__init__()
        if dense_module.training:
            raise AssertionError('Only support eval mode batchnorm for mkldnn path now')
        for setting in ('track_running_stats', 'affine'):
            if not getattr(dense_module, setting):
                raise AssertionError(f'Only support {setting}=True for mkldnn path now')
        self.exponential_average_factor = 0.0 if dense_module.momentum is None else dense_module.momentum
        self.eps = dense_module.eps
        for name in ('weight', 'bias', 'running_mean', 'running_var'):
            self._hold(name, getattr(dense_module, name))

    def forward(self, x):
        return torch.batch_norm(x, self.weight, self.bias, self.running_mean, self.running_var, False,
                                self.exponential_average_factor, self.eps, False)


class MkldnnPrelu(_Layer):
    weight = _converted('weight')

    def __init__(self, dense_module, dtype):
        super().__init__()
        self._hold('weight', dense_module.weight, dtype)

    def forward(self, x):
        return self._in_layout(x, lambda x: torch.prelu(x, self.weight))


_LAYERS = ((torch.nn.Linear, MkldnnLinear), (torch.nn.Conv1d, MkldnnConv1d), (torch.nn.Conv2d, MkldnnConv2d),
           (torch.nn.Conv3d, MkldnnConv3d), (torch.nn.PReLU, MkldnnPrelu))


def _in_mkldnn(module, dtype):
    if isinstance(module, (torch.nn.BatchNorm2d, torch.nn.BatchNorm3d)):
        return MkldnnBatchNorm(module)
    for kind, layer in _LAYERS:
        if isinstance(module, kind):
            return layer(module, dtype)
    for name, child in module.named_children():
        setattr(module, name, _in_mkldnn(child, dtype))
    return module


def to_mkldnn(module, dtype=torch.float):
    if dtype not in (torch.float, torch.bfloat16, torch.half):
        raise AssertionError('MKLDNN only support float, bfloat16, and half path now')
    return _in_mkldnn(module, dtype)
