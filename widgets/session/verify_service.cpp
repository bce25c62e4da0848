// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/verify_service.h"

#include "core/session/verify_job.h"
#include "widgets/document/edit_command.h"
#include "widgets/session/debug_service.h"
#include "widgets/support/qt_text.h"

namespace fx {

VerifyService::VerifyService(GraphDocument& document, DebugService& debug, QObject* parent)
    : QObject(parent), m_document(document), m_debug(debug) {
    connect(&m_runner, &JobRunner::began, this, &VerifyService::started);
    connect(&m_runner, &JobRunner::progressed, this, &VerifyService::progressed);
    connect(&m_runner, &JobRunner::ended, this, &VerifyService::ended);
    connect(&document, &GraphDocument::changed, this, [this] {
        m_runner.cancelAll();
        show({}, std::nullopt, {});
    });
}

void VerifyService::verifyLast() {
    const QUndoStack& history = m_document.undoStack();
    const auto* step = static_cast<const EditCommand*>(history.command(history.index() - 1));
    if (!step)
        return;
    const auto opened = std::make_shared<const OpenedModel>(m_document.opened());
    const VerifyRequest request{updateOf(opened->model, step->changes(), true, ModelExtent(opened->model)),
                                m_debug.requestHere()};
    const QString title = step->text();
    Job<VerifyAnswer> job;
    job.title = "Verifying " + title;
    job.work = [opened, request](JobRun<VerifyAnswer>& run) { return verifyApart(*opened, request, run); };
    job.done = [this, title](const VerifyAnswer& answer) { show(title, answer, {}); };
    job.failed = [this, title](const Error& why) { show(title, std::nullopt, qt(why.what())); };
    show(title, std::nullopt, {});
    m_runner.startNewest(*this, std::move(job));
}

void VerifyService::cancel() {
    if (!isWorking())
        return;
    m_runner.cancelAll();
    show({}, std::nullopt, {});
}

void VerifyService::keep() {
    cancel();
    show({}, std::nullopt, {});
}

void VerifyService::undo() {
    m_document.undoStack().undo(); // whereupon the card goes
}

void VerifyService::show(const QString& title, std::optional<VerifyAnswer> card, const QString& fault) {
    m_title = title;
    m_card = std::move(card);
    m_fault = fault;
    Q_EMIT changed();
}

} // namespace fx
