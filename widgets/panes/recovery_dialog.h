// SPDX-License-Identifier: GPL-3.0-or-later
// The edits that earlier runs of the program did not come to save: which files they are of, and what they
// were. One recovers them, discards them, or leaves them for the next start.
#pragma once

#include "core/session/journal.h"

#include <QDialog>

#include <memory>
#include <vector>

class QLabel;
class QListWidget;
class QPushButton;

namespace fx::ui {

class RecoveryDialog : public QDialog {
    Q_OBJECT

public:
    explicit RecoveryDialog(std::vector<FoundJournal> found, QWidget* parent = nullptr);

Q_SIGNALS:
    void recoverWanted(std::shared_ptr<fx::FoundJournal> found);

private:
    /// The journal that is chosen, or null.
    std::shared_ptr<FoundJournal> chosen() const;
    void showChosen();
    void recover();
    void discard();
    void removeChosen();

    std::vector<std::shared_ptr<FoundJournal>> m_found;
    QListWidget *m_files, *m_edits;
    QLabel *m_detail, *m_obstacle;
    QPushButton* m_recover;
};

} // namespace fx::ui
