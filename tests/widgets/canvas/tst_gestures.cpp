// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse and keys on the canvas: moving, selecting, walking, opening scopes, rewiring.
#include "tests/support/test_program.h"
#include "tests/widgets/canvas/canvas_probe.h"
#include "widgets/document/nested_graphs.h"

namespace fx::ui::gestures_test {

namespace {

QPointF plane(CanvasProbe& probe, QPoint at) {
    return probe.view.camera().toPlane(QPointF(at));
}

bool isNear(QPointF a, QPointF b, double most = 1e-6) {
    return std::hypot(a.x() - b.x(), a.y() - b.y()) <= most;
}

/// A place on the wire from one node to another where no box is in the way.
QPoint onWire(CanvasProbe& probe, const QString& from, const QString& to) {
    const CanvasGeometry& geometry = probe.view.geometry();
    for (int i = 0; i < static_cast<int>(geometry.picture()->diagram.edges.size()); ++i) {
        const DiagramEdge& edge = geometry.edge(i);
        if (edge.from != probe.box(from) || edge.to != probe.box(to))
            continue;
        for (double t = 0.3; t < 0.8; t += 0.02) {
            const auto& p = edge.path;
            const double u = 1 - t;
            const QPointF at(
                u * u * u * p[0].x + 3 * u * u * t * p[1].x + 3 * u * t * t * p[2].x + t * t * t * p[3].x,
                u * u * u * p[0].y + 3 * u * u * t * p[1].y + 3 * u * t * t * p[2].y + t * t * t * p[3].y);
            if (geometry.boxAt(at) < 0 && geometry.edgeAt(at, 3) == i)
                return probe.view.camera().toScreen(at).toPoint();
        }
    }
    return {-1, -1};
}

} // namespace

class TestGestures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void clickSelects() {
        CanvasProbe probe("control_flow");
        QTest::mouseClick(&probe.view, Qt::LeftButton, {}, probe.at("sum_1"));
        QCOMPARE(probe.selected(), "sum_1");
        QVERIFY(probe.state("sum_1").isSelected);
        QTest::mouseClick(&probe.view, Qt::LeftButton, Qt::ControlModifier, probe.at("gt"));
        QCOMPARE(probe.selection.nodes().size(), size_t(2));
        QTest::keyClick(&probe.view, Qt::Key_Escape);
        QCOMPARE(probe.selected(), "");
    }

    void inputsAndUsersAreHighlighted() {
        CanvasProbe probe("control_flow");
        QTest::mouseClick(&probe.view, Qt::LeftButton, {}, probe.at("linear"));
        for (const char* name : {"x", "sum_1", "cond"})
            QVERIFY2(probe.state(name).isNeighbour, name);
        for (const char* name : {"linear", "gt", "getitem", "limit"})
            QVERIFY2(!probe.state(name).isNeighbour, name);
    }

    void dragPansAndClickDoesNot() {
        CanvasProbe probe("control_flow");
        probe.view.look().fit();
        const QPoint from(450, 690), to(500, 600);
        const QPointF under = plane(probe, from);
        probe.drag(from, to);
        QVERIFY(isNear(plane(probe, to), under));
        QCOMPARE(probe.selected(), "");
        const QPoint at = probe.at("gt");
        const QPointF before = probe.view.camera().origin();
        QTest::mouseClick(&probe.view, Qt::LeftButton, {}, at);
        QCOMPARE(probe.view.camera().origin(), before);
    }

    void wheelZoomsToTheCursor_data() {
        QTest::addColumn<QPoint>("at");
        QTest::addColumn<int>("delta");
        QTest::newRow("in") << QPoint(120, 80) << 120;
        QTest::newRow("out") << QPoint(800, 650) << -120;
        QTest::newRow("a little") << QPoint(450, 350) << 15;
        QTest::newRow("to the limit") << QPoint(300, 300) << 12000;
    }

    void wheelZoomsToTheCursor() {
        QFETCH(QPoint, at);
        QFETCH(int, delta);
        CanvasProbe probe("control_flow");
        const QPointF under = plane(probe, at);
        const double before = probe.view.camera().scale();
        probe.wheel(at, delta);
        QVERIFY(delta > 0 ? probe.view.camera().scale() > before : probe.view.camera().scale() < before);
        QVERIFY(probe.view.camera().scale() <= Camera::kMost);
        QVERIFY(isNear(plane(probe, at), under));
    }

