// SPDX-License-Identifier: GPL-3.0-or-later
// The program's line icons in the colour of the theme, sharp at every scale.
#pragma once

#include <QColor>
#include <QIcon>
#include <QString>

namespace fx::ui {

/// The icon resources/icons/NAME.svg drawn in `color`, paler where disabled.
QIcon icon(const QString& name, const QColor& color, const QColor& disabled);

} // namespace fx::ui
