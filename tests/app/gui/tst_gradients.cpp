// SPDX-License-Identifier: GPL-3.0-or-later
// Gradients beside values: a run that finds them, where they are shown, and a loss that is chosen. And a run
// that is held against one that was saved.
#include "core/compare/reference_file.h"
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/panes/inputs_dialog.h"
#include "widgets/panes/tensor_image.h"
#include "widgets/panes/tensor_pane.h"
#include "widgets/support/qt_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeWidget>

namespace fx::ui::gradients_test {

using State = DebugService::State;

class TestGradients : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_probe = std::make_unique<WindowProbe>(); }
    void cleanup() { m_probe.reset(); }

    void aRunFindsThem() {
        WindowProbe& probe = *m_probe;
        probe.open(samplePath("resnet"));
        probe.select("batch_norm");
        QVERIFY(rowsUnder("Gradients").isEmpty());
        runWithGradients();
        QVERIFY2(probe.consoleText().contains("loss: the sum of output = "), qPrintable(probe.consoleText()));
        QVERIFY(probe.consoleText().contains("gradients of "));
        // In the inspector: of the value and of what the node reads.
        QTRY_VERIFY(rowsUnder("Gradients").contains("value f32[1, 16, 32, 32]"));
        QVERIFY2(rowsUnder("Gradients").contains("weight f32[16]"),
                 qPrintable(rowsUnder("Gradients").join('\n')));
        // In the console.
        probe.say("p grad('batch_norm').shape, grad('bn1.weight').shape");
        QTRY_VERIFY2(probe.consoleText().endsWith("(torch.Size([1, 16, 32, 32]), torch.Size([16]))"),
                     qPrintable(probe.consoleText()));
        // A run without them has none.
        probe.press(Qt::Key_F5, Qt::ControlModifier);
        QVERIFY(probe.waitForState(State::Over));
        QTRY_VERIFY(rowsUnder("Gradients").isEmpty());
    }

    void theTensorPaneShowsThem() {
        WindowProbe& probe = *m_probe;
        probe.open(samplePath("resnet"));
        runWithGradients();
        probe.select("batch_norm");
        choose("gradient");
        QTRY_VERIFY2(labels().contains("The gradient of the sum of output"), qPrintable(labels()));
        QTRY_COMPARE(probe.find<TensorImage>("tensorImage").panels().size(), size_t(1));
        // It stays with gradients while one goes through nodes.
        probe.select("relu");
        QTRY_COMPARE(probe.find<QComboBox>("Which tensor of it").currentText(), "gradient");
        QTRY_VERIFY(labels().contains("relu") && labels().contains("The gradient of"));
        // Those of parameters, and back to values.
        probe.select("batch_norm");
        choose("weight.grad");
        QTRY_VERIFY2(labels().contains("f32[16]"), qPrintable(labels()));
        probe.select("relu");
        QTRY_COMPARE(probe.find<QComboBox>("Which tensor of it").currentText(), "gradient");
        choose("value");
        QTRY_VERIFY(!labels().contains("The gradient of"));
    }

    void aLossIsChosenWithTheInputs() {
        WindowProbe& probe = *m_probe;
        probe.open(samplePath("resnet"));
        withDialog([](QDialog& dialog) {
            const auto closing = closingIfFailed(dialog);
            auto& mode = findIn<QComboBox>(dialog, "Gradients");
            mode.setFocus();
            QTest::keyClick(&mode, Qt::Key_End);
            QCOMPARE(mode.currentText(), "of a loss");
            auto& loss = findIn<QLineEdit>(dialog, "Loss");
            loss.setFocus();
            QTest::keyClicks(&loss, "relu.mean() * 0");
            dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->click();
        });
        probe.press(Qt::Key_I, Qt::ControlModifier);
        QTRY_COMPARE(probe.debug().inputs().memory().loss, "relu.mean() * 0");
        probe.press(Qt::Key_F5);
        QVERIFY(probe.waitForState(State::Over));
        QTRY_VERIFY2(probe.consoleText().contains("loss: relu.mean() * 0 = 0.0"),
                     qPrintable(probe.consoleText()));
        QVERIFY(probe.consoleText().contains("all zero: "));
        probe.select("relu");
        QTRY_VERIFY(rowsUnder("Gradients").contains("value f32[1, 16, 32, 32]  all zero"));
        // It is remembered for the model, and an edit lets go of the gradients.
        probe.press(Qt::Key_F2);
        probe.restart();
        probe.open(samplePath("resnet"));
        QCOMPARE(probe.debug().inputs().memory().loss, "relu.mean() * 0");
        QCOMPARE(probe.debug().inputs().memory().gradMode, QString(kOfLoss));
    }

    void aGradientThatIsNotFiniteFailsTheRun() {
        WindowProbe& probe = *m_probe;
        probe.open(samplePath("control_flow"));
        DebugMemory memory = probe.debug().inputs().memory();
        memory.loss = "(linear * 0).sqrt()";
        probe.debug().inputs().set(memory);
        runWithGradients();
        QVERIFY(probe.debug().run().state().failure());
        QVERIFY2(endText(probe.debug().run().state()).startsWith("the loss: SqrtBackward0 makes Inf in "),
                 qPrintable(endText(probe.debug().run().state())));
        QVERIFY(probe.debug().gradients().find(probe.node("linear"))->health.hasNan); // Inf times 0
    }

    /// Forward and backward as one graph, each node of which can be looked at.
    void theJointGraphIsSteppedNodeByNode() {
        WindowProbe& probe = *m_probe;
        const QString path = m_folder.filePath("net.py");
        QFile file(path);
        QVERIFY(file.open(QFile::WriteOnly));
        file.write("import torch\n\n\nclass Net(torch.nn.Module):\n    def __init__(self):\n"
                   "        super().__init__()\n"
                   "        self.weight = torch.nn.Parameter(torch.full((3, 2), 0.5))\n\n"
                   "    def forward(self, x):\n        return torch.tanh(x @ self.weight)\n");
        file.close();
        probe.open(path + ":Net()");
        DebugMemory memory = probe.debug().inputs().memory();
        memory.inputs["x"] = "torch.arange(6.0).reshape(2, 3) / 10";
        probe.debug().inputs().set(memory);
        runWithGradients();
        const QString gradient = answer("grad('weight').tolist()");
        QVERIFY2(gradient.startsWith("[[") && !gradient.contains("nan"), qPrintable(gradient));

        withDialog([](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            auto& backward = findIn<QCheckBox>(dialog, "Backward");
            backward.setFocus();
            QTest::keyClick(&backward, Qt::Key_Space);
            QVERIFY(backward.isChecked());
            QTest::mouseClick(dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok),
                              Qt::LeftButton);
        });
        probe.window().actions().pass("capture")->trigger();
        QTRY_VERIFY2_WITH_TIMEOUT(probe.code().text().contains("tanh_backward"), qPrintable(probe.toast()),
                                  60000);
        memory.gradMode.clear();
        memory.inputs["tangents_1"] = "torch.ones(2, 2)"; // the gradient of the result, of its sum
        probe.debug().inputs().set(memory);
        const Graph& graph = probe.workspace().document().model().graph();
        probe.press(Qt::Key_F10);
        QTRY_COMPARE_WITH_TIMEOUT(probe.debug().state(), State::Paused, 30000);
        for (NodeRef at = probe.debug().run().state().at(); at.node != graph.outputNode();) {
            probe.press(Qt::Key_F10);
            QTRY_VERIFY(probe.debug().state() == State::Paused && probe.debug().run().state().at() != at);
            QVERIFY2(probe.debug().run().values().record(at), graph.node(at.node).name.c_str());
            at = probe.debug().run().state().at();
        }
        // What the joint graph gives besides the result is what autograd has found.
        const NodeId last = graph.node(graph.outputNode()).inputs.back().node;
        QCOMPARE(answer(qt(graph.node(last).name) + ".tolist()"), gradient);
        QVERIFY(probe.debug()
                    .run()
                    .values()
                    .record({probe.workspace().document().model().root(), last})
                    ->health.isFinite());
    }

    void theFirstDifferenceFromASavedRun() {
        WindowProbe& probe = *m_probe;
        probe.open(samplePath("control_flow"));
        const QString path = m_folder.filePath("run.pt");
        const OpenedModel& opened = probe.workspace().document().opened();
        Progress progress;
        saveReference(opened.model, makeInputs(opened, probe.debug().inputs().specs()), {}, utf8(path),
                      progress);
        runTo("sum_1");
        setValue("linear", "linear + 1");
        QTRY_VERIFY(!probe.debug().run().values().record(probe.node("linear"))->setTo.empty());
        probe.press(Qt::Key_F5);
        QVERIFY(probe.waitForState(State::Over));
        probe.select("sum_1");
        QTRY_VERIFY(probe.window().actions()["difference"]->isEnabled());
        answerFileDialog(path);
        probe.press(Qt::Key_N, Qt::ControlModifier | Qt::AltModifier);
        QTRY_COMPARE(probe.selection().current(), probe.node("linear"));
        QVERIFY2(
            probe.consoleText().contains("linear is the first that differs from " + path + ": max abs 1"),
            qPrintable(probe.consoleText()));
        // The value of that run takes its place.
        runTo("sum_1");
        setValue("linear", "@" + path);
        QTRY_COMPARE(qt(probe.debug().run().values().record(probe.node("linear"))->setTo), "@" + path);
        probe.say("why linear @" + path);
        QTRY_VERIFY2(probe.consoleText().endsWith("*** linear is the same as in " + path),
                     qPrintable(probe.consoleText()));
    }

    void aFileIsPickedForAValue() {
        WindowProbe& probe = *m_probe;
        probe.open(samplePath("control_flow"));
        runTo("sum_1");
        probe.select("linear");
        probe.press(Qt::Key_F2, Qt::ShiftModifier);
        QTRY_VERIFY(probe.find<QLineEdit>("newValue").hasFocus());
        const QString path = m_folder.filePath("linear.npy");
        probe.debug().values().save(probe.node("linear"), path);
        QTRY_VERIFY(QFile::exists(path));
        answerFileDialog(path);
        probe.press(Qt::Key_Tab);
        probe.press(Qt::Key_Space);
        QTRY_COMPARE(probe.find<QLineEdit>("newValue").text(), "@" + path);
        probe.press(Qt::Key_Return);
        QTRY_COMPARE(qt(probe.debug().run().values().record(probe.node("linear"))->setTo), "@" + path);
    }

    void aValueThatNobodyReadsIsWarnedOf() {
        WindowProbe& probe = *m_probe;
        probe.open(samplePath("control_flow"));
        runTo("cond");
        setValue("sum_1", "sum_1 * 2"); // gt has read it
        QTRY_VERIFY(!probe.debug().run().values().record(probe.node("sum_1"))->setTo.empty());
        probe.press(Qt::Key_F5);
        QVERIFY(probe.waitForState(State::Over));
        const QString warning =
            "the value that was set for sum_1 (sum_1 * 2) took no effect: no node has read it";
        QTRY_VERIFY2(probe.toast().contains(warning), qPrintable(probe.toast()));
        QVERIFY(probe.consoleText().contains("warning: " + warning));
    }

