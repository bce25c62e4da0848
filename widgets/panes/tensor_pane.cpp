// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/tensor_pane.h"

#include "core/module/read_tensors.h"
#include "widgets/document/graph_document.h"
#include "widgets/panes/completion.h"
#include "widgets/panes/tensor_body.h"
#include "widgets/panes/thumbnail_strip.h"
#include "widgets/session/debug_service.h"
#include "widgets/session/selection.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QVBoxLayout>

namespace fx::ui {

namespace {

constexpr size_t kMostChoices = 200; ///< tensors of a module that are listed

QString tensorLine(const TensorMeta& meta) {
    QString out = qt(valueMetaText(ValueMeta{meta})) + "   " + qt(meta.device.str());
    QStringList strides;
    for (const Dimension& stride : meta.stride)
        strides << qt(dimensionText(stride));
    if (!strides.isEmpty())
        out += "   stride (" + strides.join(", ") + (strides.size() == 1 ? ",)" : ")");
    quint64 count = 1;
    for (const Dimension& size : meta.shape)
        count *= std::holds_alternative<int64_t>(size) ? static_cast<quint64>(std::get<int64_t>(size)) : 0;
    return out + "   " + byteLabel(count * c10::elementSize(meta.dtype));
}

} // namespace

TensorPane::TensorPane(const GraphDocument& document, const Selection& selection, DebugService& debug,
                       const Theme& theme)
    : m_document(document), m_selection(selection), m_debug(debug), m_tabs(new QTabBar), m_title(new QLabel),
      m_meta(new QLabel), m_note(new QLabel), m_text(new QLabel), m_what(new QComboBox),
      m_beside(new ThumbnailStrip(theme)), m_body(new TensorBody(theme)), m_pin(new QToolButton),
      m_set(new QToolButton), m_save(new QToolButton), m_pick(new QToolButton), m_newRow(new QWidget),
      m_newValue(new QLineEdit), m_newFault(new QLabel) {
    setObjectName("panel");
    m_title->setObjectName("title");
    m_meta->setObjectName("dim");
    m_note->setObjectName("dim");
    m_newFault->setObjectName("fault");
    for (QLabel* label : {m_title, m_meta, m_note, m_text, m_newFault})
        label->setTextFormat(Qt::PlainText);
    for (QLabel* label : {m_meta, m_note, m_text, m_newFault})
        label->setWordWrap(true);
    for (QLabel* label : {m_meta, m_text, m_newFault})
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_meta->setFont(theme.fixedFont());
    m_text->setFont(theme.fixedFont());
    m_text->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_newValue->setFont(theme.fixedFont());
    m_newValue->setObjectName("newValue");
    m_newValue->setAccessibleName("New value");
    m_newValue->installEventFilter(this);
    new Completion(*m_newValue, expressionHelp(document, selection));
    for (QLineEdit* line : {&m_body->expression(), &m_body->against()})
        new Completion(*line, expressionHelp(document, selection, {"value"}));
    auto* fresh = new QVBoxLayout(m_newRow);
    fresh->setContentsMargins(0, 0, 0, 0);
    fresh->setSpacing(4);
    m_pick->setText("File…");
    m_pick->setToolTip("A value from a file, or the one that the node had in a run that was saved");
    connect(m_pick, &QToolButton::clicked, this, &TensorPane::pickNewValue);
    auto* typed = new QHBoxLayout;
    typed->addWidget(m_newValue);
    typed->addWidget(m_pick);
    fresh->addLayout(typed);
    fresh->addWidget(m_newFault);
    m_newRow->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 4, 14, 8);
    column->setSpacing(6);
    column->addLayout(makeHead());
    column->addWidget(m_meta);
    column->addWidget(m_newRow);
    column->addWidget(m_note);
    column->addWidget(m_beside);
    column->addWidget(m_text);
    column->addWidget(m_body, 1);
    column->addStretch(0);

