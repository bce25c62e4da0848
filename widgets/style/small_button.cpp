// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/small_button.h"

#include "widgets/style/icons.h"
#include "widgets/style/theme.h"

#include <QToolButton>

namespace fx::ui {

QToolButton* smallButton(const char* icon, const QString& tip, const Theme& theme) {
    auto* button = new QToolButton;
    button->setFixedSize(20, 20);
    button->setIconSize(QSize(12, 12));
    button->setStyleSheet("padding: 2px;");
    button->setFocusPolicy(Qt::NoFocus);
    button->setToolTip(tip);
    const auto dress = [button, icon, &theme] {
        button->setIcon(ui::icon(icon, theme.tokens().dim, theme.tokens().faint));
    };
    QObject::connect(&theme, &Theme::changed, button, dress);
    dress();
    return button;
}

} // namespace fx::ui
