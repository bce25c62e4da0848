// SPDX-License-Identifier: GPL-3.0-or-later
// The text of a source as the parser wants it.
#pragma once

#include "core/python/tree.h"

namespace fx {

/// Without byte order mark and with "\n" at the end of each line, as Python reads it; the module is still
/// empty. Throws an Error of kind "SyntaxError" for what is no text.
std::shared_ptr<SourceFile> makeSourceFile(std::string text, std::string path);

} // namespace fx
