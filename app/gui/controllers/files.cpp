// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/files.h"

#include "app/gui/controllers/saving.h"
#include "core/base/temporary_entry.h"
#include "core/ir/trace_end.h"
#include "core/open/open.h"
#include "core/python/notebook.h"
#include "core/session/opening.h"
#include "widgets/panes/connect_dialog.h"
#include "widgets/panes/disk_notice.h"
#include "widgets/panes/recovery_dialog.h"
#include "widgets/panes/toast.h"
#include "widgets/panes/trace_dialog.h"
#include "widgets/session/format_filter.h"
#include "widgets/session/settings.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>
#include <set>
#include <thread>

namespace fx::ui {

namespace {

/// How the model of a file was made the last time; none: it was no traced one.
std::optional<TraceOptions> howMade(const QString& path) {
    try {
        if (const QString made = Settings::howMade(path); !made.isEmpty())
            return OpeningRequest::fromText(utf8(made)).options.trace;
    } catch (const Error&) {
        // Another version of the program has written it: one chooses again.
    }
    return std::nullopt;
}

} // namespace

FilesController::FilesController(const WindowContext& context, SavingController& saving)
    : m_context(context), m_saving(saving) {
    addActions();
    listen();
}

void FilesController::addActions() {
    m_context.actions.add(MenuPlace::FileOpen,
                          {"open", "Open…", "Ctrl+O", "open", "Open a model: " + qt(formatNames())},
                          [this] { choose(); }, {.needs = Needs::Nothing});
    m_context.actions.add(
        MenuPlace::FileOpen,
        {"openFolder", "Open folder…", "", "",
         "Open what to_folder or fxscope has exported, or a folder of torch.compile's logs"},
        [this] { chooseFolder(); }, {.needs = Needs::Nothing});
    m_context.actions.add(
        MenuPlace::FileOpen,
        {"trace", "Trace with options…", "Ctrl+Shift+O", "",
         "Trace Python source or a package: which model, with which weights, leaves and fixed arguments"},
        [this] { traceAgain(); }, {.needs = Needs::Nothing});
    m_context.actions.add(MenuPlace::FileOpen,
                          {"connectToHost", "Connect to host…", "", "",
                           "Open and run a model on another machine, where fxscope serve listens"},
                          [this] { connectToHost({}); }, {.needs = Needs::Nothing});
    m_context.actions.add(
        MenuPlace::FileOpen,
        {"loadLibrary", "Load operator library…", "", "",
         "Load a shared library that registers operators of your own, as torch.ops.load_library does"},
        [this] { loadLibrary(); }, {.needs = Needs::Nothing});
    m_context.actions.add(
        MenuPlace::FileModel,
        {"reload", "Reload from disk", "Ctrl+Shift+R", "", "Open the file again, as it is on disk now"},
        [this] { reload(); },
        {.needs = Needs::Model, .isEnabled = [this] { return m_context.document().host().isEmpty(); }});
}

void FilesController::listen() {
    const OpenService* service = &m_context.service;
    connect(service, &OpenService::opened, this, [this](const std::shared_ptr<OpenedModel>& model) {
        if (m_isTracing)
            return;
        m_arrived = model;
        showArrived();
    });
    connect(service, &OpenService::failed, this, [this](const QString& what, const Error& why) {
        if (!m_isTracing)
            tellFailure(what + " failed", why, [] {});
    });
    connect(service, &OpenService::openingFailed, this, &FilesController::takeFailure);
    connect(service, &OpenService::ended, this, &FilesController::openNext, Qt::QueuedConnection);
    connect(service, &OpenService::libraryLoaded, this, &FilesController::takeLibrary);
    const auto setPaused = [this](bool isPaused) {
        for (int tab = 0; tab < m_context.tabs.count(); ++tab)
            if (Workspace* workspace = m_context.tabs.at(tab).workspace.get())
                workspace->fileWatch().setPaused(isPaused);
    };
    connect(service, &OpenService::started, this, [setPaused] { setPaused(true); });
    connect(service, &OpenService::ended, this, [setPaused] { setPaused(false); });
}

void FilesController::takeFailure(const QString& what, const Error& why,
                                  const std::shared_ptr<OpenedModel>& soFar) {
    const bool isRecovering = std::exchange(m_recovering, nullptr) != nullptr;
    if (m_isTracing)
        return;
    if (m_trace && !isRecovering)
        traceFile(m_opening, {}, TracingFault{why, soFar}); // as it was made, it cannot be made now
    else
        tellFailure(what + " failed", why, [this] { openIn(m_openingFor, m_opening, false); });
    openNextSoon();
}

void FilesController::takeLibrary(const QString& path) {
    if (m_context.tabs.workspace() && !m_context.debug().place().host()) {
        m_context.debug().inputs().addLibrary(path);
        m_context.tell("Loaded " + QFileInfo(path).fileName() +
                       ". Its operators can be called until fxscope ends.");
    }
    if (const auto then = std::exchange(m_afterLibrary, nullptr))
        then();
}

void FilesController::forgetTab(int id) {
    if (id != m_openingFor)
        return;
    m_context.service.cancelOpening();
    m_arrived.reset();
}

void FilesController::choose() {
    const QString models = formatFilter("Models", [](const Format&) { return true; });
    open(QFileDialog::getOpenFileNames(&m_context.window, "Open models", {}, models + ";;All files (*)"));
}

void FilesController::chooseFolder() {
    const QString path = QFileDialog::getExistingDirectory(&m_context.window, "Open a folder");
    if (!path.isEmpty())
        open({path});
}

void FilesController::open(const QStringList& paths, bool isAsBefore) {
    if (!paths.isEmpty() && !m_context.tabs.workspace() && m_context.tabs.front().id == m_openingFor)
        m_context.service.cancelOpening(); // one has chosen something else for the empty tab
    for (const QString& path : paths)
        m_waiting.push_back([this, path, isAsBefore] { openIn(m_context.tabs.emptyId(), path, isAsBefore); });
    openNext();
}

void FilesController::openNext() {
    if (m_waiting.empty() || m_arrived || m_isTracing || m_context.service.isOpening())
        return;
    const std::function<void()> next = std::move(m_waiting.front());
    m_waiting.pop_front();
    next();
}

void FilesController::openNextSoon() {
    QMetaObject::invokeMethod(this, &FilesController::openNext, Qt::QueuedConnection);
}

void FilesController::openIn(int tab, const QString& path, bool isAsBefore) {
    m_opening = path;
    m_openingFor = tab;
    m_arrived.reset();
    const std::optional<TraceOptions> before = isAsBefore ? howMade(path) : std::nullopt;
    // Source says what it can make, and one has to choose; of a printed graph nothing is made.
    if (!before && isSourcePath(utf8(path)) && isSourceToChooseFrom(utf8(path)))
        return traceFile(path);
    const auto read = [this, path, before] {
        m_recovering.reset();
        m_trace = before;
        m_context.service.open(path, before.value_or(TraceOptions()));
    };
    if (tab == m_context.tabs.front().id)
        m_saving.leave(read);
    else
        read();
}

void FilesController::reload() {
    const QString path = qt(m_context.document().opened().path);
    openIn(m_context.tabs.front().id, path, path == m_context.tabs.front().traced);
}

/// One may be elsewhere by now, or have closed it.
void FilesController::showOpeningTab() {
    if (const std::optional<int> tab = m_context.tabs.withId(m_openingFor))
        m_context.tabs.show(*tab);
    else if (m_context.tabs.workspace())
        m_context.tabs.add();
    m_openingFor = m_context.tabs.front().id;
}

void FilesController::showInTab(std::function<void()> show) {
    showOpeningTab();
    // Edits may have been made while it was read.
    if (m_saving.isDiscarded())
        return show();
    m_saving.leave([this, show = std::move(show)] {
        showOpeningTab();
        show();
    });
}

void FilesController::showArrived() {
    m_context.afterDialogs.add([this] {
        const auto model = std::exchange(m_arrived, nullptr);
        if (!model)
            return;
        showInTab([this, model] { show(model); });
        openNextSoon();
    });
}

void FilesController::show(std::shared_ptr<OpenedModel> model, std::shared_ptr<RemoteHost> host) {
    const QString path = host ? QString() : qt(model->path); // of this machine
    const std::shared_ptr<FoundJournal> recovered = std::exchange(m_recovering, nullptr);
    std::vector<std::pair<QString, Changes>> steps;
    if (recovered && !redoEdits(*recovered, *model, steps))
        return;
    auto workspace = std::make_unique<Workspace>(std::move(*model), m_context.theme, std::move(host));
    if (recovered)
        workspace->document().restore(std::move(steps));
    const bool hadModel = m_context.tabs.put(std::move(workspace), m_context.docks, m_context.actions);
    if (!path.isEmpty())
        Settings::addRecentFile(path);
    m_context.tabs.front().traced = m_trace ? path : QString();
    rememberHowMade(path);
    m_context.workspace().fileWatch().follow(path);
    followDisk();
    keepEdits(recovered);
    Q_EMIT m_context.tabs.changed(hadModel);
}

void FilesController::followDisk() {
    DiskNotice* notice = &m_context.view().diskNotice();
    const auto tell = [notice, document = &m_context.document()](const QString& what, bool isThere) {
        notice->tell(document->title() + what, isThere);
    };
    connect(&m_context.workspace().fileWatch(), &FileWatch::changed, notice,
            [tell] { tell(" was changed on disk since it was opened.", true); });
    connect(&m_context.workspace().fileWatch(), &FileWatch::deleted, notice,
            [tell] { tell(" was deleted on disk. The model stays open, and can be saved.", false); });
}

QString FilesController::modelOf(const QString& path) {
    const std::optional<TraceOptions> before = howMade(path);
    return before && !before->expression.empty() ? path + ':' + wholeQt(before->expression) : path;
}

void FilesController::rememberHowMade(const QString& path) {
    if (path.isEmpty())
        return;
    OpeningRequest request;
    request.path = utf8(path);
    if (m_trace)
        request.options.trace = *m_trace;
    Settings::setHowMade(path, m_trace ? wholeQt(request.text()) : QString());
}

void FilesController::connectToHost(const RemoteRequest& request) {
    ConnectDialog dialog(request, m_context.theme.fixedFont(), &m_context.window);
    if (!request.address.empty())
        dialog.begin();
    if (dialog.exec() != QDialog::Accepted)
        return;
    const std::shared_ptr<RemoteModel> there = dialog.opened();
    const auto model = std::make_shared<OpenedModel>(std::move(there->opened));
    model->notes.push_back("session " + there->host->session() +
                           "; edits are safe from a crash once the model is saved here");
    m_waiting.push_back([this, model, host = there->host] {
        m_recovering.reset();
        m_trace.reset();
        m_openingFor = m_context.tabs.emptyId();
        showOpeningTab();
        show(model, host);
        openNextSoon();
    });
    openNext();
}

void FilesController::traceFile(const QString& path, const QString& stateFile,
                                const std::optional<TracingFault>& fault) {
    const auto list = [this](const std::string& source, const std::vector<std::string>& packageFolders,
                             Progress& progress) {
        return m_context.service.modelsIn(source, packageFolders, progress);
    };
    TraceDialog dialog(path, list, m_context.theme.fixedFont(), &m_context.window);
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
        m_context.service.open(dialog.path(), options);
    });
    connect(
        &m_context.service, &OpenService::opened, &dialog, [&](const std::shared_ptr<OpenedModel>& model) {
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
    connect(&m_context.service, &OpenService::openingFailed, &dialog,
            [&](const QString&, const Error& why, const std::shared_ptr<OpenedModel>& model) {
                soFar = model;
                dialog.showFault(why, model != nullptr);
            });
    connect(&m_context.service, &OpenService::failed, &dialog,
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
        m_context.service.cancelOpening();
    openNextSoon();
}

void FilesController::showWhereTracingEnded() {
    const GraphDocument& document = m_context.document();
    if (const std::optional<TraceEnd> end = traceEndOf(document.model().graph())) {
        const NodeId node = end->node.id;
        const QString why = qt(end->why);
        m_context.selection().reveal(node);
        m_context.selection().select({document.model().root(), node});
        m_context.tell("The trace ends here: " + why, true);
    }
}

void FilesController::traceAgain() {
    const bool isHere = m_context.tabs.workspace() && m_context.document().host().isEmpty();
    const QString open = isHere ? qt(m_context.document().opened().path) : QString();
    const bool isState = isHere && m_context.document().opened().whyNoGraph.isWeightsOnly;
    const auto mayBeTraced = [path = utf8(open)](const Format& format) {
        return isTraced(format) && hasEnding(format, path);
    };
    QString path = open;
    if (isState) {
        path = QFileDialog::getOpenFileName(&m_context.window, "Source of the model with these weights",
                                            QFileInfo(open).path(), "Python source (*.py)");
        if (path.isEmpty())
            return;
    } else if (std::none_of(formats().begin(), formats().end(), mayBeTraced)) {
        path.clear(); // the dialog asks for it
    }
    m_openingFor = m_context.tabs.front().id;
    traceFile(path, isState ? open : QString());
}

void FilesController::loadLibrary(std::function<void()> then) {
    const QString path =
        QFileDialog::getOpenFileName(&m_context.window, "Library of operators", {}, kLibraryFilter);
    if (path.isEmpty())
        return;
    m_afterLibrary = std::move(then);
    m_context.service.loadLibrary(path);
}

void FilesController::tellFailure(const QString& what, const Error& why, std::function<void()> again) {
    QMessageBox box(QMessageBox::Critical, "fxscope", what, QMessageBox::Close, &m_context.window);
    box.setTextFormat(Qt::PlainText);
    box.setInformativeText(faultText(why.what()));
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

void FilesController::recover(std::shared_ptr<FoundJournal> found) {
    m_waiting.push_back([this, found] {
        m_openingFor = m_context.tabs.emptyId();
        m_recovering = found;
        m_trace = found->request().options.trace;
        m_opening = qt(found->request().path);
        m_context.service.open(m_opening, *m_trace);
    });
    openNext();
}

void FilesController::offerRecovery() {
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
    auto* dialog = new RecoveryDialog(std::move(found), &m_context.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &RecoveryDialog::recoverWanted, this, &FilesController::recover);
    dialog->show();
}

bool FilesController::redoEdits(const FoundJournal& found, OpenedModel& model,
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

void FilesController::keepEdits(std::shared_ptr<FoundJournal> recovered) {
    GraphDocument& document = m_context.document();
    std::unique_ptr<EditJournal>& journal = m_context.tabs.front().journal;
    if (recovered) {
        journal = std::make_unique<EditJournal>(document, Settings::journalFolder(), std::move(*recovered));
    } else if (!document.host().isEmpty()) {
        journal = std::make_unique<EditJournal>(document, Settings::journalFolder());
    } else {
        OpeningRequest request;
        request.path = utf8(QFileInfo(qt(document.opened().path)).absoluteFilePath());
        request.options.trace = m_trace.value_or(TraceOptions());
        journal = std::make_unique<EditJournal>(document, Settings::journalFolder(), request);
    }
    connect(journal.get(), &EditJournal::failed, &m_context.view(),
            [view = m_context.tabs.view()](const QString& why) {
                view->toast().tell("Edits are not safe from a crash until they are saved: " + why, true);
            });
}

} // namespace fx::ui
