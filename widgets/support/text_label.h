// SPDX-License-Identifier: GPL-3.0-or-later
// Labels for texts that are made as the program runs.
#pragma once

#include <QLabel>

namespace fx::ui {

/// Shows its text as it is, in lines as wide as there is room, to be selected and copied. `objectName`: by
/// which the style sheet knows it.
QLabel* textLabel(const char* objectName);

} // namespace fx::ui
