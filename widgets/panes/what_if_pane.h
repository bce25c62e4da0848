// SPDX-License-Identifier: GPL-3.0-or-later
// What the selected nodes, or the whole model, would take if they ran in another dtype, on another device or
// as one kernel. Follows the selection.
#pragma once

#include "widgets/support/refresh_when_seen.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QWidget>

#include <set>

namespace fx::ui {

class CostService;
class DeviceBox;
class GraphDocument;
class Selection;

class WhatIfPane : public QWidget {
    Q_OBJECT

public:
    WhatIfPane(const GraphDocument& document, const Selection& selection, CostService& costs);

private:
    void refresh();
    /// What keeps it from being told, in a sentence; empty: nothing does.
    QString obstacle() const;
    QString answer() const;

    const GraphDocument& m_document;
    const Selection& m_selection;
    CostService& m_costs;
    DeviceBox *m_device, *m_other;
    QComboBox* m_dtype;
    QCheckBox* m_fused;
    QLabel *m_what, *m_answer;
    RefreshWhenSeen m_sight{*this, [this] { refresh(); }};
};

} // namespace fx::ui
