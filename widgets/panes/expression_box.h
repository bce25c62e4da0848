// SPDX-License-Identifier: GPL-3.0-or-later
// An expression to be typed, or chosen from those that are offered: typing lists those that hold what was
// typed, whole names and beginnings first.
#pragma once

#include <QComboBox>
#include <QCompleter>
#include <QStringListModel>

namespace fx::ui {

class ExpressionBox : public QComboBox {
    Q_OBJECT

public:
    explicit ExpressionBox(const QFont& fixedFont);
    /// What was typed stays; where nothing was, it is `preferred`.
    void offer(const QStringList& expressions, const QString& preferred);
    /// Between the brackets, where the arguments of the constructor are typed.
    void placeCursor();
    /// What is listed for a text, in the order of the list.
    QStringList matching(const QString& typed) const;

private:
    void search(const QString& typed);

    QStringListModel m_found;
    QCompleter m_completer;
};

} // namespace fx::ui
