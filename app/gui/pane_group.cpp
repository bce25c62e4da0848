// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pane_group.h"

#include <QVBoxLayout>

namespace fx::ui {

PaneGroup::PaneGroup(const QStringList& titles) : m_stack(new QStackedWidget) {
    auto* names = new QVBoxLayout;
    names->setContentsMargins(8, 6, 4, 6);
    names->setSpacing(2);
    for (const QString& title : titles) {
        auto* name = new QPushButton;
        name->setObjectName("paneName");
        name->setText(title);
        name->setCheckable(true);
        name->setAutoExclusive(true);
        name->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        connect(name, &QPushButton::clicked, this,
                [this, pane = static_cast<int>(m_names.size())] { show(pane); });
        names->addWidget(name);
        m_names << name;
    }
    names->addStretch();
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addLayout(names);
    row->addWidget(m_stack, 1);
    show(0);
}

void PaneGroup::setPanes(const QList<QWidget*>& panes) {
    while (m_stack->count() > 0) {
        QWidget* old = m_stack->widget(0);
        m_stack->removeWidget(old);
        old->hide();
        old->setParent(nullptr);
    }
    for (QWidget* pane : panes)
        m_stack->addWidget(pane);
    show(m_shown);
}

void PaneGroup::setTitle(int pane, const QString& title) {
    m_names[pane]->setText(title);
}

void PaneGroup::show(int pane) {
    m_shown = pane;
    m_names[pane]->setChecked(true);
    m_stack->setCurrentIndex(pane);
    setFocusProxy(m_stack->currentWidget());
}

} // namespace fx::ui
