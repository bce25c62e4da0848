// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/standard_modules.h"

#include "core/base/text.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

namespace fx {

/// Of Python 3.11 on Linux; a name stands for the modules below it, too.
static constexpr std::string_view kNames =
    "aifc array asynchat asyncio asyncore atexit audioop bdb bz2 cProfile calendar cgi cgitb "
    "chunk cmd code codecs codeop colorsys compileall concurrent configparser copyreg crypt "
    "ctypes curses dbm decimal dis distutils doctest email encodings ensurepip faulthandler fcntl filecmp "
    "fileinput ftplib genericpath getopt getpass gettext graphlib grp gzip hmac html http imaplib imghdr "
    "imp importlib.readers importlib.resources importlib.simple ipaddress json.decoder json.encoder "
    "json.scanner json.tool lib2to3 locale logging.config logging.handlers lzma mailbox mailcap "
    "marshal mimetypes mmap modulefinder multiprocessing netrc nis nntplib ntpath nturl2path opcode "
    "optparse ossaudiodev pdb pickletools pipes pkgutil plistlib poplib posix profile pstats pty pwd "
    "py_compile pyclbr pydoc pydoc_data pyexpat queue quopri readline resource rlcompleter runpy sched "
    "secrets select selectors shelve signal site smtpd smtplib sndhdr socketserver spwd sqlite3 "
    "sre_compile sre_constants sre_parse ssl stat stringprep sunau symtable sysconfig syslog tabnanny "
    "tarfile telnetlib termios timeit tkinter token tokenize tomllib trace tracemalloc tty turtle "
    "unicodedata unittest.signals urllib.request urllib.response "
    "urllib.robotparser uu uuid venv wave webbrowser wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport "
    "zoneinfo";

bool isStandardModule(std::string_view name) {
    static const auto kModules = [] {
        const std::vector<std::string_view> names = split(kNames, ' ');
        return std::unordered_set<std::string_view>(names.begin(), names.end());
    }();
    while (!kModules.contains(name)) {
        const size_t dot = name.rfind('.');
        if (dot == std::string_view::npos)
            return false;
        name = name.substr(0, dot);
    }
    return true;
}

} // namespace fx
