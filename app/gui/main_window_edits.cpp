// SPDX-License-Identifier: GPL-3.0-or-later
// What becomes of edits: saved, given up, or kept against a crash and offered at the next start.
#include "app/gui/main_window.h"
#include "core/base/error.h"
#include "core/base/temporary_entry.h"
#include "widgets/panes/recovery_dialog.h"
#include "widgets/panes/toast.h"
#include "widgets/session/format_filter.h"
#include "widgets/support/qt_text.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

#include <set>
#include <thread>

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
    GraphDocument& document = m_workspace->document();
    QString path = qt(document.opened().path);
    const bool isOwn = document.host().isEmpty() && isSavedAs(utf8(path));
    if (asksForPath || !isOwn)
        path = askForPath();
    else if (!formatWriting(utf8(path))->keepsAll && path != m_replaced)
        path = askToReplace(path, reasonAgainst(path));
    if (path.isEmpty()) {
        m_afterSave = nullptr;
        return;
    }
    if (const QString reason = reasonAgainst(path); !reason.isEmpty()) {
        tellNotSaved(path, reason);
        return;
    }
    m_replaced = path;
    m_service.save(m_workspace->snapshot(), path, m_workspace->debug().inputs().requestHere(),
                   document.state());
}

/// Empty: the user does not want to.
QString MainWindow::askForPath() {
    const GraphDocument& document = m_workspace->document();
    const QFileInfo info(document.host().isEmpty() ? qt(document.opened().path) : document.title());
    const QString path = QFileDialog::getSaveFileName(
        this, "Save", info.dir().filePath(info.completeBaseName() + ".fxg"),
        formatFilter("Models", [](const Format& format) { return !format.document.empty(); }));
    return path.isEmpty() || isSavedAs(utf8(path)) ? path : path + ".fxg";
}

/// Why the model cannot be written there, as far as that is known; empty: nothing is.
QString MainWindow::reasonAgainst(const QString& path) const {
    const Format* format = formatWriting(utf8(path));
    return format->whyNot ? qt(format->whyNot(m_workspace->document().opened())) : QString();
}

/// The file that was opened is another program's. Gives where to save; empty: nowhere.
QString MainWindow::askToReplace(const QString& path, const QString& reason) {
    if (!reason.isEmpty())
        return path; // which is told
    QMessageBox box(QMessageBox::Question, "fxscope", "Save into " + QFileInfo(path).fileName() + "?",
                    QMessageBox::Save | QMessageBox::Cancel, this);
    box.setTextFormat(Qt::PlainText);
    box.setInformativeText(
        "What is written is opened again and compared before it takes the file's place. It "
        "holds the graph and its weights; layout, bookmarks, notes and muted calls are kept "
        "by an .fxg.");
    QPushButton* elsewhere = box.addButton("Save as…", QMessageBox::ActionRole);
    box.setDefaultButton(QMessageBox::Save);
    const int answer = box.exec();
    return box.clickedButton() == elsewhere ? askForPath() : answer == QMessageBox::Save ? path : QString();
}

/// And offers another format.
void MainWindow::tellNotSaved(const QString& path, const QString& reason) {
    QMessageBox box(QMessageBox::Warning, "fxscope", QFileInfo(path).fileName() + " was not saved.",
                    QMessageBox::Cancel, this);
    box.setTextFormat(Qt::PlainText);
    box.setInformativeText(reason + "\nAn .fxg holds any model.");
    QPushButton* elsewhere = box.addButton("Save as…", QMessageBox::AcceptRole);
    box.setDefaultButton(elsewhere);
    box.exec();
    if (box.clickedButton() == elsewhere)
        save(true);
    else
        m_afterSave = nullptr;
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
    connect(m_journal.get(), &EditJournal::failed, m_view, [view = m_view](const QString& why) {
        view->toast().tell("Edits are not safe from a crash until they are saved: " + why, true);
    });
}

void MainWindow::offerRecovery() {
    // On a thread that nobody waits for, because a network folder may hang.
    std::thread([recent = Settings::recentFiles()] {
        std::set<QString> folders;
        for (const QString& path : recent)
            if (folders.insert(QFileInfo(path).path()).second)
                removeLeftovers(linkTarget(utf8(path)));
    }).detach();
    std::vector<FoundJournal> found = FoundJournal::in(utf8(Settings::journalFolder()));
    if (found.empty())
        return;
    auto* dialog = new RecoveryDialog(std::move(found), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &RecoveryDialog::recoverWanted, this, &MainWindow::recover);
    dialog->show();
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
