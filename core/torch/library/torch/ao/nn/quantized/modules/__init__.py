# SPDX-License-Identifier: GPL-3.0-or-later
# All quantized modules, and the two at the borders of what is quantized.
import torch
from torch.nn.modules.pooling import MaxPool2d
from .activation import *
from .batchnorm import *
from .conv import *
from .dropout import *
from .embedding_ops import Embedding, EmbeddingBag
from .functional_modules import *
from .linear import Linear
from .normalization import *

__all__ = ['BatchNorm2d', 'BatchNorm3d', 'Conv1d', 'Conv2d', 'Conv3d', 'ConvTranspose1d', 'ConvTranspose2d', 'ConvTranspose3d',
           'DeQuantize', 'ELU', 'Embedding', 'EmbeddingBag', 'GroupNorm', 'Hardswish', 'InstanceNorm1d', 'InstanceNorm2d',
           'InstanceNorm3d', 'LayerNorm', 'LeakyReLU', 'Linear', 'MultiheadAttention', 'Quantize', 'ReLU6', 'Sigmoid',
           'Softmax', 'Dropout', 'PReLU', 'FloatFunctional', 'FXFloatFunctional', 'QFunctional']


class Quantize(torch.nn.Module):
    def __init__(self, scale, zero_point, dtype, factory_kwargs=None):
        made = torch.nn.factory_kwargs(factory_kwargs)
        super().__init__()
        self.register_buffer('scale', torch.tensor([scale], **made))
        made['dtype'] = torch.long
        self.register_buffer('zero_point', torch.tensor([zero_point], **made))
        self.dtype = dtype

    def forward(self, X):
        return torch.quantize_per_tensor(X, float(self.scale), int(self.zero_point), self.dtype)

    def extra_repr(self):
        return f'scale={self.scale}, zero_point={self.zero_point}, dtype={self.dtype}'


class DeQuantize(torch.nn.Module):
    def forward(self, Xq):
        return Xq.dequantize()
