// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/verify_service.h"

#include "core/base/text.h"
#include "core/session/verify_job.h"
#include "widgets/document/edit_command.h"
#include "widgets/document/history.h"
#include "widgets/session/debug_service.h"
#include "widgets/session/document_host.h"
#include "widgets/support/qt_text.h"

namespace fx::ui {

namespace {

constexpr size_t kMostRows = 20;

/// What the history keeps of a card.
StepCheck checkFrom(const VerifyAnswer& card) {
    QStringList lines{qt(card.headline)};
    for (const std::string& fact : {card.detail, card.nodes})
        if (!fact.empty())
            lines << qt(fact);
    lines << "inputs: " + qt(card.inputs);
    if (!card.before.empty())
        lines << "before " + qt(card.before) << "after " + qt(card.after);
    for (size_t i = 0; i < std::min(card.rows.size(), kMostRows); ++i)
        lines << "  " + qt(card.rows[i].name + ": " + card.rows[i].figures);
    if (card.rows.size() > kMostRows)
        lines << QString("  and %1 more").arg(card.rows.size() - kMostRows);
    return {lines[0], shown(lines.join('\n'))};
}

} // namespace

VerifyService::VerifyService(GraphDocument& document, DebugService& debug, DocumentHost& host,
                             QObject* parent)
    : JobService(parent), m_document(document), m_debug(debug), m_host(host) {
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
    const VerifyRequest request = requestSince(history.index() - 1);
    const QString title = step->text();
    Job<VerifyAnswer> job;
    job.title = "Verifying " + title;
    job.work = [request, snapshot = m_host.snapshot()](JobRun<VerifyAnswer>& run) {
        return snapshot.ask(kVerifyService, request, run);
    };
    job.done = [this, title, last = history.index() - 1](const VerifyAnswer& answer) {
        noteCheck(m_document.undoStack(), last, checkFrom(answer));
        show(title, answer, {});
        Q_EMIT noted();
    };
    job.failed = [this, title](const Error& why) { show(title, std::nullopt, faultText(why.what())); };
    show(title, std::nullopt, {});
    m_runner.startNewest(*this, std::move(job));
}

VerifyRequest VerifyService::requestSince(int steps) const {
    const QUndoStack& history = m_document.undoStack();
    Changes all;
    for (int i = steps; i < history.index(); ++i)
        for (const Change& change : changesOf(history, i))
            all.emplace_back(change);
    const Model& model = m_document.model();
    return {updateOf(model, all, true, ModelExtent(model)), m_debug.inputs().requestHere()};
}

void VerifyService::bisectSince(int steps) {
    if (steps >= m_document.undoStack().index())
        return;
    Job<BisectAnswer> job;
    job.title = "Looking for the change";
    job.work = [request = requestSince(steps), snapshot = m_host.snapshot()](JobRun<BisectAnswer>& run) {
        return snapshot.ask(kBisectService, request, run);
    };
    job.done = [this, steps](const BisectAnswer& answer) { takeFound(steps, answer); };
    job.failed = [this](const Error& why) {
        m_found = Found{faultText(why.what()), {}};
        Q_EMIT bisected();
    };
    m_found.reset();
    m_runner.startNewest(*this, std::move(job));
}

void VerifyService::bisectLast() {
    bisectSince(m_document.undoStack().index() - 1);
}

void VerifyService::takeFound(int steps, const BisectAnswer& answer) {
    const QUndoStack& history = m_document.undoStack();
    // The last of the changes in question is the first with which results are known to differ.
    size_t before = 0;
    int step = steps;
    for (; before + changesOf(history, step).size() < answer.bad; ++step)
        before += changesOf(history, step).size();
    const size_t first = std::max<size_t>(answer.good + 1, before + 1) - before, last = answer.bad - before;
    QStringList names;
    Found found;
    for (const std::string& name : answer.nodes)
        if (const NodeId node = m_document.model().graph().find(name)) {
            names << qt(name);
            found.nodes.push_back(node);
        }
    found.text = QString("Step %1, %2: ").arg(step + 1).arg(history.text(step)) +
                 (first == last ? QString("its change %1").arg(last)
                                : QString("its changes %1 to %2").arg(first).arg(last)) +
                 QString(" of %1 made the results differ").arg(changesOf(history, step).size()) +
                 (names.isEmpty() ? "" : ", at " + shown(names.join(", "))) + ". " +
                 qt(plural(answer.tries, "run")) + " tried.";
    m_found = std::move(found);
    Q_EMIT bisected();
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
    m_found.reset();
    m_fault = fault;
    Q_EMIT changed();
}

} // namespace fx::ui
