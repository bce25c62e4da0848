// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/insert_dialog.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "widgets/panes/completion.h"
#include "widgets/panes/parameter_line.h"
#include "widgets/support/qt_text.h"
#include "widgets/support/text_label.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QDialogButtonBox>
#include <QEvent>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>

namespace fx::ui {

namespace {

constexpr int kTypingRestMilliseconds = 250;
constexpr size_t kMostReaders = 30;

} // namespace

InsertDialog::InsertDialog(std::shared_ptr<const OpenedModel> model, const InsertPlace& place,
                           const Callable& callable, Trial trial, const QFont& fixedFont, QWidget* parent)
    : QDialog(parent), m_model(std::move(model)), m_place(place), m_callable(callable),
      m_trial(std::move(trial)), m_fixedFont(fixedFont),
      m_forms(formsOf(callable, m_model->model, place.graph)), m_overload(new QComboBox),
      m_where(new QComboBox), m_arguments(new QFormLayout), m_name(new QLineEdit), m_call(textLabel("code")),
      m_said(textLabel("dim")) {
    setWindowTitle("Insert " + qt(callable.text));
    setMinimumWidth(560);
    if (m_forms.empty())
        m_forms.push_back({{}, true});
    for (const CallForm& form : m_forms)
        m_overload->addItem(qt(form.text()));
    m_overload->setAccessibleName("Overload");
    m_overload->setFont(fixedFont);
    m_overload->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_where->setAccessibleName("Where it goes");
    m_name->setAccessibleName("Name of the new node");
    m_name->setPlaceholderText("one from what is called");
    m_name->setFont(fixedFont);
    m_call->setFont(fixedFont);
    m_call->setAccessibleName("The call");
    m_said->setAccessibleName("What comes of it");
    m_arguments->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_arguments->setSpacing(8);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    m_insert = buttons->button(QDialogButtonBox::Ok);
    m_insert->setText("Insert");
    auto* below = new QFormLayout;
    below->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    below->setSpacing(8);
    below->addRow("Where", m_where);
    below->addRow("Name", m_name);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(18, 16, 18, 14);
    column->setSpacing(12);
    column->addWidget(m_overload);
    m_overload->setVisible(m_forms.size() > 1);
    column->addLayout(m_arguments);
    auto* hint = textLabel("dim");
    hint->setText("A click on a node of the graph puts it into the field.");
    column->addWidget(hint);
    column->addLayout(below);
    column->addWidget(m_call);
    column->addWidget(m_said);
    column->addStretch();
    column->addWidget(buttons);
    m_rest.setSingleShot(true);
    m_rest.setInterval(kTypingRestMilliseconds);
    offerPlaces();
    showForm();
    connect(&m_rest, &QTimer::timeout, this, &InsertDialog::tryIt);
    connect(m_overload, &QComboBox::activated, this, &InsertDialog::showForm);
    connect(m_where, &QComboBox::activated, this, &InsertDialog::followPlace);
    connect(m_name, &QLineEdit::textChanged, this, &InsertDialog::change);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

InsertDialog::~InsertDialog() = default;

/// The tensor that one has asked at goes into the first place for one.
QString InsertDialog::suggestion(const CallParameter& parameter, size_t at) {
    const bool isTensor = parameter.type.starts_with("Tensor") ||
                          (parameter.type.empty() && !parameter.isMaking && parameter.defaultText.empty());
    if (!readNode() || parameter.isMaking || (!isTensor && at > 0))
        return {};
    return qt(m_model->model.graph(m_place.graph).node(readNode()).name);
}

NodeId InsertDialog::readNode() const {
    const NodeId replaced = m_places[static_cast<size_t>(m_where->currentIndex())].first;
    return replaced ? replaced : m_place.producer;
}

void InsertDialog::showForm() {
    while (m_arguments->rowCount() > 0)
        m_arguments->removeRow(0);
    m_fields.clear();
    m_suggested = nullptr;
    const auto helper = std::make_shared<const ExpressionHelper>(m_model->model, m_place.graph);
    const auto suggested = [&](const CallParameter& parameter) {
        return m_suggested ? QString() : suggestion(parameter, m_fields.size());
    };
    const auto add = [&](const QString& name, QLineEdit* line) {
        if (!m_suggested && !line->text().isEmpty())
            m_suggested = line;
        new Completion(*line, [helper](const QString& text) { return helper->expression(utf8(text)); });
        connect(line, &QLineEdit::textChanged, this, &InsertDialog::change);
        line->installEventFilter(this);
        m_arguments->addRow(name, line);
        m_fields.push_back(line);
    };
    for (size_t i = 0; i < form().parameters.size(); ++i) {
        const CallParameter& each = form().parameters[i];
        add(labelOf(each), parameterLine(each, suggested(each), m_fixedFont));
    }
    if (form().takesMore) {
        auto* line = new QLineEdit(suggested({"more", "", "", false, false}));
        line->setFont(m_fixedFont);
        line->setPlaceholderText("further arguments, with commas between them");
        line->setAccessibleName("more");
        add("more", line);
    }
    const auto empty =
        std::ranges::find_if(m_fields, [](const QLineEdit* each) { return each->text().isEmpty(); });
    m_field = nullptr;
    if (!m_fields.empty())
        m_field = empty == m_fields.end() ? m_fields.front() : *empty;
    if (m_field)
        m_field->setFocus();
    change();
    adjustSize();
}

bool InsertDialog::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusIn)
        m_field = qobject_cast<QLineEdit*>(watched);
    return QDialog::eventFilter(watched, event);
}

