// SPDX-License-Identifier: GPL-3.0-or-later
// How a model's source is traced: the expression that makes the model, its weights, its mode, leaves, fixed
// arguments.
#pragma once

#include "core/io/python_source.h"
#include "widgets/support/job.h"

#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>

#include <memory>

class QDialogButtonBox;

namespace fx {

class TraceDialog : public QDialog {
    Q_OBJECT

public:
    TraceDialog(const QString& path, const QFont& fixedFont, QWidget* parent = nullptr);
    ~TraceDialog() override;
    QString path() const { return m_path->text(); }
    TraceOptions options() const;

private:
    void list();
    void check();
    QWidget* withBrowse(QLineEdit* edit, const QString& title, const QString& filter);

    QLineEdit *m_path, *m_state, *m_leaves;
    QComboBox *m_expression, *m_mode;
    QPlainTextEdit* m_concrete;
    QLabel* m_note;
    QDialogButtonBox* m_buttons;
    std::unique_ptr<JobRunner> m_runner;
};

} // namespace fx
