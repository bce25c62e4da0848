// SPDX-License-Identifier: GPL-3.0-or-later
// A run after an edit that goes on from the values of the one before it gives, in every node, what a run from
// the start gives: graphs that a person can read, then random ones with writes, views, random numbers and
// values that were dropped.
#include "core/interpret/touched.h"
#include "core/module/edit.h"
#include "tests/support/chance.h"
#include "tests/support/debug_probe.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>

namespace fx::going_on_test {

namespace {

constexpr uint64_t kSeed = 5;

DebugOptions options(uint64_t budget = uint64_t(1) << 30) {
    DebugOptions out;
    out.run.seed = kSeed;
    out.pausesAtEntry = false;
    out.valueBudgetBytes = budget;
    return out;
}

Values inputs() {
    return {Value(c10::IValue(at::linspace(-1, 1, 12).reshape({3, 4})))};
}

/// What each node of the root graph has given, or why there is nothing, once the run is over.
std::string valuesOf(DebugProbe& probe, const Graph& graph) {
    std::string out;
    for (const Node& node : graph)
        if (node.opcode != Opcode::Output)
            out += node.name + ' ' + probe.evaluate(node.name + ".tolist()").text + '\n';
    return out;
}

std::set<NodeRef> changedBy(Model& model, const std::function<void(Edit&)>& work) {
    Edit edit(model);
    work(edit);
    const Changes changes = edit.finish();
    const Touched touched = touchedBy(changes, model);
    std::set<NodeRef> out = touched.nodes;
    if (touched.isAll)
        for (const Node& node : model.graph())
            out.insert({model.root(), node.id});
    return out;
}

struct Run {
    std::string values;
    std::set<std::string> ran; ///< names of the root graph's nodes
    GoesOn told;
};

/// Runs the model, edits it, goes on, and checks the values against a run from the start.
Run goneOn(Model& model, const std::function<void(Edit&)>& work) {
    DebugProbe before(model, inputs(), {}, options());
    before.stopOrEnd();
    const std::set<NodeRef> changed = changedBy(model, work);
    DebugProbe after(model, inputs(), {}, options(), before.session().end(), changed);
    Run out;
    out.told = after.wait<GoesOn>();
    after.stopOrEnd();
    out.values = valuesOf(after, model.graph());
    for (const NodeRecord& record : after.records())
        if (record.node.module == model.root())
            out.ran.insert(model.graph().node(record.node.node).name);
    DebugProbe anew(model, inputs(), {}, options());
    anew.stopOrEnd();
    const std::string expected = valuesOf(anew, model.graph());
    if (out.values != expected)
        qWarning("gone on:\n%s\nanew:\n%s", out.values.c_str(), expected.c_str());
    if (out.values != expected)
        out.values = "WRONG";
    return out;
}

/// One more node, over any of the values. Any two of them fit each other.
NodeId madeNode(Edit& edit, Chance& chance, const std::vector<NodeId>& values, bool hasInner) {
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
            return edit.callMethod("view", {given(), -1});
        },
        [&] {
            return edit.callMethod("add_", {given(), given()});
        },
        [&] {
            return edit.callFunction("torch.ops.aten.sub_.Tensor", {given(), 1});
        },
        [&] {
            return edit.callFunction("torch.nn.functional.relu", {given()}, {{"inplace", true}});
        },
        [&] { return edit.callMethod("flatten", {given()}); },
        [&] { return edit.getAttr("w"); },
        [&] { return edit.getAttr("b"); },
        [&] {
            return edit.callMethod("copy_", {edit.getAttr("b"), given()});
        },
        [&] {
            return edit.callFunction("operator.sub",
                                     {given(), edit.callFunction("torch.rand_like", {given()})});
        },
        [&] { return edit.callModule("drop", {given()}); },
        [&] { return edit.callModule("bent", {given()}); },
        [&] { return hasInner ? edit.callModule("inner", {given()}) : edit.callMethod("neg", {given()}); },
        [&] {
            return edit.callFunction("operator.iadd", {given(), given()});
        },
    };
    const NodeId made = chance.of(makers)();
    return edit.callMethod("view", {made, 3, 4});
}

