// SPDX-License-Identifier: GPL-3.0-or-later
// Calls put into a graph by hand: found, filled in, tried while one types, put on a wire, taken back.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/document/graph_intents.h"
#include "widgets/panes/finder.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QTreeView>

namespace fx::ui::building_test {

namespace {

QPushButton& insertButton(QDialog& dialog) {
    return *dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
}

QString said(QDialog& dialog) {
    return findIn<QLabel>(dialog, "What comes of it").text();
}

} // namespace

class TestBuilding : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_probe = std::make_unique<WindowProbe>();
        m_probe->open(samplePath("resnet"));
    }
    void cleanup() { m_probe.reset(); }

    void aCallIsPutBetweenANodeAndItsReader() {
        WindowProbe& probe = *m_probe;
        const QString before = probe.code().text();
        probe.select("relu");
        choose("torch.clamp", [](QDialog& dialog) {
            // The node that was selected is in place, required ones are marked.
            QCOMPARE(findIn<QLineEdit>(dialog, "input *").text(), "relu");
            QVERIFY(!insertButton(dialog).isEnabled());
            QTRY_VERIFY2(said(dialog).contains("At least one of"), qPrintable(said(dialog)));
            findIn<QLineEdit>(dialog, "max").setText("no_such_node");
            QTRY_VERIFY2(said(dialog).contains("no_such_node"), qPrintable(said(dialog)));
            QVERIFY(!insertButton(dialog).isEnabled());
            findIn<QLineEdit>(dialog, "max").setText("0.5");
            QTRY_VERIFY(insertButton(dialog).isEnabled());
            QVERIFY2(said(dialog).startsWith("clamp: f32[1, "), qPrintable(said(dialog)));
            QCOMPARE(findIn<QLabel>(dialog, "The call").text(), "torch.clamp(relu, max=0.5)");
            insertButton(dialog).click();
        });
        QTRY_COMPARE(probe.selected(), "clamp");
        QVERIFY2(probe.code().text().contains("clamp = torch.ops.aten.clamp.default(relu, None, 0.5)"),
                 qPrintable(probe.code().text()));
        QVERIFY(probe.code().text().contains("max_pool2d.default(clamp"));
        const Node& fresh = probe.workspace().document().model().graph().node(probe.node("clamp").node);
        QCOMPARE(fresh.meta.find<ValueMeta>(meta::kTensorMeta) != nullptr, true);
        probe.canvas().setFocus();
        probe.press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(probe.code().text(), before);
    }

    /// By a key, or chosen in the form, which then reads what is read there.
    void aCallIsPutBeforeANode() {
        WindowProbe& probe = *m_probe;
        probe.select("relu");
        chooseBy(Qt::Key_Insert, Qt::AltModifier, "torch.tanh", [](QDialog& dialog) {
            QCOMPARE(findIn<QComboBox>(dialog, "Where it goes").currentText(), "between batch_norm and relu");
            QCOMPARE(findIn<QLineEdit>(dialog, "input *").text(), "batch_norm");
            QTRY_VERIFY2(insertButton(dialog).isEnabled(), qPrintable(said(dialog)));
            insertButton(dialog).click();
        });
        QTRY_VERIFY2(probe.code().text().contains("tanh = torch.ops.aten.tanh.default(batch_norm)"),
                     qPrintable(probe.code().text()));
        QVERIFY(probe.code().text().contains("relu.default(tanh"));
        probe.select("relu");
        choose("torch.clamp", [](QDialog& dialog) {
            auto& where = findIn<QComboBox>(dialog, "Where it goes");
            QCOMPARE(findIn<QLineEdit>(dialog, "input *").text(), "relu");
            where.setCurrentText("between tanh and relu");
            Q_EMIT where.activated(where.currentIndex());
            QCOMPARE(findIn<QLineEdit>(dialog, "input *").text(), "tanh");
            dialog.reject();
        });
    }

    void thePaletteSaysWhatACallTakes() {
        m_probe->select("relu");
        m_probe->press(Qt::Key_Insert);
        m_probe->type("torch.clamp");
        auto& list = m_probe->find<QTreeView>("Matches");
        QCOMPARE(list.model()->index(0, 0).data().toString(), "torch.clamp");
        const QString detail = list.model()->index(0, 1).data().toString();
        QVERIFY2(detail.startsWith("(input: Tensor, min: ") && detail.endsWith("function of torch"),
                 qPrintable(detail));
        m_probe->press(Qt::Key_Escape);
    }

    void allNodesAreSelectedByAKey() {
        m_probe->canvas().setFocus();
        m_probe->press(Qt::Key_A, Qt::ControlModifier);
        QCOMPARE(m_probe->selection().nodes().size(), m_probe->workspace().document().model().graph().size());
    }

    void linesOfPythonArePasted() {
        WindowProbe& probe = *m_probe;
        QApplication::clipboard()->setText(
            "    scaled = relu * 2;  relu = None\n    bent = torch.sin(scaled)\n");
        probe.select("relu");
        probe.canvas().setFocus();
        probe.press(Qt::Key_V, Qt::ControlModifier);
        QTRY_COMPARE(probe.selected(), "bent");
        QVERIFY2(probe.code().text().contains("scaled = torch.ops.aten.mul.Tensor(relu, 2)") &&
                     probe.code().text().contains("bent = torch.ops.aten.sin.default(scaled)"),
                 qPrintable(probe.code().text()));
        QTRY_VERIFY(!probe.workspace().passes().isWorking());
        probe.canvas().setFocus();
        QApplication::clipboard()->setText("for i in range(3):\n    print(i)\n");
        probe.press(Qt::Key_V, Qt::ControlModifier);
        QTRY_VERIFY2(probe.toast().contains("expected a line 'name = call'"), qPrintable(probe.toast()));
    }

    void aNodeIsPickedOnTheCanvas() {
        WindowProbe& probe = *m_probe;
        probe.select("relu");
        const auto clickOn = [&](const QString& name) {
            CanvasView& canvas = probe.canvas();
            const int box = canvas.geometry().picture()->diagram.boxOf(probe.node(name).node);
            QTest::mouseClick(&canvas, Qt::LeftButton, {},
                              canvas.camera().toScreen(canvas.geometry().rect(box)).center().toPoint());
            QCOMPARE(probe.selected(), name);
        };
        choose("torch.cat", [&](QDialog& dialog) {
            auto& tensors = findIn<QLineEdit>(dialog, "tensors *");
            tensors.setText("[relu,");
            tensors.setFocus();
            clickOn("batch_norm");
            QCOMPARE(tensors.text(), "[relu,batch_norm");
            QTRY_VERIFY(tensors.hasFocus());
            tensors.setText(tensors.text() + "]");
            QTRY_VERIFY2(insertButton(dialog).isEnabled(), qPrintable(said(dialog)));
            insertButton(dialog).click();
        });
        QTRY_VERIFY2(probe.code().text().contains("torch.ops.aten.cat.default([relu, batch_norm])"),
                     qPrintable(probe.code().text()));
    }

    /// It asks about the graph as it was.
    void anEditPutsTheFormAway() {
        m_probe->select("relu");
        choose("torch.clamp", [this](QDialog& dialog) {
            const NodeRef relu = m_probe->node("relu");
            QCOMPARE(renameNode(m_probe->workspace().document(), relu, "bent"), QString());
            QVERIFY(!dialog.isVisible());
        });
    }

    void aFunctionOfTheSourceIsCalled() {
        WindowProbe& probe = *m_probe;
        probe.openNet("import torch\nimport torch.fx\n\n\ndef scale_up(x, by=2):\n    return x * by\n\n\n"
                      "torch.fx.wrap('scale_up')\n\n\nclass Net(torch.nn.Module):\n"
                      "    def forward(self, x):\n        return scale_up(torch.relu(x))\n",
                      "torch.ones(2)");
        probe.select("relu");
        choose("net.scale_up", [](QDialog& dialog) {
            QCOMPARE(findIn<QLineEdit>(dialog, "x *").text(), "relu");
            QCOMPARE(findIn<QLineEdit>(dialog, "by").placeholderText(), "2");
            QTRY_VERIFY2(insertButton(dialog).isEnabled(), qPrintable(said(dialog)));
            insertButton(dialog).click();
        });
        QTRY_VERIFY(probe.node("scale_up_1").node);
        probe.press(Qt::Key_F5);
        QVERIFY(probe.waitForState(DebugService::State::Over));
        QVERIFY2(probe.statusText().startsWith("Finished"), qPrintable(probe.statusText()));
    }

    void aNewModuleIsMade() {
        WindowProbe& probe = *m_probe;
        probe.select("flatten");
        choose("nn.Dropout", [](QDialog& dialog) {
            QCOMPARE(findIn<QLineEdit>(dialog, "input *").text(), "flatten");
            findIn<QLineEdit>(dialog, "p").setText("0.25");
            QTRY_VERIFY(insertButton(dialog).isEnabled());
            insertButton(dialog).click();
        });
        QTRY_VERIFY2(
            probe.code().text().contains("dropout = torch.ops.aten.dropout.default(flatten, 0.25, False)"),
            qPrintable(probe.code().text()));
        QVERIFY(probe.workspace().document().model().resolve(probe.workspace().document().model().root(),
                                                             "dropout"));
        // What was used is offered first.
        auto& finder = openPalette();
        QCOMPARE(finder.shownNames().first(), "nn.Dropout");
        QTest::keyClick(probe.window().focusWidget(), Qt::Key_Escape);
    }

    void whatCannotTakeTheShapesIsRefused() {
        WindowProbe& probe = *m_probe;
        const QString before = probe.code().text();
        probe.select("relu");
        choose(".view", [](QDialog& dialog) {
            QTRY_VERIFY(!dialog.findChildren<QLineEdit*>().isEmpty());
            auto& overload = findIn<QComboBox>(dialog, "Overload");
            for (int i = 0; i < overload.count(); ++i)
                if (overload.itemText(i).contains("size")) {
                    overload.setCurrentIndex(i);
                    Q_EMIT overload.activated(i);
                }
            findIn<QLineEdit>(dialog, "size *").setText("(7, 7)");
            QTRY_VERIFY2(said(dialog).contains("invalid"), qPrintable(said(dialog)));
            QVERIFY(!insertButton(dialog).isEnabled());
            dialog.reject();
        });
        QCOMPARE(probe.code().text(), before);
    }

    void aDoubleClickOnAWirePutsItThere() {
        WindowProbe& probe = *m_probe;
        probe.select("max_pool2d");
        QVERIFY(probe.waitForLayout());
        const CanvasView& canvas = probe.canvas();
        const Picture& picture = *canvas.geometry().picture();
        const int box = picture.diagram.boxOf(probe.node("max_pool2d").node);
        const auto wire = std::ranges::find_if(picture.diagram.edges, [&](const DiagramEdge& edge) {
            return edge.to == box && edge.value == probe.node("relu").node;
        });
        QVERIFY(wire != picture.diagram.edges.end());
        const Point& a = wire->path.front();
        const Point& b = wire->path.back();
        const QPointF at = canvas.camera().toScreen(QPointF((a.x + b.x) / 2, (a.y + b.y) / 2));
        QTest::mouseDClick(&probe.canvas(), Qt::LeftButton, Qt::NoModifier, at.toPoint());
        auto* finder = probe.window().findChild<Finder*>();
        QVERIFY(finder->isVisible());
        answer("F.gelu", [](QDialog& dialog) {
            QCOMPARE(findIn<QComboBox>(dialog, "Where it goes").currentText(), "between relu and max_pool2d");
            QTRY_VERIFY(insertButton(dialog).isEnabled());
            insertButton(dialog).click();
        });
        QTRY_VERIFY2(probe.code().text().contains("max_pool2d.default(gelu"),
                     qPrintable(probe.code().text()));
    }

    void aDoubleClickOnNothingPutsItBesideTheOthers() {
        WindowProbe& probe = *m_probe;
        CanvasView& canvas = probe.canvas();
        constexpr double kFar = 30; // from all wires
        QPoint empty;
        for (int x = 20; x < canvas.width() && empty.isNull(); x += 15)
            for (int y = 80; y < canvas.height() - 40 && empty.isNull(); y += 15) {
                const QPointF plane = canvas.camera().toPlane(QPointF(x, y));
                const double reach = kFar / canvas.camera().scale();
                if (canvas.geometry().boxAt(plane) < 0 && canvas.geometry().edgeAt(plane, reach) < 0 &&
                    !canvas.childAt(x, y))
                    empty = QPoint(x, y);
            }
        QVERIFY(!empty.isNull());
        QTest::mouseDClick(&canvas, Qt::LeftButton, {}, empty);
        QVERIFY(probe.window().findChild<Finder*>()->isVisible());
        answer("torch.ones", [](QDialog& dialog) {
            QVERIFY2(findIn<QComboBox>(dialog, "Where it goes").currentText().startsWith("beside the others"),
                     qPrintable(findIn<QComboBox>(dialog, "Where it goes").currentText()));
            QTest::keyClicks(dialog.focusWidget(), "[2, 3]");
            QTRY_VERIFY2(insertButton(dialog).isEnabled(), qPrintable(said(dialog)));
            QVERIFY2(said(dialog).contains("f32[2, 3]"), qPrintable(said(dialog)));
            QTest::keyClick(dialog.focusWidget(), Qt::Key_Return);
        });
        QTRY_COMPARE(probe.selected(), "ones");
        QVERIFY(m_probe->workspace().document().model().graph().node(probe.node("ones").node).users.empty());
    }

    void aMutedCallPassesItsInputOn() {
        WindowProbe& probe = *m_probe;
        const QString before = probe.code().text();
        probe.select("relu");
        probe.press(Qt::Key_M);
        QVERIFY(probe.waitForLayout());
        QVERIFY2(!probe.code().text().contains("relu = torch.ops.aten.relu"),
                 qPrintable(probe.code().text()));
        QVERIFY(state("relu").isMuted && !state("max_pool2d").isMuted);
        QVERIFY(probe.window().actions()["mute"]->isChecked());
        // Struck out in the code.
        QCOMPARE(probe.code().marked(CodeView::Mark::Muted),
                 std::vector<int>{probe.workspace().code().lineOf(probe.node("relu").node)});
        const Picture& picture = *probe.canvas().geometry().picture();
        QCOMPARE(
            qt(picture.texts[static_cast<size_t>(picture.diagram.boxOf(probe.node("relu").node))].detail),
            QString("aten.relu"));
        probe.press(Qt::Key_F5);
        QVERIFY(probe.waitForState(DebugService::State::Over));
        const NodeRecord* passed = probe.debug().run().values().record(probe.node("relu"));
        const NodeRecord* input = probe.debug().run().values().record(probe.node("batch_norm"));
        QVERIFY(passed && input);
        QCOMPARE(valueMetaText(passed->value), valueMetaText(input->value));
        QVERIFY(probe.debug().run().state().faultyNode().node == NodeId());
        probe.canvas().setFocus();
        probe.press(Qt::Key_M);
        QCOMPARE(probe.code().text(), before);
        QVERIFY(probe.code().marked(CodeView::Mark::Muted).empty());
        probe.press(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(state("relu").isMuted);
        probe.press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(probe.code().text(), before);
    }

    void whatCannotBeMutedSaysWhy() {
        WindowProbe& probe = *m_probe;
        probe.select("x");
        probe.press(Qt::Key_M);
        QVERIFY2(probe.toast().contains("no call"), qPrintable(probe.toast()));
        QVERIFY(!probe.window().actions()["mute"]->isChecked());
    }

private:
    const BoxState& state(const QString& name) {
        const Picture& picture = *m_probe->canvas().geometry().picture();
        return m_probe->canvas().states().of(picture, picture.diagram.boxOf(m_probe->node(name).node));
    }

    Finder& openPalette() {
        m_probe->canvas().setFocus();
        m_probe->press(Qt::Key_Insert);
        return *m_probe->window().findChild<Finder*>();
    }
    /// Types the name into the palette that is open, and fills in the form.
    void answer(const QString& name, const std::function<void(QDialog&)>& fill) {
        QPointer<QDialog> form;
        bool isFilled = false;
        withDialog([&form, &isFilled, fill](QDialog& dialog) {
            form = &dialog;
            const auto guard = closingIfFailed(dialog);
            fill(dialog);
            isFilled = true;
        });
        m_probe->type(name);
        QTest::keyClick(m_probe->window().focusWidget(), Qt::Key_Return);
        QTRY_VERIFY(isFilled || QTest::currentTestFailed());
        QTRY_VERIFY(!form);
    }
    void chooseBy(int key, Qt::KeyboardModifiers modifiers, const QString& name,
                  const std::function<void(QDialog&)>& fill) {
        m_probe->canvas().setFocus();
        m_probe->press(key, modifiers);
        answer(name, fill);
    }
    void choose(const QString& name, const std::function<void(QDialog&)>& fill) {
        openPalette();
        answer(name, fill);
    }

    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestBuilding)
} // namespace fx::ui::building_test
#include "tst_building.moc"
