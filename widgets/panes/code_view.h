// SPDX-License-Identifier: GPL-3.0-or-later
// Python text to look at, with marked lines and a margin for breakpoints. What it marks is its owner's
// business.
#pragma once

#include <QTimer>
#include <QWidget>

#include <vector>

class QKeyEvent;
class QsciLexerPython;
class QsciScintilla;

namespace fx::ui {

class Theme;

class CodeView : public QWidget {
    Q_OBJECT

public:
    enum class Mark {
        Selected,
        Current,
        Breakpoint,
        Set,
        Muted, ///< struck out
    };

    CodeView(const Theme& theme, const QString& accessibleName, QWidget* parent = nullptr);

    /// Replaces only what differs, so that the place and the marks of the rest stay.
    void showText(const QString& text);
    /// The lines with that mark, from 0; any before lose it.
    void mark(Mark mark, const std::vector<int>& lines);
    /// Lines of which the first alone is seen, with `words` behind it, until the user or reveal() opens them.
    /// What was folded before no longer is; `last` up to `first`: nothing is.
    void fold(int first, int last, const QString& words);
    /// Scrolls if the line is out of sight.
    void reveal(int line);
    /// The cursor goes there, too.
    void goTo(int line);
    int cursorLine() const;
    int lineAt(const QPoint& place) const;
    QString text() const;
    bool hasSelectedText() const;
    void copy();
    void selectAll();
    std::vector<int> marked(Mark mark) const;
    /// Lets the user type; edited() follows. Off at first.
    void setEditable(bool isEditable);
    /// A text for itself, no graph's: undo is its own, and Tab indents once something was typed or clicked;
    /// whoever walks through the window by Tab walks on.
    void setFreelyEditable();
    /// Underlines the text from there to the end of its word, and says why below the line.
    void showFault(int line, int column, const QString& reason);
    void clearFault();
    /// What was typed has become part of the graph: its undo is the document's from now on.
    void settle();
    /// Replaces the text as if the user had typed it.
    void replaceTyped(const QString& text);
    /// The reason shown; empty: none.
    QString fault() const { return m_fault; }

Q_SIGNALS:
    /// The user has put the cursor there.
    void lineChosen(int line);
    void breakpointToggled(int line);
    void menuWanted(const QPoint& place);
    /// The user has typed, and rests or has left the line.
    void edited();
    /// The user wants back what was there before typing.
    void givenUp();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void dress();
    void strike(const std::vector<int>& lines);
    bool takeKey(const QKeyEvent& event);
    void followCaret(int line);
    void tellEdited();
    bool isOnNewLine() const;

    const Theme& m_theme;
    QsciScintilla* m_editor;
    QsciLexerPython* m_lexer;
    bool m_isChanging = false;
    bool m_isEditable = false, m_isFree = false;
    bool m_isPassedBy = true; ///< nothing was typed or clicked since the focus came here
    bool m_isUnread = false;  ///< text was typed since edited() was emitted
    bool m_isTyping = false;  ///< the text has changed in this turn of the event loop
    int m_caretLine = 0, m_shownLines = 1;
    QString m_fault;
    int m_foldFirst = 0, m_foldLast = 0; ///< the arguments of fold()
    bool m_isFoldOpen = false;           ///< by the user or by reveal()
    QTimer m_rest;
};

} // namespace fx::ui
