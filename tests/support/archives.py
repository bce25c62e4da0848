# SPDX-License-Identifier: GPL-3.0-or-later
"""Zip archives in memory, taken apart and put together again, soundly or not."""

import io
import json
import pathlib
import zipfile


class Archive:
    """The records of a file by name, in order."""

    def __init__(self, path):
        with zipfile.ZipFile(path) as archive:
            self.records = {info.filename: archive.read(info) for info in archive.infolist()}
        self.original = pathlib.Path(path).read_bytes()

    def name(self, ending):
        return next(name for name in self.records if name.endswith(ending))

    def bytes(self, changes=None, compressed=False, extra=()):
        """The archive with records replaced, or left out where the new content is None."""
        records = {**self.records, **(changes or {})}
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED) as archive:
            for name, content in [*records.items(), *extra]:
                if content is not None:
                    archive.writestr(name, content)
        return out.getvalue()

    def with_json(self, ending, change):
        """The archive after `change` has been at the parsed JSON of a record; it may give another document."""
        name = self.name(ending)
        document = json.loads(self.records[name])
        other = change(document)
        return self.bytes({name: json.dumps(document if other is None else other)})


def walk(value, path=()):
    """All places of a JSON document: (container, key, value)."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in items:
        yield value, key, child
        yield from walk(child, (*path, key))
