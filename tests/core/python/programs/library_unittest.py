# SPDX-License-Identifier: GPL-3.0-or-later
# unittest: assertions and their messages, and running tests.

# --- unittest_messages
import unittest

class Case(unittest.TestCase):
    def runTest(self):
        pass

case = Case()

def told(name, *args, **kwargs):
    try:
        result = getattr(case, name)(*args, **kwargs)
        print(name, "passes", result)
    except Exception as error:
        print(name, type(error).__name__, error)

long = "word " * 40
pairs = [(1, 2), (1, 1), ([1, 2, 3], [1, 5, 3]), ([1, 2], [1, 2, 3]), ([1, 2, 3, 4], [1]), ((1,), (2,)), ((), (1, 2)),
         ({"a": 1}, {"a": 2}), ({"a": 1, "b": 2}, {"b": 2}), ({1, 2}, {2, 3}), (frozenset([1]), frozenset()), ("abc", "abd"),
         ("one\ntwo\nthree\n", "one\ntoo\nthree\nfour\n"), ("abc", 3), (None, 0), (1.0, 1), ([1], (1,)), (long + "x", long + "y"),
         ("a\tb c\n", "a\tb  d\n"), ("first\nsame\nlast", "same\nlast line"), ("", "x"), ("x\n\n", "x\n"),
         ([[1, 2], [3]], [[1, 2], [4]]), ({"k": [1, 2]}, {"k": [1, 3]}), (True, 1), ("the quick brown fox", "the quack brown fix"),
         ("a = 1\nb = 2\nc = a + b\n", "a = 1\nb = 3\nc = a - b\nd = c\n"), ("x" * 700, "y" * 700)]
for first, second in pairs:
    for name in ("assertEqual", "assertNotEqual", "assertIs", "assertIsNot", "assertCountEqual", "assertSequenceEqual",
                 "assertListEqual", "assertTupleEqual", "assertDictEqual", "assertMultiLineEqual", "assertSetEqual"):
        is_known = (name not in ("assertIs", "assertIsNot") or first is None) and (name != "assertSequenceEqual" or first != long + "x")
        if is_known:
            told(name, first, second)
    told("assertEqual", first, second, "said")
for first, second in [(1, 2), (2, 1), (1, 1), ("a", "b")]:
    for name in ("assertLess", "assertLessEqual", "assertGreater", "assertGreaterEqual"):
        told(name, first, second, "said" if first == 2 else None)
for value in (0, 1, None, [], [0], "", "x", False):
    for name in ("assertTrue", "assertFalse", "assertIsNone", "assertIsNotNone"):
        told(name, value)
for member, container in ((1, [1, 2]), (3, [1, 2]), ("b", "abc"), ("z", {"z": 1})):
    told("assertIn", member, container)
    told("assertNotIn", member, container, msg="said")
for value, kind in ((1, int), (1, str), (True, (str, int)), ("x", (int, float)), (None, type(None))):
    told("assertIsInstance", value, kind)
    told("assertNotIsInstance", value, kind)
for first, second, more in ((1.0, 1.0, {}), (1.0, 1.1, {}), (1.0, 1.00000001, {}), (1.0, 1.1, {"places": 0}), (5, 7, {"delta": 2}),
                            (5, 8, {"delta": 2}), (1, 2, {"places": 1, "delta": 1}), (1.5, 2.5, {"msg": "said"})):
    told("assertAlmostEqual", first, second, **more)
    told("assertNotAlmostEqual", first, second, **more)
for text, pattern in (("abc", "b"), ("abc", "x+"), ("", "^$"), ("a1b", r"\d")):
    told("assertRegex", text, pattern)
    told("assertNotRegex", text, pattern)
told("fail")
told("fail", "reason")
told("skipTest", "reason")
told("assertDictContainsSubset", {"a": 1, "b": 3, "c": 0}, {"a": 1, "b": 2})
told("assertCountEqual", [[1], [2], [1]], [[2], [3]])
told("assertCountEqual", "aab", "abb", "said")
told("assertEquals", 1, 2)
case.longMessage = False
told("assertEqual", 1, 2, "only this")
told("assertEqual", 1, 2)
case.maxDiff = None
told("assertEqual", "x" * 700, "y" * 700)

