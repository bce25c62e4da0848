// SPDX-License-Identifier: GPL-3.0-or-later
// The table of formats as a file dialog shows it.
#pragma once

#include "core/open/formats.h"

#include <QString>

namespace fx::ui {

/// "Models (*.pt2 *.fxg)": the names that files of formats have, of those that are meant.
QString formatFilter(const QString& title, const std::function<bool(const Format&)>& isMeant);

} // namespace fx::ui
