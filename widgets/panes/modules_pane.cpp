// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/modules_pane.h"

#include "widgets/document/graph_document.h"
#include "widgets/models/module_tree.h"
#include "widgets/session/selection.h"
#include "widgets/support/qt_text.h"

#include <QFileInfo>
#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace fx::ui {

namespace {

/// The name, and after it, quieter, the class or the shape.
class EntryDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        const double nameWidth = option.fontMetrics.horizontalAdvance(index.data().toString());
        const QRectF rest = QRectF(option.rect).adjusted(nameWidth + 14, 0, -4, 0);
        const QString type = index.siblingAtColumn(ModuleTree::Type).data().toString();
        if (rest.width() < 24 || type.isEmpty())
            return;
        painter->save();
        painter->setFont(option.font);
        painter->setPen(option.palette.color(QPalette::PlaceholderText));
        painter->drawText(
            rest, Qt::AlignVCenter | Qt::AlignLeft,
            option.fontMetrics.elidedText(type, Qt::ElideRight, static_cast<int>(rest.width())));
        painter->restore();
    }
};

} // namespace

ModulesPane::ModulesPane(const GraphDocument& document, Selection& selection)
    : m_document(document), m_selection(selection), m_tree(new ModuleTree(this)), m_view(new QTreeView) {
    m_view->setAccessibleName("Modules");
    m_view->setModel(m_tree);
    m_view->setHeaderHidden(true);
    m_view->setUniformRowHeights(true);
    m_view->setIndentation(14);
    m_view->header()->setStretchLastSection(false);
    m_view->header()->setMinimumSectionSize(24);
    m_view->header()->setSectionResizeMode(ModuleTree::Name, QHeaderView::Stretch);
    m_view->header()->setSectionResizeMode(ModuleTree::Size, QHeaderView::ResizeToContents);
    m_view->setColumnHidden(ModuleTree::Type, true);
    m_view->setItemDelegateForColumn(ModuleTree::Name, new EntryDelegate(m_view));
    m_view->setExpandsOnDoubleClick(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 0, 4, 4);
    column->addWidget(m_view);
    setFocusProxy(m_view);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, &ModulesPane::choose);
    connect(m_view, &QTreeView::clicked, this, &ModulesPane::choose);
    connect(m_view, &QTreeView::doubleClicked, this, [this](const QModelIndex& index) {
        const ModuleEntry& entry = m_tree->entry(index);
        if (entry.graph)
            m_selection.showGraph(entry.graph);
        else if (entry.hasScope) {
            m_selection.revealScope(entry.path);
            m_selection.setExpanded(utf8(entry.path), !m_selection.isExpanded(utf8(entry.path)));
        } else
            m_view->setExpanded(index, !m_view->isExpanded(index));
    });
    connect(&selection, &Selection::changed, this, &ModulesPane::showSelection);
    connect(&document, &GraphDocument::saved, this, &ModulesPane::rebuild); // the root is called as the file
    connect(&document, &GraphDocument::changed, this, [this](const Changes& changes) {
        // Modules and the calls of them come and go; new arguments change nothing here.
        for (const Change& change : changes) {
            const auto* step = std::get_if<GraphChange>(&change.step);
            if (!step || std::holds_alternative<NodeCreated>(*step) ||
                std::holds_alternative<NodeErased>(*step)) {
                rebuild();
                return;
            }
        }
    });
    rebuild();
}

void ModulesPane::rebuild() {
    m_isFollowing = true;
    const Model& model = m_document.model();
    m_tree->setModel(model, ScopeTree(model.graph()), QFileInfo(m_document.title()).completeBaseName());
    m_view->expandToDepth(m_tree->rowCount(m_tree->index(0, 0)) > 40 ? 0 : 1);
    m_isFollowing = false;
    showSelection();
    Q_EMIT totalsChanged(totals());
}

QString ModulesPane::totals() const {
    const ModuleEntry& root = m_tree->entry(m_tree->index(0, 0));
    if (root.count == 0)
        return root.bytes == 0 ? "no parameters" : byteLabel(root.bytes);
    return countLabel(root.count) + " params " + QChar(0xB7) + ' ' + byteLabel(root.bytes);
}

void ModulesPane::choose(const QModelIndex& index) {
    if (m_isFollowing || !index.isValid())
        return;
    m_isFollowing = true;
    const ModuleEntry& entry = m_tree->entry(index);
    if (entry.kind == ModuleEntry::Kind::Module) {
        if (entry.hasScope && m_selection.graph() != m_document.model().root())
            m_selection.showGraph(m_document.model().root());
        m_selection.selectScope(entry.path);
    } else {
        m_selection.selectTensor(entry.path);
    }
    m_isFollowing = false;
}

void ModulesPane::showSelection() {
    if (m_isFollowing)
        return;
    QString path = m_selection.scope();
    if (const NodeId id = m_selection.currentNode(); id && m_selection.graph() == m_document.model().root()) {
        const Node& node = m_document.model().graph().node(id);
        path = node.opcode == Opcode::GetAttr ? qt(node.target.name())
                                              : qt(modulePathOf(m_selection.scopes(), id));
    }
    path = path.section('@', 0, 0);
    m_isFollowing = true;
    const QModelIndex index = path.isEmpty() ? QModelIndex() : m_tree->find(path);
    m_view->setCurrentIndex(index);
    if (index.isValid())
        m_view->scrollTo(index);
    m_isFollowing = false;
}

} // namespace fx::ui
