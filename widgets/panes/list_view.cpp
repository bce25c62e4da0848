// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/list_view.h"

#include <QPainter>

namespace fx::ui {

namespace {

class ListView : public QTreeView {
public:
    explicit ListView(QString emptyText) : m_emptyText(std::move(emptyText)) {}

protected:
    void paintEvent(QPaintEvent* event) override {
        QTreeView::paintEvent(event);
        if (model()->rowCount() > 0)
            return;
        QPainter painter(viewport());
        painter.setPen(palette().color(QPalette::Disabled, QPalette::ToolTipText));
        painter.drawText(viewport()->rect().adjusted(6, 6, -6, -6),
                         Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_emptyText);
    }

private:
    QString m_emptyText;
};

} // namespace

QTreeView* makeListView(QAbstractItemModel& model, const QString& accessibleName, const QString& emptyText) {
    auto* view = new ListView(emptyText);
    view->setModel(&model);
    view->setAccessibleName(accessibleName);
    view->setRootIsDecorated(false);
    view->setUniformRowHeights(true);
    view->setAllColumnsShowFocus(true);
    view->setTextElideMode(Qt::ElideMiddle);
    view->header()->setStretchLastSection(true);
    view->header()->setHighlightSections(false);
    const auto showHeader = [view] { view->setHeaderHidden(view->model()->rowCount() == 0); };
    QObject::connect(&model, &QAbstractItemModel::modelReset, view, showHeader);
    QObject::connect(&model, &QAbstractItemModel::rowsInserted, view, showHeader);
    showHeader();
    return view;
}

} // namespace fx::ui
