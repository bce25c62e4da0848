// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/export_dialog.h"

#include "core/base/text.h"
#include "core/codegen/written_names.h"
#include "core/ir/names.h"
#include "widgets/support/qt_text.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QRegularExpression>

namespace fx {

ExportDialog::ExportDialog(const QString& modelTitle, QWidget* parent)
    : QDialog(parent), m_folder(new QLineEdit), m_name(new QLineEdit("Foo")), m_note(new QLabel) {
    setWindowTitle("Export Python folder");
    QString base = QFileInfo(modelTitle).completeBaseName();
    base.replace(QRegularExpression("\\W"), "_");
    m_folder->setText(QDir::current().filePath(base));
    m_folder->setMinimumWidth(360);
    m_folder->setAccessibleName("Folder");
    m_name->setAccessibleName("Class name");
    m_note->setObjectName("dim");
    m_note->setTextFormat(Qt::PlainText);
    m_note->setWordWrap(true);
    auto* browse = new QPushButton("Browse…");
    auto* row = new QHBoxLayout;
    row->addWidget(m_folder, 1);
    row->addWidget(browse);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    m_ok = buttons->button(QDialogButtonBox::Ok);
    m_ok->setText("Export");
    auto* form = new QFormLayout(this);
    form->setContentsMargins(18, 16, 18, 14);
    form->setSpacing(10);
    form->addRow("Folder", row);
    form->addRow("Class", m_name);
    form->addRow(m_note);
    form->addRow(buttons);
    connect(browse, &QPushButton::clicked, this, [this] {
        const QString path = QFileDialog::getExistingDirectory(this, "Folder", QFileInfo(folder()).path());
        if (!path.isEmpty())
            m_folder->setText(path);
    });
    connect(m_folder, &QLineEdit::textChanged, this, &ExportDialog::check);
    connect(m_name, &QLineEdit::textChanged, this, &ExportDialog::check);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    check();
}

void ExportDialog::check() {
    const QString package = QFileInfo(folder()).fileName();
    QString note;
    if (folder().isEmpty())
        note = "Choose a folder.";
    else if (!isWrittenBare(utf8(className())) || isReservedName(utf8(className())))
        note = "The class name must be a Python identifier.";
    m_ok->setEnabled(note.isEmpty());
    if (note.isEmpty()) {
        note = "from " + package + " import " + className();
        if (!isIdentifier(utf8(package)))
            note = "Python cannot import a folder called '" + package +
                   "'; a name of letters and digits would do.";
        else if (QFileInfo::exists(folder()))
            note += "\nThe folder exists; files of an earlier export are replaced.";
    }
    m_note->setText(note);
}

} // namespace fx
