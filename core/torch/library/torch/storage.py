# SPDX-License-Identifier: GPL-3.0-or-later
# torch.storage: the class of the bytes that tensors lie in.
from torch import UntypedStorage
from ._outside import outside

__getattr__ = outside(__name__)
