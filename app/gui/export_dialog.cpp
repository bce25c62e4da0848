// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/export_dialog.h"

#include "core/base/text.h"
#include "core/codegen/written_names.h"
#include "core/ir/names.h"
#include "core/module/scopes.h"
#include "widgets/support/qt_text.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QRegularExpression>

namespace fx::ui {

namespace {

/// Why a format cannot be chosen, beside its word.
constexpr int kReason = Qt::UserRole + 1;

/// What the model's own class is called, where that says something.
QString classNameOf(const Model& model) {
    const ScopeTree scopes(model.graph());
    const std::string& recorded = scopes.scope(0).type;
    const std::string name = shortTypeName(recorded.empty() ? model.module(model.root()).type : recorded);
    const bool saysNothing =
        name == "GraphModule" || name == "Module" || !isIdentifier(name) || isKeyword(name);
    return saysNothing ? QString("Foo") : qt(name);
}

} // namespace

ExportDialog::ExportDialog(const OpenedModel& model, const QString& modelTitle, QWidget* parent)
    : QDialog(parent), m_forms(exportForms()), m_format(new QComboBox), m_path(new QLineEdit),
      m_name(new QLineEdit(classNameOf(model.model))), m_note(new QLabel), m_form(new QFormLayout(this)) {
    setWindowTitle("Export");
    QString base = QFileInfo(modelTitle).completeBaseName();
    base.replace(QRegularExpression("\\W"), "_");
    m_path->setText(QDir::current().filePath(base));
    m_path->setMinimumWidth(360);
    m_format->setAccessibleName("Format");
    m_name->setAccessibleName("Class name");
    m_note->setObjectName("dim");
    m_note->setTextFormat(Qt::PlainText);
    m_note->setWordWrap(true);
    addFormats(model);
    auto* browse = new QPushButton("Browse…");
    auto* row = new QHBoxLayout;
    row->addWidget(m_path, 1);
    row->addWidget(browse);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    m_ok = buttons->button(QDialogButtonBox::Ok);
    m_ok->setText("Export");
    m_form->setContentsMargins(18, 16, 18, 14);
    m_form->setSpacing(10);
    m_form->addRow("Format", m_format);
    m_form->addRow("Path", row);
    m_form->addRow("Class", m_name);
    m_form->addRow(m_note);
    m_form->addRow(buttons);
    connect(browse, &QPushButton::clicked, this, &ExportDialog::browse);
    connect(m_format, &QComboBox::currentIndexChanged, this, &ExportDialog::showFormat);
    connect(m_path, &QLineEdit::textChanged, this, &ExportDialog::check);
    connect(m_name, &QLineEdit::textChanged, this, &ExportDialog::check);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    showFormat();
    m_path->setFocus(); // most come for the folder
}

const ExportForm& ExportDialog::form() const {
    return m_forms[static_cast<size_t>(m_format->currentIndex())];
}

void ExportDialog::addFormats(const OpenedModel& model) {
    for (const ExportForm& form : m_forms) {
        m_format->addItem(qt(form.title), qt(form.word));
        if (form.whyNot)
            m_format->setItemData(m_format->count() - 1, faultText(form.whyNot(model)), kReason);
    }
}

void ExportDialog::showFormat() {
    m_form->setRowVisible(m_name, form().isFolder());
    m_path->setAccessibleName(form().isFolder() ? "Folder" : "File");
    QString base = path();
    for (const ExportForm& each : m_forms)
        for (const std::string& ending : each.endings)
            if (base.endsWith(qt(ending)))
                base.chop(static_cast<int>(ending.size()));
    m_path->setText(form().isFolder() ? base : base + qt(form().endings[0]));
    check();
}

void ExportDialog::browse() {
    QString filter = qt(form().title) + " (";
    for (const std::string& ending : form().endings)
        filter += '*' + qt(ending) + ' ';
    const QString found = form().isFolder()
                              ? QFileDialog::getExistingDirectory(this, "Folder", QFileInfo(path()).path())
                              : QFileDialog::getSaveFileName(this, "Export", path(), filter.trimmed() + ')');
    if (!found.isEmpty())
        m_path->setText(found);
}

QString ExportDialog::faultOfFolder() const {
    if (path().isEmpty())
        return "Choose a folder.";
    if (!isWrittenBare(utf8(className())) || isReservedName(utf8(className())))
        return "The class name must be a Python identifier.";
    return {};
}

QString ExportDialog::noteOfFolder() const {
    const QString package = QFileInfo(path()).fileName();
    if (!isIdentifier(utf8(package)))
        return "Python cannot import a folder called '" + package +
               "'; a name of letters and digits would do.";
    const QString note = "from " + package + " import " + className();
    return QFileInfo::exists(path()) ? note + "\nThe folder exists; files of an earlier export are replaced."
                                     : note;
}

void ExportDialog::check() {
    const QString reason = m_format->currentData(kReason).toString();
    QString fault = form().isFolder()  ? faultOfFolder()
                    : path().isEmpty() ? QString("Choose a file.")
                                       : QString();
    if (!reason.isEmpty())
        fault = "Not for this model: " + reason;
    m_ok->setEnabled(fault.isEmpty());
    const QString note = form().isFolder()           ? noteOfFolder()
                         : QFileInfo::exists(path()) ? "The file exists, and is replaced."
                                                     : QString();
    m_note->setText(fault.isEmpty() ? note : fault);
}

} // namespace fx::ui
