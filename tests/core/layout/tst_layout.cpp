// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the oracle's graphs by both layouters: boxes keep apart and inside their scopes, edges meet
// their boxes; and a worker that is late, killed, missing or mad ends in an error, after which the next level
// works again.
#include "core/base/error.h"
#include "core/layout/box_text.h"
#include "core/layout/level_message.h"
#include "core/layout/linear_layout.h"
#include "core/layout/placement.h"
#include "core/layout/worker_client.h"
#include "core/module/edit.h"
#include "tests/support/layout_figures.h"
#include "tests/support/oracle.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>

#include <fstream>

namespace fx::layout_test {

using std::chrono::milliseconds;

namespace {

constexpr const char* kWorker = FXSCOPE_BUILD "/bin/fxscope-layout-worker";

Diagram diagramOf(const Graph& graph, bool isExpanded, bool showsWeights) {
    const ScopeTree scopes(graph);
    DiagramOptions options;
    options.showsWeights = showsWeights;
    for (const Scope& scope : scopes.scopes())
        if (isExpanded)
            options.expandedScopes.insert(scope.path);
    Diagram diagram = buildDiagram(graph, scopes, options);
    for (DiagramBox& box : diagram.boxes) {
        box.width = 60 + 10 * (box.node ? box.node.value % 9 : 3);
        box.height = box.kind == DiagramBox::Kind::Stub ? 16 : 40;
    }
    return diagram;
}

bool overlap(const DiagramBox& a, const DiagramBox& b) {
    constexpr double kSlack = 0.5;
    return a.x + kSlack < b.x + b.width && b.x + kSlack < a.x + a.width && a.y + kSlack < b.y + b.height &&
           b.y + kSlack < a.y + a.height;
}

bool holds(const DiagramBox& outer, const DiagramBox& inner) {
    constexpr double kSlack = 0.5;
    return inner.x >= outer.x - kSlack && inner.y >= outer.y - kSlack &&
           inner.x + inner.width <= outer.x + outer.width + kSlack &&
           inner.y + inner.height <= outer.y + outer.height + kSlack;
}

bool isNear(const DiagramBox& box, Point point) {
    constexpr double kSlack = 4;
    return point.x >= box.x - kSlack && point.x <= box.x + box.width + kSlack && point.y >= box.y - kSlack &&
           point.y <= box.y + box.height + kSlack;
}

/// What is wrong with a placed diagram; empty if nothing is.
std::string faultOf(const Diagram& diagram) {
    const DiagramBox whole{DiagramBox::Kind::ExpandedScope, {}, 0, -1, 0, 0, diagram.width, diagram.height};
    for (size_t i = 0; i < diagram.boxes.size(); ++i) {
        const DiagramBox& box = diagram.boxes[i];
        const std::string name = "box " + std::to_string(i);
        if (box.width <= 0 || box.height <= 0)
            return name + " has no size";
        if (!holds(box.parent < 0 ? whole : diagram.boxes[static_cast<size_t>(box.parent)], box))
            return name + " leaves its scope";
        for (size_t j = i + 1; j < diagram.boxes.size(); ++j)
            if (diagram.boxes[j].parent == box.parent && overlap(box, diagram.boxes[j]))
                return name + " overlaps box " + std::to_string(j);
    }
    for (const DiagramEdge& edge : diagram.edges) {
        if (edge.path.size() < 4 || edge.path.size() % 3 != 1)
            return "an edge is no curve";
        if (!isNear(diagram.boxes[static_cast<size_t>(edge.from)], edge.path.front()))
            return "an edge does not begin at its box " + std::to_string(edge.from);
        if (!isNear(diagram.boxes[static_cast<size_t>(edge.to)], edge.path.back()))
            return "an edge does not end at its box " + std::to_string(edge.to);
    }
    return {};
}

Level chain(int length) {
    Level level;
    level.items.assign(static_cast<size_t>(length), {80, 40});
    for (int i = 1; i < length; ++i)
        level.edges.push_back({i - 1, i});
    return level;
}

/// Every node joined to every later one: Graphviz needs for ever.
Level dense(int count) {
    Level level = chain(count);
    for (int i = 0; i < count; ++i)
        for (int j = i + 2; j < count; ++j)
            level.edges.push_back({i, j});
    return level;
}

std::string script(const QTemporaryDir& folder, const std::string& text) {
    const std::string path = folder.filePath("worker.sh").toStdString();
    std::ofstream(path) << "#!/bin/sh\n" << text << '\n';
    QFile::setPermissions(QString::fromStdString(path),
                          QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return path;
}

} // namespace

class TestLayout : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepsBoxesApart_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("isExpanded");
        QTest::addColumn<bool>("isGraphviz");
        for (const std::string& name : oracleModels())
            for (bool isExpanded : {false, true}) {
                QTest::addRow("%s %s linear", name.c_str(), isExpanded ? "expanded" : "collapsed")
                    << QString::fromStdString(name) << isExpanded << false;
                QTest::addRow("%s %s graphviz", name.c_str(), isExpanded ? "expanded" : "collapsed")
                    << QString::fromStdString(name) << isExpanded << true;
            }
    }
    void keepsBoxesApart() {
        QFETCH(QString, name);
        QFETCH(bool, isExpanded);
        QFETCH(bool, isGraphviz);
        if (isGraphviz && !QFile::exists(kWorker))
            QSKIP("this build has no Graphviz");
        static LayoutWorker worker(kWorker);
        const OpenedModel opened = openOracle(name.toStdString());
        Diagram diagram = diagramOf(opened.model.graph(), isExpanded, true);
        place(
            diagram,
            [&](const Level& level) {
                return isGraphviz ? worker.layOut(level, milliseconds(60000)) : layoutLinearly(level);
            },
            false);
        FX_SAME(faultOf(diagram));
    }

