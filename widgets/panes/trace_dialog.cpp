// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/trace_dialog.h"

#include "core/base/text.h"
#include "core/io/zip_archive.h"
#include "core/open/torchscript.h"
#include "core/torch/bind/call.h"
#include "core/trace/trace_source.h"
#include "widgets/panes/fault_text.h"
#include "widgets/session/format_filter.h"
#include "widgets/session/open_service.h"
#include "widgets/support/qt_text.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QPushButton>
#include <QRegularExpression>
#include <QToolButton>

#include <algorithm>

namespace fx {

namespace {

const char* const kSources = "Python source (*.py)";
const char* const kWeights = "Weights (*.pt *.pth *.safetensors);;All files (*)";

std::vector<std::string> words(const QString& text) {
    std::vector<std::string> out;
    for (const QString& word : text.split(QRegularExpression("[,\\s]+"), Qt::SkipEmptyParts))
        out.push_back(utf8(word));
    return out;
}

} // namespace

TraceDialog::TraceDialog(const QString& path, Lister lister, const QFont& fixedFont, QWidget* parent)
    : QDialog(parent), m_path(new QLineEdit(path)), m_source(new QLineEdit), m_state(new QLineEdit),
      m_leaves(new QLineEdit), m_expression(new QComboBox), m_mode(new QComboBox), m_leafRule(new QComboBox),
      m_concrete(new QPlainTextEdit), m_fault(new FaultText(fixedFont)), m_fold(new QToolButton),
      m_constantShapes(new QCheckBox("Shapes of parameters are numbers, not nodes")),
      m_proxiedBuffers(new QCheckBox("Each buffer is read by one node")), m_wrapped(new QLineEdit),
      m_note(new QLabel), m_library(new QPushButton("Load operator library…")), m_lister(std::move(lister)) {
    setWindowTitle("Trace with options");
    m_path->setMinimumWidth(440);
    m_path->setAccessibleName("File");
    m_source->setAccessibleName("Classes");
    m_source->setPlaceholderText("the .py file that defines the classes of the saved module");
    m_expression->setEditable(true);
    // Enter traces; a completer would take it for itself.
    m_expression->setCompleter(nullptr);
    m_expression->setInsertPolicy(QComboBox::NoInsert);
    m_expression->lineEdit()->setFont(fixedFont);
    m_expression->setAccessibleName("Model");
    m_expression->lineEdit()->setPlaceholderText("Net(depth=3)");
    m_state->setAccessibleName("Weights");
    m_mode->addItems({"As it was made", "Evaluation", "Training"});
    m_mode->setAccessibleName("Mode");
    m_leafRule->addItems({"Modules of torch.nn stay whole", "None: everything is traced through"});
    m_leafRule->setAccessibleName("Leaves");
    m_leaves->setFont(fixedFont);
    m_leaves->setPlaceholderText("Attention, Block");
    m_leaves->setToolTip("Classes that stay one node, beside those of torch.nn");
    m_leaves->setAccessibleName("Leaf classes");
    m_concrete->setFont(fixedFont);
    m_concrete->setPlaceholderText("flag=True\nmask=None");
    m_concrete->setToolTip(
        "Arguments that are traced with a value and are no inputs of the graph, one a line: "
        "name=value, or values for all of them in their order");
    m_concrete->setAccessibleName("Fixed arguments");
    m_concrete->setFixedHeight(fontMetrics().height() * 3 + 12);
    m_concrete->setTabChangesFocus(true);
    m_note->setObjectName("dim");
    m_note->setWordWrap(true);
    m_note->setTextFormat(Qt::PlainText);
    m_buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    m_buttons->button(QDialogButtonBox::Ok)->setText("Trace");
    m_library->setAutoDefault(false);
    m_library->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_library->hide();
    connect(m_library, &QPushButton::clicked, this, &TraceDialog::libraryWanted);
    m_form = new QFormLayout(this);
    m_form->setContentsMargins(18, 16, 18, 14);
    m_form->setSpacing(10);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_sourceRow = withBrowse(m_source, "Source of the classes", kSources);
    m_advanced = makeAdvanced(fixedFont);
    m_form->addRow(
        "File", withBrowse(m_path, "Model", formatFilter("Models to trace", isTraced) + ";;All files (*)"));
    m_form->addRow("Model", m_expression);
    m_form->addRow("Classes from", m_sourceRow);
    m_form->addRow("Weights", withBrowse(m_state, "State dict", kWeights));
    m_form->addRow("Mode", m_mode);
    m_form->addRow("Leaves", m_leafRule);
    m_form->addRow("Leaf classes", m_leaves);
    m_form->addRow("Fixed arguments", m_concrete);
    m_form->addRow(m_fold);
    m_form->addRow(m_advanced);
    m_form->addRow(m_note);
    m_form->addRow(m_fault);
    m_form->addRow(m_library);
    m_form->addRow(m_buttons);
    connect(m_path, &QLineEdit::textChanged, this, &TraceDialog::list);
    connect(m_expression, &QComboBox::currentTextChanged, this, &TraceDialog::check);
    connect(m_expression, &QComboBox::activated, this, &TraceDialog::placeCursor);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &TraceDialog::trace);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    showKind(kindOf(path));
    list();
    m_expression->setFocus();
}

