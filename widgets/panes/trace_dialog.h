// SPDX-License-Identifier: GPL-3.0-or-later
// How a model is traced: what makes it, its weights, its mode, leaves, fixed arguments. The dialog stays
// open, with what was typed, until a trace has succeeded; the tracing itself is its owner's.
#pragma once

#include "core/base/progress.h"
#include "core/open/python_source.h"
#include "widgets/support/job.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>

#include <functional>
#include <memory>
#include <optional>

class QDialogButtonBox;
class QFormLayout;
class QPushButton;
class QToolButton;

namespace fx {

class FaultText;

class TraceDialog : public QDialog {
    Q_OBJECT

public:
    /// Says which models a source defines; called on another thread.
    using Lister = std::function<std::vector<std::string>(const std::string& path, Progress& progress)>;

    TraceDialog(const QString& path, Lister lister, const QFont& fixedFont, QWidget* parent = nullptr);
    ~TraceDialog() override;
    QString path() const { return m_path->text(); }
    TraceOptions options() const;
    void setState(const QString& path) { m_state->setText(path); }
    /// What went wrong, with its place in the source.
    void showFault(const Error& why);

    void trace();

Q_SIGNALS:
    void traceWanted();
    void libraryWanted();

private:
    /// What the file is, which says what can be chosen.
    enum class Kind { Source, Pickled, TorchScript };
    static Kind kindOf(const QString& path);

    struct Listed {
        Kind kind;
        QStringList models;
        std::optional<Error> fault;
    };
    void list();
    void take(const Listed& listed);
    void showKind(Kind kind);
    void offer(const QStringList& models);
    void placeCursor();
    void check();
    void setWorking(bool isWorking);
    QWidget* withBrowse(QLineEdit* edit, const QString& title, const QString& filter);
    QWidget* makeAdvanced(const QFont& fixedFont);

    QLineEdit *m_path, *m_source, *m_state, *m_leaves;
    QComboBox *m_expression, *m_mode, *m_leafRule;
    QPlainTextEdit* m_concrete;
    FaultText* m_fault;
    QToolButton* m_fold;
    QWidget *m_sourceRow, *m_advanced;
    QCheckBox *m_constantShapes, *m_proxiedBuffers;
    QLineEdit* m_wrapped;
    QLabel* m_note;
    QPushButton* m_library; ///< where an operator is not known
    QFormLayout* m_form;
    QDialogButtonBox* m_buttons;
    Kind m_kind = Kind::Source;
    bool m_isWorking = false;
    Lister m_lister;
    JobRunner m_runner; ///< last: its thread uses what is above
};

} // namespace fx
