// SPDX-License-Identifier: GPL-3.0-or-later
// What a user can do and by which keys: the command palette, the list of keys, the version.
#pragma once

#include "app/gui/window_context.h"

namespace fx::ui {

class PassesController;

class HelpController : public QObject {
public:
    HelpController(const WindowContext& context, PassesController& passes);

private:
    /// Lists the enabled actions, the passes of the user's files and the panes, to be found by name.
    void openPalette();
    void showKeys();
    void showAbout();

    const WindowContext m_context;
    PassesController& m_passes;
};

} // namespace fx::ui
