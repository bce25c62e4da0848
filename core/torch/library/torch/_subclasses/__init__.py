# SPDX-License-Identifier: GPL-3.0-or-later
# Tensors without data that know the device of what they stand for.
from torch._subclasses.fake_tensor import DataDependentOutputException, DynamicOutputShapeException, FakeTensor, FakeTensorMode, \
    UnsupportedFakeTensorException

__all__ = ['FakeTensor', 'FakeTensorMode', 'UnsupportedFakeTensorException', 'DynamicOutputShapeException',
           'DataDependentOutputException']
