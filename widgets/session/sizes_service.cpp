// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/sizes_service.h"

#include "core/base/error.h"
#include "core/passes/symbolic/tensor_types.h"
#include "widgets/session/debug_service.h"
#include "widgets/session/settings.h"
#include "widgets/support/qt_text.h"

namespace fx::ui {

SizesService::SizesService(GraphDocument& document, DebugService& debug, DocumentHost& host, QObject* parent)
    : DerivedData(document, host, parent), m_debug(debug) {
    m_names = Settings::sizeNames(qt(document.opened().path));
    if (m_names.isEmpty() && hasRecorded()) {
        m_names = "recorded";
        m_isAsked = true; // what the file says is shown already, and holds until an edit
        setAsked();
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
        return find();
    set(std::nullopt, {});
    taken();
}

void SizesService::ask() {
    m_isAsked = !m_names.isEmpty();
    const bool isKnown = isAsked() && (!found().values.empty() || !fault().isEmpty());
    if (m_isAsked && !isKnown && !(isAsked() && isWorking()))
        find();
}

void SizesService::cancel() {
    m_isAsked = false;
    m_runner.cancelAll();
}

const SizesAnswer& SizesService::found() const {
    static const SizesAnswer nothing;
    return value() ? *value() : nothing;
}

const ValueMeta* SizesService::valueOf(NodeRef node) const {
    const auto each = found().values.find(node);
    return each == found().values.end() ? nullptr : &each->second;
}

void SizesService::find() {
    DerivedData::ask(
        "Finding sizes", kSizesService,
        SizesRequest{m_debug.inputs().requestHere(), utf8(m_names), rangesOf(m_document.opened())});
}

void SizesService::taken() {
    checkTypes();
    Q_EMIT changed();
}

void SizesService::checkTypes() {
    m_typeFaults.clear();
    const Model& model = m_document.model();
    const auto knownOf = [&](NodeRef node) {
        const ValueMeta* formula = valueOf(node);
        return formula ? formula : knownValue(model.graph(node.module).node(node.node).meta);
    };
    model.forEachModule(model.root(), [&](ModuleId id, const std::string&) {
        if (model.module(id).graph)
            for (const TypeDisagreement& fault : typeDisagreements(model, id, knownOf))
                m_typeFaults[fault.node] = qt(fault.reason);
    });
}

} // namespace fx::ui
