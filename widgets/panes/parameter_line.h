// SPDX-License-Identifier: GPL-3.0-or-later
// A line for one parameter of a call, as forms of calls have one for each.
#pragma once

#include "core/rewrite/callables.h"

#include <QFont>
#include <QLineEdit>

namespace fx::ui {

/// What must be given has a star behind its name.
QString labelOf(const CallParameter& parameter);
/// With the default, or else the type, in grey while nothing is written.
QLineEdit* parameterLine(const CallParameter& parameter, const QString& text, const QFont& fixedFont);

} // namespace fx::ui
