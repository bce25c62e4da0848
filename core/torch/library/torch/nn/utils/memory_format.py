# SPDX-License-Identifier: GPL-3.0-or-later
# The order in memory of convolutions' weights.
from torch.nn.modules.conv import Conv2d, Conv3d, ConvTranspose2d, ConvTranspose3d


def _converted(module, kinds, memory_format):
    for each in module.modules():
        if isinstance(each, kinds):
            each.weight.data = each.weight.detach().clone(memory_format=memory_format)
    return module


def convert_conv2d_weight_memory_format(module, memory_format):
    return _converted(module, (Conv2d, ConvTranspose2d), memory_format)


def convert_conv3d_weight_memory_format(module, memory_format):
    return _converted(module, (Conv3d, ConvTranspose3d), memory_format)
