// SPDX-License-Identifier: GPL-3.0-or-later
// Which model is to be opened on which other machine: connects and opens it there, and says what is wrong
// where it can be mended.
#pragma once

#include "core/session/remote_opening.h"
#include "widgets/support/job.h"

#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>

#include <memory>

class QDialogButtonBox;

namespace fx::ui {

class FaultText;

class ConnectDialog : public QDialog {
    Q_OBJECT

public:
    /// `request`: what is filled in already, and what of it there are no fields for.
    ConnectDialog(const RemoteRequest& request, const QFont& fixedFont, QWidget* parent = nullptr);

    /// Connects and opens, beside; the dialog is accepted when that has succeeded.
    void begin();
    /// Then.
    const std::shared_ptr<RemoteModel>& opened() const { return m_opened; }
    /// Cancels what has begun; else the dialog.
    void reject() override;

private:
    enum What { FileThere, SessionThere, FileHere };
    What what() const { return static_cast<What>(m_what->currentIndex()); }
    RemoteRequest request() const;
    void showWhat();
    void readToken();
    void browse();
    void tell(const QString& fault);
    void setConnecting(bool isConnecting);

    const RemoteRequest m_given;
    QComboBox *m_address, *m_what;
    QLineEdit *m_token, *m_name;
    QPushButton *m_tokenFile, *m_browse;
    QLabel* m_work;
    QProgressBar* m_progress;
    FaultText* m_fault;
    QDialogButtonBox* m_buttons;
    std::shared_ptr<StartedJob> m_job; ///< null: nothing has begun
    std::shared_ptr<RemoteModel> m_opened;
    JobRunner m_runner; ///< last: its thread uses what is above
};

} // namespace fx::ui
