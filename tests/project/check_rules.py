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

    def test_large_classes_need_a_row(self):
        methods = "".join(f"    int f{i}(std::function<void()> g = {{}}) const;\n" for i in range(39))
        for name, more in (("Fits", ""), ("Large", "    ~Large();\n"), ("Grown", "    void g() { h(); }\n")):
            self.write(f"core/ir/{name}.h", f"class {name} : public Base {{\npublic:\n    explicit {name}(int x);\n{methods}{more}"
                                            f"    int m_x = 0; // of f(x)\n}};\n")
        self.assertEqual(list(check_project.large_classes(self.root, {"Grown": (41, "here"), "Gone": (50, "there")})), [
            "Large: 41 methods, 40 allowed", "there: Gone needs this row no longer"])

    def test_a_class_is_in_two_sources(self):
        self.write("core/ir/graph.h", "class Graph {\n};\nclass Node {\n};\n")
        for name in ("graph", "edges", "nodes"):
            self.write(f"core/ir/{name}.cpp", "int Graph::f() {\n    Node::g();\n}\n")
        self.assertEqual(list(check_project.spread_classes(self.root, {})), ["Graph: 3 sources, 2 allowed"])

    def test_circles_of_sources_need_a_row(self):
        self.write("core/ir/a.h", '#include "core/ir/b.h"\n')
        self.write("core/ir/b.h", "")
        self.write("core/ir/b.cpp", '#include "core/ir/b.h"\n#include "core/ir/a.h"\n')
        self.write("core/ir/c.cpp", '#include "core/ir/a.h"\n')
        self.assertEqual(list(check_project.circles(self.root, {})), ["core/ir: 2 sources in circles, 0 allowed"])
        self.assertEqual(list(check_project.circles(self.root, {"core/ir": (2, "here")})), [])

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
