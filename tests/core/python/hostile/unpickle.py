# SPDX-License-Identifier: GPL-3.0-or-later
# There is no pickle.
import pickle

pickle.loads(b"cos\nsystem\n(S'true'\ntR.")
