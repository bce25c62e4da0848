// SPDX-License-Identifier: GPL-3.0-or-later
// Which nodes of one side of a comparison are looked at: words as the table of operators takes them. What
// holds is lit in its graph.
#pragma once

#include "core/base/ids.h"

#include <QLineEdit>
#include <QPointer>

#include <unordered_set>

namespace fx::ui {

class StillGraph;

class SideFilter : public QLineEdit {
    Q_OBJECT

public:
    explicit SideFilter(const QString& name);

    /// Null: there is no such side, and nothing holds it back.
    void setSide(StillGraph* side);
    /// What is wrong with its words; empty: nothing.
    const QString& fault() const { return m_fault; }
    bool isOn() const;
    /// No node holds only where it is off.
    bool holds(NodeId node) const { return !isOn() || m_held.contains(node); }
    /// Some node in a scope of that side.
    bool holdsIn(const std::string& scope) const;

Q_SIGNALS:
    void changed();

private:
    void refresh();

    QPointer<StillGraph> m_side;
    QString m_fault;
    std::unordered_set<NodeId> m_held;
};

} // namespace fx::ui
