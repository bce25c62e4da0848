// SPDX-License-Identifier: GPL-3.0-or-later
// A log of torch.compile as a model: the root's graph is what happened (which frame, at which stages, where
// it broke and why it was compiled again), and each stage is a module with the graph that was logged then.
#pragma once

#include "core/base/progress.h"
#include "core/io/opened_model.h"

#include <string>
#include <string_view>
#include <vector>

namespace fx {

/// The logs in a folder that TORCH_TRACE has named, in the order of their names.
std::vector<std::string> traceLogsIn(const std::string& folder);

/// Throws an Error where no log tells of a compilation.
OpenedModel readTraceLogs(const std::vector<std::string_view>& logs, const std::string& path,
                          Progress& progress);
/// All logs of the folder.
OpenedModel readTraceFolder(const std::string& folder, Progress& progress);

} // namespace fx
