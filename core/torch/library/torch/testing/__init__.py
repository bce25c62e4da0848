# SPDX-License-Identifier: GPL-3.0-or-later
# torch.testing: comparing tensors and what holds them, and making tensors for tests.
from ._comparison import assert_allclose, assert_close
from ._creation import make_tensor
from ._file_check import FileCheck
