// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/inputs_dialog.h"

#include "core/base/error.h"
#include "core/base/unicode.h"
#include "core/interpret/run_settings.h"
#include "core/ir/argument_text.h"
#include "core/open/run_inputs.h"
#include "core/session/inputs_job.h"
#include "widgets/panes/completion.h"
#include "widgets/panes/fault_text.h"
#include "widgets/session/debug_service.h"
#include "widgets/support/qt_text.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace fx::ui {

InputsDialog::InputsDialog(ModelSnapshot model, const DebugService& debug, const QFont& fixedFont,
                           QWidget* parent)
    : QDialog(parent), m_snapshot(std::move(model)), m_model(m_snapshot.opened),
      m_isThere(debug.place().host()), m_hasExamples(bool(m_model->examples)),
      m_file(new QLineEdit(debug.inputs().memory().inputsFile)),
      m_seed(new QLineEdit(debug.inputs().memory().seed)),
      m_libraries(new QLineEdit(debug.inputs().memory().libraries.join(", "))), m_device(new QComboBox),
      m_gradMode(new QComboBox), m_loss(new QLineEdit(debug.inputs().memory().loss)),
      m_outside(new QCheckBox), m_memory(new QSpinBox), m_fault(new FaultText(fixedFont)),
      m_buttons(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel)) {
    const DebugMemory& memory = debug.inputs().memory();
    setWindowTitle("Inputs and run options");
    auto* area = new QWidget;
    auto* grid = new QGridLayout(area);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(10);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(3, 1);
    grid->setAlignment(Qt::AlignTop);
    int line = 0;
    // Values of nodes are not there yet; torch's names are.
    const auto nothing = std::make_shared<const Model>();
    const auto helper =
        std::shared_ptr<const ExpressionHelper>(new ExpressionHelper(*nothing, nothing->root()),
                                                [nothing](const ExpressionHelper* it) { delete it; });
    for (const ModelInput& input : inputsOf(m_model->model)) {
        Row row{wholeQt(input.name), {}, {}, new QComboBox, new QLineEdit};
        try {
            row.generated = wholeQt(generatedSpec(input).value_or(""));
        } catch (const Error&) {
            // Nothing is known of its shape: it must be given.
        }
        if (const Arguments& standard = m_model->model.graph().node(input.node).args; !standard.empty())
            row.standard = wholeQt(reprText(standard[0], [](NodeId) { return std::string(); }));
        auto* name = new QLabel(row.name);
        auto* recorded = new QLabel(input.value              ? qt(valueMetaText(*input.value))
                                    : row.standard.isEmpty() ? "shape not recorded"
                                                             : "default " + row.standard);
        for (QLabel* label : {name, recorded})
            label->setTextFormat(Qt::PlainText);
        recorded->setObjectName("dim");
        recorded->setFont(fixedFont);
        row.text->setFont(fixedFont);
        new Completion(*row.text, [helper](const QString& text) { return helper->expression(utf8(text)); });
        row.text->setMinimumWidth(260);
        row.text->setAccessibleName("Value of " + row.name);
        row.choice->setAccessibleName("Source of " + row.name);
        if (m_hasExamples)
            row.choice->addItem("Saved example", Example);
        if (!row.generated.isEmpty())
            row.choice->addItem("Generated", Generated);
        row.choice->addItem("Expression", Expression);
        row.choice->addItem("File…", File);
        const QString spec = memory.inputs.value(row.name);
        const Choice choice = spec.isEmpty()          ? (m_hasExamples             ? Example
                                                         : row.generated.isEmpty() ? Expression
                                                                                   : Generated)
                              : spec == "example"     ? Example
                              : spec == row.generated ? Generated
                              : spec.startsWith('@')  ? File
                                                      : Expression;
        row.choice->setCurrentIndex(std::max(0, row.choice->findData(choice)));
        if (choice == File)
            row.text->setText(spec.mid(1));
        else if (choice == Expression)
            row.text->setText(spec);
        name->setBuddy(row.choice);
        grid->addWidget(name, line, 0);
        grid->addWidget(recorded, line, 1);
        grid->addWidget(row.choice, line, 2);
        grid->addWidget(row.text, line++, 3);
        m_rows.push_back(row);
        showChoice(row);
        connect(row.choice, &QComboBox::activated, this, [this, row] {
            showChoice(row);
            if (row.choice->currentData().toInt() == File && !m_isThere)
                browse(row);
            else if (row.text->isEnabled())
                row.text->setFocus();
        });
    }
    if (m_rows.empty())
        grid->addWidget(new QLabel("This model takes no inputs."), 0, 0);

    auto* hint = new QLabel("An expression is Python with torch's names: randn(1, 3, 224, 224), "
                            "randint(0, 100, (1, 128)), ones(2, 8, dtype=torch.int64).");
    if (m_isThere)
        hint->setText(hint->text() + " Files are those of " + qt(oneLine(debug.place().host()->name())) +
                      '.');
    hint->setTextFormat(Qt::PlainText);
    hint->setObjectName("dim");
    hint->setWordWrap(true);
    auto* scroll = new QScrollArea;
    scroll->setWidget(area);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(18, 16, 18, 14);
    column->setSpacing(12);
    column->addWidget(hint);
    column->addWidget(scroll, 1);
    column->addLayout(makeRunOptions(memory));
    column->addWidget(m_fault);
    column->addWidget(m_buttons);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &InputsDialog::check);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    constexpr int kWidth = 760, kMostOfInputs = 300;
    scroll->setMinimumHeight(std::min(area->sizeHint().height(), kMostOfInputs));
    // The hint takes more lines than its size hint says; the fields must not pay for them.
    setMinimumHeight(column->totalHeightForWidth(kWidth));
    resize(kWidth, minimumHeight());
    focusFirst();
}

