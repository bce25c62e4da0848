// SPDX-License-Identifier: GPL-3.0-or-later
// A line to type in and what matches below it: nodes and modules for Ctrl+K, commands for Ctrl+Shift+P.
#pragma once

#include <QFrame>
#include <QLineEdit>
#include <QPointer>
#include <QTreeView>

#include <functional>
#include <vector>

namespace fx {

class FinderRows;

struct FinderItem {
    QString name, detail;
    QString other; ///< searched, but not shown
    std::function<void()> run;
};

class Finder : public QFrame {
    Q_OBJECT

public:
    explicit Finder(QWidget* window);
    /// Opens over the window and takes the keyboard until something is chosen or it is left.
    void open(const QString& hint, std::vector<FinderItem> items);
    QStringList shownNames() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void filter();
    void choose();
    void leave();

    QLineEdit* m_line;
    QTreeView* m_list;
    FinderRows* m_rows;
    std::vector<FinderItem> m_items;
    QPointer<QWidget> m_before; ///< had the focus; an editor in a list goes when it loses it
};

} // namespace fx
