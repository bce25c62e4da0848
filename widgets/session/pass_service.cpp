// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/pass_service.h"

#include "core/session/worker_jobs.h"
#include "core/torch/bind/call.h"
#include "widgets/document/graph_document.h"
#include "widgets/session/debug_service.h"
#include "widgets/support/qt_text.h"

namespace fx {

PassService::PassService(GraphDocument& document, const DebugService& debug, QObject* parent)
    : QObject(parent), m_document(document), m_debug(debug) {
    connect(&m_runner, &JobRunner::began, this, &PassService::started);
    connect(&m_runner, &JobRunner::progressed, this, &PassService::progressed);
    connect(&m_runner, &JobRunner::ended, this, &PassService::ended);
    connect(&document, &GraphDocument::changed, this, [this] {
        if (!isWorking())
            return;
        cancel();
        Q_EMIT failed("The graph was edited, so the pass was given up.");
    });
}

void PassService::run(const Pass& pass, const std::map<std::string, std::string>& options, ModuleId graph) {
    const auto opened = std::make_shared<const OpenedModel>(m_document.opened());
    const PassRequest request{pass.name, options, graph, m_debug.requestHere()};
    Job<PassAnswer> job;
    job.title = qt(pass.title);
    job.work = [opened, request, runsCode = pass.runsCode](JobRun<PassAnswer>& run) {
        PassAnswer out;
        guarded(
            [&] { out = runsCode ? applyApart(*opened, request, run) : applyToCopy(*opened, request, run); });
        return out;
    };
    job.done = [this, title = job.title](const PassAnswer& answer) {
        if (const QString fault =
                answer.update.changes.empty() ? QString() : m_document.follow(title, answer.update);
            !fault.isEmpty()) {
            Q_EMIT failed(fault);
            return;
        }
        QString text = title + ": " + qt(answer.text) + '.';
        for (const std::string& line : answer.lines)
            text += '\n' + qt(line);
        Q_EMIT done(text);
    };
    job.failed = [this](const Error& why) { Q_EMIT failed(qt(why.what())); };
    m_runner.startNewest(*this, std::move(job));
}

} // namespace fx
