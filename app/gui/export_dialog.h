// SPDX-License-Identifier: GPL-3.0-or-later
// Asks what is to be written of a model, where, and what the class of a Python folder is called. What it
// cannot be written as is there with the reason.
#pragma once

#include "core/export/export_forms.h"

#include <QComboBox>
#include <QDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <vector>

namespace fx::ui {

class ExportDialog : public QDialog {
    Q_OBJECT

public:
    ExportDialog(const OpenedModel& model, const QString& modelTitle, QWidget* parent = nullptr);
    /// The word of an ExportForm.
    QString format() const { return m_format->currentData().toString(); }
    QString path() const { return m_path->text().trimmed(); }
    /// Empty for a file.
    QString className() const { return form().isFolder() ? m_name->text().trimmed() : QString(); }

private:
    const ExportForm& form() const;
    void addFormats(const OpenedModel& model);
    void showFormat();
    void browse();
    void check();
    QString faultOfFolder() const;
    QString noteOfFolder() const;

    const std::vector<ExportForm> m_forms; ///< as in the box
    QComboBox* m_format;
    QLineEdit *m_path, *m_name;
    QLabel* m_note;
    QFormLayout* m_form;
    QPushButton* m_ok;
};

} // namespace fx::ui
