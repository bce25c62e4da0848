// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/faults.h"

namespace fx {

void explainFault(const SourceFile& file, const TokenizedSource&, uint32_t at) {
    failAt(file, at, "invalid syntax");
}

} // namespace fx
