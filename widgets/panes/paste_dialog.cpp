// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/paste_dialog.h"

#include "widgets/support/qt_text.h"

#include <QCompleter>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace fx::ui {

namespace {

const QString kNewInput = "a new input";

QString labelFor(const Node& input) {
    const ValueMeta* value = knownValue(input.meta);
    return qt(input.name) + (value ? "   " + qt(valueMetaText(*value)) : QString());
}

} // namespace

PasteDialog::PasteDialog(const GraphDocument& document, ModuleId graph, const ClippedNodes& nodes,
                         NodeMap known, NodeId selected, const QFont& fixedFont, QWidget* parent)
    : QDialog(parent), m_graph(document.model().graph(graph)), m_known(std::move(known)),
      m_mayAdd(!m_graph.signature()), m_fault(new QLabel) {
    setWindowTitle("Paste");
    QStringList names;
    for (const Node& node : m_graph)
        if (node.opcode != Opcode::Output)
            names << qt(node.name);
    auto* form = new QFormLayout;
    const Graph& excerpt = nodes.excerpt->model.graph();
    for (const NodeId id : excerpt.findNodes(Opcode::Placeholder)) {
        if (m_known.find(id) != m_known.end())
            continue;
        const Node& input = excerpt.node(id);
        auto* choice = new QComboBox;
        choice->setEditable(true);
        choice->setInsertPolicy(QComboBox::NoInsert);
        choice->setFont(fixedFont);
        choice->setAccessibleName(qt(input.name));
        choice->addItems(m_mayAdd ? QStringList{kNewInput} + names : names);
        choice->completer()->setFilterMode(Qt::MatchContains);
        choice->completer()->setCompletionMode(QCompleter::PopupCompletion);
        const NodeId proposed = proposal(input, selected);
        choice->setEditText(proposed ? qt(m_graph.node(proposed).name) : m_mayAdd ? kNewInput : QString());
        connect(choice, &QComboBox::editTextChanged, this, &PasteDialog::refresh);
        form->addRow(labelFor(input), choice);
        m_rows.push_back({id, choice});
    }
    auto* fields = new QWidget;
    fields->setLayout(form);
    auto* area = new QScrollArea;
    area->setWidget(fields);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    auto* words =
        new QLabel("The copied nodes read values that are not in this graph. What do they read here?");
    words->setWordWrap(true);
    m_fault->setObjectName("fault");
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    m_paste = buttons->button(QDialogButtonBox::Ok);
    m_paste->setText("Paste");
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->addWidget(words);
    column->addWidget(area, 1);
    column->addWidget(m_fault);
    column->addWidget(buttons);
    resize(520, std::min(480, 150 + 36 * static_cast<int>(m_rows.size())));
    refresh();
}

NodeId PasteDialog::proposal(const Node& input, NodeId selected) const {
    const ValueMeta* wanted = knownValue(input.meta);
    const auto fits = [&](NodeId node) {
        const ValueMeta* value = node ? knownValue(m_graph.node(node).meta) : nullptr;
        return value && wanted && valueMetaText(*value) == valueMetaText(*wanted);
    };
    const NodeId same = m_graph.find(input.name);
    for (const NodeId each : {selected, same})
        if (fits(each))
            return each;
    return m_rows.empty() ? selected : NodeId();
}

bool PasteDialog::isNew(const Row& row) const {
    return m_mayAdd && row.choice->currentText() == kNewInput;
}

NodeId PasteDialog::chosen(const Row& row) const {
    const NodeId node = m_graph.find(utf8(row.choice->currentText().trimmed()));
    return node && m_graph.node(node).opcode != Opcode::Output ? node : NodeId();
}

void PasteDialog::refresh() {
    QString fault;
    for (const Row& row : m_rows)
        if (fault.isEmpty() && !isNew(row) && !chosen(row))
            fault = row.choice->currentText().trimmed().isEmpty()
                        ? "Say which node stands for " + row.choice->accessibleName() + '.'
                        : "No node is called " + row.choice->currentText().trimmed() + '.';
    m_fault->setText(fault);
    m_paste->setEnabled(fault.isEmpty());
}

NodeMap PasteDialog::inputs() const {
    NodeMap out = m_known;
    for (const Row& row : m_rows)
        out[row.input] = isNew(row) ? NodeId() : chosen(row);
    return out;
}

} // namespace fx::ui
