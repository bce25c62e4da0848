// SPDX-License-Identifier: GPL-3.0-or-later
// What a run shows of itself: steps over closed scopes, and what is left of it after jumps, edits and
// failures.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/document/graph_intents.h"
#include "widgets/support/qt_text.h"

#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QTreeView>

namespace fx::ui::runs_test {

using State = DebugService::State;

namespace {

const BoxState& boxState(WindowProbe& probe, NodeRef node) {
    const Picture& picture = *probe.canvas().geometry().picture();
    return probe.canvas().states().of(picture, picture.diagram.boxOf(node.node));
}

} // namespace

class TestRuns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_probe = std::make_unique<WindowProbe>();
        m_probe->open(samplePath("control_flow"));
    }
    void cleanup() { m_probe.reset(); }

    void keysThatAreHeldAreAllTaken() {
        WindowProbe& probe = *m_probe;
        probe.open(samplePath("resnet"));
        probe.press(Qt::Key_F10);
        QVERIFY(probe.waitForState(State::Paused));
        const size_t before = probe.debug().run().values().order().size();
        for (int i = 0; i < 20; ++i)
            probe.press(Qt::Key_F10);
        QTRY_COMPARE(probe.debug().run().values().order().size(), before + 20);
        QVERIFY(probe.waitForState(State::Paused));
    }

    void aClosedScopeIsOneStep() {
        WindowProbe& probe = *m_probe;
        probe.open(samplePath("resnet"));
        probe.select("conv2d_1"); // the first of layer1
        probe.press(Qt::Key_F10, Qt::ControlModifier);
        QTRY_COMPARE(probe.debug().run().state().at(), probe.node("conv2d_1"));
        probe.selection().collapseAll();
        QVERIFY(probe.waitForLayout());
        probe.press(Qt::Key_F10);
        const auto current = [&] {
            const NodeRef at = probe.debug().run().state().at();
            return at.node ? qt(probe.workspace().document().model().graph(at.module).node(at.node).name)
                           : QString();
        };
        QTRY_COMPARE(current(), "conv2d_8"); // the first of layer2
        // Into it: it opens, and nothing runs.
        const size_t before = probe.debug().run().values().order().size();
        probe.press(Qt::Key_F11);
        QTRY_VERIFY(probe.selection().isExpanded("layer2"));
        QVERIFY(probe.waitForLayout());
        QCOMPARE(probe.debug().run().values().order().size(), before);
        QCOMPARE(probe.debug().run().state().at(), probe.node("conv2d_8"));
    }

    void aScopeWaitsForItsCalls() {
        WindowProbe& probe = *m_probe;
        probe.open(samplePath("resnet"));
        probe.selection().collapseAll();
        QVERIFY(probe.waitForLayout());
        probe.press(Qt::Key_F10); // all weights are there, no call has run
        QVERIFY(probe.waitForState(State::Paused));
        const Picture& picture = *probe.canvas().geometry().picture();
        int scopes = 0;
        for (size_t i = 0; i < picture.diagram.boxes.size(); ++i) {
            if (picture.diagram.boxes[i].kind != DiagramBox::Kind::CollapsedScope)
                continue;
            ++scopes;
            const BoxState& state = probe.canvas().states().of(picture, static_cast<int>(i));
            QVERIFY(!state.hasRun);
            QVERIFY(state.isAwaited);
        }
        QVERIFY(scopes > 2);
    }

    void whatAJumpTakesBackIsNotShownAsRun() {
        WindowProbe& probe = *m_probe;
        probe.select("gt");
        probe.press(Qt::Key_F10, Qt::ControlModifier);
        QTRY_COMPARE(probe.debug().run().state().at(), probe.node("gt"));
        const NodeRef sum = probe.node("sum_1"), linear = probe.node("linear");
        QVERIFY(boxState(probe, sum).hasRun);
        probe.say("jump linear");
        QTRY_COMPARE(probe.debug().run().state().at(), linear);
        QVERIFY(!boxState(probe, sum).hasRun);
        QVERIFY(boxState(probe, sum).isAwaited);
        QVERIFY(boxState(probe, sum).value.isEmpty());
        probe.selection().select(sum);
        QTRY_VERIFY(!labelled("From before").isEmpty());
        probe.press(Qt::Key_F5);
        QVERIFY(probe.waitForState(State::Over));
        QVERIFY(boxState(probe, sum).hasRun);
        QTRY_VERIFY(labelled("From before").isEmpty());
    }

    void atTheNodeAFaultIsShownWithoutItsPlace() {
        WindowProbe& probe = *m_probe;
        const NodeRef linear = probe.node("linear");
        QCOMPARE(setArgument(probe.workspace().document(), linear, 1, {}, "x"), QString()); // as the weight
        probe.press(Qt::Key_F5);
        QVERIFY(probe.waitForState(State::Over));
        const QString fault = boxState(probe, linear).fault;
        QVERIFY(!fault.isEmpty());
        QVERIFY2(!fault.contains("'linear'"), qPrintable(fault));
        const QString whole = endText(probe.debug().run().state());
        QVERIFY2(whole.startsWith("node 'linear'") && whole.endsWith(": " + fault), qPrintable(whole));
        // The console has all of it, but no advice about logs that there are none of.
        QVERIFY2(probe.consoleText().contains("While executing"), qPrintable(probe.consoleText()));
        QVERIFY(!probe.consoleText().contains("tlparse"));
        const auto& rows = *probe.find<QTreeView>("Problems").model();
        QCOMPARE(rows.index(0, 1).data().toString() + "|" + rows.index(0, 2).data().toString(),
                 "linear|" + fault);
    }

    void anEditEndsTheRunAndLeavesWhatItDoesNotConcern() {
        WindowProbe& probe = *m_probe;
        probe.press(Qt::Key_F5);
        QVERIFY(probe.waitForState(State::Over));
        const NodeRef linear = probe.node("linear"), sum = probe.node("sum_1"), gt = probe.node("gt");
        QCOMPARE(setArgument(probe.workspace().document(), gt, 1, {}, "5"), QString());
        QCOMPARE(probe.debug().state(), State::Over);
        QVERIFY2(probe.statusText().startsWith("The graph has changed"), qPrintable(probe.statusText()));
        QVERIFY(boxState(probe, linear).hasRun);
        QVERIFY(boxState(probe, sum).hasRun);
        QVERIFY(!boxState(probe, gt).hasRun);
        QVERIFY(boxState(probe, gt).isStale);
        QVERIFY(boxState(probe, probe.node("cond")).isStale);
        probe.selection().select(gt);
        QTRY_VERIFY(!labelled("From before the edit").isEmpty());
        // The values are still to be had, those of nodes that were renamed too.
        QCOMPARE(renameNode(probe.workspace().document(), linear, "first"), QString());
        QVERIFY(boxState(probe, linear).hasRun);
        probe.selection().select(linear);
        QTRY_VERIFY(labelled("From before the edit").isEmpty());
        QTRY_VERIFY(!labelled("f32[4, 8]").isEmpty());
        // A node that came with the edit has none, and the run is not asked.
        QCOMPARE(duplicateNodes(probe.workspace().document(), gt.module, {sum.node}), QString());
        probe.select("sum_2");
        QTRY_VERIFY(!labelled("No value yet").isEmpty());
        probe.workspace().document().undoStack().undo();
        // What is taken back is as it was.
        probe.workspace().document().undoStack().undo();
        probe.workspace().document().undoStack().undo();
        QVERIFY(boxState(probe, gt).hasRun);
        QVERIFY(!boxState(probe, gt).isStale);
    }

    void anotherRunGoesOnFromTheValuesThatHold() {
        WindowProbe& probe = *m_probe;
        probe.press(Qt::Key_F5);
        QVERIFY(probe.waitForState(State::Over));
        const NodeRef linear = probe.node("linear"), gt = probe.node("gt");
        QCOMPARE(setArgument(probe.workspace().document(), gt, 1, {}, "5"), QString());
        probe.press(Qt::Key_F5);
        QVERIFY(probe.waitForState(State::Over));
        QTRY_VERIFY2(probe.statusText().contains("nodes ran again"), qPrintable(probe.statusText()));
        QVERIFY(probe.consoleText().contains("nodes keep their values"));
        QVERIFY(boxState(probe, gt).hasRun && !boxState(probe, gt).isStale);
        QVERIFY(boxState(probe, linear).hasRun);
        probe.selection().select(linear); // its value is still to be had
        QTRY_VERIFY(!labelled("f32[4, 8]").isEmpty());
        // A step stops before the first that is to run.
        QCOMPARE(setArgument(probe.workspace().document(), gt, 1, {}, "0"), QString());
        probe.press(Qt::Key_F10);
        QVERIFY(probe.waitForState(State::Paused));
        QCOMPARE(probe.debug().run().state().at(), gt);
        QVERIFY(!boxState(probe, gt).hasRun);
        probe.press(Qt::Key_F5);
        QVERIFY(probe.waitForState(State::Over));
        // All of it, where one asks for it.
        QCOMPARE(setArgument(probe.workspace().document(), gt, 1, {}, "1"), QString());
        probe.press(Qt::Key_F5, Qt::ControlModifier);
        QVERIFY(probe.waitForState(State::Over));
        QVERIFY2(!probe.statusText().contains("ran again"), qPrintable(probe.statusText()));
    }

    void aRunIsRestartedFromANode() {
        WindowProbe& probe = *m_probe;
        probe.press(Qt::Key_F5);
        QVERIFY(probe.waitForState(State::Over));
        probe.select("gt");
        probe.press(Qt::Key_F10, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(probe.waitForState(State::Paused));
        QCOMPARE(probe.debug().run().state().at(), probe.node("gt"));
        QVERIFY(boxState(probe, probe.node("linear")).hasRun);
        probe.say("p linear.shape");
        QTRY_VERIFY(probe.consoleText().contains("torch.Size([4, 8])"));
        probe.press(Qt::Key_F5);
        QVERIFY(probe.waitForState(State::Over));
        QTRY_VERIFY2(probe.statusText().contains("nodes ran again"), qPrintable(probe.statusText()));
    }

    void otherInputsRunAll() {
        WindowProbe& probe = *m_probe;
        probe.press(Qt::Key_F5);
        QVERIFY(probe.waitForState(State::Over));
        DebugMemory other = probe.debug().inputs().memory();
        other.seed = "7";
        probe.debug().inputs().set(other);
        QCOMPARE(setArgument(probe.workspace().document(), probe.node("gt"), 1, {}, "5"), QString());
        probe.press(Qt::Key_F5);
        QVERIFY(probe.waitForState(State::Over));
        QTRY_VERIFY2(probe.statusText().startsWith("Finished"), qPrintable(probe.statusText()));
        QVERIFY2(!probe.statusText().contains("ran again"), qPrintable(probe.statusText()));
    }

    void theFirstNodeThatGaveNanIsFound() {
        WindowProbe& probe = *m_probe;
        probe.select("sum_1");
        QVERIFY(!probe.window().actions()["origin"]->isEnabled());
        probe.press(Qt::Key_F10, Qt::ControlModifier);
        QTRY_COMPARE(probe.debug().run().state().at(), probe.node("sum_1"));
        probe.say("linear = linear * float('nan')");
        QTRY_VERIFY(probe.consoleText().contains("linear is now"));
        probe.press(Qt::Key_F5);
        QVERIFY(probe.waitForState(State::Over));
        QTRY_VERIFY(probe.window().actions()["origin"]->isEnabled());
        probe.press(Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(probe.selection().current(), probe.node("linear"));
        QVERIFY(probe.consoleText().contains("NaN comes first out of linear at [0, 0] (32 of 32 elements)"));
    }

    void whereZerosAndLargeValuesComeFrom() {
        WindowProbe& probe = *m_probe;
        probe.select("sum_1");
        QVERIFY(!probe.window().actions()["trait"]->isEnabled());
        probe.press(Qt::Key_F10, Qt::ControlModifier);
        QTRY_COMPARE(probe.debug().run().state().at(), probe.node("sum_1"));
        probe.say("linear = linear * 0 + 20000");
        QTRY_VERIFY(probe.consoleText().contains("linear is now"));
        probe.press(Qt::Key_F5);
        QVERIFY(probe.waitForState(State::Over));
        const auto ask = [&](const QString& trait) {
            probe.select("sum_1");
            withDialog([trait](QDialog& dialog) {
                dialog.findChild<QComboBox*>()->setEditText(trait);
                dialog.accept();
            });
            probe.window().actions()["trait"]->trigger();
        };
        ask("> 1e4");
        QTRY_COMPARE(probe.selection().current(), probe.node("linear"));
        ask("large");
        QTRY_VERIFY2(probe.consoleText().contains("'large' is nothing to look for"),
                     qPrintable(probe.consoleText()));
        ask("zero");
        QTRY_VERIFY2(probe.consoleText().contains("sum_1 does not hold"), qPrintable(probe.consoleText()));
    }

    void aRenameLeavesARunThatStands() {
        WindowProbe& probe = *m_probe;
        probe.select("gt");
        probe.press(Qt::Key_F10, Qt::ControlModifier);
        QTRY_COMPARE(probe.debug().run().state().at(), probe.node("gt"));
        QCOMPARE(renameNode(probe.workspace().document(), probe.node("linear"), "first"), QString());
        QCOMPARE(renameNode(probe.workspace().document(), probe.node("sum_1"), "linear"), QString());
        QCOMPARE(probe.debug().state(), State::Paused);
        probe.say("p first.shape, linear.shape");
        QTRY_VERIFY2(probe.consoleText().contains("(torch.Size([4, 8]), torch.Size([]))"),
                     qPrintable(probe.consoleText()));
        probe.workspace().document().undoStack().undo();
        probe.workspace().document().undoStack().undo();
        probe.say("p linear.stride()");
        QTRY_VERIFY2(probe.consoleText().contains("(8, 1)"), qPrintable(probe.consoleText()));
        probe.press(Qt::Key_F5);
        QVERIFY(probe.waitForState(State::Over));
        QVERIFY(!probe.debug().run().state().failure());
    }

    void anEditEndsARunThatStands() {
        WindowProbe& probe = *m_probe;
        probe.press(Qt::Key_F10);
        QVERIFY(probe.waitForState(State::Paused));
        probe.select("add_");
        probe.press(Qt::Key_Delete);
        QCOMPARE(probe.debug().state(), State::Over);
        QVERIFY(probe.consoleText().contains("the graph has changed"));
        probe.press(Qt::Key_F5);
        QVERIFY(probe.waitForState(State::Over));
        QTRY_VERIFY2(probe.statusText().startsWith("Finished"), qPrintable(probe.statusText()));
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

FX_TEST(TestRuns)
} // namespace fx::ui::runs_test
#include "tst_runs.moc"