    void keepsBoxesApartInColumns() {
        const Model model = decoder(48);
        Diagram diagram = diagramOf(model.graph(), true, true);
        place(diagram, layoutLinearly, true);
        QVERIFY(diagram.height < 2 * diagram.width);
        FX_SAME(faultOf(diagram));
    }

    void showsEachNodeOnce_data() { addOracleRows(); }
    void showsEachNodeOnce() {
        QFETCH(QString, name);
        const OpenedModel opened = openOracle(name.toStdString());
        for (bool isExpanded : {false, true})
            for (bool showsWeights : {false, true}) {
                const Diagram diagram = diagramOf(opened.model.graph(), isExpanded, showsWeights);
                for (const Node& node : opened.model.graph()) {
                    const bool mayHide = node.opcode == Opcode::GetAttr && !showsWeights;
                    QVERIFY2(mayHide || diagram.boxOf(node.id) >= 0, node.name.c_str());
                    QVERIFY2(!mayHide || !isExpanded || diagram.boxOf(node.id) < 0, node.name.c_str());
                }
                for (const DiagramEdge& edge : diagram.edges)
                    QVERIFY(edge.from != edge.to);
            }
    }

    void splitsHubs() {
        const OpenedModel opened = openOracle("transformer");
        const Diagram diagram = diagramOf(opened.model.graph(), true, true);
        std::map<int, int> readers;
        for (const DiagramEdge& edge : diagram.edges)
            ++readers[edge.from];
        for (const auto& [box, count] : readers)
            QVERIFY(count <= 4);
        // What is computed keeps a wire to its first reader; without one the flow would end there.
        for (const Node& node : opened.model.graph())
            if (node.opcode == Opcode::CallFunction && !node.users.empty())
                QVERIFY2(readers[diagram.boxOf(node.id)] >= 1, node.name.c_str());
    }

    /// An edit makes a reader the last of the users.
    void theFirstReaderOfTheGraphKeepsTheWire() {
        Model model;
        Edit edit(model);
        const NodeId x = edit.placeholder("x");
        std::vector<NodeId> readers;
        for (int i = 0; i < 6; ++i)
            readers.push_back(edit.callFunction("torch.relu", {x}));
        edit.output(ListValue{Arguments(readers.begin(), readers.end())});
        edit.setArgs(readers[0], {readers[1]});
        edit.moveAfter(readers[0], readers[1]);
        edit.setArgs(readers[1], {1});
        edit.setArgs(readers[1], {x});
        edit.finish();
        QVERIFY(*model.graph().node(x).users.begin() != readers[1]);
        const Diagram diagram = diagramOf(model.graph(), true, true);
        for (const DiagramEdge& edge : diagram.edges)
            if (edge.from == diagram.boxOf(x))
                QCOMPARE(edge.to, diagram.boxOf(readers[1]));
    }

