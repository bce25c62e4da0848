// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/changes_pane.h"

#include "core/torch/bind/call.h"
#include "widgets/document/graph_document.h"
#include "widgets/document/history.h"
#include "widgets/models/list_rows.h"
#include "widgets/panes/diff_view.h"
#include "widgets/panes/list_view.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QHBoxLayout>
#include <QSplitter>
#include <QVBoxLayout>

namespace fx::ui {

ChangesPane::ChangesPane(GraphDocument& document, const Theme& theme)
    : m_document(document), m_rows(new ChangeRows(this)),
      m_view(makeListView(*m_rows, "Changes",
                          "Nothing was changed yet. Each edit and each pass will be a line here.")),
      m_diff(new DiffView(theme)), m_compare(new QPushButton("Side by side")),
      m_bisect(new QPushButton("Bisect")) {
    setObjectName("panel");
    setAttribute(Qt::WA_StyledBackground);
    m_compare->setToolTip("Run the model as it was before the first of the selected steps and after the last "
                          "of them, and show both graphs");
    m_bisect->setToolTip("Find which step, from the first selected one on, made the results differ");
    m_view->setSelectionMode(QAbstractItemView::ContiguousSelection);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_compare);
    buttons->addWidget(m_bisect);
    buttons->addStretch(1);
    auto* steps = new QWidget;
    auto* left = new QVBoxLayout(steps);
    left->setContentsMargins(0, 0, 0, 0);
    left->setSpacing(4);
    left->addWidget(m_view, 1);
    left->addLayout(buttons);
    auto* halves = new QSplitter;
    halves->addWidget(steps);
    halves->addWidget(m_diff);
    halves->setStretchFactor(1, 1);
    halves->setSizes({420, 700});
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 4, 4);
    column->addWidget(halves);
    setFocusProxy(m_view);
    m_view->header()->resizeSection(0, 30);
    m_view->header()->resizeSection(1, 190);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &ChangesPane::followChosen);
    connect(m_compare, &QPushButton::clicked, this, [this] {
        const auto [first, last] = chosenSteps();
        Q_EMIT compareWanted(first, last + 1);
    });
    connect(m_bisect, &QPushButton::clicked, this, [this] { Q_EMIT bisectWanted(chosenSteps().first); });
    connect(m_view, &QTreeView::activated, this,
            [this](const QModelIndex& at) { m_document.undoStack().setIndex(at.row() + 1); });
    connect(&document.undoStack(), &QUndoStack::indexChanged, this, &ChangesPane::refresh);
    refresh();
}

std::pair<int, int> ChangesPane::chosenSteps() const {
    std::pair<int, int> out(-1, -1);
    for (const QModelIndex& each : m_view->selectionModel()->selectedRows()) {
        out.first = out.first < 0 ? each.row() : std::min(out.first, each.row());
        out.second = std::max(out.second, each.row());
    }
    return out;
}

void ChangesPane::followChosen() {
    const auto [first, last] = chosenSteps();
    m_compare->setEnabled(first >= 0);
    m_bisect->setEnabled(first >= 0 && first < m_document.undoStack().index());
    showSteps(first, last);
}

void ChangesPane::refresh() {
    const QUndoStack& history = m_document.undoStack();
    Q_EMIT countChanged(history.index());
    if (!m_sight.isDue())
        return;
    std::vector<ChangeRow> rows;
    for (int i = 0; i < history.count(); ++i)
        rows.push_back({i + 1, history.text(i), i < history.index(), checkOf(history, i).verdict});
    m_rows->setRows(std::move(rows));
    if (history.index() > 0)
        m_view->setCurrentIndex(m_rows->index(history.index() - 1, 0));
    else
        followChosen();
}

void ChangesPane::showSteps(int first, int last) {
    m_runner.cancelAll();
    const QUndoStack& history = m_document.undoStack();
    if (first < 0 || last >= history.count())
        return m_diff->showText({});
    Job<ShownDiff> job;
    job.title = "Comparing";
    std::vector<Changes> changes;
    for (int step = first; step <= last; ++step)
        changes.push_back(changesOf(history, step));
    job.work = [model = m_document.model(), way = wayTo(history, last + 1),
                changes = std::move(changes)](JobRun<ShownDiff>& run) {
        ShownDiff out;
        guarded([&] {
            Model after = model;
            way.follow(after);
            run.step(0.5, "Comparing");
            Model before = after;
            for (size_t i = changes.size(); i-- > 0;)
                undo(before, changes[i]);
            out = shownDiff(before, after, {true, {}});
        });
        return out;
    };
    job.done = [this, check = first == last ? checkOf(history, first).text : QString()](ShownDiff diff) {
        m_diff->show(std::move(diff), check);
    };
    job.failed = [this](const Error& why) { m_diff->showText(faultText(why.what())); };
    m_runner.start(*this, std::move(job));
}

} // namespace fx::ui
