# SPDX-License-Identifier: GPL-3.0-or-later
"""A virtual screen with a window manager where there is one, and a program on it that is used by keys.
Nothing here counts on time: it looks until what is waited for can be seen, and gives up late."""

import array
import mmap
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import time

SECONDS = 120


def wait_for(what, condition, seconds=SECONDS):
    end = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > end:
            sys.exit(f"{what}: not after {seconds} seconds")
        time.sleep(0.05)


class Pixels:
    """What a person sees: the frame buffer of Xvfb, which is a file in XWD format."""

    def __init__(self, path):
        wait_for("frame buffer", lambda: path.exists() and path.stat().st_size > 200)
        with open(path, "rb") as file:
            self.data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        header = struct.unpack(">25I", self.data[:100])
        self.width, self.height, self.stride = header[4], header[5], header[12]
        self.start = header[0] + 12 * header[19]

    def box(self, left, top, width, height):
        """The colours of a part, row by row, as 0xRRGGBB."""
        left, top = max(0, left), max(0, top)
        width, height = min(width, self.width - left), min(height, self.height - top)
        out = array.array("I")
        for y in range(top, top + height):
            at = self.start + y * self.stride + 4 * left
            out.frombytes(self.data[at:at + 4 * width])
        return [pixel & 0xFFFFFF for pixel in out]


class Screen:
    def __init__(self, folder, program, *arguments):
        shown, tell = os.pipe()
        self.program = self.manager = None
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(tell), "-screen", "0", "1600x1000x24", "-nolisten", "tcp", "-fbdir",
             str(folder)], pass_fds=[tell], stderr=subprocess.DEVNULL)
        os.close(tell)
        config = folder / "config" / "fxscope"
        config.mkdir(parents=True)
        (config / "fxscope.conf").write_text("[General]\ntheme=1\n")
        self.environment = os.environ | {
            "DISPLAY": ":" + os.read(shown, 16).decode().strip(),
            "QT_QPA_PLATFORM": "xcb",
            "XDG_CONFIG_HOME": str(folder / "config"),
            "XDG_RUNTIME_DIR": str(folder),
        }
        self.pixels = Pixels(pathlib.Path(folder) / "Xvfb_screen0")
        if shutil.which("openbox"):
            self.manager = subprocess.Popen(["openbox"], env=self.environment, stdout=subprocess.DEVNULL,
                                            stderr=subprocess.DEVNULL)
            # A window that is mapped before would get the focus twice.
            wait_for("window manager", lambda: self.do("get_desktop").returncode == 0)
        self.program = subprocess.Popen([program, *arguments], env=self.environment, cwd=folder)

    def do(self, *words):
        return subprocess.run(["xdotool", *map(str, words)], env=self.environment, capture_output=True, text=True)

    def windows(self, title):
        """What is visible under a title that begins so, or is exactly that with its '$'."""
        return self.do("search", "--onlyvisible", "--name", "^" + title).stdout.split()

    def window(self, title):
        """Waits for a window of that title, and until the keyboard is with it."""

        def has_keyboard():
            if self.program.poll() is not None:
                sys.exit(f"the program has ended with {self.program.returncode} before '{title}' was there")
            found = self.windows(title)
            if not found:
                return None
            if self.do("getwindowfocus", "-f").stdout.split() == found[-1:]:
                return found[-1]
            self.do("windowactivate" if self.manager else "windowfocus", found[-1])
            return None

        return wait_for(f"window '{title}'", has_keyboard)

    def gone(self, title):
        wait_for(f"end of window '{title}'", lambda: not self.windows(title))

    def corner(self, window, width, height):
        """The colours of the lower left corner of a window."""
        place = dict(line.split("=") for line in
                     self.do("getwindowgeometry", "--shell", window).stdout.split() if "=" in line)
        bottom = int(place["Y"]) + int(place["HEIGHT"])
        return self.pixels.box(int(place["X"]), bottom - height, width, height)

    def keys(self, *keys):
        for key in keys:
            self.do("key", "--clearmodifiers", key)

    def type(self, text):
        self.do("type", "--delay", 15, text)

    def close(self):
        for process in (self.program, self.manager, self.server):
            if process and process.poll() is None:
                process.terminate()
                process.wait(60)
