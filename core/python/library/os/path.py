# SPDX-License-Identifier: GPL-3.0-or-later
# Python's os.path, as far as it works on texts alone.

from _refusal import refuse

__getattr__ = refuse("os.path", "a traced program reaches no files")

sep = "/"


def join(path, *paths):
    for part in paths:
        if part.startswith("/"):
            path = part
        else:
            path += part if not path or path.endswith("/") else "/" + part
    return path


def split(path):
    at = path.rfind("/") + 1
    head = path[:at]
    return head.rstrip("/") or head, path[at:]


def basename(path):
    return split(path)[1]


def dirname(path):
    return split(path)[0]


def splitext(path):
    name = basename(path)
    stem = name.lstrip(".")
    at = stem.rfind(".")
    return (path, "") if at < 0 else (path[:len(path) - len(stem) + at], stem[at:])


def isabs(path):
    return path.startswith("/")


def normpath(path):
    parts = []
    for part in path.split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part not in ("", ".") and not (part == ".." and path.startswith("/")):
            parts.append(part)
    return ("/" if path.startswith("/") else "") + "/".join(parts) or "."
