// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/replace_dialog.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/ir/argument_text.h"
#include "core/rewrite/explain.h"
#include "core/torch/bind/call.h"
#include "widgets/document/graph_document.h"
#include "widgets/session/selection.h"
#include "widgets/support/qt_text.h"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QPushButton>

namespace fx {

namespace {

/// "relu_1, add    where x is linear": the nodes of a match in the order of the graph.
QString matchText(const SubgraphMatch& match, const Graph& pattern, const Graph& graph) {
    QStringList nodes, places;
    const NodeNames names = [&](NodeId id) { return graph.node(id).name; };
    for (const Node& node : pattern) {
        const Argument* found = match.nodes.find(node.id);
        if (!found || node.opcode == Opcode::Output)
            continue;
        const QString text = qt(reprText(*found, names));
        if (node.opcode == Opcode::Placeholder)
            places << qt(node.name) + " is " + text;
        else
            nodes << text;
    }
    return nodes.join(", ") + (places.isEmpty() ? "" : "    where " + places.join(", "));
}

} // namespace

struct ReplaceDialog::Answer {
    Traced pattern, replacement;
    QString matchFault;
    QStringList matches;       ///< one line each
    std::vector<NodeId> nodes; ///< the node of the graph that stands for the anchor of each
    QStringList misses;
};

ReplaceDialog::ReplaceDialog(GraphDocument& document, Selection& selection, Tracer tracer,
                             const QFont& fixedFont, QWidget* parent)
    : QDialog(parent), m_document(document), m_selection(selection), m_tracer(std::move(tracer)),
      m_pattern(new QPlainTextEdit), m_replacement(new QPlainTextEdit),
      m_ignoresLiterals(new QCheckBox("Any number fits where the pattern has one")),
      m_matches(new QListWidget), m_note(new QLabel) {
    setWindowTitle("Replace by pattern");
    resize(860, 560);
    for (QPlainTextEdit* edit : {m_pattern, m_replacement}) {
        edit->setFont(fixedFont);
        edit->setLineWrapMode(QPlainTextEdit::NoWrap);
        edit->setTabChangesFocus(true);
        connect(edit, &QPlainTextEdit::textChanged, this, &ReplaceDialog::change);
    }
    m_pattern->setAccessibleName("Pattern");
    m_replacement->setAccessibleName("Replacement");
    m_pattern->setPlaceholderText("lambda x, y: torch.relu(x + y)");
    m_replacement->setPlaceholderText("lambda x, y: torch.nn.functional.gelu(x + y)");
    m_matches->setAccessibleName("Matches");
    m_matches->setFont(fixedFont);
    m_matches->setUniformItemSizes(true);
    m_note->setObjectName("dim");
    m_note->setWordWrap(true);
    m_note->setTextFormat(Qt::PlainText);
    m_note->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    m_apply = buttons->addButton("Replace all", QDialogButtonBox::AcceptRole);
    m_apply->setDefault(true);
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(18, 16, 18, 14);
    grid->setSpacing(8);
    grid->addWidget(new QLabel("Pattern: a lambda or a def"), 0, 0);
    grid->addWidget(new QLabel("Replacement, with as many parameters"), 0, 1);
    grid->addWidget(m_pattern, 1, 0);
    grid->addWidget(m_replacement, 1, 1);
    grid->addWidget(m_ignoresLiterals, 2, 0, 1, 2);
    grid->addWidget(m_note, 3, 0, 1, 2);
    grid->addWidget(m_matches, 4, 0, 1, 2);
    grid->addWidget(buttons, 5, 0, 1, 2);
    grid->setRowStretch(1, 2);
    grid->setRowStretch(4, 3);
    connect(m_ignoresLiterals, &QCheckBox::toggled, this, &ReplaceDialog::change);
    connect(&document, &GraphDocument::changed, this, &ReplaceDialog::search);
    connect(m_matches, &QListWidget::currentRowChanged, this, [this](int row) {
        const QListWidgetItem* item = m_matches->item(row);
        if (item && item->data(Qt::UserRole).isValid())
            m_selection.select({m_selection.graph(), NodeId{item->data(Qt::UserRole).toInt()}});
    });
    connect(buttons, &QDialogButtonBox::accepted, this, &ReplaceDialog::apply);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    search();
}

ReplaceDialog::~ReplaceDialog() = default;

void ReplaceDialog::change() {
    m_done.clear();
    search();
}

ReplaceDialog::Traced ReplaceDialog::trace(const std::string& text, const char* place,
                                           Progress& progress) const {
    Traced out{text, nullptr, {}};
    if (!trim(text).empty())
        try {
            guarded([&] { out.graph = std::make_shared<const Model>(m_tracer(text, place, progress)); });
        } catch (const Error& error) {
            out.fault = qt(error.what());
        }
    return out;
}

void ReplaceDialog::search() {
    const std::string pattern = utf8(m_pattern->toPlainText()),
                      replacement = utf8(m_replacement->toPlainText());
    const auto model = std::make_shared<const Model>(m_document.model());
    const ModuleId module = m_selection.graph();
    MatchOptions options;
    options.ignoreLiterals = m_ignoresLiterals->isChecked();
    // Until it is known what fits the texts and the graph as they are now, there is nothing to replace.
    m_apply->setEnabled(false);
    const auto work = [this, pattern, replacement, model, module, options, knownPattern = m_tracedPattern,
                       knownReplacement = m_tracedReplacement](JobRun<Answer>& run) {
        Answer answer;
        answer.pattern = pattern == knownPattern.text ? knownPattern : trace(pattern, "pattern", run);
        answer.replacement =
            replacement == knownReplacement.text ? knownReplacement : trace(replacement, "replacement", run);
        if (const Model* traced = answer.pattern.graph.get()) {
            try {
                const OwnedGraph target{model.get(), module};
                const SubgraphMatcher matcher({traced, traced->root()}, options);
                const Graph& graph = model->graph(module);
                for (const SubgraphMatch& match : matcher.match(target)) {
                    answer.matches << matchText(match, traced->graph(), graph);
                    const Argument* anchor = match.nodes.find(match.anchor);
                    answer.nodes.push_back(anchor ? anchor->node() : NodeId());
                }
                if (answer.matches.isEmpty())
                    for (const NearMiss& miss : explainMisses(matcher, target, 20)) {
                        answer.misses << qt(nearMissText(miss, matcher, target));
                        answer.nodes.push_back(miss.candidate);
                    }
            } catch (const std::exception& error) {
                answer.matchFault = qt(error.what());
            }
        }
        return answer;
    };
    m_runner.startNewest(*this,
                         Job<Answer>{"Searching", work, [this](const Answer& answer) { show(answer); }});
}

void ReplaceDialog::show(const Answer& answer) {
    m_tracedPattern = answer.pattern;
    m_tracedReplacement = answer.replacement;
    m_matches->clear();
    const QStringList& lines = answer.matches.isEmpty() ? answer.misses : answer.matches;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        auto* item = new QListWidgetItem(lines[i], m_matches);
        item->setToolTip(plainTip(lines[i]));
        if (const NodeId node = answer.nodes[static_cast<size_t>(i)])
            item->setData(Qt::UserRole, node.value);
    }
    QString note = "Write the pattern as a Python function: its parameters stand for any value.";
    const QString fault = answer.pattern.graph ? answer.matchFault : answer.pattern.fault;
    if (!fault.isEmpty())
        note = "Pattern: " + fault.section('\n', 0, 0);
    else if (answer.pattern.graph && !answer.matches.isEmpty())
        note = qt(plural(static_cast<uint64_t>(answer.matches.size()), "place")) +
               (answer.matches.size() == 1 ? " fits." : " fit.");
    else if (!m_done.isEmpty())
        note = m_done;
    else if (answer.pattern.graph)
        note = answer.misses.isEmpty() ? "Nothing in this graph is like the pattern."
                                       : "No place fits. The nearest, with what stands in the way:";
    if (!answer.replacement.fault.isEmpty())
        note += "  Replacement: " + answer.replacement.fault.section('\n', 0, 0);
    m_note->setText(note);
    m_apply->setEnabled(answer.pattern.graph && answer.replacement.graph && !answer.matches.isEmpty());
}

void ReplaceDialog::apply() {
    ReplaceOptions options;
    options.ignoreLiterals = m_ignoresLiterals->isChecked();
    options.isModule = false;
    size_t count = 0;
    const QString refusal = m_document.perform("Replace by pattern", m_selection.graph(), [&](Edit& edit) {
        count = replacePattern(edit, *m_tracedPattern.graph, *m_tracedReplacement.graph, options).size();
    });
    // The graph has changed, so the pattern is sought in it once more.
    if (refusal.isEmpty())
        m_done = "Replaced " + qt(plural(count, "place")) + ". Undo takes all of them back.";
    m_note->setText(refusal.isEmpty() ? m_done : refusal);
}

} // namespace fx
