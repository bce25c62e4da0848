// SPDX-License-Identifier: GPL-3.0-or-later
// How a model is traced: what makes it, its weights, its mode, leaves, fixed arguments. The dialog stays
// open, with what was typed, until a trace has succeeded; the tracing itself is its owner's.
#pragma once

#include "core/base/progress.h"
#include "core/open/python_source.h"
#include "widgets/support/job.h"

#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QStringListModel>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

class QDialogButtonBox;
class QFormLayout;
class QPushButton;
class QToolButton;

namespace fx::ui {

class ExpressionBox;
class FaultText;
class TracerOptionsBox;

class TraceDialog : public QDialog {
    Q_OBJECT

public:
    /// Says which models a source makes, whose imports are found in `packageFolders`, too; called on another
    /// thread.
    using Lister = std::function<std::vector<std::string>(
        const std::string& path, const std::vector<std::string>& packageFolders, Progress& progress)>;

    TraceDialog(const QString& path, Lister lister, const QFont& fixedFont, QWidget* parent = nullptr);
    ~TraceDialog() override;
    /// The file, where a package is named its own.
    QString path() const;
    TraceOptions options() const;
    void setState(const QString& path) { m_state->setText(path); }
    /// Shows options that were chosen before.
    void recall(const TraceOptions& options);
    /// What went wrong, with its place in the source. `isGraphBegun`: there is a graph up to there.
    void showFault(const Error& why, bool isGraphBegun = false);

    void trace();

Q_SIGNALS:
    void traceWanted();
    void libraryWanted();
    void soFarWanted();

private:
    /// What the file is, which says what can be chosen.
    enum class Kind { Source, Pickled, TorchScript };
    static Kind kindOf(const QString& path);

    struct Listed {
        Kind kind;
        bool isFound; ///< there is such a file, or a package of that name
        bool isPackage;
        QStringList models, packages;
        std::optional<Error> fault;
    };
    void list();
    void take(const Listed& listed);
    void showKind(Kind kind);
    QString noteOf(const Listed& listed) const;
    void check();
    void setWorking(bool isWorking);
    QWidget* withBrowse(QLineEdit* edit, const QString& title, const QString& filter);

    QLineEdit *m_path, *m_source, *m_state, *m_leaves;
    ExpressionBox* m_expression;
    QComboBox *m_mode, *m_leafRule;
    QPlainTextEdit* m_concrete;
    FaultText* m_fault;
    QToolButton* m_fold;
    QWidget* m_sourceRow;
    TracerOptionsBox* m_advanced;
    QLabel* m_note;
    QPushButton* m_library; ///< where an operator is not known
    QPushButton* m_soFar;   ///< where a graph was begun
    QFormLayout* m_form;
    QDialogButtonBox* m_buttons;
    Kind m_kind = Kind::Source;
    bool m_isFound = false, m_isWorking = false;
    QStringListModel m_packages; ///< that may make models
    QTimer m_rest;               ///< while the path is being typed
    Lister m_lister;
    JobRunner m_runner; ///< last: its thread uses what is above
};

} // namespace fx::ui
