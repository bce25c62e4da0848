// SPDX-License-Identifier: GPL-3.0-or-later
// The gradients that the last run reported.
#pragma once

#include "core/interpret/debug_types.h"

#include <QObject>
#include <QString>

#include <map>
#include <utility>

namespace fx::ui {

class Gradients : public QObject {
    Q_OBJECT

public:
    /// Record of the gradient of a node's value, or of a tensor of the model. Null if the run was not
    /// differentiated, or has no such value.
    const GradientRecord* find(NodeRef node, TensorId tensor = {}) const;
    /// The loss in words; empty if the run was not differentiated.
    const QString& loss() const { return m_loss; }

    void take(const Differentiated& done);
    void clear();

Q_SIGNALS:
    void changed();

private:
    std::map<std::pair<NodeRef, TensorId>, GradientRecord> m_records;
    QString m_loss;
};

} // namespace fx::ui
