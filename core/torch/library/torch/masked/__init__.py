# SPDX-License-Identifier: GPL-3.0-or-later
# torch.masked: reductions and normalizations of what a mask lets through. Tensors that carry their mask are not here.
from .. import _outside
from ._ops import (amax, amin, argmax, argmin, cumprod, cumsum, log_softmax, logaddexp, logsumexp, mean, median, norm,
                   normalize, prod, softmax, softmin, std, sum, var)

__getattr__ = _outside.outside(__name__)
