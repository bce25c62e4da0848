// SPDX-License-Identifier: GPL-3.0-or-later
// The node that a run is at, and for how long, looked at a few times a second: a run tells of a node only
// when that is done.
#pragma once

#include "core/interpret/debug_types.h"
#include "core/module/model.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

#include <functional>

namespace fx {

class RunningNode : public QObject {
    Q_OBJECT

public:
    enum class Wish { None, Pause, Stop };

    /// `look`: the node that runs now, or none.
    explicit RunningNode(std::function<NodeRef()> look);
    void setRunning(bool isRunning);
    /// What was asked for, and is done after the node.
    void setWish(Wish wish);
    /// "Running matmul · 12 s", "Stopping after matmul · 12 s · stop again to end it now"; of nodes of the
    /// model alone.
    QString text(const Model& model) const;

Q_SIGNALS:
    void changed();

private:
    void lookAgain();

    const std::function<NodeRef()> m_look;
    QTimer m_timer;
    QElapsedTimer m_since;
    NodeRef m_node;
    Wish m_wish = Wish::None;
};

} // namespace fx
