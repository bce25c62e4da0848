// SPDX-License-Identifier: GPL-3.0-or-later
// Models as people write them: the sources of tests/oracle/sources/models.
#pragma once

#include "core/io/opened_model.h"

#include <string>
#include <vector>

namespace fx {

/// Names, sorted: one for each source.
std::vector<std::string> sourceModels();
/// What the first case in the head of the source makes, traced.
OpenedModel openSource(const std::string& name);

} // namespace fx
