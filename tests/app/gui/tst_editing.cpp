// SPDX-License-Identifier: GPL-3.0-or-later
// Edits by keys and in the inspector; rewiring is a gesture of the canvas (tests/widgets/canvas).
#include "core/ir/meta.h"
#include "core/rewrite/callables.h"
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QTimer>
#include <QTreeWidget>

namespace fx::ui::editing_test {

class TestEditing : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_probe = std::make_unique<WindowProbe>();
        m_probe->open(samplePath("control_flow"));
    }
    void cleanup() { m_probe.reset(); }

    void namesAreCopied() {
        WindowProbe& probe = *m_probe;
        const Graph& graph = probe.workspace().document().model().graph();
        const NodeId first = graph.begin()->id, last = graph.last();
        probe.selection().selectNodes({first, last});
        probe.window().actions()["copyNames"]->trigger();
        QCOMPARE(QApplication::clipboard()->text(),
                 QString::fromStdString(graph.node(first).name + '\n' + graph.node(last).name));
    }

    void deletingWhatOthersReadAsksFirst() {
        WindowProbe& probe = *m_probe;
        const QString before = probe.code().text();
        const auto remove = [&](const QString& node, const QString& button) {
            QString asked;
            withDialog([&](QDialog& dialog) {
                auto& box = static_cast<QMessageBox&>(dialog);
                asked = box.text();
                for (QAbstractButton* each : box.buttons())
                    if (each->text() == button)
                        return each->click();
                dialog.reject();
            });
            probe.select(node);
            probe.press(Qt::Key_Delete);
            return asked;
        };
        QCOMPARE(remove("linear", "Cancel"), "linear is read by sum_1 and 1 more.");
        QCOMPARE(probe.code().text(), before);
        QVERIFY(!probe.window().actions()["undo"]->isEnabled());
        remove("linear", "Delete with readers");
        QVERIFY2(probe.toast().startsWith("the output depends on linear"), qPrintable(probe.toast()));
        QCOMPARE(probe.code().text(), before);
        remove("linear", "Bypass");
        QVERIFY(!probe.node("linear").node);
        QVERIFY2(probe.code().text().contains("sum.default(x)"), qPrintable(probe.code().text()));
        probe.press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(probe.code().text(), before);
    }

    void bypassingByKeyTakesSeveralOut() {
        WindowProbe& probe = *m_probe;
        const QString before = probe.code().text();
        probe.select("linear");
        probe.selection().selectAlso(probe.node("sum_1").node);
        probe.press(Qt::Key_Delete, Qt::ControlModifier);
        QVERIFY2(probe.code().text().contains("gt.Scalar(x, 0)"), qPrintable(probe.code().text()));
        QCOMPARE(probe.window().actions()["undo"]->text(), "Undo Bypass 2 nodes");
        probe.press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(probe.code().text(), before);
        probe.select("x"); // reads nothing, and is an input
        probe.press(Qt::Key_Delete, Qt::ControlModifier);
        QCOMPARE(probe.code().text(), before);
        QVERIFY(!probe.toast().isEmpty());
    }

    void duplicatesReadDuplicates() {
        WindowProbe& probe = *m_probe;
        const QString before = probe.code().text();
        probe.select("linear");
        probe.selection().selectAlso(probe.node("sum_1").node);
        probe.press(Qt::Key_D, Qt::ControlModifier);
        const QString code = probe.code().text();
        QVERIFY2(code.contains("linear_1 = torch.ops.aten.linear.default(x, linear_weight, linear_bias)"),
                 qPrintable(code));
        QVERIFY2(code.contains("sum_2 = torch.ops.aten.sum.default(linear_1)"), qPrintable(code));
        probe.press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(probe.code().text(), before);
    }

    void swappedInputs() {
        WindowProbe& probe = *m_probe;
        probe.select("linear");
        probe.press(Qt::Key_S);
        QVERIFY(probe.code().text().contains("linear.default(linear_weight, x, linear_bias)"));
        probe.select("sum_1");
        probe.window().actions()["swapInputs"]->trigger();
        QVERIFY2(probe.toast().contains("does not read two nodes"), qPrintable(probe.toast()));
    }

    void deleteUndoRedo() {
        WindowProbe& probe = *m_probe;
        const QString before = probe.code().text();
        const NodeRef node = probe.node("add_");
        probe.select("add_");
        probe.press(Qt::Key_Delete);
        QVERIFY(!probe.node("add_").node);
        QVERIFY(!probe.code().text().contains("add_"));
        QCOMPARE(probe.selected(), "");
        QVERIFY(probe.window().isWindowModified());
        QVERIFY(probe.waitForLayout());
        QCOMPARE(probe.canvas().geometry().picture()->diagram.boxOf(node.node), -1);
        const QString after = probe.code().text();

        QCOMPARE(probe.window().actions()["undo"]->text(), "Undo Delete add_");
        probe.press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(probe.code().text(), before);
        QCOMPARE(probe.node("add_"), node);
        QVERIFY(!probe.window().isWindowModified());
        QVERIFY(probe.waitForLayout());
        QVERIFY(probe.canvas().geometry().picture()->diagram.boxOf(node.node) >= 0);
        probe.press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(probe.code().text(), after);
    }

    void deleteBelongsToWhatHasTheFocus() {
        WindowProbe& probe = *m_probe;
        probe.select("add_");
        probe.press(Qt::Key_F9);
        auto& list = probe.find<QTreeWidget>("breakpointList");
        list.setFocus();
        list.setCurrentItem(list.topLevelItem(0));
        probe.press(Qt::Key_Delete);
        QCOMPARE(list.topLevelItemCount(), 0);
        QVERIFY(probe.node("add_").node);
    }

    void rename() {
        WindowProbe& probe = *m_probe;
        const QString before = probe.code().text();
        probe.select("gt");
        probe.press(Qt::Key_F2);
        auto& name = probe.find<QLineEdit>("nodeName");
        QTRY_VERIFY(name.hasFocus());
        probe.type("is_positive");
        probe.press(Qt::Key_Return);
        QVERIFY(probe.code().text().contains("is_positive = torch.ops.aten.gt.Scalar(sum_1, 0)"));
        QVERIFY(probe.code().text().contains("cond(is_positive, "));
        QCOMPARE(probe.selected(), "is_positive");
        probe.press(Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(probe.code().text(), before);
    }

    void badNamesAreRefused_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("reason");
        QTest::newRow("taken") << "linear"
                               << "another node is called linear";
        QTest::newRow("keyword") << "class"
                                 << "Python keeps for itself";
        QTest::newRow("no identifier") << "a b"
                                       << "no Python identifier";
        QTest::newRow("empty") << ""
                               << "no Python identifier";
    }

    void badNamesAreRefused() {
        QFETCH(QString, name);
        QFETCH(QString, reason);
        WindowProbe& probe = *m_probe;
        const QString before = probe.code().text();
        probe.select("gt");
        probe.press(Qt::Key_F2);
        auto& edit = probe.find<QLineEdit>("nodeName");
        QTest::keyClick(&edit, Qt::Key_Backspace);
        QTest::keyClicks(&edit, name);
        QTest::keyClick(&edit, Qt::Key_Return);
        QVERIFY2(inspectorFault().contains(reason), qPrintable(inspectorFault()));
        QCOMPARE(probe.code().text(), before);
        // It can be mended where it stands, or given up.
        QCOMPARE(edit.text(), name);
        QVERIFY(edit.hasFocus());
        QTest::keyClick(&edit, Qt::Key_Escape);
        QCOMPARE(edit.text(), "gt");
        QCOMPARE(inspectorFault(), "");
    }

    void argumentsAreChangedInTheInspector_data() {
        QTest::addColumn<QString>("node");
        QTest::addColumn<QString>("argument");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("code"); ///< a line that is there then
        QTest::newRow("number") << "gt"
                                << "other"
                                << "5"
                                << "gt = torch.ops.aten.gt.Scalar(sum_1, 5)";
        QTest::newRow("node") << "sum_1"
                              << "self"
                              << "x"
                              << "sum_1 = torch.ops.aten.sum.default(x)";
        QTest::newRow("none") << "linear"
                              << "bias"
                              << "None"
                              << "linear = torch.ops.aten.linear.default(x, linear_weight, None)";
        QTest::newRow("list") << "zeros"
                              << "size"
                              << "[2, 3]"
                              << "zeros = torch.ops.aten.zeros.default([2, 3], ";
        QTest::newRow("keyword") << "zeros"
                                 << "pin_memory"
                                 << "None"
                                 << "pin_memory = None)";
        QTest::newRow("default") << "sum_1"
                                 << "dtype"
                                 << "torch.float64"
                                 << "sum.default(linear, dtype = torch.float64)";
    }

    void argumentsAreChangedInTheInspector() {
        QFETCH(QString, node);
        QFETCH(QString, argument);
        QFETCH(QString, text);
        QFETCH(QString, code);
        WindowProbe& probe = *m_probe;
        const QString before = probe.code().text();
        probe.select(node);
        setArgument(argument, text);
        QTRY_VERIFY2(probe.code().text().contains(code), qPrintable(probe.code().text()));
        QCOMPARE(inspectorFault(), "");
        QCOMPARE(probe.selected(), node);
        probe.canvas().setFocus();
        probe.press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(probe.code().text(), before);
    }

    void badArgumentsAreRefused_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("reason");
        QTest::newRow("no value") << "1 +"
                                  << "";
        QTest::newRow("unknown node") << "nobody"
                                      << "nobody";
        QTest::newRow("a later node") << "cond"
                                      << "cond depends on gt";
        QTest::newRow("itself") << "gt"
                                << "gt cannot read itself";
    }

    void badArgumentsAreRefused() {
        QFETCH(QString, text);
        QFETCH(QString, reason);
        WindowProbe& probe = *m_probe;
        const QString before = probe.code().text();
        probe.select("gt");
        setArgument("other", text);
        QTRY_VERIFY(!inspectorFault().isEmpty());
        QVERIFY2(inspectorFault().contains(reason), qPrintable(inspectorFault()));
        QCOMPARE(probe.code().text(), before);
        QVERIFY(!probe.window().actions()["undo"]->isEnabled());
        const auto* editor = probe.find<QTreeWidget>("nodeRows").viewport()->findChild<QLineEdit*>();
        // Of the window: a list that was offered may have been the active one, where windows are not managed.
        QVERIFY(editor && probe.window().focusWidget() == editor);
        QCOMPARE(editor->text(), text);
    }

    void argumentsAreTakenAway() {
        WindowProbe& probe = *m_probe;
        probe.select("zeros");
        setArgument("pin_memory", "");
        QTRY_VERIFY2(!probe.code().text().contains("pin_memory"), qPrintable(probe.code().text()));
        // By key; the first of three cannot go, as the others would move.
        probe.select("linear");
        auto& rows = probe.find<QTreeWidget>("nodeRows");
        const auto remove = [&](const QString& name) {
            rows.setCurrentItem(rows.findItems(name, Qt::MatchExactly | Qt::MatchRecursive, 0).value(0));
            rows.setFocus();
            QTest::keyClick(&rows, Qt::Key_Delete);
        };
        remove("input");
        QVERIFY2(inspectorFault().contains("would move to its place"), qPrintable(inspectorFault()));
        remove("bias");
        QVERIFY(probe.code().text().contains("linear.default(x, linear_weight)"));
    }

    void deadCodeGoesAndComesBack() {
        WindowProbe& probe = *m_probe;
        const QString before = probe.code().text();
        // A loop reads it; without readers, the loop and all before it are dead.
        probe.select("getitem_2");
        probe.press(Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(probe.toast(), "Remove dead code: no change.");
        QCOMPARE(probe.code().text(), before);
        probe.select("linear");
        setArgument("bias", "None");
        QTRY_VERIFY(probe.code().text().contains("linear_weight, None)"));
        probe.press(Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(!probe.node("linear_bias").node);
        QVERIFY(probe.node("add_").node); // it writes into a buffer
        probe.press(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(probe.node("linear_bias").node);
        probe.press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(probe.code().text(), before);
    }

    void lintSpeaksBesideTheNodeAndInTheList() {
        WindowProbe& probe = *m_probe;
        probe.press(Qt::Key_L, Qt::ControlModifier);
        QCOMPARE(probe.toast(), "The graph is well formed.");
        QVERIFY(probe.window().docks().dock(Docks::Problems).isVisible());
        probe.select("sum_1");
        probe.window().docks().show(Docks::NodePane);
        auto& target = probe.find<QLineEdit>("nodeTarget");
        target.selectAll();
        QTest::keyClicks(&target, "aten.no_such_function");
        QTest::keyClick(&target, Qt::Key_Return);
        QVERIFY2(inspectorFault().contains("no function named"), qPrintable(inspectorFault()));
        QCOMPARE(target.text(), "aten.no_such_function");
    }

    void typingOnAfterARestIsOneStep() {
        WindowProbe& probe = *m_probe;
        const QString before = probe.code().text();
        QUndoStack& history = probe.workspace().document().undoStack();
        typeInto("gt", "sum_1, ", "5");
        QTRY_VERIFY(probe.workspace().code().text().contains("gt.Scalar(sum_1, 50)"));
        QTest::keyClicks(probe.code().focusProxy(), "5");
        QTRY_VERIFY(probe.workspace().code().text().contains("gt.Scalar(sum_1, 550)"));
        QCOMPARE(history.count(), 1);
        // Who was elsewhere meanwhile begins another step.
        typeInto("linear", " = ", "");
        QTRY_COMPARE(probe.selected(), "linear"); // the editor tells of its cursor when it paints
        typeInto("gt", "sum_1, ", "7");
        QTRY_VERIFY(probe.workspace().code().text().contains("gt.Scalar(sum_1, 7550)"));
        QCOMPARE(history.count(), 2);
        history.undo();
        QVERIFY(probe.code().text().contains("gt.Scalar(sum_1, 550)"));
        history.undo();
        QCOMPARE(probe.code().text(), before);
    }

    /// In a graph of operators Python is typed as one knows it, and becomes operators, which a .pt2 can hold.
    void typedPythonBecomesOperators() {
        WindowProbe& probe = *m_probe;
        const QString line = "    sum_1 = ";
        probe.code().replaceTyped(
            probe.code().text().replace(line, "    more = torch.relu(linear[:, 1:]) + 2.0\n" + line));
        const QString wanted = " = torch.ops.aten.slice.Tensor(linear, 1, 1, 9223372036854775807)";
        QTRY_VERIFY2(probe.code().text().contains(wanted), qPrintable(probe.code().text()));
        QVERIFY2(probe.code().text().contains("relu = torch.ops.aten.relu.default("),
                 qPrintable(probe.code().text()));
        QVERIFY2(probe.code().text().contains("more = torch.ops.aten.add.Tensor(relu, 2.0)"),
                 qPrintable(probe.code().text()));
        const Node& made = nodeOf("more");
        QVERIFY(knownValue(made.meta));
        QCOMPARE(valueMetaText(*knownValue(made.meta)), valueMetaText(*knownValue(nodeOf("relu").meta)));
        // It is where the wire was.
        const auto* stack = made.meta.find<ModuleStack>(meta::kModuleStack);
        const auto* around = nodeOf("linear").meta.find<ModuleStack>(meta::kModuleStack);
        QVERIFY(stack && around && *stack == *around);
        QCOMPARE(probe.workspace().document().undoStack().count(), 1);
    }

    /// And what is offered to be inserted begins with operators.
    void operatorsAreOfferedFirst() {
        const Model& model = m_probe->workspace().document().model();
        QVERIFY(callables(model, model.root()).front().kind == Callable::Kind::Operator);
    }

    void theCaretStaysAtItsToken() {
        WindowProbe& probe = *m_probe;
        typeInto("gt", "sum_1", " + 2.0");
        QTRY_VERIFY2(probe.code().text().contains("aten.add.Tensor(sum_1, 2.0)"),
                     qPrintable(probe.code().text()));
        QTest::keyClicks(probe.code().focusProxy(), "5");
        QTRY_VERIFY2(probe.code().text().contains("aten.add.Tensor(sum_1, 2.05)"),
                     qPrintable(probe.code().text()));
    }

    /// What was typed is read when its line is left, and a line that was begun waits for its text.
    void aLineIsReadWhenItIsLeft() {
        WindowProbe& probe = *m_probe;
        QWidget& editor = *probe.code().focusProxy();
        typeInto("gt", "sum_1, ", "5");
        QTest::keyClick(&editor, Qt::Key_Up);
        QTRY_VERIFY(probe.workspace().code().text().contains("gt.Scalar(sum_1, 50)"));
        QTest::keyClick(&editor, Qt::Key_End);
        QTest::keyClick(&editor, Qt::Key_Return);
        QTRY_VERIFY(!probe.code().findChild<QTimer*>()->isActive()); // after a rest
        QTest::keyClicks(&editor, "neg = -linear");
        QTRY_VERIFY2(probe.code().text().contains("neg = torch.ops.aten.neg.default(linear)"),
                     qPrintable(probe.code().text()));
    }

    void whatWasTypedAndTakenBackLeavesNoStep() {
        WindowProbe& probe = *m_probe;
        const QString before = probe.code().text();
        QWidget& editor = *probe.code().focusProxy();
        editor.setFocus();
        QTest::keyClick(&editor, Qt::Key_Home, Qt::ControlModifier);
        QTest::keyClick(&editor, Qt::Key_End);
        QTest::keyClicks(&editor, " x y");
        QTRY_VERIFY(!probe.code().fault().isEmpty());
        while (probe.code().text() != before)
            QTest::keyClick(&editor, Qt::Key_Z, Qt::ControlModifier);
        QTRY_VERIFY(probe.code().fault().isEmpty()); // it was read
        QCOMPARE(probe.workspace().document().undoStack().count(), 0);
        QCOMPARE(probe.code().text(), before);
    }

    void anEditInANestedGraphStaysThere() {
        WindowProbe& probe = *m_probe;
        const QString before = probe.code().text();
        probe.window().view()->showGraphOf(probe.node("true_graph_0"));
        QVERIFY(probe.waitForLayout());
        const QString nested = probe.code().text();
        const Graph& graph = probe.workspace().document().model().graph(probe.selection().graph());
        probe.selection().select({probe.selection().graph(), graph.find("mul")});
        setArgument("other", "7");
        QTRY_VERIFY(probe.code().text().contains(", 7)"));
        probe.selection().showGraph(probe.workspace().document().model().root());
        QCOMPARE(probe.code().text(), before);
        probe.canvas().setFocus();
        probe.press(Qt::Key_Z, Qt::ControlModifier);
        probe.window().view()->showGraphOf(probe.node("true_graph_0"));
        QCOMPARE(probe.code().text(), nested);
    }

private:
    /// As a user does: a double click on the value, the new text, Enter.
    void setArgument(const QString& name, const QString& text) {
        m_probe->window().docks().show(Docks::NodePane);
        auto& rows = m_probe->find<QTreeWidget>("nodeRows");
        for (QTreeWidgetItem* item : rows.findItems(name, Qt::MatchExactly | Qt::MatchRecursive, 0)) {
            if (item->parent()->text(0) != "Arguments")
                continue;
            rows.scrollToItem(item);
            const QPoint at = rows.visualRect(rows.model()->index(item->parent()->indexOfChild(item), 1,
                                                                  rows.model()->index(0, 0)))
                                  .center();
            QTest::mouseClick(rows.viewport(), Qt::LeftButton, Qt::NoModifier, at);
            QTest::mouseDClick(rows.viewport(), Qt::LeftButton, Qt::NoModifier, at);
            auto* editor = rows.viewport()->findChild<QLineEdit*>();
            QVERIFY(editor);
            editor->selectAll();
            QTest::keyClick(editor, Qt::Key_Delete);
            QTest::keyClicks(editor, text);
            QTest::keyClick(editor, Qt::Key_Return);
            return;
        }
        QFAIL("there is no such argument");
    }
    /// Into the node's line of the code, behind `place`.
    void typeInto(const QString& node, const QString& place, const QString& text) {
        QWidget& editor = *m_probe->code().focusProxy();
        editor.setFocus();
        QTest::keyClick(&editor, Qt::Key_Home, Qt::ControlModifier);
        const int line = m_probe->workspace().code().lineOf(m_probe->node(node).node);
        for (int i = 0; i < line; ++i)
            QTest::keyClick(&editor, Qt::Key_Down);
        const QString code = m_probe->code().text().split('\n')[line];
        for (qsizetype i = 0; i < code.indexOf(place) + place.size(); ++i)
            QTest::keyClick(&editor, Qt::Key_Right);
        QTest::keyClicks(&editor, text);
    }
    const Node& nodeOf(const QString& name) {
        const NodeRef ref = m_probe->node(name);
        return m_probe->workspace().document().model().graph(ref.module).node(ref.node);
    }
    QString inspectorFault() {
        for (QLabel* label : m_probe->window().docks().dock(Docks::NodePane).findChildren<QLabel*>("fault"))
            if (!label->isHidden())
                return label->text();
        return {};
    }

    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestEditing)
} // namespace fx::ui::editing_test
#include "tst_editing.moc"
