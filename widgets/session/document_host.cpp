// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/document_host.h"

#include "widgets/document/graph_document.h"

#include <utility>

namespace fx::ui {

namespace {

bool isStartedAtFirstEdit = false;

} // namespace

DocumentHost::DocumentHost(GraphDocument& document, QObject* parent)
    : QObject(parent), m_document(document), m_known(document.model()) {
    connect(&document, &GraphDocument::changed, this, [this](const Changes& changes, bool isBackwards) {
        const Model& model = m_document.model();
        m_services->follow(updateOf(model, changes, isBackwards, std::exchange(m_known, ModelExtent(model))));
        if (isStartedAtFirstEdit)
            m_services->prepare();
    });
    connect(&document, &GraphDocument::saved, this, [this] { m_services->forgetReplica(); });
}

ModelSnapshot DocumentHost::snapshot() {
    // An edit that was refused leaves modules and tensors behind, of which nobody is told.
    const ModelExtent extent(m_document.model());
    if (extent.modules != m_known.modules || extent.tensors != m_known.tensors) {
        m_known = extent;
        m_services->forgetReplica();
    }
    return {std::make_shared<const OpenedModel>(m_document.opened()), m_services, m_services->version()};
}

void DocumentHost::setReady(bool isReady) {
    isStartedAtFirstEdit = isReady;
}

} // namespace fx::ui