InputsDialog::~InputsDialog() = default;

void InputsDialog::beforeRun() {
    m_buttons->button(QDialogButtonBox::Ok)->setText("Run");
}

void InputsDialog::focusFirst() {
    if (m_rows.empty())
        return m_file->setFocus();
    // Before all others one that nothing can be made for.
    const auto isMissing = [](const Row& row) {
        return row.choice->currentData().toInt() == Expression && row.text->text().isEmpty() &&
               row.standard.isEmpty();
    };
    const auto missing = std::ranges::find_if(m_rows, isMissing);
    const Row& row = missing == m_rows.end() ? m_rows.front() : *missing;
    if (row.text->isEnabled()) {
        row.text->setFocus();
        row.text->selectAll();
    } else {
        row.choice->setFocus();
    }
}

QLayout* InputsDialog::makeRunOptions(const DebugMemory& memory) {
    m_file->setPlaceholderText("none: a .pt, .npz or .safetensors with values for all inputs");
    m_file->setAccessibleName("File with all inputs");
    m_libraries->setPlaceholderText("none: a library (.so) that registers operators of your own");
    m_libraries->setToolTip(
        "As torch.ops.load_library takes them, with commas between several. The process that runs the "
        "model loads them");
    m_libraries->setAccessibleName("Operator libraries");
    m_seed->setPlaceholderText("none");
    m_seed->setToolTip(
        "With one, random inputs and operators give what Python gives after torch.manual_seed");
    m_seed->setAccessibleName("Seed");
    m_seed->setMaximumWidth(120);
    m_device->addItem("cpu", QString());
    if (!memory.device.isEmpty())
        m_device->addItem(memory.device, memory.device);
    m_device->setCurrentIndex(m_device->findData(memory.device));
    m_device->setAccessibleName("Device");
    for (const std::string& mode : gradModeNames())
        m_gradMode->addItem(qt(mode), qt(mode));
    m_gradMode->addItem("of a loss", kOfLoss);
    m_gradMode->setCurrentIndex(std::max(0, m_gradMode->findData(memory.gradMode)));
    m_gradMode->setToolTip("What of autograd the run begins with: torch.inference_mode(), torch.no_grad() or "
                           "neither; of a loss: "
                           "each run ends with the gradients of that for all values and parameters");
    m_gradMode->setAccessibleName("Gradients");
    m_loss->setPlaceholderText("an expression over output and nodes; else the sum of the first output");
    m_loss->setToolTip("What is differentiated, such as F.cross_entropy(output, tensor([3])). Of a tensor of "
                       "several elements it is their sum");
    m_loss->setAccessibleName("Loss");
    new Completion(*m_loss, [model = m_model,
                             helper = std::shared_ptr<ExpressionHelper>()](const QString& text) mutable {
        if (!helper) // it takes a while
            helper = std::make_shared<ExpressionHelper>(model->model, model->model.root(),
                                                        std::vector<std::string>{"output"});
        return helper->expression(utf8(text));
    });
    m_outside->setText("May touch files");
    m_outside->setToolTip(
        "Runs operators that read or write files, print, or talk to other programs; without it they "
        "are refused");
    m_wasOutsideAsked = memory.isOutsideAllowed.has_value();
    m_outside->setChecked(memory.isOutsideAllowed.value_or(false));
    auto* pick = new QPushButton("Browse…");
    connect(pick, &QPushButton::clicked, this, [this] {
        const QString path = QFileDialog::getOpenFileName(this, "File with all inputs", {},
                                                          "Tensors (*.pt *.npz *.safetensors)");
        if (!path.isEmpty())
            m_file->setText(path);
    });
    auto* pickLibrary = new QPushButton("Browse…");
    connect(pickLibrary, &QPushButton::clicked, this, &InputsDialog::browseLibrary);
    for (QPushButton* each : {pick, pickLibrary}) {
        each->setAutoDefault(false);
        if (m_isThere)
            each->hide();
    }
    auto* below = new QGridLayout;
    below->addWidget(new QLabel("All from a file"), 0, 0);
    below->addWidget(m_file, 0, 1);
    below->addWidget(pick, 0, 2);
    below->addWidget(new QLabel("Operators from"), 1, 0);
    below->addWidget(m_libraries, 1, 1);
    below->addWidget(pickLibrary, 1, 2);
    below->addWidget(new QLabel("Seed"), 2, 0);
    auto* options = new QHBoxLayout;
    options->setSpacing(8);
    options->addWidget(m_seed);
    options->addSpacing(12);
    options->addWidget(new QLabel("Device"));
    options->addWidget(m_device);
    options->addSpacing(12);
    options->addWidget(new QLabel("Gradients"));
    options->addWidget(m_gradMode);
    options->addSpacing(12);
    options->addWidget(m_outside);
    options->addStretch();
    below->addLayout(options, 2, 1, 1, 2);
    below->addWidget(new QLabel("Loss"), 3, 0);
    below->addWidget(m_loss, 3, 1, 1, 2);
    m_memory->setRange(1, 95);
    m_memory->setSuffix(" %");
    m_memory->setValue(Settings::workerMemoryPercent());
    m_memory->setAccessibleName("Memory limit");
    m_memory->setToolTip("A model that takes more is ended, and the run has failed at the node that took it");
    if (m_isThere) {
        m_memory->setParent(this);
        m_memory->hide();
        return below;
    }
    auto* memoryRow = new QHBoxLayout;
    memoryRow->setSpacing(8);
    memoryRow->addWidget(m_memory);
    memoryRow->addWidget(new QLabel("of this machine's, for the process that runs a model"));
    memoryRow->addStretch();
    below->addWidget(new QLabel("Memory"), 4, 0);
    below->addLayout(memoryRow, 4, 1, 1, 2);
    return below;
}

