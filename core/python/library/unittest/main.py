# SPDX-License-Identifier: GPL-3.0-or-later
# unittest.main(): the tests of a module. Of the arguments it knows -v, -q, -f, -b, -k and the names of tests.

import sys
from importlib import import_module

from unittest import loader, runner


class TestProgram:
    module = None
    verbosity = 1
    failfast = catchbreak = buffer = warnings = testNamePatterns = None

    def __init__(self, module="__main__", defaultTest=None, argv=None, testRunner=None, testLoader=loader.defaultTestLoader,
                 exit=True, verbosity=1, failfast=None, catchbreak=None, buffer=None, warnings=None, *, tb_locals=False):
        if isinstance(module, str):
            self.module = import_module(module)
        else:
            self.module = module
        self.exit, self.verbosity, self.failfast, self.catchbreak = exit, verbosity, failfast, catchbreak
        self.buffer, self.warnings, self.tb_locals, self.defaultTest = buffer, warnings or "default", tb_locals, defaultTest
        self.testRunner, self.testLoader = testRunner, testLoader
        self.parseArgs(sys.argv if argv is None else argv)
        self.runTests()

    def parseArgs(self, argv):
        names, patterns = [], []
        rest = list(argv[1:])
        while rest:
            word = rest.pop(0)
            if word in ("-v", "--verbose", "-q", "--quiet"):
                self.verbosity = 2 if "v" in word else 0
            elif word in ("-f", "--failfast"):
                self.failfast = True
            elif word in ("-b", "--buffer"):
                self.buffer = True
            elif word == "-k" and rest:
                pattern = rest.pop(0)
                patterns.append(pattern if "*" in pattern else f"*{pattern}*")
            elif word.startswith("-"):
                raise SystemExit(2)
            else:
                names.append(word)
        if patterns:
            self.testNamePatterns = patterns
        default = [self.defaultTest] if isinstance(self.defaultTest, str) else self.defaultTest
        self.testNames = names or (list(default) if default is not None else None)
        self.createTests()

    def createTests(self):
        if self.testNamePatterns:
            self.testLoader.testNamePatterns = self.testNamePatterns
        if self.testNames is None:
            self.test = self.testLoader.loadTestsFromModule(self.module)
        else:
            self.test = self.testLoader.loadTestsFromNames(self.testNames, self.module)

    def runTests(self):
        made = runner.TextTestRunner if self.testRunner is None else self.testRunner
        if isinstance(made, type):
            try:
                made = made(verbosity=self.verbosity, failfast=bool(self.failfast), buffer=bool(self.buffer), warnings=self.warnings,
                            tb_locals=self.tb_locals)
            except TypeError:
                made = made()
        self.result = made.run(self.test)
        if self.exit:
            sys.exit(not self.result.wasSuccessful())


main = TestProgram
