// SPDX-License-Identifier: GPL-3.0-or-later
// A difference of two codes, as `diff -u` writes it, done to another code.
#pragma once

#include <string>
#include <vector>

namespace fx {

/// Each hunk is done where its lines are, as near to where it says as can be. Throws an Error at
/// "patch:LINE" (from 1) for a hunk whose lines are nowhere, and for what is no patch.
std::vector<std::string> patchedLines(std::vector<std::string> lines, const std::string& patch);

} // namespace fx
