// SPDX-License-Identifier: GPL-3.0-or-later
// The shape of nested values as torch.utils._pytree writes it (treespec_dumps, protocol 1).
#pragma once

#include "core/ir/tree_spec.h"

#include <string>

namespace fx {

/// Throws an Error at `place` for text that is no tree spec. Registered classes other than Python's own
/// containers keep their name and children, and are built as tuples when a value is needed.
TreeSpec parseTreeSpec(const std::string& text, const std::string& place);
/// What treespec_dumps writes for tuples, lists and dicts. Throws an Error at `place` for other classes.
std::string treeSpecText(const TreeSpec& spec, const std::string& place);

} // namespace fx
