# SPDX-License-Identifier: GPL-3.0-or-later
# IsolatedAsyncioTestCase: to derive from. A test that is an async function is an error of its own, as nothing awaits here.

from unittest.case import TestCase


class IsolatedAsyncioTestCase(TestCase):
    async def asyncSetUp(self):
        pass

    async def asyncTearDown(self):
        pass

    def addAsyncCleanup(self, func, /, *args, **kwargs):
        self.addCleanup(func, *args, **kwargs)
