// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/fault_text.h"

#include "widgets/support/qt_text.h"

#include <QScrollBar>

#include <algorithm>

namespace fx::ui {

namespace {

constexpr int kMostFaultLines = 10;

} // namespace

FaultText::FaultText(const QFont& fixedFont) {
    setFont(fixedFont);
    setReadOnly(true);
    setObjectName("faultText");
    setAccessibleName("What went wrong");
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setTabChangesFocus(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    hide();
}

void FaultText::tell(const QString& told) {
    // What to do stands behind the caret; here it gets a line of its own.
    const QString message = shown(told).replace("^; ", "^\n");
    setPlainText(message);
    int longest = 0;
    for (const QString& line : message.split('\n'))
        longest = std::max(longest, fontMetrics().horizontalAdvance(line));
    const bool isWide = longest > width() - 30;
    setFixedHeight(fontMetrics().lineSpacing() * std::clamp(blockCount(), 1, kMostFaultLines) + 26 +
                   (isWide ? horizontalScrollBar()->sizeHint().height() : 0));
    show();
}

} // namespace fx::ui
