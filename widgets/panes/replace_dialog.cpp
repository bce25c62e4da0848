// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/replace_dialog.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/passes/operator_calls.h"
#include "core/torch/bind/call.h"
#include "widgets/document/graph_document.h"
#include "widgets/panes/still_graph.h"
#include "widgets/session/selection.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QDialogButtonBox>
#include <QPushButton>
#include <QShortcut>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace fx::ui {

struct ReplaceDialog::Answer {
    Traced pattern, replacement;
    QString matchFault;
    PatternSearch found;
};

struct ReplaceDialog::Preview {
    std::shared_ptr<const OpenedModel> model; ///< null: it cannot be done
    ReplacedPlaces fresh;
    QString fault;
};

ReplaceDialog::ReplaceDialog(GraphDocument& document, Selection& selection, Tracer tracer, const Theme& theme,
                             QWidget* parent)
    : QDialog(parent), m_document(document), m_selection(selection), m_tracer(std::move(tracer)),
      m_theme(theme), m_pattern(new QPlainTextEdit), m_replacement(new QPlainTextEdit),
      m_ignoresLiterals(new QCheckBox("Any number fits where the pattern has one")),
      m_all(new QCheckBox("All places")), m_matches(new QListWidget), m_alarm(new QLabel), m_note(new QLabel),
      m_halves(new QSplitter),
      m_noPreview(new QLabel("Write a replacement to see what becomes of the graph.")) {
    setWindowTitle("Replace by pattern");
    resize(980, 720);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    m_apply = buttons->addButton("Replace all", QDialogButtonBox::AcceptRole);
    m_apply->setDefault(true);
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(18, 16, 18, 14);
    column->setSpacing(8);
    column->addWidget(makeTexts(theme.fixedFont()));
    column->addWidget(m_ignoresLiterals);
    column->addWidget(m_alarm);
    column->addWidget(m_note);
    column->addWidget(makePlaces(theme.fixedFont()), 1);
    column->addWidget(buttons);
    connect(m_ignoresLiterals, &QCheckBox::toggled, this, &ReplaceDialog::change);
    connect(&document, &GraphDocument::changed, this, &ReplaceDialog::search);
    connect(m_matches, &QListWidget::currentRowChanged, this, &ReplaceDialog::followRow);
    connect(m_matches, &QListWidget::itemChanged, this, &ReplaceDialog::followTicks);
    connect(m_all, &QCheckBox::clicked, this, [this](bool isTicked) {
        const QSignalBlocker quiet(m_matches);
        for (int i = 0; i < m_matches->count(); ++i)
            m_matches->item(i)->setCheckState(isTicked ? Qt::Checked : Qt::Unchecked);
        followTicks();
    });
    connect(new QShortcut(Qt::Key_J, this), &QShortcut::activated, this, [this] { walk(1); });
    connect(new QShortcut(Qt::Key_K, this), &QShortcut::activated, this, [this] { walk(-1); });
    connect(buttons, &QDialogButtonBox::accepted, this, &ReplaceDialog::apply);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    search();
}

ReplaceDialog::~ReplaceDialog() {
    m_selection.matches().clear();
}

QWidget* ReplaceDialog::makeTexts(const QFont& font) {
    auto* out = new QWidget;
    auto* grid = new QGridLayout(out);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(8);
    grid->addWidget(new QLabel("Pattern: a lambda or a def"), 0, 0);
    grid->addWidget(new QLabel("Replacement, with as many parameters"), 0, 1);
    grid->addWidget(m_pattern, 1, 0);
    grid->addWidget(m_replacement, 1, 1);
    for (QPlainTextEdit* edit : {m_pattern, m_replacement}) {
        edit->setFont(font);
        edit->setLineWrapMode(QPlainTextEdit::NoWrap);
        edit->setTabChangesFocus(true);
        edit->setMaximumHeight(8 * QFontMetrics(font).lineSpacing());
        connect(edit, &QPlainTextEdit::textChanged, this, &ReplaceDialog::change);
    }
    m_pattern->setAccessibleName("Pattern");
    m_replacement->setAccessibleName("Replacement");
    m_pattern->setPlaceholderText("lambda x, y: torch.relu(x + y)");
    m_replacement->setPlaceholderText("lambda x, y: torch.nn.functional.gelu(x + y)");
    return out;
}

QWidget* ReplaceDialog::makePlaces(const QFont& font) {
    m_alarm->setObjectName("fault");
    m_note->setObjectName("dim");
    for (QLabel* label : {m_alarm, m_note}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    QFont bold = m_alarm->font();
    bold.setWeight(QFont::DemiBold);
    m_alarm->setFont(bold);
    m_matches->setAccessibleName("Matches");
    m_matches->setFont(font);
    m_matches->setUniformItemSizes(true);
    m_all->setToolTip(
        "Replace all places, or none. Space ticks one, J and K go to the next and the one before");
    m_noPreview->setObjectName("dim");
    m_noPreview->setAlignment(Qt::AlignCenter);
    m_noPreview->setWordWrap(true);
    auto* list = new QWidget;
    auto* column = new QVBoxLayout(list);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_all);
    column->addWidget(m_matches, 1);
    m_halves->setChildrenCollapsible(false);
    m_halves->addWidget(list);
    m_halves->addWidget(m_noPreview);
    m_halves->setSizes({400, 540});
    m_halves->setStretchFactor(1, 1);
    return m_halves;
}

