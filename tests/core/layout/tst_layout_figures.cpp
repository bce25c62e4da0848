// SPDX-License-Identifier: GPL-3.0-or-later
// What one can read of a picture, measured over the oracle's models: the main path is one vertical line,
// equal blocks stand under one another, wires have no corners and run through no box, and cross no more than
// plain dot's do.
#include "core/layout/linear_layout.h"
#include "core/layout/placement.h"
#include "core/layout/worker_client.h"
#include "core/module/edit.h"
#include "tests/support/layout_figures.h"
#include "tests/support/oracle.h"
#include "tests/support/plain_dot.h"
#include "tests/support/source_models.h"
#include "tests/support/test_program.h"

namespace fx::layout_figures_test {

namespace {

Diagram placed(Diagram diagram, bool foldsLong) {
    static LayoutWorker worker(FXSCOPE_BUILD "/bin/fxscope-layout-worker");
    place(
        diagram, [](const Level& level) { return worker.layOut(level, std::chrono::seconds(60)); },
        foldsLong);
    return diagram;
}

std::string oneLine(const std::string& name, const LayoutFigures& f) {
    char out[300];
    std::snprintf(
        out, sizeof out,
        "%-34s path %4zu  drift %5.2f  wires %5zu  bends %5zu  corners %4zu  crossings %5zu  through %4zu  "
        "area %7.0f",
        name.c_str(), f.nodes, f.drift, f.wires, f.bends, f.corners, f.crossings, f.through, f.area);
    return out;
}

} // namespace

class TestLayoutFigures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theTrunkIsStraight_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("isOpen");
        QTest::addColumn<bool>("showsWeights");
        for (const std::string& name : oracleModels())
            for (const bool isOpen : {false, true})
                for (const bool showsWeights : {false, true})
                    QTest::addRow("%s%s%s", name.c_str(), isOpen ? ", all open" : "",
                                  showsWeights ? ", weights" : "")
                        << QString::fromStdString(name) << isOpen << showsWeights;
    }
    void theTrunkIsStraight() {
        QFETCH(QString, name);
        QFETCH(bool, isOpen);
        QFETCH(bool, showsWeights);
        const OpenedModel opened = openOracle(name.toStdString());
        measure(name.toStdString(), measuredDiagram(opened.model.graph(), isOpen ? 0 : 80, showsWeights));
    }
    /// Those of tests/bench/bench_layout.cpp.
    void theTrunkOfSourcesIsStraight_data() {
        QTest::addColumn<QString>("name");
        for (const std::string& name : sourceModels())
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
        QVERIFY(sourceModels().size() >= 30);
    }
    void theTrunkOfSourcesIsStraight() {
        QFETCH(QString, name);
        const OpenedModel opened = openSource(name.toStdString());
        measure(name.toStdString(), measuredDiagram(opened.model.graph(), 0, false));
    }
    void theQuickPlacementIsStraightToo_data() { addOracleRows(); }
    void theQuickPlacementIsStraightToo() {
        QFETCH(QString, name);
        const OpenedModel opened = openOracle(name.toStdString());
        for (const bool isOpen : {false, true}) {
            Diagram diagram = measuredDiagram(opened.model.graph(), isOpen ? 0 : 80, true);
            place(diagram, layoutLinearly, false);
            const LayoutFigures figures = figuresOf(diagram);
            QVERIFY(figures.drift <= 0.01 * static_cast<double>(figures.nodes));
            QCOMPARE(figures.corners + figures.through, size_t(0));
        }
    }
    /// Too many for Graphviz: wires over many ranks run beside what they pass.
    void aLongGraphHasNoWireBehindABox() {
        Model model;
        Edit edit(model);
        NodeId x = edit.placeholder("x"), older = x;
        for (int i = 0; i < 3000; ++i) {
            const NodeId next = i % 7 == 3
                                    ? edit.callFunction(Target("torch.ops.aten.add.Tensor"), {x, older})
                                    : edit.callFunction(Target("torch.ops.aten.relu.default"), {x});
            older = i % 7 == 0 ? x : older;
            x = next;
        }
        edit.output(x);
        const Diagram boxes = measuredDiagram(model.graph(), 0, false);
        const LayoutFigures figures = figuresOf(placed(boxes, false));
        QCOMPARE(figures.nodes, size_t(3002));
        QVERIFY(figures.drift < 0.01);
        QCOMPARE(figures.corners + figures.through, size_t(0));
        const Diagram sheet = placed(boxes, true);
        QVERIFY(sheet.height < 2 * sheet.width);
        const LayoutFigures folded = figuresOf(sheet);
        QCOMPARE(folded.corners + folded.through, size_t(0));
        QVERIFY(folded.crossings <= figures.crossings);
    }

    /// Each is drawn by itself; what leaves a scope in one order goes on in it.
    void wiresThatLeaveAScopeTogetherDoNotCross() {
        Model model;
        Edit edit(model);
        const NodeId x = edit.placeholder("x");
        const auto inScope = [&](NodeId node) {
            edit.setMeta(node, meta::kModuleStack,
                         MetaValue(ModuleStack{{"root", "", "Net"}, {"many", "many", "Many"}}));
            return node;
        };
        std::vector<NodeId> parts, results;
        for (int i = 0; i < 12; ++i)
            parts.push_back(inScope(edit.callFunction("torch.roll", {x, i})));
        NodeId trunk = inScope(edit.callFunction("torch.relu", {x}));
        for (int i = 0; i < 12; ++i)
            trunk = edit.callFunction("torch.relu", {trunk});
        for (const NodeId part : parts)
            results.push_back(edit.callFunction("torch.neg", {part}));
        results.push_back(trunk);
        edit.output(ListValue{Arguments(results.begin(), results.end())});
        edit.finish();
        const Diagram diagram = placed(measuredDiagram(model.graph(), 0, false), false);
        const LayoutFigures figures = figuresOf(diagram);
        QCOMPARE(figures.crossings + figures.corners + figures.through, size_t(0));
    }

    void aLongGraphIsFoldedIntoColumns_data() {
        QTest::addColumn<bool>("isOpen");
        QTest::newRow("closed") << false;
        QTest::newRow("all open") << true;
    }
    void aLongGraphIsFoldedIntoColumns() {
        QFETCH(bool, isOpen);
        const Model model = decoder(48);
        const Diagram boxes = measuredDiagram(model.graph(), isOpen ? 0 : 80, false);
        const Diagram tall = placed(boxes, false), sheet = placed(boxes, true);
        QVERIFY(tall.height > 4 * tall.width);
        QVERIFY(sheet.height < 2 * sheet.width && sheet.width < 2 * sheet.height);
        const LayoutFigures figures = figuresOf(sheet);
        qInfo("%s", oneLine("decoder", figures).c_str());
        QCOMPARE(figures.corners + figures.through, size_t(0));
        QVERIFY(figures.crossings <= figuresOf(tall).crossings);
        // Down one column, then down the next.
        const ScopeTree scopes(model.graph());
        double x = 0, y = 0;
        for (int block = 0; block < 48; ++block) {
            const int scope = scopes.find("h." + std::to_string(block));
            const auto box = std::ranges::find_if(
                sheet.boxes, [&](const DiagramBox& each) { return !each.node && each.scope == scope; });
            QVERIFY(box != sheet.boxes.end());
            QVERIFY(block == 0 || box->y > y || box->x > x + box->width);
            x = box->x;
            y = box->y;
        }
    }
    void aShortGraphIsNotFolded() {
        const Model model = decoder(2);
        const Diagram boxes = measuredDiagram(model.graph(), 1, false);
        const Diagram was = placed(boxes, false), is = placed(boxes, true);
        QCOMPARE(is.width, was.width);
        QCOMPARE(is.height, was.height);
    }

    void crossesNoMoreThanDot() {
        if (m_plain == 0)
            QSKIP("adds up what is found of models and sources");
        qInfo("crossings of all: %zu, dot's %zu", m_ours, m_plain);
        QVERIFY(m_ours <= m_plain);
    }

    void equalBlocksStandUnderOneAnother_data() {
        QTest::addColumn<int>("blocks");
        QTest::newRow("12") << 12;
        QTest::newRow("48") << 48;
    }
    void equalBlocksStandUnderOneAnother() {
        QFETCH(int, blocks);
        const Model model = decoder(blocks);
        const ScopeTree scopes(model.graph());
        for (const size_t mostBoxes : {size_t(80), size_t(0)}) {
            const Diagram diagram = placed(measuredDiagram(model.graph(), mostBoxes, false), false);
            std::set<double> left;
            int count = 0;
            for (const DiagramBox& box : diagram.boxes)
                if (!box.node && scopes.scope(box.scope).type == "Block") {
                    left.insert(box.x);
                    ++count;
                }
            QCOMPARE(count, blocks);
            // The first one may be wider: it alone takes the mask by a wire.
            QVERIFY2(left.size() <= 2, qPrintable(QString::number(left.size())));
            const LayoutFigures figures = figuresOf(diagram);
            qInfo("%s", oneLine("decoder", figures).c_str());
            QVERIFY(figures.drift < 0.01);
            QCOMPARE(figures.corners + figures.through, size_t(0));
        }
    }

private:
    void measure(const std::string& name, const Diagram& diagram) {
        const auto [ours, dot] = besideDot(diagram);
        qInfo("%s", oneLine(name, ours).c_str());
        qInfo("%s", oneLine("    dot", dot).c_str());
        QVERIFY(ours.drift <= 0.01 * static_cast<double>(ours.nodes));
        QCOMPARE(ours.corners, size_t(0));
        QCOMPARE(ours.through, size_t(0));
        m_ours += ours.crossings;
        m_plain += dot.crossings;
    }

    size_t m_ours = 0, m_plain = 0;
};

FX_TEST(TestLayoutFigures)
} // namespace fx::layout_figures_test
#include "tst_layout_figures.moc"
