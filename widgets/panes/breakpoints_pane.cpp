// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/breakpoints_pane.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/run/breakpoints.h"
#include "widgets/session/debug_service.h"
#include "widgets/session/selection.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>

namespace fx::ui {

namespace {

QString placeText(const Model& model, const Breakpoint& b) {
    switch (b.kind) {
    case Breakpoint::Kind::Node:
        return qt(model.graph(b.node.module).node(b.node.node).name);
    case Breakpoint::Kind::Opcode:
        return "op = " + qt(b.text);
    case Breakpoint::Kind::Target:
        return "target = " + qt(b.text);
    case Breakpoint::Kind::Scope:
        return "scope = " + qt(b.text);
    case Breakpoint::Kind::NonFinite:
        return "NaN or Inf in any value";
    }
    return {};
}

} // namespace

BreakpointsPane::BreakpointsPane(DebugService& debug, Selection& selection, const Theme& theme, HelpFor help)
    : m_debug(debug), m_selection(selection), m_theme(theme), m_help(std::move(help)),
      m_list(new QTreeWidget), m_line(new QLineEdit), m_fault(new QLabel), m_hint(new QLabel) {
    m_list->setObjectName("breakpointList");
    m_list->setAccessibleName("Breakpoints");
    m_list->setColumnCount(3);
    m_list->setHeaderHidden(true);
    m_list->setRootIsDecorated(false);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setMinimumSectionSize(8);
    m_list->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    m_list->header()->setSectionResizeMode(1, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    m_list->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    m_list->setContextMenuPolicy(Qt::CustomContextMenu);
    m_list->installEventFilter(this);
    m_line->setObjectName("breakpointLine");
    m_line->setAccessibleName("New breakpoint");
    m_line->setPlaceholderText("Add: node, op=…, scope=…, nan");
    m_line->setToolTip("A node's name, op=call_method, target=aten.relu.default, scope=layer1.0 or nan;\n"
                       "after a comma a condition, such as relu_1, relu_1.max() > 3");
    m_fault->setObjectName("fault");
    m_fault->setWordWrap(true);
    m_fault->setTextFormat(Qt::PlainText);
    m_fault->hide();
    m_hint->setObjectName("dim");
    m_hint->setWordWrap(true);
    m_hint->setText("None yet. F9 sets one.");
    m_list->setItemDelegateForColumn(1, new CompletingDelegate(m_help, m_list));
    new Completion(*m_line, [this](const QString& text) { return lineHelp(text); });
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 0, 8, 8);
    column->setSpacing(4);
    auto* hintRow = new QHBoxLayout;
    hintRow->setContentsMargins(6, 0, 6, 0);
    hintRow->addWidget(m_hint);
    column->addLayout(hintRow);
    column->addWidget(m_list, 1);
    column->addWidget(m_fault);
    column->addWidget(m_line);
    connect(&debug.breakpoints(), &Breakpoints::changed, this, &BreakpointsPane::refresh);
    connect(&theme, &Theme::changed, this, &BreakpointsPane::refresh);
    connect(m_list, &QTreeWidget::itemChanged, this, &BreakpointsPane::take);
    connect(m_list, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item, int column) {
        const int index = m_list->indexOfTopLevelItem(item);
        const Breakpoint b = m_debug.breakpoints().all()[static_cast<size_t>(index)];
        if (b.kind == Breakpoint::Kind::Node && column == 0)
            m_selection.select(b.node);
    });
    connect(m_list, &QWidget::customContextMenuRequested, this, [this](const QPoint& at) {
        QTreeWidgetItem* item = m_list->itemAt(at);
        if (!item)
            return;
        QMenu menu;
        // A run that stops meanwhile makes the items anew.
        const int row = m_list->indexOfTopLevelItem(item);
        menu.addAction("Edit condition…", this, [this, row] {
            if (QTreeWidgetItem* now = m_list->topLevelItem(row))
                m_list->editItem(now, 1);
        });
        menu.addAction("Remove", this, &BreakpointsPane::remove);
        menu.exec(m_list->mapToGlobal(at));
    });
    connect(m_line, &QLineEdit::returnPressed, this, &BreakpointsPane::add);
    refresh();
}

