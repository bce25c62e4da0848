// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/sizes_service.h"

#include "core/base/error.h"
#include "core/passes/symbolic/tensor_types.h"
#include "widgets/session/debug_service.h"
#include "widgets/session/settings.h"
#include "widgets/support/qt_text.h"

namespace fx {

SizesService::SizesService(GraphDocument& document, DebugService& debug, QObject* parent)
    : QObject(parent), m_document(document), m_debug(debug) {
    connect(&m_runner, &JobRunner::began, this, &SizesService::started);
    connect(&m_runner, &JobRunner::progressed, this, &SizesService::progressed);
    connect(&m_runner, &JobRunner::ended, this, &SizesService::ended);
    m_names = Settings::sizeNames(qt(document.opened().path));
    if (m_names.isEmpty() && hasRecorded()) {
        m_names = "recorded";
        m_isAsked = true; // what the file says is shown already, and holds until an edit
        m_asked = document.state();
    }
    connect(&document, &GraphDocument::changed, this, [this] {
        checkTypes();
        if (m_isAsked)
            ask();
    });
    checkTypes();
}

bool SizesService::hasRecorded() const {
    return !m_document.opened().symbols.empty();
}

void SizesService::choose(const QString& names) {
    m_names = names.trimmed();
    Settings::setSizeNames(qt(m_document.opened().path), m_names);
    m_runner.cancelAll();
    m_isAsked = !m_names.isEmpty();
    if (m_isAsked)
        find();
    else
        take({}, {});
}

void SizesService::ask() {
    m_isAsked = !m_names.isEmpty();
    const bool isKnown = m_asked == m_document.state() && (!m_found.values.empty() || !m_fault.isEmpty());
    if (m_isAsked && !isKnown && !(m_asked == m_document.state() && isWorking()))
        find();
}

void SizesService::cancel() {
    m_isAsked = false;
    m_runner.cancelAll();
}

const ValueMeta* SizesService::value(NodeRef node) const {
    const auto found = m_found.values.find(node);
    return found == m_found.values.end() ? nullptr : &found->second;
}

void SizesService::find() {
    m_asked = m_document.state();
    const auto opened = std::make_shared<const OpenedModel>(m_document.opened());
    const SizesRequest request{m_debug.inputs().requestHere(), utf8(m_names), rangesOf(*opened)};
    Job<SizesAnswer> job;
    job.title = "Finding sizes";
    job.work = [opened, request](JobRun<SizesAnswer>& run) { return findSizesApart(*opened, request, run); };
    job.done = [this](SizesAnswer found) { take(std::move(found), {}); };
    job.failed = [this](const Error& why) { take({}, qt(why.what())); };
    m_runner.startNewest(*this, std::move(job));
}

void SizesService::take(SizesAnswer found, const QString& fault) {
    m_found = std::move(found);
    m_fault = fault;
    checkTypes();
    Q_EMIT changed();
}

void SizesService::checkTypes() {
    m_typeFaults.clear();
    const Model& model = m_document.model();
    const auto valueOf = [&](NodeRef node) {
        const ValueMeta* found = value(node);
        return found ? found : knownValue(model.graph(node.module).node(node.node).meta);
    };
    model.forEachModule(model.root(), [&](ModuleId id, const std::string&) {
        if (model.module(id).graph)
            for (const TypeDisagreement& fault : typeDisagreements(model, id, valueOf))
                m_typeFaults[fault.node] = qt(fault.reason);
    });
}

} // namespace fx