void ReplaceDialog::setPattern(const QString& text) {
    m_pattern->setPlainText(text);
    m_replacement->setPlainText(text);
    m_replacement->setFocus();
}

// --- The search

void ReplaceDialog::change() {
    m_done.clear();
    search();
}

ReplaceDialog::Traced ReplaceDialog::trace(const std::string& text, const char* place, const Graph& graph,
                                           Progress& progress) const {
    Traced out{text, nullptr, {}};
    if (!trim(text).empty())
        try {
            guarded([&] {
                out.graph = std::make_shared<const Model>(patternFor(graph, m_tracer(text, place, progress)));
            });
        } catch (const Error& error) {
            out.fault = faultText(error.what());
        }
    return out;
}

void ReplaceDialog::search() {
    const std::string pattern = utf8(m_pattern->toPlainText()),
                      replacement = utf8(m_replacement->toPlainText());
    const auto model = std::make_shared<const Model>(m_document.model());
    // Until it is known what fits the texts and the graph as they are now, there is nothing to replace.
    m_apply->setEnabled(false);
    m_previews.cancelAll();
    const auto work = [this, pattern, replacement, model, module = m_selection.graph(),
                       ignoresLiterals = m_ignoresLiterals->isChecked(), knownPattern = m_tracedPattern,
                       knownReplacement = m_tracedReplacement](JobRun<Answer>& run) {
        Answer answer;
        const Graph& graph = model->graph(module);
        answer.pattern = pattern == knownPattern.text ? knownPattern : trace(pattern, "pattern", graph, run);
        answer.replacement = replacement == knownReplacement.text
                                 ? knownReplacement
                                 : trace(replacement, "replacement", graph, run);
        if (answer.pattern.graph)
            try {
                answer.found = searchPattern(*model, module, *answer.pattern.graph, ignoresLiterals);
            } catch (const std::exception& error) {
                answer.matchFault = faultText(error.what());
            }
        return answer;
    };
    m_runner.startNewest(*this,
                         Job<Answer>{"Searching", work, [this](const Answer& answer) { show(answer); }});
}

void ReplaceDialog::show(const Answer& answer) {
    m_tracedPattern = answer.pattern;
    m_tracedReplacement = answer.replacement;
    m_found = answer.found;
    {
        const QSignalBlocker quiet(m_matches);
        m_matches->clear();
        for (const FoundPlace& place : m_found.places) {
            auto* item = new QListWidgetItem(place.text, m_matches);
            item->setToolTip(plainTip(place.text));
            if (!m_found.isMissed)
                item->setCheckState(Qt::Checked);
        }
    }
    m_all->setVisible(!m_found.isMissed && !m_found.places.empty());
    tellSearch(answer);
    followTicks();
}

void ReplaceDialog::tellSearch(const Answer& answer) {
    QString alarm, note = "Write the pattern as a Python function: its parameters stand for any value.";
    const QString fault = answer.pattern.graph ? answer.matchFault : answer.pattern.fault;
    const auto count = static_cast<uint64_t>(m_found.places.size());
    if (!fault.isEmpty()) {
        note.clear();
        alarm = "Pattern: " + fault.section('\n', 0, 0);
    } else if (answer.pattern.graph && !m_found.isMissed) {
        note = qt(plural(count, "place")) + (count == 1 ? " fits." : " fit.");
    } else if (!m_done.isEmpty()) {
        note = m_done;
    } else if (answer.pattern.graph) {
        alarm = "No place fits.";
        note = count == 0 ? "Nothing in this graph is like the pattern."
                          : "The nearest are listed, with what stands in the way.";
    }
    if (!answer.replacement.fault.isEmpty())
        alarm += QString(alarm.isEmpty() ? "" : "  ") +
                 "Replacement: " + answer.replacement.fault.section('\n', 0, 0);
    m_alarm->setText(alarm);
    m_alarm->setVisible(!alarm.isEmpty());
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
}

// --- Places

std::set<NodeId> ReplaceDialog::ticked() const {
    std::set<NodeId> out;
    for (int i = 0; !m_found.isMissed && i < m_matches->count(); ++i)
        if (m_matches->item(i)->checkState() == Qt::Checked)
            out.insert(m_found.places[static_cast<size_t>(i)].anchor);
    return out;
}

