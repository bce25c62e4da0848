// SPDX-License-Identifier: GPL-3.0-or-later
// Debugging by keys, console and lists, and that canvas, code and status follow.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/document/graph_intents.h"
#include "widgets/document/nested_graphs.h"
#include "widgets/panes/breakpoints_pane.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolBar>
#include <QToolButton>
#include <QTreeView>
#include <QTreeWidget>

namespace fx::ui::stepping_test {

using State = DebugService::State;

namespace {

const BoxState& boxState(WindowProbe& probe, NodeRef node) {
    const Picture& picture = *probe.canvas().geometry().picture();
    return probe.canvas().states().of(picture, picture.diagram.boxOf(node.node));
}

} // namespace

class TestStepping : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_probe = std::make_unique<WindowProbe>();
        m_probe->open(samplePath("control_flow"));
    }

    void cleanup() { m_probe.reset(); }

    void f10StepsNodeByNode() {
        WindowProbe& probe = *m_probe;
        QCOMPARE(probe.statusText(), "Not run yet");
        probe.press(Qt::Key_F10);
        QTRY_COMPARE(probe.debug().state(), State::Paused);
        // Inputs and weights are there; the first call is next.
        QVERIFY2(probe.statusText().startsWith("Paused before add_ · call 1 of "),
                 qPrintable(probe.statusText()));
        for (size_t done = 6; done <= 7; ++done) {
            probe.press(Qt::Key_F10);
            QTRY_COMPARE(probe.debug().run().values().order().size(), done);
            QTRY_COMPARE(probe.debug().state(), State::Paused);
        }
        // linear has run, sum_1 is next.
        QCOMPARE(probe.selected(), "linear");
        QVERIFY2(probe.statusText().startsWith("Paused before sum_1"), qPrintable(probe.statusText()));
        const NodeRef linear = probe.node("linear"), next = probe.node("sum_1");
        QCOMPARE(probe.code().marked(CodeView::Mark::Current),
                 std::vector<int>{probe.workspace().code().lineOf(next.node)});
        QVERIFY(boxState(probe, next).isCurrent);
        QVERIFY(!boxState(probe, next).hasRun);
        QVERIFY(boxState(probe, linear).hasRun);
        QCOMPARE(boxState(probe, linear).value, "f32[4, 8]");
        QVERIFY(boxState(probe, linear).health.isFinite());
        QCOMPARE(probe.find<QTreeView>("Steps").model()->rowCount(), 7);
        QVERIFY(probe.window().docks().dock(Docks::Steps).windowTitle().endsWith(" 7"));
    }

    void aNodeThatRunsAgainIsListedAsItIsNow() {
        WindowProbe& probe = *m_probe;
        GraphDocument& document = probe.workspace().document();
        // In the loop's body, so that the second time gives infinity.
        NodeRef mul;
        for (const auto& [name, module] : nestedGraphs(document.model(), probe.node("while_loop")))
            if (const NodeId found = document.model().graph(module).find("mul"))
                mul = {module, found};
        QCOMPARE(setArgument(document, mul, 1, {}, "1e30"), QString());
        probe.debug().breakpoints().toggle(mul);
        const auto health = [&] {
            const auto& order = probe.debug().run().values().order();
            const auto row = std::find(order.begin(), order.end(), mul) - order.begin();
            return probe.find<QTreeView>("Steps").model()->index(static_cast<int>(row), 4).data().toString();
        };
        for (const char* expected : {"finite", "Inf"}) {
            probe.debug().resume(Resume::Mode::Continue);
            QTRY_COMPARE(probe.debug().run().state().at(), mul);
            probe.debug().resume(Resume::Mode::Step);
            QTRY_VERIFY(probe.debug().state() == State::Paused && probe.debug().run().state().at() != mul);
            QCOMPARE(health(), expected);
        }
    }

    void f9SetsABreakpointWhereF5Stops() {
        WindowProbe& probe = *m_probe;
        probe.select("gt");
        probe.press(Qt::Key_F9);
        const NodeRef gt = probe.node("gt");
        QVERIFY(probe.debug().breakpoints().has(gt));
        QVERIFY(boxState(probe, gt).hasBreakpoint);
        QCOMPARE(probe.code().marked(CodeView::Mark::Breakpoint),
                 std::vector<int>{probe.workspace().code().lineOf(gt.node)});
        auto& list = probe.find<QTreeWidget>("breakpointList");
        QCOMPARE(list.topLevelItemCount(), 1);
        QCOMPARE(list.topLevelItem(0)->text(0), "gt");
        probe.press(Qt::Key_F5);
        QTRY_COMPARE(probe.debug().run().state().at(), gt);
        QTRY_COMPARE(list.topLevelItem(0)->text(2), "1 hit");
        probe.press(Qt::Key_F5);
        QVERIFY(probe.waitForState(State::Over));
        QVERIFY2(probe.statusText().startsWith("Finished"), qPrintable(probe.statusText()));
        probe.select("gt");
        probe.press(Qt::Key_F9);
        QCOMPARE(list.topLevelItemCount(), 0);
    }

    void oneGoesBackByButtonAndByKey() {
        WindowProbe& probe = *m_probe;
        QToolButton* back = nullptr;
        for (QToolButton* each : probe.window().findChild<QToolBar*>()->findChildren<QToolButton*>())
            if (each->accessibleName() == "Back")
                back = each;
        QVERIFY(back && !back->isEnabled());
        probe.select("cond");
        probe.press(Qt::Key_F10, Qt::ControlModifier);
        QTRY_COMPARE(probe.debug().run().state().at(), probe.node("cond"));
        QVERIFY(back->isEnabled());
        QTest::mouseClick(back, Qt::LeftButton);
        QTRY_COMPARE(probe.debug().run().state().at(), probe.node("gt"));
        QTRY_COMPARE(probe.debug().state(), State::Paused);
        QVERIFY(!boxState(probe, probe.node("gt")).hasRun);
        probe.press(Qt::Key_F10, Qt::ShiftModifier);
        QTRY_COMPARE(probe.debug().run().state().at(), probe.node("sum_1"));
        QTRY_COMPARE(probe.debug().state(), State::Paused);
        probe.press(Qt::Key_F10);
        QTRY_COMPARE(probe.debug().run().state().at(), probe.node("gt"));
    }

    void aStepOverAClosedScopeIsUndoneByOneStepBack() {
        WindowProbe& probe = *m_probe;
        probe.open(samplePath("resnet"));
        probe.selection().collapseAll();
        QVERIFY(probe.waitForLayout());
        const auto scopeOf = [&](NodeRef node) {
            const ScopeTree& scopes = probe.selection().scopes();
            return scopes.scope(scopes.scopeOf(node.node)).path;
        };
        const NodeRef at = probe.node("conv2d_1"); // the first of layer1
        probe.debug().runTo(at);
        QTRY_COMPARE(probe.debug().run().state().at(), at);
        QTRY_COMPARE(probe.debug().state(), State::Paused);
        probe.press(Qt::Key_F10);
        QTRY_VERIFY(scopeOf(probe.debug().run().state().at()).starts_with("layer2"));
        QTRY_COMPARE(probe.debug().state(), State::Paused);
        const NodeRef behind = probe.debug().run().state().at();
        probe.press(Qt::Key_F10, Qt::ShiftModifier);
        QTRY_COMPARE(probe.debug().run().state().at(), at);
        QTRY_COMPARE(probe.debug().state(), State::Paused);
        probe.press(Qt::Key_F10);
        QTRY_COMPARE(probe.debug().run().state().at(), behind);
    }

    void theNextNodeIsInSightAfterAStepIntoAScope() {
        WindowProbe& probe = *m_probe;
        probe.open(samplePath("resnet"));
        probe.selection().collapseAll();
        QVERIFY(probe.waitForLayout());
        probe.canvas().look().setZoom(2);
        const NodeRef next = probe.node("conv2d_1"); // in layer1.0
        probe.debug().runTo(next);
        QTRY_COMPARE(probe.debug().run().state().at(), next);
        for (int into = 0; into < 2; ++into) { // layer1, and its first block
            probe.press(Qt::Key_F11);
            QVERIFY(probe.waitForLayout());
            [&] { QTRY_VERIFY(isAtRest(probe.canvas())); }();
            const CanvasView& canvas = probe.canvas();
            const int box = canvas.geometry().picture()->diagram.boxOf(next.node);
            const QRectF seen = canvas.camera().toScreen(canvas.geometry().rect(box));
            QVERIFY2(QRectF(canvas.rect()).contains(seen), qPrintable(QString::number(into)));
        }
        QCOMPARE(probe.debug().run().state().at(), next);
    }

    void oneRunsBackToABreakpointAndToWhereAWatchChanges() {
        WindowProbe& probe = *m_probe;
        const auto back = [&](const char* to) {
            probe.press(Qt::Key_F6, Qt::ShiftModifier);
            QTRY_COMPARE(probe.debug().run().state().at(), probe.node(to));
            QTRY_COMPARE(probe.debug().state(), State::Paused);
        };
        probe.select("cond");
        probe.press(Qt::Key_F10, Qt::ControlModifier);
        QTRY_COMPARE(probe.debug().run().state().at(), probe.node("cond"));
        probe.debug().breakpoints().toggle(probe.node("sum_1"));
        back("sum_1");
        // add_ writes into the buffer calls.
        probe.workspace().watches().add("calls.item()");
        back("add_");
        QTRY_VERIFY2(probe.consoleText().contains("calls.item() changes here:"),
                     qPrintable(probe.consoleText()));
    }

    void shiftF5Stops() {
        WindowProbe& probe = *m_probe;
        probe.press(Qt::Key_F10);
        QVERIFY(probe.waitForState(State::Paused));
        QVERIFY(probe.window().actions()["stop"]->isEnabled());
        probe.press(Qt::Key_F5, Qt::ShiftModifier);
        QVERIFY(probe.waitForState(State::Over));
        QCOMPARE(probe.statusText(), "Stopped");
        QVERIFY(!probe.window().actions()["stop"]->isEnabled());
        QVERIFY(probe.code().marked(CodeView::Mark::Current).empty());
    }

    void f11GoesIntoANestedGraphAndShiftF11Out() {
        WindowProbe& probe = *m_probe;
        const ModuleId root = probe.selection().graph();
        probe.select("cond");
        probe.press(Qt::Key_F10, Qt::ControlModifier);
        QTRY_COMPARE(probe.debug().run().state().at(), probe.node("cond"));
        probe.press(Qt::Key_F11);
        QTRY_VERIFY(probe.debug().run().state().stop.frames.size() == 2);
        QTRY_VERIFY(probe.selection().graph() != root);
        QVERIFY(probe.waitForLayout());
        QCOMPARE(probe.canvas().geometry().picture()->module, probe.selection().graph());
        QVERIFY(!probe.code().text().contains("while_loop"));
        QCOMPARE(probe.code().marked(CodeView::Mark::Current).size(), size_t(1));
        probe.press(Qt::Key_F11, Qt::ShiftModifier);
        QTRY_COMPARE(probe.debug().state(), State::Paused);
        QTRY_COMPARE(probe.selection().graph(), root);
        QCOMPARE(probe.debug().run().state().at(), probe.node("getitem"));
        QVERIFY(probe.code().text().contains("while_loop"));
        // F10 walks over the loop, whose body runs many times.
        probe.select("while_loop");
        probe.press(Qt::Key_F10, Qt::ControlModifier);
        QTRY_COMPARE(probe.debug().run().state().at(), probe.node("while_loop"));
        probe.press(Qt::Key_F10);
        QTRY_COMPARE(probe.debug().run().state().at(), probe.node("getitem_1"));
    }

    void consoleTakesTheWordsOfDebug() {
        WindowProbe& probe = *m_probe;
        probe.say("b sum_1");
        QTRY_VERIFY(probe.debug().breakpoints().has(probe.node("sum_1")));
        probe.say("run");
        QTRY_COMPARE(probe.debug().state(), State::Paused);
        probe.say("c");
        QTRY_COMPARE(probe.debug().run().state().at(), probe.node("sum_1"));
        probe.say("p linear.shape");
        QTRY_VERIFY2(probe.consoleText().contains("(4, 8)") || probe.consoleText().contains("[4, 8]"),
                     qPrintable(probe.consoleText()));
        probe.say("s");
        QTRY_COMPARE(probe.debug().run().state().at(), probe.node("gt"));
        probe.say("cl 1");
        QTRY_VERIFY(!probe.debug().breakpoints().has(probe.node("sum_1")));
        probe.say("no_such_word");
        QTRY_VERIFY(probe.consoleText().contains("no_such_word"));
        auto& line = probe.find<QLineEdit>("consoleLine");
        QTest::keyClick(&line, Qt::Key_Up);
        QTest::keyClick(&line, Qt::Key_Up);
        QCOMPARE(line.text(), "cl 1");
    }

    void aClickIntoTheConsoleTypesThere() {
        auto& output = m_probe->find<QPlainTextEdit>("consoleOutput");
        auto& line = m_probe->find<QLineEdit>("consoleLine");
        m_probe->say("b sum_1");
        QTRY_VERIFY(m_probe->consoleText().contains("breakpoint 1"));
        QTest::mouseClick(output.viewport(), Qt::LeftButton, Qt::NoModifier,
                          QPoint(output.viewport()->width() - 20, 5));
        QTRY_VERIFY(line.hasFocus());
        // What is typed over selected output goes there, too.
        output.setFocus();
        QTest::keyClick(&output, 'p');
        QVERIFY(line.hasFocus());
        QCOMPARE(line.text(), "p");
    }

    void tabCompletesInTheConsole() {
        auto& line = m_probe->find<QLineEdit>("consoleLine");
        line.setFocus();
        const auto completed = [&](const char* typed) {
            line.setText(typed);
            QTest::keyClick(&line, Qt::Key_Tab);
            return line.text();
        };
        QCOMPARE(completed("until whi"), "until while_loop");
        QCOMPARE(completed("p lin"), "p linear");
        QCOMPARE(completed("unt"), "unt"); // or until
        QVERIFY2(m_probe->consoleText().endsWith("unt  until"), qPrintable(m_probe->consoleText()));
        QCOMPARE(completed("b op=pl"), "b op=placeholder");
        QCOMPARE(completed("no such"), "no such");
        QVERIFY(line.hasFocus());
    }

    void breakpointListSwitchesConditionsAndRemoves() {
        WindowProbe& probe = *m_probe;
        auto& line = probe.find<QLineEdit>("breakpointLine");
        auto& list = probe.find<QTreeWidget>("breakpointList");
        const auto add = [&](const QString& text) {
            line.setFocus();
            QTest::keyClicks(&line, text);
            QTest::keyClick(&line, Qt::Key_Return);
        };
        add("gt, sum_1 > 1e9");
        add("scope=linear");
        add("no_such_node");
        QCOMPARE(list.topLevelItemCount(), 2);
        QCOMPARE(list.topLevelItem(0)->text(1), "sum_1 > 1e9");
        QVERIFY2(!line.text().isEmpty(), "what was wrong stays to be mended");
        line.clear();
        // A condition that is no expression is refused at once, in the line and in the list.
        add("sum_1, sum_1 >");
        QCOMPARE(list.topLevelItemCount(), 2);
        QCOMPARE(line.text(), "sum_1, sum_1 >");
        line.clear();
        list.topLevelItem(0)->setText(1, "sum_1 >");
        QVERIFY(!labelled("invalid syntax").isEmpty());
        QCoreApplication::processEvents();
        QCOMPARE(probe.debug().breakpoints().all()[0].condition, std::string("sum_1 > 1e9"));
        list.topLevelItem(0)->setText(1, "sum_1 > 1e9");
        QTRY_VERIFY(labelled("invalid syntax").isEmpty());
        probe.press(Qt::Key_F5);
        QTRY_COMPARE(probe.debug().run().state().at(), probe.node("linear"));
        probe.press(Qt::Key_F5);
        QVERIFY(probe.waitForState(State::Over));
        // Switched off by its check box.
        list.scrollToItem(list.topLevelItem(0));
        list.topLevelItem(0)->setCheckState(0, Qt::Unchecked);
        QTRY_VERIFY(!probe.debug().breakpoints().all()[0].isEnabled);
        list.setCurrentItem(list.topLevelItem(0));
        QTest::keyClick(&list, Qt::Key_Delete);
        QCOMPARE(list.topLevelItemCount(), 1);
    }

    void breakpointsAreRememberedByModel() {
        WindowProbe& probe = *m_probe;
        probe.select("gt");
        probe.press(Qt::Key_F9);
        probe.restart();
        probe.open(samplePath("resnet"));
        QVERIFY(probe.debug().breakpoints().all().empty());
        probe.open(samplePath("control_flow"));
        QVERIFY(probe.debug().breakpoints().has(probe.node("gt")));
    }

    void clickInTheMarginOfTheCodeSetsABreakpoint() {
        WindowProbe& probe = *m_probe;
        QWidget& editor = *probe.code().focusProxy();
        const int line = probe.workspace().code().lineOf(probe.node("gt").node);
        int y = 0;
        while (y < editor.height() && probe.code().lineAt({90, y}) != line)
            ++y;
        auto* viewport = static_cast<QAbstractScrollArea&>(editor).viewport();
        QTest::mouseClick(viewport, Qt::LeftButton, Qt::NoModifier, {5, y + 3});
        QVERIFY(probe.debug().breakpoints().has(probe.node("gt")));
        QTest::mouseClick(viewport, Qt::LeftButton, Qt::NoModifier, {5, y + 3});
        QVERIFY(!probe.debug().breakpoints().has(probe.node("gt")));
    }

    void nanGetsABadgeAndStopsTheRun() {
        WindowProbe& probe = *m_probe;
        // Typed in the inputs dialog.
        withDialog([](QDialog& dialog) {
            for (QComboBox* box : dialog.findChildren<QComboBox*>())
                if (box->accessibleName() == "Source of x") {
                    box->setCurrentIndex(box->findText("Expression"));
                    Q_EMIT box->activated(box->currentIndex());
                }
            for (QLineEdit* line : dialog.findChildren<QLineEdit*>())
                if (line->accessibleName() == "Value of x") {
                    line->clear();
                    QTest::keyClicks(line, "full((4, 8), float('nan'))");
                }
            QTest::mouseClick(dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok),
                              Qt::LeftButton);
        });
        probe.press(Qt::Key_I, Qt::ControlModifier);
        QCOMPARE(probe.debug().inputs().memory().inputs.value("x"), "full((4, 8), float('nan'))");
        probe.window().actions()["nonFinite"]->trigger();
        QVERIFY(probe.debug().breakpoints().stopsAtNonFinite());
        probe.press(Qt::Key_F5);
        QTRY_COMPARE(probe.debug().state(), State::Paused);
        QCOMPARE(probe.debug().run().state().stop.reason, Paused::Reason::NonFinite);
        const NodeRef faulty = probe.debug().run().values().order().back();
        QVERIFY(boxState(probe, faulty).health.hasNan);
        QCOMPARE(probe.selection().current(), faulty);
        auto& steps = probe.find<QTreeView>("Steps");
        const int last = steps.model()->rowCount() - 1;
        QCOMPARE(steps.model()->index(last, 4).data().toString(), "NaN");
    }

    void runOptionsReachTheRunAndAreRemembered() {
        WindowProbe& probe = *m_probe;
        withDialog([](QDialog& dialog) {
            for (QComboBox* box : dialog.findChildren<QComboBox*>())
                if (box->accessibleName() == "Gradients")
                    box->setCurrentText("grad");
            for (QLineEdit* line : dialog.findChildren<QLineEdit*>())
                if (line->accessibleName() == "Seed")
                    QTest::keyClicks(line, "7");
            QTest::mouseClick(dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok),
                              Qt::LeftButton);
        });
        probe.press(Qt::Key_I, Qt::ControlModifier);
        QTRY_COMPARE(probe.debug().inputs().memory().gradMode, "grad");
        QCOMPARE(probe.debug().inputs().memory().seed, "7");
        probe.restart();
        probe.open(samplePath("control_flow"));
        probe.select("sum_1");
        probe.press(Qt::Key_F10, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(probe.debug().run().state().at(), probe.node("sum_1"), 30000);
        probe.say("p linear.requires_grad");
        QTRY_VERIFY2(probe.consoleText().endsWith("\nTrue"), qPrintable(probe.consoleText()));
        probe.say("p torch.initial_seed()");
        QTRY_VERIFY2(probe.consoleText().endsWith("\n7"), qPrintable(probe.consoleText()));
    }

    void failedRunShowsWhere() {
        WindowProbe& probe = *m_probe;
        DebugMemory inputs;
        inputs.inputs["x"] = "randn(4, 7)";
        probe.debug().inputs().set(inputs);
        probe.press(Qt::Key_F5);
        QVERIFY(probe.waitForState(State::Over));
        QVERIFY(!endText(probe.debug().run().state()).isEmpty());
        QVERIFY2(!probe.statusText().startsWith("Finished"), qPrintable(probe.statusText()));
    }

private:
    /// The visible labels that hold the words.
    QStringList labelled(const QString& words) {
        QStringList out;
        for (const QLabel* label : m_probe->window().findChildren<QLabel*>())
            if (label->isVisible() && label->text().contains(words))
                out << label->text();
        return out;
    }

    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestStepping)
} // namespace fx::ui::stepping_test
#include "tst_stepping.moc"
