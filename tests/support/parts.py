# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that are too many for each commit: one part of them, by the id of the last commit, so that each commit looks at others."""

import functools
import pathlib
import subprocess
import zlib


@functools.cache
def commit():
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=pathlib.Path(__file__).parent, capture_output=True, text=True).stdout
    return int(head[:8] or "0", 16)


def is_in_part(name, parts):
    return zlib.crc32(str(name).encode()) % parts == commit() % parts


def taken_off(words):
    """The words without `--part-of N`, and N; 1, which is all, where there is none."""
    if "--part-of" not in words:
        return words, 1
    at = words.index("--part-of")
    return words[:at] + words[at + 2:], int(words[at + 1])
