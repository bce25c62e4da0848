// SPDX-License-Identifier: GPL-3.0-or-later
// What the canvas shows: weights, wire labels, stubs, states while zoomed out; pictures written to files; the
// minimap.
#include "core/base/error.h"
#include "core/passes/costs/cost_pass.h"
#include "tests/support/test_program.h"
#include "tests/widgets/canvas/canvas_probe.h"
#include "widgets/canvas/minimap.h"
#include "widgets/canvas/picture_file.h"

#include <QBuffer>
#include <QHelpEvent>
#include <QImage>
#include <QRegularExpression>
#include <QSvgGenerator>
#include <QSvgRenderer>
#include <QToolTip>

namespace fx::ui::pictures_test {

namespace {

/// Whether any pixel of the picture has about that colour.
bool has(const QImage& image, const QColor& color) {
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            if (std::abs(pixel.red() - color.red()) + std::abs(pixel.green() - color.green()) +
                    std::abs(pixel.blue() - color.blue()) <
                12)
                return true;
        }
    return false;
}

/// All of the picture as SVG.
QString painted(const CanvasProbe& probe, const CanvasGeometry& geometry, double scale) {
    QBuffer buffer;
    QSvgGenerator svg;
    svg.setOutputDevice(&buffer);
    QPainter painter(&svg);
    Camera camera;
    camera.zoomAt({}, scale);
    DiagramPainter diagram(geometry, probe.view.states(), probe.view.tokens(), probe.theme.textFont(),
                           probe.theme.fixedFont());
    diagram.paint(painter, camera, camera.toScreen(geometry.bounds()));
    painter.end();
    return QString::fromUtf8(buffer.data());
}

QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestPictures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void weightsAreShownOnWish() {
        CanvasProbe probe("control_flow");
        QCOMPARE(probe.box("linear_weight"), -1);
        probe.selection.setShowsWeights(true);
        probe.settle();
        QVERIFY(probe.box("linear_weight") >= 0);
        probe.selection.setShowsWeights(false);
        probe.settle();
        QCOMPARE(probe.box("linear_weight"), -1);
    }

    void boxesSayNameTargetAndShape() {
        CanvasProbe probe("control_flow");
        const BoxText& text = probe.layout.picture()->texts[static_cast<size_t>(probe.box("linear"))];
        QCOMPARE(text.title, "linear");
        const QString shape = qt(
            valueMetaText(*knownValue(probe.document.model().graph().node(probe.node("linear").node).meta)));
        QVERIFY(shape.startsWith("f32[s"));
        QCOMPARE(qt(text.value), shape);
        QVERIFY2(text.detail.starts_with("aten.linear"), text.detail.c_str());
        const Picture& picture = *probe.layout.picture();
        for (size_t i = 0; i < picture.diagram.edges.size(); ++i)
            if (picture.diagram.edges[i].from == probe.box("linear"))
                QCOMPARE(picture.edgeLabels[i], shape);
    }

    void aTooltipIsOfWhatIsUnderTheMouse() {
        CanvasProbe probe("resnet");
        probe.selection.expandAll();
        QVERIFY(probe.settle());
        const auto tipAt = [&](QPoint place) {
            QHelpEvent event(QEvent::ToolTip, place, probe.view.mapToGlobal(place));
            QApplication::sendEvent(&probe.view, &event);
            return QToolTip::text();
        };
        for (const char* path : {"layer1", "layer1.0", "layer1.1"}) {
            const int box = probe.view.geometry().scopeBox(path);
            QVERIFY(box >= 0);
            probe.view.look().ensureBoxVisible(box);
            QVERIFY(probe.settle());
            const QRectF title = probe.view.camera().toScreen(probe.view.geometry().titleRect(box));
            const QString tip = tipAt(title.center().toPoint());
            QVERIFY2(tip.contains(QString("<b>%1</b>").arg(path)), qPrintable(tip));
        }
        const QString tip = tipAt(probe.at("relu_3"));
        QVERIFY2(tip.contains("relu_3"), qPrintable(tip));
        QToolTip::hideText();
    }

