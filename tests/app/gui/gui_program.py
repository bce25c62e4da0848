# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts the desktop program on a virtual screen and uses it by keys alone, as a person would:
gui_program.py fxscope-gui MODEL. What it exports must be imported by Python, edited and not, and compute."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

from virtual_screen import Screen, wait_for

SKIPPED = 77
# The dot of the status bar (widgets/style/tokens.cpp, light).
PAUSED, RUNNING = 0xF59E0B, 0x2563EB
MODEL = "control_flow"


class User:
    """Looks before each step."""

    def __init__(self, screen, folder):
        self.screen = screen
        self.folder = folder

    def look(self):
        """The lower left corner of the main window: the dot and the words beside it. What xdotool takes for its place
        is off by the frame."""
        return self.screen.corner(self.screen.windows(MODEL)[-1], 200, 60)

    def press_and_see(self, key, is_there):
        """Presses a key and waits until the status has become another one, of which that is true."""
        before = self.look()
        self.screen.keys(key)

        def is_new():
            now = self.look()
            return now != before and RUNNING not in now and is_there(now)

        wait_for(key, is_new)

    def find(self, name):
        self.screen.keys("ctrl+k")
        self.screen.type(name)
        self.screen.keys("Return")

    def step(self):
        """Through the graph: into the branch of cond, out again, on, and to the end."""
        self.find("cond")
        for key in ("ctrl+F10", "F11", "F10", "shift+F11", "F10"):
            self.press_and_see(key, lambda colours: PAUSED in colours)
        self.screen.keys("F9")
        self.press_and_see("F5", lambda colours: PAUSED not in colours)

    def export(self, name):
        target = self.folder / name
        self.screen.keys("ctrl+e")
        self.screen.window("Export")
        self.screen.keys("ctrl+a")
        self.screen.type(str(target))
        self.screen.keys("Tab", "Tab", "ctrl+a")
        self.screen.type("Net")
        self.screen.keys("Return")
        self.screen.gone("Export")
        # The last file that is written, and its last line.
        init = target / "__init__.py"
        wait_for(f"export of {name}", lambda: init.exists() and init.read_text().endswith("]\n"))
        self.screen.window(MODEL)
        return (target / "module.py").read_text()


def check_imports(folder, names):
    code = "import importlib, torch\n" + "".join(
        f"print(importlib.import_module({name!r}).Net()(torch.randn(4, 8), torch.tensor(3))['y'].shape)\n"
        for name in names)
    result = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True)
    assert result.stdout == "torch.Size([4, 8])\n" * len(names), result.stdout + result.stderr


def check_without_display(program):
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    result = subprocess.run([program], env=environment, capture_output=True, text=True, timeout=120)
    assert result.returncode == 1, result.returncode
    assert result.stderr.count("\n") == 1 and result.stderr.startswith("error: "), result.stderr
    assert "fxscope debug MODEL" in result.stderr, result.stderr


def use(screen, folder):
    screen.window(MODEL)
    user = User(screen, folder)
    before = user.export("before")
    user.step()
    # Another name for gt; the title tells that there is something to save.
    user.find("gt")
    screen.keys("F2", "ctrl+a")
    screen.type("is_positive")
    screen.keys("Return")
    wait_for("rename", lambda: screen.windows(MODEL + r"\.pt2\*"))
    edited = user.export("edited")
    assert "is_positive = torch.ops.aten.gt.Scalar(sum_1, 0)" in edited, edited
    screen.keys("ctrl+z")
    wait_for("undo", lambda: not screen.windows(MODEL + r"\.pt2\*"))
    undone = user.export("undone")
    assert undone == before, undone
    check_imports(folder, ("before", "edited", "undone"))
    screen.keys("ctrl+q")
    assert screen.program.wait(120) == 0, screen.program.returncode


def main():
    program, model = (str(pathlib.Path(argument).resolve()) for argument in sys.argv[1:])
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended from outside"))
    check_without_display(program)
    missing = [tool for tool in ("Xvfb", "xdotool") if not shutil.which(tool)]
    if missing:
        print("skipped: there is no", " and no ".join(missing))
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        screen = Screen(folder, program, model)
        try:
            use(screen, folder)
        finally:
            screen.close()


if __name__ == "__main__":
    main()
