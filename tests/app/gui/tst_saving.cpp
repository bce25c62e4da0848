// SPDX-License-Identifier: GPL-3.0-or-later
// What leaves the window as files: .fxg, Python folders, pictures.
#include "tests/app/gui/window_probe.h"
#include "tests/support/file_limit.h"
#include "tests/support/test_program.h"
#include "widgets/document/graph_intents.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSpinBox>

namespace fx::ui::saving_test {

namespace {

template <class T>
T& inside(QDialog& dialog, const QString& name) {
    for (T* each : dialog.findChildren<T*>())
        if (each->accessibleName() == name)
            return *each;
    qFatal("the dialog has no %s", qPrintable(name));
}

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QFile::ReadOnly) ? file.readAll() : QByteArray();
}

void press(QDialog& dialog, QDialogButtonBox::StandardButton button) {
    QTest::mouseClick(dialog.findChild<QDialogButtonBox*>()->button(button), Qt::LeftButton);
}

/// Answers the question whether the file that was opened is to be replaced.
void saveElsewhere(const QString& path) {
    withDialog([path](QDialog& dialog) {
        answerFileDialog(path);
        for (QAbstractButton* each : dynamic_cast<QMessageBox&>(dialog).buttons())
            if (each->text().startsWith("Save as"))
                QTest::mouseClick(each, Qt::LeftButton);
    });
}

} // namespace

