// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/trace_dialog.h"

#include "core/base/text.h"
#include "core/io/zip_archive.h"
#include "core/open/installed_packages.h"
#include "core/open/torchscript.h"
#include "core/python/notebook.h"
#include "core/torch/bind/call.h"
#include "widgets/panes/expression_box.h"
#include "widgets/panes/fault_text.h"
#include "widgets/panes/tracer_options.h"
#include "widgets/session/format_filter.h"
#include "widgets/support/qt_text.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QPushButton>
#include <QScreen>
#include <QToolButton>

#include <algorithm>

namespace fx::ui {

namespace {

const char* const kSources = "Python source (*.py)";
constexpr int kTypingRestMilliseconds = 200; // after a key: a package takes a while to be read
const char* const kWeights = "Weights (*.pt *.pth *.safetensors);;All files (*)";

std::vector<std::string> texts(const QStringList& list) {
    std::vector<std::string> out;
    for (const QString& text : list)
        out.push_back(utf8(text));
    return out;
}

/// The file of that path, else of the package of that name.
std::optional<QString> fileOf(const QString& named, const std::vector<std::string>& packageFolders) {
    if (QFileInfo(named).isFile())
        return named;
    if (isPackageName(utf8(named)))
        if (const std::optional<std::string> file = findPackage(utf8(named), packageFolders))
            return wholeQt(*file);
    return std::nullopt;
}

} // namespace

TraceDialog::TraceDialog(const QString& path, Lister lister, const QFont& fixedFont, QWidget* parent)
    : QDialog(parent), m_path(new QLineEdit(path)), m_source(new QLineEdit), m_state(new QLineEdit),
      m_leaves(new QLineEdit), m_expression(new ExpressionBox(fixedFont)), m_mode(new QComboBox),
      m_leafRule(new QComboBox),
      m_concrete(
          makeLinesField(fixedFont, "Fixed arguments", "flag=True\nmask=None",
                         "Arguments that are traced with a value and are no inputs of the graph, one a "
                         "line: name=value, or values for all of them in their order")),
      m_fault(new FaultText(fixedFont)), m_fold(new QToolButton), m_advanced(new TracerOptionsBox(fixedFont)),
      m_note(new QLabel), m_library(new QPushButton("Load operator library…")),
      m_soFar(new QPushButton("Show the graph so far")), m_lister(std::move(lister)) {
    setWindowTitle("Trace with options");
    m_path->setMinimumWidth(440);
    m_path->setAccessibleName("File or package");
    m_path->setPlaceholderText("net.py, or the name of a package");
    auto* packages = new QCompleter(&m_packages, m_path);
    packages->setCaseSensitivity(Qt::CaseInsensitive);
    packages->popup()->setObjectName("matches");
    m_path->setCompleter(packages);
    m_source->setAccessibleName("Classes");
    m_source->setPlaceholderText("the .py file that defines the classes of the saved module");
    m_expression->setAccessibleName("Model");
    m_state->setAccessibleName("Weights");
    m_mode->addItems({"As it was made", "Evaluation", "Training"});
    m_mode->setAccessibleName("Mode");
    m_leafRule->addItems({"Modules of torch.nn stay whole", "None: everything is traced through"});
    m_leafRule->setAccessibleName("Leaves");
    m_leaves->setFont(fixedFont);
    m_leaves->setPlaceholderText("Attention, Block");
    m_leaves->setToolTip("Classes that stay one node, beside those of torch.nn");
    m_leaves->setAccessibleName("Leaf classes");
    m_note->setObjectName("dim");
    m_note->setWordWrap(true);
    m_note->setTextFormat(Qt::PlainText);
    m_buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    m_buttons->button(QDialogButtonBox::Ok)->setText("Trace");
    for (QPushButton* button : {m_library, m_soFar}) {
        button->setAutoDefault(false);
        button->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
        button->hide();
    }
    m_soFar->setToolTip("What was recorded before tracing failed; its last node says what failed");
    connect(m_library, &QPushButton::clicked, this, &TraceDialog::libraryWanted);
    connect(m_soFar, &QPushButton::clicked, this, &TraceDialog::soFarWanted);
    m_form = new QFormLayout(this);
    m_form->setContentsMargins(18, 16, 18, 14);
    m_form->setSpacing(10);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_sourceRow = withBrowse(m_source, "Source of the classes", kSources);
    m_form->addRow(
        "File or package",
        withBrowse(m_path, "Model", formatFilter("Models to trace", isTraced) + ";;All files (*)"));
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
    m_form->addRow(m_soFar);
    m_form->addRow(m_buttons);
    m_fold->setText("Advanced");
    m_fold->setCheckable(true);
    m_fold->setArrowType(Qt::RightArrow);
    m_fold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_fold->setToolTip("What torch.fx's tracers take, and where packages are found");
    m_advanced->hide();
    connect(m_fold, &QToolButton::toggled, this, [this](bool isOpen) {
        m_fold->setArrowType(isOpen ? Qt::DownArrow : Qt::RightArrow);
        m_advanced->setVisible(isOpen);
        adjustSize();
    });
    connect(m_advanced, &TracerOptionsBox::packageFoldersChanged, this, &TraceDialog::list);
    m_rest.setSingleShot(true);
    m_rest.setInterval(kTypingRestMilliseconds);
    connect(&m_rest, &QTimer::timeout, this, &TraceDialog::list);
    connect(m_path, &QLineEdit::textChanged, &m_rest, QOverload<>::of(&QTimer::start));
    connect(m_expression, &QComboBox::currentTextChanged, this, &TraceDialog::check);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &TraceDialog::trace);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    showKind(kindOf(path));
    list();
    (path.isEmpty() ? static_cast<QWidget*>(m_path) : m_expression)->setFocus();
}

