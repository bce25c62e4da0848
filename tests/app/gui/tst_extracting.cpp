// SPDX-License-Identifier: GPL-3.0-or-later
// Calls become a submodule with a graph of its own, and its graph comes back, by keys and the menu.
#include "core/module/edit.h"
#include "core/open/formats.h"
#include "core/rewrite/inserted_call.h"
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/panes/tensor_pane.h"
#include "widgets/support/qt_text.h"

#include <ATen/ATen.h>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

namespace fx::ui::extracting_test {

class TestExtracting : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_probe = std::make_unique<WindowProbe>();
        m_probe->open(samplePath("resnet"));
    }
    void cleanup() { m_probe.reset(); }

    void theSelectionIsExtractedAndInlined() {
        WindowProbe& probe = *m_probe;
        const QString before = probe.code().text();
        selectNodes({"conv2d_2", "batch_norm_2", "relu_1"});
        withDialog([](QDialog& dialog) {
            const auto closing = closingIfFailed(dialog);
            QCOMPARE(findIn<QLineEdit>(dialog, "Nodes").text(), "conv2d_2, batch_norm_2, relu_1");
            auto& name = findIn<QLineEdit>(dialog, "Name");
            name.setFocus();
            name.selectAll();
            QTest::keyClicks(&name, "head");
            // What it will do is said before.
            QTRY_VERIFY2(
                said(dialog).contains("head: 3 calls; takes max_pool2d f32[1, 16, 16, 16]; gives relu_1"),
                qPrintable(said(dialog)));
            QTest::keyClick(&name, Qt::Key_Return);
        });
        probe.press(Qt::Key_G, Qt::ControlModifier);
        QTRY_VERIFY2(probe.code().text().contains("head = self.head(max_pool2d)"),
                     qPrintable(probe.code().text()));
        QTRY_COMPARE(probe.selected(), "head");
        // One step of undo.
        probe.canvas().setFocus();
        probe.press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(probe.code().text(), before);
        probe.press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        probe.select("head");
        withDialog([](QDialog& dialog) {
            const auto closing = closingIfFailed(dialog);
            QCOMPARE(findIn<QLineEdit>(dialog, "Nodes").text(), "head");
            QTRY_VERIFY2(said(dialog).startsWith("1 part merged"), qPrintable(said(dialog)));
            run(dialog);
        });
        probe.press(Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(!probe.code().text().contains("self.head"));
        QVERIFY(probe.code().text().contains("relu_1 = torch.ops.aten.relu.default(batch_norm_2)"));
    }

    void aCycleIsRefusedBeforeItIsRun() {
        WindowProbe& probe = *m_probe;
        const QString before = probe.code().text();
        selectNodes({"conv2d_2", "relu_1"});
        withDialog([](QDialog& dialog) {
            const auto closing = closingIfFailed(dialog);
            QTRY_VERIFY2(
                said(dialog).contains("node 'relu_1': reads 'batch_norm_2', which is outside and depends on "
                                      "'conv2d_2' inside; choose 'batch_norm_2', too"),
                qPrintable(said(dialog)));
            QCOMPARE(dialog.findChild<QLabel*>("fault")->text(), said(dialog));
            dialog.reject();
        });
        probe.press(Qt::Key_G, Qt::ControlModifier);
        QCOMPARE(probe.code().text(), before);
    }

    void aModuleIsMadeAnewByItsConstructor() {
        WindowProbe& probe = *m_probe;
        openLinear();
        withDialog([](QDialog& dialog) {
            const auto closing = closingIfFailed(dialog);
            QCOMPARE(findIn<QLineEdit>(dialog, "Module").text(), "linear");
            auto& call = findIn<QLineEdit>(dialog, "Call");
            QCOMPARE(call.text(), "torch.nn.Linear(2, 3)");
            call.setFocus();
            call.selectAll();
            QTest::keyClicks(&call, "nn.Linear(3, 3)");
            QTRY_VERIFY2(said(dialog).contains("cannot take what it would read"), qPrintable(said(dialog)));
            call.selectAll();
            QTest::keyClicks(&call, "nn.Linear(2, 5)");
            QTRY_VERIFY2(said(dialog).contains("resized bias, weight") ||
                             said(dialog).contains("resized weight, bias"),
                         qPrintable(said(dialog)));
            QTest::keyClick(&call, Qt::Key_Return);
        });
        probe.press(Qt::Key_F4);
        const auto shape = [&] {
            const Model& now = probe.workspace().document().model();
            return qt(
                valueMetaText(ValueMeta{now.tensor(now.resolve(now.root(), "linear.weight").tensor).meta()}));
        };
        QTRY_COMPARE(shape(), "f32[5, 2]");
        // A weight by an expression, and back.
        probe.selection().selectTensor("linear.bias");
        auto& set = button("Set value");
        QTRY_VERIFY(set.isEnabled());
        QTest::mouseClick(&set, Qt::LeftButton);
        auto& line = probe.find<QLineEdit>("newValue");
        QTRY_VERIFY(line.isVisible());
        QTest::keyClicks(&line, "value * 0 + 7");
        QTest::keyClick(&line, Qt::Key_Return);
        const auto bias = [&] {
            const Model& now = probe.workspace().document().model();
            return now.tensor(now.resolve(now.root(), "linear.bias").tensor).value();
        };
        QTRY_VERIFY(at::equal(bias().detach(), at::full({5}, 7.0f)));
        probe.canvas().setFocus();
        probe.press(Qt::Key_Z, Qt::ControlModifier);
        QTRY_VERIFY(!at::equal(bias().detach(), at::full({5}, 7.0f)));
    }

    void theConstructorIsAForm() {
        WindowProbe& probe = *m_probe;
        openLinear();
        withDialog([](QDialog& dialog) {
            const auto closing = closingIfFailed(dialog);
            auto& call = findIn<QLineEdit>(dialog, "Call");
            auto& features = findIn<QLineEdit>(dialog, "out_features *");
            QCOMPARE(findIn<QLineEdit>(dialog, "in_features *").text(), "2");
            QCOMPARE(features.text(), "3");
            QCOMPARE(findIn<QLineEdit>(dialog, "bias").placeholderText(), "True   bool");
            features.setFocus();
            features.selectAll();
            QTest::keyClicks(&features, "4");
            auto& bias = findIn<QLineEdit>(dialog, "bias");
            bias.setFocus();
            QTest::keyClicks(&bias, "False");
            QCOMPARE(call.text(), "torch.nn.Linear(2, 4, False)");
            QTRY_VERIFY2(said(dialog).contains("resized weight"), qPrintable(said(dialog)));
            // The line and the fields say the same; while it cannot be read, they are out of use.
            call.selectAll();
            QTest::keyClicks(&call, "nn.Linear(2,");
            QVERIFY(!features.isEnabled());
            QTest::keyClicks(&call, " out_features=5)");
            QCOMPARE(findIn<QLineEdit>(dialog, "out_features *").text(), "5");
            QCOMPARE(findIn<QLineEdit>(dialog, "bias").text(), "");
            call.selectAll();
            QTest::keyClicks(&call, "nn.Dropout()");
            QCOMPARE(findIn<QLineEdit>(dialog, "p").placeholderText(), "0.5   float");
            dialog.reject();
        });
        probe.press(Qt::Key_F4);
    }

    void bothAreInTheContextMenu() {
        QMenu menu;
        m_probe->window().actions().fillContextMenu(menu);
        QStringList texts;
        for (const QAction* action : menu.actions())
            texts << action->text();
        QVERIFY(texts.contains("Extract into a submodule…"));
        QVERIFY(texts.contains("Inline submodules…"));
    }

private:
    /// A model of one nn.Linear(2, 3), which is selected.
    void openLinear() {
        const QString path = m_probe->settings().path("net.fxg");
        Model model("GraphModule");
        {
            Edit edit(model);
            const NodeId x = edit.placeholder("x");
            edit.setMeta(x, meta::kTensorMeta, ValueMeta{describe(at::ones({2, 2}))});
            edit.output(insertCall(edit, {"nn.Linear(2, 3)(x)", "", {}, {}}).back());
            edit.finish();
        }
        Progress progress;
        OpenedModel opened;
        opened.model = model;
        formatOfWord("fxg")->write(opened, utf8(path), progress);
        m_probe->window()
            .actions()["closeModel"]
            ->trigger(); // one alone, so that its panes are the only ones
        m_probe->open(path);
        m_probe->select("linear");
    }
    void selectNodes(const QStringList& names) {
        std::vector<NodeId> nodes;
        for (const QString& name : names)
            nodes.push_back(m_probe->node(name).node);
        m_probe->selection().selectNodes(nodes);
        m_probe->canvas().setFocus();
    }
    QToolButton& button(const QString& text) {
        for (QToolButton* each : m_probe->window().view()->tensor().findChildren<QToolButton*>())
            if (each->text() == text)
                return *each;
        qFatal("there is no such button");
    }
    static QString said(QDialog& dialog) { return findIn<QLabel>(dialog, "What it does").text(); }
    static void run(QDialog& dialog) {
        dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->click();
    }

    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestExtracting)
} // namespace fx::ui::extracting_test
#include "tst_extracting.moc"
