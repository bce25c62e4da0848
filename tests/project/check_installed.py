# SPDX-License-Identifier: GPL-3.0-or-later
"""Installs the build into a folder and uses it from there as a person would.

    check_installed.py CMAKE BUILD TORCH     TORCH is the folder of the LibTorch that was built with
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

CMAKE, BUILD, TORCH = sys.argv[1:]
del sys.argv[1:]


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.prefix = cls.folder / "prefix"
        subprocess.run([CMAKE, "--install", BUILD, "--prefix", cls.prefix], check=True, stdout=subprocess.DEVNULL)
        cls.write("net.py", "def f(x):\n    return x.relu()\n")
        cls.write("without/python3", "#!/bin/sh\nPATH=/usr/bin:/bin exec /usr/bin/python3 -S \"$@\"\n").chmod(0o755)

    @classmethod
    def write(cls, name, text):
        path = cls.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def run_program(self, *words, program="fxscope", path=None, cwd=None, **variables):
        environment = {"PATH": path or os.environ["PATH"], "HOME": str(self.folder), "QT_QPA_PLATFORM": "offscreen", **variables}
        return subprocess.run([self.prefix / "bin" / program, *map(str, words)], env=environment, cwd=cwd or self.folder, capture_output=True,
                              text=True, timeout=120)

    def expect_fault(self, done, *words):
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1), done.stderr)
        for word in ("error: ", *words):
            self.assertIn(word, done.stderr)

    def fake_torch(self, folder, version):
        self.write(f"{folder}/lib/libtorch_cpu.so", "no library")
        self.write(f"{folder}/__init__.py", "")
        self.write(f"{folder}/version.py", f"__version__ = '{version}'\n")

    def test_opens_a_sample_and_a_source(self):
        sample = self.prefix / "lib/fxscope/samples/resnet.pt2"
        self.assertIn("torch.export", self.run_program("info", sample, FXSCOPE_TORCH=TORCH).stdout)
        traced = self.run_program("graph", "net.py:f", FXSCOPE_TORCH=TORCH)
        self.assertIn("call_method[target=relu]", traced.stdout, traced.stderr)

    def test_draws_a_graph(self):
        sample = self.prefix / "lib/fxscope/samples/control_flow.pt2"
        drawn = self.run_program("draw", sample, "-o", "graph.svg", FXSCOPE_TORCH=TORCH)
        self.assertEqual(drawn.returncode, 0, drawn.stderr)

    def test_brings_passes_in_python(self):
        listed = self.run_program("passes", FXSCOPE_TORCH=TORCH)
        for name in ("lib/fxscope/plugins/passes/activations.py", "swap_activation", "LogNodes"):
            self.assertIn(name, listed.stdout, listed.stderr)

    def test_finds_the_torch_of_an_environment(self):
        venv = self.write("data/fxscope/venv/bin/python3", f"#!/bin/sh\necho '{TORCH}'\n")
        venv.chmod(0o755)
        found = self.run_program("--version", path=f"{self.folder}/without:/usr/bin:/bin", XDG_DATA_HOME=str(self.folder / "data"))
        self.assertEqual(found.returncode, 0, found.stderr)

    def test_says_how_to_get_libtorch(self):
        self.expect_fault(self.run_program("--version", path=f"{self.folder}/without:/usr/bin:/bin"), "pip install torch==2.13", "FXSCOPE_TORCH")

    def test_says_which_libtorch_does_not_fit(self):
        self.fake_torch("old", "2.5.1+cpu")
        self.expect_fault(self.run_program("--version", FXSCOPE_TORCH=str(self.folder / "old")), "FXSCOPE_TORCH", "2.5.1+cpu")
        self.expect_fault(self.run_program("--version", FXSCOPE_TORCH=str(self.folder / "gone")), "gone")

    def test_takes_no_libtorch_that_lies_about(self):
        self.fake_torch("here/torch", "2.13.0")
        self.write("here/importlib/__init__.py", "raise SystemExit('ran')")
        self.expect_fault(self.run_program("--version", path=f"{self.folder}/without:/usr/bin:/bin", cwd=self.folder / "here"), "pip install")

    def test_says_what_a_libtorch_without_python_lacks(self):
        bare = self.folder / "bare"
        bare.mkdir()
        (bare / "lib").symlink_to(pathlib.Path(TORCH) / "lib")
        self.write("bare/build-version", "2.13.0\n")
        self.write("divides.py", "from torch.fx.passes.split_module import split_module\n\n\ndef f(x):\n    return split_module\n")
        fault = self.run_program("graph", "divides.py:f", FXSCOPE_TORCH=str(bare))
        self.expect_fault(fault, "bare/fx/passes/split_module.py: not found", "pip install torch==2.13")
        self.assertEqual(self.run_program("graph", "net.py:f", FXSCOPE_TORCH=str(bare)).returncode, 0)

    def test_man_page_names_every_command(self):
        page = (self.prefix / "share/man/man1/fxscope.1").read_text()
        listed = self.run_program("--help", FXSCOPE_TORCH=TORCH).stdout.partition("Subcommands:")[2]
        self.assertEqual(re.findall(r"^  (\w+)  ", listed, re.MULTILINE), re.findall(r"^\.B ([a-z]+)\n", page.partition(".SH COMMANDS")[2], re.MULTILINE))

    @unittest.skipUnless((pathlib.Path(BUILD) / "bin/fxscope-gui").exists(), "there is no desktop program")
    def test_desktop_finds_program_icon_and_types(self):
        share = self.prefix / "share"
        desktop = dict(line.split("=", 1) for line in (share / "applications/fxscope.desktop").read_text().splitlines()[1:])
        self.assertEqual(self.run_program("--version", program=desktop["Exec"].split()[0], FXSCOPE_TORCH=TORCH).returncode, 0)
        self.assertTrue((share / f"icons/hicolor/scalable/apps/{desktop['Icon']}.svg").exists())
        types = xml.etree.ElementTree.parse(share / "mime/packages/fxscope.xml").getroot()
        self.assertEqual([entry.get("type") for entry in types], desktop["MimeType"].strip(";").split(";"))


if __name__ == "__main__":
    unittest.main()
