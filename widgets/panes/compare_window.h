// SPDX-License-Identifier: GPL-3.0-or-later
// Two models side by side with what their runs have in common: each node coloured by how far its value is
// from its partner's, the worst first in a list; a pair can be made and broken by hand. What runs them is
// widgets/session/compare_service.h, what keeps the two graphs together compare_link.h.
#pragma once

#include "core/compare/node_match.h"
#include "widgets/session/compare_service.h"
#include "widgets/support/job.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QTabBar>
#include <QTreeView>
#include <QWidget>

namespace fx::ui {

class CompareLink;
class CompareRows;
class DiffView;
class StillGraph;
class Selection;
class SideFilter;
class Theme;

class CompareWindow : public QWidget {
    Q_OBJECT

public:
    /// `selection`: of the document, which follows as long as it is the second model.
    CompareWindow(GraphDocument& document, Selection& selection, CompareService& service, const Theme& theme,
                  QWidget* parent);
    ~CompareWindow() override;

    /// Chooses what is compared, and compares. `steps`: of the second, as CompareWish has them.
    void compare(const ComparePoint& first, int steps);

private:
    QWidget* makeChoices();
    QWidget* makeVerdict();
    void addKeys();
    void fillPoints();
    /// The states of the document and the point itself, what else can be chosen, and it as what is chosen.
    void fillBox(QComboBox& box, ComparePoint& point);
    void followHistory();
    void choosePoint(QComboBox& box, ComparePoint& point);
    QString textOf(const ComparePoint& point) const;
    /// With a path: a report is written there.
    void run(const QString& report = {});
    void saveReport();
    void take(const Comparison& comparison);
    void makeSides();
    void showSides();
    void dress();
    void filterRows();
    bool showsModules() const { return m_what->currentIndex() == 1; }
    bool showsDiff() const { return m_what->currentIndex() == 2; }
    /// What is different without a run, if that is what is to be seen.
    void showDiff();
    void followRow(const QModelIndex& at);
    void selectScope(const QString& path);
    void followSides();
    void walk(int by);
    /// What is selected on both sides becomes a pair, or is one no more.
    void setPaired(bool isPair);
    void forgetByHand(const QString& first, const QString& second);

    GraphDocument& m_document;
    Selection& m_selection;
    CompareService& m_service;
    const Theme& m_theme;
    ComparePoint m_first, m_second;
    std::vector<std::pair<QString, QString>> m_byHand;
    std::optional<Comparison> m_comparison;
    std::optional<std::pair<ComparePoint, ComparePoint>> m_shown; ///< states whose graphs are shown
    QString m_shownDtype;                                         ///< that the second was cast to

    QComboBox *m_firstBox, *m_secondBox;
    QComboBox* m_how; ///< the dtype or device of the second: its data are a CompareWish's
    QCheckBox* m_isolated;
    QLineEdit* m_tolerance;
    SideFilter *m_firstFilter, *m_secondFilter;
    QPushButton *m_compare, *m_cancel, *m_pair, *m_part, *m_report;
    QProgressBar* m_progress;
    QLabel *m_sign, *m_headline, *m_detail, *m_facts;
    QTabBar* m_what; ///< nodes, modules, or what is different without a run
    QSplitter* m_sides;
    StillGraph *m_left = nullptr, *m_right = nullptr;
    CompareLink* m_link = nullptr; ///< null where there is one side alone
    bool m_isFollowing = false;    ///< the list follows the graphs
    CompareRows* m_rows;
    QTreeView* m_view;
    DiffView* m_diff;
    bool m_isDiffOld = true; ///< m_diff shows what another comparison is of
    JobRunner m_runner;      ///< last: its thread uses what is above
};

} // namespace fx::ui
