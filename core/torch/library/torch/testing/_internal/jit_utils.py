# SPDX-License-Identifier: GPL-3.0-or-later
# The TestCase of tests about TorchScript, whose compiler is not here.
import io
import sys

from torch.testing._internal.common_utils import TestCase


class _Captured(list):
    # What is printed to a stream of sys while it is entered, as its one item.
    stream = None

    def __enter__(self):
        self._before = getattr(sys, self.stream)
        setattr(sys, self.stream, io.StringIO())
        return self

    def __exit__(self, *args):
        self.append(getattr(sys, self.stream).getvalue())
        setattr(sys, self.stream, self._before)


class JitTestCase(TestCase):
    class capture_stdout(_Captured):
        stream = 'stdout'

    class capture_stderr(_Captured):
        stream = 'stderr'