void InputsDialog::setDevices(const QStringList& devices) {
    const QString chosen = m_device->currentData().toString();
    m_device->clear();
    for (const QString& device : devices)
        m_device->addItem(device, device == "cpu" ? QString() : device);
    if (m_device->findData(chosen) < 0)
        m_device->addItem(chosen + " (not here)", chosen);
    m_device->setCurrentIndex(m_device->findData(chosen));
}

QStringList InputsDialog::libraries() const {
    QStringList out;
    for (const QString& path : m_libraries->text().split(',', Qt::SkipEmptyParts))
        if (const QString trimmed = path.trimmed(); !trimmed.isEmpty())
            out << trimmed;
    return out;
}

void InputsDialog::browseLibrary() {
    const QString path = QFileDialog::getOpenFileName(this, "Library of operators", {}, kLibraryFilter);
    if (!path.isEmpty())
        m_libraries->setText((libraries() << path).join(", "));
}

void InputsDialog::showChoice(const Row& row) {
    const int choice = row.choice->currentData().toInt();
    const bool isTyped = choice == Expression || choice == File;
    row.text->setEnabled(isTyped);
    if (choice == Generated)
        row.text->setText(row.generated);
    else if (choice == Example)
        row.text->setText("as saved with the model");
    else if (row.text->text() == "as saved with the model")
        row.text->setText(row.generated);
    row.text->setPlaceholderText(choice == File           ? "a .npy, .pt or .safetensors file"
                                 : row.standard.isEmpty() ? "an expression"
                                                          : "an expression, or empty for the default");
}

