// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/pass_dialog.h"

#include "core/base/error.h"
#include "core/passes/pass_options.h"
#include "widgets/panes/constructor_field.h"
#include "widgets/support/qt_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QScreen>
#include <QScrollArea>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>

namespace fx::ui {

namespace {

/// "keep-names" as words: "Keep names".
QString labelOf(const PassOption& option) {
    QString label = qt(option.name).replace('-', ' ');
    label[0] = label[0].toUpper();
    return label;
}

} // namespace

PassDialog::PassDialog(const Pass& pass, const Model& model, ModuleId graph, Trial trial,
                       const QFont& fixedFont, QWidget* parent)
    : QDialog(parent), m_pass(pass), m_model(model), m_graph(graph), m_trial(std::move(trial)),
      m_said(new QLabel) {
    setWindowTitle(qt(pass.title));
    QString summary = qt(pass.summary);
    summary[0] = summary[0].toUpper();
    auto* about = new QLabel(summary + '.');
    about->setTextFormat(Qt::PlainText);
    about->setWordWrap(true);
    auto* area = new QWidget;
    auto* rows = new QVBoxLayout(area);
    rows->setContentsMargins(0, 0, 8, 0);
    auto* form = new QFormLayout;
    rows->addLayout(form);
    rows->addStretch(1); // what is too much goes below the rows, and not between them
    form->setHorizontalSpacing(8);
    form->setVerticalSpacing(3);
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    m_fields.reserve(pass.options.size()); // what the editors call refers to their fields
    for (const PassOption& option : pass.options) {
        Field& field = m_fields.emplace_back(Field{&option, nullptr, new QLabel, nullptr});
        field.note->setTextFormat(Qt::PlainText);
        field.note->setWordWrap(true);
        field.note->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
        field.note->setContentsMargins(0, 0, 0, 9); // nearer to its field than to the next
        field.note->setAlignment(Qt::AlignLeft | Qt::AlignTop);
        field.note->setMinimumHeight(1); // else it has that of a narrower one
        QWidget* row = makeEditor(field, fixedFont);
        field.editor->setAccessibleName(labelOf(option));
        field.editor->setAccessibleDescription(qt(option.help));
        form->addRow(option.type == OptionType::Bool ? QString() : labelOf(option), row);
        form->addRow(QString(), field.note);
        check(field, false);
    }
    m_said->setTextFormat(Qt::PlainText);
    m_said->setWordWrap(true);
    m_said->setAccessibleName("What it does");
    m_said->setMinimumHeight(2 * m_said->fontMetrics().lineSpacing()); // so that the dialog keeps its size
    m_said->setVisible(bool(m_trial));
    m_rest.setSingleShot(true);
    m_rest.setInterval(150);
    connect(&m_rest, &QTimer::timeout, this, &PassDialog::tryIt);
    if (m_trial)
        m_rest.start();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Ok)->setText("Run");
    buttons->button(QDialogButtonBox::Ok)->setDefault(true);
    auto* scroll = new QScrollArea;
    scroll->setWidget(area);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(18, 16, 10, 14);
    column->setSpacing(12);
    column->addWidget(about);
    column->addWidget(scroll, 1);
    column->addWidget(m_said);
    column->addWidget(buttons);
    // As high as the fields with their help are, and no higher than the screen.
    constexpr int kWidth = 560, kBesideFields = 150;
    const int fields = rows->totalHeightForWidth(kWidth - 46);
    scroll->setMinimumHeight(std::min(fields, 240));
    resize(kWidth, std::min(fields + kBesideFields, screen()->availableGeometry().height() * 85 / 100));
    connect(buttons, &QDialogButtonBox::accepted, this, &PassDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    m_fields.front().editor->setFocus();
}

QWidget* PassDialog::makeEditor(Field& field, const QFont& fixedFont) {
    const PassOption& option = *field.option;
    if (option.type == OptionType::Bool) {
        auto* box = new QCheckBox(labelOf(option));
        box->setChecked(option.byDefault == "true");
        connect(box, &QCheckBox::toggled, this, [this] { change(); });
        field.text = [box] { return box->isChecked() ? "true" : "false"; };
        return field.editor = box;
    }
    if (option.type == OptionType::Choice) {
        auto* list = new QComboBox;
        if (option.byDefault.empty() && !option.isRequired)
            list->addItem("");
        for (const std::string& choice : option.choices)
            list->addItem(qt(choice));
        list->setCurrentText(wholeQt(option.byDefault));
        connect(list, &QComboBox::currentTextChanged, this, [this] { change(); });
        field.text = [list] { return list->currentText(); };
        return field.editor = list;
    }
    return makeLine(field, fixedFont);
}

QWidget* PassDialog::makeLine(Field& field, const QFont& fixedFont) {
    const OptionType type = field.option->type;
    auto* line = new QLineEdit(wholeQt(field.option->byDefault));
    line->setFont(fixedFont);
    if (type == OptionType::Nodes)
        line->setPlaceholderText("relu, add_1");
    field.editor = line;
    field.text = [line] { return line->text(); };
    connect(line, &QLineEdit::textChanged, this, [this, &field] {
        check(field, false);
        change();
    });
    if (type == OptionType::Constructor)
        return new ConstructorField(*line, fixedFont);
    if (type == OptionType::Calls) {
        auto* take = new QPushButton("Selection");
        take->setAccessibleName(labelOf(*field.option) + ": the selected nodes");
        take->setToolTip("Add the nodes that are selected in the graph");
        take->setEnabled(false);
        m_selectionTakers.push_back(take);
        connect(take, &QPushButton::clicked, this, [this, line] {
            const QString before = line->text().trimmed();
            line->setText((before.isEmpty() ? QString() : before + ", ") + m_selected.join(", "));
        });
        return withButton(line, take);
    }
    if (type != OptionType::Path)
        return line;
    auto* browse = new QPushButton("Browse…");
    connect(browse, &QPushButton::clicked, this, [this, line] {
        const QString path = QFileDialog::getOpenFileName(this, m_pass.title.c_str(), line->text());
        if (!path.isEmpty())
            line->setText(path);
    });
    return withButton(line, browse);
}

QWidget* PassDialog::withButton(QLineEdit* line, QPushButton* button) {
    button->setAutoDefault(false);
    auto* both = new QWidget;
    auto* row = new QHBoxLayout(both);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(line, 1);
    row->addWidget(button);
    both->setFocusProxy(line);
    return both;
}

PassDialog::~PassDialog() = default;

void PassDialog::suggestNodes(const QStringList& names) {
    m_selected = names;
    for (QPushButton* button : m_selectionTakers)
        button->setEnabled(!names.isEmpty());
    for (const Field& field : m_fields)
        if (field.option->type == OptionType::Nodes && field.text().isEmpty())
            static_cast<QLineEdit*>(field.editor)->setText(names.join(", "));
}

bool PassDialog::check(const Field& field, bool isFinal) {
    const PassOption& option = *field.option;
    const std::string text = utf8(field.text());
    QString fault;
    try {
        if (!text.empty())
            PassOptions(Pass{"", "", "", {}, {option}, nullptr}, {{option.name, text}})
                .requireNodes(m_model.graph(m_graph));
        else if (option.isRequired && isFinal)
            fault = "This is needed.";
    } catch (const Error& error) {
        fault = faultText(error.message());
        fault[0] = fault[0].toUpper();
    }
    field.note->setText(fault.isEmpty() ? qt(option.help) : fault);
    field.note->setVisible(!field.note->text().isEmpty());
    field.note->setObjectName(fault.isEmpty() ? "dim" : "fault");
    field.note->style()->unpolish(field.note);
    field.note->style()->polish(field.note);
    return fault.isEmpty();
}

void PassDialog::suggest(std::string_view option, const QString& text) {
    for (const Field& field : m_fields)
        if (auto* line = qobject_cast<QLineEdit*>(field.editor);
            line && field.option->name == option && line->text().isEmpty())
            line->setText(text);
}

void PassDialog::focusOn(std::string_view option) {
    for (const Field& field : m_fields)
        if (auto* line = qobject_cast<QLineEdit*>(field.editor); line && field.option->name == option) {
            line->setFocus();
            line->selectAll();
        }
}

PassDialog::Options PassDialog::changedOptions() const {
    Options texts;
    for (const Field& field : m_fields)
        if (const std::string text = utf8(field.text()); !isDefault(*field.option, text))
            texts[field.option->name] = text;
    return texts;
}

std::optional<PassDialog::Options> PassDialog::wanted() {
    bool isSound = true;
    for (const Field& field : m_fields)
        isSound &= check(field, false) && !(field.option->isRequired && field.text().isEmpty());
    return isSound ? std::optional(changedOptions()) : std::nullopt;
}

void PassDialog::change() {
    if (!m_trial)
        return;
    say({}, false);
    m_rest.start();
}

void PassDialog::tryIt() {
    const std::optional<Options> options = wanted();
    if (!options)
        return;
    const auto work = [trial = m_trial, options = *options](JobRun<std::string>& run) {
        return trial(options, run);
    };
    m_runner.startNewest(
        *this, Job<std::string>{"Trying", work, [this](const std::string& text) { say(qt(text), false); },
                                [this](const Error& fault) { say(faultText(fault.what()), true); }});
}

void PassDialog::say(const QString& text, bool isFault) {
    m_said->setText(text);
    m_said->setObjectName(isFault ? "fault" : "dim");
    m_said->style()->unpolish(m_said);
    m_said->style()->polish(m_said);
}

void PassDialog::accept() {
    QWidget* wrong = nullptr;
    for (const Field& field : m_fields)
        if (!check(field, true) && !wrong)
            wrong = field.editor;
    if (wrong) {
        wrong->setFocus();
        return;
    }
    m_options = changedOptions();
    QDialog::accept();
}

} // namespace fx::ui
