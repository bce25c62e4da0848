// SPDX-License-Identifier: GPL-3.0-or-later
// Names that users write with a * for any text.
#pragma once

#include <string_view>

namespace fx {

/// `*` stands for any text, also for none.
bool matchesPattern(std::string_view pattern, std::string_view text);

} // namespace fx
