// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for a picture's format, size, theme and file.
#pragma once

#include "widgets/canvas/picture_file.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QLineEdit>
#include <QSpinBox>

namespace fx::ui {

class PictureDialog : public QDialog {
    Q_OBJECT

public:
    PictureDialog(const CanvasView& canvas, const QString& name, bool isDark, QWidget* parent = nullptr);
    PictureFile file() const;

private:
    void showFormat();

    QSizeF m_size;
    QComboBox *m_format, *m_theme;
    QSpinBox* m_width;
    QCheckBox* m_background;
    QLineEdit* m_path;
};

} // namespace fx::ui
