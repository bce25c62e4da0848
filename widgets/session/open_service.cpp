// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/open_service.h"

#include "core/base/progress.h"
#include "core/io/export_folder.h"
#include "core/io/fxg.h"
#include "core/io/open.h"
#include "core/torch/call.h"
#include "widgets/support/qt_text.h"

#include <QFileInfo>

namespace fx {

class OpenService::Reporter : public Progress, public std::enable_shared_from_this<Reporter> {
public:
    explicit Reporter(OpenService& service) : m_service(service) {}
    void report(double fraction, const std::string& what) override {
        m_service.m_runner->post([this, fraction, what] { Q_EMIT m_service.progressed(fraction, qt(what)); });
    }

private:
    OpenService& m_service;
};

OpenService::OpenService(QObject* parent) : QObject(parent), m_runner(std::make_unique<JobRunner>()) {}

OpenService::~OpenService() {
    cancel();
    m_runner.reset();
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
            if (!fault.isEmpty() && !reporter->isCancelled())
                Q_EMIT failed(what, fault);
            if (m_reporter == reporter) {
                m_isWorking = false;
                Q_EMIT ended();
            }
        });
    });
}

void OpenService::open(const QString& path, const TraceOptions& trace) {
    run("Opening " + QFileInfo(path).fileName(), [this, path, trace](Reporter& reporter) {
        OpenOptions options;
        options.trace = trace;
        auto model = std::make_shared<OpenedModel>(
            openModel(utf8(QFileInfo(path).absoluteFilePath()), options, reporter));
        // Until the very last it may be given up.
        m_runner->post([this, model, asked = reporter.shared_from_this()] {
            if (!asked->isCancelled())
                Q_EMIT opened(model);
        });
    });
}

void OpenService::saveFxg(std::shared_ptr<const OpenedModel> model, const QString& path) {
    run("Saving " + QFileInfo(path).fileName(), [this, model, path](Reporter& reporter) {
        writeFxg(*model, utf8(path), reporter);
        m_runner->post([this, path] { Q_EMIT saved(path); });
    });
}

void OpenService::exportFolder(std::shared_ptr<const OpenedModel> model, const QString& folder,
                               const QString& className) {
    run("Exporting " + QFileInfo(folder).fileName(), [this, model, folder, className](Reporter&) {
        QStringList notes;
        for (const std::string& note :
             fx::exportFolder(model->model, utf8(folder), utf8(className), model->path))
            notes.append(qt(note));
        m_runner->post([=, this] { Q_EMIT exported(folder, className, notes); });
    });
}

} // namespace fx
