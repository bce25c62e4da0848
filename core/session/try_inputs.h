// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a run gets its inputs, found out before it is started.
#pragma once

#include "core/base/progress.h"
#include "core/session/worker_client.h"

namespace fx {

/// Makes the inputs of a run in a process of its own, and throws an Error where they cannot be made. Waits;
/// throws Cancelled when `progress` is cancelled.
void tryInputs(std::shared_ptr<const OpenedModel> opened, RunRequest request, const Progress& progress,
               const WorkerOptions& options = {});

} // namespace fx
