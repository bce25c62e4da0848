// SPDX-License-Identifier: GPL-3.0-or-later
// What stands in place of a graph when a file has none: why, and the button that leads on.
#pragma once

#include "core/io/opened_model.h"

#include <QWidget>

class QAction;

namespace fx::ui {

class NoGraphNotice : public QWidget {
public:
    NoGraphNotice(const NoGraph& why, QAction& trace, QWidget* parent = nullptr);
};

} // namespace fx::ui
