// SPDX-License-Identifier: GPL-3.0-or-later
// A run that is taken back by jumps: the nodes that run again give what they gave.
#include "core/module/edit.h"
#include "tests/support/debug_probe.h"
#include "tests/support/oracle.h"

#include <ATen/ATen.h>
#include <QtTest>

using namespace fx;
using Mode = Resume::Mode;

namespace {

/// A graph in which every kind of node that may draw random numbers stands between others that do not.
Model drawing() {
    Model model("GraphModule");
    Edit edit(model);
    const ModuleId inner = edit.createModule("GraphModule", true);
    edit.addSubmodule("inner", inner);
    const ModuleId leaf = edit.createModule("torch.nn.modules.dropout.Dropout");
    edit.addSubmodule("drop", leaf);
    edit.setValue("drop.p", Argument(0.5));
    edit.setValue("drop.inplace", Argument(false));
    edit.enter(inner);
    const NodeId innerX = edit.placeholder("x");
    const NodeId doubled = edit.callFunction("operator.mul", {innerX, 2});
    const NodeId like = edit.callFunction("torch.ops.aten.rand_like.default", {doubled});
    edit.output(edit.callFunction("operator.add", {like, doubled}));
    edit.enter(model.root());

    const NodeId x = edit.placeholder("x");
    const NodeId a = edit.callFunction("torch.relu", {x});
    const NodeId b = edit.callFunction("torch.rand_like", {a});
    const NodeId c = edit.callFunction("operator.add", {a, b});
    const NodeId d =
        edit.callFunction("torch.nn.functional.dropout", {c}, {{"p", 0.5}, {"training", true}});
    const NodeId e = edit.callModule("inner", {d});
    const NodeId f = edit.callFunction("torch.ops.aten.bernoulli.p", {e, 0.5});
    const NodeId g = edit.callMethod("normal_", {edit.callFunction("torch.empty_like", {f})});
    const NodeId h = edit.callModule("drop", {g});
    const NodeId i = edit.callModule("inner", {h});
    const NodeId j = edit.callMethod("bernoulli", {edit.callMethod("sigmoid", {i})});
    const NodeId k = edit.callFunction("torch.ops.aten.normal_.default",
                                       {edit.callFunction("torch.ops.aten.empty_like.default", {j})});
    const NodeId l = edit.callFunction("torch.multinomial", {edit.callFunction("torch.abs", {k}), 2});
    edit.output({Argument(ListValue{{c, f, h, i, j, k, l}})});
    edit.finish();
    return model;
}

std::vector<std::string> namesOf(const Graph& graph) {
    std::vector<std::string> names;
    for (const Node& node : graph)
        if (node.opcode != Opcode::Placeholder)
            names.push_back(node.name);
    return names;
}

/// What each node has given, as Python's numbers.
std::string valuesOf(DebugProbe& probe, const Graph& graph) {
    std::string out;
    for (const Node& node : graph)
        if (node.opcode != Opcode::Output)
            out += node.name + ' ' + probe.evaluate(node.name + ".tolist()").text + '\n';
    return out;
}

} // namespace

class TestGoingBack : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void drawsTheSameNumbersAgain() {
        const Model model = drawing();
        DebugProbe probe(model, {Value(c10::IValue(at::rand({8})))});
        const Graph& graph = model.graph();
        const auto toTheEnd = [&] {
            const NodeRef end{model.root(), graph.outputNode()};
            return probe.resume(Mode::Until, end);
        };
        probe.stop();
        toTheEnd();
        const std::string first = valuesOf(probe, graph);
        for (const std::string& name : namesOf(graph)) {
            if (name == "output")
                continue;
            probe.session().send(Jump{3, graph.find(name)});
            QVERIFY(!probe.wait<Answer>().isError);
            QCOMPARE(probe.stop(), name);
            toTheEnd();
            FX_SAME(textDifference(valuesOf(probe, graph), first));
        }
    }

    void drawsTheSameNumbersInAnInnerGraphThatRunsAgain() {
        const Model model = drawing();
        DebugProbe probe(model, {Value(c10::IValue(at::rand({8})))});
        const ModuleId inner = model.resolve(model.root(), "inner").module;
        const Graph& graph = model.graph(inner);
        probe.stop();
        for (int call = 0; call < 2; ++call) {
            QCOMPARE(probe.resume(Mode::Until, {inner, graph.outputNode()}), std::string("output"));
            const std::string first = valuesOf(probe, graph);
            for (const char* name : {"rand_like_default", "mul", "add"}) {
                probe.session().send(Jump{3, graph.find(name)});
                QVERIFY(!probe.wait<Answer>().isError);
                QCOMPARE(probe.stop(), std::string(name));
                QCOMPARE(probe.resume(Mode::Until, {inner, graph.outputNode()}), std::string("output"));
                FX_SAME(textDifference(valuesOf(probe, graph), first));
            }
        }
    }

    /// What a user draws at the console is gone when the run goes back, and the rest draws as before.
    void restoresWhatTheConsoleHasDrawn() {
        const Model model = drawing();
        DebugProbe probe(model, {Value(c10::IValue(at::rand({8})))});
        const Graph& graph = model.graph();
        const NodeRef end{model.root(), graph.outputNode()};
        probe.stop();
        probe.resume(Mode::Until, end);
        const std::string first = valuesOf(probe, graph);
        QVERIFY(!probe.evaluate("torch.rand(3)").isError);
        probe.session().send(Jump{3, graph.find("add")}); // draws nothing itself
        QVERIFY(!probe.wait<Answer>().isError);
        probe.stop();
        probe.resume(Mode::Until, end);
        FX_SAME(textDifference(valuesOf(probe, graph), first));
    }
};

QTEST_GUILESS_MAIN(TestGoingBack)
#include "tst_going_back.moc"
