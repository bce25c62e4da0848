// SPDX-License-Identifier: GPL-3.0-or-later
// Models that are opened, one after the other: files, sources that are traced, models of other machines, and
// the edits that a crash has left. Each gets a tab of its own, but for what takes the place of the model that
// is there.
#pragma once

#include "app/gui/window_context.h"
#include "core/base/error.h"
#include "core/session/remote_opening.h"

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace fx::ui {

class SavingController;

class FilesController : public QObject {
public:
    FilesController(const WindowContext& context, SavingController& saving);

    /// Opens them one after the other; the tab in front is used if it is empty. `isAsBefore`: sources are
    /// traced as they were the last time.
    void open(const QStringList& paths, bool isAsBefore = false);
    void choose();
    /// Asks which model of which other machine is to be opened, until that has succeeded, and shows it. Where
    /// `request` names an address it is tried at once.
    void connectToHost(const RemoteRequest& request);
    /// Offers the edits that an earlier run did not come to save, if there are any, and removes what saves
    /// that were killed have left.
    void offerRecovery();
    /// Says what failed; where a library may be missing, with a way to load one and to try `again`.
    void tellFailure(const QString& what, const Error& why, std::function<void()> again);
    /// The tab is being closed: nothing is opened for it any more.
    void forgetTab(int id);
    /// "net.py:Net(depth=3)" of a source that was opened before, else the path.
    static QString modelOf(const QString& path);

private:
    struct TracingFault {
        Error why;
        std::shared_ptr<OpenedModel> soFar; ///< as OpenService::openingFailed() tells it
    };
    void addActions();
    void listen();
    void chooseFolder();
    void reload();
    /// Takes the place of what is in the tab, which is asked about.
    void openIn(int tab, const QString& path, bool isAsBefore);
    /// Opens what waits for its turn, if nothing is being opened.
    void openNext();
    void openNextSoon();
    void takeFailure(const QString& what, const Error& why, const std::shared_ptr<OpenedModel>& soFar);
    /// Shows what has been opened as soon as no dialog or menu is about the model that it takes the place of.
    void showArrived();
    /// Brings the tab to the front for which a model is opened, which is made now if it is a new one.
    void showOpeningTab();
    /// Does `show` there, after asking about the model that it takes the place of.
    void showInTab(std::function<void()> show);
    /// `host`: which has opened the model, if another machine has.
    void show(std::shared_ptr<OpenedModel> model, std::shared_ptr<RemoteHost> host = nullptr);
    void followDisk();
    void rememberHowMade(const QString& path);
    /// Asks how a model is to be made of a file until that has succeeded, and shows it. `fault`: what came of
    /// it as it was made before.
    void traceFile(const QString& path, const QString& stateFile = {},
                   const std::optional<TracingFault>& fault = {});
    /// What is open, or a file that is asked for.
    void traceAgain();
    /// Of a graph that is not whole.
    void showWhereTracingEnded();
    /// Asks for a library of operators, loads it, and does `then`.
    void loadLibrary(std::function<void()> then = {});
    void takeLibrary(const QString& path);
    void recover(std::shared_ptr<FoundJournal> found);
    /// False, after it was told, where the model is not the one that was edited.
    bool redoEdits(const FoundJournal& found, OpenedModel& model,
                   std::vector<std::pair<QString, Changes>>& steps);
    /// Begins to keep the edits of the model that is shown, or goes on with those that were recovered.
    void keepEdits(std::shared_ptr<FoundJournal> recovered);

    const WindowContext m_context;
    SavingController& m_saving;
    std::deque<std::function<void()>> m_waiting; ///< what is to be opened later
    int m_openingFor = Tabs::kNew;               ///< the id of the tab for which a model is opened
    QString m_opening;                           ///< the file that was to be opened last
    std::optional<TraceOptions> m_trace;    ///< chosen for the model that is being opened or was opened last
    std::shared_ptr<OpenedModel> m_arrived; ///< opened, and not shown yet
    std::shared_ptr<FoundJournal> m_recovering; ///< whose model is being opened
    bool m_isTracing = false; ///< the trace dialog is open, and waits for what the service has to tell
    std::function<void()> m_afterLibrary; ///< what failed for want of a library
};

} // namespace fx::ui
