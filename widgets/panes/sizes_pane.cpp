// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/sizes_pane.h"

#include "core/base/text.h"
#include "core/console/source_frames.h"
#include "widgets/document/graph_document.h"
#include "widgets/models/list_rows.h"
#include "widgets/panes/list_view.h"
#include "widgets/session/selection.h"
#include "widgets/session/sizes_service.h"
#include "widgets/style/icons.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QFormLayout>
#include <QVBoxLayout>

#include <utility>

namespace fx::ui {

namespace {

/// "2 <= N <= 64".
QString rangeText(const std::string& symbol, const KnownRange& range) {
    QString out = qt(symbol);
    if (range.least)
        out = QString::number(*range.least) + " <= " + out;
    if (range.most)
        out += " <= " + QString::number(*range.most);
    return out;
}

} // namespace

SizesPane::SizesPane(const GraphDocument& document, Selection& selection, SizesService& sizes,
                     const Theme& theme)
    : m_document(document), m_sizes(sizes), m_theme(theme), m_names(new QLineEdit(sizes.names())),
      m_summary(new QLabel), m_fault(new QLabel), m_rows(new ProblemRows(this)),
      m_view(makeListView(*m_rows, "What is asked of sizes", "Nothing is asked of these sizes.")) {
    m_names->setObjectName("sizeNames");
    m_names->setAccessibleName("Names of sizes");
    m_names->setPlaceholderText(suggestion());
    m_names->setToolTip("Inputs with names for the sizes that may differ, and Return: all other sizes are\n"
                        "formulas of these. x=[N,3,H,W]; ids=[N,T=128]:int64; count=K; or recorded,\n"
                        "for those of the file");
    m_names->setClearButtonEnabled(true);
    m_summary->setObjectName("dim");
    m_fault->setObjectName("fault");
    for (QLabel* each : {m_summary, m_fault}) {
        each->setTextFormat(Qt::PlainText);
        each->setWordWrap(true);
    }
    m_view->header()->resizeSection(0, 30);
    m_view->header()->resizeSection(1, 180);
    auto* form = new QFormLayout;
    form->addRow("Inputs", m_names);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 6, 8, 4);
    column->setSpacing(4);
    column->addLayout(form);
    column->addWidget(m_fault);
    column->addWidget(m_summary);
    column->addWidget(m_view, 1);
    setFocusProxy(m_names);
    connect(m_names, &QLineEdit::returnPressed, this, [this] { m_sizes.choose(m_names->text()); });
    connect(m_names, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (text.isEmpty())
            m_sizes.choose({});
    });
    const auto follow = [this, &selection](const QModelIndex& index) {
        if (index.isValid() && m_rows->row(index.row()).node.node)
            selection.select(m_rows->row(index.row()).node);
    };
    connect(m_view, &QTreeView::clicked, this, follow);
    connect(m_view, &QTreeView::activated, this, follow);
    connect(&sizes, &SizesService::changed, this, &SizesPane::refresh);
    connect(&sizes, &SizesService::started, this, &SizesPane::refresh);
    connect(&document, &GraphDocument::changed, this, &SizesPane::refresh);
    connect(&theme, &Theme::changed, this, &SizesPane::refresh);
    refresh();
}

void SizesPane::paintEvent(QPaintEvent* event) {
    QWidget::paintEvent(event);
    if (std::exchange(m_isUnasked, false))
        QMetaObject::invokeMethod(&m_sizes, &SizesService::ask, Qt::QueuedConnection);
}

QString SizesPane::suggestion() const {
    QStringList out;
    for (const ModelInput& input : inputsOf(m_document.model())) {
        const auto* tensor = input.value ? std::get_if<TensorMeta>(&input.value->value) : nullptr;
        if (!tensor || tensor->shape.empty())
            continue;
        QStringList sizes{"N"};
        for (size_t i = 1; i < tensor->shape.size(); ++i)
            sizes << qt(dimensionText(tensor->shape[i]));
        out << qt(input.name) + "=[" + sizes.join(',') + ']';
    }
    return out.isEmpty() ? "x=[N,3,H,W]" : out.join("; ");
}

void SizesPane::refresh() {
    const Tokens& tokens = m_theme.tokens();
    m_rows->setIcons(icon("warning", tokens.fault, tokens.faint), icon("warning", tokens.dim, tokens.faint));
    const SizesAnswer& found = m_sizes.found();
    const Model& model = m_document.model();
    std::vector<ProblemRow> rows;
    for (const auto& [symbol, range] : rangesOf(m_document.opened()))
        rows.push_back({ProblemRow::Kind::Note, {}, m_document.title(), rangeText(symbol, range)});
    const auto add = [&](const SizeNote& note) {
        const Graph& graph = model.graph(note.node.module);
        if (!graph.contains(note.node.node))
            return; // it was of before an edit
        const Node& node = graph.node(note.node.node);
        const std::string source = sourceText(node);
        rows.push_back({ProblemRow::Kind::Note, note.node, qt(node.name),
                        qt(note.text) + (source.empty() ? "" : "   " + qt(source))});
    };
    for (const SizeNote& note : found.asked)
        add(note);
    for (const SizeNote& note : found.notes)
        add(note);
    m_rows->setRows(std::move(rows));
    m_fault->setText(m_sizes.fault());
    m_fault->setVisible(!m_sizes.fault().isEmpty());
    m_summary->setText(m_sizes.isWorking() ? QString("Finding them.")
                       : found.symbols.empty()
                           ? QString("Sizes that may differ get names, and all others are "
                                     "formulas of these.")
                           : "Can be chosen: " + qt(join(found.symbols, ", ")));
}

} // namespace fx::ui
