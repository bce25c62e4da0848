// SPDX-License-Identifier: GPL-3.0-or-later
// What the window does; what it is made of is in compare_window_parts.cpp.
#include "widgets/panes/compare_window.h"

#include "core/base/text.h"
#include "core/compare/figures.h"
#include "widgets/models/list_rows.h"
#include "widgets/panes/compare_link.h"
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
#include <cmath>

namespace fx {

namespace {

/// From 1e-7, which rounding alone gives, to where nothing is right any more.
double heatOf(const CompareRow& row) {
    if (row.state != CompareRow::State::Within && row.state != CompareRow::State::Beyond)
        return 0;
    if (!std::isfinite(row.needed))
        return 1;
    return std::clamp((std::log10(std::max(row.needed, 1e-12)) + 7) / 7, 0.08, 1.0);
}

QString noteOf(const CompareRow& row) {
    switch (row.state) {
    case CompareRow::State::Equal:
        return "equal";
    case CompareRow::State::Within:
    case CompareRow::State::Beyond:
        return std::isfinite(row.needed) ? "needs " + qt(figureText(row.needed)) : QString("differs");
    case CompareRow::State::NotCompared: // inputs and weights have no figures at all
        return row.figures.empty() ? "" : "not compared";
    default:
        return "only here";
    }
}

NodeDifferences differencesOf(const std::vector<CompareRow>& rows, NodeId CompareRow::*side) {
    NodeDifferences out;
    for (const CompareRow& row : rows)
        if (row.*side)
            out[row.*side] = {heatOf(row), noteOf(row)};
    return out;
}

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
    fillPoints();
    m_secondBox->setCurrentIndex(steps);
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
    const QSignalBlocker first(m_firstBox), second(m_secondBox);
    const int count = m_document.undoStack().count(), steps = m_secondBox->currentIndex();
    m_points.clear();
    for (int i = 0; i <= count; ++i)
        m_points.push_back({ComparePoint::Kind::State, i});
    m_secondBox->clear();
    for (const ComparePoint& point : m_points)
        m_secondBox->addItem(textOf(point));
    m_secondBox->setCurrentIndex(steps < 0 || steps > count ? m_document.undoStack().index() : steps);
    if (m_first.kind == ComparePoint::Kind::State)
        m_first.steps = std::min(m_first.steps, count);
    else
        m_points.push_back(m_first);
    m_firstBox->clear();
    for (const ComparePoint& point : m_points)
        m_firstBox->addItem(textOf(point));
    m_firstBox->addItem("Model file…");
    m_firstBox->addItem("Run that was kept…");
    m_firstBox->setCurrentIndex(static_cast<int>(std::ranges::find(m_points, m_first) - m_points.begin()));
}

void CompareWindow::choosePoint(int index) {
    const auto chosen = static_cast<size_t>(index);
    if (chosen < m_points.size()) {
        m_first = m_points[chosen];
        return;
    }
    const bool isModel = chosen == m_points.size();
    const QString models = formatFilter("Models", [](const Format&) { return true; });
    const QString path = QFileDialog::getOpenFileName(
        this, isModel ? "Compare with a model" : "Compare with a run that was kept", {},
        isModel ? models + ";;All files (*)" : "Runs (*.pt);;All files (*)");
    if (!path.isEmpty())
        m_first = {isModel ? ComparePoint::Kind::File : ComparePoint::Kind::Run, 0, path};
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
    CompareWish wish{m_first, m_secondBox->currentIndex(), m_byHand, {}, m_isolated->isChecked()};
    wish.report = report;
    wish.firstTitle = m_document.title() + ", " + m_firstBox->currentText();
    wish.secondTitle = m_document.title() + ", " + m_secondBox->currentText();
    if (m_first.kind != ComparePoint::Kind::State)
        wish.firstTitle = m_firstBox->currentText();
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
    showSides();
    dress();
    filterRows();
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
    const ComparePoint second{ComparePoint::Kind::State, m_secondBox->currentIndex()};
    if (m_first.kind != ComparePoint::Kind::State ||
        std::exchange(m_shown, std::pair(m_first, second)) != std::pair(m_first, second))
        makeSides();
    const std::vector<CompareRow>& rows = m_comparison->answer.rows;
    m_right->canvas().compare(differencesOf(rows, &CompareRow::b));
    if (m_left) {
        m_left->canvas().compare(differencesOf(rows, &CompareRow::a));
        m_link = new CompareLink(*m_left, *m_right, pairsOf(rows), this);
        connect(m_link, &CompareLink::selectionChanged, this, &CompareWindow::followSides);
    }
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
    if (m_comparison)
        for (const CompareRow& row : m_comparison->answer.rows)
            if (qt(row.name).contains(m_filter->text(), Qt::CaseInsensitive))
                rows.push_back(row);
    m_rows->setRows(std::move(rows));
}

// --- Walking

void CompareWindow::followRow(const QModelIndex& at) {
    if (!at.isValid() || m_isFollowing)
        return;
    const CompareRow& row = m_rows->row(at.row());
    if (m_link && (row.a || row.b))
        m_link->select({row.a, row.b});
    else if (row.b)
        m_right->select(row.b);
}

void CompareWindow::followSides() {
    const NodePair nodes =
        m_link ? m_link->selected() : NodePair{NodeId(), m_right->selection().currentNode()};
    const auto row = std::ranges::find_if(m_rows->rows(), [&](const CompareRow& each) {
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
        if (m_rows->row(row).a || m_rows->row(row).b) { // results are no nodes
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

} // namespace fx
