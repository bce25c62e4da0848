// SPDX-License-Identifier: GPL-3.0-or-later
// The generated Python of the shown graph: the selected node's line, the line that is about to run,
// breakpoints.
#pragma once

#include <QWidget>

namespace fx {

class CodeService;
class CodeView;
class DebugService;
class Selection;
class Theme;

class CodePane : public QWidget {
    Q_OBJECT

public:
    CodePane(const CodeService& code, Selection& selection, DebugService& debug, const Theme& theme);

private:
    void showText();
    void showSelection();
    void showRun();
    void showBreakpoints();

    const CodeService& m_code;
    Selection& m_selection;
    DebugService& m_debug;
    CodeView* m_view;
};

} // namespace fx