    void fitShowsAll() {
        CanvasProbe probe("resnet");
        probe.wheel({100, 100}, 600);
        probe.view.look().fit();
        QVERIFY(
            QRectF(probe.view.rect()).contains(probe.view.camera().toScreen(probe.view.geometry().bounds())));
        QCOMPARE(
            probe.view.visibleNodeCount(),
            static_cast<int>(std::count_if(
                probe.layout.picture()->diagram.boxes.begin(), probe.layout.picture()->diagram.boxes.end(),
                [](const DiagramBox& box) { return box.kind == DiagramBox::Kind::Node; })));
    }

    void arrowsWalkToProducersAndConsumers() {
        CanvasProbe probe("control_flow");
        QTest::mouseClick(&probe.view, Qt::LeftButton, {}, probe.at("sum_1"));
        QTest::keyClick(&probe.view, Qt::Key_Down);
        QCOMPARE(probe.selected(), "gt");
        QTest::keyClick(&probe.view, Qt::Key_Down);
        QCOMPARE(probe.selected(), "cond");
        QTest::keyClick(&probe.view, Qt::Key_Down);
        QCOMPARE(probe.selected(), "getitem");
        for (int i = 0; i < 8; ++i)
            QTest::keyClick(&probe.view, Qt::Key_Up);
        QVERIFY(probe.document.model().graph().node(probe.selection.currentNode()).inputs.empty());
        // It is never out of sight.
        probe.settle();
        QVERIFY(probe.view.rect().contains(probe.at(probe.selected())));
    }

    void sideArrowsGoToNeighboursAndBack() {
        CanvasProbe probe("control_flow");
        QTest::mouseClick(&probe.view, Qt::LeftButton, {}, probe.at("getitem_1"));
        const double x = probe.view.geometry().rect(probe.box("getitem_1")).center().x();
        const bool isLeft = x < probe.view.geometry().rect(probe.box("getitem_2")).center().x();
        QTest::keyClick(&probe.view, isLeft ? Qt::Key_Right : Qt::Key_Left);
        QCOMPARE(probe.selected(), "getitem_2");
        QTest::keyClick(&probe.view, isLeft ? Qt::Key_Left : Qt::Key_Right);
        QCOMPARE(probe.selected(), "getitem_1");
    }

    void shiftDragSelectsInABand() {
        CanvasProbe probe("control_flow");
        probe.view.look().fit();
        const QRectF sum = probe.view.camera().toScreen(probe.view.geometry().rect(probe.box("sum_1")));
        const QRectF gt = probe.view.camera().toScreen(probe.view.geometry().rect(probe.box("gt")));
        const QRect band = sum.united(gt).toAlignedRect().adjusted(-4, -4, 4, 4);
        QVERIFY(probe.view.geometry().boxAt(plane(probe, band.topLeft())) < 0);
        probe.drag(band.topLeft(), band.bottomRight(), Qt::ShiftModifier);
        QVERIFY(probe.selection.isSelected(probe.node("sum_1").node));
        QVERIFY(probe.selection.isSelected(probe.node("gt").node));
        QVERIFY(!probe.selection.isSelected(probe.node("while_loop").node));
    }

    void scopesOpenAndCloseInPlace_data() {
        QTest::addColumn<bool>("byMouse");
        QTest::newRow("double click") << true;
        QTest::newRow("Enter") << false;
    }

    void scopesOpenAndCloseInPlace() {
        QFETCH(bool, byMouse);
        CanvasProbe probe("resnet");
        probe.selection.collapseAll();
        probe.settle();
        probe.selection.selectScope("layer2");
        probe.settle();
        const auto title = [&] {
            return probe.view.camera().toScreen(
                probe.view.geometry().titleRect(probe.view.geometry().scopeBox("layer2")));
        };
        const auto toggle = [&] {
            if (byMouse)
                QTest::mouseDClick(&probe.view, Qt::LeftButton, {},
                                   (title().topLeft() + QPointF(60, 8)).toPoint());
            else
                QTest::keyClick(&probe.view, Qt::Key_Return);
            probe.settle();
        };
        const QPointF place = title().topLeft();
        QVERIFY(probe.view.rect().contains(place.toPoint()));
        toggle();
        QVERIFY(probe.selection.isExpanded("layer2"));
        QVERIFY(probe.view.geometry().scopeBox("layer2.0") >= 0);
        QVERIFY2(isNear(title().topLeft(), place, 1), "the title stays under the eye");
        toggle();
        QVERIFY(!probe.selection.isExpanded("layer2"));
        QVERIFY(isNear(title().topLeft(), place, 1));
    }

