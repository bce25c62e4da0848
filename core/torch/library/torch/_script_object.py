# SPDX-License-Identifier: GPL-3.0-or-later
# What a pickle keeps of an object of torch.classes. The object itself is made when a run needs it.


class ScriptObject:
    def __setstate__(self, record):
        self._state, self._class = record

    def __getstate__(self):
        return self._state, self._class
