// SPDX-License-Identifier: GPL-3.0-or-later
// Changing a graph by changing its generated Python: the text is read back, and what it says otherwise is
// done to the graph. Lines that are as they were keep their nodes.
#pragma once

#include "core/module/edit.h"

#include <string>
#include <vector>

namespace fx {

struct CodeEdit {
    bool hasChanged = false;
    std::vector<NodeId> calls; ///< that are new or call something else, in the order of the graph
};

/// Makes the graph of edit.module() what `code` says: the text of PythonCode, edited. Throws an Error whose
/// place is "code:LINE:COLUMN" (from 1) where the text cannot be read as a graph; the edit is then to be
/// dropped.
CodeEdit applyCode(Edit& edit, const std::string& code);

} // namespace fx
