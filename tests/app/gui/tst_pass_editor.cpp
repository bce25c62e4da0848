// SPDX-License-Identifier: GPL-3.0-or-later
// The pass editor: writing, running, errors with their tracebacks, and passes that do not end.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/panes/code_view.h"
#include "widgets/panes/pass_editor_pane.h"
#include "widgets/session/pass_service.h"

#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QPlainTextEdit>
#include <QTemporaryDir>
#include <QTextCursor>
#include <QToolButton>

namespace fx::ui::pass_editor_test {

class TestPassEditor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_probe = std::make_unique<WindowProbe>();
        m_probe->open(samplePath("control_flow"));
    }
    void cleanup() { m_probe.reset(); }

    void aPassIsWrittenBesideTheGraph() {
        const QTemporaryDir folder;
        const QString path = folder.filePath("mine.py");
        auto& editor = *m_probe->window().findChild<PassEditorPane*>();
        auto& code = *editor.findChild<CodeView*>();
        editor.open(path);
        QVERIFY(code.text().contains("def my_pass(gm: GraphModule):")); // what a new one begins with
        const auto write = [&](const QString& body) {
            code.replaceTyped("def calls(gm):\n    \"\"\"Counts.\"\"\"\n    " + body + '\n');
        };
        write("print('calls:', len(gm.graph.nodes)); gm.graph.find_nodes(op='output')[0].name = 'end'");
        // What is typed is in the file soon, and nothing else is needed for that.
        QTRY_VERIFY(QFile(path).exists());
        const auto run = [&] {
            QTest::mouseClick(editor.findChild<QToolButton*>("runPass"), Qt::LeftButton);
        };
        run();
        QTRY_VERIFY(m_probe->toast().contains("calls: "));
        QVERIFY(
            m_probe->window().findChild<QPlainTextEdit*>("consoleOutput")->toPlainText().contains("calls: "));
        QVERIFY(m_probe->workspace().document().model().graph().find("end"));
        m_probe->window().actions()["undo"]->trigger();
        QVERIFY(!m_probe->workspace().document().model().graph().find("end"));
        // An error is shown at its line, until something is typed.
        write("gm.nothing_of_the_kind()");
        run();
        QTRY_VERIFY(code.fault().contains("nothing_of_the_kind"));
        QVERIFY(editor.findChild<QLabel*>("passStatus")->text().startsWith("Line 3: "));
        write("pass");
        QTRY_VERIFY(code.fault().isEmpty());
    }
    void framesOfATracebackAreGoneTo() {
        const QTemporaryDir folder;
        const QString path = folder.filePath("deep.py");
        auto& editor = *m_probe->window().findChild<PassEditorPane*>();
        auto& code = *editor.findChild<CodeView*>();
        auto& console = *m_probe->window().findChild<QPlainTextEdit*>("consoleOutput");
        editor.open(path);
        code.replaceTyped(
            "def helper(node):\n    return node.nothing_like_it\n\n\n"
            "def deep(gm):\n    print('before')\n    for node in gm.graph.nodes:\n        helper(node)\n");
        QTRY_VERIFY(QFile(path).exists());
        QTest::mouseClick(editor.findChild<QToolButton*>("runPass"), Qt::LeftButton);
        QTRY_VERIFY(console.toPlainText().contains("AttributeError: "));
        // What was printed before the error is there, and each frame of the file, the innermost last.
        const QString text = console.toPlainText();
        const QString outer = QString("File \"%1\", line 8, in deep").arg(path),
                      inner = QString("File \"%1\", line 2, in helper").arg(path);
        QVERIFY(text.contains("before\nTraceback (most recent call last):\n"));
        QVERIFY(text.indexOf(outer) > 0 && text.indexOf(outer) < text.indexOf(inner));
        // A click goes to the line, in the file that is in the editor by then, and so does Return.
        editor.open(folder.filePath("another.py"));
        const auto cursorAt = [&](const QString& part) {
            QTextCursor cursor = console.document()->find(part);
            cursor.setPosition(cursor.selectionStart());
            console.setTextCursor(cursor);
            console.ensureCursorVisible();
        };
        m_probe->window().findChild<QDockWidget*>("console")->raise();
        cursorAt(outer);
        QTest::mouseClick(console.viewport(), Qt::LeftButton, {},
                          console.cursorRect().center() + QPoint(30, 0));
        QCOMPARE(editor.path(), path);
        QCOMPARE(code.cursorLine(), 7);
        cursorAt(inner);
        QTest::keyClick(&console, Qt::Key_Return);
        QCOMPARE(code.cursorLine(), 1);
        // A line that names no place does nothing.
        cursorAt("before");
        QTest::keyClick(&console, Qt::Key_Return);
        QCOMPARE(code.cursorLine(), 1);
    }

    void aPassThatDoesNotEndIsStopped() {
        const QTemporaryDir folder;
        const QString path = folder.filePath("mine.py");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("def endless(gm):\n    gm.graph.find_nodes(op='output')[0].name = 'end'\n    while True:\n"
                   "        pass\n");
        file.close();
        auto& editor = *m_probe->window().findChild<PassEditorPane*>();
        editor.open(path);
        QTest::mouseClick(editor.findChild<QToolButton*>("runPass"), Qt::LeftButton);
        PassService& passes = m_probe->workspace().passes();
        QTRY_VERIFY(passes.isWorking());
        passes.cancel();
        QTRY_VERIFY(!passes.isWorking());
        QVERIFY(!m_probe->workspace().document().model().graph().find("end"));
    }

private:
    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestPassEditor)
} // namespace fx::ui::pass_editor_test
#include "tst_pass_editor.moc"
