# SPDX-License-Identifier: GPL-3.0-or-later
# The TestCase of tests about TorchScript, whose compiler is not here.
from torch.testing._internal.common_utils import TestCase


class JitTestCase(TestCase):
    pass
