// SPDX-License-Identifier: GPL-3.0-or-later
// The node that a run is at, and for how long, looked at a few times a second: a run tells of a node only
// when that is done.
#pragma once

#include "core/module/model.h"
#include "core/run/run_state.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

#include <functional>

namespace fx::ui {

class RunningNode : public QObject {
    Q_OBJECT

public:
    /// `look`: the node that runs now, or none.
    explicit RunningNode(std::function<NodeRef()> look);
    void setRunning(bool isRunning);
    /// Asks for the node at once, and emits changed().
    void refresh();
    /// "Running matmul · 12 s", "Stopping after matmul · 12 s · stop again to end it now". Nodes of other
    /// models are left out.
    QString text(const Model& model, RunState::Wish wish) const;

Q_SIGNALS:
    void changed();

private:
    const std::function<NodeRef()> m_look;
    QTimer m_timer;
    QElapsedTimer m_since;
    NodeRef m_node;
};

} // namespace fx::ui
