# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds check_project.py against a tree that breaks each of its rules once."""

import pathlib
import tempfile
import unittest

import check_project

TABLE = "# Title\n\n| folder | what |\n|---|---|\n| `core/base` | below all |\n| `core/ir` (no tensors) | graphs |\n\n| `core/other` | another table |\n"


class Rules(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("CONTRIBUTING.md", TABLE)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def test_a_folder_may_use_those_above_it_and_itself(self):
        self.write("core/ir/graph.h", '#include "core/base/error.h"\n#include "core/ir/types/node.h"\n#include <vector>\n')
        self.assertEqual(list(check_project.folder_order(self.root)), [])

    def test_a_folder_may_not_use_those_below_it(self):
        self.write("core/base/parts/error.cpp", '#pragma once\n#  include "core/ir/graph.h"\n')
        self.assertEqual(list(check_project.folder_order(self.root)), [
            "core/base/parts/error.cpp:2: core/base may not use core/ir, which is below it in CONTRIBUTING.md's table"])

    def test_every_folder_has_a_row(self):
        self.write("core/other/new.cpp", "")
        self.assertEqual(list(check_project.folder_order(self.root)),
                         ["core/other/new.cpp: CONTRIBUTING.md's table has no row for its folder"])

    def test_the_build_lists_the_folders_in_the_same_order(self):
        self.write("core/CMakeLists.txt", "add_subdirectory(base)\nadd_subdirectory(ir)\n")
        self.assertEqual(list(check_project.folder_order(self.root)), [])
        self.write("core/CMakeLists.txt", "add_subdirectory(ir)\nadd_subdirectory(base)\n")
        self.assertEqual(list(check_project.folder_order(self.root)),
                         ["core/CMakeLists.txt: ir is where CONTRIBUTING.md's table has base"])
        self.write("core/CMakeLists.txt", "add_subdirectory(base)\n")
        self.assertEqual(list(check_project.folder_order(self.root)),
                         ["core/CMakeLists.txt: None is where CONTRIBUTING.md's table has ir"])

    def test_core_includes_nothing_of_qt(self):
        self.write("core/ir/graph.cpp", "#include <string>\n#include <QString>\n")
        self.assertEqual(list(check_project.qt_in_core(self.root)), ["core/ir/graph.cpp:2: #include <QString"])

    def test_paths_of_the_document_exist(self):
        self.write("CONTRIBUTING.md", "`core/ir` and\n`core/gone.h`\n")
        self.write("core/ir/graph.cpp", "")
        self.assertEqual(list(check_project.missing_paths(self.root)), ["CONTRIBUTING.md:2: core/gone.h is not there"])

    def test_long_files_need_a_row(self):
        for name, count in (("short", 400), ("long", 401), ("listed", 450), ("grown", 451)):
            self.write(f"core/ir/{name}.cpp", "\n" * count)
        rows = {f"core/ir/{name}.cpp": (450, name) for name in ("listed", "grown", "gone")}
        self.assertEqual(list(check_project.long_files(self.root, rows)), [
            "core/ir/grown.cpp: 451 lines, 450 allowed", "core/ir/long.cpp: 401 lines, 400 allowed",
            "gone: core/ir/gone.cpp needs this row no longer"])

    def test_a_type_is_defined_once(self):
        self.write("core/ir/graph.h", "class Graph;\nstruct Node final : Base {\n    struct Use {};\n};\n")
        self.write("widgets/graph.h", "class Node : public QObject {\n};\nenum class Graph { One };\nstruct Use {};\n")
        self.write("widgets/graph.cpp", "struct Graph {};\n")
        self.assertEqual(list(check_project.types_twice(self.root)), ["Node: core/ir/graph.h, widgets/graph.h"])

    def test_waits_for_a_fixed_time_need_a_row(self):
        self.write("tests/tst_state.cpp", "QTest::qWaitFor(done);")
        self.write("tests/tst_time.cpp", "QTest::qWait(20); std::this_thread::sleep_for(10ms);")
        self.write("tests/probe.py", "time.sleep(1)")
        self.assertEqual(list(check_project.fixed_waits(self.root, {"tests/tst_time.cpp": (1, "")})), [
            "tests/probe.py: 1 waits for a fixed time, 0 allowed",
            "tests/tst_time.cpp: 2 waits for a fixed time, 1 allowed"])


if __name__ == "__main__":
    unittest.main()