# --- unittest_raises
import unittest
import warnings

class Case(unittest.TestCase):
    def runTest(self):
        pass

case = Case()

def told(call):
    try:
        print("passes", call())
    except Exception as error:
        print(type(error).__name__, error)

def fails(kind=ValueError, text="bad value 3"):
    raise kind(text)

def warns(text="mind the gap", kind=UserWarning):
    warnings.warn(text, kind)

def within(context, call):
    with context as entered:
        call()
    return getattr(entered, "exception", None) or getattr(entered, "warning", None)

told(lambda: case.assertRaises(ValueError, fails))
told(lambda: case.assertRaises(ValueError, fails, KeyError, "k"))
told(lambda: case.assertRaises(ValueError, len, []))
told(lambda: case.assertRaises((ValueError, KeyError), len, []))
told(lambda: case.assertRaises((ValueError, KeyError), fails, KeyError))
told(lambda: case.assertRaises(3, len, []))
told(lambda: case.assertRaises(int, len, []))
told(lambda: case.assertRaises(ValueError, wrong=1))
told(lambda: repr(within(case.assertRaises(ValueError), fails)))
told(lambda: within(case.assertRaises(ValueError), print))
told(lambda: within(case.assertRaises(ValueError, msg="said"), print))
told(lambda: within(case.assertRaises((ValueError, TypeError)), print))
told(lambda: repr(within(case.assertRaisesRegex(ValueError, r"value \d"), fails)))
told(lambda: within(case.assertRaisesRegex(ValueError, "other"), fails))
told(lambda: case.assertRaisesRegex(ValueError, "bad", fails))
told(lambda: case.assertRaisesRegex(ValueError, "bad", print))
told(lambda: case.assertRaisesRegexp(ValueError, "bad", fails))
told(lambda: repr(within(case.assertWarns(UserWarning), warns)))
told(lambda: within(case.assertWarns(DeprecationWarning), warns))
told(lambda: within(case.assertWarns(UserWarning, msg="said"), print))
told(lambda: case.assertWarns(UserWarning, warns))
told(lambda: case.assertWarns((UserWarning, FutureWarning), warns, "later", FutureWarning))
told(lambda: case.assertWarns(UserWarning, fails))
told(lambda: repr(within(case.assertWarnsRegex(UserWarning, "the"), warns)))
told(lambda: within(case.assertWarnsRegex(UserWarning, "a bridge"), warns))
told(lambda: case.assertWarnsRegex(UserWarning, "x", print))
told(lambda: case.assertWarns(ValueError, warns))

# --- unittest_runs
import io
import re
import unittest

order = []

