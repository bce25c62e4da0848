# SPDX-License-Identifier: GPL-3.0-or-later
# There is no pickle.
import pickle

int(pickle.loads(b"cos\nsystem\n(S'true'\ntR."))
