# SPDX-License-Identifier: GPL-3.0-or-later
"""When fixture.py runs a script, and when it takes what was made before.  check_fixture.py FOLDER (of the build)"""

import os
import pathlib
import shutil
import subprocess
import sys
import unittest

FOLDER = pathlib.Path(sys.argv.pop())
SCRIPT = """
import pathlib, sys
sys.dont_write_bytecode = True
import words
here = pathlib.Path(__file__).parent
folder = pathlib.Path(sys.argv[1])
(folder / "deep").mkdir(parents=True)
(folder / "deep/made.txt").write_text(words.WORD + "".join(sorted(p.read_text() for p in (here / "cases").iterdir())) + str(folder))
sys.exit(words.WORD == "wrong")
"""


class Fixture(unittest.TestCase):
    def setUp(self):
        shutil.rmtree(FOLDER, ignore_errors=True)
        self.write("make.py", SCRIPT)
        self.write("words.py", "WORD = 'one'")
        self.write("cases/a.txt", "first")
        self.write("unread.txt", "x")

    def write(self, name, text):
        path = FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def make(self, output="out", *more):
        command = [sys.executable, str(pathlib.Path(__file__).with_name("fixture.py")), str(FOLDER / output), str(FOLDER / "make.py"),
                   str(FOLDER / output), *more]
        done = subprocess.run(command, env={**os.environ, "FXSCOPE_FIXTURES": str(FOLDER / "kept")}, capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        return done.returncode, "as made before" in done.stdout

    def made(self, output="out"):
        return (FOLDER / output / "deep/made.txt").read_text()

    def test_runs_once_for_every_place_that_asks(self):
        self.assertEqual(self.make(), (0, False))
        self.write("unread.txt", "y")
        self.assertEqual(self.make(), (0, True))
        shutil.rmtree(FOLDER / "out")
        self.assertEqual(self.make("other/out"), (0, True))
        self.assertTrue(self.made("other/out").startswith("onefirst"))

    def test_runs_again_when_a_module_a_case_or_an_argument_is_new(self):
        self.make()
        self.write("words.py", "WORD = 'two'")
        self.assertEqual(self.make(), (0, False))
        self.write("cases/b.txt", "second")
        self.assertEqual(self.make(), (0, False))
        self.assertTrue(self.made().startswith("twofirstsecond"))
        self.assertEqual(self.make("out", "--all"), (0, False))
        (FOLDER / "cases/b.txt").unlink()
        self.assertEqual(self.make(), (0, True))
        self.assertFalse("second" in self.made())

    def test_names_itself_by_a_path_that_stays(self):
        self.make()
        path = self.made().removeprefix("onefirst")
        self.make("other/out")
        self.assertTrue(pathlib.Path(path).is_dir())

    def test_keeps_nothing_of_a_script_that_fails(self):
        self.write("words.py", "WORD = 'wrong'")
        self.assertEqual(self.make(), (1, False))
        self.assertFalse((FOLDER / "out").exists())
        self.assertEqual(self.make(), (1, False))

    def test_keeps_the_newest(self):
        for number in range(6):
            self.write("words.py", f"WORD = 'number {number}'")
            self.make()
        self.assertEqual(len([path for path in (FOLDER / "kept").glob("*/*") if path.is_dir()]), 3)
        self.assertEqual(self.make(), (0, True))


if __name__ == "__main__":
    unittest.main()