    void aShapeThatARunBringsHasItsRoom() {
        const CanvasProbe probe("control_flow");
        const TextMetrics metrics(probe.theme.textFont(), probe.theme.fixedFont());
        const BoxText unknown{"bn", "BatchNorm2d(8)", "", ""},
            known{"bn", "BatchNorm2d(8)", "f32[32, 512, 28, 28]", ""};
        DiagramBox before, after, none;
        metrics.measure(before, unknown, false, true);
        metrics.measure(after, known, false, true);
        metrics.measure(none, unknown, false, false);
        QVERIFY(before.width >= after.width);
        QCOMPARE(before.height, after.height);
        QVERIFY(none.width < before.width);
    }

    void boxesDoNotOverlap_data() { samples(); }
    void boxesDoNotOverlap() {
        QFETCH(QString, sample);
        CanvasProbe probe(sample);
        probe.selection.expandAll();
        probe.settle();
        const CanvasGeometry& geometry = probe.view.geometry();
        const int count = static_cast<int>(geometry.picture()->diagram.boxes.size());
        QVERIFY(count >= 12);
        for (int a = 0; a < count; ++a)
            for (int b = 0; b < a; ++b) {
                const bool isField = geometry.box(a).kind == DiagramBox::Kind::ExpandedScope ||
                                     geometry.box(b).kind == DiagramBox::Kind::ExpandedScope;
                QVERIFY(isField || !geometry.rect(a).adjusted(1, 1, -1, -1).intersects(geometry.rect(b)));
            }
    }

    void boxesAreColouredByWhatTheyCost() {
        CanvasProbe probe("transformer");
        probe.selection.expandAll();
        probe.settle();
        QCOMPARE(probe.view.states().of(*probe.view.geometry().picture(), 0).heat, 0.0);
        const auto hottest = [&](Colouring colouring) {
            probe.view.colourBy(colouring);
            std::vector<double> out;
            for (size_t i = 0; i < probe.layout.picture()->diagram.boxes.size(); ++i)
                out.push_back(
                    probe.view.states().of(*probe.view.geometry().picture(), static_cast<int>(i)).heat);
            return out;
        };
        for (const double heat : hottest(Colouring::Flops))
            QCOMPARE(heat, 0.0); // nothing is counted
        std::vector<NodeId> nodes;
        for (const Node& node : probe.document.model().graph())
            if (node.opcode == Opcode::CallFunction)
                nodes.push_back(node.id);
        QVERIFY(nodes.size() > 1);
        NodeFigures costs;
        costs[nodes[0]].flops = 100;
        costs[nodes[1]].flops = 25;
        costs[nodes[1]].traffic.read = 7;
        costs[nodes[0]].prediction = Prediction{.memory = 1, .compute = 3, .seconds = 3};
        costs[nodes[1]].prediction = Prediction{.memory = 6, .seconds = 6};
        probe.view.setCosts(costs);
        const auto stateOf = [&](NodeId node) -> const BoxState& {
            const Picture& picture = *probe.view.geometry().picture();
            return probe.view.states().of(picture, picture.diagram.boxOf(node));
        };
        const auto heatOf = [&](NodeId node) { return stateOf(node).heat; };
        const QImage before = probe.view.grab().toImage();
        probe.view.colourBy(Colouring::Kind);
        QVERIFY(before != probe.view.grab().toImage());
        probe.view.colourBy(Colouring::Flops);
        QCOMPARE(heatOf(nodes[0]), 1.0);
        QCOMPARE(heatOf(nodes[1]), 0.25);
        probe.view.colourBy(Colouring::Bytes);
        QCOMPARE(heatOf(nodes[0]), 0.0);
        QCOMPARE(heatOf(nodes[1]), 1.0);
        probe.view.colourBy(Colouring::Predicted);
        QCOMPARE(heatOf(nodes[0]), 0.5);
        QCOMPARE(stateOf(nodes[0]).note, "3 s");
        const QImage byTime = probe.view.grab().toImage();
        probe.view.colourBy(Colouring::Bound);
        QCOMPARE(stateOf(nodes[0]).note, "compute");
        QCOMPARE(stateOf(nodes[1]).note, "memory");
        QVERIFY(byTime != probe.view.grab().toImage());
        // A closed scope waits for what its nodes wait for together.
        probe.selection.collapseAll();
        probe.settle();
        const BoxState& scope = stateOf(nodes[0]);
        QCOMPARE(scope.note, probe.view.geometry().picture()->diagram.boxOf(nodes[0]) ==
                                     probe.view.geometry().picture()->diagram.boxOf(nodes[1])
                                 ? "memory"
                                 : "compute");
    }

