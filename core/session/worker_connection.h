// SPDX-License-Identifier: GPL-3.0-or-later
// A worker that runs models, with the socket to it.
#pragma once

#include "core/process/channel.h"
#include "core/process/worker_process.h"
#include "core/session/confine_run.h"

namespace fx {

struct WorkerConnection {
    /// Throws an Error where the process cannot be started.
    WorkerConnection(const std::string& program, const RunPermissions& permissions)
        : permissions(permissions), process(program, permissions.workerWords()),
          channel(process.takeSocket(), true) {}

    const RunPermissions permissions; ///< but for the outputs, which are named by WorkerProcess::allowOutput
    WorkerProcess process;
    Channel channel;
};

} // namespace fx