private:
    void runWithGradients() {
        m_probe->press(Qt::Key_F5, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(m_probe->debug().state(), State::Over);
    }
    /// What the console says to `p EXPRESSION`.
    QString answer(const QString& expression) {
        const qsizetype before = m_probe->consoleText().size();
        m_probe->say("p " + expression);
        [&] { QTRY_VERIFY(m_probe->consoleText().mid(before).trimmed().count('\n') > 0); }();
        return m_probe->consoleText().section('\n', -1).trimmed();
    }
    void runTo(const QString& node) {
        m_probe->select(node);
        m_probe->press(Qt::Key_F10, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(m_probe->debug().run().state().at(), m_probe->node(node), 30000);
    }
    void setValue(const QString& node, const QString& expression) {
        m_probe->select(node);
        QTRY_VERIFY(m_probe->window().actions()["setValue"]->isEnabled());
        m_probe->press(Qt::Key_F2, Qt::ShiftModifier);
        auto& line = m_probe->find<QLineEdit>("newValue");
        QTRY_VERIFY(line.hasFocus());
        QTest::keyClicks(&line, expression);
        QTest::keyClick(&line, Qt::Key_Return);
    }
    /// In the tensor pane.
    void choose(const QString& what) {
        auto& box = m_probe->find<QComboBox>("Which tensor of it");
        QTRY_VERIFY(box.findText(what) >= 0);
        box.setFocus();
        QTest::keyClick(&box, Qt::Key_Home);
        for (int i = 0; i < box.count() && box.currentText() != what; ++i)
            QTest::keyClick(&box, Qt::Key_Down);
        QCOMPARE(box.currentText(), what);
    }
    QString labels() {
        QStringList out;
        for (QLabel* label : m_probe->window().view()->tensor().findChildren<QLabel*>())
            if (label->isVisible())
                out << label->text();
        return out.join('\n');
    }
    /// Of the inspector.
    QStringList rowsUnder(const QString& title) {
        QStringList out;
        auto& rows = m_probe->find<QTreeWidget>("nodeRows");
        for (int i = 0; i < rows.topLevelItemCount(); ++i)
            if (rows.topLevelItem(i)->text(0) == title)
                for (int row = 0; row < rows.topLevelItem(i)->childCount(); ++row)
                    out << rows.topLevelItem(i)->child(row)->text(0) + ' ' +
                               rows.topLevelItem(i)->child(row)->text(1);
        return out;
    }

    QTemporaryDir m_folder;
    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestGradients)
} // namespace fx::ui::gradients_test
#include "tst_gradients.moc"
