// SPDX-License-Identifier: GPL-3.0-or-later
// The look of the whole program: palette, style sheet and fonts, and the news that it changed.
#pragma once

#include "widgets/style/tokens.h"

#include <QFont>
#include <QIcon>
#include <QObject>

class QApplication;

namespace fx::ui {

class Theme : public QObject {
    Q_OBJECT

public:
    enum class Choice { System, Light, Dark };

    explicit Theme(QApplication& application);

    void choose(Choice choice);
    Choice choice() const { return m_choice; }
    const Tokens& tokens() const { return *m_tokens; }
    QIcon icon(const QString& name) const;
    /// On a filled button.
    QIcon primaryIcon(const QString& name) const;

    QFont textFont() const { return m_text; }
    QFont fixedFont() const { return m_fixed; }
    /// Whether changes may move; the desktop can ask for stillness.
    bool isAnimated() const;

Q_SIGNALS:
    void changed();

private:
    void apply();
    bool isSystemDark() const;

    QApplication& m_application;
    Choice m_choice = Choice::System;
    bool m_systemIsDark;
    const Tokens* m_tokens;
    QFont m_text, m_fixed;
};

} // namespace fx::ui
