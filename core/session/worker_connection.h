// SPDX-License-Identifier: GPL-3.0-or-later
// A worker that runs models, and what it may do.
#pragma once

#include "core/process/host.h"
#include "core/session/confine_run.h"

namespace fx {

struct WorkerConnection : Host {
    WorkerConnection(const std::string& program, const RunPermissions& permissions)
        : Host(program, permissions.workerWords()), permissions(permissions) {}

    const RunPermissions permissions; ///< but for the outputs, which are named by WorkerProcess::allowOutput
};

} // namespace fx
