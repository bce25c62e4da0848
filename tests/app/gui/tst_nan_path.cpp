// SPDX-License-Identifier: GPL-3.0-or-later
// A person's whole way, its steps counted: find the layer that makes NaN, put in a clamp, prove that the
// outputs else agree, export. A step is a key, a click, or a line that is typed with its Return.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/document/graph_intents.h"
#include "widgets/panes/verify_pane.h"
#include "widgets/session/verify_service.h"

#include <QDialogButtonBox>
#include <QFile>
#include <QPushButton>
#include <QTreeView>

namespace fx::ui::nan_path_test {

namespace {

constexpr int kMostSteps = 12;

constexpr const char* kSource = R"(import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.full((2,), 2.0))

    def forward(self, x):
        shifted = x - 1
        root = torch.sqrt(shifted)
        scaled = torch.tanh(root) * self.scale
        return scaled + 1, torch.relu(shifted)
)";

} // namespace

class TestNanPath : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aResultWithNanIsNoGoodEnd() {
        open();
        WindowProbe& probe = *m_probe;
        key(Qt::Key_F5);
        QVERIFY(probe.waitForState(DebugService::State::Over));
        QCOMPARE(probe.statusText(), QString("Finished with NaN: first in sqrt, 3 nodes after it"));
        QVERIFY(probe.consoleText().contains("the result holds NaN: first in sqrt, 3 nodes after it"));
        QTRY_VERIFY(culprit().isVisible());
        QTest::mouseClick(&culprit(), Qt::LeftButton);
        QTRY_COMPARE(probe.selected(), QString("sqrt"));
        // Without a selection the result is asked about.
        probe.selection().clear();
        QTRY_VERIFY(probe.window().actions()["origin"]->isEnabled());
        key(Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(probe.selected(), QString("sqrt"));
        QVERIFY(probe.consoleText().contains("NaN comes first out of sqrt at [0, 0]"));
        // After an edit the values are those of another graph.
        QCOMPARE(setArgument(probe.workspace().document(), probe.node("sub"), 1, {}, "-9"), QString());
        QTRY_VERIFY(!culprit().isVisible());
        key(Qt::Key_F5);
        QTRY_VERIFY2(probe.statusText().startsWith("Finished in"), qPrintable(probe.statusText()));
        QVERIFY(!culprit().isVisible());
    }

    void findClampProveExport() {
        open();
        WindowProbe& probe = *m_probe;
        // Where NaN begins.
        key(Qt::Key_F5);
        QVERIFY(probe.waitForState(DebugService::State::Over));
        clickBox("output");
        QTRY_VERIFY(probe.window().actions()["origin"]->isEnabled());
        key(Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(probe.selected(), QString("sqrt"));
        QTRY_VERIFY(isAtRest(probe.canvas()));
        // A clamp on the wire that leads to it.
        doubleClickWire("sub", "sqrt");
        withDialog([this](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            QTRY_VERIFY(dialog.focusWidget() && dialog.focusWidget()->accessibleName() == "min");
            QPushButton* insert = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
            line("0", [insert] { return insert->isEnabled(); });
        });
        line("torch.clamp");
        QTRY_VERIFY2(probe.code().text().contains("sqrt = torch.sqrt(clamp)"),
                     qPrintable(probe.code().text()));
        // All else is as it was.
        probe.canvas().setFocus();
        key(Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY_WITH_TIMEOUT(verify().card().has_value() || !verify().fault().isEmpty(), 60000);
        QCOMPARE(verify().fault(), QString());
        QVERIFY(verify().card()->rows.size() >= 2);
        QCOMPARE(verify().card()->rows[0].figures,
                 std::string("2 places with a NaN or an infinity in one of them, the others equal"));
        QCOMPARE(verify().card()->rows[1].figures, std::string("equal"));
        QVERIFY(probe.window().findChild<VerifyPane*>()->isVisible());
        // Out with it.
        const QString folder = probe.settings().path("mended");
        withDialog([this, folder](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            key(Qt::Key_A, Qt::ControlModifier);
            line(folder);
        });
        key(Qt::Key_E, Qt::ControlModifier);
        QTRY_VERIFY2_WITH_TIMEOUT(probe.toast().contains("outputs equal bit for bit"),
                                  qPrintable(probe.toast()), 60000);
        QFile module(folder + "/module.py");
        QVERIFY(module.open(QIODevice::ReadOnly));
        QVERIFY(module.readAll().contains("torch.clamp("));
        qInfo("%d steps", m_steps);
        QVERIFY2(m_steps <= kMostSteps, qPrintable(QString::number(m_steps)));
    }

private:
    /// The model as it was left: with the inputs on which it fails.
    void open() {
        m_steps = 0;
        m_probe = std::make_unique<WindowProbe>();
        m_probe->openNet(kSource, "torch.arange(8.0).reshape(4, 2) - 1");
        QTRY_VERIFY(isAtRest(m_probe->canvas()));
    }

    QPushButton& culprit() { return m_probe->find<QPushButton>("Show where it comes from"); }
    VerifyService& verify() { return m_probe->workspace().verify(); }

    static QWidget* focus() {
        const QWidget* window = QApplication::activeWindow();
        return window ? window->focusWidget() : nullptr;
    }
    void key(int which, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        ++m_steps;
        if (!qobject_cast<QDialog*>(QApplication::activeWindow()))
            return m_probe->press(which, modifiers);
        QTRY_VERIFY(focus());
        QTest::keyClick(focus(), static_cast<Qt::Key>(which), modifiers);
    }
    /// `isReady`: what one sees before one ends the line.
    void line(const QString& text, const std::function<bool()>& isReady = nullptr) {
        ++m_steps;
        QTRY_VERIFY(focus());
        QTest::keyClicks(focus(), text);
        if (isReady)
            QTRY_VERIFY(isReady());
        QTest::keyClick(focus(), Qt::Key_Return);
    }
    void clickBox(const QString& name) {
        ++m_steps;
        const CanvasView& canvas = m_probe->canvas();
        const Diagram& diagram = canvas.geometry().picture()->diagram;
        const DiagramBox& box = diagram.boxes[static_cast<size_t>(diagram.boxOf(m_probe->node(name).node))];
        const QPointF middle(box.x + box.width / 2, box.y + box.height / 2);
        QTest::mouseClick(&m_probe->canvas(), Qt::LeftButton, {}, canvas.camera().toScreen(middle).toPoint());
        QCOMPARE(m_probe->selected(), name);
    }
    void doubleClickWire(const QString& from, const QString& to) {
        ++m_steps;
        const CanvasView& canvas = m_probe->canvas();
        const Diagram& diagram = canvas.geometry().picture()->diagram;
        const auto wire = std::ranges::find_if(diagram.edges, [&](const DiagramEdge& edge) {
            return edge.to == diagram.boxOf(m_probe->node(to).node) && edge.value == m_probe->node(from).node;
        });
        QVERIFY(wire != diagram.edges.end());
        const Point a = wire->path.front(), b = wire->path.back();
        const QPointF at = canvas.camera().toScreen(QPointF((a.x + b.x) / 2, (a.y + b.y) / 2));
        QTest::mouseDClick(&m_probe->canvas(), Qt::LeftButton, Qt::NoModifier, at.toPoint());
    }

    std::unique_ptr<WindowProbe> m_probe;
    int m_steps = 0;
};

FX_TEST(TestNanPath)
} // namespace fx::ui::nan_path_test
#include "tst_nan_path.moc"
