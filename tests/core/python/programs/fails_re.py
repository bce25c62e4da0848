# SPDX-License-Identifier: GPL-3.0-or-later
# Faults of regular expressions that end a program.

# --- fails_re_unclosed
import re
re.compile("a(b")

# --- fails_re_group
import re
print(re.match("a", "a").group(1))

# --- fails_re_text
import re
re.search("a", 3)
