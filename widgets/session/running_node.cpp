// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/running_node.h"

#include "widgets/support/qt_text.h"

namespace fx::ui {

namespace {

constexpr int kLookMilliseconds = 250;
constexpr qint64 kLongMilliseconds = 1000; ///< from which on the time is told

} // namespace

RunningNode::RunningNode(std::function<NodeRef()> look) : m_look(std::move(look)) {
    m_timer.setInterval(kLookMilliseconds);
    connect(&m_timer, &QTimer::timeout, this, &RunningNode::refresh);
}

void RunningNode::setRunning(bool isRunning) {
    if (isRunning == m_timer.isActive())
        return;
    m_node = {};
    if (isRunning)
        m_timer.start();
    else
        m_timer.stop();
}

void RunningNode::refresh() {
    const NodeRef node = m_look();
    if (node != m_node || !node.node)
        m_since.start();
    m_node = node;
    Q_EMIT changed();
}

QString RunningNode::text(const Model& model, RunState::Wish wish) const {
    using Wish = RunState::Wish;
    const bool isKnown = m_node.node && model.graph(m_node.module).contains(m_node.node);
    const QString name = isKnown ? qt(model.graph(m_node.module).node(m_node.node).name) : QString();
    QString out = wish >= Wish::Stop ? "Stopping" : wish == Wish::Pause ? "Pausing" : "Running";
    if (!isKnown)
        return out;
    out += (wish == Wish::None ? " " : " after ") + name;
    const qint64 elapsed = m_since.elapsed();
    if (elapsed >= kLongMilliseconds)
        out += QString(" · %1 s").arg(elapsed / 1000);
    return wish >= Wish::Stop ? out + " · stop again to end it now" : out;
}

} // namespace fx::ui
