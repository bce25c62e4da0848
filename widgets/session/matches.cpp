// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/matches.h"

#include "widgets/document/graph_document.h"

#include <algorithm>
#include <utility>

namespace fx::ui {

Matches::Matches(const GraphDocument& document, QObject* parent) : QObject(parent) {
    connect(&document, &GraphDocument::changed, this, [this, &document] {
        const auto isGone = [&](const Match& match) {
            const Module& module = document.model().module(match.node.module);
            return !module.graph || (match.node.node && !module.graph->contains(match.node.node));
        };
        if (std::ranges::none_of(m_all, isGone))
            return;
        // The walk goes on where it was.
        const auto passed = m_all.begin() + (m_at + 1);
        m_at -= static_cast<int>(std::count_if(m_all.begin(), passed, isGone));
        std::erase_if(m_all, isGone);
        Q_EMIT changed();
    });
}

void Matches::set(const QString& text, std::vector<Match> all) {
    if (m_all.empty() && all.empty())
        return;
    m_text = text;
    m_all = std::move(all);
    m_at = -1;
    m_isLit = true;
    Q_EMIT changed();
}

void Matches::putOut() {
    m_isLit = false;
    Q_EMIT changed();
}

void Matches::goTo(const Match& match) {
    const auto found = std::ranges::find(m_all, match);
    if (found != m_all.end())
        m_at = static_cast<int>(found - m_all.begin());
}

const Match& Matches::step(int by) {
    const int count = static_cast<int>(m_all.size());
    if (!std::exchange(m_isLit, true))
        Q_EMIT changed();
    m_at = m_at < 0 && by < 0 ? count - 1 : (m_at + by + count) % count;
    return m_all[static_cast<size_t>(m_at)];
}

QString Matches::place() const {
    return m_at < 0 ? QString() : QString("%1 of %2").arg(m_at + 1).arg(m_all.size());
}

} // namespace fx::ui
