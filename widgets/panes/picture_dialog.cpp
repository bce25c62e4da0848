// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/picture_dialog.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QPushButton>

#include <algorithm>

namespace fx::ui {

PictureDialog::PictureDialog(const CanvasView& canvas, const QString& name, bool isDark, QWidget* parent)
    : QDialog(parent), m_size(pictureSize(canvas)), m_format(new QComboBox), m_theme(new QComboBox),
      m_width(new QSpinBox), m_background(new QCheckBox("Paint the background")), m_path(new QLineEdit) {
    setWindowTitle("Export picture");
    m_format->addItem("SVG, sharp at every size", "svg");
    m_format->addItem("PNG, of a chosen size", "png");
    m_format->addItem("PDF, one page", "pdf");
    m_theme->addItems({"Light", "Dark"});
    m_theme->setCurrentIndex(isDark);
    m_background->setChecked(true);
    const double whole = m_size.width();
    m_width->setRange(16, std::max(16, static_cast<int>(whole * largestScale(canvas))));
    m_width->setValue(static_cast<int>(whole * std::min(2.0, largestScale(canvas))));
    m_width->setSuffix(" pixels wide");
    m_width->setAccessibleName("Width");
    m_path->setText(QDir::current().filePath(name + ".svg"));
    m_path->setMinimumWidth(360);
    m_path->setAccessibleName("File");
    auto* browse = new QPushButton("Browse…");
    auto* fileRow = new QHBoxLayout;
    fileRow->addWidget(m_path, 1);
    fileRow->addWidget(browse);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
    auto* form = new QFormLayout(this);
    form->setContentsMargins(18, 16, 18, 14);
    form->setSpacing(10);
    form->addRow("Format", m_format);
    form->addRow("Size", m_width);
    form->addRow("Theme", m_theme);
    form->addRow("", m_background);
    form->addRow("File", fileRow);
    form->addRow(buttons);
    connect(m_format, &QComboBox::currentIndexChanged, this, &PictureDialog::showFormat);
    connect(browse, &QPushButton::clicked, this, [this] {
        const QString path = QFileDialog::getSaveFileName(this, "Export picture", m_path->text());
        if (!path.isEmpty())
            m_path->setText(path);
    });
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    showFormat();
}

void PictureDialog::showFormat() {
    const QFileInfo info(m_path->text());
    m_path->setText(info.dir().filePath(info.completeBaseName() + '.' + m_format->currentData().toString()));
    m_width->setEnabled(m_format->currentData() == "png");
}

PictureFile PictureDialog::file() const {
    PictureFile out;
    out.path = m_path->text();
    out.isDark = m_theme->currentIndex() == 1;
    out.hasBackground = m_background->isChecked();
    out.scale = m_width->value() / m_size.width();
    return out;
}

} // namespace fx::ui
