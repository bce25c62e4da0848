# SPDX-License-Identifier: GPL-3.0-or-later
# How passes are written, put in order, and how graphs are cut into what a backend takes.
