// SPDX-License-Identifier: GPL-3.0-or-later
// Several models in one window: each in its tab, with its run, its panes, its edits and its file.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/panes/disk_notice.h"
#include "widgets/panes/start_page.h"

#include <QDir>
#include <QDropEvent>
#include <QFile>
#include <QMessageBox>
#include <QMimeData>
#include <QTabBar>
#include <QTemporaryDir>

namespace fx::ui::tabs_test {

using State = DebugService::State;

class TestTabs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_probe = std::make_unique<WindowProbe>();
        m_probe->open(samplePath("control_flow"));
    }
    void cleanup() { m_probe.reset(); }

    void aTabIsAModelOfItsOwn() {
        WindowProbe& probe = *m_probe;
        QVERIFY(!tabs().isVisible()); // one alone needs none
        probe.select("gt");
        const QString first = code();
        newTab();
        QCOMPARE(texts(), (QStringList{"control_flow.pt2", "New tab"}));
        QVERIFY(probe.window().findChild<StartPage*>()->isVisible());
        QVERIFY(!probe.window().docks().dock(Docks::Code).isVisible());
        probe.open(samplePath("resnet"));
        QCOMPARE(texts(), (QStringList{"control_flow.pt2", "resnet.pt2"}));
        QVERIFY(probe.window().windowTitle().startsWith("resnet.pt2"));
        const QString second = code();
        QVERIFY(second != first && !second.isEmpty());
        probe.press(Qt::Key_PageUp, Qt::ControlModifier);
        QCOMPARE(code(), first);
        QCOMPARE(probe.selected(), "gt");
        QVERIFY(probe.window().windowTitle().startsWith("control_flow.pt2"));
        QVERIFY(probe.window().docks().dock(Docks::Code).isVisible());
        probe.press(Qt::Key_PageDown, Qt::ControlModifier);
        QCOMPARE(code(), second);
        QTest::mouseClick(&tabs(), Qt::LeftButton, {}, tabs().tabRect(0).center());
        QCOMPARE(code(), first);
    }

    void runsGoOnBesideEachOther() {
        WindowProbe& probe = *m_probe;
        probe.select("gt");
        probe.press(Qt::Key_F10, Qt::ControlModifier);
        QTRY_COMPARE(probe.debug().run().state().at(), probe.node("gt"));
        const QString steps = stepsTitle();
        QVERIFY(steps != "Steps");
        newTab();
        probe.open(samplePath("resnet"));
        QCOMPARE(stepsTitle(), "Steps");
        QCOMPARE(probe.statusText(), "Not run yet");
        probe.press(Qt::Key_F5);
        QVERIFY(probe.waitForState(State::Over));
        QVERIFY(probe.statusText().startsWith("Finished"));
        probe.press(Qt::Key_PageUp, Qt::ControlModifier);
        QCOMPARE(probe.debug().state(), State::Paused);
        QCOMPARE(probe.debug().run().state().at(), probe.node("gt"));
        QCOMPARE(stepsTitle(), steps);
        QVERIFY(probe.statusText().startsWith("Paused before gt"));
        QVERIFY(probe.window().actions()["stop"]->isEnabled());
        // Its next step is its own; what comes of it while another one is in front is there later.
        probe.press(Qt::Key_F5);
        probe.press(Qt::Key_PageDown, Qt::ControlModifier);
        QVERIFY(probe.statusText().startsWith("Finished"));
        probe.press(Qt::Key_PageUp, Qt::ControlModifier);
        QVERIFY(probe.waitForState(State::Over));
        QTRY_VERIFY(stepsTitle() != steps);
    }

    void eachHasItsHistory() {
        WindowProbe& probe = *m_probe;
        const QString first = code();
        probe.select("add_");
        probe.press(Qt::Key_Delete);
        QVERIFY(code() != first);
        QCOMPARE(texts(), (QStringList{"control_flow.pt2 *"}));
        newTab();
        probe.open(samplePath("resnet"));
        QVERIFY(!probe.window().actions()["undo"]->isEnabled());
        QVERIFY(!probe.window().isWindowModified());
        probe.press(Qt::Key_PageUp, Qt::ControlModifier);
        QVERIFY(probe.window().isWindowModified());
        probe.press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(code(), first);
        QCOMPARE(texts(), (QStringList{"control_flow.pt2", "resnet.pt2"}));
    }

    void aModelThatIsReadComesIntoTheTabThatAskedForIt() {
        WindowProbe& probe = *m_probe;
        const QString first = code();
        newTab();
        probe.window().openFile(samplePath("resnet"));
        probe.press(Qt::Key_PageUp, Qt::ControlModifier);
        QCOMPARE(code(), first);
        QTRY_COMPARE_WITH_TIMEOUT(texts(), (QStringList{"control_flow.pt2", "resnet.pt2"}), 30000);
        QCOMPARE(tabs().currentIndex(), 1);
        probe.press(Qt::Key_PageUp, Qt::ControlModifier);
        QCOMPARE(code(), first);
    }

    void whatIsOpenedHasATabOfItsOwn() {
        WindowProbe& probe = *m_probe;
        probe.select("add_");
        probe.press(Qt::Key_Delete);
        // Nothing is lost, and so nothing is asked.
        answerFileDialog(samplePath("resnet"));
        probe.press(Qt::Key_O, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(texts(), (QStringList{"control_flow.pt2 *", "resnet.pt2"}), 30000);
        QCOMPARE(tabs().currentIndex(), 1);
        // What cannot be opened leaves no tab behind.
        bool isTold = false;
        withDialog([&](QDialog& dialog) {
            isTold = true;
            QTest::keyClick(&dialog, Qt::Key_Return);
        });
        probe.window().openFile(probe.settings().path("nowhere.pt2"));
        QTRY_VERIFY(isTold);
        QCOMPARE(tabs().count(), 2);
        newTab();
        probe.open(samplePath("transformer"));
        QCOMPARE(texts(), (QStringList{"control_flow.pt2 *", "resnet.pt2", "transformer.pt2"}));
    }

    void severalFilesAreDroppedAtOnce() {
        WindowProbe& probe = *m_probe;
        QMimeData data;
        const QString missing = probe.settings().path("nowhere.pt2");
        data.setUrls({QUrl::fromLocalFile(samplePath("resnet")), QUrl::fromLocalFile(missing),
                      QUrl::fromLocalFile(samplePath("transformer"))});
        bool isTold = false;
        withDialog([&](QDialog& dialog) {
            isTold = true;
            QTest::keyClick(&dialog, Qt::Key_Return);
        });
        QDragEnterEvent enter({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&probe.window(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent event({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&probe.window(), &event);
        QTRY_COMPARE_WITH_TIMEOUT(texts(), (QStringList{"control_flow.pt2", "resnet.pt2", "transformer.pt2"}),
                                  60000);
        QVERIFY(isTold);
    }

    void aPassFromAFileActsWhereItWasAskedFor() {
        WindowProbe& probe = *m_probe;
        const QString path = probe.settings().path("negate.py");
        QFile file(path);
        QVERIFY(file.open(QFile::WriteOnly));
        file.write("import torch\n\ndef negate(gm):\n    for node in gm.graph.nodes:\n"
                   "        if node.name == 'linear':\n            with gm.graph.inserting_after(node):\n"
                   "                gm.graph.call_function(torch.neg, (node,))\n    return gm\n");
        file.close();
        newTab();
        probe.open(samplePath("resnet"));
        const QString second = code();
        probe.press(Qt::Key_PageUp, Qt::ControlModifier);
        answerFileDialog(path);
        probe.window().actions()["passFromFile"]->trigger();
        probe.press(Qt::Key_PageDown, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(texts(), (QStringList{"control_flow.pt2 *", "resnet.pt2"}), 30000);
        QCOMPARE(tabs().currentIndex(), 0);
        QTRY_VERIFY(code().contains("torch.neg(linear)"));
        probe.press(Qt::Key_PageDown, Qt::ControlModifier);
        QCOMPARE(code(), second);
    }

    void passesFromFilesWaitForEachOther() {
        WindowProbe& probe = *m_probe;
        QStringList paths;
        for (const char* function : {"neg", "abs"}) {
            paths << probe.settings().path(QString(function) + ".py");
            QFile file(paths.last());
            QVERIFY(file.open(QFile::WriteOnly));
            file.write(
                QByteArray(
                    "import torch\n\ndef change(gm):\n    node = [n for n in gm.graph.nodes if n.op == "
                    "'call_function'][0]\n"
                    "    with gm.graph.inserting_after(node):\n        gm.graph.call_function(torch.") +
                function + ", (node,))\n    return gm\n");
        }
        newTab();
        probe.open(samplePath("resnet"));
        probe.window().runPassOf(paths[0]);
        probe.press(Qt::Key_PageUp, Qt::ControlModifier);
        probe.window().runPassOf(paths[1]); // while the first is read
        QTRY_COMPARE_WITH_TIMEOUT(texts(), (QStringList{"control_flow.pt2 *", "resnet.pt2 *"}), 30000);
        tabs().setCurrentIndex(0);
        QTRY_VERIFY2(code().contains("torch.abs("), qPrintable(code()));
        tabs().setCurrentIndex(1);
        QTRY_VERIFY2(code().contains("torch.neg("), qPrintable(code()));
    }

    void aSaveBelongsToItsTab() {
        WindowProbe& probe = *m_probe;
        const QString path = probe.settings().path("kept.fxg");
        newTab();
        probe.open(samplePath("resnet"));
        probe.press(Qt::Key_PageUp, Qt::ControlModifier);
        answerFileDialog(path);
        probe.press(Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
        probe.press(Qt::Key_PageDown, Qt::ControlModifier);
        QTRY_COMPARE(texts(), (QStringList{"kept.fxg", "resnet.pt2"}));
        // The file is followed where it is open, whatever is in front.
        QVERIFY(QFile::remove(path));
        probe.press(Qt::Key_PageUp, Qt::ControlModifier);
        QTRY_VERIFY(probe.window().view()->diskNotice().isVisible());
        QCOMPARE(probe.window().view()->diskNotice().text(),
                 "kept.fxg was deleted on disk. The model stays open, and can be saved.");
        probe.press(Qt::Key_PageDown, Qt::ControlModifier);
        QVERIFY(!probe.window().view()->diskNotice().isVisible());
    }

    void ctrlWClosesATabAndLeavesTheOthers() {
        WindowProbe& probe = *m_probe;
        const QString first = code();
        newTab();
        probe.open(samplePath("resnet"));
        probe.press(Qt::Key_W, Qt::ControlModifier);
        QVERIFY(!tabs().isVisible());
        QCOMPARE(code(), first);
        QVERIFY(probe.window().windowTitle().startsWith("control_flow.pt2"));
        probe.press(Qt::Key_F5);
        QVERIFY(probe.waitForState(State::Over));
        // The first of two, by its button.
        newTab();
        QCOMPARE(tabs().count(), 2);
        QTest::mouseClick(tabs().tabButton(0, QTabBar::RightSide), Qt::LeftButton);
        QCOMPARE(tabs().count(), 1);
        QVERIFY(probe.window().findChild<StartPage*>()->isVisible());
        QVERIFY(!probe.window().workspace());
        probe.open(samplePath("resnet"));
        QVERIFY(probe.window().docks().dock(Docks::Code).isVisible());
    }

    void closingTheWindowAsksAboutEachTab() {
        WindowProbe& probe = *m_probe;
        probe.select("add_");
        probe.press(Qt::Key_Delete);
        newTab();
        probe.open(samplePath("resnet"));
        QString asked;
        withDialog([&](QDialog& dialog) {
            asked = dynamic_cast<QMessageBox&>(dialog).text();
            QTest::mouseClick(dynamic_cast<QMessageBox&>(dialog).button(QMessageBox::Cancel), Qt::LeftButton);
        });
        probe.window().close();
        QCOMPARE(asked, "Save the changes to control_flow.pt2?");
        QVERIFY(probe.window().isVisible());
        QCOMPARE(tabs().currentIndex(), 0); // one sees what one is asked about
        withDialog([](QDialog& dialog) {
            QTest::mouseClick(dynamic_cast<QMessageBox&>(dialog).button(QMessageBox::Discard),
                              Qt::LeftButton);
        });
        probe.window().close();
        QTRY_VERIFY(!probe.window().isVisible());
    }

    void modelsOfOneNameShowTheirFolders() {
        WindowProbe& probe = *m_probe;
        QTemporaryDir folder;
        for (const char* run : {"run_1", "run_2"}) {
            QVERIFY(QDir(folder.path()).mkpath(run));
            const QString path = folder.filePath(QString("%1/model.pt2").arg(run));
            QVERIFY(QFile::copy(samplePath("control_flow"), path));
            newTab();
            probe.open(path);
        }
        QCOMPARE(texts().last(2), (QStringList{"model.pt2 (run_1)", "model.pt2 (run_2)"}));
        QTest::mouseClick(tabs().tabButton(tabs().count() - 1, QTabBar::RightSide), Qt::LeftButton);
        QTRY_COMPARE(texts().last(), QString("model.pt2"));
    }

private:
    QTabBar& tabs() { return m_probe->find<QTabBar>("Models"); }
    QStringList texts() {
        QStringList out;
        for (int tab = 0; tab < tabs().count(); ++tab)
            out << tabs().tabText(tab);
        return out;
    }
    void newTab() {
        m_probe->press(Qt::Key_T, Qt::ControlModifier);
        QVERIFY(!m_probe->window().workspace());
    }
    QString code() { return m_probe->code().text(); }
    QString stepsTitle() { return m_probe->window().docks().dock(Docks::Steps).windowTitle(); }

    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestTabs)
} // namespace fx::ui::tabs_test
#include "tst_tabs.moc"
