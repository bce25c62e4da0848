# SPDX-License-Identifier: GPL-3.0-or-later
# torch.signal.windows.
from .windows import (bartlett, blackman, cosine, exponential, gaussian, general_cosine, general_hamming, hamming, hann,
                      kaiser, nuttall)