    void enterAndDoubleClickShowANestedGraph() {
        CanvasProbe probe("control_flow");
        QSignalSpy wanted(&probe.view, &CanvasView::graphWanted);
        QTest::mouseDClick(&probe.view, Qt::LeftButton, {}, probe.at("cond"));
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(wanted[0][0].value<NodeRef>(), probe.node("cond"));
        QTest::mouseClick(&probe.view, Qt::LeftButton, {}, probe.at("while_loop"));
        QTest::keyClick(&probe.view, Qt::Key_Return);
        QCOMPARE(wanted.count(), 2);
    }

    void aWireDraggedOntoAnotherNodeRewires() {
        CanvasProbe probe("control_flow");
        probe.view.look().fit();
        const QPoint wire = onWire(probe, "sum_1", "gt");
        QVERIFY(wire.x() >= 0);
        const QPoint target =
            probe.view.camera().toScreen(probe.view.geometry().rect(probe.box("linear"))).center().toPoint();
        probe.drag(wire, target);
        const Graph& graph = probe.document.model().graph();
        QCOMPARE(graph.node(probe.node("gt").node).inputs.begin()->node, probe.node("linear").node);
        QCOMPARE(probe.document.undoStack().count(), 1);
        QCOMPARE(probe.selected(), "gt");
        probe.document.undoStack().undo();
        QCOMPARE(graph.node(probe.node("gt").node).inputs.begin()->node, probe.node("sum_1").node);
    }

    void aWireThatWouldMakeACycleIsRefused() {
        CanvasProbe probe("control_flow");
        probe.view.look().fit();
        QSignalSpy refused(&probe.view, &CanvasView::refused);
        const QPoint wire = onWire(probe, "sum_1", "gt");
        QVERIFY(wire.x() >= 0);
        for (const char* name : {"cond", "gt"}) {
            const QPoint target =
                probe.view.camera().toScreen(probe.view.geometry().rect(probe.box(name))).center().toPoint();
            probe.drag(wire, target);
            QCOMPARE(refused.count(), 1);
            const QString why = refused.takeFirst()[0].toString();
            QCOMPARE(why, name == QString("gt") ? "gt cannot read itself" : "cond depends on gt");
        }
        QCOMPARE(probe.document.undoStack().count(), 0);
        // Into the empty, or broken off by Escape: nothing.
        probe.drag(wire, {5, 5});
        QTest::mousePress(&probe.view, Qt::LeftButton, {}, wire);
        QTest::keyClick(&probe.view, Qt::Key_Escape);
        QTest::mouseRelease(&probe.view, Qt::LeftButton, {}, probe.at("linear"));
        QCOMPARE(probe.document.undoStack().count(), 0);
        QCOMPARE(refused.count(), 0);
    }

    void anotherPictureEndsAWire() {
        CanvasProbe probe("control_flow");
        probe.view.look().fit();
        const QPoint wire = onWire(probe, "sum_1", "gt");
        QVERIFY(wire.x() >= 0);
        const QPoint target =
            probe.view.camera().toScreen(probe.view.geometry().rect(probe.box("linear"))).center().toPoint();
        QTest::mousePress(&probe.view, Qt::LeftButton, {}, wire);
        QMouseEvent move(QEvent::MouseMove, target, probe.view.mapToGlobal(target), Qt::NoButton,
                         Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&probe.view, &move);
        // As when a run stops in a branch: a smaller graph, with other nodes and fewer boxes.
        probe.selection.showGraph(nestedGraphs(probe.document.model(), probe.node("cond")).at(0).second);
        QVERIFY(probe.settle());
        probe.view.grab();
        QTest::mouseRelease(&probe.view, Qt::LeftButton, {}, target);
        QCOMPARE(probe.document.undoStack().count(), 0);
    }
};

FX_TEST(TestGestures)
} // namespace fx::ui::gestures_test
#include "tst_gestures.moc"
