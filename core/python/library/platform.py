# SPDX-License-Identifier: GPL-3.0-or-later
# Python's platform: always the same, so that a trace means the same everywhere.

from _refusal import refused_names
from os import uname, uname_result

globals().update(refused_names(
    "platform", "all is said of one machine",
    functions="freedesktop_os_release libc_ver mac_ver win32_ver"))


def system():
    return "Linux"


def machine():
    return "x86_64"


def processor():
    return ""


def node():
    return "localhost"


def release():
    return ""


def version():
    return ""


def platform(aliased=False, terse=False):
    return "Linux-x86_64"


def architecture(executable="", bits="", linkage=""):
    return "64bit", "ELF"


def python_version():
    return "3.11.7"


def python_version_tuple():
    return "3", "11", "7"


def python_implementation():
    return "CPython"


def python_compiler():
    return ""


def python_build():
    return "", ""


def python_branch():
    return ""


python_revision = python_branch
