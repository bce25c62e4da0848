// SPDX-License-Identifier: GPL-3.0-or-later
// Going back and forward through where one was, and bringing what is selected into sight.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/canvas/breadcrumbs.h"
#include "widgets/canvas/minimap.h"
#include "widgets/document/graph_intents.h"
#include "widgets/panes/finder.h"

#include <QLabel>
#include <QLineEdit>
#include <QTreeWidget>

namespace fx::ui::places_test {

class TestPlaces : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_probe = std::make_unique<WindowProbe>(QSize(1300, 700)); } // smaller than the graphs
    void cleanup() { m_probe.reset(); }

    void backAndForwardThroughNames() {
        WindowProbe& probe = *m_probe;
        probe.open(samplePath("resnet"));
        QVERIFY(!actions()["goBack"]->isEnabled() && !actions()["goForward"]->isEnabled());
        find("conv2d_3");
        find("linear");
        find("relu");
        back();
        QCOMPARE(probe.selected(), "linear");
        QVERIFY(isSeen("linear"));
        back();
        QCOMPARE(probe.selected(), "conv2d_3");
        QVERIFY(isSeen("conv2d_3"));
        forward();
        QCOMPARE(probe.selected(), "linear");
        QVERIFY(isSeen("linear"));
        // From here, somewhere else: what lay ahead is gone.
        find("max_pool2d");
        QVERIFY(!actions()["goForward"]->isEnabled());
        back();
        QCOMPARE(probe.selected(), "linear");
        back();
        back();
        QCOMPARE(probe.selected(), "");
        QVERIFY(!actions()["goBack"]->isEnabled());
        probe.press(Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(probe.selected(), "");
    }

    void nestedGraphsArePlaces() {
        WindowProbe& probe = *m_probe;
        probe.open(samplePath("control_flow"));
        probe.selection().setShowsWeights(true); // among them are the branches
        probe.select("true_graph_0");
        rest();
        const ModuleId root = probe.selection().graph();
        const Camera before = probe.canvas().camera();
        probe.press(Qt::Key_Return);
        QVERIFY(probe.selection().graph() != root);
        rest();
        back();
        QCOMPARE(probe.selection().graph(), root);
        QCOMPARE(probe.selected(), "true_graph_0");
        QTRY_VERIFY(isSame(probe.canvas().camera(), before));
        forward();
        QVERIFY(probe.selection().graph() != root);
    }

    void linksOfPanesArePlaces() {
        WindowProbe& probe = *m_probe;
        probe.open(samplePath("resnet"));
        find("conv2d_3");
        probe.window().docks().show(Docks::NodePane);
        auto& rows = probe.find<QTreeWidget>("nodeRows");
        QTreeWidgetItem* user =
            rows.findItems("batch_norm_3", Qt::MatchExactly | Qt::MatchRecursive).value(0);
        QVERIFY(user);
        rows.scrollToItem(user);
        QTest::mouseClick(rows.viewport(), Qt::LeftButton, {}, rows.visualItemRect(user).center());
        QCOMPARE(probe.selected(), "batch_norm_3");
        rest();
        Q_EMIT probe.window().findChild<Breadcrumbs*>()->findChild<QLabel*>("place")->linkActivated(
            "scope:layer1");
        QCOMPARE(probe.selection().scope(), "layer1");
        rest();
        back();
        QCOMPARE(probe.selected(), "batch_norm_3");
        back();
        QCOMPARE(probe.selected(), "conv2d_3");
        forward();
        forward();
        QCOMPARE(probe.selection().scope(), "layer1");
    }

    void panningAndClicksInSightAreNone() {
        WindowProbe& probe = *m_probe;
        probe.open(samplePath("resnet"));
        find("conv2d_3");
        find("linear");
        const QPointF before = probe.canvas().camera().origin();
        wheel(Qt::ShiftModifier);
        QVERIFY(probe.canvas().camera().origin() != before);
        probe.press(Qt::Key_Up);
        rest();
        QVERIFY(probe.selected() != "linear");
        back();
        QCOMPARE(probe.selected(), "conv2d_3");
    }

    void acrossTheCanvasIsOne() {
        WindowProbe& probe = *m_probe;
        probe.open(samplePath("resnet"));
        find("conv2d_3");
        const Camera near = probe.canvas().camera();
        probe.press(Qt::Key_F);
        rest();
        QVERIFY(!isSame(probe.canvas().camera(), near));
        back();
        QTRY_VERIFY(isSame(probe.canvas().camera(), near));
        auto* map = probe.window().findChild<Minimap*>();
        QTest::mouseClick(map, Qt::LeftButton, {}, QPoint(map->width() / 2, map->height() - 12));
        rest();
        QVERIFY(!isSame(probe.canvas().camera(), near));
        back();
        QTRY_VERIFY(isSame(probe.canvas().camera(), near));
    }

    void byTheButtonsOfTheMouse() {
        WindowProbe& probe = *m_probe;
        probe.open(samplePath("resnet"));
        find("conv2d_3");
        find("linear");
        QTest::mouseClick(&probe.canvas(), Qt::BackButton, {}, QPoint(200, 200));
        QCOMPARE(probe.selected(), "conv2d_3");
        rest();
        QTest::mouseClick(&probe.canvas(), Qt::ForwardButton, {}, QPoint(200, 200));
        QCOMPARE(probe.selected(), "linear");
    }

    void whatIsGoneIsLeftOut() {
        WindowProbe& probe = *m_probe;
        probe.open(samplePath("resnet"));
        find("conv2d_3");
        find("relu");
        find("linear");
        const NodeRef relu = probe.node("relu");
        QCOMPARE(bypassNodes(probe.workspace().document(), relu.module, {relu.node}), QString());
        rest();
        back();
        QCOMPARE(probe.selected(), "conv2d_3");
        forward();
        QCOMPARE(probe.selected(), "linear");
        probe.press(Qt::Key_Z, Qt::ControlModifier);
        rest();
        back();
        QCOMPARE(probe.selected(), "relu");
    }

    void aRunIsOnePlace() {
        WindowProbe& probe = *m_probe;
        probe.open(samplePath("resnet"));
        find("linear");
        for (int i = 0; i < 4; ++i) {
            const NodeRef before = probe.debug().run().state().at();
            probe.press(Qt::Key_F10);
            QTRY_VERIFY(probe.debug().run().state().at().node && probe.debug().run().state().at() != before);
            rest();
        }
        QVERIFY(probe.selected() != "linear");
        back();
        QCOMPARE(probe.selected(), "linear");
    }

    void allThatIsSelectedComesIntoSight() {
        WindowProbe& probe = *m_probe;
        probe.open(samplePath("resnet"));
        probe.select("relu");
        probe.canvas().look().setZoom(0.05);
        rest();
        probe.press(Qt::Key_Z);
        rest();
        QCOMPARE(probe.canvas().camera().scale(), 1.0);
        QVERIFY(isSeen("relu"));
        probe.selection().reveal(probe.node("linear").node);
        probe.selection().selectNodes({probe.node("relu").node, probe.node("linear").node});
        QVERIFY(probe.waitForLayout());
        probe.press(Qt::Key_Z);
        rest();
        QVERIFY(isSeen("relu") && isSeen("linear"));
        QVERIFY(probe.canvas().camera().scale() < 1);
        probe.press(Qt::Key_Escape);
        QVERIFY(!actions()["showSelection"]->isEnabled());
    }

    void whatIsShownIsUnderNoOverlay() {
        m_probe->open(samplePath("resnet"));
        CanvasView& canvas = m_probe->canvas();
        m_probe->selection().expandAll();
        QVERIFY(m_probe->waitForLayout());
        m_probe->select("conv2d");
        canvas.look().setZoom(1);
        rest();
        // The nodes pass where the minimap is.
        const QWidget& map = *canvas.findChild<Minimap*>();
        QVERIFY(map.isVisible());
        canvas.look().panBy({map.geometry().center().x() - placeOf("conv2d").center().x(), 0});
        for (int i = 0; i < 30; ++i) {
            m_probe->press(Qt::Key_Down);
            rest();
            QCOMPARE(coveredOf({m_probe->selected()}), QStringList());
        }
        // Nor any of all that are shown.
        for (const QSize size : {QSize(900, 600), QSize(1600, 1000)}) {
            m_probe->window().resize(size);
            m_probe->press(Qt::Key_F);
            rest();
            QStringList all;
            for (const Node& node : m_probe->workspace().document().model().graph())
                if (canvas.geometry().picture()->diagram.boxOf(node.id) >= 0)
                    all << qt(node.name);
            QCOMPARE(coveredOf(all), QStringList());
        }
    }

private:
    QRectF placeOf(const QString& name) {
        const CanvasView& canvas = m_probe->canvas();
        const int box = canvas.geometry().picture()->diagram.boxOf(m_probe->node(name).node);
        return canvas.camera().toScreen(canvas.geometry().rect(box));
    }
    /// Those of the nodes that something floats over.
    QStringList coveredOf(const QStringList& names) {
        QStringList out;
        for (const QString& name : names)
            for (const QWidget* each :
                 m_probe->canvas().findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
                if (each->isVisible() && QRectF(each->geometry()).intersects(placeOf(name)))
                    out << name;
        return out;
    }
    Actions& actions() { return m_probe->window().actions(); }

    /// Until nothing moves, and all news have been told.
    void rest() {
        QVERIFY(m_probe->waitForLayout());
        QTRY_VERIFY(isAtRest(m_probe->canvas()));
        QCoreApplication::processEvents();
    }

    void find(const QString& name) {
        m_probe->press(Qt::Key_K, Qt::ControlModifier);
        m_probe->type(name);
        QTest::keyClick(m_probe->window().focusWidget(), Qt::Key_Return);
        QCOMPARE(m_probe->selected(), name);
        rest();
    }

    void back() {
        QVERIFY(actions()["goBack"]->isEnabled());
        m_probe->press(Qt::Key_Left, Qt::AltModifier);
        rest();
    }

    void forward() {
        QVERIFY(actions()["goForward"]->isEnabled());
        m_probe->press(Qt::Key_Right, Qt::AltModifier);
        rest();
    }

    void wheel(Qt::KeyboardModifiers modifiers) {
        CanvasView& canvas = m_probe->canvas();
        QWheelEvent event(QPoint(300, 300), canvas.mapToGlobal(QPoint(300, 300)), {}, {0, 120}, Qt::NoButton,
                          modifiers, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&canvas, &event);
        rest();
    }

    bool isSeen(const QString& name) {
        const CanvasView& canvas = m_probe->canvas();
        const int box = canvas.geometry().picture()->diagram.boxOf(m_probe->node(name).node);
        return box >= 0 &&
               QRectF(canvas.rect()).contains(canvas.camera().toScreen(canvas.geometry().rect(box)));
    }

    static bool isSame(const Camera& a, const Camera& b) {
        const QPointF away = a.origin() - b.origin();
        return std::abs(a.scale() - b.scale()) < 1e-6 && std::hypot(away.x(), away.y()) < 1;
    }

    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestPlaces)
} // namespace fx::ui::places_test
#include "tst_places.moc"