    void wireLabelsStayOffTheBoxes_data() { samples(); }
    void wireLabelsStayOffTheBoxes() {
        QFETCH(QString, sample);
        CanvasProbe probe(sample);
        probe.view.look().setZoom(1);
        probe.settle();
        probe.view.look().centerOn(probe.view.geometry().bounds().center());
        probe.settle();
        const QImage with = probe.view.grab().toImage();
        probe.view.setEdgeLabels(false);
        const QImage without = probe.view.grab().toImage();
        const auto differ = [&](const QRect& area) {
            int count = 0;
            for (int y = area.top(); y <= area.bottom(); ++y)
                for (int x = area.left(); x <= area.right(); ++x)
                    count += with.pixel(x, y) != without.pixel(x, y);
            return count;
        };
        QVERIFY2(differ(with.rect()) > 50, "there are labels");
        for (int box :
             probe.view.geometry().boxesIn(probe.view.camera().toPlane(QRectF(probe.view.rect())))) {
            const QRectF place = probe.view.geometry().titleRect(box);
            const QRect shown =
                probe.view.camera().toScreen(place).toRect().adjusted(1, 1, -1, -1) & with.rect();
            QCOMPARE(differ(shown), 0);
        }
    }

    void aValueWithManyReadersHasStubs() {
        CanvasProbe probe("transformer");
        probe.selection.expandAll();
        probe.settle();
        int stubs = 0;
        for (const DiagramBox& box : probe.layout.picture()->diagram.boxes)
            stubs += box.kind == DiagramBox::Kind::Stub;
        QVERIFY(stubs >= 8);
    }

    void everyLevelOfDetailIsPainted() {
        CanvasProbe probe("resnet");
        for (const double scale : {2.0, 1.0, 0.6, 0.3, 0.1, 0.03}) {
            Camera camera;
            camera.zoomAt({}, scale);
            const QPointF middle = camera.toScreen(probe.view.geometry().bounds().center());
            camera.pan(QRectF(probe.view.rect()).center() - middle);
            probe.view.look().set(camera);
            const QImage image = probe.view.grab().toImage();
            int differing = 0;
            for (int x = 0; x < image.width(); ++x)
                for (int y = 0; y < image.height(); ++y)
                    differing += image.pixelColor(x, y) != probe.view.tokens().canvas;
            QVERIFY2(differing > 300, qPrintable(QString::number(scale)));
        }
    }

    void titlesOfClosedScopesAreWhole_data() {
        QTest::addColumn<double>("scale");
        for (const double scale : {1.0, 0.8, 0.6, 0.45, 0.3})
            QTest::addRow("%g", scale) << scale;
    }
    void titlesOfClosedScopesAreWhole() {
        QFETCH(double, scale);
        CanvasProbe probe("resnet");
        probe.selection.collapseAll();
        probe.settle();
        const QString text = painted(probe, probe.view.geometry(), scale);
        for (const char* name : {"layer1", "layer2", "layer3"})
            QVERIFY2(text.contains(QString(" %1<").arg(name)), name); // behind the triangle, of another font
    }

    /// A name that has no room loses its middle: no box is empty.
    void namesKeepTheirEndsFromAfar() {
        CanvasProbe probe("control_flow");
        Picture picture = *probe.layout.picture();
        const auto index = static_cast<size_t>(probe.box("linear"));
        picture.texts[index].title = "decoder_layers_0_cross_attention_output_projection";
        const CanvasGeometry geometry(std::make_shared<const Picture>(picture));
        for (const double scale : {0.5, 0.3, 0.24}) {
            const QString text = painted(probe, geometry, scale);
            QVERIFY(text.contains(">add<") || text.contains(">gt<"));
            const QRegularExpression cut(QString(">\\s*d\\w*%1\\w*n\\s*<").arg(QChar(0x2026)));
            QVERIFY2(text.contains(cut), qPrintable(QString::number(scale)));
        }
    }

