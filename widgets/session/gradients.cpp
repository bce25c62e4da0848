// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/gradients.h"

#include "widgets/support/qt_text.h"

namespace fx::ui {

const GradientRecord* Gradients::find(NodeRef node, TensorId tensor) const {
    const auto found = m_records.find({tensor ? NodeRef() : node, tensor});
    return found == m_records.end() ? nullptr : &found->second;
}

void Gradients::take(const Differentiated& done) {
    m_records.clear();
    m_loss = qt(done.loss);
    for (const GradientRecord& record : done.records)
        m_records[{record.node, record.tensor}] = record;
    Q_EMIT changed();
}

void Gradients::clear() {
    if (m_records.empty())
        return;
    m_records.clear();
    m_loss.clear();
    Q_EMIT changed();
}

} // namespace fx::ui
