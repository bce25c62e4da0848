# SPDX-License-Identifier: GPL-3.0-or-later
# Python's os.path, on names alone and over the files that a program has in memory (_files.py); it is in the folder "/".

from _refusal import refused_names

globals().update(refused_names("os.path", "a traced program reaches no files",
                           "getatime getctime getmtime sameopenfile samestat"))

sep, curdir, pardir, extsep, pathsep, altsep = "/", ".", "..", ".", ":", None
defpath, devnull = "/bin:/usr/bin", "/dev/null"
supports_unicode_filenames = False


def _name(path):
    from os import fspath

    return fspath(path)


def _like(path, text):
    """The sign as bytes, if the path is bytes."""
    return text.encode() if isinstance(path, bytes) else text


def _check(function, paths):
    kinds = set()
    for path in paths:
        if not isinstance(path, (str, bytes)):
            raise TypeError(f"{function}() argument must be str, bytes, or os.PathLike object, "
                            f"not {type(path).__name__!r}")
        kinds.add(isinstance(path, str))
    if len(kinds) == 2:
        raise TypeError("Can't mix strings and bytes in path components") from None


def _names(function, paths):
    paths = [path if isinstance(path, (str, bytes)) or not hasattr(type(path), "__fspath__") else _name(path)
             for path in paths]
    _check(function, paths)
    return paths


def normcase(s):
    return _name(s)


def isabs(s):
    s = _name(s)
    return s.startswith(_like(s, "/"))


def join(a, *p):
    path = _name(a)
    slash = _like(path, "/")
    for part in _names("join", [path, *p])[1:]:
        if part.startswith(slash):
            path = part
        elif not path or path.endswith(slash):
            path += part
        else:
            path += slash + part
    return path


def split(p):
    p = _name(p)
    slash = _like(p, "/")
    at = p.rfind(slash) + 1
    head = p[:at]
    return head.rstrip(slash) or head, p[at:]


def basename(p):
    return split(p)[1]


def dirname(p):
    return split(p)[0]


def splitext(p):
    p = _name(p)
    dot = _like(p, ".")
    name = p[p.rfind(_like(p, "/")) + 1:]
    plain = name.lstrip(dot)
    at = plain.rfind(dot)
    if at < 0:
        return p, p[:0]
    cut = len(p) - len(plain) + at
    return p[:cut], p[cut:]


def splitdrive(p):
    p = _name(p)
    return p[:0], p


def normpath(path):
    path = _name(path)
    slash, dot, up = (_like(path, sign) for sign in ("/", ".", ".."))
    root = slash * (len(path) - len(path.lstrip(slash)))
    root = root if len(root) < 3 else slash
    parts = []
    for part in path.split(slash):
        if part == up and parts and parts[-1] != up:
            parts.pop()
        elif part not in (path[:0], dot) and not (part == up and root):
            parts.append(part)
    return root + slash.join(parts) or dot


def abspath(path):
    path = _name(path)
    return normpath(join(_like(path, "/"), path))


def realpath(filename, *, strict=False):
    filename = _name(filename)
    path = abspath(filename)
    return path[1:] if path.startswith(_like(path, "//")) else path


def _relative_parts(path):
    slash = _like(path, "/")
    return [part for part in abspath(path).split(slash) if part]


def relpath(path, start=None):
    if not path:
        raise ValueError("no path specified")
    path = _name(path)
    start = _like(path, ".") if start is None else _name(start)
    _check("relpath", [path, start])
    here, there = _relative_parts(start), _relative_parts(path)
    shared = len(commonprefix([here, there]))
    return _like(path, "/").join([_like(path, "..")] * (len(here) - shared) + there[shared:]) or _like(path, ".")


def commonprefix(m):
    if not m:
        return ""
    if not isinstance(m[0], (list, tuple)):
        m = _names("commonprefix", m)
    least, most = min(m), max(m)
    for at, item in enumerate(least):
        if item != most[at]:
            return least[:at]
    return least


def commonpath(paths):
    paths = list(paths) if not isinstance(paths, (list, tuple)) else paths
    if not paths:
        raise ValueError("commonpath() arg is an empty sequence")
    paths = [_name(path) for path in paths]
    _check("commonpath", paths)
    slash, dot = _like(paths[0], "/"), _like(paths[0], ".")
    roots = {path[:1] == slash for path in paths}
    if len(roots) > 1:
        raise ValueError("Can't mix absolute and relative paths") from None
    prefix = slash if roots.pop() else paths[0][:0]
    return prefix + slash.join(commonprefix([[part for part in path.split(slash) if part and part != dot]
                                             for path in paths]))


def expanduser(path):
    """Of whom there is no home."""
    return _name(path)


def expandvars(path):
    from os import environ

    path = _name(path)
    if isinstance(path, bytes):
        return expandvars(path.decode()).encode()
    out, at = "", 0
    while at < len(path):
        end = at + 1
        if path[at] == "$":
            if path[end:end + 1] == "{":
                close = path.find("}", end)
                name, end = (path[end + 1:close], close + 1) if close >= 0 else ("", end)
            else:
                while end < len(path) and path[end].isascii() and (path[end].isalnum() or path[end] == "_"):
                    end += 1
                name = path[at + 1:end]
            out += environ.get(name, path[at:end])
        else:
            out += path[at]
        at = end
    return out


def exists(path):
    import _files

    return _files.exists(path)


lexists = exists


def isfile(path):
    import _files

    return _files.is_file(path)


def isdir(s):
    import _files

    return _files.is_folder(s)


def islink(path):
    return False


ismount = islink


def getsize(filename):
    import _files

    return _files.size(filename)


def samefile(f1, f2):
    return abspath(f1) == abspath(f2)
