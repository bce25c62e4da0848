// SPDX-License-Identifier: GPL-3.0-or-later
// The verify card of the last change: whether the results are the same, on which inputs, what it costs, and
// the results and nodes that differ most; one keeps the change or takes it back.
#pragma once

#include <QLabel>
#include <QPushButton>
#include <QTreeView>
#include <QWidget>

namespace fx::ui {

class Selection;
class Theme;
class VerifyRows;
class VerifyService;

class VerifyPane : public QWidget {
    Q_OBJECT

public:
    VerifyPane(VerifyService& verify, Selection& selection, const Theme& theme);

Q_SIGNALS:
    /// The state before the last step is to be shown beside the one after it.
    void compareWanted();
    /// One word for the tab: "equal", "differs"; empty: there is no card.
    void verdictChanged(const QString& word);

private:
    void refresh();
    void takeFound();
    void follow(const QModelIndex& index);

    VerifyService& m_verify;
    Selection& m_selection;
    const Theme& m_theme;
    QLabel *m_sign, *m_headline, *m_detail, *m_facts;
    QPushButton *m_keep, *m_undo, *m_bisect, *m_compare;
    QWidget* m_card;
    VerifyRows* m_rows;
    QTreeView* m_view;
};

} // namespace fx::ui
