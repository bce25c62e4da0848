// SPDX-License-Identifier: GPL-3.0-or-later
// Searches backwards of a paused run: where each of them stops, and that nothing else is reported on the way.
#include "core/module/edit.h"
#include "tests/support/debug_probe.h"
#include "tests/support/model_state.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>

#include <random>

namespace fx::seek_test {

using Mode = Resume::Mode;

namespace {

Values ones() {
    return {Value(c10::IValue(at::ones({2})))};
}

/// A chain of `count` nodes over x, some of which write into a value at the beginning of the chain.
Model writingChain(std::mt19937& random, int count) {
    Model model("GraphModule");
    Edit edit(model);
    const NodeId x = edit.placeholder("x");
    const NodeId kept = edit.callFunction("torch.neg", {x});
    const NodeId other = edit.callFunction("torch.relu", {x});
    NodeId last = other;
    for (int i = 0; i < count; ++i)
        switch (random() % 6) {
        case 0:
            edit.callMethod("add_", {kept, last});
            break;
        case 1:
            edit.callMethod("mul_", {kept, 1}); // writes the same value
            break;
        case 2:
            edit.callMethod("add_", {other, 1});
            break;
        default:
            last = edit.callFunction("operator.add", {last, 1});
        }
    edit.output({Argument(ListValue{{kept, last}})});
    edit.finish();
    return model;
}

std::string backToStop(DebugProbe& probe, std::vector<std::string> watched) {
    probe.session().send(GoBack{7, true, std::move(watched)});
    const Answer answer = probe.wait<Answer>();
    return answer.isError ? answer.text : probe.stop();
}

/// Goes back node by node until the value of neg.sum() differs, or neg itself runs next. Returns the node,
/// and true unless it is the first node of the graph.
std::pair<std::string, bool> backByNodes(DebugProbe& probe, std::string at) {
    const std::string watched = "neg.sum()", begin = probe.evaluate(watched).text;
    while (true) {
        probe.session().send(GoBack{8});
        if (probe.wait<Answer>().isError)
            return {at, false};
        at = probe.stop();
        if (at == "neg" || probe.evaluate(watched).text != begin)
            return {at, true};
    }
}

} // namespace

class TestSeek : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void findsWhatSteppingBackFinds() {
        for (unsigned seed = 0; seed < 60; ++seed) {
            std::mt19937 random(seed);
            const Model model = writingChain(random, 12);
            const NodeRef end{model.root(), model.graph().outputNode()};
            DebugProbe one(model, ones()), all(model, ones());
            std::string at;
            for (DebugProbe* probe : {&one, &all}) {
                probe->stop();
                at = probe->resume(Mode::Until, end);
            }
            for (int round = 0; round < 4; ++round) {
                const auto [expected, hasChanged] = backByNodes(one, at);
                at = backToStop(all, {"neg.sum()"});
                if (!hasChanged && at.starts_with("this is the first node"))
                    break;
                QVERIFY2(at == expected,
                         (std::to_string(seed) + ": " + at + " instead of " + expected).c_str());
                QCOMPARE(all.last().changed, std::string(hasChanged ? "neg.sum()" : ""));
                QCOMPARE(all.last().reason, hasChanged ? Paused::Reason::Changed : Paused::Reason::Step);
            }
        }
    }

    void stopsAtABreakpointWhoseConditionHolds() {
        SmallModel m;
        Edit edit(m.model);
        {
            const auto point = edit.insertingBefore(m.output);
            for (int i = 0; i < 6; ++i)
                edit.callMethod("add_", {m.relu, 1});
        }
        edit.finish();
        Breakpoint third;
        third.id = 1;
        third.kind = Breakpoint::Kind::Target;
        third.text = "add_";
        third.condition = "relu.sum() == 6";
        DebugProbe probe(m.model, ones(), {third});
        probe.stop();
        QCOMPARE(probe.resume(Mode::Continue), std::string("add__2"));
        probe.resume(Mode::Until, {m.model.root(), m.output});
        probe.session().send(GoBack{3, true});
        QCOMPARE(probe.wait<BreakpointsChanged>().breakpoints[0].hits, 2);
        QCOMPARE(probe.stop(), std::string("add__2"));
        QCOMPARE(probe.last().reason, Paused::Reason::Breakpoint);
        QCOMPARE(backToStop(probe, {}), std::string("relu"));
    }

    void stopsWhereAScopeBegins() {
        Model model("GraphModule");
        Edit edit(model);
        NodeId last = edit.placeholder("x");
        for (int i = 0; i < 6; ++i) {
            last = edit.callFunction("torch.relu", {last});
            const std::string path = i < 2 ? "stem" : "block";
            edit.setMeta(last, meta::kModuleStack, MetaValue(ModuleStack{{path, path, "Block"}}));
        }
        edit.output(last);
        edit.finish();
        Breakpoint block;
        block.id = 1;
        block.kind = Breakpoint::Kind::Scope;
        block.text = "block";
        DebugProbe probe(model, ones(), {block});
        probe.stop();
        QCOMPARE(probe.resume(Mode::Continue), std::string("relu_2"));
        QCOMPARE(probe.resume(Mode::Until, {model.root(), model.graph().find("relu_5")}),
                 std::string("relu_5"));
        QCOMPARE(backToStop(probe, {}), std::string("relu_2"));
        QCOMPARE(probe.last().reason, Paused::Reason::Breakpoint);
    }

    void stopsAtABreakpointThatWasSetDuringThePause() {
        SmallModel m;
        DebugProbe probe(m.model, ones());
        probe.stop();
        QCOMPARE(probe.resume(Mode::Until, {m.model.root(), m.output}), std::string("output"));
        Breakpoint add;
        add.id = 1;
        add.node = {m.model.root(), m.add};
        probe.session().send(SetBreakpoints{{add}});
        QCOMPARE(backToStop(probe, {}), std::string("add"));
        QCOMPARE(probe.last().reason, Paused::Reason::Breakpoint);
    }

    void refusesAtTheFirstNode() {
        SmallModel m;
        DebugProbe probe(m.model, ones());
        probe.stop();
        for (const bool isToStop : {false, true}) {
            probe.session().send(GoBack{3, isToStop});
            const Answer answer = probe.wait<Answer>();
            QVERIFY(answer.isError);
            QVERIFY2(answer.text.starts_with("this is the first node of its graph"), answer.text.c_str());
        }
        QCOMPARE(probe.resume(Mode::Step), std::string("add"));
    }
};

FX_TEST(TestSeek)
} // namespace fx::seek_test
#include "tst_seek.moc"
