// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs of what was saved as Python objects: the code that a pickled GraphModule or a folder of to_folder
// keeps is traced anew with all its modules as leaves, as torch.fx does when it loads it; a pickled module is
// traced where all its classes are known.
#pragma once

#include "core/io/pickle/pickled_module.h"
#include "core/open/module_folder.h"
#include "core/open/python_source.h"

namespace fx {

/// Where tracing fails or a class is missing, the tree without a graph, with the reason in whyNoGraph.
/// `sources`: modules that the code may import beside those of the options.
OpenedModel reopenPickle(const PickledModel& pickled, const TraceOptions& options,
                         const std::vector<SourceText>& sources = {});
/// Throws what tracing throws.
OpenedModel reopenFolder(const ModuleFolder& folder, const TraceOptions& options);

} // namespace fx