void ReplaceDialog::followTicks() {
    const std::set<NodeId> chosen = ticked();
    const bool isAll = chosen.size() == m_found.places.size();
    m_all->setCheckState(isAll ? Qt::Checked : chosen.empty() ? Qt::Unchecked : Qt::PartiallyChecked);
    m_apply->setText(isAll || chosen.empty() ? QString("Replace all")
                                             : "Replace " + qt(plural(chosen.size(), "place")));
    m_apply->setEnabled(m_tracedPattern.graph && m_tracedReplacement.graph && !chosen.empty());
    std::vector<Match> lit;
    for (const FoundPlace& place : m_found.places)
        if (m_found.isMissed || chosen.contains(place.anchor))
            for (const NodeId node : place.nodes)
                lit.push_back({NodeRef{m_selection.graph(), node}, {}});
    m_selection.matches().set("pattern", std::move(lit));
    preview();
}

void ReplaceDialog::followRow(int row) {
    if (row < 0)
        return;
    const FoundPlace& place = m_found.places[static_cast<size_t>(row)];
    if (!place.nodes.empty()) {
        m_selection.reveal(place.nodes.back());
        m_selection.selectNodes(place.nodes);
    }
    lookAtPlace();
}

void ReplaceDialog::walk(int by) {
    const int count = m_matches->count();
    if (count > 0)
        m_matches->setCurrentRow(std::clamp(m_matches->currentRow() + by, 0, count - 1));
}

// --- What would become of them

void ReplaceDialog::preview() {
    if (!m_apply->isEnabled()) {
        show(Preview());
        return;
    }
    const auto now = std::make_shared<const OpenedModel>(m_document.opened());
    Job<Preview> job;
    job.title = "Replacing";
    job.work = [now, module = m_selection.graph(), pattern = m_tracedPattern.graph,
                replacement = m_tracedReplacement.graph, anchors = ticked(),
                ignoresLiterals = m_ignoresLiterals->isChecked()](JobRun<Preview>&) {
        Preview out;
        try {
            guarded([&] {
                auto after = std::make_shared<OpenedModel>(*now);
                Edit edit(after->model, module);
                out.fresh = replacePlaces(edit, *pattern, *replacement, anchors, ignoresLiterals);
                edit.finish();
                out.model = after;
            });
        } catch (const Error& error) {
            out.fault = faultText(error.what());
        }
        return out;
    };
    job.done = [this](const Preview& preview) { show(preview); };
    m_previews.startNewest(*this, std::move(job));
}

void ReplaceDialog::show(const Preview& preview) {
    const QList<int> sizes = m_halves->sizes();
    delete m_after;
    m_after = nullptr;
    m_fresh = preview.fresh;
    m_noPreview->setVisible(!preview.model && !m_found.isMissed);
    m_noPreview->setText(preview.fault.isEmpty() ? "Write a replacement to see what becomes of the graph."
                                                 : "It cannot be done: " + preview.fault);
    if (!preview.model)
        return;
    m_after = new StillGraph(*preview.model, "After it", m_theme, m_selection.graph());
    m_halves->addWidget(m_after);
    // Where the one before it was, or the sentence in its place.
    m_halves->setSizes({sizes[0], 0, m_halves->width() - sizes[0]});
    lookAtPlace();
}

/// At the first one, where none is chosen.
void ReplaceDialog::lookAtPlace() {
    if (!m_after || m_found.places.empty())
        return;
    const auto row = static_cast<size_t>(std::max(0, m_matches->currentRow()));
    const FoundPlace& place = m_found.places[row];
    const auto fresh = m_fresh.find(place.anchor);
    // One that is not ticked is there as it is.
    std::vector<NodeId> nodes = fresh == m_fresh.end() ? place.nodes : fresh->second;
    std::erase_if(nodes, [this](NodeId node) { return !m_after->graph().contains(node); });
    if (!nodes.empty())
        m_after->showAround(nodes);
}

void ReplaceDialog::apply() {
    const std::set<NodeId> anchors = ticked();
    const bool ignoresLiterals = m_ignoresLiterals->isChecked();
    // Of all places it is a pass, which other models may have a use for, too.
    std::optional<RecipeStep> step;
    if (anchors.size() == m_found.places.size())
        step = RecipeStep{"replace",
                          {{"pattern-text", m_tracedPattern.text},
                           {"replacement-text", m_tracedReplacement.text},
                           {"ignore-literals", ignoresLiterals ? "true" : "false"}}};
    size_t count = 0;
    const QString refusal = m_document.perform(
        "Replace by pattern", m_selection.graph(),
        [&](Edit& edit) {
            count = replacePlaces(edit, *m_tracedPattern.graph, *m_tracedReplacement.graph, anchors,
                                  ignoresLiterals)
                        .size();
        },
        0, step);
    // The graph has changed, so the pattern is sought in it once more.
    if (refusal.isEmpty())
        m_done = "Replaced " + qt(plural(count, "place")) + ". Undo takes all of them back.";
    m_note->setText(refusal.isEmpty() ? m_done : refusal);
    m_note->show();
}

} // namespace fx::ui
