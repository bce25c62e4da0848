# SPDX-License-Identifier: GPL-3.0-or-later
# Archives: fetched once, checked by their hash, unpacked by what their name ends in.
import bz2
import gzip
import hashlib
import itertools
import lzma
import os
import os.path
import pathlib
import re
import tarfile
import urllib
import urllib.error
import urllib.request
import zipfile
from typing import IO, Callable, Dict, Iterator, Optional, Tuple
from urllib.parse import urlparse

AGENT = "pixelkit/own"
BLOCK = 32 * 1024


def sha_of(path: str) -> str:
    sums = hashlib.sha256()
    with open(path, "rb") as stream:
        while block := stream.read(BLOCK):
            sums.update(block)
    return sums.hexdigest()


def is_whole(path: str, sha: Optional[str] = None) -> bool:
    return os.path.isfile(path) and (sha is None or sha_of(path).startswith(sha))


def fetch(url: str, root: str, sha: Optional[str] = None) -> str:
    target = os.path.join(os.path.expanduser(root), os.path.basename(urlparse(url).path))
    if is_whole(target, sha):
        return target
    os.makedirs(root, exist_ok=True)
    try:
        request = urllib.request.Request(url, headers={"User-Agent": AGENT})
        with urllib.request.urlopen(request) as answer, open(target, "wb") as stream:
            for block in iter(lambda: answer.read(BLOCK), b""):
                stream.write(block)
    except (urllib.error.URLError, OSError) as error:
        raise RuntimeError(f"cannot fetch {url}: {error}") from error
    if not is_whole(target, sha):
        raise RuntimeError("the file is not what it should be: " + target)
    return target


def _untar(source: str, target: str, squeezed: Optional[str]) -> None:
    with tarfile.open(source, f"r:{squeezed[1:]}" if squeezed else "r") as archive:
        archive.extractall(target)


_ZIP_KINDS: Dict[str, int] = {".bz2": zipfile.ZIP_BZIP2, ".xz": zipfile.ZIP_LZMA}


def _unzip(source: str, target: str, squeezed: Optional[str]) -> None:
    kind = _ZIP_KINDS[squeezed] if squeezed else zipfile.ZIP_STORED
    with zipfile.ZipFile(source, "r", compression=kind) as archive:
        archive.extractall(target)


_UNPACKERS: Dict[str, Callable[[str, str, Optional[str]], None]] = {".tar": _untar, ".zip": _unzip}
_OPENERS: Dict[str, Callable[..., IO]] = {".bz2": bz2.open, ".gz": gzip.open, ".xz": lzma.open}
_SHORT = {".tbz": (".tar", ".bz2"), ".tgz": (".tar", ".gz")}


def kind_of(name: str) -> Tuple[str, Optional[str], Optional[str]]:
    """All of the ending, the kind of archive in it, the way it is squeezed."""
    *_, before, last = ["", "", *pathlib.PurePath(name).suffixes]
    archive, squeezed = _SHORT.get(last, (None, None))
    if archive:
        return last, archive, squeezed
    if last in _UNPACKERS:
        return last, last, None
    if last not in _OPENERS:
        known = sorted(itertools.chain(_SHORT, _UNPACKERS, _OPENERS))
        raise RuntimeError(f"{name} ends in none of {', '.join(known)}")
    return (before + last, before, last) if before in _UNPACKERS else (last, None, last)


def unpack(source: str, target: Optional[str] = None) -> str:
    ending, archive, squeezed = kind_of(source)
    if target is None:
        target = re.sub(re.escape(ending) + "$", "", source)
    if archive is None:
        with _OPENERS[squeezed](source, "rb") as packed, open(target, "wb") as plain:
            plain.write(packed.read())
    else:
        _UNPACKERS[archive](source, target, squeezed)
    return target


def lines_of(path: str) -> Iterator[str]:
    with open(path) as stream:
        yield from (line.rstrip("\n") for line in stream)
