// SPDX-License-Identifier: GPL-3.0-or-later
// The services behind the panes, without any: selection, runs, layouts, what is remembered.
#include "core/module/edit.h"
#include "tests/support/test_program.h"
#include "tests/support/widgets_probe.h"
#include "widgets/document/graph_intents.h"
#include "widgets/document/nested_graphs.h"
#include "widgets/session/debug_service.h"
#include "widgets/session/format_filter.h"
#include "widgets/session/layout_service.h"
#include "widgets/session/open_service.h"
#include "widgets/session/run_text.h"
#include "widgets/session/selection.h"
#include "widgets/session/settings.h"

namespace fx::ui::session_test {

using State = DebugService::State;

namespace {

TextMetrics metrics() {
    QFont font;
    font.setPixelSize(13);
    return TextMetrics(font, font);
}

} // namespace

class TestSession : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_settings = std::make_unique<OwnSettings>(); }

    // --- Formats

    void filtersAreThoseOfTheFormats() {
        QCOMPARE(formatFilter("Models", [](const Format&) { return true; }),
                 QString("Models (*.pt2 *.fxg *.pt *.pth *.safetensors *.log *.txt *.py *.ipynb)"));
        QCOMPARE(formatFilter("To trace", isTraced), QString("To trace (*.pt *.pth *.py *.ipynb)"));
        QCOMPARE(formatFilter("Graph", [](const Format& format) { return format.keepsAll; }),
                 QString("Graph (*.fxg)"));
    }

    // --- Selection

    void selectionIsRestoredFromItsJson() {
        OpenedModel opened = openSample("resnet");
        {
            const GraphDocument document(openSample("resnet"));
            Selection selection(document);
            selection.collapseAll();
            selection.setExpanded("layer2", true);
            selection.setExpanded("layer2.1", true);
            selection.setShowsWeights(true);
            selection.setFoldsLong(false);
            opened.layoutState = selection.state();
        }
        const GraphDocument document(std::move(opened));
        const Selection selection(document);
        QCOMPARE(selection.expandedScopes(), (std::set<std::string>{"layer2", "layer2.1"}));
        QVERIFY(selection.showsWeights() && !selection.foldsLong());
    }

    void damagedJsonGivesTheFirstPicture_data() {
        QTest::addColumn<QString>("json");
        for (const char* json : {"", "{", "[]", "{\"other\": 1}", "nonsense"})
            QTest::newRow(json) << json;
    }

    void damagedJsonGivesTheFirstPicture() {
        QFETCH(QString, json);
        OpenedModel opened = openSample("resnet");
        opened.layoutState = utf8(json);
        const GraphDocument damaged(std::move(opened)), fresh(openSample("resnet"));
        QCOMPARE(Selection(damaged).expandedScopes(), Selection(fresh).expandedScopes());
    }

    void scopesOfEachGraphAreKept() {
        const GraphDocument document(openSample("control_flow"));
        Selection selection(document);
        selection.expandAll();
        const auto open = selection.expandedScopes();
        const ModuleId root = selection.graph();
        ModuleId nested;
        document.model().forEachModule(root, [&](ModuleId id, const std::string&) {
            if (id != root && document.model().module(id).graph)
                nested = id;
        });
        selection.select(nodeNamed(document.model(), "gt"));
        selection.showGraph(nested);
        QVERIFY(!selection.currentNode());
        selection.showGraph(root);
        QCOMPARE(selection.expandedScopes(), open);
    }

    void revealOpensAllAround() {
        const GraphDocument document(openSample("resnet"));
        Selection selection(document);
        selection.collapseAll();
        const NodeId inner = nodeNamed(document.model(), "conv2d_3").node;
        QVERIFY(!selection.isRevealed(inner));
        QSignalSpy spy(&selection, &Selection::scopesChanged);
        selection.reveal(inner);
        QVERIFY(selection.isRevealed(inner));
        QVERIFY(selection.isExpanded("layer1") && selection.isExpanded("layer1.0"));
        QCOMPARE(spy.count(), 1);
        selection.reveal(inner);
        QCOMPARE(spy.count(), 1);
    }

    // --- Debugging

    void runKeepsValuesAndTellsMemory() {
        const GraphDocument document(openSample("control_flow"));
        DebugService debug(document);
        QCOMPARE(runText(debug), "Not run yet");
        debug.start(false);
        QCOMPARE(debug.state(), State::Running);
        QTRY_COMPARE(debug.state(), State::Over);
        QVERIFY(debug.run().values().record(nodeNamed(document.model(), "linear")));
        QTRY_VERIFY(debug.run().memory().keptBytes > 0);
        QVERIFY(debug.run().memory().budgetBytes >= debug.run().memory().keptBytes);
        QSignalSpy inspected(&debug.values(), &ValueRequests::inspected);
        debug.values().inspect(nodeNamed(document.model(), "linear"), {.index = "0"});
        debug.values().inspect(nodeNamed(document.model(), "linear"),
                               {.index = "0, 2:5"}); // the newest alone is answered
        QTRY_COMPARE(inspected.count(), 1);
        const auto inspection = inspected[0][0].value<Inspection>();
        QVERIFY(inspection.absence.empty());
        QCOMPARE(inspection.statistics->elementCount, uint64_t(4 * 8));
        QCOMPARE(inspection.sample->shape, (std::vector<int64_t>{3}));
    }

    void valuesOfNodesThatHaveNotRunAreAbsent() {
        const GraphDocument document(openSample("control_flow"));
        DebugService debug(document);
        QSignalSpy inspected(&debug.values(), &ValueRequests::inspected);
        debug.values().inspect(nodeNamed(document.model(), "gt"), {});
        QCOMPARE(inspected.count(), 1);
        debug.start(true);
        QTRY_COMPARE(debug.state(), State::Paused);
        debug.values().inspect(nodeNamed(document.model(), "gt"), {});
        QTRY_COMPARE(inspected.count(), 2);
        QVERIFY(!inspected[1][0].value<Inspection>().absence.empty());
    }

    void pauseAndStopInTheMiddle() {
        GraphDocument document(openSample("control_flow"));
        DebugMemory inputs;
        inputs.inputs["limit"] = "tensor(100000000)"; // the loop would run for hours
        DebugService debug(document);
        debug.inputs().set(inputs);
        debug.start(false);
        QTRY_VERIFY(debug.run().values().order().size() > 10);
        debug.resume(Resume::Mode::Step); // has no effect while nodes run
        QVERIFY(debug.run().values().order().size() > 10);
        debug.pause();
        QTRY_COMPARE(debug.state(), State::Paused);
        QCOMPARE(debug.run().state().stop.frames.size(), size_t(2));
        debug.resume(Resume::Mode::Continue);
        QTRY_COMPARE(debug.state(), State::Running);
        debug.stop();
        QTRY_COMPARE(debug.state(), State::Over);
        QCOMPARE(runText(debug), "Stopped");
        // And again from the start, and ended by the program's end while it runs.
        debug.start(true);
        QTRY_COMPARE(debug.state(), State::Paused);
        QCOMPARE(debug.run().state().stop.frames.size(), size_t(1));
        debug.resume(Resume::Mode::Continue);
        QTRY_VERIFY(debug.run().values().order().size() > 10);
    }

    void restartForgetsTheLastRun() {
        const GraphDocument document(openSample("control_flow"));
        DebugService debug(document);
        debug.start(false);
        QTRY_COMPARE(debug.state(), State::Over);
        debug.restart();
        QVERIFY(debug.run().values().order().empty());
        QTRY_COMPARE(debug.state(), State::Paused);
        QCOMPARE(debug.run().state().stop.reason, Paused::Reason::Entry);
    }

    void anEditWhilePausedEndsTheRunAndIsTold() {
        GraphDocument document(openSample("control_flow"));
        DebugService debug(document);
        debug.breakpoints().toggle(nodeNamed(document.model(), "add_"));
        debug.start(true);
        QTRY_COMPARE(debug.state(), State::Paused);
        // Whoever hears of it may ask at once.
        connect(&debug, &DebugService::stateChanged, this, [&] {
            QVERIFY2(runText(debug).startsWith("The graph has changed"), qPrintable(runText(debug)));
        });
        QCOMPARE(deleteNodes(document, document.model().root(), {nodeNamed(document.model(), "add_").node}),
                 QString());
        QCOMPARE(debug.state(), State::Over);
        QVERIFY(debug.breakpoints().all().empty());
    }

    void theConsoleStepsARunThatTheWindowStarted() {
        const GraphDocument document(openSample("control_flow"));
        DebugService debug(document);
        debug.start(false);
        QTRY_COMPARE(debug.state(), State::Over);
        debug.start(true);
        QTRY_COMPARE(debug.state(), State::Paused);
        const NodeRef first = debug.run().state().at();
        debug.console().execute("next");
        QTRY_VERIFY(debug.state() == State::Paused && debug.run().state().at() != first);
    }

    void aNodeThatIsEditedWhileItRunsStaysStale() {
        GraphDocument document(openSample("control_flow"));
        NodeRef mul; // in the body of the loop
        for (const auto& [name, module] :
             nestedGraphs(document.model(), nodeNamed(document.model(), "while_loop")))
            if (const NodeId found = document.model().graph(module).find("mul"))
                mul = {module, found};
        DebugMemory inputs;
        inputs.inputs["limit"] = "tensor(100000000)";
        DebugService debug(document);
        debug.inputs().set(inputs);
        debug.start(false);
        QTRY_VERIFY(debug.run().values().record(mul));
        QCOMPARE(setArgument(document, mul, 1, {}, "3"), QString());
        QVERIFY(debug.run().values().isStale(mul));
        QTRY_COMPARE(debug.run().state().wish, RunState::Wish::None); // the worker has stopped
        QVERIFY(debug.run().values().isStale(mul));
        QVERIFY2(runText(debug).startsWith("The graph has changed"), qPrintable(runText(debug)));
    }

    // --- Files

    void everyWishHasItsTurn() {
        const auto model = std::make_shared<const OpenedModel>(openSample("control_flow"));
        const QString path = m_settings->path("kept.fxg"), folder = m_settings->path("package");
        OpenService service;
        QSignalSpy opened(&service, &OpenService::opened), saved(&service, &OpenService::saved),
            exported(&service, &OpenService::exported), ended(&service, &OpenService::ended);
        service.save({model}, path, {});
        service.exportModel({model}, folder, "folder", "Net", {});
        service.open(samplePath("resnet"));
        service.open(samplePath("control_flow")); // of these the newest wins
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, 60000);
        QCOMPARE(saved.count(), 1);
        QCOMPARE(exported.count(), 1);
        QCOMPARE(opened.count(), 1);
        QCOMPARE(opened[0][0].value<std::shared_ptr<OpenedModel>>()->path, utf8(samplePath("control_flow")));
        QVERIFY(QFile::exists(path) && QFile::exists(folder + "/module.py"));
        QVERIFY(!service.isWorking());
    }

    void givingUpAFileLetsASaveGoOn() {
        const auto model = std::make_shared<const OpenedModel>(openSample("control_flow"));
        OpenService service;
        QSignalSpy opened(&service, &OpenService::opened), saved(&service, &OpenService::saved);
        service.open(samplePath("resnet"));
        service.save({model}, m_settings->path("kept.fxg"), {});
        service.cancelOpening();
        QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, 60000);
        QCOMPARE(opened.count(), 0);
    }

    void devicesAreAskedForOnce() {
        OpenService service;
        QSignalSpy listed(&service, &OpenService::devicesListed);
        QVERIFY(service.devices().isEmpty());
        service.prepare();
        QTRY_COMPARE_WITH_TIMEOUT(listed.count(), 1, 30000);
        QCOMPARE(service.devices().value(0), "cpu");
    }

    // --- What is remembered

    void inputsAndBreakpointsAreRememberedByModel() {
        DebugMemory inputs;
        inputs.inputs["x"] = "ones(2, 8)";
        inputs.seed = "7";
        {
            const GraphDocument document(openSample("control_flow"));
            DebugService debug(document);
            debug.inputs().set(inputs);
            debug.breakpoints().toggle(nodeNamed(document.model(), "gt"));
            debug.breakpoints().toggleNonFinite();
        }
        const GraphDocument same(openSample("control_flow")), other(openSample("resnet"));
        const DebugService again(same), elsewhere(other);
        QCOMPARE(again.inputs().memory().inputs, inputs.inputs);
        QCOMPARE(again.inputs().memory().seed, "7");
        QVERIFY(again.breakpoints().has(nodeNamed(same.model(), "gt")));
        QVERIFY(again.breakpoints().stopsAtNonFinite());
        QVERIFY(elsewhere.inputs().memory().inputs.isEmpty() && elsewhere.breakpoints().all().empty());
    }

    void recentFilesAreFewAndNewestFirst() {
        for (int i = 0; i < 12; ++i)
            Settings::addRecentFile(QString("/models/%1.pt2").arg(i));
        Settings::addRecentFile("/models/9.pt2");
        QCOMPARE(Settings::recentFiles().size(), 8);
        QCOMPARE(Settings::recentFiles().mid(0, 3),
                 QStringList({"/models/9.pt2", "/models/11.pt2", "/models/10.pt2"}));
    }

    // --- Layout

    void theNewestLayoutWins() {
        const GraphDocument document(openSample("transformer"));
        Selection selection(document);
        LayoutService layout(document, selection, metrics());
        QSignalSpy ready(&layout, &LayoutService::layoutReady);
        selection.expandAll();
        selection.collapseAll();
        const auto& scopes = selection.scopes().scopes();
        const auto group = std::ranges::find_if(scopes, [](const Scope& scope) { return scope.repeats > 0; });
        QVERIFY(group != scopes.end());
        selection.setExpanded(group->path, true);
        QVERIFY(layout.isWorking());
        QTRY_VERIFY_WITH_TIMEOUT(!layout.isWorking(), 30000);
        std::vector<QString> fields;
        for (size_t i = 0; i < layout.picture()->diagram.boxes.size(); ++i)
            if (layout.picture()->diagram.boxes[i].kind == DiagramBox::Kind::ExpandedScope)
                fields.push_back(layout.picture()->scopePaths[i]);
        QCOMPARE(fields, std::vector<QString>{qt(group->path)});
        QCOMPARE(layout.picture()->anchor, qt(group->path));
        const int count = static_cast<int>(ready.count());
        QCoreApplication::processEvents();
        QCOMPARE(ready.count(), count);
    }

    void aLongPlacementIsToldUntilItEnds() {
        OpenedModel opened;
        Edit edit(opened.model);
        NodeId x = edit.placeholder("x");
        for (int i = 0; i < 300000; ++i)
            x = edit.callFunction("torch.relu", {x});
        edit.output(x);
        edit.finish();
        const GraphDocument document(std::move(opened));
        Selection selection(document);
        LayoutService layout(document, selection, metrics());
        QSignalSpy started(&layout, &LayoutService::started), ended(&layout, &LayoutService::ended);
        QTRY_VERIFY_WITH_TIMEOUT(started.count() == 1, 30000);
        QVERIFY(layout.isWorking());
        QTRY_VERIFY_WITH_TIMEOUT(!layout.isWorking(), 60000);
        QCOMPARE(started.count(), 1);
        QCOMPARE(ended.count(), 1);
        const Diagram& diagram = layout.picture()->diagram;
        QCOMPARE(diagram.boxes.size(), size_t(300002));
        QVERIFY(diagram.isFinal && diagram.height < 2 * diagram.width);
        // Given up: what is there stays.
        selection.setFoldsLong(false);
        QVERIFY(layout.isWorking());
        QTRY_VERIFY_WITH_TIMEOUT(started.count() == 2 || !layout.isWorking(), 30000);
        const auto shown = layout.picture(); // by now it may be a stand-in
        layout.cancel();
        QVERIFY(!layout.isWorking());
        QCOMPARE(ended.count(), started.count());
        QCoreApplication::processEvents();
        QVERIFY(layout.picture() == shown);
    }

    void layoutFollowsEdits() {
        GraphDocument document(openSample("control_flow"));
        const Selection selection(document);
        LayoutService layout(document, selection, metrics());
        QTRY_VERIFY_WITH_TIMEOUT(!layout.isWorking(), 30000);
        const NodeId node = nodeNamed(document.model(), "add_").node;
        QVERIFY(layout.picture()->diagram.boxOf(node) >= 0);
        QCOMPARE(deleteNodes(document, document.model().root(), {node}), QString());
        QTRY_VERIFY_WITH_TIMEOUT(!layout.isWorking(), 30000);
        QCOMPARE(layout.picture()->diagram.boxOf(node), -1);
    }

private:
    std::unique_ptr<OwnSettings> m_settings;
};

FX_TEST(TestSession)
} // namespace fx::ui::session_test
#include "tst_session.moc"