void BreakpointsPane::refresh() {
    m_isFilling = true;
    m_list->clear();
    const std::vector<Breakpoint> all = m_debug.breakpoints().all();
    m_hint->setVisible(all.empty());
    m_list->setVisible(!all.empty());
    for (const Breakpoint& b : all) {
        const QString place = placeText(m_debug.model(), b);
        auto* item = new QTreeWidgetItem(
            m_list, {place, wholeQt(b.condition), b.hits ? qt(plural(b.hits, "hit")) : ""});
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable |
                       Qt::ItemIsEditable);
        item->setCheckState(0, b.isEnabled ? Qt::Checked : Qt::Unchecked);
        item->setFont(1, m_theme.fixedFont());
        item->setForeground(1, m_theme.tokens().dim);
        item->setForeground(2, m_theme.tokens().dim);
        item->setToolTip(0, plainTip(QString("Breakpoint %1: stops before %2").arg(b.id).arg(place)));
        item->setToolTip(1, b.condition.empty() ? "Double-click to stop only if a condition holds"
                                                : plainTip("stops only if " + qt(b.condition)));
    }
    m_isFilling = false;
}

void BreakpointsPane::take(QTreeWidgetItem* item, int column) {
    if (m_isFilling)
        return;
    std::vector<Breakpoint> all = m_debug.breakpoints().all();
    Breakpoint& b = all[static_cast<size_t>(m_list->indexOfTopLevelItem(item))];
    if (column == 0)
        b.isEnabled = item->checkState(0) == Qt::Checked;
    else if (column == 1)
        try {
            setCondition(b, utf8(item->text(1)));
        } catch (const Error& error) {
            // What was typed stays to be mended.
            tell(error);
            return;
        }
    m_fault->hide();
    QMetaObject::invokeMethod(
        this, [this, all] { m_debug.breakpoints().set(all); }, Qt::QueuedConnection);
}

void BreakpointsPane::remove() {
    const int index = m_list->indexOfTopLevelItem(m_list->currentItem());
    std::vector<Breakpoint> all = m_debug.breakpoints().all();
    if (index < 0 || index >= static_cast<int>(all.size()))
        return;
    all.erase(all.begin() + index);
    m_debug.breakpoints().set(std::move(all));
}

void BreakpointsPane::add() {
    m_fault->hide();
    const QString text = m_line->text().trimmed();
    if (text.isEmpty())
        return;
    try {
        std::vector<Breakpoint> all = m_debug.breakpoints().all();
        addBreakpoint(all, m_debug.console().parseBreakpoint(utf8(text)));
        m_debug.breakpoints().set(std::move(all));
        m_line->clear();
    } catch (const Error& error) {
        tell(error);
    }
}

ExpressionHelp BreakpointsPane::lineHelp(const QString& text) const {
    const qsizetype comma = text.indexOf(',');
    const QByteArray place = text.left(comma < 0 ? text.size() : comma + 1).toUtf8();
    if (comma >= 0) {
        ExpressionHelp out = m_help(text.mid(comma + 1));
        out.begin += static_cast<size_t>(place.size());
        return out;
    }
    ExpressionHelp out;
    const std::string asked = "break ";
    if (!text.isEmpty())
        for (const std::string& line : m_debug.console().completions(asked + place.toStdString()))
            out.offers.push_back({line.substr(asked.size()), ""});
    return out;
}

void BreakpointsPane::tell(const Error& error) {
    m_fault->setText(faultText(error.message()).section('\n', 0, 0));
    m_fault->show();
}

bool BreakpointsPane::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Delete) {
        remove();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace fx::ui