class TestSaving : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_probe = std::make_unique<WindowProbe>();
        m_probe->open(samplePath("control_flow"));
    }
    void cleanup() { m_probe.reset(); }

    void savedFxgOpensAsItWas() {
        WindowProbe& probe = *m_probe;
        probe.select("add_");
        probe.press(Qt::Key_Delete);
        probe.selection().collapseAll();
        const QString code = probe.code().text();
        const QString path = probe.settings().path("edited.fxg");
        answerFileDialog(path);
        probe.press(Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(probe.toast(), "Saved edited.fxg");
        QVERIFY(!probe.window().isWindowModified());
        QVERIFY(probe.window().windowTitle().startsWith("edited.fxg"));
        QVERIFY(probe.find<QLabel>("place").text().contains(">edited.fxg<"));
        probe.open(samplePath("resnet"));
        probe.open(path);
        QCOMPARE(probe.code().text(), code);
        QVERIFY(probe.selection().expandedScopes().empty());
        // What is saved runs.
        probe.press(Qt::Key_F5);
        QVERIFY(probe.waitForState(DebugService::State::Over));
        QVERIFY2(probe.statusText().startsWith("Finished"), qPrintable(probe.statusText()));
        // The next save asks no more.
        probe.select("linear");
        probe.press(Qt::Key_F2);
        probe.type("first");
        probe.press(Qt::Key_Return);
        QVERIFY(probe.window().isWindowModified());
        probe.press(Qt::Key_S, Qt::ControlModifier);
        QTRY_VERIFY(!probe.window().isWindowModified());
    }

    /// Functions in a .pt2 are put into operators on the way.
    void functionsAreConvertedForAPt2() {
        WindowProbe& probe = *m_probe;
        openCopy();
        GraphDocument& document = probe.workspace().document();
        const auto useFunctions = [&](Edit& edit) {
            const NodeId sum = edit.graph().find("sum_1");
            edit.setCallee(sum, Opcode::CallFunction, Target("torch.sum"));
        };
        QCOMPARE(document.perform("Edit", document.model().root(), useFunctions), QString());
        QString told;
        withDialog([&told](QDialog& dialog) {
            auto& box = dynamic_cast<QMessageBox&>(dialog);
            told = box.informativeText();
            for (QAbstractButton* each : box.buttons())
                if (each->text() == "Convert and save")
                    QTest::mouseClick(each, Qt::LeftButton);
        });
        probe.press(Qt::Key_S, Qt::ControlModifier);
        QTRY_VERIFY2_WITH_TIMEOUT(probe.toast().startsWith("Saved mine.pt2"), qPrintable(probe.toast()),
                                  30000);
        QVERIFY2(told.contains("calls the function 'torch.sum'") && !told.contains("fxscope apply"),
                 qPrintable(told));
        QVERIFY(probe.code().text().contains("sum_1 = torch.ops.aten.sum.default(linear)"));
        QCOMPARE(document.undoStack().text(1), "Convert to operators");
    }

    void anOpenedPt2IsSavedAsOne() {
        WindowProbe& probe = *m_probe;
        const QString path = openCopy();
        probe.select("add_");
        probe.press(Qt::Key_Delete);
        const QString code = probe.code().text();
        withDialog([](QDialog& dialog) {
            const auto& box = dynamic_cast<QMessageBox&>(dialog);
            QCOMPARE(box.text(), "Save into mine.pt2?");
            QTest::mouseClick(box.button(QMessageBox::Save), Qt::LeftButton);
        });
        probe.press(Qt::Key_S, Qt::ControlModifier);
        QTRY_VERIFY2_WITH_TIMEOUT(probe.toast().startsWith("Saved mine.pt2"), qPrintable(probe.toast()),
                                  30000);
        QVERIFY(!probe.window().isWindowModified());
        QCOMPARE(probe.workspace().document().opened().format, std::string("torch.export archive (.pt2)"));
        // The next save asks no more.
        probe.select("linear");
        probe.press(Qt::Key_F2);
        probe.type("first");
        probe.press(Qt::Key_Return);
        QVERIFY(probe.window().isWindowModified());
        probe.press(Qt::Key_S, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(!probe.window().isWindowModified(), 30000);
        probe.open(samplePath("resnet"));
        probe.open(path);
        QVERIFY(probe.node("first").node && !probe.node("add_").node);
        probe.press(Qt::Key_F5);
        QVERIFY(probe.waitForState(DebugService::State::Over));
        QVERIFY2(probe.statusText().startsWith("Finished"), qPrintable(probe.statusText()));
    }

    void whatNoPt2HoldsIsOfferedAnotherFormat() {
        WindowProbe& probe = *m_probe;
        openCopy();
        GraphDocument& document = probe.workspace().document();
        QCOMPARE(document.perform("Insert", document.model().root(),
                                  [](Edit& edit) {
                                      const NodeId at = edit.graph().find("linear");
                                      const auto point = edit.insertingAfter(at);
                                      const NodeId fresh = edit.callFunction("torch.relu", {at});
                                      edit.replaceAllUsesWith(at, fresh,
                                                              [&](NodeId user) { return user != fresh; });
                                  }),
                 QString());
        const QString saved = probe.settings().path("other.fxg");
        QString told;
        withDialog([&told, saved](QDialog& dialog) {
            const auto& box = dynamic_cast<QMessageBox&>(dialog);
            told = box.text() + ' ' + box.informativeText();
            answerFileDialog(saved);
            for (QAbstractButton* each : box.buttons())
                if (each->text().startsWith("Save as"))
                    QTest::mouseClick(each, Qt::LeftButton);
        });
        probe.press(Qt::Key_S, Qt::ControlModifier);
        QVERIFY2(told.startsWith("mine.pt2 was not saved. ") && told.contains("relu"), qPrintable(told));
        QTRY_COMPARE(probe.toast(), "Saved other.fxg");
        QVERIFY(QFile::exists(saved) && !probe.window().isWindowModified());
    }

    void whatCannotBeWrittenIsTold() {
        WindowProbe& probe = *m_probe;
        QString told;
        probe.select("add_");
        probe.press(Qt::Key_Delete);
        const QString folder = probe.settings().path("a_folder.fxg");
        QVERIFY(QDir().mkdir(folder));
        OpenService service;
        connect(&service, &OpenService::savingFailed, this,
                [&](const QString&, const Error& why) { told = qt(why.what()); });
        service.save(probe.workspace().snapshot(), folder, {});
        QTRY_VERIFY(!told.isEmpty());
        QVERIFY2(told.contains("a_folder.fxg"), qPrintable(told));
        QVERIFY(probe.window().isWindowModified());
    }

    void aFullDiskIsToldAndKeepsFileAndEdits() {
        WindowProbe& probe = *m_probe;
        const QString path = probe.settings().path("kept.fxg");
        answerFileDialog(path);
        probe.press(Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(probe.toast(), "Saved kept.fxg");
        const QByteArray before = contentOf(path);
        probe.select("add_");
        probe.press(Qt::Key_Delete);
        QString told;
        withDialog([&](QDialog& dialog) {
            told = dynamic_cast<QMessageBox&>(dialog).text() + ": " +
                   dynamic_cast<QMessageBox&>(dialog).informativeText();
            dialog.reject();
        });
        {
            const FileLimit full(100);
            probe.press(Qt::Key_S, Qt::ControlModifier);
            QTRY_VERIFY(!told.isEmpty());
        }
        QVERIFY2(told.contains("kept.fxg") && told.contains("cannot write: File too large"),
                 qPrintable(told));
        QVERIFY(probe.window().isWindowModified());
        QCOMPARE(contentOf(path), before);
        // With room again, it is saved.
        probe.press(Qt::Key_S, Qt::ControlModifier);
        QTRY_VERIFY(!probe.window().isWindowModified());
        QVERIFY(contentOf(path) != before);
    }

    void savingBeforeTheFileIsOpenedAnew() {
        WindowProbe& probe = *m_probe;
        probe.select("add_");
        probe.press(Qt::Key_Delete);
        const QString path = probe.settings().path("kept.fxg");
        withDialog([path](QDialog& dialog) {
            saveElsewhere(path);
            QTest::mouseClick(dynamic_cast<QMessageBox&>(dialog).button(QMessageBox::Save), Qt::LeftButton);
        });
        probe.press(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY_WITH_TIMEOUT(probe.node("add_").node, 30000);
        QCOMPARE(probe.workspace().document().title(), "control_flow.pt2");
        QVERIFY(QFile::exists(path));
    }

    void editsDuringASaveStayUnsaved() {
        WindowProbe& probe = *m_probe;
        answerFileDialog(probe.settings().path("kept.fxg"));
        probe.window().actions()["saveAs"]->trigger();
        QCOMPARE(deleteNode("add_"), QString());
        QTRY_COMPARE(probe.toast(), "Saved kept.fxg");
        QVERIFY(probe.window().isWindowModified());
        probe.press(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(!probe.window().isWindowModified());
    }

    void whoGoesOnEditingIsAskedAgain() {
        WindowProbe& probe = *m_probe;
        const QString path = probe.settings().path("kept.fxg");
        QCOMPARE(deleteNode("add_"), QString());
        withDialog([path](QDialog& dialog) {
            saveElsewhere(path);
            QTest::mouseClick(dynamic_cast<QMessageBox&>(dialog).button(QMessageBox::Save), Qt::LeftButton);
        });
        probe.window().actions()["closeModel"]->trigger();
        QCOMPARE(deleteNode("calls"), QString());
        bool isAsked = false;
        withDialog([&isAsked](QDialog& dialog) {
            isAsked = true;
            QTest::mouseClick(dynamic_cast<QMessageBox&>(dialog).button(QMessageBox::Discard),
                              Qt::LeftButton);
        });
        QTRY_VERIFY(!probe.window().workspace());
        QVERIFY(isAsked);
        probe.open(path);
        QVERIFY(!probe.node("add_").node && probe.node("calls").node);
    }

    void exportFolderWritesWhatPythonImports() {
        WindowProbe& probe = *m_probe;
        const QString folder = probe.settings().path("net");
        withDialog([folder](QDialog& dialog) {
            auto& name = inside<QLineEdit>(dialog, "Class name");
            QCOMPARE(name.text(), "ControlFlow"); // the model's own
            auto& path = inside<QLineEdit>(dialog, "Folder");
            QCOMPARE(QFileInfo(path.text()).fileName(), "control_flow"); // from the model, too
            path.setText(folder);
            QPushButton* ok = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
            name.setText("class");
            QVERIFY(!ok->isEnabled());
            name.setText("Net");
            QVERIFY(ok->isEnabled());
            press(dialog, QDialogButtonBox::Ok);
        });
        probe.press(Qt::Key_E, Qt::ControlModifier);
        QTRY_VERIFY2_WITH_TIMEOUT(probe.toast().contains("from net import Net"), qPrintable(probe.toast()),
                                  30000);
        QVERIFY2(probe.toast().contains("written, 3 files, outputs equal bit for bit"),
                 qPrintable(probe.toast()));
        QVERIFY(QFile::exists(folder + "/__init__.py"));
        QFile module(folder + "/module.py");
        QVERIFY(module.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(module.readAll());
        QVERIFY(text.contains("class Net(") && text.contains("torch.ops.higher_order.cond(gt, "));
    }

    void exportWritesWhatTorchLoads() {
        WindowProbe& probe = *m_probe;
        const QString path = probe.settings().path("net.pt2");
        QCOMPARE(deleteNode("add_"), QString());
        withDialog([path](QDialog& dialog) {
            auto& format = inside<QComboBox>(dialog, "Format");
            format.setCurrentIndex(format.findData("pt2"));
            QVERIFY(!inside<QLineEdit>(dialog, "Class name").isVisible());
            inside<QLineEdit>(dialog, "File").setText(path);
            press(dialog, QDialogButtonBox::Ok);
        });
        probe.press(Qt::Key_E, Qt::ControlModifier);
        QTRY_VERIFY2_WITH_TIMEOUT(probe.toast().contains("Exported to " + path), qPrintable(probe.toast()),
                                  30000);
        // It is no save: the document goes on being what it was.
        QVERIFY(probe.window().isWindowModified());
        Progress progress;
        const OpenedModel written = openModel(path.toStdString(), {}, progress);
        QVERIFY(!written.model.graph().find("add_"));
        QVERIFY(written.model.graph().find("calls"));
    }

    void exportLeavesMutedCallsOut() {
        WindowProbe& probe = *m_probe;
        probe.open(samplePath("resnet"));
        const QString path = probe.settings().path("muted.pt2");
        const NodeRef relu = probe.node("relu");
        QCOMPARE(muteNodes(probe.workspace().document(), relu.module, {relu.node}), QString());
        withDialog([path](QDialog& dialog) {
            auto& format = inside<QComboBox>(dialog, "Format");
            format.setCurrentIndex(format.findData("pt2"));
            inside<QLineEdit>(dialog, "File").setText(path);
            press(dialog, QDialogButtonBox::Ok);
        });
        probe.press(Qt::Key_E, Qt::ControlModifier);
        QTRY_VERIFY2_WITH_TIMEOUT(probe.toast().contains("Exported to " + path), qPrintable(probe.toast()),
                                  30000);
        Progress progress;
        const OpenedModel written = openModel(path.toStdString(), {}, progress);
        const Graph& graph = written.model.graph();
        QVERIFY(!graph.find("relu"));
        QCOMPARE(graph.node(graph.find("max_pool2d")).args[0].node(), graph.find("batch_norm"));
        // It is still there, and muted, in what is open.
        QVERIFY(probe.node("relu").node);
    }

    void exportSaysWhyNot() {
        WindowProbe& probe = *m_probe;
        const QString source = probe.settings().path("net.py");
        QFile file(source);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("import torch\n\n\ndef net(x):\n    return torch.relu(x)\n");
        file.close();
        probe.open(source + ":net");
        withDialog([](QDialog& dialog) {
            auto& format = inside<QComboBox>(dialog, "Format");
            QPushButton* ok = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
            format.setCurrentIndex(format.findData("pt2"));
            QVERIFY(!ok->isEnabled());
            bool isSaid = false;
            for (const QLabel* label : dialog.findChildren<QLabel*>())
                isSaid |= label->text().contains("node 'relu'") &&
                          label->text().contains("Passes > Other operators > Capture operators");
            QVERIFY(isSaid);
            format.setCurrentIndex(format.findData("fxg"));
            QVERIFY(ok->isEnabled());
            press(dialog, QDialogButtonBox::Cancel);
        });
        probe.press(Qt::Key_E, Qt::ControlModifier);
    }

    void exportPicture_data() {
        QTest::addColumn<QString>("ending");
        QTest::addColumn<QByteArray>("begin");
        QTest::newRow("svg") << "svg" << QByteArray("<?xml");
        QTest::newRow("png") << "png" << QByteArray("\x89PNG");
        QTest::newRow("pdf") << "pdf" << QByteArray("%PDF");
    }

    void exportPicture() {
        QFETCH(QString, ending);
        QFETCH(QByteArray, begin);
        WindowProbe& probe = *m_probe;
        const QString path = probe.settings().path("graph." + ending);
        withDialog([path, ending](QDialog& dialog) {
            auto& format = *dialog.findChildren<QComboBox*>().first();
            format.setCurrentIndex(format.findData(ending));
            auto& width = inside<QSpinBox>(dialog, "Width");
            QCOMPARE(width.isEnabled(), ending == "png");
            width.setValue(777);
            inside<QLineEdit>(dialog, "File").setText(path);
            press(dialog, QDialogButtonBox::Save);
        });
        probe.press(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(probe.toast(), "Wrote " + path);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.size() > 2000);
        QVERIFY(file.peek(5).startsWith(begin));
        if (ending == "png")
            QCOMPARE(QImage(path).width(), 777);
    }

private:
    /// Opens a copy of the sample that may be written.
    QString openCopy() {
        const QString path = m_probe->settings().path("mine.pt2");
        QFile::copy(samplePath("control_flow"), path);
        QFile::setPermissions(path, QFile::permissions(path) | QFile::WriteUser);
        m_probe->open(path);
        return path;
    }
    QString deleteNode(const QString& name) {
        GraphDocument& document = m_probe->workspace().document();
        return deleteNodes(document, document.model().root(), {m_probe->node(name).node});
    }

    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestSaving)
} // namespace fx::ui::saving_test
#include "tst_saving.moc"
