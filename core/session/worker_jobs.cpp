// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/worker_jobs.h"

#include "core/base/error.h"
#include "core/export/verify_export.h"
#include "core/interpret/operator_libraries.h"
#include "core/session/debug_wire.h"
#include "core/session/replica_message.h"
#include "core/session/wire.h"
#include "core/torch/devices.h"

#include <condition_variable>
#include <future>
#include <mutex>
#include <sys/socket.h>

namespace fx {

void tryInputs(std::shared_ptr<const OpenedModel> opened, RunRequest request, const Progress& progress,
               const WorkerOptions& options) {
    request.isTrial = true;
    std::mutex mutex;
    std::condition_variable wake;
    std::optional<DebugEvent> end;
    WorkerDebuggee debuggee(options, [&](int, const DebugEvent& event) {
        const std::lock_guard lock(mutex);
        if (std::get_if<Finished>(&event) || std::get_if<Failed>(&event))
            end = event;
        wake.notify_all();
    });
    debuggee.setModel(std::move(opened));
    debuggee.start(1, request);
    std::unique_lock lock(mutex);
    while (!wake.wait_for(lock, std::chrono::milliseconds(20), [&] { return end.has_value(); }))
        if (progress.isCancelled())
            throw Cancelled();
    if (const auto* failed = std::get_if<Failed>(&*end))
        throw Error(failed->place, failed->message);
}

auto fields(ExportAnswer& x) {
    return std::tie(x.line, x.isDifferent, x.notes);
}

ExportAnswer exportAndCompare(const OpenedModel& opened, const ExportRequest& request) {
    for (const std::string& library : request.run.libraries)
        loadOperatorLibrary(library);
    const RunSettings settings = settingsOf(request.run);
    const InputSpecs specs{request.run.inputs, request.run.inputsFile, settings.device};
    const ExportedFolder written = exportFolder(opened.model, request.folder, request.className, opened.path);
    const ExportVerdict verdict = verifyExport(opened, request.folder, specs, settings);
    return {exportLine(written, verdict), verdict.state == ExportState::Different, written.notes};
}

ExportAnswer exportApart(const OpenedModel& opened, const ExportRequest& request, const Progress& progress,
                         const WorkerOptions& options) {
    WorkerProcess process(options.program, {"run"}, SOCK_STREAM);
    Channel channel(process.takeSocket(), true);
    auto answer = std::async(std::launch::async, [&]() -> std::optional<Message> {
        channel.send(replicaMessage(opened));
        if (const std::optional<Message> examples = examplesMessage(opened))
            channel.send(*examples);
        channel.send({MessageKind::Export, 0, exportBytes(request)});
        return channel.receive();
    });
    while (answer.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready)
        if (progress.isCancelled()) {
            process.kill();
            answer.wait();
            throw Cancelled();
        }
    const std::optional<Message> message = answer.get();
    if (!message)
        throw Error(request.folder, "cannot be compared with the model: its process ended: " + endReason(process.end(), memoryLimitOf(request.run)));
    if (message->kind == MessageKind::Fault)
        throw errorFrom(message->body);
    return fromWire<ExportAnswer>(message->body);
}

std::string exportBytes(const ExportRequest& request) {
    return toWire(std::tuple(request.folder, request.className, runBytes(request.run)));
}

std::string exportBytes(const ExportAnswer& answer) {
    return toWire(answer);
}

ExportRequest exportRequestFrom(std::string_view bytes) {
    const auto [folder, className, run] = fromWire<std::tuple<std::string, std::string, std::string>>(bytes);
    return {folder, className, runFrom(run)};
}

} // namespace fx
