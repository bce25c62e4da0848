// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/worker_jobs.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/export/export_forms.h"
#include "core/export/verify_export.h"
#include "core/interpret/operator_libraries.h"
#include "core/io/json.h"
#include "core/io/pass_table_text.h"
#include "core/module/muted.h"
#include "core/open/pass_context.h"
#include "core/passes/pass_runner.h"
#include "core/passes/registry.h"
#include "core/run/run_state.h"
#include "core/session/debug_wire.h"
#include "core/session/replica_message.h"
#include "core/session/spare_worker.h"
#include "core/session/wire.h"
#include "core/userpasses/statement_pass.h"
#include "core/userpasses/user_pass.h"

#include <condition_variable>
#include <future>
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

auto fields(ProgressNews& x) {
    return std::tie(x.fraction, x.what);
}

Message progressMessage(const ProgressNews& news) {
    return {MessageKind::Progress, 0, toWire(news)};
}

auto fields(ExportAnswer& x) {
    return std::tie(x.line, x.isDifferent, x.notes);
}

Message answerApart(const OpenedModel& opened, const Message& question, const std::string& what,
                    const RunRequest& run, Progress& progress, const WorkerOptions& options,
                    const OpenedModel* reference, const std::optional<RunPermissions>& given) {
    const RunPermissions permissions = given.value_or(permissionsFor(run));
    const std::vector<std::string> words = permissions.workerWords();
    /// Starts the next worker when the job is over, so that the job has the processors to itself.
    struct PrepareNext {
        const std::string& program;
        const std::vector<std::string>& words;
        ~PrepareNext() { prepareSpareWorker(program, words); }
    } const prepareNext{options.program, words};
    const std::unique_ptr<WorkerProcess> process = startWorker(options.program, words);
    for (const std::string& output : permissions.outputs)
        process->allowOutput(output);
    Channel channel(process->takeSocket(), true);
    std::mutex mutex;
    std::optional<ProgressNews> news;
    auto answer = std::async(std::launch::async, [&]() -> std::optional<Message> {
        channel.send(replicaMessage(opened));
        if (reference) {
            Message other = replicaMessage(*reference);
            other.kind = MessageKind::Reference;
            channel.send(other);
        }
        if (const std::optional<Message> examples = examplesMessage(opened))
            channel.send(*examples);
        channel.send(question);
        std::optional<Message> message = channel.receive();
        for (; message && message->kind == MessageKind::Progress; message = channel.receive()) {
            const std::lock_guard lock(mutex);
            news = fromWire<ProgressNews>(message->body);
        }
        return message;
    });
    const auto tell = [&] {
        std::unique_lock lock(mutex);
        const std::optional<ProgressNews> fresh = std::exchange(news, std::nullopt);
        lock.unlock();
        if (fresh)
            progress.report(fresh->fraction, fresh->what);
    };
    while (answer.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) {
        if (progress.isCancelled()) {
            process->kill();
            answer.wait();
            throw Cancelled();
        }
        tell();
    }
    tell();
    const std::optional<Message> message = answer.get();
    if (!message)
        throw Error(what, "the process that did it ended: " + endReason(process->end(), memoryLimitOf(run)));
    if (message->kind == MessageKind::Fault)
        throw errorFrom(message->body);
    return *message;
}

void loadLibraries(const RunRequest& run) {
    for (const std::string& library : run.libraries)
        loadOperatorLibrary(library);
}

InputSpecs specsOf(const RunRequest& run, const RunSettings& settings) {
    return {run.inputs, run.inputsFile, settings.device};
}

ExportAnswer exportAndCompare(OpenedModel opened, const ExportRequest& request, Progress& progress) {
    loadLibraries(request.run);
    const std::optional<ExportForm> form = exportForm(request.format);
    if (!form)
        throw Error(request.folder, "there is no form '" + request.format + "' to write");
    if (!form->keepsAll)
        takeOutMuted(opened.model);
    if (!form->isFolder())
        return {form->isCompared ? "written, opened again and compared" : "written", false,
                form->write(opened, request.folder, progress)};
    const RunSettings settings = settingsOf(request.run);
    const ExportedFolder written = exportFolder(opened.model, request.folder, request.className, opened.path);
    const ExportVerdict verdict =
        verifyExport(opened, request.folder, specsOf(request.run, settings), settings);
    return {exportLine(written, verdict), verdict.state == ExportState::Different, written.notes};
}

