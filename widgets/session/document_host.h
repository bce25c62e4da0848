// SPDX-License-Identifier: GPL-3.0-or-later
// The worker that answers questions about an open document: it has a replica of the model and follows its
// edits (core/session/service_host.h).
#pragma once

#include "core/session/service_host.h"

#include <QObject>

namespace fx::ui {

class GraphDocument;

class DocumentHost : public QObject {
    Q_OBJECT

public:
    /// It is to be the first that hears of the document's edits.
    explicit DocumentHost(GraphDocument& document, QObject* parent = nullptr);

    ModelSnapshot snapshot();
    /// Whether a document's worker is started at its first edit, so that whatever is asked next need not wait
    /// for it; for all documents. At first it is not.
    static void setReady(bool isReady);

private:
    GraphDocument& m_document;
    const std::shared_ptr<ServiceHost> m_services = std::make_shared<ServiceHost>();
    ModelExtent m_known; ///< by m_services
};

} // namespace fx::ui
