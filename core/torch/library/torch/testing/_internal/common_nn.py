# SPDX-License-Identifier: GPL-3.0-or-later
# PyTorch's lists of modules belong to its Python: tests over them find none here.
from torch.testing._internal.common_utils import TestCase as NNTestCase

module_tests, new_module_tests = [], []