    void shapesOfATupleAreNotCut() {
        CanvasProbe probe("control_flow");
        Picture picture = *probe.layout.picture();
        const auto index = static_cast<size_t>(probe.box("linear"));
        const auto chip = [&](const std::string& value) {
            picture.texts[index].value = value;
            return painted(probe, CanvasGeometry(std::make_shared<const Picture>(picture)), 1);
        };
        QVERIFY(chip("(f32[1], i64[])").contains(">(f32[1], i64[])<"));
        const QString many =
            chip("(f32[1, 128, 1024], f32[2, 128, 1024], f32[3, 128, 1024], (f32[1], f32[2]))");
        QVERIFY2(QRegularExpression(R"(>\(f32\[1, 128, 1024\](, f32\[2, 128, 1024\])?, \+[23]\)<)")
                     .match(many)
                     .hasMatch(),
                 qPrintable(many));
    }

    void theRunIsToldByColour() {
        CanvasProbe probe("control_flow");
        probe.debug.breakpoints().toggle(probe.node("gt"));
        probe.debug.start(false);
        QTRY_COMPARE(probe.debug.state(), DebugService::State::Paused);
        probe.show("gt");
        const QRect gt =
            probe.view.camera().toScreen(probe.view.geometry().rect(probe.box("gt"))).toAlignedRect();
        const QImage image = probe.view.grab(gt.adjusted(-6, -6, 6, 6)).toImage();
        QVERIFY(has(image, probe.view.tokens().current));
        QVERIFY(has(image, probe.view.tokens().fault));
        probe.show("linear");
        const QRect linear =
            probe.view.camera().toScreen(probe.view.geometry().rect(probe.box("linear"))).toAlignedRect();
        QVERIFY(has(probe.view.grab(linear).toImage(), probe.view.tokens().healthy));
    }

    void svgIsSharpAndWhole() {
        CanvasProbe probe("control_flow");
        const QString path = probe.settings.path("graph.svg");
        writePicture(probe.view, {.path = path});
        QSvgRenderer svg(path);
        QVERIFY(svg.isValid());
        QCOMPARE(svg.viewBoxF().size(), pictureSize(probe.view));
        const QByteArray text = contents(path);
        for (const char* name : {">linear<", ">while_loop<", ", 8]<"})
            QVERIFY2(text.contains(name), name);
    }

    void pngHasTheAskedSize_data() {
        QTest::addColumn<double>("scale");
        QTest::addColumn<bool>("isDark");
        QTest::newRow("half") << 0.5 << false;
        QTest::newRow("three times, dark") << 3.0 << true;
    }

    void pngHasTheAskedSize() {
        QFETCH(double, scale);
        QFETCH(bool, isDark);
        CanvasProbe probe("control_flow");
        const QString path = probe.settings.path("graph.png");
        writePicture(probe.view, {.path = path, .isDark = isDark, .scale = scale});
        const QImage image(path);
        QCOMPARE(image.size(), (pictureSize(probe.view) * scale).toSize());
        QCOMPARE(image.pixelColor(2, 2), (isDark ? darkTokens() : lightTokens()).canvas);
        writePicture(probe.view, {.path = path, .hasBackground = false, .scale = scale});
        QCOMPARE(QImage(path).pixelColor(2, 2).alpha(), 0);
    }

    void minimapMovesTheCanvas() {
        CanvasProbe probe("resnet");
        Minimap minimap(probe.view, probe.layout, probe.selection.matches(), probe.theme);
        minimap.show();
        probe.view.look().setZoom(1);
        probe.settle();
        const auto middle = [&] { return probe.view.camera().toPlane(QRectF(probe.view.rect()).center()); };
        const QRectF all = probe.view.geometry().bounds();
        QTest::mouseClick(&minimap, Qt::LeftButton, {}, {46, 12});
        QVERIFY(middle().y() < all.top() + all.height() / 4);
        QTest::mousePress(&minimap, Qt::LeftButton, {}, {46, 12});
        QMouseEvent move(QEvent::MouseMove, QPointF(46, 94), minimap.mapToGlobal(QPointF(46, 94)),
                         Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(&minimap, &move);
        QTest::mouseRelease(&minimap, Qt::LeftButton, {}, {46, 94});
        QVERIFY(middle().y() > all.bottom() - all.height() / 4);
        QVERIFY(has(minimap.grab().toImage(), probe.view.tokens().selection));
    }

private:
    static void samples() {
        QTest::addColumn<QString>("sample");
        for (const char* name : {"resnet", "transformer", "control_flow"})
            QTest::newRow(name) << name;
    }
};

FX_TEST(TestPictures)
} // namespace fx::ui::pictures_test
#include "tst_pictures.moc"
