// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/value_requests.h"

#include "widgets/support/qt_text.h"

#include <utility>

namespace fx::ui {

void ValueRequests::inspect(NodeRef node, const ValueView& view, bool isGradient,
                            const std::vector<NodeRef>& beside) {
    ++m_inspection;
    const bool isNew = m_run.values().isEdited() && !m_run.values().record(node); // the run does not have it
    if (m_run.state().phase == RunState::Phase::Idle || isNew) {
        m_wanted.reset();
        Inspection none;
        none.node = node;
        none.absence = "No value yet: this node has not run. Step or run to it.";
        Q_EMIT inspected(none);
        return;
    }
    want({0, node, view, {}, isGradient, beside});
}

void ValueRequests::inspectTensor(TensorId tensor, const ValueView& view, bool isGradient) {
    ++m_inspection;
    want({0, {}, view, tensor, isGradient});
}

/// Several views ask while they hear of a pause. Only the last request is sent, and that for a value not
/// before the run has paused.
void ValueRequests::want(Inspect inspect) {
    m_wanted = std::move(inspect);
    follow();
}

void ValueRequests::follow() {
    if (m_wanted)
        QMetaObject::invokeMethod(this, &ValueRequests::askForWanted, Qt::QueuedConnection);
}

void ValueRequests::askForWanted() {
    const bool isRunning = m_run.state().phase == RunState::Phase::Running;
    if (!m_wanted || (isRunning && (!m_wanted->tensor || m_wanted->isGradient)))
        return;
    m_run.ask(*std::exchange(m_wanted, std::nullopt),
              [this, inspection = m_inspection](const Inspection& reply) {
                  if (inspection == m_inspection) // else another one is wanted by now
                      Q_EMIT inspected(reply);
              });
}

void ValueRequests::save(NodeRef node, const QString& path, bool isGradient, TensorId tensor) {
    m_run.ask(SaveValue{0, node, utf8(path), isGradient, tensor},
              [this](const Answer& answer) { Q_EMIT answered(qt(answer.text), answer.isError); });
}

void ValueRequests::findOrigin(NodeRef node, const QString& trait, const QString& reference) {
    m_run.ask(FindOrigin{0, node, utf8(trait), utf8(reference)}, [this](const Answer& answer) {
        Q_EMIT answered(qt(answer.text.substr(0, answer.text.find('\n'))), answer.isError);
        Q_EMIT originFound(answer);
    });
}

void ValueRequests::set(NodeRef node, const QString& expression) {
    const int number = m_run.ask(SetValue{0, node, utf8(expression)}, [this, node](const Answer& answer) {
        Q_EMIT valueSet(node, qt(answer.text), answer.isError);
    });
    if (number == 0)
        Q_EMIT valueSet(node, "Nothing has run yet, so there is no value to replace.", true);
}

} // namespace fx::ui
