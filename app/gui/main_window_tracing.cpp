// SPDX-License-Identifier: GPL-3.0-or-later
// Tracing with options, and what leads on where opening, tracing or running has failed.
#include "app/gui/main_window.h"
#include "core/base/error.h"
#include "core/ir/trace_end.h"
#include "core/session/opening.h"
#include "widgets/panes/toast.h"
#include "widgets/panes/trace_dialog.h"
#include "widgets/session/format_filter.h"
#include "widgets/session/run_text.h"
#include "widgets/session/settings.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>

#include <algorithm>

namespace fx {

void MainWindow::traceFile(const QString& path, const QString& stateFile,
                           const std::optional<TracingFault>& fault) {
    const auto list = [this](const std::string& source, const std::vector<std::string>& packageFolders,
                             Progress& progress) {
        return m_service.modelsIn(source, packageFolders, progress);
    };
    TraceDialog dialog(path, list, m_theme.fixedFont(), this);
    if (const std::optional<TraceOptions> before = howMade(path))
        dialog.recall(*before);
    if (!stateFile.isEmpty())
        dialog.setState(stateFile);
    m_opening = path;
    std::shared_ptr<OpenedModel> traced, soFar;
    if (fault) {
        soFar = fault->soFar;
        dialog.showFault(fault->why, soFar != nullptr);
    }
    TraceOptions options;
    connect(&dialog, &TraceDialog::traceWanted, this, [&] {
        options = dialog.options();
        m_service.open(dialog.path(), options);
    });
    connect(&m_service, &OpenService::opened, &dialog, [&](const std::shared_ptr<OpenedModel>& model) {
        if (const NoGraph& why = model->whyNoGraph; !why.reason.empty()) {
            dialog.showFault(Error(
                "", why.reason + (why.isWeightsOnly
                                      ? "\nName the source of the model first, and this file as Weights."
                                      : "\nName the source of its classes under Classes from.")));
            return;
        }
        traced = model;
        dialog.accept();
    });
    connect(&m_service, &OpenService::openingFailed, &dialog,
            [&](const QString&, const Error& why, const std::shared_ptr<OpenedModel>& model) {
                soFar = model;
                dialog.showFault(why, model != nullptr);
            });
    connect(&m_service, &OpenService::failed, &dialog,
            [&](const QString&, const Error& why) { dialog.showFault(why); });
    connect(&dialog, &TraceDialog::soFarWanted, this, [&] {
        traced = soFar;
        dialog.accept();
    });
    connect(&dialog, &TraceDialog::libraryWanted, this, [&] { loadLibrary([&] { dialog.trace(); }); });
    m_isTracing = true;
    dialog.exec();
    m_isTracing = false;
    m_afterLibrary = nullptr;
    if (traced)
        showInTab([this, traced, options] {
            m_recovering.reset();
            m_trace = options;
            show(traced);
            showWhereTracingEnded();
        });
    else
        m_service.cancelOpening();
    openNextSoon();
}

void MainWindow::showWhereTracingEnded() {
    const GraphDocument& document = m_workspace->document();
    if (const std::optional<TraceEnd> end = traceEndOf(document.model().graph())) {
        const NodeId node = end->node.id;
        const QString why = qt(end->why);
        m_workspace->selection().reveal(node);
        m_workspace->selection().select({document.model().root(), node});
        m_view->toast().tell("The trace ends here: " + why, true);
    }
}

void MainWindow::traceAgain() {
    const bool isHere = m_workspace && m_workspace->document().host().isEmpty();
    const QString open = isHere ? qt(m_workspace->document().opened().path) : QString();
    const bool isState = isHere && m_workspace->document().opened().whyNoGraph.isWeightsOnly;
    const auto mayBeTraced = [path = utf8(open)](const Format& format) {
        return isTraced(format) && hasEnding(format, path);
    };
    QString path = open;
    if (isState) {
        path = QFileDialog::getOpenFileName(this, "Source of the model with these weights",
                                            QFileInfo(open).path(), "Python source (*.py)");
        if (path.isEmpty())
            return;
    } else if (std::none_of(formats().begin(), formats().end(), mayBeTraced)) {
        path.clear(); // the dialog asks for it
    }
    m_openingFor = frontId();
    traceFile(path, isState ? open : QString());
}

void MainWindow::loadLibrary(std::function<void()> then) {
    const QString path = QFileDialog::getOpenFileName(this, "Library of operators", {}, kLibraryFilter);
    if (path.isEmpty())
        return;
    m_afterLibrary = std::move(then);
    m_service.loadLibrary(path);
}

void MainWindow::tellFailure(const QString& what, const Error& why, std::function<void()> again) {
    QMessageBox box(QMessageBox::Critical, "fxscope", what, QMessageBox::Close, this);
    box.setTextFormat(Qt::PlainText);
    box.setInformativeText(qt(why.what()));
    box.setTextInteractionFlags(Qt::TextSelectableByMouse);
    QPushButton* load = again && why.code() == ErrorCode::NeedsLibrary
                            ? box.addButton("Load operator library…", QMessageBox::AcceptRole)
                            : nullptr;
    if (load)
        box.setDefaultButton(load);
    box.exec();
    if (load && box.clickedButton() == load)
        loadLibrary(std::move(again));
}

void MainWindow::offerLibrary() {
    const DebugService& debug = m_workspace->debug();
    const Failed* failure = debug.run().state().failure();
    if (failure && failure->code == ErrorCode::NeedsLibrary)
        // A library of another machine is named among the inputs.
        tellFailure(
            "The run has ended", Error("", utf8(endText(debug.run().state()))).code(failure->code),
            debug.place().host() ? std::function<void()>()
                                 : [running = QPointer<Workspace>(m_workspace.get())] {
                                       if (running)
                                           running->debug().start(false);
                                   });
}

} // namespace fx