TraceDialog::~TraceDialog() = default;

QWidget* TraceDialog::makeAdvanced(const QFont& fixedFont) {
    m_fold->setText("Advanced");
    m_fold->setCheckable(true);
    m_fold->setArrowType(Qt::RightArrow);
    m_fold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_fold->setToolTip("What torch.fx.Tracer takes");
    m_wrapped->setFont(fixedFont);
    m_wrapped->setPlaceholderText("my_function, math");
    m_wrapped->setToolTip("Functions, or modules of functions, whose calls become nodes: torch.fx.wrap");
    m_wrapped->setAccessibleName("Wrapped functions");
    m_constantShapes->setToolTip("torch.fx.Tracer(param_shapes_constant=True)");
    m_proxiedBuffers->setToolTip("torch.fx.Tracer.proxy_buffer_attributes");
    auto* box = new QWidget;
    auto* form = new QFormLayout(box);
    form->setContentsMargins(20, 0, 0, 0);
    form->setSpacing(8);
    form->addRow(m_constantShapes);
    form->addRow(m_proxiedBuffers);
    form->addRow("Wrapped functions", m_wrapped);
    box->hide();
    connect(m_fold, &QToolButton::toggled, this, [this, box](bool isOpen) {
        m_fold->setArrowType(isOpen ? Qt::DownArrow : Qt::RightArrow);
        box->setVisible(isOpen);
        adjustSize();
    });
    return box;
}

