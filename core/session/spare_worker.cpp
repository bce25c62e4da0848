// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/spare_worker.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <sys/socket.h>
#include <utility>

namespace fx {

namespace {

struct Spare {
    std::mutex mutex;
    bool isKept = false;
    std::string program;
    std::vector<std::string> arguments;
    std::unique_ptr<WorkerProcess> process; ///< null: none waits

    bool fits(const std::string& itsProgram, const std::vector<std::string>& itsArguments) const {
        return process && program == itsProgram && arguments == itsArguments && process->isAlive();
    }
};

Spare& spare() {
    static Spare kept;
    return kept;
}

} // namespace

void keepSpareWorker(bool isKept) {
    Spare& kept = spare();
    const std::lock_guard lock(kept.mutex);
    kept.isKept = isKept;
    if (!isKept)
        kept.process.reset();
}

void prepareSpareWorker(const std::string& program, const std::vector<std::string>& arguments) {
    Spare& kept = spare();
    const std::lock_guard lock(kept.mutex);
    // One that may use CUDA would hold memory of the GPU.
    const bool usesCuda = std::ranges::find(arguments, "--cuda") != arguments.end();
    if (!kept.isKept || usesCuda || kept.fits(program, arguments))
        return;
    try {
        kept.process.reset();
        kept.program = program;
        kept.arguments = arguments;
        kept.process = std::make_unique<WorkerProcess>(program, arguments, SOCK_STREAM);
    } catch (const std::exception&) {
        // The next job tells that it cannot be started.
    }
}

std::unique_ptr<WorkerProcess> startWorker(const std::string& program,
                                           const std::vector<std::string>& arguments) {
    Spare& kept = spare();
    {
        const std::lock_guard lock(kept.mutex);
        if (kept.fits(program, arguments))
            return std::exchange(kept.process, nullptr);
    }
    return std::make_unique<WorkerProcess>(program, arguments, SOCK_STREAM);
}

} // namespace fx
