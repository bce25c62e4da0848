// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/trace_dialog.h"

#include "core/base/text.h"
#include "core/torch/call.h"
#include "core/trace/trace_source.h"
#include "widgets/support/qt_text.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QPushButton>
#include <QRegularExpression>

namespace fx {

TraceDialog::TraceDialog(const QString& path, const QFont& fixedFont, QWidget* parent)
    : QDialog(parent), m_path(new QLineEdit(path)), m_state(new QLineEdit), m_leaves(new QLineEdit),
      m_expression(new QComboBox), m_mode(new QComboBox), m_concrete(new QPlainTextEdit), m_note(new QLabel),
      m_runner(std::make_unique<JobRunner>()) {
    setWindowTitle("Trace with options");
    m_path->setMinimumWidth(420);
    m_path->setAccessibleName("Source");
    m_expression->setEditable(true);
    m_expression->setFont(fixedFont);
    m_expression->setAccessibleName("Model");
    m_expression->lineEdit()->setPlaceholderText("Net(depth=3)");
    m_state->setPlaceholderText("none: the weights that the constructor draws");
    m_state->setAccessibleName("Weights");
    m_mode->addItems({"As the constructor leaves it", "Evaluation", "Training"});
    m_mode->setAccessibleName("Mode");
    m_leaves->setFont(fixedFont);
    m_leaves->setPlaceholderText("classes that are not traced through, beside torch.nn's");
    m_leaves->setAccessibleName("Leaf classes");
    m_concrete->setFont(fixedFont);
    m_concrete->setPlaceholderText("flag=True\nmask=None");
    m_concrete->setAccessibleName("Fixed arguments");
    m_concrete->setFixedHeight(fontMetrics().height() * 4);
    m_concrete->setTabChangesFocus(true);
    m_note->setObjectName("dim");
    m_note->setWordWrap(true);
    m_note->setMinimumHeight(fontMetrics().height() * 2);
    m_buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    m_buttons->button(QDialogButtonBox::Ok)->setText("Trace");
    auto* form = new QFormLayout(this);
    form->setContentsMargins(18, 16, 18, 14);
    form->setSpacing(10);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow("Source", withBrowse(m_path, "Python source", "Python source (*.py)"));
    form->addRow("Model", m_expression);
    form->addRow("Weights",
                 withBrowse(m_state, "State dict", "Weights (*.pt *.pth *.safetensors);;All files (*)"));
    form->addRow("Mode", m_mode);
    form->addRow("Leaf classes", m_leaves);
    form->addRow("Fixed arguments", m_concrete);
    form->addRow(m_note);
    form->addRow(m_buttons);
    connect(m_path, &QLineEdit::textChanged, this, &TraceDialog::list);
    connect(m_expression, &QComboBox::currentTextChanged, this, &TraceDialog::check);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    list();
    m_expression->setFocus();
}

TraceDialog::~TraceDialog() = default;

QWidget* TraceDialog::withBrowse(QLineEdit* edit, const QString& title, const QString& filter) {
    auto* box = new QWidget;
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    auto* browse = new QPushButton("Browse…");
    row->addWidget(edit, 1);
    row->addWidget(browse);
    connect(browse, &QPushButton::clicked, this, [this, edit, title, filter] {
        const QString near = QFileInfo(edit->text().isEmpty() ? m_path->text() : edit->text()).path();
        const QString chosen = QFileDialog::getOpenFileName(this, title, near, filter);
        if (!chosen.isEmpty())
            edit->setText(chosen);
    });
    return box;
}

/// The models that the source defines, found out beside: running its top level may take a while.
void TraceDialog::list() {
    const QString path = m_path->text();
    m_note->setText("Reading " + QFileInfo(path).fileName() + " …");
    m_runner->start([this, path] {
        QStringList found;
        QString fault;
        try {
            guarded([&] {
                for (const std::string& model : modelsIn(utf8(path)))
                    found << qt(model);
            });
        } catch (const std::exception& error) {
            fault = qt(error.what());
        }
        m_runner->post([this, path, found, fault] {
            if (path != m_path->text())
                return;
            const QString typed = m_expression->currentText();
            m_expression->clear();
            m_expression->addItems(found);
            if (!typed.isEmpty())
                m_expression->setEditText(typed);
            m_note->setText(!fault.isEmpty() ? fault
                            : found.isEmpty()
                                ? "This file defines no torch.nn.Module and no function."
                                : QString("%1 found. Give the arguments of the constructor.")
                                      .arg(qt(plural(static_cast<uint64_t>(found.size()), "model"))));
            check();
        });
    });
}

void TraceDialog::check() {
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(!m_expression->currentText().trimmed().isEmpty());
}

TraceOptions TraceDialog::options() const {
    TraceOptions out;
    out.expression = utf8(m_expression->currentText().trimmed());
    out.stateFile = utf8(m_state->text().trimmed());
    if (m_mode->currentIndex() > 0)
        out.isTraining = m_mode->currentIndex() == 2;
    for (const QString& leaf : m_leaves->text().split(QRegularExpression("[,\\s]+"), Qt::SkipEmptyParts))
        out.leafTypes.push_back(utf8(leaf));
    for (const QString& line : m_concrete->toPlainText().split('\n', Qt::SkipEmptyParts))
        if (const qsizetype equals = line.indexOf('='); equals > 0)
            out.concrete.emplace_back(utf8(line.left(equals).trimmed()),
                                      utf8(line.mid(equals + 1).trimmed()));
    return out;
}

} // namespace fx
