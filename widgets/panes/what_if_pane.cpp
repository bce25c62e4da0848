// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/what_if_pane.h"

#include "core/analyze/what_if.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/ir/dtype.h"
#include "widgets/document/graph_document.h"
#include "widgets/panes/device_box.h"
#include "widgets/session/cost_service.h"
#include "widgets/session/selection.h"
#include "widgets/support/qt_text.h"
#include "widgets/support/text_label.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace fx::ui {

namespace {

constexpr const char* kDtypes[] = {"bfloat16", "float16", "int8", "float8_e4m3fn", "float32", "float64"};

QLabel* wordBefore(QWidget* field, const QString& word) {
    auto* label = new QLabel(word);
    label->setObjectName("dim");
    label->setBuddy(field);
    return label;
}

/// The nodes that the selection is about; empty: all.
std::set<NodeId> nodesOf(const Selection& selection, const GraphCosts& costs) {
    const auto scope = std::ranges::find(costs.scopes, utf8(selection.scope()), &ScopeCost::path);
    if (!selection.scope().isEmpty() && scope != costs.scopes.end())
        return {scope->members.begin(), scope->members.end()};
    const std::vector<NodeId> nodes = selection.allNodes(); // of a group that is no module, too
    return {nodes.begin(), nodes.end()};
}

} // namespace

WhatIfPane::WhatIfPane(const GraphDocument& document, const Selection& selection, CostService& costs)
    : m_document(document), m_selection(selection), m_costs(costs),
      m_device(new DeviceBox("Choose a device", true)), m_other(new DeviceBox("the same device", false)),
      m_dtype(new QComboBox), m_fused(new QCheckBox("as one kernel")), m_what(textLabel("dim")),
      m_answer(textLabel("whatIfAnswer")) {
    m_device->setAccessibleName("Device");
    m_device->setToolTip("The device that times are predicted for, in all panes");
    m_other->setAccessibleName("Other device");
    m_other->setToolTip("The device that they would run on");
    m_dtype->setAccessibleName("What dtype");
    m_dtype->setToolTip("The dtype that numbers with a fraction would be computed and held in");
    m_dtype->addItem("as it is", QString());
    for (const char* dtype : kDtypes)
        m_dtype->addItem(dtype, QString(dtype));
    m_fused->setAccessibleName("One kernel");
    m_fused->setToolTip("One launch, and what only they read is never in memory");
    m_answer->setAccessibleName("What it would take");
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    const std::pair<QString, QWidget*> fields[] = {
        {"On", m_device}, {"what if computed in", m_dtype}, {"on", m_other}};
    for (const auto& [word, field] : fields) {
        row->addWidget(wordBefore(field, word));
        row->addWidget(field);
    }
    row->addWidget(m_fused);
    row->addStretch();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 8, 6);
    column->setSpacing(8);
    column->addLayout(row);
    column->addWidget(m_what);
    column->addWidget(m_answer);
    column->addStretch();
    setFocusProxy(m_dtype);
    connect(m_device, &DeviceBox::deviceChosen, &costs, &CostService::chooseDevice);
    connect(m_other, &DeviceBox::deviceChosen, this, &WhatIfPane::refresh);
    connect(m_dtype, &QComboBox::currentIndexChanged, this, &WhatIfPane::refresh);
    connect(m_fused, &QCheckBox::toggled, this, &WhatIfPane::refresh);
    connect(&costs, &CostService::changed, this, &WhatIfPane::refresh);
    connect(&selection, &Selection::changed, this, &WhatIfPane::refresh);
    connect(&document, &GraphDocument::changed, this, &WhatIfPane::refresh);
}

void WhatIfPane::refresh() {
    if (!m_sight.isDue())
        return;
    m_costs.ask();
    m_device->setDevice(m_costs.deviceName());
    const QString obstacle = this->obstacle();
    m_answer->setText(obstacle.isEmpty() ? answer() : obstacle);
}

QString WhatIfPane::obstacle() const {
    m_what->clear();
    if (!m_costs.fault().isEmpty())
        return "It cannot be told what nodes cost: " + m_costs.fault();
    if (m_costs.deviceName().isEmpty())
        return "Choose a device that times are predicted for.";
    if (!m_costs.isCurrent())
        return m_costs.isWorking() ? "Being counted."
                                   : "Nothing is counted: that needs the sizes of the inputs (Ctrl+I).";
    if (!m_costs.device())
        return "This machine is being measured.";
    return m_selection.graph() == m_document.model().root()
               ? QString()
               : "Costs are those of the model's own graph: go back to that.";
}

QString WhatIfPane::answer() const {
    const Graph& graph = m_document.model().graph();
    WhatIf question{nodesOf(m_selection, *m_costs.costs()),
                    dtypeFromName(utf8(m_dtype->currentData().toString())), std::nullopt,
                    m_fused->isChecked()};
    try {
        if (!m_other->device().isEmpty())
            question.device = findDevice(utf8(m_other->device()));
    } catch (const Error& error) {
        return faultText(error.what());
    }
    const WhatIfResult result = askWhatIf(graph, *m_costs.costs(), *m_costs.device(), question);
    m_what->setText(!m_selection.scope().isEmpty() ? m_selection.scope()
                    : question.nodes.empty()       ? QString("The whole model")
                    : question.nodes.size() == 1   ? qt(graph.node(*question.nodes.begin()).name)
                                                   : qt(plural(question.nodes.size(), "node")));
    const auto bound = [](const Prediction& prediction) { return qt(boundName(prediction.bound())); };
    return qt(whatIfText(result)).replace("; the", ";\nthe") + ".\nWaits for " + bound(result.before) +
           ", then for " + bound(result.after) + '.';
}

} // namespace fx::ui