TraceDialog::~TraceDialog() = default;

QWidget* TraceDialog::withBrowse(QLineEdit* edit, const QString& title, const QString& filter) {
    auto* box = new QWidget;
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    auto* browse = new QPushButton("Browse…");
    browse->setAutoDefault(false);
    row->addWidget(edit, 1);
    row->addWidget(browse);
    connect(browse, &QPushButton::clicked, this, [this, edit, title, filter] {
        const QString near = QFileInfo(edit->text().isEmpty() ? path() : edit->text()).path();
        const QString chosen = QFileDialog::getOpenFileName(this, title, near, filter);
        if (!chosen.isEmpty())
            edit->setText(chosen);
    });
    return box;
}

QString TraceDialog::path() const {
    const QString named = m_path->text().trimmed();
    return fileOf(named, texts(m_advanced->packageFolders())).value_or(named);
}

TraceDialog::Kind TraceDialog::kindOf(const QString& path) {
    if (isSourcePath(utf8(path)))
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
    m_advanced->setTakesSource(kind == Kind::Source);
    m_form->setRowVisible(m_fold, kind != Kind::TorchScript);
    if (kind == Kind::TorchScript)
        m_fold->setChecked(false);
    adjustSize();
}

/// What is named, and which models the source makes, found out beside: running its top level may take a
/// while.
void TraceDialog::list() {
    const QString named = m_path->text().trimmed();
    m_rest.stop();
    m_fault->hide();
    m_note->setText("Reading " + nameOfModel(named) + " …");
    m_note->setVisible(!named.isEmpty());
    const auto work = [this, named, folders = texts(m_advanced->packageFolders())](JobRun<Listed>& job) {
        Listed out{};
        for (const std::string& package : packagesWithModels(folders))
            out.packages << qt(package);
        const std::optional<QString> file = fileOf(named, folders);
        out.isFound = file.has_value();
        out.kind = file ? kindOf(*file) : Kind::Source;
        out.isPackage = file && file->endsWith("/__init__.py");
        if (file && out.kind == Kind::Source)
            try {
                guarded([&] {
                    for (const std::string& model : m_lister(utf8(*file), folders, job))
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
    showKind(listed.kind);
    m_isFound = listed.isFound;
    m_packages.setStringList(listed.packages);
    QString preferred;
    // The last class is most often what the others are parts of; functions come after the classes. The models
    // of a package are its own each.
    for (const QString& model : listed.models)
        if ((model.endsWith(')') && !listed.isPackage) || listed.models.size() == 1)
            preferred = model;
    if (preferred.isEmpty() && !listed.isPackage)
        preferred = listed.models.value(0);
    m_expression->lineEdit()->setPlaceholderText(listed.isPackage ? "a part of a name, or an expression"
                                                                  : "Net(depth=3)");
    m_expression->offer(listed.models, preferred);
    m_note->setText(noteOf(listed));
    m_note->setVisible(!listed.fault);
    if (listed.fault)
        showFault(*listed.fault);
    check();
}

QString TraceDialog::noteOf(const Listed& listed) const {
    const QString named = m_path->text().trimmed();
    if (!listed.isFound)
        return (named.isEmpty() ? QString("A source file, or an installed package by its name.")
                                : "There is no file and no package '" + named + "'.") +
               " Folders of other packages can be added under Advanced.";
    if (listed.kind == Kind::Pickled)
        return "Saved by torch.save: the classes of a module come from your source.";
    if (listed.kind == Kind::TorchScript)
        return "A TorchScript program: its own code is traced.";
    if (listed.models.isEmpty())
        return listed.isPackage
                   ? "The package does not say which models it makes: give an expression that makes one."
                   : "This file defines no torch.nn.Module and no function.";
    if (listed.models.size() == 1)
        return "Give the arguments of the constructor, if it has any.";
    return qt(plural(static_cast<uint64_t>(listed.models.size()), "model")) +
           (listed.isPackage ? " found. Type a part of a name to search."
                             : " found. Choose one, and give its arguments.");
}

void TraceDialog::check() {
    const bool isNamed = m_kind != Kind::Source || !m_expression->currentText().trimmed().isEmpty();
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(isNamed && m_isFound && !m_isWorking);
}

void TraceDialog::trace() {
    m_fault->hide();
    m_library->hide();
    m_soFar->hide();
    setWorking(true);
    Q_EMIT traceWanted();
}

void TraceDialog::setWorking(bool isWorking) {
    m_isWorking = isWorking;
    if (isWorking)
        m_note->setText("Tracing " + nameOfModel(path()) + " …");
    m_note->setVisible(isWorking);
    check();
}

void TraceDialog::showFault(const Error& why, bool isGraphBegun) {
    setWorking(false);
    m_fault->tell(faultText(why.what()));
    m_library->setVisible(why.code() == ErrorCode::NeedsLibrary);
    m_soFar->setVisible(isGraphBegun);
    adjustSize();
    // It grows downwards; its buttons stay on the screen.
    const int below = frameGeometry().bottom() - screen()->availableGeometry().bottom();
    if (below > 0)
        move(x(), std::max(0, y() - below));
}

void TraceDialog::recall(const TraceOptions& options) {
    m_expression->setEditText(wholeQt(options.expression));
    m_source->setText(wholeQt(options.sourceFile));
    m_state->setText(wholeQt(options.stateFile));
    m_leafRule->setCurrentIndex(options.areNoneLeaves ? 1 : 0);
    m_mode->setCurrentIndex(!options.isTraining ? 0 : *options.isTraining ? 2 : 1);
    m_leaves->setText(wholeQt(join(options.leafTypes, ", ")));
    m_concrete->setPlainText(linesText(options.concrete));
    m_advanced->recall(options);
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
    out.leafTypes = wordsIn(m_leaves->text());
    if (m_kind != Kind::TorchScript)
        m_advanced->writeTo(out);
    out.concrete = namedLines(*m_concrete);
    return out;
}

} // namespace fx::ui