void InsertDialog::takeNode(NodeId node) {
    if (!m_field)
        return;
    const QString name = wholeQt(m_model->model.graph(m_place.graph).node(node).name);
    const QString text = m_field->text().trimmed();
    const bool isOpen = text.endsWith('[') || text.endsWith('(') || text.endsWith(',');
    m_field->setText(isOpen ? text + name : name);
    activateWindow();
    m_field->setFocus();
}

void InsertDialog::offerPlaces() {
    const Graph& graph = m_model->model.graph(m_place.graph);
    const auto add = [this](const QString& text, NodeId replaced, NodeId reader) {
        m_where->addItem(text);
        m_places.emplace_back(replaced, reader);
    };
    const auto between = [&](NodeId one, NodeId other) {
        add(QString("between %1 and %2").arg(qt(graph.node(one).name), qt(graph.node(other).name)), one,
            other);
    };
    if (m_place.producer) {
        const Node& producer = graph.node(m_place.producer);
        const QString name = qt(producer.name);
        const std::vector<NodeId> readers(producer.users.begin(), producer.users.end());
        if (readers.size() > 1)
            add(QString("between %1 and its %2 readers").arg(name).arg(readers.size()), m_place.producer, {});
        for (size_t i = 0; i < std::min(readers.size(), kMostReaders); ++i) {
            between(m_place.producer, readers[i]);
            if (readers[i] == m_place.reader)
                m_where->setCurrentIndex(m_where->count() - 1);
        }
        const size_t first = m_places.size();
        for (const InputUse& input : producer.inputs)
            if (graph.node(input.node).opcode != Opcode::GetAttr)
                between(input.node, m_place.producer);
        if (m_place.isBefore && m_places.size() > first)
            m_where->setCurrentIndex(static_cast<int>(first));
    }
    add("beside the others: nothing reads it yet", {}, {});
    if (m_place.isApart)
        m_where->setCurrentIndex(m_where->count() - 1);
}

/// What was suggested for another place is what that one has; what was typed stays.
void InsertDialog::followPlace() {
    if (m_suggested && !m_suggested->isModified() && readNode())
        m_suggested->setText(wholeQt(m_model->model.graph(m_place.graph).node(readNode()).name));
    change();
}

const CallForm& InsertDialog::form() const {
    return m_forms[static_cast<size_t>(std::max(0, m_overload->currentIndex()))];
}

std::vector<std::string> InsertDialog::texts() const {
    std::vector<std::string> out;
    for (const QLineEdit* field : m_fields)
        out.push_back(utf8(field->text()));
    return out;
}

InsertDialog::Options InsertDialog::options() const {
    const Graph& graph = m_model->model.graph(m_place.graph);
    Options out{{"call", callText(m_callable, form(), texts())}};
    if (const QString name = m_name->text().trimmed(); !name.isEmpty())
        out["name"] = utf8(name);
    if (!waitsFor().isEmpty())
        out["unchecked"] = "true";
    const auto& [replaced, reader] = m_places[static_cast<size_t>(m_where->currentIndex())];
    if (replaced)
        out["replaces"] = graph.node(replaced).name;
    if (reader)
        out["readers"] = graph.node(reader).name;
    return out;
}

void InsertDialog::change() {
    m_insert->setEnabled(false);
    const Options wanted = options();
    m_call->setText(wholeQt(wanted.at("call")));
    for (size_t i = 0; i < form().parameters.size(); ++i)
        if (isMissing(i) && !canWait(i)) {
            m_rest.stop();
            say("'" + qt(form().parameters[i].name) + "' is needed.", false);
            return;
        }
    m_rest.start();
}

bool InsertDialog::isMissing(size_t parameter) const {
    return form().parameters[parameter].defaultText.empty() &&
           m_fields[parameter]->text().trimmed().isEmpty();
}

/// A wire can give a tensor, but not what a module is made of or a method is called on.
bool InsertDialog::canWait(size_t parameter) const {
    const CallParameter& each = form().parameters[parameter];
    const bool isSelf = m_callable.kind == Callable::Kind::Method && parameter == 0;
    return !each.isMaking && !isSelf && (each.type.empty() || each.type.find("Tensor") != std::string::npos);
}

QString InsertDialog::waitsFor() const {
    QStringList out;
    for (size_t i = 0; i < form().parameters.size(); ++i)
        if (isMissing(i) && canWait(i))
            out << qt(form().parameters[i].name);
    return out.join(", ");
}

void InsertDialog::tryIt() {
    const auto work = [trial = m_trial, wanted = options()](JobRun<std::string>& run) {
        return trial(wanted, run);
    };
    m_runner.startNewest(
        *this, Job<std::string>{"Trying", work,
                                [this](const std::string& line) {
                                    m_insert->setEnabled(true);
                                    const QString waits = waitsFor();
                                    say(waits.isEmpty() ? qt(line)
                                                        : "It will wait for " + waits +
                                                              ": draw wires to it before it runs.",
                                        false);
                                },
                                [this](const Error& fault) { say(faultText(fault.what()), true); }});
}

void InsertDialog::say(const QString& text, bool isFault) {
    m_said->setText(text);
    m_said->setObjectName(isFault ? "fault" : "dim");
    m_said->style()->unpolish(m_said);
    m_said->style()->polish(m_said);
}

} // namespace fx::ui
