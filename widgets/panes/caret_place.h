// SPDX-License-Identifier: GPL-3.0-or-later
// Where a caret belongs once the text around it was written anew.
#pragma once

#include <QString>

namespace fx::ui {

/// The place in `now` of a caret that stood at `caret` in `before`: in or behind the same token, counted in
/// UTF-16 units. Where that token is gone, behind the last one before it that is still there.
///   before  y = relu(x) + 2.0|     now  y = torch.ops.aten.add.Tensor(relu, 2.0|);  relu = None
qsizetype caretIn(const QString& now, const QString& before, qsizetype caret);

} // namespace fx::ui
