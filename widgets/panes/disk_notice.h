// SPDX-License-Identifier: GPL-3.0-or-later
// A line at the upper edge of a widget that stays until it is answered: the file of the open model is not
// what it was.
#pragma once

#include <QFrame>

class QAction;
class QLabel;
class QPushButton;

namespace fx::ui {

class DiskNotice : public QFrame {
    Q_OBJECT

public:
    DiskNotice(QWidget& over, QAction& reload);
    void tell(const QString& text, bool canReload);
    QString text() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();

    QLabel* m_text;
    QPushButton* m_reload;
};

} // namespace fx::ui
