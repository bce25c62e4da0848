// SPDX-License-Identifier: GPL-3.0-or-later
// Two texts side by side, line by line: what is in one alone is coloured, and has a gap beside it.
#pragma once

#include "core/compare/text_diff.h"

#include <QPlainTextEdit>
#include <QSplitter>

namespace fx::ui {

class Theme;

class CodeSides : public QSplitter {
    Q_OBJECT

public:
    explicit CodeSides(const Theme& theme);

    /// Scrolls to the first difference.
    void show(const std::vector<DiffLine>& lines);
    /// To the next difference behind the cursor, or the one before it; stays where there is none.
    void walk(bool isForward);

private:
    void colour();

    const Theme& m_theme;
    QPlainTextEdit *m_before, *m_after;
    std::vector<char> m_kinds; ///< of rows: ' ' the same, '~' another, '-' and '+' on one side alone
};

} // namespace fx::ui
