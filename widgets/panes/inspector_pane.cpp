// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/inspector_pane.h"

#include "core/base/text.h"
#include "core/console/source_frames.h"
#include "core/ir/argument_text.h"
#include "core/module/counterparts.h"
#include "core/module/read_tensors.h"
#include "core/rewrite/argument_places.h"
#include "widgets/document/argument_text_edit.h"
#include "widgets/document/graph_document.h"
#include "widgets/document/graph_intents.h"
#include "widgets/panes/completion.h"
#include "widgets/panes/parameter_line.h"
#include "widgets/session/debug_service.h"
#include "widgets/session/selection.h"
#include "widgets/session/sizes_service.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QFormLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QTreeWidgetItemIterator>
#include <QVBoxLayout>

namespace fx::ui {

namespace {

/// What a row stands for.
constexpr int kIndexRole = Qt::UserRole, kKeyRole = Qt::UserRole + 1, kNodeRole = Qt::UserRole + 2,
              kTextRole = Qt::UserRole + 3, kModuleRole = Qt::UserRole + 4;

QString metaText(const MetaValue& value, const Graph& graph) {
    struct Writer {
        const Graph& graph;
        QString operator()(bool flag) const { return flag ? "True" : "False"; }
        QString operator()(const std::string& text) const { return qt(text).trimmed(); }
        QString operator()(const ValueMeta& meta) const { return qt(valueMetaText(meta)); }
        QString operator()(const TensorMeta& meta) const { return qt(valueMetaText(ValueMeta{meta})); }
        QString operator()(const ModuleStack& stack) const {
            QStringList parts;
            for (const ModuleFrame& frame : stack)
                parts << (frame.path.empty() ? "" : qt(frame.path) + ": ") + qt(frame.type);
            return shown(parts.join('\n'));
        }
        QString operator()(const Argument& argument) const {
            return qt(reprText(argument, [&](NodeId id) { return graph.node(id).name; }));
        }
    };
    return std::visit(Writer{graph}, value);
}

} // namespace

InspectorPane::InspectorPane(GraphDocument& document, Selection& selection, const DebugService& debug,
                             const SizesService& sizes, const Theme& theme)
    : m_document(document), m_selection(selection), m_debug(debug), m_sizes(sizes), m_theme(theme),
      m_name(new QLineEdit), m_target(new QLineEdit), m_hint(new QLabel), m_opcode(new QLabel),
      m_fault(new QLabel), m_form(new QWidget), m_rows(new QTreeWidget) {
    m_name->setAccessibleName("Name of the node");
    m_name->setObjectName("nodeName");
    m_target->setAccessibleName("Target of the node");
    m_target->setObjectName("nodeTarget");
    new Completion(*m_target, targetHelp(document, selection));
    m_hint->setObjectName("dim");
    m_hint->setWordWrap(true);
    m_opcode->setObjectName("dim");
    m_fault->setObjectName("fault");
    m_fault->setWordWrap(true);
    for (QLabel* label : {m_hint, m_opcode, m_fault})
        label->setTextFormat(Qt::PlainText);
    m_fault->hide();
    auto* form = new QFormLayout(m_form);
    form->setContentsMargins(14, 10, 14, 4);
    form->setSpacing(6);
    form->setLabelAlignment(Qt::AlignLeft);
    form->addRow("Name", m_name);
    form->addRow("Opcode", m_opcode);
    form->addRow("Target", m_target);
    m_rows->setItemDelegateForColumn(1, new CompletingDelegate(expressionHelp(document, selection), m_rows));
    m_rows->setObjectName("nodeRows");
    m_rows->setAccessibleName("Arguments, users and metadata");
    m_rows->setColumnCount(2);
    m_rows->setHeaderHidden(true);
    m_rows->setIndentation(12);
    m_rows->setRootIsDecorated(true);
    m_rows->setUniformRowHeights(false);
    m_rows->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    m_rows->header()->setStretchLastSection(true);
    m_rows->installEventFilter(this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* hintRow = new QHBoxLayout;
    hintRow->setContentsMargins(14, 10, 14, 0);
    hintRow->addWidget(m_hint);
    auto* faultRow = new QHBoxLayout;
    faultRow->setContentsMargins(14, 2, 14, 2);
    faultRow->addWidget(m_fault);
    column->addLayout(hintRow);
    column->addWidget(m_form);
    column->addLayout(faultRow);
    column->addWidget(m_rows, 1);
    connect(&selection, &Selection::changed, this, &InspectorPane::showNode);
    connect(&document, &GraphDocument::changed, this, &InspectorPane::showNode);
    connect(&debug.gradients(), &Gradients::changed, this, &InspectorPane::showNode);
    connect(&sizes, &SizesService::changed, this, [this] {
        if (!isBeingEdited()) // they come whenever they are found
            showNode();
    });
    connect(&theme, &Theme::changed, this, &InspectorPane::showNode);
    for (QLineEdit* field : {m_name, m_target}) {
        connect(field, &QLineEdit::editingFinished, this, [this, field] { commit(field); });
        connect(field, &QLineEdit::returnPressed, m_rows, [this, field] {
            commit(field);
            if (m_fault->isHidden())
                m_rows->setFocus(); // in a field, the key for undo would mean its letters
        });
        field->installEventFilter(this);
    }
    connect(m_rows, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item, int) {
        if (!m_isFilling)
            editArgument(item);
    });
    const auto follow = [this](QTreeWidgetItem* item) {
        // Where one click activates, it comes after the click, which has made the items anew.
        const QVariant node = item ? item->data(0, kNodeRole) : QVariant();
        if (node.isValid())
            m_selection.select({ModuleId{item->data(0, kModuleRole).toInt()}, NodeId{node.toInt()}});
    };
    connect(m_rows, &QTreeWidget::itemClicked, this, follow);
    connect(m_rows, &QTreeWidget::itemActivated, this, follow);
    showNode();
}

void InspectorPane::editName() {
    m_name->setFocus();
    m_name->selectAll();
}

/// A text that is too long for the field cannot be changed in it.
void InspectorPane::setField(QLineEdit* field, const std::string& text) {
    field->setText(qt(text));
    field->setModified(false);
    field->setReadOnly(field->text() != wholeQt(text));
}

void InspectorPane::commit(QLineEdit* field) {
    if (!field->isModified())
        return;
    field->setModified(false);
    const NodeRef node = m_selection.current();
    const bool isRefused = !tell(field == m_name ? renameNode(m_document, node, field->text())
                                                 : setTarget(m_document, node, field->text()));
    // What was typed stays, so that it can be mended.
    field->setModified(isRefused && field->hasFocus());
}

bool InspectorPane::tell(const QString& reason) {
    m_fault->setText(reason);
    m_fault->setVisible(!reason.isEmpty());
    return reason.isEmpty();
}

QTreeWidgetItem* InspectorPane::addSection(const QString& title) {
    auto* section = new QTreeWidgetItem(m_rows, {title});
    section->setFirstColumnSpanned(true);
    section->setFlags(Qt::ItemIsEnabled);
    QFont font = m_rows->font();
    font.setWeight(QFont::DemiBold);
    section->setFont(0, font);
    section->setForeground(0, m_theme.tokens().dim);
    section->setExpanded(true);
    return section;
}

void InspectorPane::showNode() {
    m_isFilling = true;
    m_fault->hide();
    m_rows->clear();
    const NodeId id = m_selection.currentNode();
    m_form->setVisible(bool(id));
    m_hint->setVisible(!id);
    if (!id) {
        showScope();
        m_isFilling = false;
        return;
    }
    const Graph& graph = m_document.model().graph(m_selection.graph());
    const Node& node = graph.node(id);
    setField(m_name, node.name);
    setField(m_target, node.target.name());
    m_target->setCursorPosition(0);
    m_target->setEnabled(node.opcode != Opcode::Placeholder && node.opcode != Opcode::Output);
    m_opcode->setText(qt(info(node.opcode).name) + "  " + QChar(0xB7) + "  " + qt(info(node.opcode).meaning));
    addArguments(node);
    addSizes(m_selection.current());
    addGradients(m_selection.current());
    std::vector<NodeId> inputs;
    for (const InputUse& use : node.inputs)
        inputs.push_back(use.node);
    addLinks("Inputs", m_selection.graph(), inputs);
    addLinks("Users", m_selection.graph(), std::vector<NodeId>(node.users.begin(), node.users.end()));
    for (const Counterparts& others : CounterpartFinder(m_document.model(), m_selection.graph()).of(id))
        addLinks(qt(others.title), others.module, others.nodes);
    addMeta(node);
    m_rows->resizeColumnToContents(0);
    m_rows->setColumnWidth(0, std::min(m_rows->columnWidth(0) + 12, 220));
    m_isFilling = false;
}

void InspectorPane::showScope() {
    const int index =
        m_selection.scope().isEmpty() ? -1 : m_selection.scopes().find(utf8(m_selection.scope()));
    if (index < 0) {
        m_hint->setText("Select a node to see and change what it calls.");
        return;
    }
    const Scope& scope = m_selection.scopes().scope(index);
    m_hint->setText(qt(scope.path) + "  " + QChar(0xB7) + "  " + qt(scope.type) + "  " + QChar(0xB7) + "  " +
                    qt(plural(scope.nodeCount, "node")));
    addLinks("Nodes of its own", m_selection.graph(), scope.nodes);
}

void InspectorPane::addArguments(const Node& node) {
    const Graph& graph = m_document.model().graph(m_selection.graph());
    const std::vector<ArgumentPlace> places = argumentPlaces(m_document.model(), m_selection.graph(), node);
    if (places.empty())
        return;
    QTreeWidgetItem* section = addSection("Arguments");
    for (const ArgumentPlace& place : places) {
        const CallParameter& parameter = place.parameter;
        const std::string whole = place.value ? argumentText(*place.value, graph) : parameter.defaultText;
        const QString text = qt(whole);
        const bool isWhole = text == wholeQt(whole);
        auto* row =
            new QTreeWidgetItem(section, {place.value ? qt(parameter.name) : labelOf(parameter), text});
        row->setData(0, kIndexRole, place.index);
        row->setData(0, kKeyRole, place.index < 0 ? wholeQt(parameter.name) : QString());
        row->setData(0, kTextRole, text);
        if (isWhole)
            row->setFlags(row->flags() | Qt::ItemIsEditable);
        row->setForeground(0, m_theme.tokens().dim);
        row->setFont(1, m_theme.fixedFont());
        QString tip = !isWhole      ? text + "\nToo long to be changed here: the code has all of it"
                      : place.value ? text + "\nDouble-click to change, Del to take it away"
                                    : QString("The default. Double-click to set another");
        if (!parameter.type.empty())
            tip.prepend(qt(parameter.type) + '\n');
        row->setToolTip(1, plainTip(tip));
        if (!place.value)
            row->setForeground(1, m_theme.tokens().dim);
    }
}

void InspectorPane::addLinks(const QString& title, ModuleId module, const std::vector<NodeId>& nodes) {
    const Graph& graph = m_document.model().graph(module);
    QTreeWidgetItem* section = addSection(QString("%1  %2").arg(title).arg(nodes.size()));
    for (NodeId id : nodes) {
        const Node& node = graph.node(id);
        const ValueMeta* value = knownValue(node.meta);
        auto* row =
            new QTreeWidgetItem(section, {qt(node.name), value ? qt(valueMetaText(*value)) : QString()});
        row->setData(0, kNodeRole, id.value);
        row->setData(0, kModuleRole, module.value);
        row->setForeground(0, m_theme.tokens().selection);
        row->setFont(1, m_theme.fixedFont());
        row->setForeground(1, m_theme.tokens().dim);
        row->setToolTip(0, plainTip("Go to " + qt(node.name)));
    }
}

void InspectorPane::addFact(QTreeWidgetItem* section, const QString& name, const QString& text) {
    auto* row = new QTreeWidgetItem(section, {name, text});
    row->setForeground(0, m_theme.tokens().dim);
    row->setFont(1, m_theme.fixedFont());
    row->setToolTip(1, plainTip(text));
}

bool InspectorPane::isBeingEdited() const {
    return m_name->isModified() || m_target->isModified() || m_rows->viewport()->findChild<QLineEdit*>();
}

/// As formulas, and what the node asks of the symbols.
void InspectorPane::addSizes(NodeRef node) {
    const ValueMeta* value = m_sizes.valueOf(node);
    if (!value)
        return;
    QTreeWidgetItem* section = addSection("Sizes");
    addFact(section, "value", qt(valueMetaText(*value)));
    for (const SizeNote& note : m_sizes.found().asked)
        if (note.node == node)
            addFact(section, "asks for", qt(note.text));
    for (const SizeNote& note : m_sizes.found().notes)
        if (note.node == node)
            addFact(section, "note", qt(note.text));
}

/// Of its value and of the parameters that it reads.
void InspectorPane::addGradients(NodeRef node) {
    if (m_debug.gradients().loss().isEmpty())
        return;
    QTreeWidgetItem* section = addSection("Gradients");
    section->setToolTip(0, plainTip("Of " + m_debug.gradients().loss()));
    const auto add = [&](const QString& name, const GradientRecord* gradient) {
        if (!gradient)
            return;
        const bool isSound = gradient->health.isFinite();
        const QString text =
            !gradient->absence.empty()
                ? "none: " + qt(gradient->absence)
                : qt(valueMetaText(gradient->value)) + (!isSound ? gradient->health.hasNan ? "  NaN" : "  Inf"
                                                        : gradient->health.isZero() ? "  all zero"
                                                                                    : "");
        auto* row = new QTreeWidgetItem(section, {name, text});
        row->setForeground(0, m_theme.tokens().dim);
        row->setFont(1, m_theme.fixedFont());
        if (!isSound)
            row->setForeground(1, m_theme.tokens().fault);
        row->setToolTip(1, plainTip(text));
    };
    add("value", m_debug.gradients().find(node));
    for (const ReadTensor& tensor : tensorsReadBy(m_document.model(), node.module, node.node))
        add(qt(tensor.name), m_debug.gradients().find({}, tensor.tensor));
    if (section->childCount() == 0)
        delete section;
}

void InspectorPane::addMeta(const Node& node) {
    if (node.meta.entries().empty() && !node.type)
        return;
    const Graph& graph = m_document.model().graph(m_selection.graph());
    QTreeWidgetItem* section = addSection("Metadata");
    if (node.type)
        addFact(section, "type", qt(*node.type));
    for (const auto& [key, value] : node.meta.entries())
        addFact(section, qt(key), metaText(value, graph));
}

void InspectorPane::editArgument(QTreeWidgetItem* item) {
    const QString text = item->text(1).trimmed();
    if (!item->data(0, kIndexRole).isValid() || text == item->data(0, kTextRole).toString())
        return;
    // The edit rebuilds the rows, this one among them.
    const int index = item->data(0, kIndexRole).toInt();
    const QString key = item->data(0, kKeyRole).toString();
    QMetaObject::invokeMethod(
        this,
        [this, index, key, text] {
            const NodeRef node = m_selection.current();
            takeArgument(text.isEmpty() ? removeArgument(m_document, node, index, key)
                                        : setArgument(m_document, node, index, key, text),
                         index, key);
        },
        Qt::QueuedConnection);
}

void InspectorPane::takeArgument(const QString& reason, int index, const QString& key) {
    if (tell(reason))
        return;
    for (QTreeWidgetItemIterator row(m_rows); *row; ++row)
        if ((*row)->data(0, kIndexRole).isValid() && (*row)->data(0, kIndexRole).toInt() == index &&
            (*row)->data(0, kKeyRole).toString() == key) {
            m_rows->setCurrentItem(*row, 1);
            m_rows->editItem(*row, 1); // as above
            return;
        }
}

bool InspectorPane::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (watched != m_rows) {
        if (key != Qt::Key_Escape)
            return QWidget::eventFilter(watched, event);
        showNode();
        return true;
    }
    const QTreeWidgetItem* item = m_rows->currentItem();
    const bool isArgument = item && item->data(0, kIndexRole).isValid();
    if (!isArgument || (key != Qt::Key_Delete && key != Qt::Key_Backspace))
        return QWidget::eventFilter(watched, event);
    tell(removeArgument(m_document, m_selection.current(), item->data(0, kIndexRole).toInt(),
                        item->data(0, kKeyRole).toString()));
    return true;
}

} // namespace fx::ui
