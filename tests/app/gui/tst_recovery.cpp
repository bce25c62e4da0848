// SPDX-License-Identifier: GPL-3.0-or-later
// Edits that outlive the program: offered at the next start, done again, undone, discarded.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/panes/recovery_dialog.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QTabBar>
#include <QTemporaryDir>

namespace fx::ui::recovery_test {

namespace {

QStringList journals(WindowProbe& probe) {
    const QDir folder(probe.settings().path("fxscope/journals"));
    QStringList out;
    for (const QString& name : folder.entryList(QDir::Files))
        out << folder.filePath(name);
    return out;
}

RecoveryDialog* offered(WindowProbe& probe) {
    probe.window().offerRecovery();
    return probe.window().findChild<RecoveryDialog*>();
}

void press(RecoveryDialog& dialog, const QString& text) {
    for (QAbstractButton* button : dialog.findChild<QDialogButtonBox*>()->buttons())
        if (button->text() == text)
            QTest::mouseClick(button, Qt::LeftButton);
}

} // namespace

class TestRecovery : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_probe = std::make_unique<WindowProbe>(); }
    void cleanup() { m_probe.reset(); }

    void recoversWhatWasNotSaved() {
        m_probe->open(samplePath("control_flow"));
        QVERIFY(journals(*m_probe).isEmpty()); // looking costs nothing
        edit();
        QTRY_VERIFY(!m_probe->code().text().contains("add_ ="));
        const QString code = m_probe->code().text();
        const QByteArray journal = crash();

        restartWith(journal);
        RecoveryDialog* dialog = offered(*m_probe);
        QVERIFY(dialog);
        QVERIFY(!dialog->isModal());
        QVERIFY(findIn<QListWidget>(*dialog, "Files with unsaved edits")
                    .item(0)
                    ->text()
                    .startsWith("control_flow.pt2, 3 edits, today"));
        auto& edits = findIn<QListWidget>(*dialog, "Edits");
        QCOMPARE(edits.count(), 3);
        QVERIFY2(edits.item(2)->text().startsWith("Delete"), qPrintable(edits.item(2)->text()));
        press(*dialog, "Recover");
        QTRY_VERIFY_WITH_TIMEOUT(m_probe->window().workspace(), 30000);
        QVERIFY(m_probe->waitForLayout());
        QTRY_COMPARE(m_probe->code().text(), code);
        QVERIFY(m_probe->window().isWindowModified());
        // It is kept further, and as history.
        QCOMPARE(journals(*m_probe).size(), 1);
        QUndoStack& history = m_probe->workspace().document().undoStack();
        QCOMPARE(history.count(), 1);
        history.undo();
        QVERIFY(m_probe->node("add_").node);
        restartWith(crash());
        QCOMPARE(findIn<QListWidget>(*offered(*m_probe), "Edits").count(), 4);
    }

    void whatIsRecoveredHasATabOfItsOwn() {
        m_probe->open(samplePath("control_flow"));
        edit();
        const QByteArray first = crash();
        restartWith(first);
        QFile second(m_probe->settings().path("fxscope/journals/2.journal"));
        QVERIFY(second.open(QIODevice::WriteOnly));
        second.write(first);
        second.close();
        m_probe->open(samplePath("resnet"));
        const QString before = m_probe->code().text();
        RecoveryDialog* dialog = offered(*m_probe);
        press(*dialog, "Recover"); // one after the other, without waiting
        press(*dialog, "Recover");
        auto& tabs = m_probe->find<QTabBar>("Models");
        QTRY_COMPARE_WITH_TIMEOUT(tabs.count(), 3, 30000);
        QStringList texts;
        for (int tab = 0; tab < 3; ++tab)
            texts << tabs.tabText(tab);
        QCOMPARE(texts, (QStringList{"resnet.pt2", "control_flow.pt2 *", "control_flow.pt2 *"}));
        tabs.setCurrentIndex(0);
        QCOMPARE(m_probe->code().text(), before);
    }

    void removesWhatKilledSavesLeft() {
        const QTemporaryDir folder;
        const QString model = folder.filePath("control_flow.pt2"),
                      left = folder.filePath("control_flow.fxg.fxscope-part-0123456789abcdef");
        QVERIFY(QFile::copy(samplePath("control_flow"), model) && QFile::copy(model, left));
        m_probe->open(model);
        offered(*m_probe);
        QTRY_VERIFY(!QFile::exists(left));
        QVERIFY(QFile::exists(model));
    }

    /// What comes after a save is on top of the file that was saved.
    void aSaveBeginsAnew_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"edited.fxg", "edited.pt2"})
            QTest::newRow(name) << name;
    }
    void aSaveBeginsAnew() {
        QFETCH(QString, name);
        m_probe->open(samplePath("control_flow"));
        edit();
        QCOMPARE(journals(*m_probe).size(), 1);
        const QTemporaryDir folder;
        const QString path = folder.filePath(name);
        answerFileDialog(path);
        m_probe->press(Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE_WITH_TIMEOUT(m_probe->toast().section('\n', 0, 0), "Saved " + name, 30000);
        QVERIFY(journals(*m_probe).isEmpty());
        GraphDocument& document = m_probe->workspace().document();
        QCOMPARE(document.perform("Rename", document.model().root(),
                                  [](Edit& edit) { edit.rename(edit.graph().first(), "late"); }),
                 QString());
        QTRY_VERIFY(m_probe->code().text().contains("late"));
        const QString code = m_probe->code().text();
        restartWith(crash());
        RecoveryDialog* dialog = offered(*m_probe);
        QCOMPARE(findIn<QListWidget>(*dialog, "Edits").count(), 1);
        press(*dialog, "Recover");
        QTRY_VERIFY_WITH_TIMEOUT(m_probe->window().workspace(), 30000);
        QTRY_COMPARE(m_probe->code().text(), code);
        QVERIFY(m_probe->window().windowTitle().startsWith(name));
        QVERIFY(m_probe->window().isWindowModified());
    }

    void closingEndsTheJournal() {
        m_probe->open(samplePath("control_flow"));
        edit();
        QCOMPARE(journals(*m_probe).size(), 1);
        withDialog([](QDialog& dialog) {
            QTest::mouseClick(dynamic_cast<QMessageBox&>(dialog).button(QMessageBox::Discard),
                              Qt::LeftButton);
        });
        m_probe->window().actions()["closeModel"]->trigger();
        QVERIFY(!m_probe->window().workspace());
        QVERIFY(journals(*m_probe).isEmpty());
        QVERIFY(!offered(*m_probe));
    }

    void discardsForGood() {
        m_probe->open(samplePath("control_flow"));
        edit();
        restartWith(crash());
        press(*offered(*m_probe), "Discard");
        QVERIFY(journals(*m_probe).isEmpty());
    }

    /// The file is another one now: it is said, and nothing is done.
    void refusesAChangedFile() {
        const QString path = m_probe->settings().path("net.pt2");
        QVERIFY(QFile::copy(samplePath("control_flow"), path));
        m_probe->open(path);
        edit();
        restartWith(crash()); // the folder of the file is gone with the first run
        RecoveryDialog* dialog = offered(*m_probe);
        QVERIFY(dialog);
        QString said;
        for (const QLabel* label : dialog->findChildren<QLabel*>("fault"))
            said += label->text();
        QVERIFY2(said.contains("is not there any more"), qPrintable(said));
        press(*dialog, "Recover");
        QVERIFY(dialog->isVisible());
        press(*dialog, "Later");
        QCOMPARE(journals(*m_probe).size(), 1);
    }

private:
    /// Three: a node goes, another is marked, and that is undone.
    void edit() {
        m_probe->select("add_");
        m_probe->press(Qt::Key_Delete);
        QVERIFY(!m_probe->node("add_").node);
        GraphDocument& document = m_probe->workspace().document();
        const NodeId first = document.model().graph().first();
        document.perform("Mark", document.model().root(), [first](Edit& edit) {
            edit.setMeta(first, meta::kCustom, MetaValue(std::string("mark")));
        });
        document.undoStack().undo();
        QCOMPARE(document.undoStack().index(), 1);
    }
    static QByteArray fileBytes(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    /// What the journal is now, which the end of the window removes.
    QByteArray crash() {
        const QStringList found = journals(*m_probe);
        return found.isEmpty() ? QByteArray() : fileBytes(found.first());
    }
    void restartWith(const QByteArray& journal) {
        QVERIFY(!journal.isEmpty());
        m_probe.reset();
        m_probe = std::make_unique<WindowProbe>();
        QVERIFY(journals(*m_probe).isEmpty());
        QVERIFY(QDir().mkpath(m_probe->settings().path("fxscope/journals")));
        QFile file(m_probe->settings().path("fxscope/journals/1.journal"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(journal);
    }

    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestRecovery)
} // namespace fx::ui::recovery_test
#include "tst_recovery.moc"
