// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/disk_notice.h"

#include <QAccessible>
#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include <algorithm>

namespace fx::ui {

DiskNotice::DiskNotice(QWidget& over, QAction& reload)
    : QFrame(&over), m_text(new QLabel), m_reload(new QPushButton("Reload")) {
    setObjectName("notice");
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_reload->setToolTip(reload.toolTip());
    auto* dismiss = new QPushButton("Dismiss");
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 6, 8, 6);
    row->addWidget(m_text, 1);
    for (QPushButton* each : {m_reload, dismiss}) {
        each->setObjectName("link");
        row->addWidget(each);
    }
    connect(m_reload, &QPushButton::clicked, &reload, &QAction::trigger);
    connect(dismiss, &QPushButton::clicked, this, &QWidget::hide);
    over.installEventFilter(this);
    hide();
}

void DiskNotice::tell(const QString& text, bool canReload) {
    m_text->setText(text);
    m_reload->setVisible(canReload);
    setAccessibleName(text);
    place();
    show();
    raise();
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

QString DiskNotice::text() const {
    return m_text->text();
}

void DiskNotice::place() {
    constexpr int kSpace = 190; // for the buttons
    const int natural = m_text->fontMetrics().horizontalAdvance(m_text->text()) + kSpace;
    const int width = std::min(natural, std::max(240, parentWidget()->width() - 40));
    setFixedWidth(width);
    setFixedHeight(layout()->heightForWidth(width));
    move((parentWidget()->width() - width) / 2, 14);
}

bool DiskNotice::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && isVisible())
        place();
    return QFrame::eventFilter(watched, event);
}

} // namespace fx::ui
