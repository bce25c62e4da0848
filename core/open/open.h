// SPDX-License-Identifier: GPL-3.0-or-later
// Opening a model of any format that is known (formats.h). The format is told by content, not by the ending
// of the name.
#pragma once

#include "core/base/progress.h"
#include "core/io/opened_model.h"
#include "core/open/python_source.h"

#include <optional>

namespace fx {

struct OpenOptions {
    bool isLifted = false;   ///< --lifted, for .pt2
    TraceOptions trace = {}; ///< for what is traced: source, TorchScript, pickled modules
};

/// Whether it is Python source, of which one has to say what it is to make; a generated module is none.
bool isSourceToChooseFrom(const std::string& path);

/// `path` may be "net.py:Net(depth=3)". Executes nothing of the file. Throws an Error that says what the file
/// is and what to do instead, where it is none of the formats; throws Cancelled when `progress` is cancelled.
OpenedModel openModel(const std::string& path, const OpenOptions& options, Progress& progress);
/// As openModel(), but returns none, before anything is evaluated, if opening evaluates code that comes with
/// the file: Python source, generated code, TorchScript, or if a plugin reads it.
std::optional<OpenedModel> openData(const std::string& path, const OpenOptions& options, Progress& progress);

} // namespace fx
