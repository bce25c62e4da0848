// SPDX-License-Identifier: GPL-3.0-or-later
// The file of the open model changes: the window says so, goes on with what it has, and reloads when asked.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/panes/disk_notice.h"

#include <QFile>
#include <QMessageBox>
#include <QPushButton>

namespace fx::ui::disk_test {

class TestDisk : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_probe = std::make_unique<WindowProbe>();
        m_path = m_probe->settings().path("m.pt2");
        QVERIFY(QFile::copy(samplePath("control_flow"), m_path));
        m_probe->open(m_path);
        QVERIFY(!notice().isVisible());
    }
    void cleanup() { m_probe.reset(); }

    void changedFileIsToldAndReloaded() {
        overwrite(samplePath("resnet"));
        QTRY_VERIFY(notice().isVisible());
        QCOMPARE(notice().text(), "m.pt2 was changed on disk since it was opened.");
        QVERIFY(m_probe->node("add_").node);
        Workspace* before = m_probe->window().workspace();
        QTest::mouseClick(button("Reload"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(m_probe->window().workspace() != before, 30000);
        QVERIFY(m_probe->node("conv2d_3").node);
        QVERIFY(!notice().isVisible());
    }

    void replacedFileIsTold() {
        const QString other = m_probe->settings().path("other.pt2");
        QVERIFY(QFile::copy(samplePath("resnet"), other));
        QCOMPARE(std::rename(qPrintable(other), qPrintable(m_path)), 0);
        QTRY_VERIFY(notice().isVisible());
        QVERIFY(button("Reload")->isVisible());
        QTest::mouseClick(button("Dismiss"), Qt::LeftButton);
        QVERIFY(!notice().isVisible());
        // And the file that has the name now is followed in turn.
        overwrite(samplePath("control_flow"));
        QTRY_VERIFY(notice().isVisible());
    }

    void deletedFileIsTold() {
        m_probe->press(Qt::Key_F5); // which has the worker read the file
        QVERIFY(m_probe->waitForState(DebugService::State::Over));
        QVERIFY(QFile::remove(m_path));
        QTRY_VERIFY(notice().isVisible());
        QCOMPARE(notice().text(), "m.pt2 was deleted on disk. The model stays open, and can be saved.");
        QVERIFY(!button("Reload")->isVisible());
        m_probe->press(Qt::Key_F5);
        QVERIFY(m_probe->waitForState(DebugService::State::Over));
        QVERIFY2(m_probe->statusText().startsWith("Finished"), qPrintable(m_probe->statusText()));
    }

    void editsAreSavedAfterTheFileWasOverwritten() {
        WindowProbe& probe = *m_probe;
        probe.select("add_");
        probe.press(Qt::Key_Delete);
        overwrite(samplePath("resnet"));
        QTRY_VERIFY(notice().isVisible());
        const QString code = probe.code().text(), saved = probe.settings().path("edited.fxg");
        answerFileDialog(saved);
        probe.press(Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(probe.toast(), "Saved edited.fxg");
        QVERIFY(!notice().isVisible());
        probe.open(samplePath("resnet"));
        probe.open(saved);
        QCOMPARE(probe.code().text(), code);
        probe.press(Qt::Key_F5);
        QVERIFY(probe.waitForState(DebugService::State::Over));
        QVERIFY2(probe.statusText().startsWith("Finished"), qPrintable(probe.statusText()));
    }

    void reloadAsksAboutUnsavedChanges() {
        WindowProbe& probe = *m_probe;
        probe.select("add_");
        probe.press(Qt::Key_Delete);
        withDialog([](QDialog& dialog) {
            QTest::mouseClick(dynamic_cast<QMessageBox&>(dialog).button(QMessageBox::Cancel), Qt::LeftButton);
        });
        probe.press(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(probe.window().isWindowModified());
        withDialog([](QDialog& dialog) {
            QTest::mouseClick(dynamic_cast<QMessageBox&>(dialog).button(QMessageBox::Discard),
                              Qt::LeftButton);
        });
        probe.press(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY_WITH_TIMEOUT(!probe.window().isWindowModified(), 30000);
        QVERIFY(probe.node("add_").node);
    }

    void ownSavingIsNotTold() {
        WindowProbe& probe = *m_probe;
        answerFileDialog(probe.settings().path("own.fxg"));
        probe.press(Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(probe.toast(), "Saved own.fxg");
        probe.select("add_");
        probe.press(Qt::Key_Delete);
        QVERIFY(probe.window().isWindowModified());
        probe.press(Qt::Key_S, Qt::ControlModifier);
        QTRY_VERIFY(!probe.window().isWindowModified());
        QTest::qWait(1500); // more than it takes to be told of a change
        QVERIFY(!notice().isVisible());
        // What others do to it is.
        m_path = probe.settings().path("own.fxg");
        overwrite(samplePath("resnet"));
        QTRY_VERIFY(notice().isVisible());
    }

private:
    DiskNotice& notice() { return m_probe->window().view()->diskNotice(); }
    QPushButton* button(const QString& text) {
        for (QPushButton* each : notice().findChildren<QPushButton*>())
            if (each->text() == text)
                return each;
        qFatal("the notice has no button %s", qPrintable(text));
    }
    /// In place, as torch.export.save does it.
    void overwrite(const QString& with) {
        QFile from(with), to(m_path);
        QVERIFY(from.open(QIODevice::ReadOnly));
        QVERIFY(to.open(QIODevice::WriteOnly | QIODevice::Truncate));
        to.write(from.readAll());
    }

    std::unique_ptr<WindowProbe> m_probe;
    QString m_path;
};

FX_TEST(TestDisk)
} // namespace fx::ui::disk_test
#include "tst_disk.moc"
