// SPDX-License-Identifier: GPL-3.0-or-later
// The generated Python of the shown graph: the selected node's line, the line that is about to run,
// breakpoints. What is typed becomes an edit of the graph; where it cannot be read as one, it is underlined
// with the reason.
#pragma once

#include <QWidget>

namespace fx::ui {

class CodeService;
class CodeView;
class DebugService;
class GraphDocument;
class Selection;
class Theme;

class CodePane : public QWidget {
    Q_OBJECT

public:
    CodePane(GraphDocument& document, const CodeService& code, Selection& selection, DebugService& debug,
             const Theme& theme);
    const CodeView& view() const { return *m_view; }

private:
    void showText();
    void foldWeights();
    void applyText();
    void showSelection();
    void showRun();
    void showSetValues();
    void showBreakpoints();
    void showMuted();

    GraphDocument& m_document;
    const CodeService& m_code;
    Selection& m_selection;
    DebugService& m_debug;
    CodeView* m_view;
    int m_typedLine = -1; ///< that is being edited
    int m_typing = 0;     ///< counts edits that are steps of their own
};

} // namespace fx::ui
