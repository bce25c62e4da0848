// SPDX-License-Identifier: GPL-3.0-or-later
// A session in the hands of a user: where each way of going on stops, what breakpoints do, what can be asked.
#include "core/module/edit.h"
#include "tests/support/debug_probe.h"
#include "tests/support/model_state.h"
#include "tests/support/oracle.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>
#include <QElapsedTimer>

namespace fx::debug_session_test {

using Mode = Resume::Mode;
using Kind = Breakpoint::Kind;

namespace {

Values ones() {
    return {Value(c10::IValue(at::ones({2})))};
}

Breakpoint breakAt(Kind kind, const std::string& text, const std::string& condition = {}) {
    Breakpoint out;
    out.id = 1;
    out.kind = kind;
    out.text = text;
    out.condition = condition;
    return out;
}

DebugOptions running() {
    DebugOptions options;
    options.pausesAtEntry = false;
    return options;
}

/// A probe over a model of the oracle.
struct OracleProbe {
    explicit OracleProbe(const std::string& name, std::vector<Breakpoint> breakpoints = {},
                         DebugOptions options = {})
        : opened(openOracle(name)),
          probe(opened.model, oracleInputs(opened, name), std::move(breakpoints), options) {}
    OpenedModel opened;
    DebugProbe probe;
};

/// x -> relu -> inner, inner(relu) -> add -> output, where inner is x -> mul(x, 2) -> neg -> output.
struct TwoCalls {
    Model model{"GraphModule"};
    ModuleId inner;
    NodeId relu, mul, neg;
    TwoCalls() {
        Edit edit(model);
        inner = edit.createModule("GraphModule", true);
        edit.addSubmodule("inner", inner);
        edit.enter(inner);
        mul = edit.callFunction("operator.mul", {edit.placeholder("x"), 2});
        neg = edit.callMethod("neg", {mul});
        edit.output(neg);
        edit.enter(model.root());
        relu = edit.callFunction("torch.relu", {edit.placeholder("x")});
        const NodeId first = edit.callModule("inner", {relu});
        edit.output(edit.callFunction("operator.add", {first, edit.callModule("inner", {relu})}));
        edit.finish();
    }
};

/// A graph that loops for as long as nobody stops it.
Model endless() {
    Model model = openOracle("while_loop").model;
    const ModuleId body = model.resolve(model.root(), "while_loop_cond_graph_0").module;
    Edit edit(model, body);
    edit.setArgs(edit.graph().outputNode(), {true});
    edit.finish();
    return model;
}

} // namespace

class TestDebugSession : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void stopsAtEntryAndSteps() {
        SmallModel m;
        DebugProbe probe(m.model, ones());
        QCOMPARE(probe.stop(), std::string("relu")); // inputs and weights are read on the way
        QCOMPARE(probe.last().reason, Paused::Reason::Entry);
        QCOMPARE(probe.resume(Mode::Step), std::string("add"));
        QCOMPARE(probe.last().reason, Paused::Reason::Step);
        QCOMPARE(probe.resume(Mode::Next), std::string("output"));
        probe.session().send(Resume{Mode::Continue, {}});
        QCOMPARE(probe.wait<Finished>().result, std::string("tensor([3., 3.])"));
    }

    void pausesTakeNoTimeOfTheRun() {
        SmallModel m;
        QElapsedTimer whole, paused;
        whole.start();
        DebugProbe probe(m.model, ones());
        probe.stop();
        paused.start();
        while (paused.elapsed() < 100)
            probe.evaluate("x");
        const qint64 pause = paused.nsecsElapsed();
        probe.session().send(Resume{Mode::Continue, {}});
        const double milliseconds = probe.wait<Finished>().milliseconds;
        QVERIFY(milliseconds > 0);
        QVERIFY(milliseconds * 1e6 <= static_cast<double>(whole.nsecsElapsed() - pause));
    }

