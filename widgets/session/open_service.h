// SPDX-License-Identifier: GPL-3.0-or-later
// Reading, saving and exporting off the interface's thread, with progress and a way to break it off. They
// have their turn one after the other; only a file that is to be opened takes the place of the one before.
// What runs code of others for that, a library of operators too, is a process of its own.
#pragma once

#include "core/open/python_source.h"
#include "core/session/debuggee.h"
#include "core/session/opening.h"
#include "core/session/service_host.h"
#include "widgets/document/graph_document.h"
#include "widgets/support/job.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <memory>

namespace fx::ui {

class OpenService : public QObject {
    Q_OBJECT

public:
    explicit OpenService(QObject* parent = nullptr);
    ~OpenService() override;

    /// Starts the process that evaluates strangers' code, so that it is ready, and asks it for the devices.
    void prepare();
    /// `trace`: how source is traced. The libraries that are remembered for the file are loaded first.
    void open(const QString& path, const TraceOptions& trace = {});
    /// A model beside the one that is shown. From any thread; waits.
    OpenedModel openBeside(const std::string& path, Progress& progress);
    /// The models that a source makes, as expressions; its imports are found in `packageFolders`, too. From
    /// any thread; waits.
    std::vector<std::string> modelsIn(const std::string& path, const std::vector<std::string>& packageFolders,
                                      Progress& progress);
    /// The passes that a user's file has. From any thread; waits.
    std::vector<Pass> passesIn(const std::string& path, Progress& progress) {
        return m_worker.passesIn(path, progress);
    }
    /// A pattern that is typed as a graph. From any thread; waits. Throws an Error that names `place`.
    Model tracePattern(const std::string& text, const std::string& place, Progress& progress) {
        return m_worker.tracePattern(text, place, progress);
    }
    /// That models can be run on; empty until that is known.
    const QStringList& devices() const { return m_devices; }
    /// In the format that files of that name have (isSavedAs()). `run`: as the model is run, for what has to
    /// be worked out of it. `state`: what of the document `model` is; saved() gives it back.
    void save(const ModelSnapshot& model, const QString& path, const RunRequest& run,
              const DocumentState& state = {});
    /// `format`: as wordFor() calls it; empty for a Python folder, which alone has a class.
    void exportModel(const ModelSnapshot& model, const QString& path, const QString& format,
                     const QString& className, const RunRequest& inputs);
    /// Runs the model, and keeps the run in a file.
    void keepReference(const ModelSnapshot& model, const QString& path, const RunRequest& run);
    /// For all that is opened and run from now on. It is loaded by other processes than this one, so that it
    /// may crash.
    void loadLibrary(const QString& path);
    /// What runs now; what waits has its turn then.
    void cancel() { m_runner.cancelCurrent(); }
    void cancelOpening();
    bool isOpening() const;
    bool isWorking() const { return m_runner.isWorking(); }

Q_SIGNALS:
    void started(const QString& what);
    void progressed(double fraction, const QString& what);
    void opened(std::shared_ptr<fx::OpenedModel> model);
    /// `notes`: what who opens the file should know.
    void saved(const QString& path, const fx::ui::DocumentState& state, const QStringList& notes);
    void savingFailed(const QString& path, const fx::Error& why);
    /// `verdict`: what came of comparing it with the model. `className`: empty for a file.
    void exported(const QString& path, const QString& className, const QString& verdict, bool isDifferent,
                  const QStringList& notes);
    /// `left`: the names of what such a file cannot hold.
    void referenceKept(const QString& path, const QStringList& left);
    void libraryLoaded(const QString& path);
    void devicesListed(const QStringList& devices);
    /// `soFar`: of a model whose tracing has failed, the graph up to there; else null.
    void openingFailed(const QString& what, const fx::Error& why,
                       const std::shared_ptr<fx::OpenedModel>& soFar);
    /// Anything else than opening has.
    void failed(const QString& what, const fx::Error& why);
    void ended();

private:
    /// What went wrong is told as failed(), unless `tellFault` does.
    template <class T>
    std::shared_ptr<StartedJob> run(const QString& what, std::function<T(Progress&)> work,
                                    std::function<void(T)> done,
                                    std::function<void(const Error&)> tellFault = {});

    OpeningWorker m_worker;
    QStringList m_devices;
    std::weak_ptr<StartedJob> m_opening; ///< the newest
    JobRunner m_preparation, m_runner;   ///< last: their threads use what is above
};

} // namespace fx::ui