    connect(&selection, &Selection::changed, this, &TensorPane::request);
    connect(&document, &GraphDocument::changed, this, &TensorPane::forgetWhatIsGone);
    connect(&debug, &DebugService::stateChanged, this, &TensorPane::request);
    connect(&debug.values(), &ValueRequests::inspected, this, &TensorPane::show);
    connect(m_beside, &ThumbnailStrip::nodeChosen, this, &TensorPane::nodeChosen);
    connect(&debug.gradients(), &Gradients::changed, this, &TensorPane::request);
    connect(&debug, &DebugService::valueReplaced, this, &TensorPane::request);
    connect(m_body, &TensorBody::viewChanged, this, [this] {
        m_open[static_cast<size_t>(m_tabs->currentIndex())].view = m_body->view();
        request();
    });
    connect(m_newValue, &QLineEdit::returnPressed, this, &TensorPane::takeNewValue);
    connect(&debug.values(), &ValueRequests::valueSet, this,
            [this](NodeRef node, const QString& text, bool isError) {
                if (node != m_shown.node)
                    return;
                m_newFault->setText(text.section('\n', 0, 0));
                m_newFault->setVisible(isError);
                if (!isError)
                    closeNewValue();
            });
    request();
}

QLayout* TensorPane::makeHead() {
    m_tabs->setAccessibleName("Tensors");
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setUsesScrollButtons(true);
    m_tabs->setElideMode(Qt::ElideMiddle);
    m_tabs->addTab("Selected");
    m_tabs->setTabToolTip(0, "Follows the selection");
    m_tabs->setTabsClosable(true);
    m_tabs->hide(); // while it is the only one
    m_tabs->installEventFilter(this);
    m_what->setAccessibleName("Which tensor of it");
    m_what->setToolTip(
        "Its value, a tensor of the model that it reads, which needs no run, or the gradient of "
        "one of these, which a run with gradients finds");
    m_what->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_pin->setText("Lock");
    m_pin->setToolTip("Keep this one in a tab of its own while others are selected");
    m_set->setText("Set value");
    m_set->setToolTip(
        "Put what an expression gives in place of this value, while the run stands still, or of "
        "this tensor of the model");
    m_save->setText("Save .npy");
    m_save->setToolTip("Write all elements of this value to a NumPy file");
    connect(m_tabs, &QTabBar::currentChanged, this, &TensorPane::showTab);
    connect(m_tabs, &QTabBar::tabCloseRequested, this, &TensorPane::closeTab);
    connect(m_what, &QComboBox::activated, this, [this](int index) {
        m_chosen = m_what->itemData(index).toInt();
        const auto at = static_cast<size_t>(*m_chosen);
        m_wantsGradient = at < m_choices.size() && m_choices[at].isGradient;
        request();
    });
    connect(m_pin, &QToolButton::clicked, this, &TensorPane::lock);
    connect(m_set, &QToolButton::clicked, this, &TensorPane::editValue);
    connect(m_save, &QToolButton::clicked, this, &TensorPane::save);
    auto* row = new QHBoxLayout;
    m_title->setSizePolicy(QSizePolicy::Ignored,
                           QSizePolicy::Preferred); // a long name is cut in a narrow pane
    row->addWidget(m_title, 1);
    row->addWidget(m_what);
    row->addWidget(m_pin);
    row->addWidget(m_set);
    row->addWidget(m_save);
    auto* out = new QVBoxLayout;
    out->setSpacing(2);
    out->addWidget(m_tabs);
    out->addLayout(row);
    return out;
}

// --- What is looked at

void TensorPane::fillChoices(NodeRef node, const QString& scope) {
    const Model& model = m_document.model();
    std::vector<ReadTensor> found;
    if (node.node)
        found = tensorsReadBy(model, node.module, node.node);
    else if (const ModuleId module = model.resolve(model.root(), utf8(scope.section('@', 0, 0))).module;
             !scope.isEmpty() && module)
        found = tensorsOf(model, module, utf8(scope.section('@', 0, 0)));
    if (found.size() > kMostChoices)
        found.resize(kMostChoices);
    m_choices.clear();
    for (const ReadTensor& tensor : found)
        m_choices.push_back({qt(tensor.name), qt(tensor.path), tensor.tensor});
    addGradients(node);
}

