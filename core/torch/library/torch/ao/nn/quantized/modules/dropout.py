# SPDX-License-Identifier: GPL-3.0-or-later
# Nothing is dropped of a quantized tensor.
import torch

__all__ = ['Dropout']


class Dropout(torch.nn.Dropout):
    def forward(self, input):
        return input

    def _get_name(self):
        return 'QuantizedDropout'
