// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/saving.h"

#include "app/gui/export_dialog.h"
#include "core/base/error.h"
#include "core/module/muted.h"
#include "core/open/formats.h"
#include "core/passes/operator_calls.h"
#include "core/passes/registry.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/panes/disk_notice.h"
#include "widgets/panes/picture_dialog.h"
#include "widgets/panes/toast.h"
#include "widgets/session/format_filter.h"
#include "widgets/session/settings.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>

#include <algorithm>

namespace fx::ui {

namespace {

/// Whether anything is called that is no operator of torch.ops.
bool hasOtherCalls(const Graph& graph) {
    return std::any_of(graph.begin(), graph.end(), [](const Node& node) {
        return isCallNode(node) && !node.target.isOperatorOverload() &&
               node.target != Target("operator.getitem");
    });
}

} // namespace

SavingController::SavingController(const WindowContext& context) : m_context(context) {
    context.actions.add(
        MenuPlace::FileSave,
        {"save", "Save", "Ctrl+S", "save", "Save the graph, its weights and the layout as .fxg"},
        [this] { save(false); });
    context.actions.add(MenuPlace::FileSave,
                        {"saveAs", "Save as…", "Ctrl+Shift+S", "", "Save as another .fxg"},
                        [this] { save(true); });
    context.actions.add(MenuPlace::FileExport,
                        {"exportModel", "Export…", "Ctrl+E", "export",
                         "Write what Python imports or loads: a folder, a .pt2"},
                        [this] { exportModel(); });
    context.actions.add(
        MenuPlace::FileExport,
        {"exportPicture", "Export picture…", "Ctrl+Shift+E", "picture", "Write the graph as SVG, PNG or PDF"},
        [this] { exportPicture(); });
    connect(&context.service, &OpenService::saved, this, &SavingController::takeSaved);
    connect(&context.service, &OpenService::savingFailed, this,
            [this](const QString& path, const Error& why) {
                if (m_context.tabs.workspace())
                    tellNotSaved(path, faultText(why.what()));
            });
    connect(&context.service, &OpenService::exported, this, &SavingController::tellExported);
    connect(&context.service, &OpenService::failed, this, [this] { m_afterSave = nullptr; });
    connect(&context.tabs, &Tabs::opened, this, [this] { m_replaced.clear(); });
}

void SavingController::leave(std::function<void()> then) {
    m_afterSave = nullptr;
    m_discarded = {};
    if (!m_context.tabs.workspace() || m_context.document().isSaved()) {
        then();
        return;
    }
    QMessageBox box(QMessageBox::Question, "fxscope",
                    "Save the changes to " + m_context.document().title() + "?",
                    QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, &m_context.window);
    box.setTextFormat(Qt::PlainText);
    box.setInformativeText("They are lost otherwise.");
    box.setDefaultButton(QMessageBox::Save);
    const int answer = box.exec();
    if (answer == QMessageBox::Discard) {
        m_discarded = m_context.document().state();
        then();
    } else if (answer == QMessageBox::Save) {
        // Saving goes on beside; what one wanted to do is done when it has succeeded.
        m_afterSave = std::move(then);
        m_awaited = m_context.document().state();
        save(false);
    }
}

void SavingController::save(bool asksForPath) {
    GraphDocument& document = m_context.document();
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
    m_isConverted = false;
    saveTo(path);
}

void SavingController::saveTo(const QString& path) {
    if (const QString reason = reasonAgainst(path); !reason.isEmpty()) {
        tellNotSaved(path, reason);
        return;
    }
    m_replaced = path;
    if (m_afterSave && m_awaited.document() == &m_context.document())
        m_awaited = m_context.document().state(); // converting has changed it
    m_context.service.save(m_context.workspace().snapshot(), path, m_context.debug().inputs().requestHere(),
                           m_context.document().state());
}

void SavingController::convertAndSave(const QString& path) {
    GraphDocument& document = m_context.document();
    const ModuleId root = document.model().root();
    m_isConverted = true;
    // Call by call first, as the pass runs the model, which fixes its sizes.
    const auto convert = [](Edit& edit) { callOperators(edit); };
    if (callsOperators(document.model().graph(root)))
        m_context.take(document.perform("Convert to operators", root, convert));
    if (reasonAgainst(path).isEmpty())
        return saveTo(path);
    PassService& passes = m_context.workspace().passes();
    passes.run(findPass("capture"), {{"level", "composite"}, {"functional", "false"}}, root);
    auto* waiting = new QObject(this); // until the pass ends, however it ends
    connect(&passes, &PassService::finished, waiting, [waiting](const RecipeStep& step) {
        waiting->setProperty("isOther", step.pass != "capture"); // which has cancelled this one
    });
    connect(&passes, &PassService::edited, waiting, [this, path, waiting, tab = m_context.tabs.front().id] {
        if (waiting->property("isDone").toBool() || waiting->property("isOther").toBool())
            return;
        waiting->setProperty("isDone", true);
        if (m_context.tabs.front().id == tab)
            saveTo(path);
    });
    // The runner ends before the job's result is told.
    connect(&passes, &PassService::ended, waiting, [this, waiting] {
        QTimer::singleShot(0, waiting, [this, waiting] {
            if (!waiting->property("isDone").toBool())
                m_afterSave = nullptr;
            waiting->deleteLater();
        });
    });
}

/// Empty: the user does not want to.
QString SavingController::askForPath() {
    const GraphDocument& document = m_context.document();
    const QFileInfo info(document.host().isEmpty() ? qt(document.opened().path) : document.title());
    const QString path = QFileDialog::getSaveFileName(
        &m_context.window, "Save", info.dir().filePath(info.completeBaseName() + ".fxg"),
        formatFilter("Models", [](const Format& format) { return !format.document.empty(); }));
    return path.isEmpty() || isSavedAs(utf8(path)) ? path : path + ".fxg";
}

/// Why the model cannot be written there, as far as that is known; empty: nothing is.
QString SavingController::reasonAgainst(const QString& path) const {
    const Format* format = formatWriting(utf8(path));
    return format->whyNot ? faultText(format->whyNot(m_context.document().opened())) : QString();
}

/// The file that was opened is another program's. Gives where to save; empty: nowhere.
QString SavingController::askToReplace(const QString& path, const QString& reason) {
    if (!reason.isEmpty())
        return path; // which is told
    QMessageBox box(QMessageBox::Question, "fxscope", "Save into " + QFileInfo(path).fileName() + "?",
                    QMessageBox::Save | QMessageBox::Cancel, &m_context.window);
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
void SavingController::tellNotSaved(const QString& path, const QString& reason) {
    QMessageBox box(QMessageBox::Warning, "fxscope", QFileInfo(path).fileName() + " was not saved.",
                    QMessageBox::Cancel, &m_context.window);
    box.setTextFormat(Qt::PlainText);
    const bool canConvert = !m_isConverted && formatWriting(utf8(path))->holdsOperatorsAlone &&
                            !reasonAgainst(path).isEmpty() &&
                            hasOtherCalls(m_context.document().model().graph());
    box.setInformativeText(
        reason +
        (canConvert ? "\nConverting replaces these calls with operators, and can be undone. Where the "
                      "model has to run for that, its sizes become fixed."
                    : "") +
        "\nAn .fxg holds any model.");
    QPushButton* elsewhere = box.addButton("Save as…", QMessageBox::AcceptRole);
    QPushButton* convert =
        canConvert ? box.addButton("Convert and save", QMessageBox::AcceptRole) : elsewhere;
    box.setDefaultButton(convert);
    box.exec();
    if (canConvert && box.clickedButton() == convert)
        convertAndSave(path);
    else if (box.clickedButton() == elsewhere)
        save(true);
    else
        m_afterSave = nullptr;
}

void SavingController::takeSaved(const QString& path, const DocumentState& state, const QStringList& notes) {
    Settings::addRecentFile(path);
    GraphDocument* document = state.document();
    if (!document) // closed meanwhile
        return;
    document->setSaved(path, qt(formatWriting(utf8(path))->document), state);
    if (const std::optional<int> tab = m_context.tabs.tabOf(*document)) {
        const OpenTab& of = m_context.tabs.at(*tab);
        of.workspace->fileWatch().follow(path);
        of.view->diskNotice().hide();
        of.view->toast().tell(("Saved " + QFileInfo(path).fileName() + '\n' + notes.join('\n')).trimmed(),
                              false);
    }
    // Asks again where edits were made while it was saved.
    if (m_afterSave && state == m_awaited)
        leave(std::exchange(m_afterSave, nullptr));
}

void SavingController::exportModel() {
    const ModelSnapshot model = m_context.workspace().snapshot();
    OpenedModel written = *model.opened; // but by a format that keeps all
    takeOutMuted(written.model);
    ExportDialog dialog(written, m_context.document().title(), &m_context.window);
    if (dialog.exec() == QDialog::Accepted)
        m_context.service.exportModel(model, dialog.path(), dialog.format(), dialog.className(),
                                      m_context.debug().inputs().requestHere());
}

void SavingController::tellExported(const QString& path, const QString& className, const QString& verdict,
                                    bool isDifferent, const QStringList& notes) {
    if (!m_context.tabs.view())
        return;
    QString text = "Exported to " + path + '\n';
    if (!className.isEmpty())
        text += "from " + QFileInfo(path).fileName() + " import " + className + '\n';
    text += verdict;
    for (const QString& note : notes)
        text += '\n' + note;
    m_context.tell(text, isDifferent);
}

void SavingController::exportPicture() {
    PictureDialog dialog(m_context.view().canvas(),
                         QFileInfo(m_context.document().title()).completeBaseName(),
                         m_context.theme.tokens().isDark, &m_context.window);
    if (dialog.exec() != QDialog::Accepted)
        return;
    try {
        QApplication::setOverrideCursor(Qt::WaitCursor);
        writePicture(m_context.view().canvas(), dialog.file());
        QApplication::restoreOverrideCursor();
        m_context.tell("Wrote " + dialog.file().path, false);
    } catch (const Error& error) {
        QApplication::restoreOverrideCursor();
        m_context.tell(faultText(error.what()), true);
    }
}

} // namespace fx::ui
