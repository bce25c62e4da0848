// SPDX-License-Identifier: GPL-3.0-or-later
// Intents as undoable edits with one piece of news each; the code that follows them line by line.
#include "core/base/error.h"
#include "core/passes/dead_code.h"
#include "tests/support/test_program.h"
#include "tests/support/widgets_probe.h"
#include "widgets/document/argument_text_edit.h"
#include "widgets/document/graph_intents.h"
#include "widgets/session/code_service.h"
#include "widgets/session/selection.h"

namespace fx::ui::graph_document_test {

namespace {

struct Probe {
    GraphDocument document{openSample("control_flow")};
    Selection selection{document};
    CodeService code{document, selection};

    NodeRef node(const QString& name) { return nodeNamed(document.model(), name); }
    NodeId id(const QString& name) { return node(name).node; }
    ModuleId root() { return document.model().root(); }
    void save(const DocumentState& state) {
        document.setSaved("/somewhere/new.fxg", "fxscope graph (.fxg)", state);
    }
};

using Intent = std::function<QString(Probe&)>;

} // namespace
class TestGraphDocument : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void intentsAreDoneUndoneAndDoneAgain_data() {
        QTest::addColumn<Intent>("intent");
        QTest::addColumn<QString>("title");
        QTest::addColumn<QString>("line"); ///< of the code afterwards
        const auto row = [](const char* title, const char* line, Intent intent) {
            QTest::newRow(title) << intent << title << line;
        };
        row("Delete add_", "linear = torch.ops.aten.linear.default(x",
            [](Probe& p) { return deleteNodes(p.document, p.root(), {p.id("add_")}); });
        row("Delete 2 nodes", "linear = torch.ops.aten.linear.default(x", [](Probe& p) {
            return deleteNodes(p.document, p.root(), {p.id("calls"), p.id("add_")});
        });
        row("Rename gt", "flag = torch.ops.aten.gt.Scalar(sum_1, 0)",
            [](Probe& p) { return renameNode(p.document, p.node("gt"), " flag "); });
        row("Rewire gt", "gt = torch.ops.aten.gt.Scalar(linear, 0)",
            [](Probe& p) { return rewire(p.document, p.node("gt"), p.id("sum_1"), p.id("linear")); });
        row("Change argument of gt", "gt = torch.ops.aten.gt.Scalar(sum_1, -2.5)",
            [](Probe& p) { return setArgument(p.document, p.node("gt"), 1, {}, "-2.5"); });
        row("Change target of gt", "gt = torch.ops.aten.lt.Scalar(sum_1, 0)",
            [](Probe& p) { return setTarget(p.document, p.node("gt"), "torch.ops.aten.lt.Scalar"); });
    }

    void intentsAreDoneUndoneAndDoneAgain() {
        QFETCH(Intent, intent);
        QFETCH(QString, title);
        QFETCH(QString, line);
        Probe probe;
        const QString before = probe.code.text();
        int news = 0, backwards = 0;
        connect(&probe.document, &GraphDocument::changed, this,
                [&](const Changes& changes, bool isBackwards) {
                    QVERIFY(!changes.empty());
                    ++news;
                    backwards += isBackwards;
                });
        QCOMPARE(intent(probe), QString());
        QCOMPARE(news, 1);
        QCOMPARE(probe.document.undoStack().count(), 1);
        QCOMPARE(probe.document.undoStack().undoText(), title);
        const QString after = probe.code.text();
        QVERIFY2(after.contains(line), qPrintable(after));
        QVERIFY(after != before);
        checkLines(probe);
        probe.document.undoStack().undo();
        QCOMPARE(probe.code.text(), before);
        checkLines(probe);
        probe.document.undoStack().redo();
        QCOMPARE(probe.code.text(), after);
        QCOMPARE(news, 3);
        QCOMPARE(backwards, 1);
    }