QWidget* TraceDialog::withBrowse(QLineEdit* edit, const QString& title, const QString& filter) {
    auto* box = new QWidget;
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    auto* browse = new QPushButton("Browse…");
    browse->setAutoDefault(false);
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

TraceDialog::Kind TraceDialog::kindOf(const QString& path) {
    if (path.endsWith(".py"))
        return Kind::Source;
    try {
        return isTorchScript(ZipArchive(utf8(path))) ? Kind::TorchScript : Kind::Pickled;
    } catch (const Error&) {
        return Kind::Pickled; // of the older form, which is no zip; or opening it tells what it is
    }
}

void TraceDialog::showKind(Kind kind) {
    m_kind = kind;
    m_form->setRowVisible(m_expression, kind == Kind::Source);
    m_form->setRowVisible(m_sourceRow, kind == Kind::Pickled);
    m_state->setPlaceholderText(kind == Kind::Source ? "none: the weights that the constructor draws"
                                                     : "none: the weights that the file holds");
    m_form->setRowVisible(m_leafRule, kind == Kind::TorchScript);
    m_form->setRowVisible(m_fold, kind != Kind::TorchScript);
    if (kind == Kind::TorchScript)
        m_fold->setChecked(false);
    adjustSize();
}

/// What the file is and which models the source defines, found out beside: running its top level may take a
/// while.
void TraceDialog::list() {
    const QString path = m_path->text();
    m_fault->hide();
    m_note->setText("Reading " + QFileInfo(path).fileName() + " …");
    const auto work = [this, path](JobRun<Listed>& job) {
        Listed out{kindOf(path), {}, {}};
        if (out.kind == Kind::Source)
            try {
                guarded([&] {
                    for (const std::string& model : m_lister(utf8(path), job))
                        out.models << qt(model);
                });
            } catch (const Cancelled&) {
                throw;
            } catch (const Error& error) {
                out.fault = error;
            }
        return out;
    };
    m_runner.startNewest(*this, Job<Listed>{"Reading", work, [this](const Listed& listed) { take(listed); }});
}

void TraceDialog::take(const Listed& listed) {
    const auto& [kind, found, fault] = listed;
    showKind(kind);
    offer(found);
    if (kind == Kind::Pickled)
        m_note->setText("Saved by torch.save: the classes of a module come from your source.");
    else if (kind == Kind::TorchScript)
        m_note->setText("A TorchScript program: its own code is traced.");
    else if (found.isEmpty() && !fault)
        m_note->setText("This file defines no torch.nn.Module and no function.");
    else
        m_note->setText(found.size() == 1 ? "Give the arguments of the constructor, if it has any."
                                          : qt(plural(static_cast<uint64_t>(found.size()), "model")) +
                                                " found. Choose one, and give its arguments.");
    m_note->setVisible(!fault);
    if (fault)
        showFault(*fault);
    check();
}

void TraceDialog::offer(const QStringList& models) {
    const QString typed = m_expression->currentText();
    m_expression->clear();
    m_expression->addItems(models);
    // The last class is most often what the others are parts of; functions come after the classes.
    for (int i = 0; i < models.size(); ++i)
        if (models[i].endsWith(')'))
            m_expression->setCurrentIndex(i);
    if (typed.isEmpty())
        placeCursor();
    else
        m_expression->setEditText(typed);
}

/// Between the brackets, where the arguments of the constructor are typed.
void TraceDialog::placeCursor() {
    QLineEdit& line = *m_expression->lineEdit();
    line.deselect();
    line.setCursorPosition(static_cast<int>(line.text().size()) - line.text().endsWith(')'));
}

void TraceDialog::check() {
    const bool isNamed = m_kind != Kind::Source || !m_expression->currentText().trimmed().isEmpty();
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(isNamed && !m_isWorking);
}

void TraceDialog::trace() {
    m_fault->hide();
    m_library->hide();
    setWorking(true);
    Q_EMIT traceWanted();
}

void TraceDialog::setWorking(bool isWorking) {
    m_isWorking = isWorking;
    if (isWorking)
        m_note->setText("Tracing " + QFileInfo(path()).fileName() + " …");
    m_note->setVisible(isWorking);
    check();
}

void TraceDialog::showFault(const Error& why) {
    setWorking(false);
    m_fault->tell(qt(why.what()));
    m_library->setVisible(why.code() == ErrorCode::NeedsLibrary);
    adjustSize();
}

TraceOptions TraceDialog::options() const {
    TraceOptions out;
    if (m_kind == Kind::Source)
        out.expression = utf8(m_expression->currentText().trimmed());
    if (m_kind == Kind::Pickled)
        out.sourceFile = utf8(m_source->text().trimmed());
    out.stateFile = utf8(m_state->text().trimmed());
    if (m_kind == Kind::TorchScript)
        out.areNoneLeaves = m_leafRule->currentIndex() == 1;
    if (m_mode->currentIndex() > 0)
        out.isTraining = m_mode->currentIndex() == 2;
    out.leafTypes = words(m_leaves->text());
    if (m_kind != Kind::TorchScript) {
        out.wrapped = words(m_wrapped->text());
        out.tracer.paramShapesConstant = m_constantShapes->isChecked();
        out.tracer.proxyBufferAttributes = m_proxiedBuffers->isChecked();
    }
    for (const QString& line : m_concrete->toPlainText().split('\n', Qt::SkipEmptyParts)) {
        const QString name = line.section('=', 0, 0).trimmed();
        if (line.contains('=') && isIdentifier(utf8(name)))
            out.concrete.emplace_back(utf8(name), utf8(line.section('=', 1).trimmed()));
        else if (!line.trimmed().isEmpty())
            out.concrete.emplace_back("", utf8(line.trimmed()));
    }
    return out;
}

} // namespace fx
