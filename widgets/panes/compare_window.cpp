// SPDX-License-Identifier: GPL-3.0-or-later
// What the window does; what it is made of is in compare_window_parts.cpp.
#include "widgets/panes/compare_window.h"

#include "core/base/text.h"
#include "core/torch/bind/call.h"
#include "widgets/models/list_rows.h"
#include "widgets/panes/compare_link.h"
#include "widgets/panes/compared_nodes.h"
#include "widgets/panes/diff_view.h"
#include "widgets/panes/side_filter.h"
#include "widgets/panes/still_graph.h"
#include "widgets/session/format_filter.h"
#include "widgets/style/icons.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QScopedValueRollback>
#include <QSignalBlocker>
#include <QUndoStack>

#include <algorithm>

namespace fx::ui {

namespace {

std::vector<NodePair> pairsOf(const std::vector<CompareRow>& rows) {
    std::vector<NodePair> out;
    for (const CompareRow& row : rows)
        if (row.a && row.b)
            out.push_back({row.a, row.b});
    return out;
}

} // namespace

void CompareWindow::compare(const ComparePoint& first, int steps) {
    m_first = first;
    m_second = {ComparePoint::Kind::State, steps};
    fillPoints();
    m_view->setFocus();
    run();
}

// --- What is compared

QString CompareWindow::textOf(const ComparePoint& point) const {
    if (point.kind == ComparePoint::Kind::File)
        return QFileInfo(point.path).fileName();
    if (point.kind == ComparePoint::Kind::Run)
        return "run in " + QFileInfo(point.path).fileName();
    if (point.steps == 0)
        return "as it was opened";
    return QString("after %1: %2").arg(point.steps).arg(m_document.undoStack().text(point.steps - 1));
}

void CompareWindow::followHistory() {
    m_shown.reset(); // the same numbers may mean other states
    fillPoints();
}

void CompareWindow::fillPoints() {
    fillBox(*m_firstBox, m_first);
    fillBox(*m_secondBox, m_second);
}

void CompareWindow::fillBox(QComboBox& box, ComparePoint& point) {
    const QSignalBlocker quiet(box);
    const int count = m_document.undoStack().count();
    box.clear();
    for (int i = 0; i <= count; ++i)
        box.addItem(textOf({ComparePoint::Kind::State, i}));
    if (point.kind == ComparePoint::Kind::State)
        point.steps = std::min(point.steps, count);
    else
        box.addItem(textOf(point));
    box.setCurrentIndex(point.kind == ComparePoint::Kind::State ? point.steps : count + 1);
    box.addItem("Model file…");
    if (&box == m_firstBox) // a kept run has values alone, and cannot be run
        box.addItem("Run that was kept…");
}

void CompareWindow::choosePoint(QComboBox& box, ComparePoint& point) {
    const int count = m_document.undoStack().count(), index = box.currentIndex();
    const int files = count + (point.kind == ComparePoint::Kind::State ? 1 : 2);
    if (index <= count) {
        point = {ComparePoint::Kind::State, index};
    } else if (index >= files) {
        const bool isModel = index == files;
        const QString models = formatFilter("Models", [](const Format&) { return true; });
        const QString path = QFileDialog::getOpenFileName(
            this, isModel ? "Compare with a model" : "Compare with a run that was kept", {},
            isModel ? models + ";;All files (*)" : "Runs (*.pt);;All files (*)");
        if (!path.isEmpty())
            point = {isModel ? ComparePoint::Kind::File : ComparePoint::Kind::Run, 0, path};
    }
    fillPoints();
}

void CompareWindow::saveReport() {
    const QString name = QFileInfo(m_document.title()).completeBaseName() + "-compared.html";
    QString path = QFileDialog::getSaveFileName(this, "Save report", name, "Web pages (*.html)");
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += ".html";
    run(path);
}

void CompareWindow::run(const QString& report) {
    const auto titleOf = [this](const ComparePoint& point) {
        const bool isState = point.kind == ComparePoint::Kind::State;
        return isState ? m_document.title() + ", " + textOf(point) : textOf(point);
    };
    CompareWish wish{m_first, m_second, m_byHand, {}, m_isolated->isChecked()};
    const QStringList how = m_how->currentData().toStringList();
    wish.otherDtype = how[0];
    wish.otherDevice = how[1];
    wish.report = report;
    wish.firstTitle = titleOf(m_first);
    wish.secondTitle = titleOf(m_second);
    if (const QString text = m_tolerance->text().trimmed(); !text.isEmpty()) {
        bool isNumber = false;
        wish.tolerance = text.toDouble(&isNumber);
        if (!isNumber || *wish.tolerance < 0) {
            m_detail->setText("The tolerance is a number such as 1e-4, or nothing: what rounding may do.");
            m_tolerance->setFocus();
            return;
        }
    }
    m_service.compare(wish);
}

// --- What came of it

void CompareWindow::take(const Comparison& comparison) {
    const NodePair before = m_link ? m_link->selected() : NodePair();
    m_comparison = comparison;
    const CompareAnswer& answer = comparison.answer;
    m_headline->setText(qt(answer.headline));
    m_detail->setText(qt(answer.detail));
    m_facts->setText("inputs: " + qt(answer.inputs) + '\n' + qt(answer.facts));
    m_isDiffOld = true;
    showSides();
    dress();
    filterRows();
    showDiff();
    if (m_link && (before.a || before.b))
        m_link->select({m_left->graph().contains(before.a) ? before.a : NodeId(),
                        m_right->graph().contains(before.b) ? before.b : NodeId()});
}

void CompareWindow::makeSides() {
    delete m_left;
    delete m_right;
    m_left = nullptr;
    if (m_comparison->first) {
        m_left = new StillGraph(*m_comparison->first, m_firstBox->currentText(), m_theme);
        m_sides->addWidget(m_left);
    }
    m_right = new StillGraph(*m_comparison->second, m_secondBox->currentText(), m_theme);
    m_sides->addWidget(m_right);
    m_sides->setSizes({1, 1});
    if (!m_left)
        connect(&m_right->selection(), &Selection::changed, this, &CompareWindow::followSides);
}

void CompareWindow::showSides() {
    delete m_link;
    m_link = nullptr;
    // Where the same states are compared in another way, one goes on looking at what one looked at.
    const bool areStates =
        m_first.kind == ComparePoint::Kind::State && m_second.kind == ComparePoint::Kind::State;
    const std::pair points(m_first, m_second);
    const bool arePoints = std::exchange(m_shown, points) == points;
    const QString dtype = m_how->currentData().toStringList()[0];
    const bool isDtype = std::exchange(m_shownDtype, dtype) == dtype;
    if (!arePoints || !isDtype || !areStates)
        makeSides();
    const std::vector<CompareRow>& rows = m_comparison->answer.rows;
    m_right->canvas().setDifferences(differencesOf(rows, &CompareRow::b));
    m_right->canvas().colourBy(Colouring::Difference);
    if (m_left) {
        m_left->canvas().setDifferences(differencesOf(rows, &CompareRow::a));
        m_left->canvas().colourBy(Colouring::Difference);
        m_link = new CompareLink(*m_left, *m_right, pairsOf(rows), this);
        connect(m_link, &CompareLink::selectionChanged, this, &CompareWindow::followSides);
    }
    m_firstFilter->setSide(m_left);
    m_secondFilter->setSide(m_right);
    m_report->setEnabled(true);
    m_pair->setEnabled(m_link);
    m_part->setEnabled(m_link);
}

void CompareWindow::dress() {
    const Tokens& tokens = m_theme.tokens();
    const QIcon good = icon("check", tokens.healthy, tokens.faint),
                bad = icon("warning", tokens.fault, tokens.faint);
    m_rows->setIcons(good, bad);
    const bool isWell = m_comparison && m_comparison->answer.state <= VerifyAnswer::State::Within;
    constexpr int kIconSize = 16;
    m_sign->setPixmap(m_comparison ? (isWell ? good : bad).pixmap(kIconSize) : QPixmap());
}

void CompareWindow::filterRows() {
    std::vector<CompareRow> rows;
    if (m_comparison) {
        for (const CompareRow& row :
             showsModules() ? m_comparison->answer.modules : m_comparison->answer.rows)
            if (showsModules() ? m_firstFilter->holdsIn(row.scope) && m_secondFilter->holdsIn(row.scope)
                               : m_firstFilter->holds(row.a) && m_secondFilter->holds(row.b))
                rows.push_back(row);
        const QString& fault =
            m_firstFilter->fault().isEmpty() ? m_secondFilter->fault() : m_firstFilter->fault();
        m_detail->setText(fault.isEmpty() ? qt(m_comparison->answer.detail) : fault);
    }
    m_rows->setRows(std::move(rows));
}

void CompareWindow::showDiff() {
    m_view->setVisible(!showsDiff());
    m_diff->setVisible(showsDiff());
    if (!showsDiff() || !m_comparison || !std::exchange(m_isDiffOld, false))
        return;
    if (!m_comparison->first)
        return m_diff->showText("A run that was kept has values alone, and no graph.");
    PairingOptions pairing;
    pairing.areIdsShared = m_shown && m_shown->first.kind == ComparePoint::Kind::State &&
                           m_shown->second.kind == ComparePoint::Kind::State;
    for (const auto& [first, second] : m_byHand)
        pairing.byHand.emplace_back(utf8(first), utf8(second));
    m_runner.cancelAll();
    Job<ShownDiff> job;
    job.title = "Comparing";
    job.work = [first = m_comparison->first, second = m_comparison->second, pairing](JobRun<ShownDiff>&) {
        ShownDiff out;
        guarded([&] { out = shownDiff(first->model, second->model, pairing); });
        return out;
    };
    job.done = [this](ShownDiff diff) { m_diff->show(std::move(diff)); };
    job.failed = [this](const Error& why) { m_diff->showText(faultText(why.what())); };
    m_runner.start(*this, std::move(job));
}

// --- Walking

void CompareWindow::followRow(const QModelIndex& at) {
    if (!at.isValid() || m_isFollowing)
        return;
    const CompareRow& row = m_rows->row(at.row());
    if (!row.scope.empty())
        selectScope(qt(row.scope));
    else if (m_link && (row.a || row.b))
        m_link->select({row.a, row.b});
    else if (row.b)
        m_right->select(row.b);
}

void CompareWindow::selectScope(const QString& path) {
    if (m_link)
        m_link->selectScope(path);
    else
        m_right->selectScope(path);
}

void CompareWindow::followSides() {
    const NodePair nodes =
        m_link ? m_link->selected() : NodePair{NodeId(), m_right->selection().currentNode()};
    const ScopeTree& scopes = m_right->selection().scopes();
    const std::string scope = nodes.b ? modulePathOf(scopes, nodes.b) : std::string();
    const auto row = std::ranges::find_if(m_rows->rows(), [&](const CompareRow& each) {
        if (showsModules())
            return nodes.b && each.scope == scope;
        return each.b ? each.b == nodes.b : each.a && each.a == nodes.a && !nodes.b;
    });
    const QScopedValueRollback<bool> following(m_isFollowing, true);
    const bool isListed = row != m_rows->rows().end();
    const QModelIndex at =
        isListed ? m_rows->index(static_cast<int>(row - m_rows->rows().begin()), 1) : QModelIndex();
    m_view->setCurrentIndex(at);
    const NodeRef node{m_document.model().root(), nodes.b};
    if (nodes.b && m_comparison->state.isCurrent())
        m_selection.select(node);
}

void CompareWindow::walk(int by) {
    int row = m_view->currentIndex().isValid() ? m_view->currentIndex().row()
              : by > 0                         ? -1
                                               : m_rows->rowCount();
    for (row += by; row >= 0 && row < m_rows->rowCount(); row += by)
        if (showsModules() || m_rows->row(row).a || m_rows->row(row).b) { // results are no nodes
            m_view->setCurrentIndex(m_rows->index(row, 1));
            return;
        }
}

// --- By hand

void CompareWindow::forgetByHand(const QString& first, const QString& second) {
    std::erase_if(m_byHand, [&](const auto& pair) {
        return (!first.isEmpty() && pair.first == first) || (!second.isEmpty() && pair.second == second);
    });
}

void CompareWindow::setPaired(bool isPair) {
    const NodePair nodes = m_link ? m_link->selected() : NodePair();
    const bool isAlready = nodes.a && nodes.b && m_link->partnerOf(0, nodes.a) == nodes.b;
    if (!nodes.a || !nodes.b || isAlready == isPair) {
        m_detail->setText(isPair ? "Select a node without a partner on each side, then make them a pair."
                                 : "Select a pair, then break it.");
        return;
    }
    const QString first = qt(m_left->graph().node(nodes.a).name),
                  second = qt(m_right->graph().node(nodes.b).name);
    forgetByHand(first, second);
    if (isPair) {
        m_byHand.emplace_back(first, second);
    } else {
        m_byHand.emplace_back(first, QString());
        m_byHand.emplace_back(QString(), second);
    }
    run();
}

} // namespace fx::ui