/// As far as the run has told of them, also of such as there are none.
void TensorPane::addGradients(NodeRef node) {
    const std::vector<Choice> tensors = m_choices;
    if (node.node && m_debug.gradients().find(node))
        m_choices.push_back({"gradient", {}, {}, true});
    for (const Choice& each : tensors)
        if (m_debug.gradients().find({}, each.tensor))
            m_choices.push_back({each.name + ".grad", each.path + ".grad", each.tensor, true});
}

TensorPane::Subject TensorPane::followed() {
    const Model& model = m_document.model();
    NodeRef node = m_selection.current();
    if (node.node && !model.graph(node.module).contains(node.node))
        node = {};
    if (node != m_chosenFor || m_selection.scope() != m_chosenScope)
        m_chosen.reset();
    m_chosenFor = node;
    m_chosenScope = m_selection.scope();
    fillChoices(node, m_selection.scope());
    // A tensor that was selected itself, in the tree of modules.
    if (const QString& path = m_selection.tensor(); !path.isEmpty() && !m_chosen) {
        m_choices.clear();
        if (const TensorId tensor = model.resolve(model.root(), utf8(path)).tensor)
            return {{}, tensor, path, false, path};
    }
    if (!m_chosen && m_wantsGradient)
        for (size_t i = 0; i < m_choices.size(); ++i)
            if (m_choices[i].isGradient && !m_choices[i].tensor)
                m_chosen = static_cast<int>(i);
    int chosen = m_chosen.value_or(-1);
    const bool hasValue = node.node && m_debug.run().values().record(node);
    if (!m_chosen && !hasValue && !m_choices.empty())
        chosen = 0;
    const QSignalBlocker quiet(m_what);
    m_what->clear();
    if (node.node)
        m_what->addItem("value", -1);
    for (size_t i = 0; i < m_choices.size(); ++i)
        m_what->addItem(m_choices[i].name, static_cast<int>(i));
    m_what->setCurrentIndex(m_what->findData(chosen));
    if (chosen >= static_cast<int>(m_choices.size()))
        chosen = -1;
    const QString name = node.node ? qt(model.graph(node.module).node(node.node).name) : m_chosenScope;
    if (chosen < 0)
        return {node, {}, name};
    const Choice& choice = m_choices[static_cast<size_t>(chosen)];
    return {node, choice.tensor, name, choice.isGradient, choice.path};
}

bool TensorPane::isThere(const Subject& subject) const {
    const Model& model = m_document.model();
    return subject.tensor ||
           (subject.node.node && model.graph(subject.node.module).contains(subject.node.node));
}

void TensorPane::request() {
    const bool follows = m_tabs->currentIndex() == 0;
    Tab& tab = m_open[static_cast<size_t>(m_tabs->currentIndex())];
    if (follows) {
        const Subject subject = followed();
        if (subject != tab.subject)
            tab.view = {};
        tab.subject = subject;
    }
    m_what->setVisible(follows && m_what->count() > 1);
    if (tab.subject != m_shown) {
        m_body->setView(tab.view);
        m_newRow->hide();
    }
    m_shown = tab.subject;
    ask(tab.subject);
}

