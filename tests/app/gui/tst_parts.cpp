// SPDX-License-Identifier: GPL-3.0-or-later
// A part of the graph alone: what is around the selection, what it depends on, what depends on it; and back.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/panes/finder.h"
#include "widgets/panes/part_bar.h"

#include <QLabel>
#include <QMenu>
#include <QPushButton>

namespace fx::ui::parts_test {

class TestParts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_probe = std::make_unique<WindowProbe>();
        m_probe->open(samplePath("resnet"));
        m_probe->selection().collapseAll();
        m_probe->select("batch_norm_3");
        rest();
    }
    void cleanup() { m_probe.reset(); }

    void hopsAroundAndBackToThePlace() {
        WindowProbe& probe = *m_probe;
        const Camera before = probe.canvas().camera();
        const std::set<std::string> expanded = probe.selection().expandedScopes();
        press(Qt::Key_I);
        QCOMPARE(shown(), (QStringList{"batch_norm_3", "conv2d_3", "relu_2"}));
        QCOMPARE(barText(), "Around batch_norm_3, 1 hop: 7 of 209 nodes"); // four of them are weights
        QVERIFY(isAllSeen());
        press(Qt::Key_Plus);
        QCOMPARE(shown(), (QStringList{"batch_norm_3", "conv2d_3", "conv2d_4", "relu_1", "relu_2"}));
        QVERIFY(isAllSeen());
        press(Qt::Key_Minus);
        press(Qt::Key_Minus);
        QCOMPARE(shown(), (QStringList{"batch_norm_3", "conv2d_3", "relu_2"}));
        press(Qt::Key_Escape);
        QVERIFY(!probe.selection().part());
        QVERIFY(shown().size() > 20);
        QCOMPARE(probe.selection().expandedScopes(), expanded);
        QCOMPARE(probe.selected(), "batch_norm_3");
        QTRY_VERIFY(isSame(probe.canvas().camera(), before));
        QVERIFY(probe.window().findChild<PartBar*>()->isHidden());
    }

    void theSameKeyGoesBack_data() {
        QTest::addColumn<int>("key");
        QTest::addColumn<QString>("in");
        QTest::addColumn<QString>("out");
        QTest::newRow("around") << int(Qt::Key_I) << "relu_2"
                                << "max_pool2d";
        QTest::newRow("ancestors") << int(Qt::Key_U) << "max_pool2d"
                                   << "relu_2";
        QTest::newRow("descendants") << int(Qt::Key_D) << "linear"
                                     << "conv2d_3";
    }

    void theSameKeyGoesBack() {
        QFETCH(int, key);
        QFETCH(QString, in);
        QFETCH(QString, out);
        press(key);
        QVERIFY(isShown(in) && isShown("batch_norm_3"));
        QVERIFY(!isShown(out));
        press(key);
        QVERIFY(!m_probe->selection().part());
        QVERIFY(isShown(in) && isShown(out));
    }

    void aScopeCanBeWhatItIsAround() {
        m_probe->selection().selectScope("layer2.0");
        rest();
        press(Qt::Key_I);
        QVERIFY(isShown("conv2d_9"));
        QVERIFY(!isShown("linear"));
    }

    void whatIsOutsideBringsAllBack() {
        WindowProbe& probe = *m_probe;
        press(Qt::Key_I);
        probe.press(Qt::Key_K, Qt::ControlModifier);
        probe.type("linear");
        QTest::keyClick(probe.window().focusWidget(), Qt::Key_Return);
        rest();
        QVERIFY(!probe.selection().part());
        QCOMPARE(probe.selected(), "linear");
        const int box = probe.canvas().geometry().picture()->diagram.boxOf(probe.node("linear").node);
        QTRY_VERIFY(QRectF(probe.canvas().rect())
                        .contains(probe.canvas().camera().toScreen(probe.canvas().geometry().rect(box))));
    }

    void itFollowsEdits() {
        WindowProbe& probe = *m_probe;
        press(Qt::Key_I);
        probe.select("relu_2");
        probe.press(Qt::Key_Delete, Qt::ControlModifier); // bypassed: what read it reads batch_norm_3
        rest();
        QVERIFY(isShown("conv2d_4"));
        probe.press(Qt::Key_Z, Qt::ControlModifier);
        rest();
        QVERIFY(!isShown("conv2d_4") && isShown("relu_2"));
    }

    void theBarSaysSoAndHasAWayBack() {
        press(Qt::Key_U);
        QVERIFY2(barText().startsWith("What batch_norm_3 depends on, "), qPrintable(barText()));
        auto* bar = m_probe->window().findChild<PartBar*>();
        const auto buttons = bar->findChildren<QToolButton*>();
        const size_t all = m_probe->selection().nodesOfPart().size();
        QTest::mouseClick(buttons[0], Qt::LeftButton);
        rest();
        QVERIFY(m_probe->selection().nodesOfPart().size() < all);
        QTest::mouseClick(buttons[1], Qt::LeftButton);
        rest();
        QCOMPARE(m_probe->selection().nodesOfPart().size(), all);
        QTest::mouseClick(bar->findChild<QPushButton*>(), Qt::LeftButton);
        QVERIFY(!m_probe->selection().part());
    }

    void whatIsSavedIsTheWhole() {
        const std::string before = m_probe->selection().state();
        press(Qt::Key_I);
        QVERIFY(m_probe->selection().expandedScopes().size() > 0);
        QCOMPARE(m_probe->selection().state(), before);
    }

private:
    void rest() {
        QVERIFY(m_probe->waitForLayout());
        QTRY_VERIFY(isAtRest(m_probe->canvas()));
    }

    void press(int key) {
        m_probe->canvas().setFocus();
        m_probe->press(key);
        rest();
    }

    const Diagram& diagram() { return m_probe->canvas().geometry().picture()->diagram; }

    /// The names of nodes that have a box of their own.
    QStringList shown() {
        QStringList out;
        const Graph& graph = m_probe->workspace().document().model().graph();
        for (const DiagramBox& box : diagram().boxes)
            if (box.kind == DiagramBox::Kind::Node)
                out << qt(graph.node(box.node).name);
            else if (box.kind == DiagramBox::Kind::CollapsedScope)
                for (size_t i = 0; i < box.seen; ++i)
                    out << "of a scope";
        out.sort();
        return out;
    }

    bool isShown(const QString& name) { return diagram().boxOf(m_probe->node(name).node) >= 0; }

    bool isAllSeen() {
        const CanvasView& canvas = m_probe->canvas();
        return QRectF(canvas.rect()).contains(canvas.camera().toScreen(canvas.geometry().bounds()));
    }

    QString barText() {
        auto* bar = m_probe->window().findChild<PartBar*>();
        return bar->isVisible() ? bar->findChild<QLabel*>()->text() : QString();
    }

    static bool isSame(const Camera& a, const Camera& b) {
        const QPointF away = a.origin() - b.origin();
        return std::abs(a.scale() - b.scale()) < 1e-6 && std::hypot(away.x(), away.y()) < 1;
    }

    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestParts)
} // namespace fx::ui::parts_test
#include "tst_parts.moc"
