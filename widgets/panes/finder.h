// SPDX-License-Identifier: GPL-3.0-or-later
// A line to type in and what matches below it: nodes and modules for Ctrl+K, commands for Ctrl+Shift+P.
#pragma once

#include "widgets/session/matches.h"

#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QTreeView>

#include <functional>
#include <optional>
#include <vector>

namespace fx::ui {

class FinderRows;

struct FinderItem {
    QString name, detail;
    QString other; ///< searched, but not shown
    std::function<void()> run;
    std::optional<Match> match = {};    ///< where it is in the model, if it is there
    std::function<QString()> more = {}; ///< stands before the detail; asked for where the item is listed
    bool isHidden = false;              ///< it is not on the canvas: after all that is, but for its own name
};

class Finder : public QFrame {
    Q_OBJECT

public:
    explicit Finder(QWidget* window);
    /// Opens over the window and takes the keyboard until something is chosen or it is left.
    void open(const QString& hint, std::vector<FinderItem> items);
    QStringList shownNames() const;

Q_SIGNALS:
    /// All that matches what was typed, in the order of the items; only of items that are in the model.
    void found(const QString& text, const std::vector<fx::ui::Match>& matches);
    void chosen(const fx::ui::Match& match);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void filter();
    void search();
    void tellCount();
    void choose();
    void leave();

    QLineEdit* m_line;
    QLabel* m_count;
    std::vector<const FinderItem*> m_ranked; ///< all that fit, the best first
    QTreeView* m_list;
    FinderRows* m_rows;
    std::vector<FinderItem> m_items;
    QPointer<QWidget> m_before; ///< had the focus; an editor in a list goes when it loses it
};

} // namespace fx::ui
