// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/changes_pane.h"

#include "core/compare/model_diff.h"
#include "core/torch/bind/call.h"
#include "widgets/document/graph_document.h"
#include "widgets/document/history.h"
#include "widgets/models/list_rows.h"
#include "widgets/panes/list_view.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QHBoxLayout>
#include <QSplitter>
#include <QSyntaxHighlighter>
#include <QVBoxLayout>

namespace fx {

namespace {

/// Lines that came and went; each has its sign, too.
class DiffColours : public QSyntaxHighlighter {
public:
    DiffColours(QTextDocument* document, const Theme& theme) : QSyntaxHighlighter(document), m_theme(theme) {
        connect(&theme, &Theme::changed, this, &QSyntaxHighlighter::rehighlight);
    }

protected:
    void highlightBlock(const QString& line) override {
        const Tokens& tokens = m_theme.tokens();
        if (line.startsWith('+'))
            setFormat(0, static_cast<int>(line.size()), tokens.healthy);
        else if (line.startsWith('-'))
            setFormat(0, static_cast<int>(line.size()), tokens.fault);
        else if (line.startsWith("@@"))
            setFormat(0, static_cast<int>(line.size()), tokens.dim);
    }

private:
    const Theme& m_theme;
};

} // namespace

ChangesPane::ChangesPane(GraphDocument& document, const Theme& theme)
    : m_document(document), m_theme(theme), m_rows(new ChangeRows(this)),
      m_view(makeListView(*m_rows, "Changes",
                          "Nothing was changed yet. Each edit and each pass will be a line here.")),
      m_text(new QPlainTextEdit), m_compare(new QPushButton("Side by side")),
      m_bisect(new QPushButton("Bisect")) {
    setObjectName("panel");
    setAttribute(Qt::WA_StyledBackground);
    m_text->setObjectName("changeText");
    m_text->setAccessibleName("What the step has changed");
    m_text->setReadOnly(true);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setFont(theme.fixedFont());
    new DiffColours(m_text->document(), theme);
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
    halves->addWidget(m_text);
    halves->setStretchFactor(1, 1);
    halves->setSizes({420, 700});
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 4, 4);
    column->addWidget(halves);
    setFocusProxy(m_view);
    m_view->header()->resizeSection(0, 30);
    m_view->header()->resizeSection(1, 190);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& current) { showStep(current.isValid() ? current.row() : -1); });
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
    connect(&theme, &Theme::changed, this, [this] { m_text->setFont(m_theme.fixedFont()); });
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
    const int first = chosenSteps().first;
    m_compare->setEnabled(first >= 0);
    m_bisect->setEnabled(first >= 0 && first < m_document.undoStack().index());
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
        showStep(-1);
    followChosen();
}

void ChangesPane::showStep(int step) {
    m_runner.cancelAll();
    const QUndoStack& history = m_document.undoStack();
    if (step < 0 || step >= history.count()) {
        m_text->clear();
        return;
    }
    Job<std::string> job;
    job.title = "Comparing";
    job.work = [model = m_document.model(), way = wayTo(history, step + 1),
                changes = changesOf(history, step)](JobRun<std::string>& run) {
        std::string out;
        guarded([&] {
            Model after = model;
            way.follow(after);
            run.step(0.5, "Comparing");
            Model before = after;
            undo(before, changes);
            out = diffText(diffModels(before, after, {true, {}}), before.graph(), after.graph());
        });
        return out;
    };
    job.done = [this, check = checkOf(history, step).text](const std::string& text) {
        m_text->setPlainText(
            (check.isEmpty() ? "" : check + "\n\n") +
            (text.empty() ? "Notes on nodes alone: what is computed is the same." : qt(text).trimmed()));
    };
    job.failed = [this](const Error& why) { m_text->setPlainText(qt(why.what())); };
    m_runner.start(*this, std::move(job));
}

} // namespace fx