    void aScopeInWhichOneNodeIsSeenIsThatNode() {
        const OpenedModel opened = openOracle("resnet");
        const Graph& graph = opened.model.graph();
        const ScopeTree scopes(graph);
        const BoxTexts texts(graph, scopes);
        for (const bool isExpanded : {false, true}) {
            size_t standing = 0;
            const Diagram diagram = diagramOf(graph, isExpanded, false);
            for (const DiagramBox& box : diagram.boxes) {
                if (box.kind == DiagramBox::Kind::ExpandedScope ||
                    box.kind == DiagramBox::Kind::CollapsedScope)
                    QVERIFY2(box.seen != 1, scopes.scope(box.scope).path.c_str());
                if (box.standsFor < 0)
                    continue;
                ++standing;
                QCOMPARE(diagram.boxOf(box.node), static_cast<int>(&box - diagram.boxes.data()));
                const std::string& path = scopes.scope(box.standsFor).path;
                QVERIFY2(path.ends_with(texts.text(box).title), path.c_str());
                QVERIFY2(texts.text(box).detail.starts_with("aten."), texts.text(box).detail.c_str());
            }
            QVERIFY(standing > 0);
        }
        // With their weights these scopes hold more.
        for (const DiagramBox& box : diagramOf(graph, true, true).boxes)
            if (box.standsFor >= 0)
                QVERIFY(scopes.scope(box.standsFor).nodeCount == 1);
    }

    void stubsAndWeightsStandBesideTheirReader() {
        const OpenedModel opened = openOracle("transformer");
        Diagram diagram = diagramOf(opened.model.graph(), true, true);
        place(diagram, layoutLinearly, false);
        size_t beside = 0;
        for (const DiagramBox& box : diagram.boxes) {
            if (box.beside < 0)
                continue;
            ++beside;
            const DiagramBox& reader = diagram.boxes[static_cast<size_t>(box.beside)];
            QVERIFY(box.x + box.width < reader.x);
            QVERIFY(box.y < reader.y + reader.height + 200 && reader.y < box.y + box.height + 200);
        }
        QVERIFY(beside > 10);
        // Their wires end at the left side of the reader.
        for (const DiagramEdge& edge : diagram.edges)
            if (diagram.boxes[static_cast<size_t>(edge.from)].beside >= 0)
                QCOMPARE(edge.path.back().x, diagram.boxes[static_cast<size_t>(edge.to)].x);
    }

    void wiresMeetABoxInTheOrderInWhichTheyCome() {
        if (!QFile::exists(kWorker))
            QSKIP("this build has no Graphviz");
        Model model;
        Edit edit(model);
        const NodeId x = edit.placeholder("x");
        Arguments parts;
        for (int i = 0; i < 5; ++i)
            parts.push_back(edit.callFunction("torch.roll", {x, i}));
        const NodeId cat = edit.callFunction("torch.cat", {ListValue{parts}});
        edit.output(cat);
        edit.finish();
        Diagram diagram = diagramOf(model.graph(), true, true);
        LayoutWorker worker(kWorker);
        const auto layOut = [&](const Level& level) { return worker.layOut(level, milliseconds(60000)); };
        place(diagram, layOut, false);
        std::map<double, double> ends; // of wires, by where they begin
        for (const DiagramEdge& edge : diagram.edges)
            if (edge.to == diagram.boxOf(cat))
                ends[edge.path.front().x] = edge.path.back().x;
        QCOMPARE(ends.size(), size_t(5));
        const DiagramBox& box = diagram.boxes[static_cast<size_t>(diagram.boxOf(cat))];
        double last = box.x;
        for (const auto& [start, end] : ends) {
            QVERIFY2(end > last + 1, qPrintable(QString("%1 after %2").arg(end).arg(last)));
            last = end;
        }
        QVERIFY(last < box.x + box.width);
    }

    void callsNameTheirArguments_data() {
        QTest::addColumn<QString>("target");
        QTest::addColumn<bool>("isMethod");
        QTest::addColumn<QString>("args"); ///< as Python writes them; x is a node
        QTest::addColumn<QString>("text");
        QTest::newRow("operator")
            << "torch.ops.aten.batch_norm.default" << false << "x x x x x False 0.1 1e-05 True"
            << "aten.batch_norm(training=False, momentum=0.1, eps=1e-05, cudnn_enabled=True)";
        QTest::newRow("its defaults") << "torch.ops.aten.topk.default" << false << "x 2 -1 True"
                                      << "aten.topk(k=2)";
        QTest::newRow("function") << "torch.flatten" << false << "x 1 -1"
                                  << "torch.flatten(start_dim=1)";
        QTest::newRow("of F") << "torch.nn.functional.dropout" << false << "x 0.5 False"
                              << "torch.nn.functional.dropout(training=False)";
        QTest::newRow("method") << "transpose" << true << "x 1 2"
                                << ".transpose(dim0=1, dim1=2)";
        QTest::newRow("more than there are") << "view" << true << "x 1 2 3"
                                             << ".view(1, 2, 3)";
        QTest::newRow("unknown") << "mine.function" << false << "x 3"
                                 << "mine.function(3)";
    }
    void callsNameTheirArguments() {
        QFETCH(QString, target);
        QFETCH(bool, isMethod);
        QFETCH(QString, args);
        QFETCH(QString, text);
        Model model;
        Edit edit(model);
        const NodeId x = edit.placeholder("x");
        Arguments arguments;
        for (const QString& each : args.split(' '))
            arguments.push_back(each == "x"                         ? Argument(x)
                                : each == "True" || each == "False" ? Argument(each == "True")
                                : each.contains('.') || each.contains('e')
                                    ? Argument(each.toDouble())
                                    : Argument(static_cast<int64_t>(each.toLongLong())));
        const NodeId call = edit.createNode(isMethod ? Opcode::CallMethod : Opcode::CallFunction,
                                            target.toStdString(), std::move(arguments));
        CallTexts texts;
        QCOMPARE(QString::fromStdString(texts.text(model.graph(), model.graph().node(call))), text);
    }