class Order(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        order.append("class up")
        cls.addClassCleanup(order.append, "class cleanup")

    @classmethod
    def tearDownClass(cls):
        order.append("class down")

    def setUp(self):
        order.append(f"up {self._testMethodName}")
        self.addCleanup(order.append, "cleanup 1")
        self.addCleanup(order.append, "cleanup 2")

    def tearDown(self):
        order.append("down")

    def test_b(self):
        """Says what it does.

        And more.
        """
        order.append("b")

    def test_a(self):
        order.append("a")
        self.assertEqual(1, 2)

    def test_c(self):
        raise KeyError("c")

    def helper(self):
        pass

class Kinds(unittest.TestCase):
    @unittest.skip("not today")
    def test_skip(self):
        pass

    @unittest.skipIf(True, "is so")
    def test_skip_if(self):
        pass

    @unittest.skipIf(False, "is not so")
    def test_skip_if_not(self):
        pass

    @unittest.skipUnless(False, "unless")
    def test_skip_unless(self):
        pass

    @unittest.skip
    def test_skip_plain(self):
        pass

    def test_skip_inside(self):
        self.skipTest("inside")

    def test_skip_raised(self):
        raise unittest.SkipTest("raised")

    @unittest.expectedFailure
    def test_expected(self):
        self.fail("as expected")

    @unittest.expectedFailure
    def test_unexpected(self):
        pass

    def test_subtests(self):
        for i in range(4):
            with self.subTest("even", i=i):
                self.assertEqual(i % 2, 0)
        with self.subTest(i=5):
            with self.subTest(j=6):
                raise ValueError("inner")
        with self.subTest():
            self.skipTest("a part")

    def test_subtest_plain(self):
        with self.subTest(x="y"):
            pass

@unittest.skip("whole class")
class Skipped(unittest.TestCase):
    def test_one(self):
        pass

class BadSetUp(unittest.TestCase):
    def setUp(self):
        raise OSError("no set up")

    def tearDown(self):
        print("never")

    def test_one(self):
        pass

class BadClass(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        raise OSError("no class")

    def test_one(self):
        print("never")

class BadTearDown(unittest.TestCase):
    def test_one(self):
        self.addCleanup(lambda: 1 / 0)
        self.fail("first")

    def tearDown(self):
        raise OSError("second")

def run(tests, **options):
    stream = io.StringIO()
    suite = unittest.TestSuite()
    for each in tests:
        suite.addTests(unittest.defaultTestLoader.loadTestsFromTestCase(each))
    print(suite.countTestCases())
    result = unittest.TextTestRunner(stream, **options).run(suite)
    text = re.sub(r" in \d+\.\d+s", "", stream.getvalue())
    text = re.sub(r"Traceback \(most recent call last\):\n(  .*\n)+", "", text)
    print(text)
    print(result)
    print([str(test) for test, _ in result.failures], [str(test) for test, _ in result.errors])
    print([(test.id(), reason) for test, reason in result.skipped], result.wasSuccessful())

for verbosity in (0, 1, 2):
    run([Order], verbosity=verbosity)
    print(order)
    order.clear()
run([Kinds, Skipped], verbosity=2)
run([Kinds], verbosity=1)
run([BadSetUp, BadClass, BadTearDown], verbosity=2)
run([Kinds, Order], verbosity=2, failfast=True)
run([], verbosity=2)
run([Skipped], verbosity=1)

# --- unittest_loading
import unittest

class First(unittest.TestCase):
    def test_2(self):
        pass

    def test_10(self):
        pass

    def check_3(self):
        pass

class Second(First):
    def runTest(self):
        pass

loader = unittest.TestLoader()
print(loader.getTestCaseNames(First))
loader.testMethodPrefix = "check"
print(loader.getTestCaseNames(Second))
suite = loader.loadTestsFromTestCase(First)
print(suite, suite.countTestCases())
plain = unittest.TestSuite([First("test_2"), Second()])
print(plain)
print([test.id() for test in plain], [str(test) for test in plain], [test.shortDescription() for test in plain])
print(First("test_2") == First("test_2"), First("test_2") == First("test_10"), First("test_2") == Second("test_2"))
print(len({First("test_2"), First("test_2")}))
for wrong in (lambda: First("missing"), lambda: plain.addTest(3), lambda: plain.addTest(First), lambda: plain.addTests("text")):
    try:
        wrong()
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)
result = unittest.TestResult()
plain.run(result)
print(result, result.testsRun, result.wasSuccessful())
function = unittest.FunctionTestCase(lambda: print("runs"), description="a function")
function.run(result)
print(function.shortDescription(), result.testsRun)
First("test_2").debug()

class Own(unittest.TestCase):
    def __init__(self, *args):
        super().__init__(*args)
        self.addTypeEqualityFunc(complex, self.assertComplex)

    def assertComplex(self, first, second, msg=None):
        self.assertEqual(first.real, second.real, msg)

    def test_own(self):
        self.assertEqual(1 + 2j, 1 + 3j)
        self.assertEqual(1 + 2j, 2 + 3j)

result = unittest.TestResult()
Own("test_own").run(result)
print(result.failures[0][1].strip().split("\n")[-1])

class Context:
    def __enter__(self):
        print("entered")
        return 5

    def __exit__(self, *details):
        print("left", details)

class Entering(unittest.TestCase):
    def test_it(self):
        print(self.enterContext(Context()))
        print("inside")

    def test_not(self):
        self.enterContext(3)

for name in ("test_it", "test_not"):
    result = unittest.TestResult()
    Entering(name).run(result)
    print(result, [text.strip().split("\n")[-1] for _, text in result.errors])