void InputsDialog::browse(const Row& row) {
    const QString path =
        QFileDialog::getOpenFileName(this, "Value of " + row.name, {}, "Tensors (*.npy *.pt *.safetensors)");
    row.text->setText(path);
}

QString InputsDialog::spec(const Row& row) const {
    switch (row.choice->currentData().toInt()) {
    case Example:
        return {};
    case Generated:
        return m_hasExamples ? row.generated : QString();
    case File:
        return '@' + row.text->text();
    default:
        return row.text->text().trimmed();
    }
}

DebugMemory InputsDialog::memory() const {
    DebugMemory out;
    for (const Row& row : m_rows)
        if (const QString text = spec(row); !text.isEmpty())
            out.inputs[row.name] = text;
    out.inputsFile = m_file->text().trimmed();
    out.libraries = libraries();
    if (m_outside->isChecked() || m_wasOutsideAsked)
        out.isOutsideAllowed = m_outside->isChecked();
    out.seed = m_seed->text().trimmed();
    out.device = m_device->currentData().toString();
    if (m_gradMode->currentIndex() > 0)
        out.gradMode = m_gradMode->currentData().toString();
    out.loss = m_loss->text().trimmed();
    return out;
}

void InputsDialog::tell(const QString& fault) {
    const int before = m_fault->isHidden() ? 0 : m_fault->height();
    m_fault->tell(fault);
    // It takes no room from the fields.
    resize(width(), height() + m_fault->height() - before + (before ? 0 : layout()->spacing()));
}

void InputsDialog::check() {
    bool isNumber = true;
    if (!m_seed->text().trimmed().isEmpty())
        m_seed->text().trimmed().toULongLong(&isNumber);
    if (!isNumber) {
        tell("The seed must be a whole number.");
        m_seed->setFocus();
        return;
    }
    if (m_isThere) { // what is wrong with them, the run tells
        accept();
        return;
    }
    const DebugMemory wanted = memory();
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(false);
    // Made once here, so that a mistake is told where it can be mended.
    const auto work = [model = m_snapshot, request = requestOf(wanted)](JobRun<bool>& run) {
        model.ask(kInputsService, {request}, run);
        return true;
    };
    m_runner.startNewest(*this, Job<bool>{"Making the inputs", work,
                                          [this](bool) {
                                              Settings::setWorkerMemoryPercent(m_memory->value());
                                              accept();
                                          },
                                          [this](const Error& fault) {
                                              m_buttons->button(QDialogButtonBox::Ok)->setEnabled(true);
                                              tell(faultText(fault.what()));
                                          }});
}

} // namespace fx::ui
