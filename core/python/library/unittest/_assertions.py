# SPDX-License-Identifier: GPL-3.0-or-later
# The assertions of TestCase, with the messages that Python's have.

import collections
import pprint
import re
import warnings

from unittest._contexts import _AssertLogsContext, _AssertRaisesContext, _AssertWarnsContext
from unittest.util import _common_shorten_repr, _count_diff_all_purpose, _count_diff_hashable, _ndiff, safe_repr

_DEPRECATED = {"failUnlessEqual": "assertEqual", "assertEquals": "assertEqual", "failIfEqual": "assertNotEqual",
               "assertNotEquals": "assertNotEqual", "failUnlessAlmostEqual": "assertAlmostEqual",
               "assertAlmostEquals": "assertAlmostEqual", "failIfAlmostEqual": "assertNotAlmostEqual",
               "assertNotAlmostEquals": "assertNotAlmostEqual", "failUnless": "assertTrue", "assert_": "assertTrue",
               "failUnlessRaises": "assertRaises", "failIf": "assertFalse", "assertRaisesRegexp": "assertRaisesRegex",
               "assertRegexpMatches": "assertRegex", "assertNotRegexpMatches": "assertNotRegex"}


class Assertions:
    longMessage = True
    maxDiff = 640
    _diffThreshold = 2**16

    def fail(self, msg=None):
        raise self.failureException(msg)

    def _formatMessage(self, msg, standardMsg):
        if not self.longMessage:
            return msg or standardMsg
        return standardMsg if msg is None else f"{standardMsg} : {msg}"

    def _require(self, holds, msg, text, *values):
        """The text has {} for each value."""
        if not holds:
            self.fail(self._formatMessage(msg, text.format(*map(safe_repr, values)) if values else text))

    def _truncateMessage(self, message, diff):
        if self.maxDiff is None or len(diff) <= self.maxDiff:
            return message + diff
        return f"{message}\nDiff is {len(diff)} characters long. Set self.maxDiff to None to see it."

    def assertFalse(self, expr, msg=None):
        if expr:
            self._require(False, msg, "{} is not false", expr)

    def assertTrue(self, expr, msg=None):
        if not expr:
            self._require(False, msg, "{} is not true", expr)

    def assertRaises(self, expected_exception, *args, **kwargs):
        return _AssertRaisesContext(expected_exception, self).handle("assertRaises", args, kwargs)

    def assertRaisesRegex(self, expected_exception, expected_regex, *args, **kwargs):
        return _AssertRaisesContext(expected_exception, self, expected_regex).handle("assertRaisesRegex", args, kwargs)

    def assertWarns(self, expected_warning, *args, **kwargs):
        return _AssertWarnsContext(expected_warning, self).handle("assertWarns", args, kwargs)

    def assertWarnsRegex(self, expected_warning, expected_regex, *args, **kwargs):
        return _AssertWarnsContext(expected_warning, self, expected_regex).handle("assertWarnsRegex", args, kwargs)

    def assertLogs(self, logger=None, level=None):
        return _AssertLogsContext(self, logger, level, no_logs=False)

    def assertNoLogs(self, logger=None, level=None):
        return _AssertLogsContext(self, logger, level, no_logs=True)

    def _getAssertEqualityFunc(self, first, second):
        found = self._type_equality_funcs.get(type(first)) if type(first) is type(second) else None
        return getattr(self, found) if isinstance(found, str) else found or self._baseAssertEqual

    def _baseAssertEqual(self, first, second, msg=None):
        if not first == second:
            raise self.failureException(self._formatMessage(msg, "%s != %s" % _common_shorten_repr(first, second)))

    def assertEqual(self, first, second, msg=None):
        self._getAssertEqualityFunc(first, second)(first, second, msg=msg)

    def assertNotEqual(self, first, second, msg=None):
        if not first != second:
            self._require(False, msg, "{} == {}", first, second)

    def assertAlmostEqual(self, first, second, places=None, msg=None, delta=None):
        if first == second:
            return
        if delta is not None and places is not None:
            raise TypeError("specify delta or places not both")
        difference = abs(first - second)
        if delta is not None:
            self._require(difference <= delta, msg, "{} != {} within {} delta ({} difference)", first, second, delta, difference)
            return
        places = 7 if places is None else places
        self._require(round(difference, places) == 0, msg, "{} != {} within {} places ({} difference)", first, second, places,
                      difference)

    def assertNotAlmostEqual(self, first, second, places=None, msg=None, delta=None):
        if delta is not None and places is not None:
            raise TypeError("specify delta or places not both")
        difference = abs(first - second)
        if delta is not None:
            self._require(not first == second and difference > delta, msg, "{} == {} within {} delta ({} difference)", first, second,
                          delta, difference)
            return
        places = 7 if places is None else places
        self._require(not first == second and round(difference, places) != 0, msg, "{} == {} within {} places", first, second,
                      places)

    def assertSequenceEqual(self, seq1, seq2, msg=None, seq_type=None):
        name = "sequence" if seq_type is None else seq_type.__name__
        if seq_type is not None:
            for which, sequence in (("First", seq1), ("Second", seq2)):
                if not isinstance(sequence, seq_type):
                    raise self.failureException(f"{which} sequence is not a {name}: {safe_repr(sequence)}")
        lengths, text = [], None
        for which, sequence in (("First", seq1), ("Second", seq2)):
            try:
                lengths.append(len(sequence))
            except (TypeError, NotImplementedError):
                text = f"{which} {name} has no length.    Non-sequence?"
                break
        if text is None:
            if seq1 == seq2:
                return
            text = self._differing(seq1, seq2, name, *lengths)
            if text is None and seq_type is None and type(seq1) != type(seq2):
                return
            text = f"{name.capitalize()}s differ: %s != %s\n" % _common_shorten_repr(seq1, seq2) + (text or "")
        diff = "\n" + "\n".join(_ndiff(pprint.pformat(seq1).splitlines(), pprint.pformat(seq2).splitlines()))
        self.fail(self._formatMessage(msg, self._truncateMessage(text, diff)))

    @staticmethod
    def _differing(seq1, seq2, name, len1, len2):
        """The first items that differ, and what one has more; None where there is neither."""
        text = ""

        def item(sequence, at, which):
            try:
                return (sequence[at],)
            except (TypeError, IndexError, NotImplementedError):
                return None

        for at in range(min(len1, len2)):
            items = item(seq1, at, "first"), item(seq2, at, "second")
            if None in items:
                text += f"\nUnable to index element {at} of {'first' if items[0] is None else 'second'} {name}\n"
                break
            if items[0][0] != items[1][0]:
                text += f"\nFirst differing element {at}:\n%s\n%s\n" % _common_shorten_repr(items[0][0], items[1][0])
                break
        if len1 != len2:
            which, longer, at = ("first", seq1, len2) if len1 > len2 else ("second", seq2, len1)
            text += f"\n{which.capitalize()} {name} contains {abs(len1 - len2)} additional elements.\n"
            extra = item(longer, at, which)
            text += (f"Unable to index element {at} of {which} {name}\n" if extra is None
                     else f"First extra element {at}:\n{safe_repr(extra[0])}\n")
        return text or None

    def assertListEqual(self, list1, list2, msg=None):
        self.assertSequenceEqual(list1, list2, msg, seq_type=list)

    def assertTupleEqual(self, tuple1, tuple2, msg=None):
        self.assertSequenceEqual(tuple1, tuple2, msg, seq_type=tuple)

    def assertSetEqual(self, set1, set2, msg=None):
        lines = []
        for ours, theirs, which, here, there in ((set1, set2, "first", "first", "second"), (set2, set1, "second", "second", "first")):
            try:
                difference = ours.difference(theirs)
            except TypeError as error:
                self.fail(f"invalid type when attempting set difference: {error}")
            except AttributeError as error:
                self.fail(f"{which} argument does not support set difference: {error}")
            if difference:
                lines += [f"Items in the {here} set but not the {there}:", *map(repr, difference)]
        if lines:
            self.fail(self._formatMessage(msg, "\n".join(lines)))

    def assertIn(self, member, container, msg=None):
        if member not in container:
            self._require(False, msg, "{} not found in {}", member, container)

    def assertNotIn(self, member, container, msg=None):
        if member in container:
            self._require(False, msg, "{} unexpectedly found in {}", member, container)

    def assertIs(self, expr1, expr2, msg=None):
        if expr1 is not expr2:
            self._require(False, msg, "{} is not {}", expr1, expr2)

    def assertIsNot(self, expr1, expr2, msg=None):
        if expr1 is expr2:
            self._require(False, msg, "unexpectedly identical: {}", expr1)

    def assertDictEqual(self, d1, d2, msg=None):
        self.assertIsInstance(d1, dict, "First argument is not a dictionary")
        self.assertIsInstance(d2, dict, "Second argument is not a dictionary")
        if d1 != d2:
            diff = "\n" + "\n".join(_ndiff(pprint.pformat(d1).splitlines(), pprint.pformat(d2).splitlines()))
            text = "%s != %s" % _common_shorten_repr(d1, d2)
            self.fail(self._formatMessage(msg, self._truncateMessage(text, diff)))

    def assertDictContainsSubset(self, subset, dictionary, msg=None):
        warnings.warn("assertDictContainsSubset is deprecated", DeprecationWarning)
        missing = [safe_repr(key) for key in subset if key not in dictionary]
        wrong = [f"{safe_repr(key)}, expected: {safe_repr(value)}, actual: {safe_repr(dictionary[key])}"
                 for key, value in subset.items() if key in dictionary and value != dictionary[key]]
        texts = [f"Missing: {','.join(missing)}"] if missing else []
        texts += [f"Mismatched values: {','.join(wrong)}"] if wrong else []
        self._require(not texts, msg, "; ".join(texts))

    def assertCountEqual(self, first, second, msg=None):
        first, second = list(first), list(second)
        try:
            is_equal = collections.Counter(first) == collections.Counter(second)
        except TypeError:
            differences = _count_diff_all_purpose(first, second)
        else:
            differences = [] if is_equal else _count_diff_hashable(first, second)
        if differences:
            lines = ["First has %d, Second has %d:  %r" % tuple(each) for each in differences]
            self.fail(self._formatMessage(msg, self._truncateMessage("Element counts were not equal:\n", "\n".join(lines))))

    def assertMultiLineEqual(self, first, second, msg=None):
        self.assertIsInstance(first, str, "First argument is not a string")
        self.assertIsInstance(second, str, "Second argument is not a string")
        if first == second:
            return
        if max(len(first), len(second)) > self._diffThreshold:
            self._baseAssertEqual(first, second, msg)
        lines = [text.splitlines(keepends=True) for text in (first, second)]
        if len(lines[0]) == 1 and first.strip("\r\n") == first:
            lines = [[first + "\n"], [second + "\n"]]
        text = "%s != %s" % _common_shorten_repr(first, second)
        self.fail(self._formatMessage(msg, self._truncateMessage(text, "\n" + "".join(_ndiff(*lines)))))

    def assertLess(self, a, b, msg=None):
        if not a < b:
            self._require(False, msg, "{} not less than {}", a, b)

    def assertLessEqual(self, a, b, msg=None):
        if not a <= b:
            self._require(False, msg, "{} not less than or equal to {}", a, b)

    def assertGreater(self, a, b, msg=None):
        if not a > b:
            self._require(False, msg, "{} not greater than {}", a, b)

    def assertGreaterEqual(self, a, b, msg=None):
        if not a >= b:
            self._require(False, msg, "{} not greater than or equal to {}", a, b)

    def assertIsNone(self, obj, msg=None):
        self._require(obj is None, msg, "{} is not None", obj)

    def assertIsNotNone(self, obj, msg=None):
        self._require(obj is not None, msg, "unexpectedly None")

    def assertIsInstance(self, obj, cls, msg=None):
        if not isinstance(obj, cls):
            self.fail(self._formatMessage(msg, f"{safe_repr(obj)} is not an instance of {cls!r}"))

    def assertNotIsInstance(self, obj, cls, msg=None):
        if isinstance(obj, cls):
            self.fail(self._formatMessage(msg, f"{safe_repr(obj)} is an instance of {cls!r}"))

    def assertRegex(self, text, expected_regex, msg=None):
        if isinstance(expected_regex, (str, bytes)):
            assert expected_regex, "expected_regex must not be empty."
            expected_regex = re.compile(expected_regex)
        if not expected_regex.search(text):
            self.fail(self._formatMessage(msg, f"Regex didn't match: {expected_regex.pattern!r} not found in {text!r}"))

    def assertNotRegex(self, text, unexpected_regex, msg=None):
        if isinstance(unexpected_regex, (str, bytes)):
            unexpected_regex = re.compile(unexpected_regex)
        found = unexpected_regex.search(text)
        if found:
            shown = text[found.start():found.end()]
            self.fail(self._formatMessage(msg, f"Regex matched: {shown!r} matches {unexpected_regex.pattern!r} in {text!r}"))


def _deprecated(name):
    def call(self, *args, **kwargs):
        warnings.warn(f"Please use {name} instead.", DeprecationWarning, 2)
        return getattr(Assertions, name)(self, *args, **kwargs)
    return call


for _old, _name in _DEPRECATED.items():
    setattr(Assertions, _old, _deprecated(_name))
