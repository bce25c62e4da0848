// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/open_service.h"

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/interpret/operator_libraries.h"
#include "core/export/verify_export.h"
#include "core/io/fxg.h"
#include "core/torch/call.h"
#include "widgets/session/settings.h"
#include "widgets/support/qt_text.h"

#include <QFileInfo>

namespace fx {

namespace {

/// What could not be loaded, in words: the model may be of use without it.
std::vector<std::string> loadLibraries(const QStringList& paths) {
    std::vector<std::string> faults;
    for (const QString& path : paths)
        try {
            loadOperatorLibrary(utf8(path));
        } catch (const Error& error) {
            faults.push_back(error.what());
        }
    return faults;
}

} // namespace

bool asksForLibrary(const QString& message) {
    return message.contains("load the library that registers it");
}

class OpenService::Reporter : public Progress, public std::enable_shared_from_this<Reporter> {
public:
    explicit Reporter(OpenService& service) : m_service(service) {}
    void report(double fraction, const std::string& what) override {
        m_service.m_runner->post([this, fraction, what] { Q_EMIT m_service.progressed(fraction, qt(what)); });
    }

private:
    OpenService& m_service;
};

OpenService::OpenService(QObject* parent)
    : QObject(parent), m_worker(WorkerProcess::besideThisProgram()), m_runner(std::make_unique<JobRunner>()) {}

OpenService::~OpenService() {
    cancel();
}

void OpenService::cancel() {
    if (m_reporter)
        m_reporter->cancel();
}

void OpenService::run(const QString& what, std::function<void(Reporter&)> work) {
    cancel();
    const auto reporter = m_reporter = std::make_shared<Reporter>(*this);
    m_isWorking = true;
    Q_EMIT started(what);
    m_runner->start([this, reporter, what, work = std::move(work)] {
        QString fault;
        try {
            guarded([&] { work(*reporter); });
        } catch (const Cancelled&) {
        } catch (const std::exception& error) {
            fault = qt(error.what());
        }
        m_runner->post([this, reporter, what, fault] {
            if (m_reporter == reporter) {
                m_isWorking = false;
                Q_EMIT ended();
            }
            // Last: it may be told in a dialog, which stays for a while.
            if (!fault.isEmpty() && !reporter->isCancelled())
                Q_EMIT failed(what, fault);
        });
    });
}

void OpenService::prepare() {
    m_runner->start([this] {
        try {
            m_worker.start();
        } catch (const Error&) {
            // Whoever opens a model is told.
        }
    });
}

void OpenService::open(const QString& path, const TraceOptions& trace) {
    const QStringList libraries = Settings::debugMemory(QFileInfo(path).absoluteFilePath()).libraries;
    run("Opening " + QFileInfo(path).fileName(), [this, path, trace, libraries](Reporter& reporter) {
        const std::vector<std::string> faults = loadLibraries(libraries);
        OpeningRequest request{utf8(QFileInfo(path).absoluteFilePath()), {}, {}};
        request.options.trace = trace;
        request.libraries = loadedOperatorLibraries();
        auto model = std::make_shared<OpenedModel>(m_worker.open(request, reporter));
        model->notes.insert(model->notes.end(), faults.begin(), faults.end());
        // Until the very last it may be given up.
        m_runner->post([this, model, asked = reporter.shared_from_this()] {
            if (!asked->isCancelled())
                Q_EMIT opened(model);
        });
    });
}

std::vector<std::string> OpenService::modelsIn(const std::string& path, Progress& progress) {
    OpeningRequest request{path, {}, {}};
    request.libraries = loadedOperatorLibraries();
    return m_worker.modelsIn(request, progress);
}

void OpenService::loadLibrary(const QString& path) {
    run("Loading " + QFileInfo(path).fileName(), [this, path](Reporter&) {
        loadOperatorLibrary(utf8(path));
        m_runner->post([this, path] { Q_EMIT libraryLoaded(path); });
    });
}

void OpenService::saveFxg(std::shared_ptr<const OpenedModel> model, const QString& path) {
    run("Saving " + QFileInfo(path).fileName(), [this, model, path](Reporter& reporter) {
        writeFxg(*model, utf8(path), reporter);
        m_runner->post([this, path] { Q_EMIT saved(path); });
    });
}

void OpenService::exportFolder(std::shared_ptr<const OpenedModel> model, const QString& folder,
                               const QString& className, const InputSpecs& specs) {
    run("Exporting " + QFileInfo(folder).fileName(), [this, model, folder, className, specs](Reporter& reporter) {
        const ExportedFolder written = fx::exportFolder(model->model, utf8(folder), utf8(className), model->path);
        reporter.step(0.5, "Comparing what the folder computes");
        const ExportVerdict verdict = verifyExport(*model, utf8(folder), specs);
        QStringList notes;
        for (const std::string& note : written.notes)
            notes.append(qt(note));
        const QString line = qt(exportLine(written, verdict));
        const bool isDifferent = verdict.state == ExportState::Different;
        m_runner->post([=, this] { Q_EMIT exported(folder, className, line, isDifferent, notes); });
    });
}

} // namespace fx
