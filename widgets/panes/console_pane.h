// SPDX-License-Identifier: GPL-3.0-or-later
// The debugger's console: the same words as `fxscope debug`.
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QStringList>
#include <QWidget>

namespace fx {

class DebugService;
class Theme;

class ConsolePane : public QWidget {
    Q_OBJECT

public:
    ConsolePane(DebugService& debug, const Theme& theme);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void write(const QString& text, int style);
    void run();

    DebugService& m_debug;
    const Theme& m_theme;
    QPlainTextEdit* m_output;
    QLabel* m_prompt;
    QLineEdit* m_line;
    QStringList m_history;
    qsizetype m_place = 0; ///< in the history
};

} // namespace fx
