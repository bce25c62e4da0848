# SPDX-License-Identifier: GPL-3.0-or-later
# A pattern that PCRE2 would write out at length.
import re

re.compile("(" * 200 + "a{1,60000}b{1,60000}" + "){1,60000}" * 200)
