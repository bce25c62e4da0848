# SPDX-License-Identifier: GPL-3.0-or-later
# Python's unittest. There is no clock, so no time is told; there are no frames, so an error is told by its last line.

from unittest.async_case import IsolatedAsyncioTestCase
from unittest.case import (FunctionTestCase, SkipTest, TestCase, addModuleCleanup, doModuleCleanups, enterModuleContext,
                           expectedFailure, skip, skipIf, skipUnless)
from unittest.loader import TestLoader, defaultTestLoader, findTestCases, getTestCaseNames, makeSuite
from unittest.result import TestResult
from unittest.runner import TextTestResult, TextTestRunner
from unittest.suite import BaseTestSuite, TestSuite
from unittest.main import TestProgram, main

__all__ = ["TestResult", "TestCase", "TestSuite", "TextTestRunner", "TestLoader", "FunctionTestCase", "main", "defaultTestLoader",
           "SkipTest", "skip", "skipIf", "skipUnless", "expectedFailure", "TextTestResult", "addModuleCleanup", "doModuleCleanups",
           "enterModuleContext", "IsolatedAsyncioTestCase", "getTestCaseNames", "makeSuite", "findTestCases"]
