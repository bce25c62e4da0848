// SPDX-License-Identifier: GPL-3.0-or-later
// What the model is run on: for each input a generated value, the saved example, an expression or a file.
#pragma once

#include "core/session/service_host.h"
#include "widgets/session/settings.h"
#include "widgets/support/job.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QLineEdit>
#include <QSpinBox>

#include <memory>

class QDialogButtonBox;

namespace fx::ui {

class DebugService;
class FaultText;

class InputsDialog : public QDialog {
    Q_OBJECT

public:
    /// `debug`: whose inputs they are, and where they are made.
    InputsDialog(ModelSnapshot model, const DebugService& debug, const QFont& fixedFont,
                 QWidget* parent = nullptr);
    ~InputsDialog() override;
    /// What was chosen; breakpoints and watches are none of its business.
    DebugMemory memory() const;
    /// A run waits for what is chosen here.
    void beforeRun();
    /// What there is to choose from. Until then it is the processor, and what was chosen before.
    void setDevices(const QStringList& devices);

private:
    enum Choice { Example, Generated, Expression, File };
    struct Row {
        QString name, generated, standard; ///< what can be made for it, and its default in the code
        QComboBox* choice;
        QLineEdit* text;
    };
    QString spec(const Row& row) const;
    void showChoice(const Row& row);
    void browse(const Row& row);
    void focusFirst();
    void check();
    void tell(const QString& fault);
    QLayout* makeRunOptions(const DebugMemory& memory);
    QStringList libraries() const;
    void browseLibrary();

    const ModelSnapshot m_snapshot;
    const std::shared_ptr<const OpenedModel> m_model; ///< of the snapshot
    const bool m_isThere;                             ///< on another machine, whose files they are then
    bool m_hasExamples;
    std::vector<Row> m_rows;
    QLineEdit *m_file, *m_seed;
    QLineEdit* m_libraries; ///< paths with commas between them
    QComboBox *m_device, *m_gradMode;
    QLineEdit* m_loss; ///< where gradients are of one
    QCheckBox* m_outside;
    QSpinBox* m_memory;
    bool m_wasOutsideAsked = false;
    FaultText* m_fault;
    QDialogButtonBox* m_buttons;
    JobRunner m_runner; ///< last: its thread uses what is above
};

} // namespace fx::ui
