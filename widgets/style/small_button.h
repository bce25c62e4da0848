// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QString;
class QToolButton;

namespace fx::ui {

class Theme;

/// A button for titles and tabs, which takes no focus; its icon is one of icon()'s, and follows the theme.
QToolButton* smallButton(const char* icon, const QString& tip, const Theme& theme);

} // namespace fx::ui
