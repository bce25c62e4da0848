// SPDX-License-Identifier: GPL-3.0-or-later
// What is worked out of a document beside the interface: the newest request wins, and what came of it stands
// until another one takes its place.
#pragma once

#include "core/base/error.h"
#include "core/session/service_host.h"
#include "widgets/document/graph_document.h"
#include "widgets/session/document_host.h"
#include "widgets/session/job_service.h"
#include "widgets/support/qt_text.h"

#include <optional>
#include <utility>

namespace fx::ui {

template <class T>
class DerivedData : public JobService {
public:
    /// None: it is not known, or fault() says why it cannot be.
    const std::optional<T>& value() const { return m_value; }
    /// Empty: nothing is wrong.
    const QString& fault() const { return m_fault; }
    /// True if the value is of the document as it is.
    bool isCurrent() const { return m_value && m_found == m_document.state(); }

protected:
    DerivedData(GraphDocument& document, DocumentHost& host, QObject* parent)
        : JobService(parent), m_document(document), m_host(host) {}

    /// True if the document as it is was asked about, and that was not forgotten since.
    bool isAsked() const { return m_asked == m_document.state(); }
    void forgetAsked() { m_asked = {}; }
    void setAsked() { m_asked = m_document.state(); }
    void set(std::optional<T> value, const QString& fault) {
        m_value = std::move(value);
        m_fault = fault;
    }
    /// Asks about the document as it is. taken() follows.
    template <class Request>
    void ask(const QString& title, const Service<Request, T>& service, const Request& request) {
        setAsked();
        Job<T> job;
        job.title = title;
        job.work = [&service, request, snapshot = m_host.snapshot()](JobRun<T>& run) {
            return snapshot.ask(service, request, run);
        };
        job.done = [this, asked = m_asked](T value) {
            m_found = asked;
            set(std::move(value), {});
            taken();
        };
        job.failed = [this](const Error& why) {
            set(std::nullopt, faultText(why.what()));
            taken();
        };
        m_runner.startNewest(*this, std::move(job));
    }
    /// There is another value, or another fault.
    virtual void taken() = 0;

    GraphDocument& m_document;
    DocumentHost& m_host;

private:
    std::optional<T> m_value;
    QString m_fault;
    DocumentState m_asked; ///< of which the value is, or will be
    DocumentState m_found; ///< of which it is
};

} // namespace fx::ui
