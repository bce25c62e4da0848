// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/toast.h"

#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QAccessible>
#include <QEvent>

namespace fx::ui {

namespace {

constexpr int kLeastTime = 4000, kTimePerLetter = 45; ///< milliseconds

} // namespace

Toast::Toast(QWidget& over, const Theme& theme) : QLabel(&over), m_theme(theme) {
    setObjectName("toast");
    setWordWrap(true);
    setTextFormat(Qt::PlainText);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &QWidget::hide);
    over.installEventFilter(this);
    hide();
}

void Toast::tell(const QString& told, bool isFault) {
    const QString text = shown(told);
    const Tokens& t = m_theme.tokens();
    setStyleSheet(
        QString("QLabel#toast { background: %1; color: %2; border: 1px solid %3; border-radius: 6px; "
                "padding: 8px 12px; }")
            .arg((isFault ? t.faultBack : t.panel).name(), (isFault ? t.fault : t.text).name(),
                 (isFault ? t.fault : t.line).name()));
    setText(text);
    setAccessibleName(text);
    place();
    show();
    raise();
    m_timer.start(kLeastTime + kTimePerLetter * static_cast<int>(text.size()));
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void Toast::place() {
    const QWidget& over = *parentWidget();
    const int most = std::max(120, std::min(560, over.width() - 40));
    const int natural = fontMetrics().horizontalAdvance(text()) + 30;
    const int width = std::min(most, natural);
    setFixedWidth(width);
    setFixedHeight(heightForWidth(width));
    move((over.width() - width) / 2, over.height() - height() - 20);
}

bool Toast::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && isVisible())
        place();
    return QLabel::eventFilter(watched, event);
}

void Toast::mousePressEvent(QMouseEvent*) {
    hide();
}

} // namespace fx::ui
