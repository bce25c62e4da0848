// SPDX-License-Identifier: GPL-3.0-or-later
// What torch.save and torch.package write: modules, GraphModules, state_dicts, and checkpoints that hold
// some.
#pragma once

#include "core/open/formats.h"

namespace fx {

/// Whether the archive may be a model: those of PyTorch that hold no graph have what its models have, and
/// more.
bool isModelZip(const Candidate& candidate);
bool isTorchFile(const Candidate& candidate);
/// Whether a module is what would be opened, so that code of the file is evaluated.
bool holdsPickledModule(const Candidate& candidate);
OpenedModel readTorchModel(const Candidate& candidate, const OpenOptions& options, Progress& progress);

} // namespace fx
