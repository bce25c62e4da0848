// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/recovery_dialog.h"

#include "widgets/support/qt_text.h"

#include <QDateTime>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

namespace fx::ui {

namespace {

QString timeText(int64_t seconds) {
    const QDateTime time = QDateTime::fromSecsSinceEpoch(seconds);
    return time.date() == QDate::currentDate()
               ? "today, " + QLocale().toString(time.time(), QLocale::ShortFormat)
               : QLocale().toString(time, QLocale::ShortFormat);
}

QString editsText(size_t count) {
    return count == 1 ? QString("1 edit") : QString("%1 edits").arg(count);
}

QLabel* note(const char* style) {
    auto* label = new QLabel;
    label->setObjectName(style);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    return label;
}

} // namespace

RecoveryDialog::RecoveryDialog(std::vector<FoundJournal> found, QWidget* parent)
    : QDialog(parent), m_files(new QListWidget), m_edits(new QListWidget), m_detail(note("dim")),
      m_obstacle(note("fault")) {
    setWindowTitle("Recover edits");
    resize(520, 440);
    for (FoundJournal& each : found)
        m_found.insert(m_found.begin(), std::make_shared<FoundJournal>(std::move(each))); // the newest first
    m_files->setAccessibleName("Files with unsaved edits");
    m_files->setUniformItemSizes(true);
    m_edits->setAccessibleName("Edits");
    m_edits->setUniformItemSizes(true);
    m_edits->setSelectionMode(QAbstractItemView::NoSelection);
    for (const auto& each : m_found)
        m_files->addItem(QFileInfo(qt(each->request().path)).fileName() + ", " +
                         editsText(each->edits().size()) + ", " + timeText(each->edits().back().time));

    auto* buttons = new QDialogButtonBox;
    m_recover = buttons->addButton("Recover", QDialogButtonBox::AcceptRole);
    m_recover->setDefault(true);
    m_recover->setToolTip(
        "Opens the file and does the edits again; they can be undone, and are not saved yet");
    auto* discard = buttons->addButton("Discard", QDialogButtonBox::DestructiveRole);
    discard->setToolTip("Forgets these edits for good");
    buttons->addButton("Later", QDialogButtonBox::RejectRole)->setToolTip("Asks again at the next start");

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(18, 16, 18, 14);
    column->setSpacing(10);
    auto* headline = new QLabel("fxscope ended before these edits were saved.");
    column->addWidget(headline);
    column->addWidget(m_files, 1);
    column->addWidget(m_detail);
    column->addWidget(m_edits, 2);
    column->addWidget(m_obstacle);
    column->addWidget(buttons);
    connect(m_files, &QListWidget::currentRowChanged, this, &RecoveryDialog::showChosen);
    connect(m_recover, &QPushButton::clicked, this, &RecoveryDialog::recover);
    connect(discard, &QPushButton::clicked, this, &RecoveryDialog::discard);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    m_files->setCurrentRow(0);
}

std::shared_ptr<FoundJournal> RecoveryDialog::chosen() const {
    const int row = m_files->currentRow();
    return row >= 0 && static_cast<size_t>(row) < m_found.size() ? m_found[static_cast<size_t>(row)]
                                                                 : nullptr;
}

void RecoveryDialog::showChosen() {
    const std::shared_ptr<FoundJournal> journal = chosen();
    m_edits->clear();
    if (!journal)
        return;
    constexpr size_t kMostShown = 50;
    const std::vector<JournalEdit>& edits = journal->edits();
    for (size_t i = edits.size(); i-- > 0 && edits.size() - i <= kMostShown;)
        m_edits->addItem((edits[i].isBackwards ? "Undo: " : "") + qt(edits[i].title) + ", " +
                         timeText(edits[i].time));
    QString detail = qt(journal->request().path) + "\nThe latest first:";
    if (journal->tornBytes() > 0)
        detail.insert(detail.lastIndexOf('\n'), "\nOne more edit was being written, and is lost.");
    m_detail->setText(detail);
    const std::string obstacle = journal->obstacle();
    m_obstacle->setText(qt(obstacle) +
                        ", so the edits may not fit it any more. Put the file back as it was to "
                        "recover them.");
    m_obstacle->setVisible(!obstacle.empty());
    m_recover->setEnabled(obstacle.empty());
}

void RecoveryDialog::recover() {
    const std::shared_ptr<FoundJournal> journal = chosen();
    if (!journal)
        return;
    removeChosen();
    Q_EMIT recoverWanted(journal);
}

void RecoveryDialog::discard() {
    if (const std::shared_ptr<FoundJournal> journal = chosen()) {
        journal->discard();
        removeChosen();
    }
}

void RecoveryDialog::removeChosen() {
    const int row = m_files->currentRow();
    m_found.erase(m_found.begin() + row);
    delete m_files->takeItem(row);
    if (m_found.empty())
        accept();
    else
        showChosen();
}

} // namespace fx::ui
