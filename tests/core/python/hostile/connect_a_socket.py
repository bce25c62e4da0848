# SPDX-License-Identifier: GPL-3.0-or-later
# There is no network.
import socket

socket.socket().connect(("localhost", 1))
