// SPDX-License-Identifier: GPL-3.0-or-later
// Passes in the window: menu, palette and dialog come from the row, and a pass works beside the interface.
#include "core/passes/pass_options.h"
#include "core/passes/registry.h"
#include "tests/app/gui/window_probe.h"
#include "tests/support/insert_calls.h"
#include "tests/support/test_program.h"
#include "widgets/document/graph_intents.h"
#include "widgets/session/pass_service.h"

#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QScopeGuard>
#include <QTemporaryDir>

#include <algorithm>
#include <future>

namespace fx::ui::passes_test {

namespace {

/// Lets the pass "wait" go on.
std::promise<void> goOn;

void registerWait() {
    static const bool isDone = [] {
        addPass({"wait",
                 "Wait",
                 "erase a node when it is told to",
                 kAnyDialect,
                 {},
                 [](Edit& edit, const PassOptions&, PassContext& context) {
                     goOn.get_future().wait();
                     context.progress.step(0.5, "half");
                     edit.rename(edit.graph().find("gt"), "renamed");
                 }});
        return true;
    }();
    (void)isDone;
    goOn = {};
}

QAction* actionOf(WindowProbe& probe, std::string_view pass) {
    return probe.window().actions().pass(pass);
}

QString noteBelow(QDialog& dialog, const QString& part) {
    for (const QLabel* label : dialog.findChildren<QLabel*>())
        if (label->objectName() == "fault" && label->text().contains(part))
            return label->text();
    return {};
}

} // namespace

class TestPasses : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        registerInsertCalls();
        registerWait();
    }
    void init() {
        goOn = {};
        m_probe = std::make_unique<WindowProbe>();
        m_probe->open(samplePath("control_flow"));
    }
    void cleanup() { m_probe.reset(); }

    void aRowIsInTheMenuAndAmongTheCommands() {
        QAction* action = actionOf(*m_probe, "insert-calls");
        QCOMPARE(action->text(), "Insert calls…");
        QCOMPARE(action->statusTip(), "Call a function on the values of some nodes");
        QList<QAction*> inMenu;
        for (const QAction* menu : m_probe->window().menuBar()->actions())
            if (menu->text() == "&Passes")
                inMenu = menu->menu()->actions();
        QVERIFY(inMenu.contains(action));
        m_probe->press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        m_probe->type("insert calls");
        withDialog([](QDialog& dialog) {
            QCOMPARE(dialog.windowTitle(), "Insert calls");
            dialog.reject();
        });
        m_probe->press(Qt::Key_Return);
        QTRY_VERIFY(!QApplication::activeModalWidget());
    }

    void selectedNodesAreCopiedAsCode() {
        QAction* copy = m_probe->window().actions()["copyCode"];
        QVERIFY(!copy->isEnabled());
        m_probe->select("gt");
        QVERIFY(copy->isEnabled());
        copy->trigger();
        const QString text = QApplication::clipboard()->text();
        QVERIFY2(text.contains("gt = nodes['gt']") && text.contains("graph.call_function("),
                 qPrintable(text));
        QVERIFY(m_probe->toast().contains("Copied Python for 1 node"));
    }

    void theDialogIsMadeOfTheOptions() {
        m_probe->select("gt");
        withDialog([](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            auto& after = findIn<QLineEdit>(dialog, "After");
            QCOMPARE(after.text(), "gt"); // what is selected
            QTRY_COMPARE(QApplication::focusWidget(), &after);
            auto& function = findIn<QComboBox>(dialog, "Function");
            QCOMPARE(function.currentText(), "relu");
            // Wrong is said below the field, and nothing runs.
            after.setText("nobody");
            QVERIFY(!noteBelow(dialog, "There is no node 'nobody'").isEmpty());
            QTest::keyClick(&after, Qt::Key_Return);
            QVERIFY(dialog.isVisible());
            after.clear();
            QVERIFY(noteBelow(dialog, "").isEmpty());
            QTest::keyClick(&after, Qt::Key_Return);
            QVERIFY(dialog.isVisible());
            QCOMPARE(noteBelow(dialog, "needed"), "This is needed.");
            after.setText("linear, gt");
            function.setCurrentText("neg");
            QTest::keyClick(&after, Qt::Key_Return);
        });
        const QString before = m_probe->code().text();
        actionOf(*m_probe, "insert-calls")->trigger();
        QTRY_COMPARE(m_probe->toast().section('\n', 0, 0).section(':', 0, 0), "Insert calls");
        QTRY_VERIFY(m_probe->code().text().contains("neg_default = "));
        QCOMPARE(m_probe->workspace().document().undoStack().undoText(), "Insert calls");
        m_probe->workspace().document().undoStack().undo();
        QTRY_COMPARE(m_probe->code().text(), before);
        m_probe->workspace().document().undoStack().redo();
        QTRY_VERIFY(m_probe->code().text().contains("neg_default = "));
    }

    void runsAPassOfAFile() {
        QTemporaryDir folder;
        const QString path = folder.filePath("own.py");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"py(import torch

def negate(gm, after='linear'):
    """Negates what a node gives."""
    for node in gm.graph.nodes:
        if node.name == after:
            with gm.graph.inserting_after(node):
                negated = gm.graph.call_function(torch.neg, (node,))
            node.replace_all_uses_with(negated, lambda user: user is not negated)
            print('negated', after)
            return gm
    raise LookupError(f'there is no {after}')
)py");
        file.close();
        const QString before = m_probe->code().text();
        withDialog([](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            QCOMPARE(dialog.windowTitle(), "negate");
            QTest::keyClick(&findIn<QLineEdit>(dialog, "After"), Qt::Key_Return);
        });
        m_probe->window().runPassOf(path);
        QTRY_VERIFY(m_probe->code().text().contains("torch.neg(linear)"));
        QVERIFY(m_probe->toast().contains("negated linear"));
        m_probe->workspace().document().undoStack().undo();
        QTRY_COMPARE(m_probe->code().text(), before);
        // What it raises is told, and nothing has changed.
        withDialog([](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            auto& after = findIn<QLineEdit>(dialog, "After");
            after.setText("nobody");
            QTest::keyClick(&after, Qt::Key_Return);
        });
        m_probe->window().runPassOf(path);
        QTRY_VERIFY(m_probe->toast().contains("LookupError: there is no nobody"));
        QCOMPARE(m_probe->code().text(), before);
        // It stays: in the console, under Problems, and over the graph until it is dismissed.
        QVERIFY(m_probe->consoleText().contains("LookupError: there is no nobody"));
        const QString problem = m_probe->problems().join('\n');
        QVERIFY2(problem.contains("LookupError: there is no nobody"), qPrintable(problem));
        Toast& toast = m_probe->window().view()->toast();
        toast.tell("something else", false);
        QCOMPARE(m_probe->toast(), "something else");
        QTRY_VERIFY_WITH_TIMEOUT(m_probe->toast().contains("there is no nobody"), 15000);
        QTest::mouseClick(&toast, Qt::LeftButton);
        QCOMPARE(m_probe->toast(), QString());
        // A pass that succeeds takes it from the list.
        m_probe->press(Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(m_probe->problems().join('\n').contains("nobody"), false);
    }

    void theConsoleEditsTheGraph() {
        QUndoStack& undo = m_probe->workspace().document().undoStack();
        const QString before = m_probe->code().text();
        m_probe->select("linear");
        // They are answered one after the other, however fast they are typed.
        m_probe->say("[n.name for n in selection], selection[0] is nodes['linear']");
        m_probe->say("chosen = nodes['linear']");
        m_probe->say("chosen.name * 2, len(graph.nodes) > 3");
        QTRY_VERIFY_WITH_TIMEOUT(m_probe->consoleText().contains("(['linear'], True)"), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(m_probe->consoleText().contains("('linearlinear', True)"), 60000);
        QCOMPARE(undo.count(), 0);
        m_probe->say("with graph.inserting_after(chosen): "
                     "chosen.replace_all_uses_with(graph.call_function(torch.neg, (chosen,)), lambda u: "
                     "u.name != 'neg')");
        QTRY_VERIFY_WITH_TIMEOUT(m_probe->code().text().contains("torch.neg(linear)"), 60000);
        QCOMPARE(undo.count(), 1);
        QVERIFY(undo.undoText().startsWith("Console: with graph"));
        undo.undo();
        QTRY_COMPARE(m_probe->code().text(), before);
        m_probe->say("graph.erase_node(nodes['linear'])");
        QTRY_VERIFY_WITH_TIMEOUT(m_probe->consoleText().contains("*** "), 60000);
        m_probe->say("for n in graph.nodes: n.name = n.name + '_'; raise KeyError(n.op)");
        QTRY_VERIFY_WITH_TIMEOUT(m_probe->consoleText().contains("KeyError: 'get_attr'"), 60000);
        QCOMPARE(m_probe->code().text(), before);
        QCOMPARE(undo.index(), 0);
    }

    void foldersOfPassesAreInTheMenu() {
        QTemporaryDir data;
        const QByteArray old = qgetenv("XDG_DATA_HOME");
        qputenv("XDG_DATA_HOME", data.path().toUtf8());
        const auto restore =
            qScopeGuard([&] { old.isNull() ? qunsetenv("XDG_DATA_HOME") : qputenv("XDG_DATA_HOME", old); });
        QVERIFY(QDir(data.path()).mkpath("fxscope/passes"));
        const auto write = [&](const QString& name, const QByteArray& text) {
            QFile file(data.path() + "/fxscope/passes/" + name);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text);
        };
        write("mine.py", R"py(import torch

def negate(gm, name: str = 'linear'):
    """Negate what a node gives.

    Once."""
    for n in list(gm.graph.nodes):
        if n.name == name:
            with gm.graph.inserting_after(n):
                m = gm.graph.call_function(torch.neg, (n,))
            n.replace_all_uses_with(m, lambda u: u is not m)

def helper(number):
    return number

class _Hidden(torch.fx.Interpreter):
    pass

class Shown(_Hidden):
    "Runs."
)py");
        write("broken.py", "def f(gm:\n");
        QMenu& menu = m_probe->window().actions().menu("Passes");
        const QList<QMenu*> submenus = menu.findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly);
        QMenu* const more = *std::ranges::find(submenus, "More passes", &QMenu::title);
        const auto fileMenu = [&](const QString& name) -> QMenu* {
            for (const QMenu* of : {&menu, more})
                for (QMenu* each : of->findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly))
                    if (each->title() == name && of->actions().contains(each->menuAction()))
                        return each;
            return nullptr;
        };
        Q_EMIT menu.aboutToShow();
        QVERIFY(fileMenu("mine"));
        const QList<QAction*> found = fileMenu("mine")->actions();
        QCOMPARE(found.size(), 2);
        QCOMPARE(found[0]->text(), "negate…");
        QCOMPARE(found[0]->toolTip(), "<qt>Negate what a node gives.<br><br>Once.</qt>");
        QCOMPARE(found[1]->text(), "Shown");
        QVERIFY(fileMenu("broken") && !fileMenu("broken")->actions()[0]->isEnabled());
        QVERIFY2(m_probe->toast().contains("broken.py:1:"), qPrintable(m_probe->toast()));
        QVERIFY(menu.actions().contains(fileMenu("mine")->menuAction()));
        QVERIFY(!menu.actions().contains(fileMenu("activations")->menuAction())); // comes along
        QVERIFY(fileMenu("Clean up")->actions().contains(m_probe->window().actions().pass("dead-code")));
        QVERIFY(menu.actions().size() < 30);
        withDialog([](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            QCOMPARE(dialog.windowTitle(), "negate");
            QTest::keyClick(&findIn<QLineEdit>(dialog, "Name"), Qt::Key_Return);
        });
        found[0]->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(m_probe->code().text().contains("torch.neg(linear)"), 60000);
        // The menu follows the folder.
        QVERIFY(QFile::remove(data.path() + "/fxscope/passes/broken.py"));
        write("second.py", "def f(graph):\n    pass\n");
        Q_EMIT menu.aboutToShow();
        QVERIFY(!fileMenu("broken") && fileMenu("second") && fileMenu("mine"));
    }

    void theInterfaceGoesOnMeanwhile() {
        actionOf(*m_probe, "wait")->trigger();
        QVERIFY(m_probe->workspace().passes().isWorking());
        m_probe->select("linear");
        QCOMPARE(m_probe->selected(), "linear");
        goOn.set_value();
        QTRY_VERIFY(m_probe->node("renamed").node);
        QVERIFY(!m_probe->workspace().passes().isWorking());
    }

    void anEditGivesThePassUp() {
        actionOf(*m_probe, "wait")->trigger();
        QCOMPARE(renameNode(m_probe->workspace().document(), m_probe->node("linear"), "mine"), QString());
        QCOMPARE(m_probe->toast(), "The graph was edited, so the pass was cancelled.");
        goOn.set_value();
        // The next pass comes after it on the same thread.
        actionOf(*m_probe, "dead-code")->trigger();
        QTRY_COMPARE(m_probe->toast(), "Remove dead code: no change.");
        QVERIFY(!m_probe->node("renamed").node);
        QCOMPARE(m_probe->workspace().document().undoStack().count(), 1);
    }

    void shapesAreRecordedAsOneStep() {
        actionOf(*m_probe, "shape-prop")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(m_probe->toast().startsWith("Record shapes: "), 60000);
        QVERIFY2(m_probe->toast().contains("annotated"), qPrintable(m_probe->toast()));
        QCOMPARE(m_probe->workspace().document().undoStack().count(), 1);
    }

    void whatAPassThrowsIsTold() {
        withDialog([](QDialog& dialog) {
            findIn<QLineEdit>(dialog, "Rules").setText("/nowhere/rules.py");
            dialog.accept();
        });
        actionOf(*m_probe, "decompose")->trigger();
        QTRY_VERIFY2(m_probe->toast().contains("/nowhere/rules.py"), qPrintable(m_probe->toast()));
        QCOMPARE(m_probe->workspace().document().undoStack().count(), 0);
    }

private:
    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestPasses)
} // namespace fx::ui::passes_test
#include "tst_passes.moc"
