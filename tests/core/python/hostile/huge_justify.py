# SPDX-License-Identifier: GPL-3.0-or-later
# ljust, center and zfill to a huge width.
for grow in ("a".ljust, "a".center, "a".zfill):
    grow(10**12)
