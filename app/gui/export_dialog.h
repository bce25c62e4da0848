// SPDX-License-Identifier: GPL-3.0-or-later
// Asks where a Python folder is to be written, and what the class in it is called.
#pragma once

#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace fx {

class ExportDialog : public QDialog {
    Q_OBJECT

public:
    explicit ExportDialog(const QString& modelTitle, QWidget* parent = nullptr);
    QString folder() const { return m_folder->text().trimmed(); }
    QString className() const { return m_name->text().trimmed(); }

private:
    void check();

    QLineEdit *m_folder, *m_name;
    QLabel* m_note;
    QPushButton* m_ok;
};

} // namespace fx