    void findsEqualScopes() {
        const OpenedModel opened = openOracle("repeated_blocks");
        const ScopeTree scopes(opened.model.graph());
        const std::vector<std::string> equal = equalScopes(opened.model.graph(), scopes);
        QCOMPARE(equal[static_cast<size_t>(scopes.find("7"))], std::string("0"));
        QCOMPARE(equal[static_cast<size_t>(scopes.find("0"))], std::string());
    }

    void readsBackItsOwnBytes() {
        const Level level = dense(7);
        QCOMPARE(levelBytes(levelFrom(levelBytes(level))), levelBytes(level));
        const LevelLayout layout = layoutLinearly(level);
        const std::string bytes = layoutBytes(layout);
        QCOMPARE(layoutBytes(layoutFrom(bytes, level.items.size(), level.edges.size())), bytes);
        QVERIFY_THROWS_EXCEPTION(Error, layoutFrom(bytes, level.items.size() + 1, level.edges.size()));
        QVERIFY_THROWS_EXCEPTION(Error, layoutFrom(bytes, level.items.size(), level.edges.size() - 1));
        Level wrong = level;
        wrong.edges[0].to = static_cast<int>(level.items.size());
        QVERIFY_THROWS_EXCEPTION(Error, levelFrom(levelBytes(wrong)));
        for (const char* bad : {"", "garbage", "\x83"}) {
            QVERIFY_THROWS_EXCEPTION(Error, layoutFrom(bad, level.items.size(), level.edges.size()));
            QVERIFY_THROWS_EXCEPTION(Error, levelFrom(bad));
        }
    }

    void givesUpAtTheDeadline() {
        if (!QFile::exists(kWorker))
            QSKIP("this build has no Graphviz");
        LayoutWorker worker(kWorker);
        QVERIFY_THROWS_EXCEPTION(Error, worker.layOut(dense(400), milliseconds(200)));
        QCOMPARE(worker.layOut(chain(3), milliseconds(60000)).centers.size(), size_t(3)); // a new worker
    }

    void canBeCancelled() {
        if (!QFile::exists(kWorker))
            QSKIP("this build has no Graphviz");
        LayoutWorker worker(kWorker);
        int asked = 0;
        QVERIFY_THROWS_EXCEPTION(
            Cancelled, worker.layOut(dense(400), milliseconds(600000), [&] { return ++asked > 3; }));
    }

    void survivesBadWorkers_data() {
        QTest::addColumn<QString>("script");
        QTest::newRow("ends at once") << "exit 1";
        QTest::newRow("kills itself") << "read line; kill -9 $$";
        QTest::newRow("talks nonsense") << "echo 'This is much longer than the header of a message is.' >&0";
        QTest::newRow("stops in a header") << "printf fx >&0; exec sleep 60";
        QTest::newRow("closes its socket") << "exec 0>&-; exec sleep 60";
        QTest::newRow("says nothing") << "exec sleep 60";
    }
    void survivesBadWorkers() {
        QFETCH(QString, script);
        const QTemporaryDir folder;
        LayoutWorker worker(layout_test::script(folder, script.toStdString()));
        QVERIFY_THROWS_EXCEPTION(Error, worker.layOut(chain(2000), milliseconds(500)));
        QVERIFY_THROWS_EXCEPTION(Error, worker.layOut(chain(4), milliseconds(500)));
    }

    void saysThatThereIsNoWorker() {
        LayoutWorker missing("/no/such/program"), none("");
        QVERIFY_THROWS_EXCEPTION(Error, missing.layOut(chain(3), milliseconds(5000)));
        QVERIFY_THROWS_EXCEPTION(Error, none.layOut(chain(3), milliseconds(5000)));
    }
};

FX_TEST(TestLayout)
} // namespace fx::layout_test
#include "tst_layout.moc"
