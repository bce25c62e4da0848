// SPDX-License-Identifier: GPL-3.0-or-later
// What went wrong, in a dialog: lines as they are, with the caret under what they mean, to be read and
// copied.
#pragma once

#include <QPlainTextEdit>

namespace fx::ui {

class FaultText : public QPlainTextEdit {
public:
    /// Hidden at first.
    explicit FaultText(const QFont& fixedFont);
    /// Shows the message, as high as its lines need.
    void tell(const QString& told);
};

} // namespace fx::ui
