# SPDX-License-Identifier: GPL-3.0-or-later
# torch.backends.cudnn: settings that models read and set; they change nothing here.
import contextlib

enabled, benchmark, deterministic, allow_tf32 = True, False, False, True
benchmark_limit = 10


def is_available():
    return False


def is_acceptable(tensor):
    return False


def version():
    return None


def flags(enabled=False, benchmark=False, benchmark_limit=10, deterministic=False, allow_tf32=True, fp32_precision='none'):
    return contextlib.nullcontext()
