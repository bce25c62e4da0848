// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/open_service.h"

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/interpret/operator_libraries.h"
#include "core/open/formats.h"
#include "core/session/compare_job.h"
#include "core/session/export_job.h"
#include "core/torch/bind/call.h"
#include "widgets/session/settings.h"
#include "widgets/support/qt_text.h"

#include <QFileInfo>

#include <algorithm>
#include <optional>

namespace fx::ui {

namespace {

/// Those that are not known yet. Gives what cannot be loaded, in words: the model may be of use without it.
std::vector<std::string> learnLibraries(OpeningWorker& worker, const QStringList& paths, Progress& progress) {
    std::vector<std::string> faults;
    for (const QString& path : paths) {
        const std::vector<std::string> known = knownOperatorLibraries();
        if (std::find(known.begin(), known.end(), utf8(QFileInfo(path).absoluteFilePath())) != known.end())
            continue;
        try {
            worker.learnLibrary(utf8(path), progress);
        } catch (const Error& error) {
            faults.push_back(error.what());
        }
    }
    return faults;
}

/// With the model, what was loaded for another one and serves it too: it is needed when it runs.
void rememberLibraries(const OpenedModel& opened) {
    DebugMemory memory = Settings::debugMemory(qt(opened.path));
    QStringList wholePaths;
    for (const QString& path : memory.libraries)
        wholePaths << QFileInfo(path).absoluteFilePath();
    bool isMore = false;
    for (const std::string& path : operatorLibrariesOf(opened.model))
        if (!wholePaths.contains(qt(path))) {
            memory.libraries << qt(path);
            isMore = true;
        }
    if (isMore)
        Settings::saveDebugMemory(qt(opened.path), memory);
}

QStringList textsOf(const std::vector<std::string>& lines) {
    QStringList out;
    for (const std::string& line : lines)
        out << qt(line);
    return out;
}

} // namespace

OpenService::OpenService(QObject* parent) : QObject(parent), m_worker(WorkerProcess::besideThisProgram()) {
    connect(&m_runner, &JobRunner::began, this, &OpenService::started);
    connect(&m_runner, &JobRunner::progressed, this, &OpenService::progressed);
    connect(&m_runner, &JobRunner::ended, this, &OpenService::ended);
}

OpenService::~OpenService() = default;

void OpenService::cancelOpening() {
    if (const auto opening = m_opening.lock())
        opening->cancel();
}

bool OpenService::isOpening() const {
    const auto opening = m_opening.lock();
    return opening && !opening->isCancelled();
}

template <class T>
std::shared_ptr<StartedJob> OpenService::run(const QString& what, std::function<T(Progress&)> work,
                                             std::function<void(T)> done,
                                             std::function<void(const Error&)> tellFault) {
    if (!tellFault)
        tellFault = [this, what](const Error& why) { Q_EMIT failed(what, why); };
    Job<T> job{what, {}, std::move(done), std::move(tellFault)};
    job.work = [work = std::move(work)](JobRun<T>& run) {
        std::optional<T> out;
        guarded([&] { out = work(run); });
        return std::move(*out);
    };
    return m_runner.start(*this, std::move(job));
}

void OpenService::prepare() {
    // Where it cannot start, whoever opens a model is told.
    const auto ask = [this](JobRun<QStringList>& run) {
        QStringList out;
        for (const std::string& device : m_worker.devices(run))
            out << qt(device);
        return out;
    };
    m_preparation.start(*this, Job<QStringList>{"Preparing", ask, [this](const QStringList& devices) {
                                                    m_devices = devices;
                                                    Q_EMIT devicesListed(devices);
                                                }});
}

void OpenService::open(const QString& path, const TraceOptions& trace) {
    const QStringList libraries = Settings::debugMemory(QFileInfo(path).absoluteFilePath()).libraries;
    const auto read = [this, path, trace, libraries](Progress& progress) {
        const std::vector<std::string> faults = learnLibraries(m_worker, libraries, progress);
        OpeningRequest request{utf8(QFileInfo(path).absoluteFilePath()), {}, {}};
        request.options.trace = trace;
        request.options.trace.keepsPartial = true;
        request.libraries = knownOperatorLibraries();
        auto model = std::make_shared<OpenedModel>(m_worker.open(request, progress));
        model->notes.insert(model->notes.end(), faults.begin(), faults.end());
        return model;
    };
    cancelOpening();
    const QString what = "Opening " + nameOfModel(path);
    const auto tell = [this, what](const std::shared_ptr<OpenedModel>& model) {
        rememberLibraries(*model);
        if (model->traceFault) {
            Q_EMIT openingFailed(what, *model->traceFault, model);
            return;
        }
        Q_EMIT opened(model);
    };
    m_opening = run<std::shared_ptr<OpenedModel>>(
        what, read, tell, [this, what](const Error& why) { Q_EMIT openingFailed(what, why, nullptr); });
}

OpenedModel OpenService::openBeside(const std::string& path, Progress& progress) {
    OpeningRequest request{path, {}, {}};
    request.libraries = knownOperatorLibraries();
    return m_worker.open(request, progress);
}

void OpenService::keepReference(const ModelSnapshot& model, const QString& path, const RunRequest& run) {
    const ReferenceRequest request{utf8(path), run};
    const auto keep = [model, request](Progress& progress) {
        QStringList left;
        for (const std::string& name : model.ask(kKeepReferenceService, request, progress))
            left << qt(name);
        return left;
    };
    this->run<QStringList>("Running for " + QFileInfo(path).fileName(), keep,
                           [this, path](const QStringList& left) { Q_EMIT referenceKept(path, left); });
}

std::vector<std::string> OpenService::modelsIn(const std::string& path,
                                               const std::vector<std::string>& packageFolders,
                                               Progress& progress) {
    OpeningRequest request{path, {}, {}};
    request.options.trace.packageFolders = packageFolders;
    request.libraries = knownOperatorLibraries();
    return m_worker.modelsIn(request, progress);
}

void OpenService::loadLibrary(const QString& path) {
    const auto load = [this, path](Progress& progress) {
        m_worker.learnLibrary(utf8(path), progress);
        return path;
    };
    run<QString>("Loading " + QFileInfo(path).fileName(), load,
                 [this](const QString& loaded) { Q_EMIT libraryLoaded(loaded); });
}

void OpenService::save(const ModelSnapshot& model, const QString& path, const RunRequest& run,
                       const DocumentState& state) {
    const Format* format = formatWriting(utf8(path));
    const ExportRequest request{utf8(path), {}, wordFor(*format), run};
    const auto write = [model, request, format](Progress& progress) {
        if (!format->keepsAll) // which is proven, and that runs operators
            return model.ask(kExportService, request, progress);
        return ExportAnswer{{}, false, format->write(*model.opened, request.folder, progress)};
    };
    this->run<ExportAnswer>(
        "Saving " + QFileInfo(path).fileName(), write,
        [this, path, state](const ExportAnswer& written) {
            Q_EMIT saved(path, state, textsOf(written.notes));
        },
        [this, path](const Error& why) { Q_EMIT savingFailed(path, why); });
}

void OpenService::exportModel(const ModelSnapshot& model, const QString& path, const QString& format,
                              const QString& className, const RunRequest& inputs) {
    const ExportRequest request{utf8(path), utf8(className), utf8(format), inputs};
    const auto write = [model, request](Progress& progress) {
        progress.step(0.5, "Writing, and comparing what was written");
        return model.ask(kExportService, request, progress);
    };
    run<ExportAnswer>("Exporting " + QFileInfo(path).fileName(), write,
                      [this, path, className](const ExportAnswer& written) {
                          Q_EMIT exported(path, className, qt(written.line), written.isDifferent,
                                          textsOf(written.notes));
                      });
}

} // namespace fx::ui
