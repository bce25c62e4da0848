// SPDX-License-Identifier: GPL-3.0-or-later
// Python source in the window: tracing with options, editing the generated code, replacing by pattern.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/canvas/box_states.h"
#include "widgets/panes/replace_dialog.h"
#include "widgets/panes/trace_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeView>

namespace fx::ui::tracing_test {

class TestTracing : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        QFile source(m_folder->filePath("net.py"));
        QVERIFY(source.open(QFile::WriteOnly));
        source.write("import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n"
                     "    def __init__(self, depth=2):\n        super().__init__()\n"
                     "        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(depth)])\n\n"
                     "    def forward(self, x, flag=False):\n        for layer in self.layers:\n"
                     "            x = torch.relu(layer(x))\n        return x * 2 if flag else x\n\n\n"
                     "def double(x):\n    return x * 2\n");
        source.close();
        m_probe = std::make_unique<WindowProbe>();
    }
    void cleanup() { m_probe.reset(); }

    void tracesWithOptions() {
        open("Net(depth=3)", "flag=True");
        QCOMPARE(m_probe->workspace().document().model().graph().findNodes(Opcode::CallModule).size(),
                 size_t(3));
        QVERIFY(m_probe->code().text().contains("layers_2 = getattr(self.layers, \"2\")(relu_1)"));
        QVERIFY(m_probe->code().text().contains("torch._assert("));
        QVERIFY(m_probe->code().text().contains("mul = relu_2 * 2"));
    }

    void fixedArgumentsMayStandInTheirOrder() {
        open("Net(depth=1)", "torch.fx.PH\nTrue");
        QVERIFY2(m_probe->code().text().contains("relu * 2"), qPrintable(m_probe->code().text()));
    }

    void enterTracesTheModelThatIsOffered() {
        withDialog([](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            auto& model = findIn<QComboBox>(dialog, "Model");
            QTRY_COMPARE_WITH_TIMEOUT(model.currentText(), "Net()", 30000);
            QTRY_VERIFY(model.lineEdit()->hasFocus());
            // Arguments are typed where they belong.
            QCOMPARE(model.lineEdit()->cursorPosition(), 4);
            findIn<QPlainTextEdit>(dialog, "Fixed arguments").setPlainText("flag=False");
            QTest::keyClick(model.lineEdit(), Qt::Key_Return);
            auto* trace = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
            QVERIFY2(!trace->isEnabled(), "nothing is traced");
        });
        m_probe->open(m_folder->filePath("net.py"));
        QVERIFY(m_probe->code().text().contains("layers_1"));
    }

    void boxesAndWiresSayTheShapesOfARun() {
        open("double", "");
        const std::shared_ptr<const Picture> picture = m_probe->workspace().layout().picture();
        const int x = picture->diagram.boxOf(m_probe->node("x").node);
        QCOMPARE(picture->diagram.boxes[static_cast<size_t>(x)].height, card::kHeight);
        const BoxStates& states = m_probe->canvas().states();
        QCOMPARE(states.wireLabel(*picture, 0), "");
        m_probe->say("restart"); // what the session has no inputs for, it says
        QVERIFY(m_probe->waitForState(DebugService::State::Over));
        DebugMemory memory;
        memory.inputs["x"] = "torch.ones(2, 3)";
        m_probe->debug().inputs().set(memory);
        m_probe->press(Qt::Key_F5);
        QTRY_COMPARE(states.of(*picture, x).value, "f32[2, 3]");
        QTRY_COMPARE(states.wireLabel(*picture, 0), "f32[2, 3]");
    }

    void boxesOfModulesSayTheirClass() {
        open("Net()", "flag=False");
        const Picture& picture = *m_probe->canvas().geometry().picture();
        const int box = picture.diagram.boxOf(m_probe->node("layers_0").node);
        QCOMPARE(picture.texts[static_cast<size_t>(box)].detail, std::string("Linear(4, 4)"));
    }

    void nanIsListedWhereItBegins() {
        open("double", "");
        CodeView& code = m_probe->code();
        edit(code.text(), "mul = x * 2", "log = torch.log(x)\n    mul = log * 2");
        QTRY_VERIFY(m_probe->window().actions()["undo"]->isEnabled());
        DebugMemory memory;
        memory.inputs["x"] = "-torch.ones(2)";
        m_probe->debug().inputs().set(memory);
        m_probe->press(Qt::Key_F5);
        QVERIFY(m_probe->waitForState(DebugService::State::Over));
        const auto& rows = *m_probe->find<QTreeView>("Problems").model();
        QCOMPARE(rows.rowCount(), 1);
        QCOMPARE(rows.index(0, 1).data().toString(), "log");
        QCOMPARE(rows.index(0, 2).data().toString(), "NaN begins here; 2 nodes after it have NaN too");
    }

    void failedTraceIsToldWhereItWasAsked() {
        withDialog([](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            auto& model = findIn<QComboBox>(dialog, "Model");
            QTRY_COMPARE_WITH_TIMEOUT(model.count(), 2, 30000);
            findIn<QPlainTextEdit>(dialog, "Fixed arguments").setPlainText("flag=False");
            model.setEditText("Net(depth='x')");
            pressTrace(dialog);
            auto& fault = findIn<QPlainTextEdit>(dialog, "What went wrong");
            QTRY_VERIFY_WITH_TIMEOUT(fault.isVisible(), 30000);
            // The line of the source, with a caret under what failed.
            const QString text = fault.toPlainText();
            QVERIFY2(text.contains("range(depth)") && text.contains("^"), qPrintable(text));
            QVERIFY(dialog.isVisible());
            QCOMPARE(model.currentText(), "Net(depth='x')");
            model.setEditText("Net(depth=1)");
            pressTrace(dialog);
        });
        m_probe->open(m_folder->filePath("net.py"));
        QCOMPARE(m_probe->workspace().document().model().graph().findNodes(Opcode::CallModule).size(),
                 size_t(1));
    }

    void runAsksForInputsOfUnknownShape() {
        QFile source(m_folder->filePath("twice.py"));
        QVERIFY(source.open(QFile::WriteOnly));
        source.write("def twice(x, y, scale=2):\n    return (x + y) * scale\n");
        source.close();
        withDialog([](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            QTRY_COMPARE_WITH_TIMEOUT(findIn<QComboBox>(dialog, "Model").count(), 1, 30000);
            pressTrace(dialog);
        });
        m_probe->open(source.fileName());
        withDialog([](QDialog& dialog) { dialog.reject(); });
        m_probe->press(Qt::Key_F5);
        QCOMPARE(m_probe->debug().state(), DebugService::State::Idle);
        withDialog([](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            auto* first = qobject_cast<QLineEdit*>(dialog.focusWidget());
            QVERIFY2(first, qPrintable(dialog.windowTitle()));
            QCOMPARE(first->accessibleName(), "Value of x");
            QTest::keyClicks(first, "torch.ones(2)");
            QTest::keyClicks(&findIn<QLineEdit>(dialog, "Value of y"), "torch.ones(2)");
            QTest::keyClick(first, Qt::Key_Return);
        });
        m_probe->press(Qt::Key_F5);
        QVERIFY(m_probe->waitForState(DebugService::State::Over));
        QVERIFY2(m_probe->statusText().startsWith("Finished"), qPrintable(m_probe->statusText()));
    }

    void faultOfInputsLeavesTheFieldsTheirRoom() {
        open("double", "");
        withDialog([](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            auto& value = findIn<QLineEdit>(dialog, "Value of x");
            value.setText("torch.randn(2, ");
            QTest::keyClick(&value, Qt::Key_Return);
            auto& fault = findIn<QPlainTextEdit>(dialog, "What went wrong");
            QTRY_VERIFY_WITH_TIMEOUT(fault.isVisible(), 30000);
            QVERIFY2(fault.toPlainText().contains('^'), qPrintable(fault.toPlainText()));
            QVERIFY(QFontInfo(fault.font()).fixedPitch());
            for (const QLineEdit* field : dialog.findChildren<QLineEdit*>())
                QTRY_VERIFY2(field->height() >= field->minimumSizeHint().height(),
                             qPrintable(field->accessibleName()));
            QVERIFY(value.hasFocus());
            dialog.reject();
        });
        m_probe->press(Qt::Key_F5);
    }

    void cancelledTraceLeavesWhatIsOpen() {
        m_probe->open(samplePath("control_flow"));
        Workspace* before = &m_probe->workspace();
        withDialog([](QDialog& dialog) { dialog.reject(); });
        m_probe->window().openFile(m_folder->filePath("net.py"));
        QCOMPARE(&m_probe->workspace(), before);
    }

    void advancedOptionsReachTheTracer() {
        withDialog([](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            QTRY_COMPARE_WITH_TIMEOUT(findIn<QComboBox>(dialog, "Model").count(), 2, 30000);
            auto& wrapped = findIn<QLineEdit>(dialog, "Wrapped functions");
            QVERIFY(!wrapped.isVisible());
            for (QToolButton* fold : dialog.findChildren<QToolButton*>())
                if (fold->text() == "Advanced")
                    QTest::mouseClick(fold, Qt::LeftButton);
            QVERIFY(wrapped.isVisible());
            wrapped.setFocus();
            QTest::keyClicks(&wrapped, "scale");
            findIn<QComboBox>(dialog, "Model").setEditText("scaled");
            pressTrace(dialog);
        });
        QFile source(m_folder->filePath("wrapping.py"));
        QVERIFY(source.open(QFile::WriteOnly));
        source.write("def scale(x):\n    return x * 2\n\n\ndef scaled(x):\n    return scale(x)\n");
        source.close();
        m_probe->open(source.fileName());
        QVERIFY2(m_probe->code().text().contains("scale(x)"), qPrintable(m_probe->code().text()));
    }

    void savedModuleTakesItsClassesFromASource() {
        m_probe->open(FXSCOPE_BUILD "/oracle/reopened/net_module.zip.pt");
        traceAgain([](QDialog& dialog) {
            auto& classes = findIn<QLineEdit>(dialog, "Classes");
            QTRY_VERIFY(classes.isVisible());
            QVERIFY(!findIn<QComboBox>(dialog, "Model").isVisible());
            QVERIFY(!findIn<QComboBox>(dialog, "Leaves").isVisible());
            classes.setText(FXSCOPE_BUILD "/oracle/reopened/reopened_source.py");
            findIn<QLineEdit>(dialog, "Leaf classes").setText("Block");
        });
        const Model& model = m_probe->workspace().document().model();
        QVERIFY(!model.graph().findNodes(Opcode::CallModule).empty());
        QVERIFY(m_probe->code().text().contains("self.blocks"));
    }

    void moduleWithoutItsClassesStaysInTheDialog() {
        m_probe->open(FXSCOPE_BUILD "/oracle/reopened/net_module.zip.pt");
        Workspace* before = &m_probe->workspace();
        withDialog([](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            pressTrace(dialog);
            auto& fault = findIn<QPlainTextEdit>(dialog, "What went wrong");
            QTRY_VERIFY_WITH_TIMEOUT(fault.isVisible(), 30000);
            QVERIFY2(fault.toPlainText().contains("Classes from"), qPrintable(fault.toPlainText()));
            dialog.reject();
        });
        m_probe->window().actions()["trace"]->trigger();
        QCOMPARE(&m_probe->workspace(), before);
    }

    void whyThereIsNoGraphStaysInSight() {
        m_probe->open(FXSCOPE_BUILD "/oracle/reopened/net_module.zip.pt");
        auto& notice = m_probe->find<QWidget>("Why there is no graph");
        QVERIFY(notice.isVisible());
        QVERIFY(notice.findChild<QPushButton*>()->text().startsWith("Trace"));
        QVERIFY(!m_probe->window().actions()["run"]->isEnabled());
        QVERIFY(!m_probe->window().actions()["step"]->isEnabled());
    }

    void torchScriptIsTracedThroughItsModules() {
        m_probe->open(FXSCOPE_BUILD "/oracle/scripts/attention_trace.pt");
        const auto leafCount = [this] {
            return m_probe->workspace().document().model().graph().findNodes(Opcode::CallModule).size();
        };
        QVERIFY(leafCount() > 0);
        traceAgain([](QDialog& dialog) {
            auto& leaves = findIn<QComboBox>(dialog, "Leaves");
            QTRY_VERIFY(leaves.isVisible());
            QVERIFY(!findIn<QLineEdit>(dialog, "Classes").isVisible());
            leaves.setCurrentIndex(1);
        });
        QCOMPARE(leafCount(), size_t(0));
    }

    void typedCodeBecomesAnEdit() {
        open("double", "");
        const QString before = m_probe->code().text();
        CodeView& view = m_probe->code();
        QVERIFY(before.contains("mul = x * 2"));
        edit(before, "mul = x * 2", "mul = x * 3");
        QTRY_VERIFY(m_probe->window().actions()["undo"]->isEnabled());
        QCOMPARE(m_probe->workspace().document().model().graph().node(m_probe->node("mul").node).args[1],
                 Argument(3));
        QVERIFY(view.fault().isEmpty());
        m_probe->window().actions()["undo"]->trigger();
        QCOMPARE(view.text(), before);
    }

    void codeThatIsNoGraphIsUnderlined() {
        open("double", "");
        const QString before = m_probe->code().text();
        edit(before, "mul = x * 2", "mul = z * 2");
        QTRY_VERIFY(m_probe->code().fault().contains("'z' is no node of this graph"));
        QVERIFY(!m_probe->window().actions()["undo"]->isEnabled());
    }

    void typingThatIsNoGraphIsTakenBack() {
        open("double", "");
        const QString before = m_probe->code().text();
        edit(before, "mul = x * 2", "mul = x * (");
        QTRY_VERIFY(!m_probe->code().fault().isEmpty());
        m_probe->press(Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(m_probe->code().text(), before);
        QTRY_VERIFY(m_probe->code().fault().isEmpty());
        edit(before, "mul = x * 2", "mul = x * (");
        QTRY_VERIFY(!m_probe->code().fault().isEmpty());
        m_probe->press(Qt::Key_Escape);
        QCOMPARE(m_probe->code().text(), before);
        QVERIFY(m_probe->code().fault().isEmpty());
        QVERIFY(!m_probe->window().actions()["undo"]->isEnabled());
    }

    void replacesByPattern() {
        open("Net()", "flag=False");
        withDialog([](QDialog& dialog) {
            auto& pattern = findIn<QPlainTextEdit>(dialog, "Pattern");
            auto& matches = findIn<QListWidget>(dialog, "Matches");
            pattern.setPlainText("lambda x: torch.relu(x)");
            findIn<QPlainTextEdit>(dialog, "Replacement")
                .setPlainText("lambda x: torch.nn.functional.gelu(x)");
            QTRY_COMPARE(matches.count(), 2);
            QCOMPARE(matches.item(0)->text(), "relu    where x is layers_0");
            auto* apply = dialog.findChild<QDialogButtonBox*>()->buttons().last();
            for (QAbstractButton* button : dialog.findChild<QDialogButtonBox*>()->buttons())
                if (button->text() == "Replace all")
                    apply = button;
            QTRY_VERIFY(apply->isEnabled());
            QTest::mouseClick(apply, Qt::LeftButton);
            QTRY_COMPARE(matches.count(), 0);
            QStringList said;
            for (const QLabel* label : dialog.findChildren<QLabel*>())
                said << label->text();
            QVERIFY2(said.contains("Replaced 2 places. Undo takes all of them back."),
                     qPrintable(said.join('\n')));
            dialog.reject();
        });
        m_probe->window().actions().pass("replace")->trigger();
        QVERIFY(!m_probe->code().text().contains("torch.relu("));
        QCOMPARE(m_probe->code().text().count("gelu("), 2);
        QCOMPARE(m_probe->window().actions()["undo"]->text(), "Undo Replace by pattern");
    }

private:
    void open(const QString& expression, const QString& concrete) {
        withDialog([&](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            auto& model = findIn<QComboBox>(dialog, "Model");
            QTRY_COMPARE_WITH_TIMEOUT(model.count(), 2, 30000); // Net() and double
            model.setEditText(expression);
            findIn<QPlainTextEdit>(dialog, "Fixed arguments").setPlainText(concrete);
            pressTrace(dialog);
        });
        m_probe->open(m_folder->filePath("net.py"));
    }

    /// What is open, by other options.
    void traceAgain(const std::function<void(QDialog&)>& choose) {
        Workspace* before = &m_probe->workspace();
        withDialog([&](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            choose(dialog);
            pressTrace(dialog);
        });
        m_probe->window().actions()["trace"]->trigger();
        QVERIFY(&m_probe->workspace() != before);
        QVERIFY(m_probe->waitForLayout());
    }

    static void pressTrace(QDialog& dialog) {
        auto* trace = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
        QTRY_VERIFY_WITH_TIMEOUT(trace->isEnabled(), 30000);
        QTest::mouseClick(trace, Qt::LeftButton);
    }

    /// As if typed: the text of the editor changes, and the user rests.
    void edit(const QString& before, const QString& what, const QString& with) {
        CodeView& view = m_probe->code();
        view.setFocus();
        view.replaceTyped(QString(before).replace(what, with));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestTracing)
} // namespace fx::ui::tracing_test
#include "tst_tracing.moc"