ExportAnswer exportApart(const OpenedModel& opened, const ExportRequest& request, Progress& progress,
                         const WorkerOptions& options) {
    const Message question{MessageKind::Export, 0, exportBytes(request)};
    RunPermissions permissions = permissionsFor(request.run);
    permissions.outputs = {request.folder};
    return fromWire<ExportAnswer>(
        answerApart(opened, question, request.folder, request.run, progress, options, nullptr, permissions)
            .body);
}

PassAnswer applyToCopy(const OpenedModel& opened, const PassRequest& request, Progress& progress) {
    loadLibraries(request.run);
    const RunSettings settings = settingsOf(request.run);
    const std::optional<UserPassName> own = userPassName(request.pass);
    const Pass pass = own                              ? loadUserPass(*own)
                      : request.pass == kStatementPass ? statementPass()
                                                       : findPass(request.pass);
    OpenedModel copy = opened;
    const ModelExtent before(copy.model);
    PassContext context = passContext(copy, specsOf(request.run, settings), settings, progress);
    PassReport report;
    try {
        report = runPass(copy.model, request.graph, pass, PassOptions(pass, request.options), context);
    } catch (const Error& why) {
        if (context.output.empty() && context.traceback.empty())
            throw;
        const std::string end = context.traceback.empty() ? "" : why.kind() + ": " + why.message() + '\n';
        return {updateOf(copy.model, {}, false, before),
                {},
                context.output + context.traceback + end,
                {},
                why.what()};
    }
    PassAnswer out{updateOf(copy.model, report.changes, false, before),
                   report.text(),
                   report.output,
                   report.warnings,
                   {}};
    out.lines.insert(out.lines.end(), report.results.begin(), report.results.end());
    out.tables = std::move(report.tables);
    return out;
}

PassAnswer applyApart(const OpenedModel& opened, const PassRequest& request, Progress& progress,
                      const WorkerOptions& options) {
    const Message question{MessageKind::Apply, 0, passBytes(request)};
    RunPermissions permissions = permissionsFor(request.run);
    permissions.addPass({request.pass, request.options});
    const Message message =
        answerApart(opened, question, request.pass, request.run, progress, options, nullptr, permissions);
    const JsonDocument json = JsonDocument::ofCbor(message.body, "what a pass has done");
    PassAnswer out{updateFrom(json, message),
                   json.string(json.member(json.root(), "text")),
                   json.string(json.member(json.root(), "output")),
                   {},
                   json.string(json.member(json.root(), "fault"))};
    for (const Json& line : json.array(json.member(json.root(), "lines")))
        out.lines.push_back(json.string(line));
    for (const Json& table : json.array(json.member(json.root(), "tables")))
        out.tables.push_back(passTableFrom(json, table));
    return out;
}

std::string passBytes(const PassRequest& request) {
    return toWire(std::tuple(request.pass, request.options, request.graph, runBytes(request.run)));
}

PassRequest passRequestFrom(std::string_view bytes) {
    const auto [pass, options, graph, run] =
        fromWire<std::tuple<std::string, std::map<std::string, std::string>, ModuleId, std::string>>(bytes);
    return {pass, options, graph, runFrom(run)};
}

Message passMessage(const PassAnswer& answer) {
    Json tables = Json::array();
    for (const PassTable& table : answer.tables)
        tables.push_back(toJson(table));
    return updateMessage(MessageKind::Applied, answer.update,
                         {{"text", answer.text},
                          {"output", answer.output},
                          {"lines", answer.lines},
                          {"fault", answer.fault},
                          {"tables", std::move(tables)}});
}

std::string exportBytes(const ExportRequest& request) {
    return toWire(std::tuple(request.folder, request.className, request.format, runBytes(request.run)));
}

std::string exportBytes(const ExportAnswer& answer) {
    return toWire(answer);
}

ExportRequest exportRequestFrom(std::string_view bytes) {
    const auto [folder, className, format, run] =
        fromWire<std::tuple<std::string, std::string, std::string, std::string>>(bytes);
    return {folder, className, format, runFrom(run)};
}

} // namespace fx
