// SPDX-License-Identifier: GPL-3.0-or-later
// What the actions of the window are called, their keys and explanations. Which menu has them:
// action_menus.cpp.
#pragma once

#include "app/gui/actions.h"

#include <span>

namespace fx {

struct ActionRow {
    QAction* Actions::*member;
    const char *text, *key, *icon, *tip;
    bool isCheckable = false;
};

std::span<const ActionRow> actionRows();

} // namespace fx
