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
import time

SKIPPED = 77


class Screen:
    """A virtual screen with a window manager where there is one, and the program on it."""

    def __init__(self, folder, program, *arguments):
        shown, tell = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(tell), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"],
            pass_fds=[tell], stderr=subprocess.DEVNULL)
        os.close(tell)
        self.environment = os.environ | {
            "DISPLAY": ":" + os.read(shown, 16).decode().strip(),
            "QT_QPA_PLATFORM": "xcb",
            "XDG_CONFIG_HOME": str(folder / "config"),
            "XDG_RUNTIME_DIR": str(folder),
        }
        self.manager = None
        if shutil.which("openbox"):
            self.manager = subprocess.Popen(["openbox"], env=self.environment, stdout=subprocess.DEVNULL,
                                            stderr=subprocess.DEVNULL)
        self.program = subprocess.Popen([program, *arguments], env=self.environment, cwd=folder)

    def do(self, *words):
        return subprocess.run(["xdotool", *map(str, words)], env=self.environment, capture_output=True, text=True)

    def window(self, title, seconds=60):
        """Waits for a window of that title and gives it the keyboard."""
        for _ in range(seconds * 10):
            if self.program.poll() is not None:
                sys.exit(f"the program has ended with {self.program.returncode} before '{title}' was there")
            found = self.do("search", "--onlyvisible", "--name", title).stdout.split()
            if found:
                self.do("windowactivate" if self.manager else "windowfocus", "--sync", found[-1])
                return found[-1]
            time.sleep(0.1)
        sys.exit(f"no window '{title}' after {seconds} seconds")

    def keys(self, *keys):
        for key in keys:
            self.do("key", "--clearmodifiers", key)
            time.sleep(0.15)

    def type(self, text):
        self.do("type", "--delay", 15, text)
        time.sleep(0.15)

    def close(self):
        for process in (self.program, self.manager, self.server):
            if process and process.poll() is None:
                process.terminate()
                process.wait(20)


def wait_for(what, condition, seconds=60):
    for _ in range(seconds * 10):
        if condition():
            return
        time.sleep(0.1)
    sys.exit(f"{what}: not after {seconds} seconds")


def export(screen, folder, name):
    screen.keys("ctrl+e")
    screen.window("Export Python folder")
    screen.keys("ctrl+a")
    screen.type(str(folder / name))
    screen.keys("Tab", "Tab", "ctrl+a")
    screen.type("Net")
    screen.keys("Return")
    wait_for(f"export of {name}", (folder / name / "__init__.py").exists)
    time.sleep(1)
    screen.window("fxscope")
    return (folder / name / "module.py").read_text()


def check_import(folder, name):
    code = f"from {name} import Net; import torch; out = Net()(torch.randn(4, 8), torch.tensor(3)); print(out['y'].shape)"
    result = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True)
    assert "torch.Size([4, 8])" in result.stdout, result.stderr


def check_without_display(program):
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    result = subprocess.run([program], env=environment, capture_output=True, text=True, timeout=60)
    assert result.returncode == 1, result.returncode
    assert result.stderr.count("\n") == 1 and result.stderr.startswith("error: "), result.stderr
    assert "fxscope debug MODEL" in result.stderr, result.stderr


def use(screen, folder):
    screen.window("control_flow.pt2")
    time.sleep(1)
    before = export(screen, folder, "before")
    # Through the graph by keys: into the branch of cond, out again, and on.
    screen.keys("ctrl+k")
    screen.type("cond")
    screen.keys("Return", "ctrl+F10")
    time.sleep(1)
    screen.keys("F11", "F10", "shift+F11", "F10", "F9", "F5", "shift+F5")
    time.sleep(0.5)
    # Another name for gt.
    screen.keys("ctrl+k")
    screen.type("gt")
    screen.keys("Return", "F2", "ctrl+a")
    screen.type("is_positive")
    screen.keys("Return")
    edited = export(screen, folder, "edited")
    assert "is_positive = torch.ops.aten.gt.Scalar(sum_1, 0)" in edited, edited
    screen.keys("ctrl+z")
    undone = export(screen, folder, "undone")
    assert undone == before, undone
    for name in ("before", "edited", "undone"):
        check_import(folder, name)
    screen.keys("ctrl+q")
    assert screen.program.wait(30) == 0, screen.program.returncode


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