    void stopsAtBreakpoints_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("condition");
        QTest::addColumn<QString>("stop");
        const auto row = [](const char* name, Kind kind, const char* text, const char* condition,
                            const char* stop) {
            QTest::newRow(name) << static_cast<int>(kind) << text << condition << stop;
        };
        row("opcode", Kind::Opcode, "placeholder", "", "x");
        row("function", Kind::Target, "torch.add", "", "add");
        row("method that is not there", Kind::Target, "torch.sub", "", "");
        row("condition that holds", Kind::Opcode, "output", "add.sum() == 6", "output");
        row("condition that does not", Kind::Opcode, "output", "add.sum() > 6", "");
        row("condition in error", Kind::Opcode, "output", "nothing.like(this)", "output");
    }
    void stopsAtBreakpoints() {
        QFETCH(int, kind);
        QFETCH(QString, text);
        QFETCH(QString, condition);
        QFETCH(QString, stop);
        SmallModel m;
        DebugProbe probe(m.model, ones(), {breakAt(Kind(kind), text.toStdString(), condition.toStdString())},
                         running());
        if (stop.isEmpty()) {
            probe.wait<Finished>();
            return;
        }
        QCOMPARE(QString::fromStdString(probe.stop()), stop);
        QCOMPARE(probe.last().reason, Paused::Reason::Breakpoint);
        QCOMPARE(probe.last().breakpoint, 1);
        QCOMPARE(!probe.last().note.empty(), condition.startsWith("nothing"));
    }

    void stopsAtNode() {
        SmallModel m;
        Breakpoint breakpoint = breakAt(Kind::Node, "");
        breakpoint.node = {m.model.root(), m.add};
        breakpoint.isTemporary = true;
        DebugProbe probe(m.model, ones(), {breakpoint}, running());
        QVERIFY(probe.wait<BreakpointsChanged>().breakpoints.empty());
        QCOMPARE(probe.stop(), std::string("add"));
    }

    void ignoresHitsAndDisabled() {
        SmallModel m;
        Breakpoint counting = breakAt(Kind::Opcode, "call_function"), off = breakAt(Kind::Opcode, "output");
        counting.ignoreCount = 1;
        off.isEnabled = false;
        DebugProbe probe(m.model, ones(), {counting, off}, running());
        QCOMPARE(probe.stop(), std::string("add"));
        probe.session().send(Resume{Mode::Continue, {}});
        probe.wait<Finished>();
    }

    void countsHits() {
        SmallModel m;
        Breakpoint counting = breakAt(Kind::Opcode, "call_function");
        counting.ignoreCount = 1;
        DebugProbe probe(m.model, ones(), {counting}, running());
        const BreakpointsChanged told = probe.wait<BreakpointsChanged>();
        QCOMPARE(told.breakpoints.at(0).hits, 2);
        QCOMPARE(told.breakpoints.at(0).ignoreCount, 0);
    }

    void takesBreakpointsInTheMiddleOfARun() {
        const Model model = endless();
        DebugProbe probe(model, oracleInputs(openOracle("while_loop"), "while_loop"), {}, running());
        probe.session().send(SetBreakpoints{{breakAt(Kind::Target, "torch.ops.aten.mul.Tensor")}});
        QCOMPARE(probe.stop(), std::string("mul"));
        QCOMPARE(probe.last().breakpoint, 1);
        probe.session().send(SetBreakpoints{{}});
        probe.session().send(Resume{Mode::Continue, {}});
        probe.session().pause();
        probe.stop();
        QCOMPARE(probe.last().breakpoint, 0);
    }

    void stopsWhenAScopeIsEntered() {
        OracleProbe run("repeated_blocks", {breakAt(Kind::Scope, "3"), breakAt(Kind::Scope, "5.2")},
                        running());
        QCOMPARE(run.probe.stop(), std::string("linear_6"));
        QCOMPARE(run.probe.resume(Mode::Continue), std::string("linear_11"));
        QCOMPARE(run.probe.resume(Mode::NextScope), std::string("sigmoid_5"));
        QCOMPARE(run.probe.resume(Mode::Out), std::string("linear_12"));
    }

    void entersNestedGraphs() {
        OracleProbe run("cond");
        while (run.probe.last().frames.size() < 2)
            run.probe.last().frames.empty() ? run.probe.stop() : run.probe.resume(Mode::Step);
        QCOMPARE(run.probe.last().frames[0].graphPath, std::string());
        QCOMPARE(QString::fromStdString(run.probe.last().frames[1].graphPath), QString("false_graph_0"));
        QCOMPARE(run.probe.resume(Mode::Out), std::string("getitem"));
        QCOMPARE(run.probe.last().frames.size(), size_t(1));
    }

    void stepsOverNestedGraphs() {
        OracleProbe run("cond");
        std::string names = run.probe.stop();
        while (!names.ends_with("output"))
            names += ' ' + run.probe.resume(Mode::Next);
        QCOMPARE(names, std::string("sum_1 gt cond getitem mul output"));
    }

    void runsUntil() {
        SmallModel m;
        DebugProbe probe(m.model, ones());
        probe.stop();
        QCOMPARE(probe.resume(Mode::Until, {m.model.root(), m.output}), std::string("output"));
    }

    void runsUntilANodeComesAgain() {
        OracleProbe run("while_loop");
        run.probe.stop();
        const ModuleId body =
            run.opened.model.resolve(run.opened.model.root(), "while_loop_body_graph_0").module;
        const NodeRef mul{body, run.opened.model.graph(body).find("mul")};
        int rounds = 0;
        while (run.probe.resume(Mode::Until, mul) == "mul" && run.probe.last().note.empty())
            ++rounds;
        QVERIFY2(rounds > 1, std::to_string(rounds).c_str());
        // After the last round it stops where the loop is left, and does not run off.
        QCOMPARE(run.probe.last().frames.size(), size_t(1));
        QVERIFY2(run.probe.last().note.starts_with("mul does not run any more"),
                 run.probe.last().note.c_str());
        run.probe.session().send(Resume{Mode::Continue, {}});
        run.probe.wait<Finished>();
    }

    void runsNoFurtherThanABranchNotTaken() {
        OracleProbe run("cond");
        run.probe.stop();
        const ModuleId other = run.opened.model.resolve(run.opened.model.root(), "true_graph_0").module;
        const NodeRef end{other, run.opened.model.graph(other).outputNode()};
        QCOMPARE(run.probe.resume(Mode::Until, end), std::string("getitem"));
        QVERIFY2(run.probe.last().note.starts_with("output does not run any more"),
                 run.probe.last().note.c_str());
    }

    void runsUntilAGraphIsCalledAgain() {
        const TwoCalls m;
        DebugProbe probe(m.model, ones());
        probe.stop();
        const NodeRef neg{m.inner, m.neg};
        for (const char* calling : {"inner", "inner_1"}) {
            QCOMPARE(probe.resume(Mode::Until, neg), std::string("neg"));
            const NodeRef caller = probe.last().frames[0].node;
            QCOMPARE(m.model.graph().node(caller.node).name, std::string(calling));
        }
        QCOMPARE(probe.resume(Mode::Until, neg), std::string("neg"));
        QVERIFY(probe.last().note.starts_with("neg is the node that runs next"));
        QCOMPARE(probe.resume(Mode::Next), std::string("output"));
    }

    void hasNoValuesOfAnEarlierCall() {
        const TwoCalls m;
        DebugProbe probe(m.model, ones());
        probe.stop();
        probe.resume(Mode::Until, {m.inner, m.neg});
        QVERIFY(!probe.evaluate("mul").isError);
        probe.resume(Mode::Until, {m.inner, m.mul});
        const Answer answer = probe.evaluate("mul");
        QVERIFY(answer.isError);
        QVERIFY2(answer.text.starts_with("mul has not run in this call of its graph"), answer.text.c_str());
        probe.session().send(Jump{4, m.neg}); // over mul, whose value of the first call is kept
        QVERIFY(!probe.wait<Answer>().isError);
        QCOMPARE(probe.stop(), std::string("neg"));
        QVERIFY(probe.evaluate("mul").isError);
    }

    void setsAValueOfAnOuterGraph() {
        const TwoCalls m;
        DebugProbe probe(m.model, ones());
        probe.stop();
        probe.resume(Mode::Until, {m.inner, m.neg});
        probe.session().send(SetValue{3, {m.model.root(), m.relu}, "relu * 10"});
        QCOMPARE(probe.wait<Answer>().text, std::string("relu is now f32[2]"));
        QCOMPARE(probe.evaluate("x").text, std::string("tensor([1., 1.])")); // the inner graph's
        probe.session().send(Evaluate{4, "x + relu", 1});
        QCOMPARE(probe.wait<Answer>().text, std::string("tensor([11., 11.])"));
        probe.session().send(Evaluate{5, "x", 2});
        QVERIFY(probe.wait<Answer>().isError);
        probe.session().send(Resume{Mode::Continue, {}});
        // inner gives -2 and then -2 * 10
        QCOMPARE(probe.wait<Finished>().result, std::string("tensor([-22., -22.])"));
    }

    /// The condition is looked at when the graph in which it was set is left.
    void evaluatesAConditionAfterANestedGraph() {
        const TwoCalls m;
        const Values bad{Value(c10::IValue(at::full({2}, INFINITY)))};
        DebugProbe probe(m.model, bad, {breakAt(Kind::NonFinite, "", "inner.isinf().any()")}, running());
        // Each node before stops too: there the condition is in error.
        std::string names;
        while (names.find("inner_1") == std::string::npos) {
            names += (names.empty() ? probe.stop() : probe.resume(Mode::Continue)) + ' ';
            QVERIFY(names.size() < 200);
        }
        QCOMPARE(probe.last().reason, Paused::Reason::NonFinite);
    }

    void stopsAtNanAndInf() {
        SmallModel m;
        const Values bad{Value(c10::IValue(at::full({2}, INFINITY)))};
        DebugProbe probe(m.model, bad, {breakAt(Kind::NonFinite, "")}, running());
        // A value is known after its node, so the run stands at the next.
        QCOMPARE(probe.stop(), std::string("w"));
        QCOMPARE(probe.last().reason, Paused::Reason::NonFinite);
        QVERIFY(probe.records().back().health.hasInf);
        QVERIFY(!probe.records().back().health.hasNan);
    }

    void evaluatesAndInspects() {
        SmallModel m;
        DebugProbe probe(m.model, ones());
        probe.stop();
        probe.resume(Mode::Step);
        QCOMPARE(probe.evaluate("relu + 1").text, std::string("tensor([2., 2.])"));
        QVERIFY(probe.evaluate("add").isError);
        QVERIFY(probe.evaluate("1 +").isError);
        QVERIFY(probe.evaluate("open('x')").isError);
        probe.session().send(Inspect{4, {m.model.root(), m.relu}, {"0"}});
        const Inspection seen = probe.wait<Inspection>();
        QCOMPARE(seen.request, 4);
        QCOMPARE(*seen.statistics->mean, 1.0);
        QCOMPARE(seen.sample->shape, std::vector<int64_t>{});
        probe.session().send(Inspect{5, {m.model.root(), m.add}});
        QCOMPARE(probe.wait<Inspection>().absence, std::string("add has no value yet: it has not run"));
    }

    void answersAfterTheEnd() {
        SmallModel m;
        DebugProbe probe(m.model, ones(), {}, running());
        probe.wait<Finished>();
        QCOMPARE(probe.evaluate("add.sum()").text, std::string("tensor(6.)"));
    }

    void tellsOfEachNodeOnce() {
        SmallModel m;
        DebugProbe probe(m.model, ones(), {}, running());
        probe.wait<Finished>();
        QCOMPARE(probe.records().size(), size_t(5));
        QCOMPARE(valueMetaText(probe.records()[3].value), std::string("f32[2]"));
    }

    void stopsInTheMiddleOfARun() {
        const Model model = endless();
        DebugProbe probe(model, oracleInputs(openOracle("while_loop"), "while_loop"), {}, running());
        probe.wait<Executed>();
        probe.session().stop();
        probe.wait<Stopped>();
    }

    void endsWithARunInItsMiddle() {
        const Model model = endless();
        for (int i = 0; i < 5; ++i)
            DebugProbe probe(model, oracleInputs(openOracle("while_loop"), "while_loop"), {}, running());
    }

    void pausesARun() {
        const Model model = endless();
        DebugProbe probe(model, oracleInputs(openOracle("while_loop"), "while_loop"), {}, running());
        probe.session().pause();
        probe.stop();
        probe.session().stop();
        probe.wait<Stopped>();
    }

    void stopsWhilePaused() {
        SmallModel m;
        for (int i = 0; i < 200; ++i) { // stopping races with falling asleep
            DebugProbe probe(m.model, ones());
            probe.wait<Paused>();
            probe.session().stop();
            probe.wait<Stopped>();
        }
    }

    void jumps() {
        SmallModel m;
        DebugProbe probe(m.model, ones());
        probe.stop();
        probe.resume(Mode::Until, {m.model.root(), m.output});
        probe.session().send(Jump{3, m.relu});
        QVERIFY(!probe.wait<Answer>().isError);
        QCOMPARE(probe.stop(), std::string("relu"));
        QCOMPARE(probe.resume(Mode::Step), std::string("add"));
        probe.session().send(Jump{4, NodeId{99}});
        QVERIFY(probe.wait<Answer>().isError);
        probe.session().send(Resume{Mode::Continue, {}});
        QCOMPARE(probe.wait<Finished>().result, std::string("tensor([3., 3.])"));
    }

    void tellsOfFailures() {
        SmallModel m;
        DebugProbe probe(m.model, {Value(c10::IValue(at::ones({3})))}, {}, running());
        const Failed failed = probe.wait<Failed>();
        QCOMPARE(failed.node.node, m.add);
        QCOMPARE(failed.place, std::string("node 'add'"));
        QVERIFY(failed.message.starts_with("The size of tensor a (3) must match"));
        QCOMPARE(probe.evaluate("relu").text, std::string("tensor([1., 1., 1.])")); // what was computed stays
    }

    void dropsValuesOverTheBudget() {
        DebugOptions options = running();
        options.valueBudgetBytes = 64;
        OracleProbe run("deep_chain", {}, options);
        run.probe.wait<Finished>();
        QVERIFY(run.probe.report().keptBytes <= 64);
        QVERIFY(run.probe.report().droppedCount > 100);
        const Answer first = run.probe.evaluate("linear");
        QVERIFY(first.isError);
        QVERIFY2(first.text.starts_with(
                     "the value of linear was dropped to keep within 64 B; stop before it, or give "
                     "more memory to values"),
                 first.text.c_str());
        QVERIFY(!run.probe.evaluate("tanh_59").isError); // the newest stay
    }

    void leavesTheModelAlone() {
        SmallModel m;
        const std::string before = modelState(m.model);
        {
            DebugProbe probe(m.model, ones());
            probe.stop();
            Edit edit(m.model); // the session has its own copy
            edit.eraseNode(m.output);
            edit.eraseNode(m.add);
            probe.session().send(Resume{Mode::Continue, {}});
            QCOMPARE(probe.wait<Finished>().result, std::string("tensor([3., 3.])"));
        }
        FX_SAME(textDifference(modelState(m.model), before));
    }
};

FX_TEST(TestDebugSession)
} // namespace fx::debug_session_test
#include "tst_debug_session.moc"