void fill(Edit& edit, Chance& chance, bool hasInner) {
    std::vector<NodeId> values{edit.placeholder("x")};
    for (size_t i = 0, count = 3 + chance.below(8); i < count; ++i)
        values.push_back(madeNode(edit, chance, values, hasInner));
    edit.output(values.back());
}

Model randomModel(Chance& chance) {
    Model model("GraphModule");
    Edit edit(model);
    const TensorId weight = edit.createTensor(TensorSlot(at::linspace(-1, 1, 12).reshape({3, 4})));
    const TensorId buffer = edit.createTensor(TensorSlot(at::ones({3, 4})));
    const ModuleId drop = edit.createModule("torch.nn.modules.dropout.Dropout");
    const ModuleId bent = edit.createModule("torch.nn.modules.activation.ReLU");
    const ModuleId inner = edit.createModule("GraphModule", true);
    edit.addSubmodule("drop", drop);
    edit.addSubmodule("bent", bent);
    edit.addSubmodule("inner", inner);
    edit.addSubmodule("inner.drop", drop);
    edit.addSubmodule("inner.bent", bent);
    edit.setValue("drop.p", Argument(chance.below(2) ? 0.5 : 0.0));
    edit.setValue("drop.inplace", Argument(false));
    edit.setValue("bent.inplace", Argument(chance.below(2) == 0));
    for (const char* path : {"", "inner."}) {
        edit.setTensor(path + std::string("w"), weight, TensorRole::Parameter);
        edit.setTensor(path + std::string("b"), buffer, TensorRole::Buffer);
    }
    for (const auto& [module, hasInner] : {std::pair(inner, false), std::pair(model.root(), true)}) {
        edit.enter(module);
        fill(edit, chance, hasInner);
    }
    edit.finish();
    return model;
}

void editByChance(Edit& edit, Chance& chance) {
    const Graph& graph = edit.graph();
    std::vector<NodeId> all, readers;
    for (const Node& node : graph)
        if (node.opcode != Opcode::Output) {
            all.push_back(node.id);
            if (!node.inputs.empty() && node.opcode != Opcode::Placeholder &&
                !(node.opcode == Opcode::CallMethod && node.target.name() == "view"))
                readers.push_back(node.id);
        }
    const auto before = [&](NodeId end) {
        std::vector<NodeId> out;
        for (const NodeId id : all)
            if (graph.precedes(id, end) &&
                (graph.node(id).opcode == Opcode::Placeholder || graph.node(id).target.name() == "view"))
                out.push_back(id);
        return out;
    };
    const size_t kind = chance.below(5);
    if (kind == 4) { // another weight, buffer or module
        const std::string path = chance.below(2) ? "" : "inner.";
        if (chance.below(3) == 0)
            edit.addSubmodule(path + "bent", edit.createModule("torch.nn.modules.activation.Tanh"));
        else
            edit.setTensor(path + (chance.below(2) ? "w" : "b"),
                           edit.createTensor(TensorSlot(at::linspace(0, 2, 12).reshape({3, 4}))),
                           TensorRole::Buffer);
    } else if (kind == 0 && !readers.empty()) { // reads something else
        const NodeId node = chance.of(readers);
        edit.replaceInputWith(node, graph.node(node).inputs.begin()->node, chance.of(before(node)));
    } else if (kind == 1 && !readers.empty()) { // calls something else
        const NodeId node = chance.of(readers);
        if (graph.node(node).inputs.size() == 1)
            edit.setCallee(node, Opcode::CallMethod, chance.below(2) ? "abs" : "exp_");
    } else { // a new one goes between one and its readers
        const std::vector<NodeId> values = before(graph.outputNode());
        const NodeId old = chance.of(values);
        const auto place = edit.insertingBefore(graph.node(old).next);
        const NodeId fresh = madeNode(edit, chance, {old}, false);
        edit.replaceAllUsesWith(old, fresh, [&](NodeId user) { return !graph.precedes(user, fresh); });
    }
    if (chance.below(4) == 0)
        for (const NodeId id : all)
            if (graph.node(id).users.empty() && graph.node(id).opcode != Opcode::Placeholder) {
                edit.eraseNode(id);
                break;
            }
}

} // namespace

