// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs that are far higher than wide: columns side by side, unless one does not want them.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/canvas/minimap.h"

#include <QFile>

namespace fx::ui::long_graphs_test {

class TestLongGraphs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_probe = std::make_unique<WindowProbe>();
        const QString path = m_probe->settings().path("net.py");
        QFile source(path);
        QVERIFY(source.open(QFile::WriteOnly));
        source.write("import torch\n\n\ndef net(x):\n    for _ in range(300):\n        x = torch.relu(x)\n"
                     "    return x\n");
        source.close();
        m_probe->open(path + ":net");
        rest();
    }
    void cleanup() { m_probe.reset(); }

    /// Where the first of the inputs is read last of all, too.
    void atFirstItsBeginningIsSeen() {
        m_probe->openNet("import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, late, x):\n"
                         "        for _ in range(60):\n            x = torch.relu(x)\n"
                         "        return x + late\n",
                         "torch.ones(2)");
        rest();
        const CanvasView& canvas = m_probe->canvas();
        const auto place = [&](const char* name) {
            const Diagram& diagram = canvas.geometry().picture()->diagram;
            return canvas.camera().toScreen(canvas.geometry().rect(diagram.boxOf(m_probe->node(name).node)));
        };
        QVERIFY(place("late").top() > place("x").bottom());
        QVERIFY(QRectF(canvas.rect()).contains(place("x")));
    }

    void allOfItIsSeenAtOnce() {
        QVERIFY(aspect() < 2);
        m_probe->canvas().setFocus();
        m_probe->press(Qt::Key_F);
        rest();
        const CanvasView& canvas = m_probe->canvas();
        QVERIFY(QRectF(canvas.rect()).contains(canvas.camera().toScreen(canvas.geometry().bounds())));
        // In one column it would be a line.
        QVERIFY2(canvas.camera().scale() > 0.08, qPrintable(QString::number(canvas.camera().scale())));
    }

    void whatIsSeenOfItIsFoundInTheMinimap() {
        m_probe->canvas().look().setZoom(1.5);
        rest();
        auto* map = m_probe->window().findChild<Minimap*>();
        const QImage image = map->grab().toImage();
        const QColor frame = m_probe->canvas().tokens().selection;
        QRect found;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (image.pixelColor(x, y).saturation() > frame.saturation() / 2)
                    found |= QRect(x, y, 1, 1);
        QVERIFY2(found.width() >= 5 && found.height() >= 5,
                 qPrintable(QString("%1 x %2").arg(found.width()).arg(found.height())));
    }

    void oneWalksFromColumnToColumn() {
        const Diagram& diagram = m_probe->canvas().geometry().picture()->diagram;
        const auto next = std::ranges::find_if(
            diagram.edges, [&](const DiagramEdge& edge) { return boxOf(edge.to).y < boxOf(edge.from).y; });
        QVERIFY(next != diagram.edges.end());
        QVERIFY(boxOf(next->to).x > boxOf(next->from).x + boxOf(next->from).width);
        const Graph& graph = m_probe->workspace().document().model().graph();
        m_probe->select(qt(graph.node(boxOf(next->from).node).name));
        rest();
        m_probe->canvas().setFocus();
        m_probe->press(Qt::Key_Down);
        rest();
        QCOMPARE(m_probe->selected(), qt(graph.node(boxOf(next->to).node).name));
        const CanvasView& canvas = m_probe->canvas();
        QVERIFY(QRectF(canvas.rect())
                    .contains(canvas.camera().toScreen(canvas.geometry().rect(next->to)).center()));
    }

    void itCanBeTurnedOff() {
        QAction* fold = m_probe->window().actions()["foldLong"];
        QVERIFY(fold->isChecked());
        turnByPalette();
        QVERIFY(!fold->isChecked());
        QVERIFY(aspect() > 20);
        turnByPalette();
        QVERIFY(aspect() < 2);
    }

    void whatIsShortStaysAColumn() {
        m_probe->open(samplePath("control_flow"));
        rest();
        const Diagram& diagram = m_probe->canvas().geometry().picture()->diagram;
        for (const DiagramEdge& edge : diagram.edges)
            QVERIFY(boxOf(edge.from).beside >= 0 || boxOf(edge.to).y > boxOf(edge.from).y);
    }

private:
    const DiagramBox& boxOf(int index) {
        return m_probe->canvas().geometry().picture()->diagram.boxes[static_cast<size_t>(index)];
    }
    double aspect() {
        const Diagram& diagram = m_probe->canvas().geometry().picture()->diagram;
        return diagram.height / diagram.width;
    }
    void turnByPalette() {
        m_probe->press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        m_probe->type("Fold long graphs");
        QTest::keyClick(m_probe->window().focusWidget(), Qt::Key_Return);
        rest();
    }
    void rest() {
        QVERIFY(m_probe->waitForLayout());
        QTRY_VERIFY(isAtRest(m_probe->canvas()));
    }

    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestLongGraphs)
} // namespace fx::ui::long_graphs_test
#include "tst_long_graphs.moc"
