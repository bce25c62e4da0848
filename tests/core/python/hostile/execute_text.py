# SPDX-License-Identifier: GPL-3.0-or-later
# Text that runs itself.
text = "exec(text)"
exec(text)
