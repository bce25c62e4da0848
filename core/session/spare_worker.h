// SPDX-License-Identifier: GPL-3.0-or-later
// A worker that waits for the next job. A program that lives long keeps one, as loading LibTorch takes longer
// than many a job.
#pragma once

#include "core/session/worker_process.h"

#include <memory>

namespace fx {

/// From now on prepareSpareWorker() starts processes, or no longer. At first it does not. From any thread, as
/// are the others.
void keepSpareWorker(bool isKept);
/// Starts the process that the next startWorker() with the same arguments takes, unless it waits already.
void prepareSpareWorker(const std::string& program, const std::vector<std::string>& arguments);
/// As the constructor of WorkerProcess for SOCK_STREAM, but takes the process that waits if it has the
/// arguments.
std::unique_ptr<WorkerProcess> startWorker(const std::string& program,
                                           const std::vector<std::string>& arguments);

} // namespace fx
