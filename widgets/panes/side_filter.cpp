// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/side_filter.h"

#include "core/analyze/operator_table.h"
#include "core/base/error.h"
#include "widgets/panes/still_graph.h"
#include "widgets/support/qt_text.h"

#include <algorithm>

namespace fx::ui {

SideFilter::SideFilter(const QString& name) {
    setAccessibleName(name);
    setPlaceholderText(name);
    setToolTip("Words that must all hold: conv, target:relu, scope:layer1, shape:64, bytes>1e6");
    setClearButtonEnabled(true);
    setFixedWidth(170);
    setEnabled(false);
    connect(this, &QLineEdit::textChanged, this, &SideFilter::refresh);
}

void SideFilter::setSide(StillGraph* side) {
    m_side = side;
    setEnabled(side);
    refresh();
}

bool SideFilter::isOn() const {
    return m_side && !text().trimmed().isEmpty();
}

bool SideFilter::holdsIn(const std::string& scope) const {
    if (!isOn())
        return true;
    const ScopeTree& scopes = m_side->selection().scopes();
    const int at = scopes.find(scope);
    return std::ranges::any_of(
        m_held, [&](NodeId node) { return at >= 0 && scopes.isInside(scopes.scopeOf(node), at); });
}

void SideFilter::refresh() {
    m_fault.clear();
    if (m_side)
        try {
            const OperatorFilter filter(utf8(text()));
            m_held.clear();
            std::vector<Match> lit;
            if (isOn())
                for (const OperatorEntry& row : m_side->operators())
                    if (filter.matches(row)) {
                        m_held.insert(row.node.node);
                        lit.push_back({row.node, {}});
                    }
            m_side->selection().matches().set(text(), std::move(lit));
        } catch (const Error& error) { // what is shown stays until the words mean something
            m_fault = faultText(error.message());
        }
    Q_EMIT changed();
}

} // namespace fx::ui
