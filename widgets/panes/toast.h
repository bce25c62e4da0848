// SPDX-License-Identifier: GPL-3.0-or-later
// A short message at the lower edge of a widget that goes by itself: why something was refused, what was
// done.
#pragma once

#include <QLabel>
#include <QTimer>

namespace fx::ui {

class Theme;

class Toast : public QLabel {
    Q_OBJECT

public:
    Toast(QWidget& over, const Theme& theme);
    void tell(const QString& text, bool isFault);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    void place();

    const Theme& m_theme;
    QTimer m_timer;
};

} // namespace fx::ui