    void whatWouldBreakTheGraphIsRefused_data() {
        QTest::addColumn<Intent>("intent");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* name, const char* reason, Intent intent) {
            QTest::newRow(name) << intent << reason;
        };
        row("delete what is read", "gt is read by cond; rewire that first",
            [](Probe& p) { return deleteNodes(p.document, p.root(), {p.id("gt")}); });
        row("delete the output", "a graph needs its output", [](Probe& p) {
            return deleteNodes(p.document, p.root(), {p.document.model().graph().find("output")});
        });
        row("delete an input", "fixed by how it is called", [](Probe& p) {
            rewire(p.document, p.node("linear"), p.id("x"), p.id("linear_weight"));
            return deleteNodes(p.document, p.root(), {p.id("x")});
        });
        row("rename to a name that is taken", "another node is called linear",
            [](Probe& p) { return renameNode(p.document, p.node("gt"), "linear"); });
        row("a cycle", "depends on gt",
            [](Probe& p) { return rewire(p.document, p.node("gt"), p.id("sum_1"), p.id("cond")); });
        row("read the output", "the output has no value", [](Probe& p) {
            return rewire(p.document, p.node("gt"), p.id("sum_1"), p.document.model().graph().find("output"));
        });
        row("unknown function", "no function named",
            [](Probe& p) { return setTarget(p.document, p.node("gt"), "torch.ops.aten.nothing"); });
    }

    void whatWouldBreakTheGraphIsRefused() {
        QFETCH(Intent, intent);
        QFETCH(QString, reason);
        Probe probe;
        const QString told = intent(probe);
        QVERIFY2(told.contains(reason), qPrintable(told));
        while (probe.document.undoStack().canUndo())
            probe.document.undoStack().undo();
        QCOMPARE(probe.code.text(), Probe().code.text());
    }

    void refusedMeansNoNewsAndNoHistory() {
        Probe probe;
        QSignalSpy spy(&probe.document, &GraphDocument::changed);
        QVERIFY(!deleteNodes(probe.document, probe.root(), {probe.id("gt")}).isEmpty());
        QCOMPARE(setArgument(probe.document, probe.node("gt"), 1, {}, "0"), QString()); // as it was
        QCOMPARE(renameNode(probe.document, probe.node("gt"), "gt"), QString());
        QCOMPARE(probe.document.perform("Remove dead code", probe.root(),
                                        [](Edit& edit) { removeDeadCode(edit); }),
                 QString());
        QCOMPARE(spy.count(), 0);
        QCOMPARE(probe.document.undoStack().count(), 0);
    }

    void aSelectedNodeThatGoesIsNoLongerSelected() {
        Probe probe;
        probe.selection.select(probe.node("add_"));
        QCOMPARE(deleteNodes(probe.document, probe.root(), {probe.id("add_")}), QString());
        QVERIFY(!probe.selection.currentNode());
        QVERIFY(probe.selection.nodes().empty());
    }

    void savedIsClean() {
        Probe probe;
        QCOMPARE(renameNode(probe.document, probe.node("gt"), "flag"), QString());
        QVERIFY(!probe.document.isSaved());
        probe.save(probe.document.state());
        QVERIFY(probe.document.isSaved());
        QCOMPARE(probe.document.title(), "new.fxg");
        probe.document.undoStack().undo();
        QVERIFY(!probe.document.isSaved());
        probe.document.undoStack().redo();
        QVERIFY(probe.document.isSaved());
    }

    void whatIsDoneWhileItIsSavedIsUnsaved() {
        Probe probe;
        QCOMPARE(renameNode(probe.document, probe.node("gt"), "flag"), QString());
        const DocumentState state = probe.document.state();
        QVERIFY(state.isCurrent());
        QCOMPARE(renameNode(probe.document, probe.node("linear"), "first"), QString());
        QVERIFY(!state.isCurrent());
        probe.save(state);
        QVERIFY(!probe.document.isSaved());
        probe.document.undoStack().undo();
        QVERIFY(probe.document.isSaved());
        // As many edits as were saved, but others.
        probe.document.undoStack().undo();
        QCOMPARE(renameNode(probe.document, probe.node("linear"), "first"), QString());
        QVERIFY(!probe.document.isSaved() && !state.isCurrent());
    }

    void aStateOutlivesItsDocument() {
        auto probe = std::make_unique<Probe>();
        const DocumentState state = probe->document.state();
        QCOMPARE(state.document(), &probe->document);
        probe.reset();
        QVERIFY(!state.document() && !state.isCurrent());
    }

    void typingOnIsOneStep() {
        Probe probe;
        const QString before = probe.code.text();
        const auto type = [&](double number, int merging) {
            const NodeId gt = probe.id("gt");
            return probe.document.perform(
                "Edit code", probe.root(), [&](Edit& edit) { edit.updateArg(gt, 1, number); }, merging);
        };
        QUndoStack& history = probe.document.undoStack();
        for (const double number : {2.0, 25.0, 250.0})
            QCOMPARE(type(number, 1), QString());
        QCOMPARE(history.count(), 1);
        const QString after = probe.code.text();
        history.undo();
        QCOMPARE(probe.code.text(), before);
        history.redo();
        QCOMPARE(probe.code.text(), after);
        // Another line, and an edit between.
        QCOMPARE(type(3, 2), QString());
        QCOMPARE(history.count(), 2);
        QCOMPARE(renameNode(probe.document, probe.node("linear"), "first"), QString());
        QCOMPARE(type(4, 2), QString());
        QCOMPARE(history.count(), 4);
        // What is in the file can be come back to.
        probe.save(probe.document.state());
        QCOMPARE(type(5, 2), QString());
        QCOMPARE(history.count(), 5);
        history.undo();
        QVERIFY(probe.document.isSaved());
    }

    void argumentTextsAreReadBack_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : {"None", "True", "3", "-2.5", "'it''s'", "gt", "[linear, 1]", "(1, 2)",
                                 "{'a': x}", "torch.float32", "slice(1, None, 2)", "inf"})
            QTest::newRow(text) << text;
    }

    void argumentTextsAreReadBack() {
        QFETCH(QString, text);
        Probe probe;
        const Graph& graph = probe.document.model().graph();
        const Argument once = parseArgument(utf8(text), graph);
        const std::string written = argumentText(once, graph);
        QVERIFY2(parseArgument(written, graph) == once, written.c_str());
    }

private:
    /// Each node that has a line is found at it, and the line begins with its name.
    static void checkLines(Probe& probe) {
        const QStringList lines = probe.code.text().split('\n');
        int count = 0;
        for (const Node& node : probe.document.model().graph()) {
            const int line = probe.code.lineOf(node.id);
            if (line < 0 || node.opcode == Opcode::Placeholder || node.opcode == Opcode::Output)
                continue;
            ++count;
            QCOMPARE(probe.code.nodeAtLine(line), node.id);
            QVERIFY2(lines[line].trimmed().startsWith(qt(node.name) + " = "), qPrintable(lines[line]));
        }
        QVERIFY(count >= 15);
    }
};

FX_TEST(TestGraphDocument)
} // namespace fx::ui::graph_document_test
#include "tst_graph_document.moc"