void TensorPane::ask(const Subject& subject) {
    const bool isKnown = isThere(subject);
    const bool isPaused = m_debug.state() == DebugService::State::Paused;
    m_pin->setEnabled(isKnown && m_tabs->currentIndex() == 0);
    const bool isSettable =
        subject.tensor ? !subject.path.isEmpty() : isPaused && m_debug.run().values().record(subject.node);
    m_set->setEnabled(isKnown && !subject.isGradient && isSettable);
    if (!m_set->isEnabled())
        m_newRow->hide();
    Q_EMIT subjectChanged();
    if (!isKnown) {
        showNothing();
        return;
    }
    m_title->setText(subject.title);
    // What comes of it takes a moment; what is known of it is said at once.
    if (subject.tensor) {
        m_note->setText(noteOf({}));
        m_note->setVisible(!m_note->text().isEmpty());
    }
    if (subject.tensor)
        m_debug.values().inspectTensor(subject.tensor, m_body->view(), subject.isGradient);
    else
        m_debug.values().inspect(subject.node, m_body->view(), subject.isGradient, besideOf(subject.node));
}

void TensorPane::showNothing() {
    m_title->setText("No node selected");
    m_note->setText("Select a node to see its value, or a tensor in the tree of modules.");
    m_note->show();
    for (QWidget* widget : std::initializer_list<QWidget*>{m_meta, m_beside, m_text, m_body})
        widget->hide();
    m_save->setEnabled(false);
}

// --- What is shown

QString TensorPane::noteOf(const Inspection& inspection) const {
    if (m_shown.isGradient)
        return inspection.absence.empty() ? "The gradient of " + m_debug.gradients().loss() + '.'
                                          : qt(inspection.absence) + '.';
    if (m_shown.tensor) {
        if (!m_shown.node.node || m_debug.run().values().record(m_shown.node) || m_tabs->currentIndex() != 0)
            return {};
        const Node& node = m_document.model().graph(m_shown.node.module).node(m_shown.node.node);
        if (node.opcode == Opcode::GetAttr)
            return {};
        const ValueMeta* known = knownValue(node.meta);
        return "No value yet: this node has not run" +
               (known ? " (recorded: " + qt(valueMetaText(*known)) + ')' : QString()) + ". This is its " +
               m_what->currentText() + '.';
    }
    if (!inspection.absence.empty())
        return qt(inspection.absence);
    if (!inspection.setTo.empty())
        return "Set to  " + qt(inspection.setTo) +
               "  by hand. Running again from the start gives the node's own value.";
    if (!inspection.changedBy.empty())
        return qt(inspection.changedBy) +
               " has written into this tensor since; these are the values it left.";
    if (m_debug.run().values().isStale(m_shown.node))
        return "From before the edit: another run gives another value.";
    return m_debug.run().isAhead(m_shown.node)
               ? "From before: the run stands before this node, and will compute it again."
               : QString();
}

void TensorPane::show(const Inspection& inspection) {
    if (m_shown.tensor ? inspection.tensor != m_shown.tensor
                       : inspection.tensor || inspection.node != m_shown.node)
        return;
    const bool hasValue = inspection.absence.empty();
    const auto* tensor = std::get_if<TensorMeta>(&inspection.value.value);
    QString note = noteOf(inspection);
    if (m_shown.tensor && !hasValue)
        note = qt(inspection.absence);
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
    m_save->setEnabled(hasValue && tensor);
    showBeside(inspection);
    // An expression that is wrong, or gives no tensor, can be mended.
    const bool isViewed = !m_body->view().expression.empty();
    m_text->setVisible(hasValue && !tensor);
    m_body->setVisible(hasValue && (tensor || isViewed));
    m_body->show(inspection);
    if (!hasValue) {
        showAbsence(inspection);
        return;
    }
    m_meta->show();
    m_meta->setText(tensor ? tensorLine(*tensor) : qt(valueMetaText(inspection.value)));
    m_text->setText(qt(inspection.text));
}

/// What was recorded at capture is better than nothing.
void TensorPane::showAbsence(const Inspection& inspection) {
    const ValueMeta* known = nullptr;
    if (!inspection.tensor)
        known = knownValue(m_document.model().graph(m_shown.node.module).node(m_shown.node.node).meta);
    m_meta->setText(known ? "recorded: " + qt(valueMetaText(*known)) : QString());
    m_meta->setVisible(known);
}

} // namespace fx::ui
