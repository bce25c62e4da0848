// SPDX-License-Identifier: GPL-3.0-or-later
// Libraries of operators in the window: offered where one is missing, chosen with the run options,
// remembered, and loaded by other processes only. One that is known stays so: the order of the tests matters.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/panes/trace_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTemporaryDir>

namespace fx::ui::libraries_test {

using State = DebugService::State;

class TestLibraries : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        write("plain.py", "def plain(x):\n    return x * 2\n");
        write("custom.py", "import torch\n\n\ndef custom(x):\n    return torch.ops.fxtest.scaled(x, 3.0)\n");
        write("no_library.so", "text");
    }
    void init() { m_probe = std::make_unique<WindowProbe>(); }
    void cleanup() { m_probe.reset(); }

    void wrongLibraryIsToldInTheRunOptions() {
        trace("plain.py");
        withDialog([this](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            findIn<QLineEdit>(dialog, "Value of x").setText("torch.ones(2)");
            auto& libraries = findIn<QLineEdit>(dialog, "Operator libraries");
            libraries.setText(m_folder.filePath("no_library.so"));
            QTest::keyClick(&libraries, Qt::Key_Return);
            auto& fault = findIn<QPlainTextEdit>(dialog, "What went wrong");
            QTRY_VERIFY_WITH_TIMEOUT(fault.isVisible(), 30000);
            QVERIFY2(fault.toPlainText().contains("no_library.so: cannot be loaded"),
                     qPrintable(fault.toPlainText()));
            dialog.reject();
        });
        m_probe->window().actions()["inputs"]->trigger();
    }

    void runWithoutTheLibraryOffersToLoadIt() {
        trace("plain.py");
        CodeView& code = m_probe->code();
        code.setFocus();
        code.replaceTyped(code.text().replace("x * 2", "torch.ops.fxtest.scaled.default(x, 3.0)"));
        QTRY_VERIFY(m_probe->window().actions()["undo"]->isEnabled());
        DebugMemory memory;
        memory.inputs["x"] = "torch.ones(2)";
        m_probe->debug().inputs().set(memory);
        withDialog([](QDialog& dialog) {
            auto* box = qobject_cast<QMessageBox*>(&dialog);
            QVERIFY(box);
            QVERIFY2(box->informativeText().contains("torch.ops.fxtest.scaled.default"),
                     qPrintable(box->informativeText()));
            answerFileDialog(FXSCOPE_TEST_OPERATORS);
            QTest::keyClick(box, Qt::Key_Return); // to load one is what is offered
        });
        m_probe->press(Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(m_probe->statusText().startsWith("Finished"), 30000);
        QCOMPARE(m_probe->debug().inputs().memory().libraries, QStringList(FXSCOPE_TEST_OPERATORS));
    }

    void loadedLibraryServesTracingAndRuns() {
        trace("custom.py");
        QVERIFY2(m_probe->code().text().contains("torch.ops.fxtest.scaled(x, 3.0)"),
                 qPrintable(m_probe->code().text()));
        // It comes with the model that needs it, whichever it was loaded for.
        DebugMemory memory = m_probe->debug().inputs().memory();
        QCOMPARE(memory.libraries, QStringList(FXSCOPE_TEST_OPERATORS));
        memory.inputs["x"] = "torch.ones(2)";
        m_probe->debug().inputs().set(memory);
        m_probe->press(Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(m_probe->statusText().startsWith("Finished"), 30000);
        QFile maps("/proc/self/maps");
        QVERIFY(maps.open(QFile::ReadOnly));
        QVERIFY2(!maps.readAll().contains(FXSCOPE_TEST_OPERATORS), "the window has loaded it");
    }

    void libraryThatCrashesIsTold() {
        trace("plain.py");
        QString told;
        answerFileDialog(FXSCOPE_DEADLY_LIBRARY);
        m_probe->window().actions()["loadLibrary"]->trigger();
        withDialog([&told](QDialog& dialog) {
            if (const auto* box = qobject_cast<QMessageBox*>(&dialog))
                told = box->informativeText();
            dialog.reject();
        });
        QTRY_VERIFY_WITH_TIMEOUT(!told.isEmpty(), 30000);
        QVERIFY2(told.startsWith(FXSCOPE_DEADLY_LIBRARY ": the process that loaded it crashed"),
                 qPrintable(told));
        QVERIFY(!m_probe->debug().inputs().memory().libraries.contains(FXSCOPE_DEADLY_LIBRARY));
        // With a model that asks for it, all else works.
        DebugMemory memory;
        memory.libraries = QStringList{FXSCOPE_DEADLY_LIBRARY};
        Settings::saveDebugMemory(m_folder.filePath("plain.py"), memory);
        trace("plain.py");
        const std::vector<std::string>& notes = m_probe->workspace().document().opened().notes;
        QVERIFY(!notes.empty());
        QVERIFY2(notes.back().find("the process that loaded it crashed") != std::string::npos,
                 notes.back().c_str());
    }

    void libraryThatIsGoneKeepsNothingFromOpening() {
        DebugMemory memory;
        memory.libraries = QStringList{m_folder.filePath("gone.so")};
        Settings::saveDebugMemory(m_folder.filePath("plain.py"), memory);
        trace("plain.py");
        const std::vector<std::string>& notes = m_probe->workspace().document().opened().notes;
        QVERIFY(!notes.empty());
        QVERIFY2(notes.back().find("gone.so") != std::string::npos, notes.back().c_str());
    }

private:
    void write(const QString& name, const char* text) {
        QFile file(m_folder.filePath(name));
        QVERIFY(file.open(QFile::WriteOnly));
        file.write(text);
    }

    void trace(const QString& name) {
        withDialog([](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            QTRY_COMPARE_WITH_TIMEOUT(findIn<QComboBox>(dialog, "Model").count(), 1, 30000);
            for (const QPushButton* button : dialog.findChildren<QPushButton*>())
                QVERIFY2(!button->isVisible() || !button->text().contains("library"),
                         "nothing has failed yet");
            auto* trace = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
            QTRY_VERIFY_WITH_TIMEOUT(trace->isEnabled(), 30000);
            QTest::mouseClick(trace, Qt::LeftButton);
        });
        m_probe->open(m_folder.filePath(name));
    }

    QTemporaryDir m_folder;
    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestLibraries)
} // namespace fx::ui::libraries_test
#include "tst_libraries.moc"
