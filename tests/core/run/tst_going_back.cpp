// SPDX-License-Identifier: GPL-3.0-or-later
// A run that is taken back by jumps: the nodes that run again give what they gave. First graphs that a person
// can read, then random ones that go on, back and again in random ways.
#include "core/interpret/interpreter.h"
#include "core/module/edit.h"
#include "core/torch/values/value_text.h"
#include "tests/support/chance.h"
#include "tests/support/debug_probe.h"
#include "tests/support/oracle.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>

namespace fx::going_back_test {

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
    const NodeId d = edit.callFunction("torch.nn.functional.dropout", {c}, {{"p", 0.5}, {"training", true}});
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

// --- Random graphs and random commands

constexpr uint64_t kSeed = 11;

/// Any two of the values fit each other; some are written into.
void fill(Edit& edit, Chance& chance, bool hasInner) {
    std::vector<NodeId> values{edit.placeholder("x")};
    const auto given = [&] { return Argument(chance.of(values)); };
    const std::vector<std::function<NodeId()>> makers = {
        [&] { return edit.callFunction("torch.relu", {given()}); },
        [&] {
            return edit.callFunction("operator.add", {given(), given()});
        },
        [&] {
            return edit.callFunction("torch.ops.aten.mul.Tensor", {given(), 0.5});
        },
        [&] {
            return edit.callMethod("view", {edit.callMethod("contiguous", {given()}), 3, 4});
        },
        [&] { return edit.callMethod("t", {edit.callMethod("t", {given()})}); },
        [&] {
            const NodeId size = edit.callMethod("size", {given(), 0});
            return edit.callFunction("operator.mul", {given(), size});
        },
        [&] {
            return edit.callFunction("torch.add", {given(), edit.getAttr("w")});
        },
        [&] {
            return edit.callFunction("torch.nn.functional.dropout", {given()},
                                     {{"p", 0.3}, {"training", true}});
        },
        [&] {
            return edit.callFunction("operator.sub",
                                     {given(), edit.callFunction("torch.rand_like", {given()})});
        },
        [&] { return edit.callMethod("normal_", {edit.callMethod("clone", {given()})}); },
        [&] {
            const NodeId written = edit.callMethod("clone", {given()});
            edit.callMethod("add_", {written, 0.5});
            return edit.callMethod("mul_", {written, -0.5});
        },
        [&] { return edit.callMethod("bernoulli", {edit.callMethod("sigmoid", {given()})}); },
        [&] { return edit.callModule("drop", {given()}); },
        [&] { return hasInner ? edit.callModule("inner", {given()}) : values.back(); },
    };
    for (size_t i = 0, count = 3 + chance.below(10); i < count; ++i)
        values.push_back(chance.of(makers)());
    edit.output(values.back());
}

Model randomModel(Chance& chance) {
    Model model("GraphModule");
    Edit edit(model);
    const TensorId weight = edit.createTensor(TensorSlot(at::linspace(-1, 1, 4)));
    const ModuleId drop = edit.createModule("torch.nn.modules.dropout.Dropout");
    const ModuleId inner = edit.createModule("GraphModule", true);
    const ModuleId innermost = edit.createModule("GraphModule", true);
    edit.addSubmodule("drop", drop);
    edit.addSubmodule("inner", inner);
    edit.addSubmodule("inner.drop", drop);
    edit.addSubmodule("inner.inner", innermost);
    edit.addSubmodule("inner.inner.drop", drop);
    edit.setValue("drop.p", Argument(0.5));
    edit.setValue("drop.inplace", Argument(false));
    for (const char* path : {"w", "inner.w", "inner.inner.w"})
        edit.setTensor(path, weight, TensorRole::Parameter);
    for (const auto& [module, hasInner] :
         {std::pair(innermost, false), std::pair(inner, true), std::pair(model.root(), true)}) {
        edit.enter(module);
        fill(edit, chance, hasInner);
    }
    edit.finish();
    return model;
}

std::vector<NodeId> nodesBefore(const Graph& graph, NodeId end) {
    std::vector<NodeId> out;
    for (const Node& node : graph)
        if (node.opcode != Opcode::Placeholder && node.id != end && graph.precedes(node.id, end))
            out.push_back(node.id);
    return out;
}

bool canGoBack(const Graph& graph, const std::vector<NodeId>& before) {
    return std::ranges::any_of(before,
                               [&](NodeId node) { return graph.node(node).opcode != Opcode::GetAttr; });
}

/// The result of a run that is steered by chance; a failure is told in its place. `budget`: of bytes for
/// values; what was dropped is made again.
std::string steered(const Model& model, const Values& inputs, Chance& chance, uint64_t budget) {
    DebugOptions options;
    options.run.seed = kSeed;
    options.valueBudgetBytes = budget;
    DebugProbe probe(model, inputs, {}, options);
    const std::vector<Mode> modes = {Mode::Step, Mode::Step, Mode::Next, Mode::Out, Mode::NextScope};
    std::vector<ModuleId> graphs;
    model.forEachModule(model.root(), [&](ModuleId id, const std::string&) {
        if (model.module(id).graph)
            graphs.push_back(id);
    });
    for (int command = 0;; ++command) {
        const auto stop = probe.stopOrEnd();
        if (const auto* finished = std::get_if<Finished>(&stop))
            return finished->result;
        if (const auto* failed = std::get_if<Failed>(&stop))
            return failed->place + ": " + failed->message;
        const NodeRef at = std::get<Paused>(stop).frames.back().node;
        const std::vector<NodeId> before = nodesBefore(model.graph(at.module), at.node);
        const size_t kind = chance.below(10);
        if (command > 60) {
            probe.session().send(Resume{Mode::Continue, {}});
        } else if (kind < 2 && !before.empty()) {
            probe.session().send(Jump{1, chance.of(before)});
        } else if (kind == 2 && canGoBack(model.graph(at.module), before)) {
            const std::string watched = model.graph(at.module).node(before.back()).name + ".sum()";
            probe.session().send(GoBack{1, chance.below(2) == 0, {watched}});
        } else if (kind < 5) {
            const ModuleId graph = chance.of(graphs);
            const std::vector<NodeId> nodes =
                nodesBefore(model.graph(graph), model.graph(graph).outputNode());
            const NodeRef aim{graph, nodes.empty() ? model.graph(graph).outputNode() : chance.of(nodes)};
            probe.session().send(Resume{Mode::Until, aim});
        } else {
            probe.session().send(Resume{chance.of(modes), {}});
        }
    }
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

    void givesWhatAnUnwatchedRunGives() {
        for (unsigned seed = 0; seed < 150; ++seed) {
            Chance chance(seed);
            const Model model = randomModel(chance);
            const Values inputs{Value(c10::IValue(at::linspace(-2, 2, 12).view({3, 4})))};
            RunSettings settings;
            settings.seed = kSeed;
            const std::string expected = valueText(Interpreter(model, settings).run(inputs));
            for (int round = 0; round < 3; ++round) {
                const uint64_t budget = round == 2 ? 100 : uint64_t(1) << 30; // two values, or all
                const std::string actual = steered(model, inputs, chance, budget);
                QVERIFY2(actual == expected,
                         (std::to_string(seed) + ": " + actual + " instead of " + expected).c_str());
            }
        }
    }
};

FX_TEST(TestGoingBack)
} // namespace fx::going_back_test
#include "tst_going_back.moc"
