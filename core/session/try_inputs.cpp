// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/try_inputs.h"

#include "core/base/error.h"
#include "core/run/run_state.h"

#include <condition_variable>
#include <mutex>

namespace fx {

void tryInputs(std::shared_ptr<const OpenedModel> opened, RunRequest request, const Progress& progress,
               const WorkerOptions& options) {
    request.isTrial = true;
    std::mutex mutex;
    std::condition_variable wake;
    RunState state = startedRun(1, false);
    WorkerDebuggee debuggee(options, [&](int, const DebugEvent& event) {
        const std::lock_guard lock(mutex);
        state = next(std::move(state), event);
        wake.notify_all();
    });
    debuggee.setModel(std::move(opened));
    debuggee.start(1, request);
    std::unique_lock lock(mutex);
    while (!wake.wait_for(lock, std::chrono::milliseconds(20), [&] { return state.isOver(); }))
        if (progress.isCancelled())
            throw Cancelled();
    if (const Failed* failed = state.failure())
        throw Error(failed->place, failed->message);
}

} // namespace fx
