// SPDX-License-Identifier: GPL-3.0-or-later
// The debugger's console: the same words as `fxscope debug`.
#pragma once

#include "widgets/panes/completion.h"

#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QStringList>
#include <QWidget>

namespace fx::ui {

class DebugService;
class Theme;

class ConsolePane : public QWidget {
    Q_OBJECT

public:
    /// `help`: with what a call takes; names are completed by Tab, as pdb does.
    ConsolePane(DebugService& debug, const Theme& theme, const HelpFor& help);

Q_SIGNALS:
    /// A line of a traceback was clicked, or Return pressed on it. Lines count from 1.
    void placeWanted(const QString& path, int line);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void write(const QString& text, int style);
    void run();
    /// What is typed while the output has the focus goes on in the line.
    bool takeOutputKey(QKeyEvent& event);
    bool takeLineKey(int key);
    /// Completes the word before the cursor as far as it is certain; else lists what it may become.
    void complete();
    /// Asks for the place that the line at the cursor names; false where it names none.
    bool goToPlace(const QTextCursor& cursor);

    DebugService& m_debug;
    const Theme& m_theme;
    QPlainTextEdit* m_output;
    QLabel* m_prompt;
    QLineEdit* m_line;
    QStringList m_history;
    qsizetype m_place = 0; ///< in the history
};

} // namespace fx::ui
