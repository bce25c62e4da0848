// SPDX-License-Identifier: GPL-3.0-or-later
// The passes of a user's file from the process that evaluates it to the one that shows them: rows that say
// all but what runs. A row's name is "FILE.py:NAME", by which who runs it finds the pass itself.
#pragma once

#include "core/passes/pass.h"

#include <string>
#include <vector>

namespace fx {

/// One text for each pass of a file, or for the one that is named: "FILE.py", "FILE.py:NAME". Throws what
/// loadUserPass throws.
std::vector<std::string> userPassTexts(const std::string& word);
/// Throws an Error for what is none of these texts.
std::vector<Pass> userPassesFrom(const std::vector<std::string>& texts);

} // namespace fx
