# SPDX-License-Identifier: GPL-3.0-or-later
# A list that grows while it is walked.
values = [1]
for value in values:
    values.append(value)
