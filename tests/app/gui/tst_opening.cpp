// SPDX-License-Identifier: GPL-3.0-or-later
// The ways to open a model, and what happens when it cannot be opened. The command line itself is tried by
// gui_program.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/document/graph_intents.h"
#include "widgets/panes/start_page.h"
#include "widgets/session/settings.h"

#include <QDir>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QTreeView>

namespace fx::ui::opening_test {

namespace {

QPushButton* button(QWidget& in, const QString& text) {
    for (QPushButton* each : in.findChildren<QPushButton*>())
        if (each->text() == text)
            return each;
    return nullptr;
}

void drop(QWidget& window, const QString& path) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enter({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent event({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &event);
}

void write(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

} // namespace

class TestOpening : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void startPageOffersSamplesAndKeys() {
        WindowProbe probe;
        auto* page = probe.window().findChild<StartPage*>();
        QVERIFY(page->isVisible());
        QCOMPARE(probe.statusText(), "No model open");
        for (const Docks::Pane pane : {Docks::Code, Docks::Console, Docks::Modules})
            QVERIFY(!probe.window().docks().dock(pane).isVisible());
        QVERIFY(!probe.window().actions()["run"]->isEnabled());
        QPushButton* sample = button(*page, "Control flow");
        QVERIFY(sample);
        QTest::mouseClick(sample, Qt::LeftButton);
        QTRY_VERIFY(probe.window().workspace());
        QVERIFY(!page->isVisible());
        QCOMPARE(probe.workspace().document().title(), "control_flow.pt2");
        QVERIFY(probe.window().windowTitle().startsWith("control_flow.pt2"));
        QTRY_VERIFY(probe.window().docks().dock(Docks::Code).isVisible());
    }

    void openDialogOpensTheChosenFile() {
        WindowProbe probe;
        answerFileDialog(samplePath("control_flow"));
        probe.press(Qt::Key_O, Qt::ControlModifier);
        QTRY_VERIFY(probe.window().workspace());
        QCOMPARE(probe.workspace().document().title(), "control_flow.pt2");
    }

    void recentFilesOpenAgain() {
        WindowProbe probe;
        probe.open(samplePath("control_flow"));
        probe.open(samplePath("resnet"));
        auto* menu = [&]() -> QMenu* {
            for (QMenu* each : probe.window().findChildren<QMenu*>())
                if (each->title() == "Open recent")
                    return each;
            return nullptr;
        }();
        Q_EMIT menu->aboutToShow();
        QCOMPARE(menu->actions().size(), 2);
        QCOMPARE(menu->actions()[0]->text(), samplePath("resnet"));
        menu->actions()[1]->trigger();
        QTRY_COMPARE(probe.workspace().document().title(), "control_flow.pt2");

        while (probe.window().workspace())
            probe.press(Qt::Key_W, Qt::ControlModifier);
        auto* page = probe.window().findChild<StartPage*>();
        QVERIFY(page->isVisible());
        QVERIFY(button(*page, "resnet.pt2"));
        QTest::mouseClick(button(*page, "resnet.pt2"), Qt::LeftButton);
        QTRY_VERIFY(probe.window().workspace());
    }

    void droppedFileOpens() {
        WindowProbe probe;
        drop(probe.window(), samplePath("control_flow"));
        QTRY_VERIFY(probe.window().workspace());
        QVERIFY(probe.waitForLayout());
        // With a model open, the canvas is in the way of the mouse.
        drop(probe.window(), samplePath("resnet"));
        QTRY_COMPARE(probe.workspace().document().title(), "resnet.pt2");
    }

    void foldersOpenByDialogAndByDrop() {
        WindowProbe probe;
        QTemporaryDir folder;
        const QString exported = folder.filePath("net");
        QVERIFY(QDir().mkdir(exported));
        write(exported + "/module.py", "import torch\nfrom torch.nn import *\nclass Net(torch.nn.Module):\n"
                                       "    def forward(self, x):\n        relu = torch.relu(x)\n"
                                       "        return relu\n");
        write(exported + "/__init__.py", "from .module import *\n");
        answerFileDialog(exported);
        probe.window().actions()["openFolder"]->trigger();
        QTRY_VERIFY(probe.window().workspace());
        QCOMPARE(probe.workspace().document().title(), "module.py");
        QVERIFY(probe.waitForLayout());
        probe.open(samplePath("control_flow"));
        drop(probe.window(), exported);
        QTRY_COMPARE(probe.workspace().document().title(), "module.py");
        QVERIFY(probe.waitForLayout());
    }

    void printedGraphsAskForNoExpression() {
        QTemporaryDir folder;
        const QByteArray text = "class GraphModule(torch.nn.Module):\n"
                                "    def forward(self, x: \"f32[2, 3]\"):\n"
                                "        # File: /net.py:1 in f, code: x.relu()\n"
                                "        r: \"f32[2, 3]\" = torch.relu(x);  x = None\n        return r\n";
        WindowProbe probe;
        for (const char* name : {"printed.txt", "printed.py"}) {
            write(folder.filePath(name), text);
            probe.open(folder.filePath(name));
            QCOMPARE(probe.workspace().document().title(), name);
            QCOMPARE(probe.workspace().document().model().graph().size(), size_t(3));
        }
    }

    void loadingShowsProgressAndCanBeCancelled() {
        WindowProbe probe;
        QPushButton* cancel = button(probe.window(), "Cancel");
        QVERIFY(!cancel->isVisible());
        probe.window().openFile(samplePath("resnet"));
        QVERIFY(cancel->isVisible());
        QTest::mouseClick(cancel, Qt::LeftButton);
        QTRY_VERIFY(!cancel->isVisible());
        QCoreApplication::processEvents();
        QVERIFY(!probe.window().workspace());
        probe.open(samplePath("resnet"));
    }

    void newestOfTwoWins() {
        WindowProbe probe;
        probe.window().openFile(samplePath("resnet"));
        probe.window().openFile(samplePath("control_flow"));
        QTRY_VERIFY(!button(probe.window(), "Cancel")->isVisible());
        QTRY_VERIFY(probe.window().workspace());
        QCOMPARE(probe.workspace().document().title(), "control_flow.pt2");
    }

    void editsMadeWhileAFileIsReadAreAskedAbout() {
        WindowProbe probe;
        probe.open(samplePath("control_flow"));
        GraphDocument* document = &probe.workspace().document();
        const auto edit = [&](const QString& name) {
            return deleteNodes(*document, document->model().root(), {probe.node(name).node});
        };
        int asked = 0;
        const auto answering = [&asked](QMessageBox::StandardButton with) {
            withDialog([&asked, with](QDialog& dialog) {
                ++asked;
                QTest::mouseClick(dynamic_cast<QMessageBox&>(dialog).button(with), Qt::LeftButton);
            });
        };
        // What has come goes again.
        QAction* reload = probe.window().actions()["reload"];
        reload->trigger();
        QCOMPARE(edit("add_"), QString());
        answering(QMessageBox::Cancel);
        QTRY_COMPARE_WITH_TIMEOUT(asked, 1, 30000);
        QCoreApplication::processEvents();
        QCOMPARE(&probe.workspace().document(), document);
        QVERIFY(probe.window().isWindowModified());
        // Edits that may be lost are not asked about twice, but those since are.
        answering(QMessageBox::Discard);
        reload->trigger();
        QCOMPARE(asked, 2);
        QCOMPARE(edit("calls"), QString());
        answering(QMessageBox::Cancel);
        QTRY_COMPARE_WITH_TIMEOUT(asked, 3, 30000);
        answering(QMessageBox::Discard);
        reload->trigger();
        QTRY_VERIFY(!probe.window().isWindowModified());
        QVERIFY(probe.node("add_").node);
        QCOMPARE(asked, 4);
    }

    void badFileIsToldAndLeavesTheDocument_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("garbage") << QByteArray(5000, 'x');
        QFile good(samplePath("control_flow"));
        QVERIFY(good.open(QIODevice::ReadOnly));
        QTest::newRow("truncated") << good.readAll().chopped(2000);
    }

    void badFileIsToldAndLeavesTheDocument() {
        QFETCH(QByteArray, bytes);
        WindowProbe probe;
        probe.open(samplePath("control_flow"));
        probe.select("linear");
        const Workspace* before = &probe.workspace();
        const QString code = probe.code().text();
        const QString path = probe.settings().path("bad.pt2");
        write(path, bytes);
        QString told;
        withDialog([&](QDialog& dialog) {
            auto& box = dynamic_cast<QMessageBox&>(dialog);
            told = box.text() + '\n' + box.informativeText();
            QTest::keyClick(&box, Qt::Key_Return);
        });
        probe.window().openFile(path);
        QTRY_VERIFY(!told.isEmpty());
        QVERIFY2(told.startsWith("Opening bad.pt2 failed\n"), qPrintable(told));
        QVERIFY2(told.count('\n') == 1 && told.size() > 40, qPrintable(told));
        QCOMPARE(&probe.workspace(), before);
        QCOMPARE(probe.code().text(), code);
        QCOMPARE(probe.selected(), "linear");
        QVERIFY(!Settings::recentFiles().contains(path));
    }

    void missingFileOnStartLeavesTheStartPage() {
        WindowProbe probe;
        bool isTold = false;
        withDialog([&](QDialog& dialog) {
            isTold = true;
            dialog.accept();
        });
        probe.window().openFile("/nowhere/model.pt2");
        QTRY_VERIFY(isTold);
        QVERIFY(probe.window().findChild<StartPage*>()->isVisible());
    }

    void closingAsksForUnsavedChanges() {
        WindowProbe probe;
        probe.open(samplePath("control_flow"));
        QCOMPARE(deleteUnused(probe), QString());
        QVERIFY(probe.window().isWindowModified());
        withDialog([](QDialog& dialog) { QTest::keyClick(&dialog, Qt::Key_Escape); });
        probe.window().close();
        QVERIFY(probe.window().isVisible());
        withDialog([](QDialog& dialog) {
            QTest::mouseClick(dynamic_cast<QMessageBox&>(dialog).button(QMessageBox::Discard),
                              Qt::LeftButton);
        });
        probe.window().close();
        QTRY_VERIFY(!probe.window().isVisible());
    }

private:
    static QString deleteUnused(WindowProbe& probe) {
        probe.select("add_");
        probe.press(Qt::Key_Delete);
        return probe.toast();
    }
};

FX_TEST(TestOpening)
} // namespace fx::ui::opening_test
#include "tst_opening.moc"
