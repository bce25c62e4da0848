// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/watches_pane.h"

#include "widgets/models/rows_model.h"
#include "widgets/session/watches.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>

namespace fx::ui {

/// One row a watch, and an empty one to type the next into.
class WatchRows : public RowsModel<Watch> {
public:
    using Take = std::function<void(int row, const QString& expression)>;

    WatchRows(const Theme& theme, Take take, QObject* parent)
        : RowsModel({"Expression", "Value"}, parent), m_theme(theme), m_take(std::move(take)) {}

    bool isEmpty(int row) const { return row == rowCount() - 1; }
    /// Keeps rows, selection and an editor that is open, unless watches came or went.
    void setWatches(std::vector<Watch> watches) {
        watches.emplace_back();
        if (watches.size() != rows().size()) {
            setRows(std::move(watches));
            return;
        }
        replace(std::move(watches));
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, 1));
    }

    Qt::ItemFlags flags(const QModelIndex& index) const override {
        Qt::ItemFlags out = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
        return index.column() == 0 ? out | Qt::ItemIsEditable : out;
    }
    bool setData(const QModelIndex& index, const QVariant& value, int role) override {
        if (role == Qt::EditRole)
            m_take(index.row(), value.toString());
        return role == Qt::EditRole;
    }

protected:
    QVariant cell(const Watch& watch, int column, int role) const override {
        const Tokens& t = m_theme.tokens();
        const bool isNew = &watch == &rows().back();
        switch (role) {
        case Qt::DisplayRole:
            if (column == 0)
                return isNew ? "Add: x.mean(), relu_1.shape…" : watch.expression;
            return (watch.isChanged ? QString(QChar(0x2022)) + ' ' : QString()) + watch.value;
        case Qt::EditRole:
            return watch.expression;
        case Qt::FontRole: {
            QFont font = isNew ? m_theme.textFont() : m_theme.fixedFont();
            if (column == 1 && watch.isFault)
                font = m_theme.textFont();
            font.setBold(column == 1 && watch.isChanged);
            return font;
        }
        case Qt::ForegroundRole:
            if (isNew || watch.isFault)
                return column == 0 && !isNew ? t.text : t.dim;
            return column == 0 ? t.text : t.number;
        case Qt::TextAlignmentRole:
            return column == 1 ? int(Qt::AlignRight | Qt::AlignVCenter)
                               : int(Qt::AlignLeft | Qt::AlignVCenter);
        case Qt::ToolTipRole:
            if (isNew)
                return "An expression of Python over the values so far, with node names as variables";
            if (watch.text.isEmpty())
                return plainTip(watch.expression + "\nIts value is shown when a run stops.");
            return plainTip(watch.expression + '\n' + watch.text +
                            (watch.isChanged
                                 ? "\n\nchanged since the stop before, where it was\n" + watch.previous
                                 : ""));
        default:
            return {};
        }
    }

private:
    const Theme& m_theme;
    Take m_take;
};

WatchesPane::WatchesPane(Watches& watches, const Theme& theme, HelpFor help)
    : m_watches(watches), m_theme(theme), m_view(new QTreeView) {
    // What was typed is taken after the editor has closed: the rows may change.
    m_rows = new WatchRows(
        theme,
        [this](int row, const QString& expression) {
            QMetaObject::invokeMethod(
                this,
                [this, row, expression] {
                    if (row < static_cast<int>(m_watches.all().size()))
                        m_watches.change(row, expression);
                    else
                        m_watches.add(expression);
                },
                Qt::QueuedConnection);
        },
        this);
    m_view->setModel(m_rows);
    m_view->setItemDelegateForColumn(0, new CompletingDelegate(std::move(help), m_view));
    m_view->setObjectName("watchList");
    m_view->setAccessibleName("Watches");
    m_view->setHeaderHidden(true);
    m_view->setRootIsDecorated(false);
    m_view->setUniformRowHeights(true);
    m_view->setAllColumnsShowFocus(true);
    m_view->setTextElideMode(Qt::ElideRight);
    m_view->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                            QAbstractItemView::AnyKeyPressed);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->header()->setStretchLastSection(true);
    m_view->header()->setMinimumSectionSize(60);
    m_view->installEventFilter(this);
    setFocusProxy(m_view);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 0, 8, 8);
    column->addWidget(m_view);
    connect(m_view, &QAbstractItemView::clicked, this, [this](const QModelIndex& index) {
        if (m_rows->isEmpty(index.row()))
            m_view->edit(index.siblingAtColumn(0));
    });
    connect(m_view, &QWidget::customContextMenuRequested, this, &WatchesPane::openMenu);
    connect(&watches, &Watches::changed, this, &WatchesPane::refresh);
    connect(&theme, &Theme::changed, this, &WatchesPane::refresh);
    refresh();
}

void WatchesPane::refresh() {
    m_rows->setWatches(m_watches.all());
    // After one is added the next can be typed.
    if (!m_view->currentIndex().isValid())
        m_view->selectionModel()->setCurrentIndex(m_rows->index(m_rows->rowCount() - 1, 0),
                                                  QItemSelectionModel::NoUpdate);
    m_view->setFirstColumnSpanned(m_rows->rowCount() - 1, {}, true);
    fitColumns();
}

/// Expressions as wide as they are, but the larger half at most; the rest is for values.
void WatchesPane::fitColumns() {
    const QFontMetrics metrics(m_theme.fixedFont());
    int widest = 0;
    for (const Watch& watch : m_watches.all())
        widest = std::max(widest, metrics.horizontalAdvance(watch.expression));
    m_view->header()->resizeSection(0, std::min(widest + 20, m_view->viewport()->width() * 55 / 100));
}

void WatchesPane::remove() {
    const int row = m_view->currentIndex().row();
    if (row < 0 || m_rows->isEmpty(row))
        return;
    m_watches.remove(row);
    m_view->setCurrentIndex(m_rows->index(row, 0));
}

void WatchesPane::openMenu(const QPoint& at) {
    const QModelIndex index = m_view->indexAt(at);
    QMenu menu;
    if (!index.isValid() || m_rows->isEmpty(index.row())) {
        menu.addAction("Add expression…", this,
                       [this] { m_view->edit(m_rows->index(m_rows->rowCount() - 1, 0)); });
    } else {
        menu.addAction("Edit expression…", this, [this, index] { m_view->edit(index.siblingAtColumn(0)); });
        menu.addAction("Copy value", this,
                       [text = m_rows->row(index.row()).text] { QApplication::clipboard()->setText(text); })
            ->setEnabled(!m_rows->row(index.row()).text.isEmpty());
        menu.addAction("Remove", this, &WatchesPane::remove);
    }
    menu.exec(m_view->viewport()->mapToGlobal(at));
}

bool WatchesPane::eventFilter(QObject* watched, QEvent* event) {
    // Here F2 edits the expression; elsewhere it renames the selected node.
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_F2 &&
        static_cast<QKeyEvent*>(event)->modifiers() == Qt::NoModifier) {
        event->accept();
        return true;
    }
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Delete && m_view->hasFocus()) {
            remove();
            return true;
        }
        // An editor lets its Return pass on to here.
        if ((key == Qt::Key_Return || key == Qt::Key_Enter) && m_view->hasFocus()) {
            m_view->edit(m_view->currentIndex().siblingAtColumn(0));
            return true;
        }
    }
    if (event->type() == QEvent::Resize)
        fitColumns();
    return QWidget::eventFilter(watched, event);
}

} // namespace fx::ui
