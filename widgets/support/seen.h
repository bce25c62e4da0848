// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace fx {

/// Whether any of it is in sight. The pages of hidden tabs are visible to Qt, which puts them beside the
/// window.
inline bool isSeen(const QWidget& widget) {
    return widget.isVisible() && !widget.visibleRegion().isEmpty();
}

} // namespace fx
