# SPDX-License-Identifier: GPL-3.0-or-later
# torch.testing.FileCheck: whether a text has these parts, one after the other. Which lines were looked at, it tells less fully.
import re


class FileCheck:
    def __init__(self):
        self._checks = []

    def _added(self, kind, text, count=1, exactly=False):
        self._checks.append((kind, text, count, exactly))
        return self

    def check(self, text):
        return self._added('CHECK', text)

    def check_not(self, text):
        return self._added('CHECK-NOT', text)

    def check_same(self, text):
        return self._added('CHECK-SAME', text)

    def check_next(self, text):
        return self._added('CHECK-NEXT', text)

    def check_count(self, text, count, exactly=False):
        return self._added('CHECK-COUNT', text, count, exactly)

    def check_dag(self, text):
        return self._added('CHECK-DAG', text)

    def check_regex(self, pattern):
        return self._added('CHECK-REGEX', pattern)

    def check_source_highlighted(self, text):
        return self._added('CHECK-SOURCE-HIGHLIGHTED', text)

    def run(self, test_string, *others):
        text, at = str(others[0] if others else test_string), 0
        checks = self._checks
        if others:
            checks = FileCheck()._read(test_string)._checks
        refused, place = [], 0
        while place < len(checks):
            kind, wanted, count, exactly = checks[place]
            place += 1
            if kind == 'CHECK-NOT':
                refused.append(wanted)
                continue
            start = at
            if kind == 'CHECK-DAG':  # a group of them, in any order
                group = [wanted]
                while place < len(checks) and checks[place][0] == 'CHECK-DAG':
                    group.append(checks[place][1])
                    place += 1
                spans = [self._find(kind, each, text, at) for each in group]
                first, at = min(span[0] for span in spans), max(span[1] for span in spans)
            else:
                first = None
                for _ in range(count):
                    begin, end = self._find(kind, wanted, text, at)
                    between = text[at:begin].count('\n')
                    if kind == 'CHECK-NEXT' and between != 1 or kind == 'CHECK-SAME' and between:
                        raise RuntimeError(f'Expected to find {_quoted(wanted)} on the {"next" if kind == "CHECK-NEXT" else "same"} line')
                    first, at = begin if first is None else first, end
                if exactly and wanted in text[at:]:
                    raise RuntimeError(f'Expected to not find {_quoted(wanted)} but found it')
            self._refuse(refused, text[start:first])
            refused = []
        self._refuse(refused, text[at:])

    @staticmethod
    def _find(kind, wanted, text, at):
        if kind == 'CHECK-REGEX':
            found = re.search(wanted, text[at:])
            if found:
                return at + found.start(), at + found.end()
        elif wanted in text[at:]:
            begin = text.index(wanted, at)
            return begin, begin + len(wanted)
        raise RuntimeError(f'Expected to find {_quoted(wanted)} but did not find it\nSearched string:\n{text[at:]}\nFrom {kind}: {wanted}\n')

    @staticmethod
    def _refuse(refused, text):
        for wanted in refused:
            if wanted in text:
                raise RuntimeError(f'Expected to not find {_quoted(wanted)} but found it\nFrom CHECK-NOT: {wanted}\n')

    def _read(self, source):
        for line in source.splitlines():
            found = re.search(r'# ?(CHECK(?:-NOT|-SAME|-NEXT|-DAG|-REGEX)?|CHECK-COUNT(?:-EXACTLY)?-(\d+)): ?(.*)', line)
            if found:
                kind, count, text = found.groups()
                self._added('CHECK-COUNT' if count else kind, text, int(count or 1), 'EXACTLY' in kind)
        return self


def _quoted(text):
    return f'"{text}"'
