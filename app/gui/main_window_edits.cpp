// SPDX-License-Identifier: GPL-3.0-or-later
// What becomes of edits: saved, given up, or kept against a crash and offered at the next start.
#include "app/gui/main_window.h"
#include "core/base/error.h"
#include "widgets/panes/recovery_dialog.h"
#include "widgets/panes/toast.h"
#include "widgets/session/format_filter.h"
#include "widgets/support/qt_text.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>

namespace fx {

void MainWindow::leave(std::function<void()> then) {
    m_afterSave = nullptr;
    m_discarded = {};
    if (!m_workspace || m_workspace->document().isSaved()) {
        then();
        return;
    }
    QMessageBox box(QMessageBox::Question, "fxscope",
                    "Save the changes to " + m_workspace->document().title() + "?",
                    QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
    box.setTextFormat(Qt::PlainText);
    box.setInformativeText("They are lost otherwise.");
    box.setDefaultButton(QMessageBox::Save);
    const int answer = box.exec();
    if (answer == QMessageBox::Discard) {
        m_discarded = m_workspace->document().state();
        then();
    } else if (answer == QMessageBox::Save) {
        // Saving goes on beside; what one wanted to do is done when it has succeeded.
        m_afterSave = std::move(then);
        m_awaited = m_workspace->document().state();
        save(false);
    }
}

void MainWindow::save(bool asksForPath) {
    QString path = qt(m_workspace->document().opened().path);
    const bool isThere = !m_workspace->document().host().isEmpty();
    if (asksForPath || isThere || !isSavedAs(utf8(path))) {
        const QFileInfo info(isThere ? m_workspace->document().title() : path);
        path = QFileDialog::getSaveFileName(
            this, "Save", info.dir().filePath(info.completeBaseName() + ".fxg"),
            formatFilter("fxscope graph", [](const Format& format) { return format.keepsAll; }));
        if (path.isEmpty()) {
            m_afterSave = nullptr;
            return;
        }
        if (!isSavedAs(utf8(path)))
            path += ".fxg";
    }
    m_service.saveFxg(m_workspace->snapshot(), path, m_workspace->document().state());
}

void MainWindow::keepEdits(std::shared_ptr<FoundJournal> recovered) {
    GraphDocument& document = m_workspace->document();
    if (recovered) {
        m_journal = std::make_unique<EditJournal>(document, Settings::journalFolder(), std::move(*recovered));
    } else if (!document.host().isEmpty()) {
        m_journal = std::make_unique<EditJournal>(document, Settings::journalFolder());
    } else {
        OpeningRequest request;
        request.path = utf8(QFileInfo(qt(document.opened().path)).absoluteFilePath());
        request.options.trace = m_trace.value_or(TraceOptions());
        m_journal = std::make_unique<EditJournal>(document, Settings::journalFolder(), request);
    }
    connect(m_journal.get(), &EditJournal::failed, this, [this](const QString& why) {
        m_view->toast().tell("Edits are not safe from a crash until they are saved: " + why, true);
    });
}

void MainWindow::offerRecovery() {
    std::vector<FoundJournal> found = FoundJournal::in(utf8(Settings::journalFolder()));
    if (found.empty())
        return;
    auto* dialog = new RecoveryDialog(std::move(found), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &RecoveryDialog::recoverWanted, this, &MainWindow::recover);
    dialog->show();
}

void MainWindow::recover(std::shared_ptr<FoundJournal> found) {
    leave([this, found] {
        m_arrived.reset();
        m_recovering = found;
        m_trace = found->request().options.trace;
        m_opening = qt(found->request().path);
        m_service.open(m_opening, *m_trace);
    });
}

bool MainWindow::redoEdits(const FoundJournal& found, OpenedModel& model,
                           std::vector<std::pair<QString, Changes>>& steps) {
    try {
        for (RecoveredStep& step : found.recover(model))
            steps.emplace_back(qt(step.title), std::move(step.changes));
        return true;
    } catch (const Error& error) {
        tellFailure("The edits cannot be recovered", error, {});
        return false;
    }
}

} // namespace fx
