# SPDX-License-Identifier: GPL-3.0-or-later
# Looks for the compiled half of the kit beside this file, and says whether it was found.
# Everything works without it but the operators that ops/squeeze.py marks as native.
import ctypes
import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, FileFinder

import torch


def _library_path(stem):
    folder = os.path.abspath(os.path.dirname(__file__))
    if os.name == "nt":
        kernel = ctypes.WinDLL("kernel32.dll", use_last_error=True)
        if hasattr(kernel, "AddDllDirectory"):
            kernel.AddDllDirectory.restype = ctypes.c_void_p
        if sys.version_info >= (3, 8):
            os.add_dll_directory(folder)
    details = (ExtensionFileLoader, EXTENSION_SUFFIXES)
    spec = FileFinder(folder, details).find_spec(stem)
    if spec is None:
        raise ImportError("no compiled " + stem)
    return spec.origin


_HAS_NATIVE = False


def has_native():
    return False


try:
    torch.ops.load_library(_library_path("_pixels"))
    _HAS_NATIVE = True
except (ImportError, OSError):
    pass

if _HAS_NATIVE:

    def has_native():  # noqa: F811
        return True


def need_native(what):
    if not has_native():
        raise RuntimeError(f"{what} needs the compiled half of pixelkit, which is not installed for torch {torch.__version__}")


def _native_stamp():
    """The number of the library, as it was told when it was compiled; -1 where there is none."""
    if not _HAS_NATIVE:
        return -1
    return ctypes.c_int(torch.ops.pixelkit._stamp()).value
