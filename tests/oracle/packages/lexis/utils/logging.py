# SPDX-License-Identifier: GPL-3.0-or-later
# Loggers of the library. The root one is set up once, whoever asks first; each has a method that says a thing only once.
import functools
import logging
import os
import sys
import threading
from logging import CRITICAL, DEBUG, ERROR, INFO, WARNING
from typing import Optional

_lock = threading.Lock()
_outlet: Optional[logging.Handler] = None
_words = {logging.getLevelName(level).lower(): level for level in (DEBUG, INFO, WARNING, ERROR, CRITICAL)}


def _root() -> logging.Logger:
    return logging.getLogger(__name__.split(".")[0])


def _open_outlet() -> logging.Logger:
    global _outlet
    root = _root()
    with _lock:
        if _outlet is None:
            _outlet = logging.StreamHandler(sys.stderr)
            _outlet.setFormatter(logging.Formatter("%(name)s: %(message)s"))
            root.addHandler(_outlet)
            root.setLevel(_words.get(os.getenv("LEXIS_TALK", ""), ERROR))
            root.propagate = False
    return root


def get_logger(name: Optional[str] = None) -> logging.Logger:
    root = _open_outlet()
    return root if name is None else logging.getLogger(name)


def set_level(level: int) -> None:
    _open_outlet().setLevel(level)


def advice(self, *args, **kwargs):
    """A warning that those who know may switch off."""
    if not os.getenv("LEXIS_NO_ADVICE", False):
        self.warning(*args, **kwargs)


logging.Logger.advice = advice


@functools.lru_cache(None)
def warning_once(self, *args, **kwargs):
    self.warning(*args, **kwargs)


logging.Logger.warning_once = warning_once
