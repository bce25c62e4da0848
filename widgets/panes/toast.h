// SPDX-License-Identifier: GPL-3.0-or-later
// A message of at most two lines at the lower edge of a widget: why something was refused, what was done. It
// goes by itself, but for the failure of something that took its time, which stays until it is dismissed.
#pragma once

#include <QFrame>
#include <QTimer>

class QLabel;
class QPushButton;

namespace fx::ui {

class Theme;

class Toast : public QFrame {
    Q_OBJECT

public:
    Toast(QWidget& over, const Theme& theme);
    /// Shows a message for a few seconds. A failure that was there comes back afterwards.
    void tell(const QString& text, bool isFault);
    /// Shows a failure until the user dismisses it or takeBackFailure() is called.
    void fail(const QString& text);
    void takeBackFailure();
    /// All of the message, also where a part of it is shown.
    const QString& text() const { return m_text; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    void show(const QString& text, bool isFault);
    void place();
    void dismiss();
    void end();
    void startTimer();

    const Theme& m_theme;
    QString m_text, m_failure;
    bool m_isWhole = false; ///< Details was pressed
    QLabel* m_label;
    QPushButton *m_details, *m_dismiss;
    QTimer m_timer;
};

} // namespace fx::ui
