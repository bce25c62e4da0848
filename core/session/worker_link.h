// SPDX-License-Identifier: GPL-3.0-or-later
// One process of a WorkerDebuggee (worker_client.h), which may have several, one after the other.
#pragma once

#include "core/session/debug_wire.h"
#include "core/session/worker_client.h"
#include "core/session/worker_connection.h"

#include <thread>

namespace fx {

/// A process and the thread that hears what it says.
struct WorkerDebuggee::Link : WorkerConnection {
    using WorkerConnection::WorkerConnection;

    void send(const DebugCommand& command) {
        if (const auto* save = std::get_if<SaveValue>(&command))
            process.allowOutput(save->path);
        channel.send({MessageKind::Command, 0, commandBytes(command)});
    }

    std::thread reader;
    // Guarded by the mutex of the debuggee.
    bool isDead = false, hasRun = false;
    bool isDiscarded = false; ///< its end is not reported
};

} // namespace fx
