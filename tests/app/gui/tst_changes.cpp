// SPDX-License-Identifier: GPL-3.0-or-later
// The pane Changes: the history, what a step has changed, and going to a step.
#include "core/passes/registry.h"
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/panes/diff_view.h"
#include "widgets/session/pass_service.h"

#include <QTabBar>
#include <QTreeView>

namespace fx::ui::changes_test {

class TestChanges : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void stepsAreListedAndShown() {
        WindowProbe probe;
        probe.open(samplePath("control_flow"));
        probe.window().docks().show(Docks::Changes);
        auto& rows = probe.find<QTreeView>("Changes");
        auto& text = probe.find<QPlainTextEdit>("changeText");
        QCOMPARE(rows.model()->rowCount(), 0);
        for (const auto& [before, after] : {std::pair("gt", "greater"), std::pair("sum_1", "total")}) {
            probe.select(before);
            probe.press(Qt::Key_F2);
            probe.type(after);
            probe.press(Qt::Key_Return);
            QTRY_VERIFY(probe.node(after).node);
        }
        QTRY_COMPARE(rows.model()->rowCount(), 2);
        QTRY_VERIFY2(text.toPlainText().contains("total = torch.ops.aten.sum.default(linear)  (renamed)"),
                     qPrintable(text.toPlainText()));
        QVERIFY(text.toPlainText().contains("\n-    sum_1 = "));
        QVERIFY(text.toPlainText().contains("\n+    total = "));
        // The step before it, as it was then.
        QTest::mouseClick(rows.viewport(), Qt::LeftButton, {},
                          rows.visualRect(rows.model()->index(0, 1)).center());
        QTRY_VERIFY2(text.toPlainText().contains("greater = torch.ops.aten.gt.Scalar(sum_1, 0)"),
                     qPrintable(text.toPlainText()));
        // Going there undoes what came later, which stays in the list.
        QTest::keyClick(&rows, Qt::Key_Return);
        QTRY_COMPARE(probe.workspace().document().undoStack().index(), 1);
        QVERIFY(!probe.workspace().document().model().graph().find("total"));
        QTRY_COMPARE(rows.model()->index(1, 1).data().toString().right(8), "(undone)");
        // What was undone can be looked at, too.
        QTest::keyClick(&rows, Qt::Key_Down);
        QTRY_VERIFY(text.toPlainText().contains("total = torch.ops.aten.sum.default(linear)"));
        QTest::keyClick(&rows, Qt::Key_Return);
        QTRY_VERIFY(probe.workspace().document().model().graph().find("total"));
    }

    /// Several steps at once: the graph with what went, the code side by side, the weights.
    void severalStepsAreOneDifference() {
        WindowProbe probe;
        probe.open(samplePath("control_flow"));
        probe.window().docks().show(Docks::Changes);
        auto& rows = probe.find<QTreeView>("Changes");
        probe.select("gt");
        probe.press(Qt::Key_F2);
        probe.type("greater");
        probe.press(Qt::Key_Return);
        QTRY_VERIFY(probe.node("greater").node);
        probe.select("sum_1");
        probe.press(Qt::Key_Delete, Qt::ControlModifier); // its readers get its input
        QTRY_COMPARE(rows.model()->rowCount(), 2);
        QTest::mouseClick(rows.viewport(), Qt::LeftButton, {},
                          rows.visualRect(rows.model()->index(0, 1)).center());
        QTest::keyClick(&rows, Qt::Key_Down, Qt::ShiftModifier);
        auto& text = probe.find<QPlainTextEdit>("changeText");
        QTRY_VERIFY2(text.toPlainText().contains("- sum_1 = ") &&
                         text.toPlainText().contains("(rewired, renamed)"),
                     qPrintable(text.toPlainText()));

        auto& tabs = *probe.window().findChild<DiffView*>();
        QTest::mouseClick(tabs.tabBar(), Qt::LeftButton, {}, tabs.tabBar()->tabRect(2).center());
        auto& before = probe.find<QPlainTextEdit>("codeBefore");
        auto& after = probe.find<QPlainTextEdit>("codeAfter");
        QVERIFY(before.isVisible() && after.isVisible());
        QCOMPARE(before.blockCount(), after.blockCount());
        QVERIFY(before.toPlainText().contains("sum_1 = ") && !after.toPlainText().contains("sum_1 = "));
        QVERIFY(after.toPlainText().contains("greater = ") && !before.toPlainText().contains("greater = "));
        QVERIFY(before.textCursor().blockNumber() > 0); // at the first difference
        QVERIFY(!before.extraSelections().empty());

        QTest::mouseClick(tabs.tabBar(), Qt::LeftButton, {}, tabs.tabBar()->tabRect(1).center());
        auto& graph = *tabs.findChild<CanvasView*>();
        QTRY_VERIFY(graph.geometry().picture());
        const auto stateOf = [&](const char* name) -> const BoxState& {
            const Picture& picture = *graph.geometry().picture();
            return graph.states().of(picture,
                                     picture.diagram.boxOf(graph.document().model().graph().find(name)));
        };
        QVERIFY(stateOf("sum_1").isGhost);
        QCOMPARE(stateOf("sum_1").note, "removed");
        QVERIFY(!stateOf("greater").isGhost);
        QCOMPARE(stateOf("greater").note, "rewired");
        QVERIFY(stateOf("linear").note.isEmpty());

        QTest::mouseClick(tabs.tabBar(), Qt::LeftButton, {}, tabs.tabBar()->tabRect(3).center());
        QCOMPARE(probe.find<QTreeView>("Weights that differ").model()->rowCount(), 0);
    }

    /// The first change is seen at once, the others by J and K; what has gone is no fault.
    void changesOfAGraphAreWalked() {
        WindowProbe probe;
        probe.open(samplePath("resnet"));
        probe.window().docks().show(Docks::Changes);
        probe.workspace().passes().run(findPass("fuse"), {}, probe.workspace().document().model().root());
        auto& rows = probe.find<QTreeView>("Changes");
        QTRY_COMPARE(rows.model()->rowCount(), 1);
        QTest::mouseClick(rows.viewport(), Qt::LeftButton, {},
                          rows.visualRect(rows.model()->index(0, 1)).center());
        auto& tabs = *probe.window().findChild<DiffView*>();
        QTest::mouseClick(tabs.tabBar(), Qt::LeftButton, {}, tabs.tabBar()->tabRect(1).center());
        QTRY_VERIFY(tabs.findChild<CanvasView*>());
        auto& graph = *tabs.findChild<CanvasView*>();
        const Graph& shown = graph.document().model().graph();
        const auto sees = [&](const char* name) {
            const int box =
                graph.geometry().picture() ? graph.geometry().picture()->diagram.boxOf(shown.find(name)) : -1;
            return box >= 0 && graph.states().of(*graph.geometry().picture(), box).isSelected &&
                   graph.rect().intersects(graph.camera().toScreen(graph.geometry().rect(box)).toRect());
        };
        QTRY_VERIFY(sees("conv2d"));
        QVERIFY(graph.camera().scale() > 0.5);
        graph.setFocus();
        QTest::keyClick(&graph, Qt::Key_J);
        QTRY_VERIFY(sees("batch_norm"));
        QTest::keyClick(&graph, Qt::Key_K);
        QTRY_VERIFY(sees("conv2d"));
        const Picture& picture = *graph.geometry().picture();
        for (int box = 0; box < static_cast<int>(picture.diagram.boxes.size()); ++box)
            QCOMPARE(graph.states().of(picture, box).fault, QString());
    }
};

FX_TEST(TestChanges)
} // namespace fx::ui::changes_test
#include "tst_changes.moc"
