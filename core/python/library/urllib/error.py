# SPDX-License-Identifier: GPL-3.0-or-later
# Python's urllib.error.

__all__ = ["URLError", "HTTPError", "ContentTooShortError"]


class URLError(OSError):
    def __init__(self, reason, filename=None):
        self.args = (reason,)
        self.reason = reason
        if filename is not None:
            self.filename = filename

    def __str__(self):
        return f"<urlopen error {self.reason}>"


class HTTPError(URLError):
    def __init__(self, url, code, msg, hdrs, fp):
        super().__init__(msg, url)
        self.url, self.code, self.msg, self.hdrs, self.headers, self.fp = url, code, msg, hdrs, hdrs, fp

    status = property(lambda self: self.code)

    def __str__(self):
        return f"HTTP Error {self.code}: {self.msg}"

    def __repr__(self):
        return f"<HTTPError {self.code}: {self.msg!r}>"


class ContentTooShortError(URLError):
    def __init__(self, message, content):
        super().__init__(message)
        self.content = content