class TestGoingOn : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void onlyWhatDependsRuns() {
        Model model("GraphModule");
        Edit edit(model);
        const NodeId x = edit.placeholder("x");
        const NodeId a = edit.callFunction("torch.relu", {x});
        const NodeId b = edit.callFunction("torch.exp", {a});
        const NodeId c = edit.callFunction("torch.abs", {a});
        edit.output(edit.callFunction("torch.add", {b, c}));
        edit.finish();
        const Run run = goneOn(model, [&](Edit& e) { e.setTarget(c, "torch.neg"); });
        QVERIFY(run.values != "WRONG");
        QVERIFY2(run.told.whyAll.empty(), run.told.whyAll.c_str());
        QCOMPARE(run.told.kept, 2u);
        QCOMPARE(run.ran, (std::set<std::string>{"x", "abs_1", "add", "output"}));
    }

    void whatReadsAnotherWeightRuns() {
        Model model("GraphModule");
        Edit edit(model);
        const ModuleId block = edit.createModule("GraphModule", true);
        edit.addSubmodule("block", block);
        for (const char* path : {"w", "block.w", "b"})
            edit.setTensor(path, edit.createTensor(TensorSlot(at::ones({3, 4}))), TensorRole::Parameter);
        edit.enter(block);
        edit.output(edit.callFunction("torch.mul", {edit.placeholder("value"), edit.getAttr("w")}));
        edit.enter(model.root());
        const NodeId a = edit.callFunction("torch.add", {edit.placeholder("x"), edit.getAttr("b")});
        const NodeId c = edit.callFunction("torch.exp", {edit.callModule("block", {a})});
        edit.output(edit.callFunction("torch.sub", {c, edit.getAttr("w")}));
        edit.finish();
        const auto replaced = [&](const char* path) {
            return goneOn(model, [&](Edit& e) {
                e.setTensor(path, e.createTensor(TensorSlot(at::full({3, 4}, 2))), TensorRole::Parameter);
            });
        };
        const Run own = replaced("w");
        QVERIFY(own.values != "WRONG");
        QCOMPARE(own.ran, (std::set<std::string>{"x", "w", "sub", "output"}));
        const Run within = replaced("block.w");
        QVERIFY(within.values != "WRONG");
        QCOMPARE(within.ran, (std::set<std::string>{"x", "block", "exp", "sub", "output"}));
    }

    void aRenameRunsNothing() {
        Model model("GraphModule");
        Edit edit(model);
        const NodeId a = edit.callFunction("torch.relu", {edit.placeholder("x")});
        edit.output(a);
        edit.finish();
        const Run run = goneOn(model, [&](Edit& e) { e.rename(a, "bent"); });
        QCOMPARE(run.ran, (std::set<std::string>{"x", "output"}));
        QVERIFY(run.values != "WRONG");
    }

    void whatWasWrittenIntoIsMadeAgain() {
        Model model("GraphModule");
        Edit edit(model);
        const NodeId x = edit.placeholder("x");
        const NodeId a = edit.callFunction("torch.exp", {x});
        const NodeId read = edit.callFunction("torch.abs", {a});
        const NodeId view = edit.callMethod("view", {a, -1});
        const NodeId write = edit.callMethod("add_", {view, 1});
        const NodeId apart = edit.callFunction("torch.neg", {x});
        edit.output(edit.callFunction("torch.add", {edit.callMethod("view", {write, 3, 4}),
                                                    edit.callFunction("torch.add", {read, apart})}));
        edit.finish();
        // It reads before the write, so it may not read what is there now.
        const Run run = goneOn(model, [&](Edit& e) { e.setTarget(read, "torch.sin"); });
        QVERIFY(run.values != "WRONG");
        QVERIFY(run.ran.contains("exp") && run.ran.contains("add_") && !run.ran.contains("neg"));
        // It reads nothing of that.
        const Run other = goneOn(model, [&](Edit& e) { e.setTarget(apart, "torch.cos"); });
        QVERIFY(other.values != "WRONG");
        QVERIFY(!other.ran.contains("exp") && !other.ran.contains("add_"));
    }

    void randomNumbersAreDrawnInTheirOrder() {
        Model model("GraphModule");
        Edit edit(model);
        const NodeId x = edit.placeholder("x");
        const NodeId a = edit.callFunction("torch.relu", {x});
        const NodeId b = edit.callFunction("torch.rand_like", {a});
        const NodeId c = edit.callFunction("torch.abs", {b});
        edit.output(c);
        edit.finish();
        const Run behind = goneOn(model, [&](Edit& e) { e.setTarget(c, "torch.neg"); });
        QVERIFY(behind.values != "WRONG");
        QVERIFY2(behind.told.whyAll.empty(), behind.told.whyAll.c_str());
        const Run ahead = goneOn(model, [&](Edit& e) { e.setTarget(a, "torch.exp"); });
        QVERIFY(ahead.values != "WRONG");
        QCOMPARE(ahead.told.whyAll, "rand_like draws random numbers");
    }

    void aRunThatFailedIsMended() {
        Model model("GraphModule");
        Edit edit(model);
        const NodeId x = edit.placeholder("x");
        const NodeId a = edit.callFunction("torch.relu", {x});
        const NodeId bad = edit.callMethod("view", {a, 5, 5});
        edit.output(edit.callFunction("torch.exp", {bad}));
        edit.finish();
        const Run run = goneOn(model, [&](Edit& e) { e.setArgs(bad, {a, 4, 3}); });
        QVERIFY(run.values != "WRONG");
        QCOMPARE(run.ran, (std::set<std::string>{"x", "view", "exp", "output"}));
    }

    void whatWasDroppedIsMadeAgain() {
        Model model("GraphModule");
        Edit edit(model);
        NodeId last = edit.placeholder("x");
        std::vector<NodeId> nodes;
        for (int i = 0; i < 6; ++i)
            nodes.push_back(last = edit.callFunction("torch.exp", {last}));
        edit.output(last);
        edit.finish();
        DebugProbe before(model, inputs(), {}, options(100)); // two values
        before.stopOrEnd();
        const auto changed = changedBy(model, [&](Edit& e) { e.setTarget(nodes[4], "torch.neg"); });
        DebugProbe after(model, inputs(), {}, options(100), before.session().end(), changed);
        QVERIFY(after.wait<GoesOn>().whyAll.empty());
        const auto end = after.stopOrEnd();
        DebugProbe anew(model, inputs(), {}, options());
        const auto expected = anew.stopOrEnd();
        QCOMPARE(std::get<Finished>(end).result, std::get<Finished>(expected).result);
    }

    void anyEditOfAnyGraph_data() {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 0; seed < 150; ++seed)
            QTest::newRow(std::to_string(seed).c_str()) << seed;
    }
    void anyEditOfAnyGraph() {
        QFETCH(unsigned, seed);
        Chance chance(seed);
        Model model = randomModel(chance);
        const uint64_t budget = chance.below(3) ? uint64_t(1) << 30 : 200;
        auto earlier =
            std::make_unique<DebugProbe>(model, inputs(), std::vector<Breakpoint>(), options(budget));
        earlier->stopOrEnd();
        for (int i = 0; i < 3; ++i) {
            const auto changed = changedBy(model, [&](Edit& edit) { editByChance(edit, chance); });
            auto after = std::make_unique<DebugProbe>(model, inputs(), std::vector<Breakpoint>(),
                                                      options(budget), earlier->session().end(), changed);
            s_kept += after->wait<GoesOn>().kept;
            // One after the other, as they draw from the same random numbers.
            const auto end = after->stopOrEnd();
            const std::string found = budget > 200 ? valuesOf(*after, model.graph()) : "";
            DebugProbe anew(model, inputs(), {}, options(budget));
            const auto expected = anew.stopOrEnd();
            QCOMPARE(end.index(), expected.index());
            if (const auto* finished = std::get_if<Finished>(&end)) {
                s_finished++;
                QCOMPARE(finished->result, std::get<Finished>(expected).result);
                if (budget > 200)
                    QCOMPARE(found, valuesOf(anew, model.graph()));
            }
            earlier = std::move(after);
        }
    }
    /// The graphs above would tell nothing if all of them ran anew.
    void manyValuesWereKept() {
        const std::string counts = std::to_string(s_kept) + " of " + std::to_string(s_finished) + " runs";
        QVERIFY2(s_finished > 300 && s_kept > 300, counts.c_str());
    }

private:
    static inline size_t s_kept = 0, s_finished = 0;
};

FX_TEST(TestGoingOn)
} // namespace fx::going_on_test
#include "tst_going_on.moc"
